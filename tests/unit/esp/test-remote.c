/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Accelerators in processes of their own: those of examples/esp/accelerators, and errors of such
 * processes. Mode none, 64-bit words: a read of n words is 3 flits and 1 + n, a write 3 + n.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include "esp/internal.h"
#include "esp/remote.h"

#define ACC		1	/* tiles */
#define MEM		2
#define BUFFER		(MEM_BASE + (1u << 20))
#define SILENCE_MS	400	/* where a process is silent, by the clock below */

/* The same work in C, SystemC and Verilog; numbers are 64 bits wide in C, 32 elsewhere. */
static const struct variant {
	const char *name, *file;
	uint32_t addend, output;	/* registers */
	bool halves;
} variants[] = {
	{ "ADDER_C", "tests/unit/esp/adder.acc", 0x44, 0x48, false },
	{ "VADD_SC", "tests/unit/esp/vadd_sc.acc", 0x48, 0x4c, true },
	{ "VADD_V", "tests/unit/esp/vadd_v.acc", 0x48, 0x4c, true },
	{ "NONSENSE", "tests/unit/esp/nonsense.acc", 0x48, 0x4c, false },
	{ "GAPLESS", "tests/unit/esp/gapless.acc", 0x48, 0x4c, false },
	{ "OVERRUN", "tests/unit/esp/overrun.acc", 0x48, 0x4c, false },
	{ "PORTS", "tests/unit/esp/ports.acc", 0x48, 0x4c, true },
	{ "VADD_LATE", "tests/unit/esp/vadd_late.acc", 0x48, 0x4c, true },
	{ "SHAPES", "tests/unit/esp/shapes.acc", 0x48, 0x4c, false },
};
#define NVARIANTS	3
#define VADD_SC		1
#define VADD_V		2
#define NONSENSE	3
#define GAPLESS		4
#define OVERRUN		5
#define PORTS		6
#define VADD_LATE	7
#define SHAPES		8
#define LOADS		4	/* processes that load the host */

static struct bench b;
static struct mon_esp_acc_type *type;
static bool caches;
static const struct variant *variant;
static unsigned int silence;

/*
 * The clock of the model's waits, while the test holds it: a busy host is no silence. It moves with a wait in which
 * no message came, and where the test says so.
 */
static bool clock_held;
static uint64_t clock_ms;
static unsigned int polls;

int clock_gettime(clockid_t id, struct timespec *t)
{
	if (!clock_held)
		return syscall(SYS_clock_gettime, id, t);
	*t = (struct timespec) { clock_ms / 1000, clock_ms % 1000 * 1000000 };
	return 0;
}

int poll(struct pollfd *fds, nfds_t n, int timeout)
{
	const struct timespec t = { timeout / 1000, timeout % 1000 * 1000000l };
	int ready = ppoll(fds, n, timeout < 0 ? NULL : &t, NULL);

	polls++;
	if (!ready)
		clock_ms += timeout;
	return ready;
}

static void open_variant_as(unsigned int number, bool confined)
{
	const struct mon_esp_acc_type *types[] = { NULL, NULL };
	static struct esp_design design;
	struct esp_params params = bench_params();
	char err[256] = "", text[1024];

	variant = &variants[number];
	type = esp_remote_type(variant->name, variant->file, confined, silence, err, sizeof(err));
	ck_assert_msg(type != NULL, "%s", err);
	types[0] = type;
	params.accelerators = types;
	snprintf(text, sizeof(text),
		 "CPU_ARCH = ariane\nCONFIG_NOC_ROWS = 3\nCONFIG_NOC_COLS = 3\n"
		 "CONFIG_COH_NOC_WIDTH = 64\nCONFIG_DMA_NOC_WIDTH = 64\n"
		 "%sCONFIG_HAS_SG = y\nTILE_0_0 = 0 cpu cpu\n"
		 "TILE_0_1 = 1 acc %s basic_dma64 0 0 sld\nTILE_0_2 = 2 mem mem\n"
		 "TILE_1_0 = 3 acc %s basic_dma64 0 0 sld\n"
		 "TILE_1_1 = 4 acc NOBODY_STRATUS basic_dma64 0 0 sld\nTILE_1_2 = 5 misc IO\n"
		 "TILE_2_0 = 6 acc FFT_STRATUS basic_fx32_dma64 0 0 sld\nTILE_2_1 = 7 empty empty\n"
		 "TILE_2_2 = 8 empty empty\n",
		 caches ? "CONFIG_CACHE_EN = y\n" : "", variant->name, variant->name);
	bench_design(&design, text);
	bench_open(&b, &design, &params);
}

