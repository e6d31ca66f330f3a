/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cost of accelerators in processes of their own: the time of one alone, that of the model with
 * the same transfers alone, that of both together, and that of two accelerators at once.
 *
 * The number of cores is what two at once would use: the time for which both processes ran or
 * waited for a processor, divided by the time that passed. A busy host changes it little.
 *
 * An accelerator alone: this program replaces the model, answers each request a fixed number of
 * cycles later and records the requests. The model alone: an accelerator that does not compute
 * repeats them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "esp/internal.h"
#include "esp/mon_esp_acc.h"
#include "esp/remote.h"
#include "tests/bench/esp/esp-soc.h"

#define TIMES		5		/* number of runs; the best one counts */
#define LATENCY		40		/* cycles from a request to its first word */
#define SILENCE_MS	60000
#define BEAT		8

static const struct job {
	const char *name, *file;
	struct {
		uint32_t offset, value;
	} regs[3];
} jobs[] = {
	/* 500 transforms of 256 points */
	{ "fourier, C", "tests/unit/esp/fourier_c.acc", { { 0x40, 500 }, { 0x44, 8 } } },
	{ "fourier, SystemC", "tests/unit/esp/fourier_sc.acc", { { 0x40, 500 }, { 0x44, 8 } } },
	{ "fourier, Verilog", "tests/unit/esp/fourier_v.acc", { { 0x40, 500 }, { 0x44, 8 } } },
	/* 64 Ki words, in bursts of 512 */
	{ "vadd, SystemC", "tests/unit/esp/vadd_sc.acc", { { 0x40, 65536 }, { 0x48, 7 }, { 0x4c, 65536 } } },
	/* five cycles an addition: it computes most of its time */
	{ "vadd, latencies", "tests/unit/esp/vadd_late.acc", { { 0x40, 65536 }, { 0x48, 7 }, { 0x4c, 65536 } } },
	/* a hundred cycles an addition: two of them rarely wait for each other */
	{ "vadd, slow", "tests/bench/vadd_slow.acc", { { 0x40, 4096 }, { 0x48, 7 }, { 0x4c, 4096 } } },
	{ "vadd, Verilog", "tests/unit/esp/vadd_v.acc", { { 0x40, 65536 }, { 0x48, 7 }, { 0x4c, 65536 } } },
};
#define NREGS	3

/* A request of an accelerator, and the cycles before it. */
struct step {
	enum mon_esp_acc_what what;
	uint32_t index, beats;
	uint64_t compute;
};

static struct step *steps;
static unsigned int nsteps, room_for, most_beats;
static unsigned int irqs;

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void fail(const char *file, const char *why)
{
	fprintf(stderr, "esp-acc-bench: %s: %s\n", file, why);
	exit(1);
}

/* ---- an accelerator alone ---- */

static struct {
	struct mon_esp_link head;
	uint8_t data[MON_ESP_LINK_BYTES];
} message;

static void say(int fd, enum mon_esp_link_kind kind, uint64_t cycle, uint32_t bytes)
{
	message.head = (struct mon_esp_link){ .kind = kind, .run = 1, .cycle = cycle, .bytes = bytes };
	if (send(fd, &message, sizeof(message.head) + bytes, MSG_NOSIGNAL) < 0)
		fail("an accelerator", strerror(errno));
}

/* The next message except reports of progress. */
static enum mon_esp_link_kind hear(int fd, const char *file)
{
	do {
		if (recv(fd, &message, sizeof(message), 0) <= 0)
			fail(file, "ended");
	} while (message.head.kind == MON_ESP_LINK_PROGRESS);
	return message.head.kind;
}

static void note(enum mon_esp_acc_what what, uint64_t compute)
{
	if (nsteps == room_for) {
		room_for = 2 * room_for + 64;
		steps = realloc(steps, room_for * sizeof(*steps));
		if (!steps)
			abort();
	}
	if (message.head.length > most_beats)
		most_beats = message.head.length;
	steps[nsteps++] = (struct step){ what, message.head.index, message.head.length, compute };
}

