// SPDX-License-Identifier: GPL-2.0-only
/* libmon/esp/print.c, report.c: the output of libmon-esp */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/main.h"
#include "tests/unit/libmon/fake.h"
#include "libmon/esp/report.h"

#define LINUX 1
#include "examples/esp/soc_defs.h"
#include "libmon/esp/include/libesp.h"
#include "libmon/esp/include/monitors.h"

static void setup(void)
{
	fake_init();
	fake_espmon();
}

static char *print(esp_monitor_args_t args, esp_monitor_vals_t vals)
{
	size_t size;
	char *text;
	FILE *file = open_memstream(&text, &size);

	esp_monitor_print(args, vals, file);
	fclose(file);
	return text;
}

static unsigned int lines(const char *text)
{
	unsigned int n = 0;

	while ((text = strchr(text, '\n'))) {
		text++;
		n++;
	}
	return n;
}

SUITE("print", .setup = setup, .teardown = fake_exit);

/* The lines of ESP's libmonitors.c, with the values of this test; the SoC is 3x2, see fake.h. */
TEST(prints_the_lines_of_esps_library)
{
	static const char expected[] =
		"\n***************************************************\n"
		"******************ESP MONITOR STATS****************\n"
		"***************************************************\n"
		"\n********************MEMORY STATS*******************\n"
		"Off-chip memory accesses at mem tile 0: 130\n"
		"Coherence requests to LLC 0: 1\n"
		"Coherence forwards from LLC 0: 2\n"
		"Coherence responses received by LLC 0: 3\n"
		"Coherence responses sent by LLC 0: 4\n"
		"DMA requests to mem tile 0: 5\n"
		"DMA responses from mem tile 0: 6\n"
		"Coherent DMA requests to LLC 0: 7\n"
		"Coherent DMA responses from LLC 0: 8\n"
		"\n********************CACHE STATS********************\n"
		"L2 hits for CPU 0: 21\n"
		"L2 misses for CPU 0: 22\n"
		"L2 hits for acc 0: 11\n"
		"L2 misses for acc 0: 12\n"
		"Hits at LLC 0: 64\n"
		"Misses at LLC 0: 65\n"
		"\n****************ACCELERATOR STATS******************\n"
		"Accelerator 1 TLB-loading cycles: 9\n"
		"Accelerator 1 mem cycles: 10\n"
		"Accelerator 1 total cycles: 4294967301\n"
		"Accelerator 1 invocations: 1\n"
		"\n*********************DVFS STATS********************\n"
		"DVFS Cycles for tile 3 at operating point 0: 0\n"
		"DVFS Cycles for tile 3 at operating point 1: 0\n"
		"DVFS Cycles for tile 3 at operating point 2: 0\n"
		"DVFS Cycles for tile 3 at operating point 3: 4000000000\n"
		"\n*********************NOC STATS*********************\n"
		"NoC packets injected at tile 3 on plane 0: 0\n"
		"NoC packets injected at tile 3 on plane 1: 0\n"
		"NoC packets injected at tile 3 on plane 2: 0\n"
		"NoC packets injected at tile 3 on plane 3: 136\n"
		"NoC packets injected at tile 3 on plane 4: 0\n"
		"NoC packets injected at tile 3 on plane 5: 0\n";
	static const char queue[] =
		"NoC backpressure cycles at tile 5 on plane 3 for queue 4: 77\n";
	esp_monitor_args_t args = {
		.read_mode = ESP_MON_READ_MANY, .read_mask = 0x7f, .tile_index = 3, .acc_index = 1,
	};
	esp_monitor_vals_t vals;
	unsigned int *reqs = &vals.mem_reqs[0].coh_reqs, i;
	char *text;

	memset(&vals, 0, sizeof(vals));
	vals.ddr_accesses[0] = 130;
	for (i = 0; i < 8; i++)
		reqs[i] = i + 1;
	vals.l2_stats[1] = (esp_cache_stats_t){ 21, 22 };	/* the processor is tile 1 */
	vals.l2_stats[0] = (esp_cache_stats_t){ 11, 12 };	/* accelerator 0 has an L2 */
	vals.llc_stats[0] = (esp_cache_stats_t){ 64, 65 };
	vals.acc_stats[1] = (esp_acc_stats_t){ 9, 10, 0, 5, 1, 1 };
	vals.dvfs_op[3][3] = 4000000000u;
	vals.noc_injects[3][3] = 136;
	vals.noc_queue_full[5][3][4] = 77;
	text = print(args, vals);
	ck_assert_str_eq(text, expected);
	free(text);
	/* plane 3 in all tiles follows: 6 tiles of 5 queues */
	args.read_mask |= 1 << ESP_MON_READ_NOC_QUEUE_FULL_PLANE;
	args.noc_index = 3;
	text = print(args, vals);
	ck_assert_uint_eq(lines(text), lines(expected) + 6 * 5);
	ck_assert_str_eq(strstr(text, queue), queue);
	free(text);
	/* of the two sets ESP's library prints only that of the tile: 30 queues */
	args.read_mask |= 1 << ESP_MON_READ_NOC_QUEUE_FULL_TILE;
	text = print(args, vals);
	ck_assert_uint_eq(lines(text), lines(expected) + 6 * 5);
	ck_assert_ptr_null(strstr(text, "at tile 5"));
	free(text);
	/* all: 3 and 5 titles with an empty line each, 9 of memory, 6 of caches, 4 of each accelerator */
	args.read_mode = ESP_MON_READ_ALL;
	text = print(args, vals);
	ck_assert_uint_eq(lines(text), 4 + 2 * 5 + 9 + 6 + 3 * 4 + 6 * (4 + 6 + 30));
	free(text);
}