static void open_variant(unsigned int number)
{
	open_variant_as(number, false);
}

static void setup(void)
{
	silence = 10000;
	caches = false;
	open_variant(0);
}

static void teardown(void)
{
	bench_close(&b);
	esp_remote_type_free(type);
}

static uint32_t buffer(unsigned int acc)
{
	return BUFFER + ((uint32_t)acc << 20);
}

static void start_words(unsigned int acc, uint32_t words, uint32_t addend, uint32_t output)
{
	uint32_t table = MEM_BASE + 0x1000 * (1 + acc), i;

	for (i = 0; i < words; i++)
		put64(&b, buffer(acc) + 8 * i, 3 * i);
	put64(&b, table, buffer(acc));
	acc_write(&b, acc, ESP_ACC_PT_ADDRESS, table);
	acc_write(&b, acc, ESP_ACC_PT_NCHUNK, 1);
	acc_write(&b, acc, ESP_ACC_PT_SHIFT, 20);
	acc_write(&b, acc, 0x40, words);
	acc_write(&b, acc, variant->addend, addend);
	acc_write(&b, acc, variant->output, output);
	acc_write(&b, acc, ESP_ACC_CMD, 1);
}

/* 64-bit words plus an addend, from word 0 of its buffer on to word 4096 on. */
static void start(unsigned int acc, uint32_t words, uint32_t addend)
{
	start_words(acc, words, addend, 4096);
}

static void is_right(unsigned int acc, uint32_t words, uint32_t addend)
{
	uint32_t i;

	for (i = 0; i < words; i++) {
		ck_assert_uint_eq(get32(&b, buffer(acc) + 8 * (4096 + i)), 3 * i + addend);
		ck_assert_uint_eq(get32(&b, buffer(acc) + 8 * (4096 + i) + 4),
				  variant->halves ? addend : 0);
	}
	ck_assert_uint_eq(get32(&b, buffer(acc) + 8 * (4096 + words)), 0);
}

SUITE("remote", .timeout = 60, .setup = setup, .teardown = teardown);

LOOP_TEST(counts_follow_from_the_sizes, 0, NVARIANTS)
{
	teardown();
	open_variant(_i);
	start(0, 1200, 7);
	acc_finish(&b, 0);
	is_right(0, 1200, 7);
	/* page table, and bursts of 512, 512 and 176 words each way */
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_REQ), 3 + 3 * 3 + 3 * 3 + 1200);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_RSP), 1 + 1 + 3 + 1200);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 1 + 2 * 1200);
	ck_assert_uint_eq(acc_read(&b, 0, ESP_ACC_DEVID), _i ? 0x00eb0322 : 0x00eb0321);
	/* vadd.xml gives burst_max a value */
	if (_i)
		ck_assert_uint_eq(acc_read(&b, 0, 0x44), 512);
	ck_assert_uint_eq(b.errors, 0);
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

		esp_soc_reset(b.soc);
		start(0, 700, i);
		start(1, 900, i);
		from = esp_soc_now(b.soc);
		while (b.irqs[0] + b.irqs[1] < 2 * (i + 1)) {
			uint64_t next = esp_soc_next_event(b.soc);

			ck_assert_uint_ne(next, UINT64_MAX);
			if (i & 1)
				esp_soc_try_advance(b.soc, next);
			else
				esp_soc_advance(b.soc, next);
		}
		cycles[i & 1] = esp_soc_now(b.soc) - from;
		for (acc = 0; acc < 2; acc++) {
			acc_write(&b, acc, ESP_ACC_CMD, 0);
			is_right(acc, 700 + 200 * acc, i);
		}
		settle(&b);
		if (i)
			ck_assert_uint_eq(cycles[0], cycles[1]);
		else
			cycles[1] = cycles[0];
	}
	load_host(loads, false);
}

