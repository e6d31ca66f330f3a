// SPDX-License-Identifier: GPL-2.0-only
/*
 * esp-fft: runs an FFT on an ESP accelerator, checks the result, and shows the words of DRAM that it
 * moved, read with esp_monitor().
 */
#include <argp.h>
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

struct options {
	unsigned int log_len, acc, batches, repeat;
	unsigned int src_offset, dst_offset;
	enum accelerator_coherence coherence;
	const char *coherence_name;
};

static const struct argp_option option_list[] = {
	{ "log-len", 'n', "N", 0, "transform 2^N points (default 7)", 0 },
	{ "acc", 'a', "K", 0, "accelerator /dev/fft_stratus.K (default 0)", 0 },
	{ "coherence", 'c', "MODE", 0, "none, llc, recall, full or auto (default none)", 0 },
	{ "batches", 'b', "B", 0, "transforms in one run (default 1)", 0 },
	{ "src-offset", 's', "BYTES", 0, "of the input in the buffer (default 0)", 0 },
	{ "dst-offset", 'd', "BYTES", 0, "of the output in the buffer (default 0, in place)", 0 },
	{ "repeat", 'r', "R", 0, "runs, each with fresh input (default 1)", 0 },
	{ 0 }
};

static unsigned int number(const char *text, unsigned int min, unsigned int max,
			   struct argp_state *state, const char *what)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 0);
	if (errno || *end || end == text || value < min || value > max)
		argp_error(state, "%s: %s: must be a number from %u to %u", what, text, min, max);
	return value;
}

static enum accelerator_coherence mode(const char *text, struct argp_state *state)
{
	static const char *const names[] = { "none", "llc", "recall", "full", "auto" };
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(text, names[i]))
			return (enum accelerator_coherence)i;
	argp_error(state, "--coherence: %s: must be none, llc, recall, full or auto", text);
	return ACC_COH_NONE;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'n':
		o->log_len = number(arg, 1, ESP_FFT_LOG_LEN_MOST, state, "--log-len");
		return 0;
	case 'a':
		o->acc = number(arg, 0, 255, state, "--acc");
		return 0;
	case 'c':
		o->coherence = mode(arg, state);
		o->coherence_name = arg;
		return 0;
	case 'b':
		o->batches = number(arg, 1, 65536, state, "--batches");
		return 0;
	case 's':
		o->src_offset = number(arg, 0, 1u << 30, state, "--src-offset");
		return 0;
	case 'd':
		o->dst_offset = number(arg, 0, 1u << 30, state, "--dst-offset");
		return 0;
	case 'r':
		o->repeat = number(arg, 1, 1000000, state, "--repeat");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = option_list,
	.parser = parse,
	.doc = "Runs an FFT on an ESP accelerator, checks it against a float FFT, and shows the words of DRAM that it moved.\vThe exit status is 1 if more than 1 % of the outputs are more than 5 % off, or if the run fails.",
};

/* Words that all memory tiles moved so far; perf may be forbidden to this user, which is no failure. */
static bool ddr_words(unsigned int words[SOC_NMEM])
{
#include "soc_locs.h"
	esp_monitor_args_t args = {
		.read_mode = ESP_MON_READ_SINGLE,
		.mon_index = MON_DDR_WORD_TRANSFER_INDEX,
	};

	(void)cpu_locs;
	(void)acc_locs;
	(void)acc_has_l2;
	errno = 0;
	for (unsigned int m = 0; m < SOC_NMEM && !errno; m++) {
		args.tile_index = mem_locs[m].row * SOC_COLS + mem_locs[m].col;
		words[m] = esp_monitor(args, NULL);
	}
	return !errno;
}

static int run(const struct options *o, void *buf, int32_t *input, size_t points)
{
	struct fft_stratus_access access = {
		.esp = { .coherence = o->coherence },
		.batch_size = o->batches,
		.log_len = o->log_len,
		.do_bitrev = 1,
		.src_offset = o->src_offset,
		.dst_offset = o->dst_offset,
	};
	char devname[32];
	esp_thread_info_t cfg = {
		.run = true,
		.devname = devname,
		.hw_buf = buf,
		.ioctl_req = FFT_STRATUS_IOC_ACCESS,
		.esp_desc = &access.esp,
	};
	const int32_t *out = (const int32_t *)((const char *)buf + o->dst_offset);
	unsigned int before[SOC_NMEM], after[SOC_NMEM], words = 0, errors = 0, b;
	size_t n = (size_t)1 << o->log_len;
	bool counted;

	snprintf(devname, sizeof(devname), "fft_stratus.%u", o->acc);
	memcpy((char *)buf + o->src_offset, input, 2 * points * sizeof(*input));
	counted = ddr_words(before);
	if (esp_run(&cfg, 1)) {
		fprintf(stderr, "esp-fft: %s\n", mon_error());
		return 1;
	}
	counted = counted && ddr_words(after);

	for (b = 0; b < o->batches; b++)
		errors += fft_errors(input + 2 * n * b, out + 2 * n * b, o->log_len, true);
	printf("%s: %u FFT of %zu points, coherence %s, %llu ns\n", devname, o->batches, n,
	       o->coherence_name, cfg.hw_ns);
	for (unsigned int m = 0; counted && m < SOC_NMEM; m++)
		words += sub_monitor_vals(before[m], after[m]);
	if (counted)
		printf("%s: %u DRAM words\n", devname, words);
	else
		printf("%s: DRAM words not counted: %s\n", devname, mon_error());
	printf("%s: %u of %zu outputs are more than 5 %% off: %s\n", devname, errors, 2 * points,
	       errors * 100ULL <= 2 * points ? "passed" : "FAILED");
	return errors * 100ULL > 2 * points;
}

int main(int argc, char **argv)
{
	struct options o = {
		.log_len = 7, .batches = 1, .repeat = 1,
		.coherence = ACC_COH_NONE, .coherence_name = "none",
	};
	size_t points, bytes, end;
	int32_t *input;
	void *buf;
	int ret = 0;

	argp_parse(&argp, argc, argv, 0, NULL, &o);
	points = (size_t)o.batches << o.log_len;
	bytes = 2 * points * sizeof(*input);
	end = bytes + (o.src_offset > o.dst_offset ? o.src_offset : o.dst_offset);

	input = malloc(bytes);
	buf = esp_alloc(end);
	if (!input || !buf) {
		fprintf(stderr, "esp-fft: %s\n", input ? mon_error() : "out of memory");
		free(input);
		return 1;
	}
	fft_input(input, points);
	while (o.repeat-- && !ret)
		ret = run(&o, buf, input, points);
	esp_monitor_free();
	esp_free(buf);
	free(input);
	return ret;
}