/* Answers a read; the cycle after its last word. */
static uint64_t answer_read(int fd, const char *file)
{
	uint64_t from = message.head.cycle + LATENCY;
	uint32_t beats = message.head.length, left = beats * BEAT, part;

	for (;; left -= part) {
		part = left < MON_ESP_LINK_BYTES ? left : MON_ESP_LINK_BYTES;
		say(fd, MON_ESP_LINK_DATA, from, part);
		if (part == left)
			return from + beats;
		if (hear(fd, file) != MON_ESP_LINK_MORE)
			fail(file, "does not take what it asked for");
	}
}

/* Likewise a write. */
static uint64_t answer_write(int fd, const char *file)
{
	uint64_t from = message.head.cycle + LATENCY;
	uint32_t beats = message.head.length, got = 0, last = nsteps - 1;

	say(fd, MON_ESP_LINK_ROOM, from, 0);
	while (got < beats * BEAT) {
		if (hear(fd, file) != MON_ESP_LINK_WORDS)
			fail(file, "does not say what it asked to write");
		got += message.head.bytes;
	}
	/* the repetition gives them without a gap, after the cycles of all gaps */
	if (message.head.cycle > from + beats)
		steps[last].compute += message.head.cycle - from - beats;
	from = message.head.cycle + 1;
	say(fd, MON_ESP_LINK_TAKEN, from, 0);
	return from;
}

/* Cycles of the run; *best: seconds. */
static uint64_t alone(const struct job *job, double *best)
{
	struct mon_esp_link_run run = { 0 };
	struct esp_process process;
	uint64_t last = 0, cycles;
	char why[256];
	double start;
	unsigned int i;

	if (!esp_process_start(&process, job->file, false, why, sizeof(why)))
		fail(job->file, why);
	if (hear(process.fd, job->file) != MON_ESP_LINK_HELLO)
		fail(job->file, "is no accelerator");
	for (i = 0; i < NREGS && job->regs[i].offset; i++)
		run.regs[(job->regs[i].offset - 0x40) / 4] = job->regs[i].value;
	nsteps = most_beats = 0;
	start = seconds();
	memcpy(message.data, &run, sizeof(run));
	say(process.fd, MON_ESP_LINK_START, 0, sizeof(run));
	for (;;) {
		enum mon_esp_link_kind kind = hear(process.fd, job->file);
		uint64_t compute = message.head.cycle - last;

		if (kind == MON_ESP_LINK_DONE) {
			note(MON_ESP_ACC_DONE, compute);
			break;
		}
		if (kind != MON_ESP_LINK_READ && kind != MON_ESP_LINK_WRITE)
			fail(job->file, "cannot go on");
		note(kind == MON_ESP_LINK_READ ? MON_ESP_ACC_READ : MON_ESP_ACC_WRITE, compute);
		last = kind == MON_ESP_LINK_READ ? answer_read(process.fd, job->file) :
		       answer_write(process.fd, job->file);
	}
	cycles = message.head.cycle;
	start = seconds() - start;
	if (start < *best)
		*best = start;
	esp_process_end(&process, NULL, 0);
	return cycles;
}

/* ---- the same transfers without it ---- */

static unsigned int at;

static void repeat_start(struct mon_esp_acc *acc)
{
	(void)acc;
	at = 0;
}

static void repeat_next(struct mon_esp_acc *acc)
{
	const struct step *s = &steps[at++];

	acc->request.what = s->what;
	acc->request.data = acc->state;
	acc->request.offset = s->index * BEAT;
	acc->request.bytes = s->beats * BEAT;
	mon_esp_acc_compute(acc, s->compute);
}

/* ---- in a SoC ---- */

static void irq(void *opaque, unsigned int acc)
{
	(void)opaque;
	(void)acc;
	irqs++;
}

/* Seconds that the processes have run or waited for a processor. */
static double runnable(const struct esp_soc *soc, unsigned int accs)
{
	double sum = 0, ran, waited;
	unsigned int acc;
	char path[64];
	FILE *f;

	for (acc = 0; acc < accs && soc->remote[acc]; acc++) {
		snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)esp_remote_pid(soc->remote[acc]));
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fscanf(f, "%lf %lf", &ran, &waited) == 2)
			sum += (ran + waited) * 1e-9;
		fclose(f);
	}
	return sum;
}

