// SPDX-License-Identifier: GPL-2.0-only
/*
 * A SoC's monitors before and after a run of an accelerator, read in each way of esp_monitor(): for
 * esp-monitors.sh, which compares them with perf stat.
 *
 * usage: esp-monitors-SOC all|many|single
 *        esp-monitors-SOC reads COUNT		READ_ALL that many times, for counting system calls
 *        esp-monitors-SOC singles COUNT	the same with a monitor of tile 0
 *
 * Prints a line for each monitor, "TILE EVENT VALUE", in which plane 4 (register accesses, so also
 * those that read the counters) and the clock (dvfs_op3) are left out.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "soc_defs.h"
#include "dummy_stratus.h"
#include "fft_stratus.h"
#include "libesp.h"
#include "monitors.h"
#include "soc_locs.h"

#define PLANE_OF_REGISTERS 4

static void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, mon_error());
	exit(1);
}

static unsigned int tile_of(soc_loc_t loc)
{
	return loc.row * SOC_COLS + loc.col;
}

static void *buf;

static void run(void)
{
#ifdef DUMMY
	struct dummy_stratus_access access = {
		.esp = { .coherence = ACC_COH_LLC },
		.tokens = 700, .batch = 2, .dst_offset = 65536,
	};
	esp_thread_info_t cfg = {
		.devname = (char *)"dummy_stratus.0", .ioctl_req = DUMMY_STRATUS_IOC_ACCESS,
#else
	struct fft_stratus_access access = {
		.esp = { .coherence = ACC_COH_LLC },
		.batch_size = 2, .log_len = 8, .do_bitrev = 1, .dst_offset = 65536,
	};
	esp_thread_info_t cfg = {
		.devname = (char *)"fft_stratus.0", .ioctl_req = FFT_STRATUS_IOC_ACCESS,
#endif
		.run = true, .hw_buf = buf, .esp_desc = &access.esp,
	};

	if (esp_run(&cfg, 1))
		fail("run");
}

static void print_mem(const esp_monitor_vals_t *v)
{
	static const char *const names[] = {
		"coh_reqs", "coh_fwds", "coh_rsps_rcv", "coh_rsps_snd", "dma_reqs", "dma_rsps",
		"coh_dma_reqs", "coh_dma_rsps",
	};
	unsigned int m, i;

	for (m = 0; m < SOC_NMEM; m++) {
		const unsigned int *reqs = (const unsigned int *)&v->mem_reqs[m];
		unsigned int t = tile_of(mem_locs[m]);

		printf("%u ddr_accesses %u\n", t, v->ddr_accesses[m]);
		for (i = 0; i < 8; i++)
			printf("%u %s %u\n", t, names[i], reqs[i]);
		printf("%u llc_hits %u\n%u llc_misses %u\n", t, v->llc_stats[m].hits, t,
		       v->llc_stats[m].misses);
	}
}

static void print_rest(const esp_monitor_vals_t *v)
{
	static const char port[] = "nswel";
	unsigned int t, k, p, q;

	for (k = 0; k < SOC_NCPU; k++) {
		t = tile_of(cpu_locs[k]);
		printf("%u l2_hits %u\n%u l2_misses %u\n", t, v->l2_stats[t].hits, t,
		       v->l2_stats[t].misses);
	}
	for (k = 0; k < SOC_NACC; k++) {
		const esp_acc_stats_t *a = &v->acc_stats[k];

		t = tile_of(acc_locs[k]);
		printf("%u acc_tlb %u\n%u acc_invocations %u\n", t, a->acc_tlb, t,
		       a->acc_invocations);
		printf("%u acc_mem_cycles %llu\n", t,
		       (unsigned long long)a->acc_mem_hi << 32 | a->acc_mem_lo);
		printf("%u acc_tot_cycles %llu\n", t,
		       (unsigned long long)a->acc_tot_hi << 32 | a->acc_tot_lo);
		if (acc_has_l2[k])
			printf("%u l2_hits %u\n%u l2_misses %u\n", t, v->l2_stats[t].hits, t,
			       v->l2_stats[t].misses);
	}
	for (t = 0; t < SOC_NTILES; t++) {
		for (p = 0; p < NOC_PLANES; p++) {
			if (p == PLANE_OF_REGISTERS)
				continue;
			printf("%u noc_injects_p%u %u\n", t, p, v->noc_injects[t][p]);
			for (q = 0; q < NOC_QUEUES; q++)
				printf("%u noc_queue_full_p%u_%c %u\n", t, p, port[q],
				       v->noc_queue_full[t][p][q]);
		}
	}
}

/* The changes by the accelerator's run. */
static esp_monitor_vals_t counted(esp_monitor_args_t args)
{
	static esp_monitor_vals_t start, end;

	if (esp_monitor(args, &start))
		fail("esp_monitor");
	run();
	if (esp_monitor(args, &end))
		fail("esp_monitor");
	return esp_monitor_diff(start, end);
}