static void fails(unsigned int acc, const char *why)
{
	while (!b.irqs[acc])
		esp_soc_advance(b.soc, esp_soc_next_event(b.soc));
	ck_assert_uint_eq(acc_read(&b, acc, ESP_ACC_STATUS), ESP_ACC_STATUS_DONE | ESP_ACC_STATUS_ERR);
	ck_assert_msg(strstr(b.error, why) != NULL, "%s", b.error);
	ck_assert_ptr_nonnull(strstr(b.error, variant->name));
	acc_write(&b, acc, ESP_ACC_CMD, 0);
	settle(&b);
	ck_assert_uint_eq(acc_read(&b, acc, ESP_ACC_STATUS), 0);
}

static pid_t pid_of_first(void)
{
	return esp_remote_pid(b.soc->remote[0]);
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

static void open_silent(unsigned int number)
{
	teardown();
	silence = SILENCE_MS;
	open_variant(number);
	clock_ms = now_ms();
	clock_held = true;
}

/* Until the process of the first accelerator has made no progress for as long as it may. */
static void wait_for_failure(void)
{
	while (!b.irqs[0]) {
		acc_read(&b, 0, ESP_ACC_STATUS);
		esp_soc_try_advance(b.soc, esp_soc_next_event(b.soc));
		usleep(1000);
		clock_ms++;
	}
}

LOOP_TEST(a_process_that_dies_or_stops_fails_its_run, 0, 2)
{
	open_silent(0);
	/* the process is there */
	start(0, 10, 7);
	acc_finish(&b, 0);
	b.irqs[0] = 0;
	start(0, 1200, 7);
	while (!esp_soc_has_remote_runs(b.soc))
		esp_soc_advance(b.soc, esp_soc_next_event(b.soc));
	kill(pid_of_first(), _i ? SIGSTOP : SIGKILL);
	wait_for_failure();
	fails(0, _i ? "makes no progress for 400 ms" : "ended by signal 9");
	/* the next run has a process of its own */
	b.irqs[0] = 0;
	start(0, 1200, 8);
	acc_finish(&b, 0);
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
	ck_assert_int_eq(!strstr(b.error, net), _i);
	ck_assert_int_eq(!strstr(b.error, pid), _i);
	ck_assert_int_eq(!!strstr(b.error, " files 0, processes 0, variables 0, /usr read-only"), _i);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(!!strstr(b.error, (const char *[]){ " files 0", " processes 0", " variables 0" }[i]), _i);
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
	acc_finish(&b, 0);
	is_right(0, words, 7);
	/* page table, a burst each way */
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_REQ), 3 + 3 + 3 + words);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_RSP), 2 + 1 + words);
	cycles = mon(&b, ACC, ESP_MON_ACC_TOT_LO) - mon(&b, ACC, ESP_MON_ACC_TLB);
	ck_assert_uint_eq(b.errors, 0);
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
				links += mon(&b, tile, ESP_MON_NOC_QUEUE(plane, port));
	}
	/* page table, load, store */
	ck_assert_uint_eq(links, 5 + 3 + 1 + n + 3 + n + stalls);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 1 + n + n + busy + (n - 1) * (d - 1));
	ck_assert_uint_eq(mon(&b, ACC, ESP_MON_ACC_MEM_LO), n + 52 + n + 7 + 2 * (n - 1) * (d - 1));
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
	acc_finish(&b, 0);
	/* page table and words */
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 1 + 8);
	b.irqs[0] = 0;
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
		b.irqs[0] = 0;
		start(0, 100 + i, 0);
		while (!b.irqs[0])
			esp_soc_advance(b.soc, esp_soc_next_event(b.soc));
		ck_assert_uint_ne(acc_read(&b, 0, ESP_ACC_STATUS) & ESP_ACC_STATUS_DONE, 0);
		acc_write(&b, 0, ESP_ACC_CMD, 0);
		settle(&b);
	}
}

