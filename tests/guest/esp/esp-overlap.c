// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accelerators that one esp_run() starts run at the same time, at the default clock. With each
 * further one the DMA of all takes longer, requests wait in the queue of the memory's tile, and the
 * words of DRAM are the sum of those of single runs. How far apart the threads of a busy guest
 * start is random, so each case has some tries. If the SoC's clock ran while the model computes,
 * the runs would never overlap.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "soc_defs.h"
#include "fft_stratus.h"
#include "libesp.h"
#include "monitors.h"

#define NACC		3
#define LOG_LEN		3	/* 8 points of 8 bytes: half of the time is DMA */
#define BATCH_BYTES	(8u << LOG_LEN)
#define MAX_BATCHES	16384
#define TRIES		20
#define PLANE_REGISTERS	4	/* the driver's and the library's own accesses */

static const struct {
	const char *name;
	enum accelerator_coherence coherence;
	unsigned int batches;
} modes[] = {
	{ "none", ACC_COH_NONE, 16384 },
	{ "llc", ACC_COH_LLC, 4096 },
	{ "recall", ACC_COH_RECALL, 4096 },
	{ "full", ACC_COH_FULL, 4096 },
};

static struct fft_stratus_access access_desc[NACC];
static esp_thread_info_t cfg[NACC];
static char devname[NACC][32];
static unsigned int tests, failures;

static void is_true(bool good, const char *mode, const char *what)
{
	tests++;
	failures += !good;
	if (!good)
		printf("not ok: %s: %s\n", mode, what);
}

static void fail(const char *what)
{
	fprintf(stderr, "esp-overlap: %s: %s\n", what, mon_error());
	exit(1);
}

static void setup(unsigned int k)
{
	void *buf = esp_alloc(MAX_BATCHES * BATCH_BYTES);

	if (!buf)
		fail("buffer");
	memset(buf, 0, MAX_BATCHES * BATCH_BYTES);
	snprintf(devname[k], sizeof(devname[k]), "fft_stratus.%u", k);
	access_desc[k].log_len = LOG_LEN;
	cfg[k].run = true;
	cfg[k].devname = devname[k];
	cfg[k].hw_buf = buf;
	cfg[k].ioctl_req = FFT_STRATUS_IOC_ACCESS;
	cfg[k].esp_desc = &access_desc[k].esp;
}

static esp_monitor_vals_t read_all(void)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_ALL };
	esp_monitor_vals_t vals;

	if (esp_monitor(args, &vals))
		fail("esp_monitor");
	return vals;
}

struct sums {
	double mem;		/* mean of acc_mem */
	unsigned int links, words;
};

/* A non-coherent run flushes all caches: dirty lines go to DRAM. */
static void flush(void)
{
	access_desc[0].batch_size = 1;
	access_desc[0].esp.coherence = ACC_COH_NONE;
	if (esp_run(&cfg[0], 1))
		fail("flush");
}

/* Accelerators first to first + n - 1, started together on empty caches, and the flush after it. */
static struct sums run(unsigned int first, unsigned int n, unsigned int mode)
{
	esp_monitor_vals_t start, end, diff;
	struct sums s = { 0 };
	unsigned int k, t, p, q;

	flush();
	for (k = first; k < first + n; k++) {
		access_desc[k].batch_size = modes[mode].batches;
		access_desc[k].esp.coherence = modes[mode].coherence;
	}
	start = read_all();
	if (esp_run(&cfg[first], n))
		fail("run");
	end = read_all();
	diff = esp_monitor_diff(start, end);
	for (k = first; k < first + n; k++)
		s.mem += (double)diff.acc_stats[k].acc_mem_lo / n;
	for (t = 0; t < SOC_NTILES; t++) {
		for (p = 0; p < NOC_PLANES; p++) {
			for (q = 0; p != PLANE_REGISTERS && q < NOC_QUEUES - 1; q++)
				s.links += diff.noc_queue_full[t][p][q];
		}
	}
	flush();
	s.words = esp_monitor_diff(start, read_all()).ddr_accesses[0];
	return s;
}

/* The same, repeated until the runs overlap: the DMA of each took longer than mem. */
static struct sums meet(unsigned int n, unsigned int mode, double mem)
{
	struct sums s;
	unsigned int i;

	for (i = 0; i < TRIES; i++) {
		s = run(0, n, mode);
		if (s.mem > mem * 1.02)
			break;
	}
	return s;
}

static void together(unsigned int mode)
{
	struct sums one[NACC], two, three, nothing;
	unsigned int k, links = 0, words = 0;
	double mem = 0;

	/* The words of the flush itself, in each of the sums. */
	flush();
	nothing.words = read_all().ddr_accesses[0];
	flush();
	nothing.words = read_all().ddr_accesses[0] - nothing.words;
	for (k = 0; k < NACC; k++) {
		one[k] = run(k, 1, mode);
		links += one[k].links;
		words += one[k].words - nothing.words;
		mem += one[k].mem / NACC;
	}
	two = meet(2, mode, (one[0].mem + one[1].mem) / 2);
	three = meet(NACC, mode, two.mem > mem ? two.mem : mem);
	printf("%s: acc_mem %.0f alone, %.0f of two, %.0f of three; links %u, then %u; words %u\n",
	       modes[mode].name, mem, two.mem, three.mem, links, three.links, words);
	is_true(two.mem > (one[0].mem + one[1].mem) / 2 * 1.02, modes[mode].name,
		"DMA of two takes longer than of one");
	is_true(three.mem > two.mem * 1.02, modes[mode].name, "DMA of three takes longer still");
	/*
	 * A batch loads 8 words, which 3 flits ask for, and stores 8 in 10 flits. Those of the two
	 * others fit into the 26 flits of the memory tile's queue: only packets that share a link
	 * stall.
	 */
	is_true(three.links >= links && three.links - links < links / 1000, modes[mode].name,
		"what waits fits into the memory tile's queue");
	is_true(two.words == one[0].words + one[1].words - nothing.words, modes[mode].name,
		"the words of two");
	is_true(three.words == words + nothing.words, modes[mode].name, "the words of three");
}

int main(void)
{
	unsigned int k, mode;

	for (k = 0; k < NACC; k++)
		setup(k);
	for (mode = 0; mode < sizeof(modes) / sizeof(*modes); mode++)
		together(mode);
	esp_monitor_free();
	for (k = 0; k < NACC; k++)
		esp_free(cfg[k].hw_buf);
	printf("%u%%: Checks: %u, Failures: %u, Errors: 0\n",
	       100 * (tests - failures) / tests, tests, failures);
	return failures != 0;
}
