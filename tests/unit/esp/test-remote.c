/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Accelerators in processes of their own: those of examples/esp/accelerators, and errors of such
 * processes. Mode none, 64-bit words: a read of n words is 3 flits and 1 + n, a write 3 + n.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "tests/main.h"
#include "tests/unit/esp/remote-rig.h"

#define LOADS		4	/* processes that load the host */

SUITE("remote", .timeout = 60, .setup = setup, .teardown = teardown);

LOOP_TEST(counts_follow_from_the_sizes, 0, NVARIANTS)
{
	teardown();
	open_variant(_i);
	start(0, 1200, 7);
	acc_finish(&rig, 0);
	is_right(0, 1200, 7);
	/* page table, and bursts of 512, 512 and 176 words each way */
	ck_assert_uint_eq(mon(&rig, MEM, ESP_MON_DMA_REQ), 3 + 3 * 3 + 3 * 3 + 1200);
	ck_assert_uint_eq(mon(&rig, MEM, ESP_MON_DMA_RSP), 1 + 1 + 3 + 1200);
	ck_assert_uint_eq(mon(&rig, MEM, ESP_MON_DDR), 1 + 2 * 1200);
	ck_assert_uint_eq(acc_read(&rig, 0, ESP_ACC_DEVID), _i ? 0x00eb0322 : 0x00eb0321);
	/* vadd.xml gives burst_max a value */
	if (_i)
		ck_assert_uint_eq(acc_read(&rig, 0, 0x44), 512);
	ck_assert_uint_eq(rig.errors, 0);
}

static void load_host(pid_t *loads, bool on)
{
	unsigned int i;

	for (i = 0; i < LOADS; i++) {
		if (!on) {
			kill(loads[i], SIGKILL);
			waitpid(loads[i], NULL, 0);
			continue;
		}
		loads[i] = fork();
		while (!loads[i])
			;
	}
}

/*
 * Two at once, with and without waiting, half of the ten runs on a busy host: the same cycles each
 * time.
 */
LOOP_TEST(runs_are_the_same_each_time, 0, NVARIANTS)
{
	pid_t loads[LOADS];
	uint64_t cycles[2];
	unsigned int i, acc;

	teardown();
	open_variant(_i);
	for (i = 0; i < 10; i++) {
		uint64_t from;

		if (i == 5)
			load_host(loads, true);

		esp_soc_reset(rig.soc);
		start(0, 700, i);
		start(1, 900, i);
		from = esp_soc_now(rig.soc);
		while (rig.irqs[0] + rig.irqs[1] < 2 * (i + 1)) {
			uint64_t next = esp_soc_next_event(rig.soc);

			ck_assert_uint_ne(next, UINT64_MAX);
			if (i & 1)
				esp_soc_try_advance(rig.soc, next);
			else
				esp_soc_advance(rig.soc, next);
		}
		cycles[i & 1] = esp_soc_now(rig.soc) - from;
		for (acc = 0; acc < 2; acc++) {
			acc_write(&rig, acc, ESP_ACC_CMD, 0);
			is_right(acc, 700 + 200 * acc, i);
		}
		settle(&rig);
		if (i)
			ck_assert_uint_eq(cycles[0], cycles[1]);
		else
			cycles[1] = cycles[0];
	}
	load_host(loads, false);
}

LOOP_TEST(a_process_that_dies_or_stops_fails_its_run, 0, 2)
{
	open_silent(0);
	/* the process is there */
	start(0, 10, 7);
	acc_finish(&rig, 0);
	rig.irqs[0] = 0;
	start(0, 1200, 7);
	while (!esp_soc_has_remote_runs(rig.soc))
		esp_soc_advance(rig.soc, esp_soc_next_event(rig.soc));
	kill(pid_of_first(), _i ? SIGSTOP : SIGKILL);
	wait_for_failure();
	fails(0, _i ? "makes no progress for 400 ms" : "ended by signal 9");
	/* the next run has a process of its own */
	rig.irqs[0] = 0;
	start(0, 1200, 8);
	acc_finish(&rig, 0);
	is_right(0, 1200, 8);
}