/* A step in which nothing waits. If an accelerator's process keeps the SoC's clock, its patience ends. */
static void step(unsigned int first)
{
	unsigned int acc;

	polls = 0;
	acc_read(&b, 0, ESP_ACC_STATUS);
	mon(&b, ACC, ESP_MON_ACC_TOT_LO);
	esp_soc_try_advance(b.soc, esp_soc_next_event(b.soc));
	ck_assert_uint_eq(polls, 0);
	for (acc = first; acc < 2; acc++)
		if (!b.soc->stands[acc] && b.soc->horizon[acc] <= esp_soc_now(b.soc))
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
	char error[sizeof(b.error)];
	uint32_t cycles;

	open_silent(NONSENSE);
	fft.acc = 3;
	fft.chunks[0] = buffer(7);
	fft_fill(&b, &fft);
	start(1, cases[_i].what == 12 ? 13 : cases[_i].what, 0);
	fft_start(&b, &fft);
	start(0, cases[_i].what, 0);
	while (!esp_soc_has_remote_runs(b.soc) || (cases[_i].signal == SIGSTOP && esp_soc_now(b.soc) < 1000))
		step(1);
	if (cases[_i].signal)
		kill(pid_of_first(), cases[_i].signal);
	while (!b.irqs[3])
		step(0);
	acc_write(&b, 3, ESP_ACC_CMD, 0);
	ck_assert_double_le(fft_wrong(&b, &fft), 1.0);
	/* the clock of the tile stands; process 11 lets one cycle pass */
	cycles = mon(&b, ACC, ESP_MON_ACC_TOT_LO);
	esp_soc_try_advance(b.soc, esp_soc_now(b.soc) + 1000);
	if (!cases[_i].signal)
		ck_assert_uint_le(mon(&b, ACC, ESP_MON_ACC_TOT_LO), cycles + 1);
	wait_for_failure();
	/* the end of the other run is told, too */
	memcpy(error, b.error, sizeof(error));
	acc_write(&b, 1, ESP_ACC_CMD, 0);
	memcpy(b.error, error, sizeof(error));
	fails(0, cases[_i].why);
	b.irqs[0] = 0;
	start(0, 8, 0);
	fails(0, "the matrix is singular");
}

/* A run that never ends is cut off; its process would not look at the next run. */
TEST(the_next_run_has_a_process_that_listens)
{
	open_silent(NONSENSE);
	start(0, 12, 0);
	while (esp_soc_now(b.soc) < 10000)
		esp_soc_advance(b.soc, esp_soc_next_event(b.soc));
	acc_write(&b, 0, ESP_ACC_CMD, 0);
	settle(&b);
	start(0, 8, 0);
	fails(0, "the matrix is singular");
}

/* CMD = 0 during a computation: later messages about that run are ignored. */
TEST(a_run_can_be_cut_off)
{
	start(0, 1200, 7);
	while (!esp_soc_has_remote_runs(b.soc))
		esp_soc_advance(b.soc, esp_soc_next_event(b.soc));
	acc_write(&b, 0, ESP_ACC_CMD, 0);
	settle(&b);
	ck_assert(!esp_soc_has_remote_runs(b.soc));
	ck_assert_uint_eq(b.irqs[0], 0);
	ck_assert_ptr_nonnull(strstr(b.error, "tile 1: it had not set acc_done, and the driver ended its run"));
	start(0, 600, 1);
	acc_finish(&b, 0);
	is_right(0, 600, 1);
	ck_assert_uint_eq(b.errors, 1);
}