static void by_all(void)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_ALL };
	static esp_monitor_vals_t diff;

	diff = counted(args);
	print_mem(&diff);
	print_rest(&diff);
}

/* All groups of MANY at once, for accelerator 0, its tile, and plane 3. */
static void by_many(void)
{
	esp_monitor_args_t args = {
		.read_mode = ESP_MON_READ_MANY, .read_mask = 0x1ff, .noc_index = 3,
		.tile_index = tile_of(acc_locs[0]),
	};
	static esp_monitor_vals_t diff;
	unsigned int t = tile_of(acc_locs[0]), p, q;

	diff = counted(args);
	print_mem(&diff);
	printf("%u acc_tlb %u\n%u acc_invocations %u\n", t, diff.acc_stats[0].acc_tlb, t,
	       diff.acc_stats[0].acc_invocations);
	for (p = 0; p < NOC_PLANES; p++)
		if (p != PLANE_OF_REGISTERS)
			printf("%u noc_injects_p%u %u\n", t, p, diff.noc_injects[t][p]);
	for (t = 0; t < SOC_NTILES; t++)
		for (q = 0; q < NOC_QUEUES; q++)
			printf("%u noc_queue_full_p3_%c %u\n", t, "nswel"[q],
			       diff.noc_queue_full[t][3][q]);
}

static void by_single(void)
{
	static const struct {
		const char *name;
		unsigned int index;
	} list[] = {
		{ "ddr_accesses", MON_DDR_WORD_TRANSFER_INDEX },
		{ "coh_dma_reqs", MON_MEM_COH_DMA_REQ_INDEX },
		{ "coh_dma_rsps", MON_MEM_COH_DMA_RSP_INDEX },
		{ "llc_hits", MON_LLC_HIT_INDEX },
		{ "llc_misses", MON_LLC_MISS_INDEX },
		{ "acc_tlb", MON_ACC_TLB_INDEX },
		{ "acc_invocations", MON_ACC_INVOCATIONS },
		{ "noc_injects_p3", MON_NOC_TILE_INJECT_BASE_INDEX + 3 },
		{ "noc_queue_full_p5_l", MON_NOC_QUEUES_FULL_BASE_INDEX + 5 * 5 + 4 },
	};
	unsigned int start[SOC_NTILES][9], t, i;
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_SINGLE };

	for (t = 0; t < SOC_NTILES && t < 32; t++) {
		for (i = 0; i < 9; i++) {
			args.tile_index = t;
			args.mon_index = list[i].index;
			errno = 0;
			start[t][i] = esp_monitor(args, NULL);
			if (errno)
				fail("esp_monitor");
		}
	}
	run();
	for (t = 0; t < SOC_NTILES && t < 32; t++) {
		for (i = 0; i < 9; i++) {
			args.tile_index = t;
			args.mon_index = list[i].index;
			printf("%u %s %u\n", t, list[i].name,
			       sub_monitor_vals(start[t][i], esp_monitor(args, NULL)));
		}
	}
}

static int reads(unsigned int count)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_ALL };
	static esp_monitor_vals_t vals;

	while (count--)
		if (esp_monitor(args, &vals))
			fail("esp_monitor");
	return 0;
}

static int singles(unsigned int count)
{
	esp_monitor_args_t args = {
		.read_mode = ESP_MON_READ_SINGLE, .mon_index = MON_NOC_TILE_INJECT_BASE_INDEX,
	};

	while (count--) {
		errno = 0;
		esp_monitor(args, NULL);
		if (errno)
			fail("esp_monitor");
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	if (!strcmp(mode, "reads") && argc > 2)
		return reads(strtoul(argv[2], NULL, 0));
	if (!strcmp(mode, "singles") && argc > 2)
		return singles(strtoul(argv[2], NULL, 0));
	buf = esp_alloc(1 << 20);
	if (!buf)
		fail("buffer");
	if (!strcmp(mode, "all"))
		by_all();
	else if (!strcmp(mode, "many"))
		by_many();
	else if (!strcmp(mode, "single"))
		by_single();
	else
		return 2;
	esp_monitor_free();
	esp_free(buf);
	return 0;
}
