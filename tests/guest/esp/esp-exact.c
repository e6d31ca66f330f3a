// SPDX-License-Identifier: GPL-2.0-only
/*
 * With -icount the SoC's time is a function of the guest's instructions: three accelerators that
 * are started by three stores in a row count the same, ten times. They overlap: each alone is
 * faster.
 *
 * mon-vm: --smp 1 --qemu-arg -icount --qemu-arg shift=3,sleep=off --append iomem=relaxed --device espmon,clock=125000000
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "events/esp/regs.h"
#include "events/esp/uapi.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define NACC		3
#define RUNS		10
#define CHUNK		(1u << 20)
#define PLANE_REGISTERS	4
#define START_NS	2000	/* three stores; the timer's interrupt takes longer */
#define RUN_NS		50000000

static const unsigned int acc_tile[NACC] = { 0, 3, 4 };

static volatile uint32_t *apb;
static uint64_t table[NACC], buffer[NACC];	/* physical addresses */

static uint64_t nanoseconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static volatile uint32_t *acc_register(unsigned int acc, unsigned int offset)
{
	return apb + (ESP_ACC_BASE + acc * ESP_ACC_STRIDE + offset) / 4;
}

/* Two chunks for each accelerator: page table and data. */
static void setup(void)
{
	int fd = open(ESPMON_DRIVER ESPMON_DEVICE "/resource0", O_RDWR | O_CLOEXEC);
	int contig = open("/dev/contig_alloc", O_RDWR | O_CLOEXEC);
	static unsigned long arr[2 * NACC];
	struct contig_alloc_req req = {
		.size = 2 * NACC * CHUNK, .arr = arr, .n_max = 2 * NACC,
		.params.policy = CONTIG_ALLOC_PREFERRED,
	};
	unsigned int k;
	char *map;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_ge(contig, 0);
	apb = mmap(NULL, ESP_APB_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne((void *)apb, MAP_FAILED);
	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_ALLOC, &req), 0);
	ck_assert_uint_eq(req.n, 2 * NACC);
	map = mmap(NULL, req.n * CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, contig, arr[0]);
	ck_assert_ptr_ne(map, MAP_FAILED);
	for (k = 0; k < NACC; k++) {
		uint64_t *entry = (uint64_t *)(map + 2 * k * CHUNK);

		table[k] = arr[2 * k];
		buffer[k] = arr[2 * k + 1];
		memset(map + (2 * k + 1) * CHUNK, 0, CHUNK);
		*entry = buffer[k];
	}
}

/* 8 points a batch: half of the time is DMA. */
static void prepare(unsigned int acc)
{
	*acc_register(acc, ESP_ACC_PT_ADDRESS) = table[acc];
	*acc_register(acc, ESP_ACC_PT_NCHUNK) = 1;
	*acc_register(acc, ESP_ACC_PT_SHIFT) = 20;
	*acc_register(acc, ESP_ACC_COHERENCE) = ESP_COH_NONE;
	*acc_register(acc, ESP_ACC_P2P) = 0;
	*acc_register(acc, ESP_ACC_SRC_OFFSET) = 0;
	*acc_register(acc, ESP_ACC_DST_OFFSET) = 0;
	*acc_register(acc, ESP_FFT_BATCH_SIZE) = 4096;
	*acc_register(acc, ESP_FFT_LOG_LEN) = 3;
	*acc_register(acc, ESP_FFT_DO_BITREV) = 0;
}

struct counts {
	uint32_t mon[TILES][ESP_NMON];
};

/* All but register accesses, the clock, and monitor 2: reading it would empty the TLBs. */
static struct counts read_all(void)
{
	struct counts c = { 0 };
	unsigned int t, i;

	for (t = 0; t < TILES; t++) {
		for (i = 0; i < ESP_NMON; i++) {
			if (i == 2 || i == ESP_MON_DVFS(3) ||
			    i == ESP_MON_NOC_INJECT(PLANE_REGISTERS) ||
			    (i >= ESP_MON_NOC_QUEUE(PLANE_REGISTERS, 0) &&
			     i < ESP_MON_NOC_QUEUE(PLANE_REGISTERS + 1, 0)))
				continue;
			c.mon[t][i] = apb[(ESP_CSR_BASE + t * ESP_CSR_STRIDE + ESP_CSR_MON(i)) / 4];
		}
	}
	return c;
}

/* Counts of accelerators first to first + n - 1, started by stores in a row. */
static struct counts run(unsigned int first, unsigned int n)
{
	volatile uint32_t *cmd[NACC];
	struct counts before, after;
	struct timespec ts = { 0, RUN_NS };
	unsigned int k, t, i, tries = 0;
	uint64_t begin;

	for (k = 0; k < n; k++)
		cmd[k] = acc_register(first + k, ESP_ACC_CMD);
	do {
		ck_assert_uint_lt(tries++, 10);
		for (k = 0; k < n; k++)
			prepare(first + k);
		before = read_all();
		/* Long after this the registers' packets are gone. */
		nanosleep(&ts, NULL);
		begin = nanoseconds();
		for (k = 0; k < n; k++)
			*cmd[k] = 1;
		begin = nanoseconds() - begin;
		nanosleep(&ts, NULL);
	} while (begin > START_NS);
	for (k = first; k < first + n; k++) {
		/* the driver has not started this run, so it leaves its end alone */
		ck_assert_uint_eq(*acc_register(k, ESP_ACC_STATUS), ESP_ACC_STATUS_DONE);
		*acc_register(k, ESP_ACC_CMD) = 0;
	}
	after = read_all();
	for (t = 0; t < TILES; t++) {
		for (i = 0; i < ESP_NMON; i++)
			after.mon[t][i] -= before.mon[t][i];
	}
	return after;
}

SUITE("espmon, exact", .timeout = 60, .setup_once = setup);

TEST(ten_runs_count_the_same)
{
	struct counts first = run(0, NACC), again;
	unsigned int n, t, i;

	for (n = 1; n < RUNS; n++) {
		again = run(0, NACC);
		for (t = 0; t < TILES; t++) {
			for (i = 0; i < ESP_NMON; i++)
				ck_assert_msg(again.mon[t][i] == first.mon[t][i],
					      "run %u, tile %u, monitor %u: %u, not %u", n, t, i,
					      again.mon[t][i], first.mon[t][i]);
		}
	}
}

TEST(accelerators_that_run_together_meet_in_the_network)
{
	struct counts alone[NACC], together;
	unsigned int k, words = 0;

	for (k = 0; k < NACC; k++)
		alone[k] = run(k, 1);
	together = run(0, NACC);
	for (k = 0; k < NACC; k++) {
		uint32_t one = alone[k].mon[acc_tile[k]][ESP_MON_ACC_MEM_LO];

		words += alone[k].mon[TILE_MEM][ESP_MON_DDR];
		printf("accelerator %u: %u cycles of DMA alone, %u together\n", k, one,
		       together.mon[acc_tile[k]][ESP_MON_ACC_MEM_LO]);
		ck_assert_uint_gt(together.mon[acc_tile[k]][ESP_MON_ACC_MEM_LO], one + one / 10);
	}
	/* A page table of a word, and 4096 times 8 points in and out, for each. */
	ck_assert_uint_eq(words, NACC * (1 + 4096 * 8 * 2));
	/* Together there are BUSY beats, because data of a write come late. */
	ck_assert_uint_ge(together.mon[TILE_MEM][ESP_MON_DDR], words);
}