/*
 * Transfers that are short, long or stopped: shapes.v announces words and moves some of them. All that moves counts: of a
 * store 3 flits and the words given; of a load all words, because they are under way. The page table is 3 flits, 2 back and
 * a word. What else counts is derived in each row.
 */
static const struct shape {
	const char *name;
	bool store;
	uint32_t announced, gives, early;	/* early: it sets acc_done before its transfer is whole */
	enum { WHOLE, SILENT, KILLED, DRIVER } end;
	bool beside;				/* an FFT of 64 points on another tile: 1 + 128 words, 73 and 67 flits */
	enum { MEMORY, PRODUCER, CONSUMER, LONELY, COHERENT } with;
	uint32_t req, rsp, words;		/* flits to the memory tile and back, its words; coherent: misses of the LLC */
	uint32_t moved;
	const char *why;
} shapes[] = {
	{ "load, whole", false, 64, 64, 0, WHOLE, false, MEMORY, 3 + 3, 2 + 65, 1 + 64, 0, NULL },
	{ "load, none taken", false, 64, 0, 0, SILENT, false, MEMORY, 3 + 3, 2 + 65, 1 + 64, 0, "makes no progress for 400 ms" },
	{ "load, one taken", false, 64, 1, 0, SILENT, false, MEMORY, 3 + 3, 2 + 65, 1 + 64, 1, "makes no progress" },
	{ "load, more than the queues hold", false, 512, 80, 0, SILENT, false, MEMORY, 3 + 3, 2 + 513, 1 + 512, 80, "makes no progress" },
	{ "load, done early", false, 64, 10, 2, SILENT, false, MEMORY, 3 + 3, 2 + 65, 1 + 64, 10, "makes no progress" },
	{ "load, a word more", false, 64, 65, 0, DRIVER, false, MEMORY, 3 + 3, 2 + 65, 1 + 64, 64, "it had not set acc_done" },
	{ "load, killed", false, 512, 80, 0, KILLED, false, MEMORY, 3 + 3, 2 + 513, 1 + 512, 80, "ended by signal 9" },
	{ "load, driver", false, 512, 80, 0, DRIVER, false, MEMORY, 3 + 3, 2 + 513, 1 + 512, 80, "it had not taken the next word" },
	{ "load, beside", false, 512, 80, 0, SILENT, true, MEMORY, 3 + 3 + 73, 2 + 513 + 67, 1 + 512 + 129, 80, "makes no progress" },
	{ "store, whole", true, 64, 64, 0, WHOLE, false, MEMORY, 3 + 3 + 64, 2, 1 + 64, 0, NULL },
	{ "store, none given", true, 64, 0, 0, SILENT, false, MEMORY, 3 + 3, 2, 1, 0, "makes no progress" },
	{ "store, one given", true, 64, 1, 0, SILENT, false, MEMORY, 3 + 3 + 1, 2, 1 + 1, 1, "makes no progress" },
	{ "store, done early", true, 512, 80, 2, SILENT, false, MEMORY, 3 + 3 + 80, 2, 1 + 80, 80, "makes no progress" },
	{ "store, a word more", true, 64, 65, 0, DRIVER, false, MEMORY, 3 + 3 + 64, 2, 1 + 64, 64, "it had not set acc_done" },
	{ "store, killed", true, 512, 80, 0, KILLED, false, MEMORY, 3 + 3 + 80, 2, 1 + 80, 80, "ended by signal 9" },
	{ "store, driver", true, 512, 80, 0, DRIVER, false, MEMORY, 3 + 3 + 80, 2, 1 + 80, 80, "it had not given the next word" },
	{ "store, beside", true, 512, 80, 0, SILENT, true, MEMORY, 3 + 3 + 80 + 73, 2 + 67, 1 + 80 + 129, 80, "makes no progress" },
	/* a page table each; the other side, which announces 64 words, too, is looked at below */
	{ "to a consumer", true, 64, 20, 0, SILENT, false, CONSUMER, 3 + 3, 2 + 2, 1 + 1, 20, "makes no progress" },
	{ "to a consumer, beside", true, 64, 0, 0, SILENT, true, CONSUMER, 3 + 3 + 73, 2 + 2 + 67, 1 + 1 + 129, 0, "makes no progress" },
	{ "from a producer", false, 64, 20, 0, SILENT, false, PRODUCER, 3 + 3, 2 + 2, 1 + 1, 20, "makes no progress" },
	{ "from nobody", false, 64, 64, 0, DRIVER, false, LONELY, 3, 2, 1, 0, "it waited for data of another accelerator" },
	{ "to nobody", true, 64, 64, 0, DRIVER, false, LONELY, 3, 2, 1, 0, "it waited for another accelerator to ask for its data" },
	/* 2 flits and the words, which fill lines of two */
	{ "coherent store, none given", true, 64, 0, 0, SILENT, false, COHERENT, 3 + 2, 2, 1, 0, "makes no progress" },
	{ "coherent store", true, 64, 10, 0, SILENT, false, COHERENT, 3 + 2 + 10, 2, 1 + 5, 10, "makes no progress" },
};