/* Cases of nonsense.c; each ends its run with an error that names the program. */
LOOP_TEST(nonsense_fails_its_run, 0, 9)
{
	static const char *const why[] = {
		"not in the protocol", "not in the protocol", "in the past", "more than 256 MiB",
		"no words", "more words than it asked", "more words than it asked", "out of range",
		"the matrix is singular",
	};

	teardown();
	open_variant(NONSENSE);
	start(0, _i, 0);
	fails(0, why[_i]);
}

/*
 * Case 10 of nonsense.c reports its namespaces, which are those of this process unless it is confined, and what it sees: files
 * beside its own and /usr, processes, variables.
 */
LOOP_TEST(a_process_is_confined, 0, 2)
{
	char net[64] = "", pid[64] = "";

	ck_assert_int_gt(readlink("/proc/self/ns/net", net, sizeof(net) - 1), 0);
	ck_assert_int_gt(readlink("/proc/self/ns/pid", pid, sizeof(pid) - 1), 0);
	teardown();
	open_variant_as(NONSENSE, _i);
	start(0, 10, 0);
	fails(0, "net:[");
	ck_assert_int_eq(!strstr(rig.error, net), _i);
	ck_assert_int_eq(!strstr(rig.error, pid), _i);
	ck_assert_int_eq(!!strstr(rig.error, " files 0, processes 0, variables 0, /usr read-only"), _i);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(!!strstr(rig.error, (const char *[]){ " files 0", " processes 0", " variables 0" }[i]), _i);
}

/* Case 14 makes children. A confined program has threads alone, and its limit of memory is that of all of them. */
LOOP_TEST(a_confined_process_has_no_children, 0, 2)
{
	teardown();
	open_variant_as(NONSENSE, _i);
	start(0, 14, 0);
	fails(0, _i ? "fork 0, vfork 0, threads 1" : "fork 1, vfork 1, threads 1");
}

/* gapless.v asks for a second read while the first is granted: hardware loses it, and hangs. */
TEST(a_lost_request_is_told)
{
	teardown();
	open_variant(GAPLESS);
	start(0, 8, 0);
	fails(0, "without a cycle in which valid is 0");
}

/* Cycles of a run of so many words, from conf_done on. */
static uint32_t cycles_of(unsigned int number, uint32_t words)
{
	uint32_t cycles;

	teardown();
	open_variant(number);
	start(0, words, 7);
	acc_finish(&rig, 0);
	is_right(0, words, 7);
	/* page table, a burst each way */
	ck_assert_uint_eq(mon(&rig, MEM, ESP_MON_DMA_REQ), 3 + 3 + 3 + words);
	ck_assert_uint_eq(mon(&rig, MEM, ESP_MON_DMA_RSP), 2 + 1 + words);
	cycles = mon(&rig, ACC, ESP_MON_ACC_TOT_LO) - mon(&rig, ACC, ESP_MON_ACC_TLB);
	ck_assert_uint_eq(rig.errors, 0);
	return cycles;
}

/*
 * ports.v and vadd.v on 256 words more: vadd.v takes and gives a word a cycle, ports.v one every fourth
 * cycle, and the first word of a transfer comes as early in both.
 */
TEST(slow_takers_and_givers_take_their_time)
{
	ck_assert_uint_eq(cycles_of(PORTS, 500) - cycles_of(PORTS, 244), 256 * (4 + 4));
	ck_assert_uint_eq(cycles_of(VADD_V, 500) - cycles_of(VADD_V, 244), 256 * (1 + 1));
}

/*
 * The pace of ports.v, 4 cycles a beat, is that of its handshakes, from its first transfer on. One hop; with d cycles a
 * beat of n the link stalls d (n - 32) - n + 13 cycles in a load, the DDR bus has 6 * ceil((n - 74) / 2) - 1 BUSY beats
 * if d is 4, and (n - 1)(d - 1) in a store, as in the RTL (test-transactions).
 */