static double run(struct esp_soc *soc, const struct job *job, unsigned int accs, double *cores)
{
	double start = seconds(), before = runnable(soc, accs);
	unsigned int acc, i;

	irqs = 0;
	for (acc = 0; acc < accs; acc++) {
		bench_soc_prepare(soc, acc, ESP_COH_NONE);
		for (i = 0; i < NREGS && job->regs[i].offset; i++)
			bench_soc_write(soc, acc, job->regs[i].offset, job->regs[i].value);
		bench_soc_write(soc, acc, ESP_ACC_CMD, 1);
	}
	while (irqs < accs)
		esp_soc_advance(soc, esp_soc_next_event(soc));
	start = seconds() - start;
	*cores = (runnable(soc, accs) - before) / start;
	for (acc = 0; acc < accs; acc++)
		bench_soc_write(soc, acc, ESP_ACC_CMD, 0);
	esp_soc_advance(soc, esp_soc_now(soc) + 1000);
	return start;
}

/* The best of some runs in one SoC; the first one starts the processes. *cores: of the best run. */
static double best_run(const struct job *job, const struct mon_esp_acc_type *type, unsigned int accs, double *cores)
{
	static const char text[] =
		"CPU_ARCH = ariane\nCONFIG_NOC_ROWS = 2\nCONFIG_NOC_COLS = 3\nCONFIG_COH_NOC_WIDTH = 64\n"
		"CONFIG_DMA_NOC_WIDTH = 64\nCONFIG_HAS_SG = y\nTILE_0_0 = 0 cpu cpu\nTILE_0_1 = 1 mem mem\n"
		"TILE_0_2 = 2 misc IO\nTILE_1_0 = 3 acc BENCH p 0 0 sld\nTILE_1_1 = 4 acc BENCH p 0 0 sld\n"
		"TILE_1_2 = 5 empty empty\n";
	const struct mon_esp_acc_type *types[] = { type, NULL };
	static struct esp_design design;
	struct esp_soc *soc;
	double best = 1e9;
	char err[256];
	unsigned int i;

	if (esp_design_parse(text, strlen(text), "design", &design, err, sizeof(err)))
		fail("its design", err);
	soc = bench_soc_new("esp-acc-bench", &design, types, irq);
	for (i = 0; i < TIMES + 1; i++) {
		double used, time = run(soc, job, accs, &used);

		if (!i || time >= best)
			continue;
		best = time;
		*cores = used;
	}
	esp_soc_free(soc);
	return best;
}

static void measure(const struct job *job)
{
	struct esp_acc_row row = { .name = "BENCH", .device = 0x7ff, .chunks = 4 };
	struct mon_esp_acc_type model = { .row = &row, .start = repeat_start, .next = repeat_next }, *type;
	double acc = 1e9, soc, together, two, cores;
	uint64_t cycles = 0;
	char err[256];
	unsigned int i;

	for (i = 0; i < TIMES; i++)
		cycles = alone(job, &acc);
	model.state_size = (size_t)most_beats * BEAT;
	soc = best_run(job, &model, 1, &cores);
	type = esp_remote_type("BENCH", job->file, false, SILENCE_MS, err, sizeof(err));
	if (!type)
		fail(job->file, err);
	together = best_run(job, type, 1, &cores);
	two = best_run(job, type, 2, &cores);
	esp_remote_type_free(type);
	printf("%-18s %8.0f %8.2f %8.0f %8.0f %8.0f %8.2f %8.0f %8.2f\n", job->name, cycles / 1e3,
	       cycles / acc / 1e6, acc * 1e3, soc * 1e3, together * 1e3, together / (acc + soc), two * 1e3,
	       cores);
}

int main(void)
{
	unsigned int i;

	printf("%-18s %8s %8s %8s %8s %8s %8s %8s %8s\n%-18s %8s %8s %8s %8s %8s %8s %8s %8s\n", "", "", "", "alone",
	       "model", "together", "", "two", "", "accelerator", "kcycles", "Mcycle/s", "ms", "ms", "ms", "ratio",
	       "ms", "cores");
	for (i = 0; i < sizeof(jobs) / sizeof(*jobs); i++)
		measure(&jobs[i]);
	free(steps);
	return 0;
}