#define P2P_SRC	(1u << 2)
#define P2P_DST	(1u << 3)

static void start_shape(unsigned int acc, bool store, uint32_t announced, uint32_t gives, uint32_t early)
{
	start_words(acc, announced, gives, store | early);
}

/* The process has moved all that it will. */
static bool stands_still(const struct shape *s)
{
	struct esp_acc_transfer t;

	return esp_acc_at(b.soc, 0, &t) && t.bytes && t.moved >= 8 * (s->gives < s->announced ? s->gives : s->announced);
}

static void end_shape(const struct shape *s)
{
	uint64_t until;

	if (s->end == WHOLE) {
		acc_finish(&b, 0);
		return;
	}
	if (s->end == SILENT || s->end == KILLED) {
		while (s->end == KILLED && !stands_still(s))
			esp_soc_try_advance(b.soc, esp_soc_next_event(b.soc));
		if (s->end == KILLED)
			kill(pid_of_first(), SIGKILL);
		wait_for_failure();
		fails(0, s->why);
		return;
	}
	/* long enough for all that can move */
	for (until = esp_soc_now(b.soc) + 20000; esp_soc_now(b.soc) < until && !(s->gives < s->announced && stands_still(s));)
		esp_soc_try_advance(b.soc, esp_soc_next_event(b.soc) < until ? esp_soc_next_event(b.soc) : until);
	esp_soc_reset_accelerator(b.soc, 0);
	settle(&b);
	ck_assert_msg(strstr(b.error, s->why) != NULL, "%s: %s", s->name, b.error);
}