TEST(the_pace_of_a_process_is_that_of_its_handshake)
{
	uint32_t n = 500, d = 4, links = 0, stalls = d * (n - 32) - n + 13, busy = 6 * ((n - 74 + 1) / 2) - 1;
	unsigned int plane, port, tile;

	cycles_of(PORTS, n);
	for (tile = 0; tile < 9; tile++) {
		for (plane = ESP_PL_DMA4; plane <= ESP_PL_DMA6; plane += 2)
			for (port = 0; port < ESP_LOCAL; port++)
				links += mon(&rig, tile, ESP_MON_NOC_QUEUE(plane, port));
	}
	/* page table, load, store */
	ck_assert_uint_eq(links, 5 + 3 + 1 + n + 3 + n + stalls);
	ck_assert_uint_eq(mon(&rig, MEM, ESP_MON_DDR), 1 + n + n + busy + (n - 1) * (d - 1));
	ck_assert_uint_eq(mon(&rig, ACC, ESP_MON_ACC_MEM_LO), n + 52 + n + 7 + 2 * (n - 1) * (d - 1));
}

/* vadd.latencies: an addition, of which there are two a word, takes 5 cycles instead of that of its wait(). */
TEST(latencies_of_a_file_take_time)
{
	ck_assert_uint_eq(cycles_of(VADD_LATE, 100) - cycles_of(VADD_SC, 100), 2 * 100 * (5 - 1));
}

/* overrun.c has room for 8 words. */
TEST(a_transfer_stays_in_the_state)
{
	teardown();
	open_variant(OVERRUN);
	start(0, 8, 0);
	acc_finish(&rig, 0);
	/* page table and words */
	ck_assert_uint_eq(mon(&rig, MEM, ESP_MON_DDR), 1 + 8);
	rig.irqs[0] = 0;
	start(0, 9, 0);
	fails(0, "larger than its state");
}

/* Random messages, some of them valid: however a run ends, the next one works. */
TEST(random_messages_end_in_a_run_that_is_done)
{
	unsigned int i;

	teardown();
	open_variant(NONSENSE);
	for (i = 0; i < 200; i++) {
		rig.irqs[0] = 0;
		start(0, 100 + i, 0);
		while (!rig.irqs[0])
			esp_soc_advance(rig.soc, esp_soc_next_event(rig.soc));
		ck_assert_uint_ne(acc_read(&rig, 0, ESP_ACC_STATUS) & ESP_ACC_STATUS_DONE, 0);
		acc_write(&rig, 0, ESP_ACC_CMD, 0);
		settle(&rig);
	}
}

/* A step in which nothing waits. If an accelerator's process keeps the SoC's clock, its patience ends. */
static void step(unsigned int first)
{
	unsigned int acc;

	polls = 0;
	acc_read(&rig, 0, ESP_ACC_STATUS);
	mon(&rig, ACC, ESP_MON_ACC_TOT_LO);
	esp_soc_try_advance(rig.soc, esp_soc_next_event(rig.soc));
	ck_assert_uint_eq(polls, 0);
	for (acc = first; acc < 2; acc++)
		if (!rig.soc->stands[acc] && rig.soc->horizon[acc] <= esp_soc_now(rig.soc))
			clock_ms += SILENCE_MS / 4 + 1;
}