TEST(values_above_2_to_the_31_are_not_negative)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_ALL };
	esp_monitor_vals_t vals;
	char *text;

	memset(&vals, 0, sizeof(vals));
	vals.ddr_accesses[0] = 4000000000u;
	vals.acc_stats[1].acc_tot_lo = 5;
	vals.acc_stats[1].acc_tot_hi = 1;
	vals.llc_stats[0].misses = 77;
	text = print(args, vals);
	ck_assert_ptr_nonnull(strstr(text, "Off-chip memory accesses at mem tile 0: 4000000000\n"));
	ck_assert_ptr_nonnull(strstr(text, "Accelerator 1 total cycles: 4294967301\n"));
	ck_assert_ptr_nonnull(strstr(text, "Misses at LLC 0: 77\n"));
	free(text);
}

/* Standard error of a function. */
static char *errors_of(void (*function)(void))
{
	static char text[4096];
	int saved = dup(STDERR_FILENO);
	FILE *file = tmpfile();
	size_t n;

	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	function();
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	n = fread(text, 1, sizeof(text) - 1, file);
	text[n] = '\0';
	fclose(file);
	return text;
}

static void fail_in_many_ways(void)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_SINGLE, .tile_index = 6 };
	unsigned int i;

	for (i = 0; i < 3; i++) {
		esp_monitor(args, NULL);
		ck_assert_int_eq(errno, EINVAL);
		esp_alloc(1);
		ck_assert_int_eq(errno, ENOENT);
	}
	esp_free(&args);
	esp_monitor_free();
}

TEST(an_ignored_error_is_printed_once)
{
	char *text;

	unsetenv("LIBMON_QUIET");
	text = errors_of(fail_in_many_ways);
	ck_assert_uint_eq(lines(text), 3);
	ck_assert_ptr_nonnull(strstr(text,
				     "libmon-esp: esp_monitor: tile_index 6: the SoC has 6 tiles\n"));
	ck_assert_ptr_nonnull(strstr(text, "not found: load the module esp_accel (and espmon)\n"));
	ck_assert_ptr_nonnull(strstr(text, "is not a buffer of esp_alloc\n"));
}

TEST(quiet_prints_nothing)
{
	setenv("LIBMON_QUIET", "1", 1);
	ck_assert_str_eq(errors_of(fail_in_many_ways), "");
}

/*
 * A value of SINGLE can be -1, so a program sets errno to 0 before the call and checks it
 * afterwards.
 */
TEST(success_leaves_errno_alone)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_SINGLE, .tile_index = 2 };

	errno = 0;
	ck_assert_uint_eq(esp_monitor(args, NULL), 0);
	ck_assert_int_eq(errno, 0);
	esp_monitor_free();
}

/* The second SoC is 1x4, which soc_defs.h does not describe. */
TEST(the_environment_names_the_soc)
{
	esp_monitor_args_t args = { .read_mode = ESP_MON_READ_SINGLE };

	fake_second_espmon();
	setenv("LIBMON_QUIET", "1", 1);
	setenv("LIBMON_ESP_PMU", "espmon_1", 1);
	ck_assert_uint_eq(esp_monitor(args, NULL), UINT32_MAX);
	ck_assert_msg(strstr(mon_error(), "running has 1 x 4 (1 cpu, 1 mem, 1 acc)") != NULL, "%s",
		      mon_error());
	esp_monitor_free();
}