LOOP_TEST(each_word_of_a_transfer_counts, 0, sizeof(shapes) / sizeof(*shapes))
{
	const struct shape *s = &shapes[_i];
	struct fft fft = fft_default(6);
	char text[96];
	uint32_t i, words;

	caches = s->with == COHERENT;
	open_silent(SHAPES);
	fft.acc = 3;
	fft.chunks[0] = buffer(7);
	if (s->with == CONSUMER || s->with == PRODUCER || s->with == LONELY)
		acc_write(&b, 0, ESP_ACC_P2P, s->store ? P2P_DST : P2P_SRC | 0 << 4 | 1 << 8);
	if (s->with == CONSUMER || s->with == PRODUCER) {
		acc_write(&b, 1, ESP_ACC_P2P, s->store ? P2P_SRC | 1 << 4 | 0 << 8 : P2P_DST);
		start_shape(1, !s->store, 64, 64, 0);
	}
	acc_write(&b, 0, ESP_ACC_COHERENCE, s->with == COHERENT ? ESP_COH_LLC : ESP_COH_NONE);
	if (s->beside) {
		fft_fill(&b, &fft);
		fft_start(&b, &fft);
	}
	start_shape(0, s->store, s->announced, s->gives, s->early);
	end_shape(s);
	if (s->beside) {
		while (!b.irqs[3])
			esp_soc_advance(b.soc, esp_soc_next_event(b.soc));
		ck_assert_double_le(fft_wrong(&b, &fft), 1.0);
	}
	if (s->end != WHOLE) {
		snprintf(text, sizeof(text), "tile 1: its %s%s of %u bytes at 0x0 had moved %u: ",
			 s->moved == s->announced ? "last " : "", s->store ? "write" : "read", 8 * s->announced, 8 * s->moved);
		ck_assert_msg(strstr(b.error, text) != NULL, "%s: %s, not %s", s->name, b.error, text);
	}
	if (s->with == CONSUMER) {
		/* it has a request of 2 flits and what was given, and waits for the rest */
		ck_assert_uint_eq(mon(&b, ACC, ESP_MON_NOC_INJECT(ESP_PL_DMA4)), 1 + s->gives);
		ck_assert_uint_eq(mon(&b, 3, ESP_MON_NOC_INJECT(ESP_PL_DMA6)), 3 + 2);
		esp_soc_reset_accelerator(b.soc, 1);
		snprintf(text, sizeof(text), "tile 3: its read of 512 bytes at 0x0 had moved %u: it waited for data", 8 * s->gives);
		ck_assert_msg(strstr(b.error, text) != NULL, "%s: %s, not %s", s->name, b.error, text);
	} else if (s->with == PRODUCER) {
		/* its 64 words have all gone */
		ck_assert_uint_eq(mon(&b, 3, ESP_MON_NOC_INJECT(ESP_PL_DMA4)), 1 + 64);
		ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_STATUS), ESP_ACC_STATUS_DONE);
	}
	if (s->with == COHERENT) {
		ck_assert_uint_eq(mon(&b, MEM, ESP_MON_COH_DMA_REQ), s->req);
		ck_assert_uint_eq(mon(&b, MEM, ESP_MON_COH_DMA_RSP), s->rsp);
		ck_assert_uint_eq(mon(&b, MEM, ESP_MON_LLC_MISS), s->words);
	} else {
		ck_assert_msg(mon(&b, MEM, ESP_MON_DMA_REQ) == s->req, "%s: %u flits to memory", s->name, mon(&b, MEM, ESP_MON_DMA_REQ));
		ck_assert_msg(mon(&b, MEM, ESP_MON_DMA_RSP) == s->rsp, "%s: %u flits of memory", s->name, mon(&b, MEM, ESP_MON_DMA_RSP));
		ck_assert_msg(mon(&b, MEM, ESP_MON_DDR) == s->words, "%s: %u words", s->name, mon(&b, MEM, ESP_MON_DDR));
	}
	/* the words given are in memory, and no others */
	words = s->store && s->with != CONSUMER && s->with != LONELY ? s->end == WHOLE ? 64 : s->moved : 0;
	for (i = 0; s->store && i < s->announced; i++)
		ck_assert_uint_eq(get32(&b, buffer(0) + 8 * i), i < words ? i : 3 * i);
	/* and the next run is a run as any other */
	b.irqs[0] = 0;
	acc_write(&b, 0, ESP_ACC_P2P, 0);
	start_shape(0, true, 32, 32, 0);
	acc_finish(&b, 0);
	for (i = 0; i < 32; i++)
		ck_assert_uint_eq(get32(&b, buffer(0) + 8 * i), i);
}

TEST(no_model_is_a_failed_run)
{
	ck_assert(esp_soc_knows(b.soc, 0));
	ck_assert(!esp_soc_knows(b.soc, 2));
	start(2, 8, 0);
	while (!b.irqs[2])
		esp_soc_advance(b.soc, esp_soc_next_event(b.soc));
	ck_assert_uint_eq(acc_read(&b, 2, ESP_ACC_STATUS), ESP_ACC_STATUS_DONE | ESP_ACC_STATUS_ERR);
	ck_assert_ptr_nonnull(strstr(b.error, "NOBODY_STRATUS"));
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