/* Processes that stop in the middle of a run; the FFT of another tile goes on, and nobody waits for a register. */
LOOP_TEST(nobody_waits_for_a_process_without_progress, 0, 6)
{
	static const struct { uint32_t what; int signal; const char *why; } cases[] = {
		{ 9, 0, "makes no progress for 400 ms" }, { 11, 0, "makes no progress for 400 ms" },
		{ 13, 0, "makes no progress for 400 ms" }, { 12, SIGSTOP, "makes no progress for 400 ms" },
		{ 13, SIGKILL, "ended by signal 9" }, { 12, SIGKILL, "ended by signal 9" },
	};
	struct fft fft = fft_default(6);
	char error[sizeof(rig.error)];
	uint32_t cycles;

	open_silent(NONSENSE);
	fft.acc = 3;
	fft.chunks[0] = buffer(7);
	fft_fill(&rig, &fft);
	start(1, cases[_i].what == 12 ? 13 : cases[_i].what, 0);
	fft_start(&rig, &fft);
	start(0, cases[_i].what, 0);
	while (!esp_soc_has_remote_runs(rig.soc) || (cases[_i].signal == SIGSTOP && esp_soc_now(rig.soc) < 1000))
		step(1);
	if (cases[_i].signal)
		kill(pid_of_first(), cases[_i].signal);
	while (!rig.irqs[3])
		step(0);
	acc_write(&rig, 3, ESP_ACC_CMD, 0);
	ck_assert_double_le(fft_wrong(&rig, &fft), 1.0);
	/* the clock of the tile stands; process 11 lets one cycle pass */
	cycles = mon(&rig, ACC, ESP_MON_ACC_TOT_LO);
	esp_soc_try_advance(rig.soc, esp_soc_now(rig.soc) + 1000);
	if (!cases[_i].signal)
		ck_assert_uint_le(mon(&rig, ACC, ESP_MON_ACC_TOT_LO), cycles + 1);
	wait_for_failure();
	/* the end of the other run is told, too */
	memcpy(error, rig.error, sizeof(error));
	acc_write(&rig, 1, ESP_ACC_CMD, 0);
	memcpy(rig.error, error, sizeof(error));
	fails(0, cases[_i].why);
	rig.irqs[0] = 0;
	start(0, 8, 0);
	fails(0, "the matrix is singular");
}

/* A run that never ends is cut off; its process would not look at the next run. */
TEST(the_next_run_has_a_process_that_listens)
{
	open_silent(NONSENSE);
	start(0, 12, 0);
	while (esp_soc_now(rig.soc) < 10000)
		esp_soc_advance(rig.soc, esp_soc_next_event(rig.soc));
	acc_write(&rig, 0, ESP_ACC_CMD, 0);
	settle(&rig);
	start(0, 8, 0);
	fails(0, "the matrix is singular");
}

/* CMD = 0 during a computation: later messages about that run are ignored. */
TEST(a_run_can_be_cut_off)
{
	start(0, 1200, 7);
	while (!esp_soc_has_remote_runs(rig.soc))
		esp_soc_advance(rig.soc, esp_soc_next_event(rig.soc));
	acc_write(&rig, 0, ESP_ACC_CMD, 0);
	settle(&rig);
	ck_assert(!esp_soc_has_remote_runs(rig.soc));
	ck_assert_uint_eq(rig.irqs[0], 0);
	ck_assert_ptr_nonnull(strstr(rig.error, "tile 1: it had not set acc_done, and the driver ended its run"));
	start(0, 600, 1);
	acc_finish(&rig, 0);
	is_right(0, 600, 1);
	ck_assert_uint_eq(rig.errors, 1);
}

TEST(no_model_is_a_failed_run)
{
	ck_assert(esp_soc_knows(rig.soc, 0));
	ck_assert(!esp_soc_knows(rig.soc, 2));
	start(2, 8, 0);
	while (!rig.irqs[2])
		esp_soc_advance(rig.soc, esp_soc_next_event(rig.soc));
	ck_assert_uint_eq(acc_read(&rig, 2, ESP_ACC_STATUS), ESP_ACC_STATUS_DONE | ESP_ACC_STATUS_ERR);
	ck_assert_ptr_nonnull(strstr(rig.error, "NOBODY_STRATUS"));
}

LOOP_TEST(a_program_that_is_no_accelerator_is_refused, 0, 3)
{
	static const char *const files[] = { "/bin/true", "/nowhere.acc", "/etc/passwd" };
	static const char *const why[] = { "before it said anything", "No such file",
					   "Permission denied" };
	char err[256] = "";

	ck_assert_ptr_null(esp_remote_type("X", files[_i], false, 1000, err, sizeof(err)));
	ck_assert_msg(strstr(err, why[_i]) != NULL, "%s", err);
}
