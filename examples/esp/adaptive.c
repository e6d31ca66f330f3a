// SPDX-License-Identifier: GPL-2.0-only
/*
 * adaptive: picks the coherence mode of an accelerator from what the monitors say, which is the use
 * that the ESP Monitors API was made for (Zuckerman et al., MICRO 2021).
 *
 * usage: adaptive [ROUNDS]
 *
 * For each size of FFT the program tries every mode once. It keeps the one that cost the fewest words of DRAM, and among
 * equals, or where no monitor counts all words (release 2026.1.0), the one with the fewest accelerator cycles. Later rounds
 * run in that mode and measure on: if it costs 10 % more than when it was chosen, all modes are tried again.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "soc_defs.h"
#include "fft.h"
#include "fft_stratus.h"
#include "libesp.h"
#include "monitors.h"

#include "events/esp/accelerators.h"

static const char *const mode_name[] = { "none", "llc", "recall", "full" };

#define NMODES		4
#define UNDECIDED	NMODES

static const unsigned int log_lens[] = { 5, 8, ESP_FFT_LOG_LEN_MOST };

#define NSIZES (sizeof(log_lens) / sizeof(log_lens[0]))

struct cost {
	unsigned int words;		/* of DRAM */
	unsigned long long cycles;	/* of the accelerator, memory and computation */
};

struct choice {
	unsigned int mode, tried;
	struct cost cost[NMODES];
};

static void fail(const char *what)
{
	fprintf(stderr, "adaptive: %s: %s\n", what, mon_error());
	exit(1);
}

static struct cost cost_between(const esp_monitor_vals_t *start, const esp_monitor_vals_t *end)
{
	esp_monitor_vals_t diff = esp_monitor_diff(*start, *end);
	struct cost cost = { 0 };
	unsigned int m;

	for (m = 0; m < SOC_NMEM; m++)
		cost.words += diff.ddr_accesses[m];
	cost.cycles = (unsigned long long)diff.acc_stats[0].acc_tot_hi << 32 |
		      diff.acc_stats[0].acc_tot_lo;
	return cost;
}

static struct cost run(int32_t *buf, const int32_t *input, unsigned int log_len, unsigned int mode)
{
	esp_monitor_args_t args = {
		.read_mode = ESP_MON_READ_MANY,
		.read_mask = 1 << ESP_MON_READ_DDR_ACCESSES | 1 << ESP_MON_READ_ACC_STATS,
	};
	struct fft_stratus_access access = {
		.esp = { .coherence = (enum accelerator_coherence)mode },
		.batch_size = 1, .log_len = log_len, .do_bitrev = 1,
	};
	esp_thread_info_t cfg = {
		.run = true, .devname = (char *)"fft_stratus.0", .hw_buf = buf,
		.ioctl_req = FFT_STRATUS_IOC_ACCESS, .esp_desc = &access.esp,
	};
	esp_monitor_vals_t start, end;
	unsigned int failed;

	memcpy(buf, input, (2 * sizeof(*input)) << log_len);
	failed = esp_monitor(args, &start);
	if (failed && errno == EOPNOTSUPP) {
		/* release 2026.1.0 counts written words alone: cycles decide */
		args.read_mask &= ~(1 << ESP_MON_READ_DDR_ACCESSES);
		failed = esp_monitor(args, &start);
	}
	if (failed)
		fail("esp_monitor");
	if (esp_run(&cfg, 1))
		fail("run");
	if (esp_monitor(args, &end))
		fail("esp_monitor");
	if (fft_errors(input, buf, log_len, true) * 100 > 2u << log_len) {
		fprintf(stderr, "adaptive: the result is wrong\n");
		exit(1);
	}
	return cost_between(&start, &end);
}

static int is_better(const struct cost *a, const struct cost *b)
{
	if (a->words != b->words)
		return a->words < b->words;
	return a->cycles < b->cycles;
}

static void choose(struct choice *choice, unsigned int points)
{
	unsigned int mode, best = 0;

	for (mode = 1; mode < NMODES; mode++)
		if (is_better(&choice->cost[mode], &choice->cost[best]))
			best = mode;
	choice->mode = best;
	printf("%u points: chose %s, because it moved %u words in %llu cycles", points,
	       mode_name[best], choice->cost[best].words, choice->cost[best].cycles);
	for (mode = 0; mode < NMODES; mode++)
		if (mode != best)
			printf(", %s %u in %llu", mode_name[mode], choice->cost[mode].words,
			       choice->cost[mode].cycles);
	printf("\n");
}

static void round_of(struct choice *choice, int32_t *buf, const int32_t *input,
		     unsigned int log_len)
{
	unsigned int mode = choice->mode == UNDECIDED ? choice->tried : choice->mode;
	struct cost cost = run(buf, input, log_len, mode);

	if (choice->mode == UNDECIDED) {
		choice->cost[mode] = cost;
		printf("%u points: tried %s: %u words, %llu cycles\n", 1u << log_len,
			mode_name[mode], cost.words, cost.cycles);
		if (++choice->tried == NMODES)
			choose(choice, 1u << log_len);
		return;
	}
	if (cost.words * 10ull > choice->cost[mode].words * 11ull) {
		printf("%u points: dropped %s, because it moved %u words and not %u as before\n",
		       1u << log_len, mode_name[mode], cost.words, choice->cost[mode].words);
		choice->mode = UNDECIDED;
		choice->tried = 0;
		return;
	}
	printf("%u points: kept %s: %u words, %llu cycles\n", 1u << log_len, mode_name[mode],
		cost.words, cost.cycles);
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : NMODES + 2, round, i;
	struct choice choice[NSIZES];
	int32_t input[2 << ESP_FFT_LOG_LEN_MOST];
	int32_t *buf = esp_alloc(sizeof(input));

	if (!buf)
		fail("buffer");
	fft_input(input, 1 << ESP_FFT_LOG_LEN_MOST);
	for (i = 0; i < NSIZES; i++)
		choice[i] = (struct choice){ .mode = UNDECIDED };
	for (round = 0; round < rounds; round++)
		for (i = 0; i < NSIZES; i++)
			round_of(&choice[i], buf, input, log_lens[i]);
	esp_monitor_free();
	esp_free(buf);
	return 0;
}
