// SPDX-License-Identifier: GPL-2.0-only
/*
 * multifft_mon: the three examples of the guide to the ESP Monitors API, on a SoC with three FFT
 * accelerators: one monitor, all monitors, some monitors. Then all three accelerators at a time, with
 * what they do to each other, and two of them in a chain without memory in between (p2p).
 *
 * usage: multifft_mon [DIRECTORY]
 *
 * Writes multifft_esp_mon_all.txt and multifft_esp_mon_many.txt to DIRECTORY, or where it is run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "soc_defs.h"
#include "fft.h"
#include "fft_stratus.h"
#include "libesp.h"
#include "monitors.h"

#define LOG_LEN	7
#define POINTS	(1u << LOG_LEN)
#define BYTES	(2 * POINTS * sizeof(int32_t))
#define NACC	3

/* For runs that meet: many short transforms, half of whose time is DMA. */
#define CROWD_LOG_LEN	3
#define CROWD_BATCHES	16384
#define CROWD_BYTES	(CROWD_BATCHES * (2u << CROWD_LOG_LEN) * sizeof(int32_t))

static int32_t input[2 * POINTS];
static int32_t *buf[NACC];
static struct fft_stratus_access access_desc[NACC];
static esp_thread_info_t cfg[NACC];
static char devname[NACC][32];
static int failures;

static void fail(const char *what)
{
	fprintf(stderr, "multifft_mon: %s: %s\n", what, mon_error());
	exit(1);
}

static void setup(unsigned int k)
{
	buf[k] = esp_alloc(CROWD_BYTES > 2 * BYTES ? CROWD_BYTES : 2 * BYTES);
	if (!buf[k])
		fail("buffer");
	snprintf(devname[k], sizeof(devname[k]), "fft_stratus.%u", k);
	access_desc[k].batch_size = 1;
	access_desc[k].log_len = LOG_LEN;
	access_desc[k].do_bitrev = 1;
	cfg[k].run = true;
	cfg[k].devname = devname[k];
	cfg[k].hw_buf = buf[k];
	cfg[k].ioctl_req = FFT_STRATUS_IOC_ACCESS;
	cfg[k].esp_desc = &access_desc[k].esp;
}

static void run(unsigned int first, unsigned int n, enum accelerator_coherence coherence)
{
	unsigned int k;

	for (k = first; k < first + n; k++) {
		memcpy(buf[k], input, BYTES);
		access_desc[k].esp.coherence = coherence;
	}
	if (esp_run(&cfg[first], n))
		fail("run");
}

static void check(unsigned int k)
{
	unsigned int errors = fft_errors(input, buf[k], LOG_LEN, true);

	printf("  %s: %llu ns, %u of %u outputs are off\n", devname[k], cfg[k].hw_ns, errors,
	       2 * POINTS);
	failures += errors * 100 > 2 * POINTS;
}

static FILE *open_file(const char *dir, const char *name)
{
	char path[4096];
	FILE *fp;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fp = fopen(path, "w");
	if (!fp) {
		perror(path);
		exit(1);
	}
	printf("  %s\n", path);
	return fp;
}

/* Memory tile 0 of this SoC; the guide's own example looks in tile 0, which is an accelerator. */
static unsigned int mem_tile_index(void)
{
#include "soc_locs.h"

	(void)cpu_locs;
	(void)acc_locs;
	(void)acc_has_l2;
	return mem_locs[0].row * SOC_COLS + mem_locs[0].col;
}

static void example_single(void)
{
	esp_monitor_args_t args = {
		.read_mode = ESP_MON_READ_SINGLE,
		.tile_index = mem_tile_index(),
		.mon_index = MON_DDR_WORD_TRANSFER_INDEX,
	};
	unsigned int start, end;

	printf("one monitor, non-coherent:\n");
	start = esp_monitor(args, NULL);
	run(0, 1, ACC_COH_NONE);
	end = esp_monitor(args, NULL);
	check(0);
	printf("  off-chip memory words: %u\n", sub_monitor_vals(start, end));
}

static void example_all(const char *dir)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_ALL };
	esp_monitor_vals_t start, end, diff;
	FILE *fp;

	printf("all monitors, LLC-coherent:\n");
	if (esp_monitor(args, &start))
		fail("esp_monitor");
	run(0, 1, ACC_COH_LLC);
	esp_monitor(args, &end);
	check(0);
	diff = esp_monitor_diff(start, end);
	fp = open_file(dir, "multifft_esp_mon_all.txt");
	esp_monitor_print(args, diff, fp);
	fclose(fp);
}

