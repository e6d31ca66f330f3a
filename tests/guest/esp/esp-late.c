// SPDX-License-Identifier: GPL-2.0-only
/*
 * A late interrupt handler acknowledges only its own run. One program is killed in the middle of
 * its runs; another one uses the same accelerator, and each of its ioctls that returns 0 has left a
 * right result. LATE_RUNS in the environment is the number of runs.
 *
 * mon-vm: --smp 2 --append threadirqs --device espmon,clock=4000000
 * not on riscv64: the function that irq_late probes is inlined there
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "examples/esp/fft.h"
#include "libmon/esp/include/fft_stratus.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define CHUNK (1u << 20)
#define LOG_LEN 9
#define OUTPUT 8192
#define LATE "/sys/module/irq_late/parameters/"

/* A buffer and the access for it. Without ck_assert(): a process that is killed in one spoils Check's messages. */
static bool prepare(struct fft_stratus_access *access, int32_t **map)
{
	int contig = open("/dev/contig_alloc", O_RDWR);
	unsigned long address;
	struct contig_alloc_req req = { .size = CHUNK, .arr = &address, .n_max = 1 };

	*access = (struct fft_stratus_access){
		.esp = { .run = 1 }, .batch_size = 1, .log_len = LOG_LEN, .do_bitrev = 1, .dst_offset = OUTPUT,
	};
	if (ioctl(contig, CONTIG_IOC_ALLOC, &req))
		return false;
	access->esp.contig = req.khandle;
	*map = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, contig, address);
	return *map != MAP_FAILED;
}

static void run_until_killed(void)
{
	struct fft_stratus_access access;
	int acc = open("/dev/fft_stratus.0", O_RDWR);
	int32_t *map;

	if (!prepare(&access, &map))
		_exit(1);
	for (;;)
		ioctl(acc, FFT_STRATUS_IOC_ACCESS, &access);
}

/* Kills one program after the other, each at a random moment of its run. */
static void kill_runs(void)
{
	pid_t pid;

	for (;;) {
		pid = fork();
		if (!pid)
			run_until_killed();
		usleep(5000 + rand() % 20000);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
}

static void setup(void)
{
	ck_assert_int_eq(system("insmod build/pmu/$(uname -r)/tests/guest/modules/irq_late.ko"), 0);
}

static void teardown(void)
{
	ck_assert_int_eq(system("rmmod irq_late"), 0);
}

/* as many runs as LATE_RUNS says */
SUITE("esp-late", .timeout = 600, .setup_once = setup, .teardown_once = teardown);

TEST(a_late_interrupt_is_of_no_other_run)
{
	static int32_t input[2 << LOG_LEN];
	unsigned int runs = getenv("LATE_RUNS") ? atoi(getenv("LATE_RUNS")) : 200, i;
	int acc = open("/dev/fft_stratus.0", O_RDWR);
	struct fft_stratus_access access;
	int32_t *map;
	pid_t killer;

	ck_assert_int_ge(acc, 0);
	ck_assert(prepare(&access, &map));
	fft_input(input, 1 << LOG_LEN);
	killer = fork();
	if (!killer) {
		setpgid(0, 0);
		kill_runs();
	}
	for (i = 0; another_round(i, runs); i++) {
		memcpy(map, input, sizeof(input));
		memset((char *)map + OUTPUT, 0, sizeof(input));
		ck_assert_int_eq(ioctl(acc, FFT_STRATUS_IOC_ACCESS, &access), 0);
		ck_assert_msg(fft_errors(input, map + OUTPUT / 4, LOG_LEN, true) <= (2u << LOG_LEN) / 100,
			      "run %u of %u returned 0 with a wrong result", i, runs);
	}
	kill(-killer, SIGKILL);
	waitpid(killer, NULL, 0);
	close(acc);
	/* each run that was not killed has an interrupt */
	ck_assert_uint_ge(file_number(LATE "times"), runs);
}