static void example_many(const char *dir)
{
	esp_monitor_vals_t *start = esp_monitor_vals_alloc(), *end = esp_monitor_vals_alloc();
	esp_monitor_args_t args = {
		.read_mode = ESP_MON_READ_MANY,
		.read_mask = 1 << ESP_MON_READ_DDR_ACCESSES | 1 << ESP_MON_READ_L2_STATS |
			     1 << ESP_MON_READ_LLC_STATS | 1 << ESP_MON_READ_ACC_STATS |
			     1 << ESP_MON_READ_NOC_INJECTS |
			     1 << ESP_MON_READ_NOC_QUEUE_FULL_PLANE,
			.acc_index = 0,
			.tile_index = 0,
			.noc_index = 0,
	};
	FILE *fp;

	printf("some monitors, fully coherent:\n");
	if (!start || !end || esp_monitor(args, start))
		fail("esp_monitor");
	run(0, 1, ACC_COH_FULL);
	esp_monitor(args, end);
	check(0);
	fp = open_file(dir, "multifft_esp_mon_many.txt");
	esp_monitor_print(args, esp_monitor_diff(*start, *end), fp);
	fclose(fp);
}

static void three_at_a_time(void)
{
	unsigned int k;

	printf("three at a time, one coherence mode each:\n");
	for (k = 0; k < NACC; k++)
		memcpy(buf[k], input, BYTES);
	access_desc[0].esp.coherence = ACC_COH_FULL;
	access_desc[1].esp.coherence = ACC_COH_NONE;
	access_desc[2].esp.coherence = ACC_COH_RECALL;
	if (esp_run(cfg, NACC))
		fail("run");
	for (k = 0; k < NACC; k++)
		check(k);
}

/* What first to first + n - 1 count when they are started together. */
static esp_monitor_vals_t crowd(unsigned int first, unsigned int n)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_ALL };
	esp_monitor_vals_t start, end;

	if (esp_monitor(args, &start))
		fail("esp_monitor");
	if (esp_run(&cfg[first], n))
		fail("run");
	esp_monitor(args, &end);
	return esp_monitor_diff(start, end);
}

static void interference(void)
{
	esp_monitor_vals_t alone[NACC], together;
	unsigned int k, words = 0, tile = mem_tile_index();

	printf("%u FFTs of %u points, non-coherent, alone and three at a time:\n", CROWD_BATCHES,
	       1 << CROWD_LOG_LEN);
	for (k = 0; k < NACC; k++) {
		memset(buf[k], 0, CROWD_BYTES);
		access_desc[k].batch_size = CROWD_BATCHES;
		access_desc[k].log_len = CROWD_LOG_LEN;
		access_desc[k].esp.coherence = ACC_COH_NONE;
	}
	for (k = 0; k < NACC; k++)
		alone[k] = crowd(k, 1);
	together = crowd(0, NACC);
	for (k = 0; k < NACC; k++) {
		words += alone[k].ddr_accesses[0];
		printf("  %s: DMA takes %u cycles alone, %u together\n", devname[k],
		       alone[k].acc_stats[k].acc_mem_lo, together.acc_stats[k].acc_mem_lo);
		access_desc[k].batch_size = 1;
		access_desc[k].log_len = LOG_LEN;
	}
	printf("  off-chip memory words: %u one by one, %u together (tile %u)\n", words,
	       together.ddr_accesses[0], tile);
}

/* FFT 1 hands its output to FFT 2: the transform of a transform. */
static void point_to_point(void)
{
	int32_t between[2 * POINTS];
	unsigned int errors;

	printf("point to point:\n");
	run(1, 1, ACC_COH_NONE);
	memcpy(between, buf[1], BYTES);

	access_desc[1].esp.p2p_store = 1;
	access_desc[2].esp.p2p_nsrcs = 1;
	strcpy(access_desc[2].esp.p2p_srcs[0], devname[1]);
	run(1, 2, ACC_COH_NONE);
	errors = fft_errors(between, buf[2], LOG_LEN, true);
	printf("  %s -> %s: %u of %u outputs are off\n", devname[1], devname[2], errors,
	       2 * POINTS);
	failures += errors * 100 > 2 * POINTS;

	/*
	 * The first transfer with memory after one with another accelerator takes the address of the last one with memory.
	 * Here that is the same; the next program would get another one's data.
	 */
	access_desc[1].esp.p2p_store = 0;
	access_desc[2].esp.p2p_nsrcs = 0;
	run(1, 2, ACC_COH_NONE);
	for (unsigned int k = 1; k <= 2; k++)
		failures += fft_errors(input, buf[k], LOG_LEN, true) * 100 > 2 * POINTS;
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : ".";
	unsigned int k;

	fft_input(input, POINTS);
	for (k = 0; k < NACC; k++)
		setup(k);
	example_single();
	example_all(dir);
	example_many(dir);
	three_at_a_time();
	interference();
	point_to_point();
	esp_monitor_free();
	for (k = 0; k < NACC; k++)
		esp_free(buf[k]);
	printf("%s\n", failures ? "FAILED" : "passed");
	return failures != 0;
}
