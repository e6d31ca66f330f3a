// SPDX-License-Identifier: GPL-2.0-only
/*
 * mrfld-traffic: lets a bus agent of the emulated Merrifield move memory, and checks what it moved;
 * or lets the display scan out a frame buffer for some time.
 */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mon.h"
#include "mrfld-agents.h"

struct options {
	struct mrfld_agent_move move;
	struct mrfld_scanout scanout;
	const char *agent;
	double seconds;
	bool scan;
};

enum { OPT_SNOOP = 256, OPT_SCANOUT, OPT_SECONDS };

static const struct argp_option option_list[] = {
	{ "agent", 'a', "NAME", 0, "gfx (default), disp, imaging or lowspeedpf", 0 },
	{ "op", 'o', "OP", 0, "read (default) or write, as seen from memory", 0 },
	{ "size", 's', "SIZE", 0, "of a request: 64 (default), 32, partial (16 bytes), 8 or 4", 0 },
	{ "bytes", 'b', "N[K|M|G]", 0, "to move, K, M, G being powers of 1024 (default 64M)", 0 },
	{ "rate", 'r', "MB/S", 0, "10^6 bytes a second (default: ten million requests a second)", 0 },
	{ "snoop", OPT_SNOOP, NULL, 0, "each request is snooped in CPU module 0", 0 },
	{ "scan-out", OPT_SCANOUT, "WxHxB@HZ", 0,
	  "instead: display of W x H pixels of B bytes at HZ, for example 1920x1080x4@60", 1 },
	{ "seconds", OPT_SECONDS, "S", 0, "of scan-out (default 10)", 1 },
	{ 0 }
};

static unsigned int request_size(const char *text, struct argp_state *state)
{
	static const char *const names[] = { "4", "8", "partial", "32", "64" };

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(text, names[i]))
			return 4u << i;
	argp_error(state, "--size: %s: must be 64, 32, partial, 8 or 4", text);
	return 0;
}

static unsigned long long byte_count(const char *text, struct argp_state *state)
{
	char *end;
	unsigned long long n = strtoull(text, &end, 0);
	int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;

	if (end == text || end[shift != 0] || *text == '-' || !n || n > 1ull << 50 >> shift)
		argp_error(state, "--bytes: %s: must be a number with K, M or G or nothing", text);
	return n << shift;
}

static double positive(const char *text, const char *what, struct argp_state *state)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value > 0) || value > 4e6)
		argp_error(state, "%s: %s: must be a number above 0", what, text);
	return value;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	double hz;
	char end;
	int agent;

	switch (key) {
	case 'a':
		agent = mrfld_find_agent(arg);
		if (agent < 0)
			argp_error(state, "--agent: %s", mon_error());
		o->move.agent = agent;
		o->agent = arg;
		return 0;
	case 'o':
		if (strcmp(arg, "read") && strcmp(arg, "write"))
			argp_error(state, "--op: %s: must be read or write", arg);
		o->move.flags |= *arg == 'w' ? MRFLD_MOVE_WRITE : 0;
		return 0;
	case 's':
		o->move.request = request_size(arg, state);
		return 0;
	case 'b':
		o->move.bytes = byte_count(arg, state);
		return 0;
	case 'r':
		o->move.rate = positive(arg, "--rate", state) * 1000;
		return 0;
	case OPT_SNOOP:
		o->move.flags |= MRFLD_MOVE_SNOOP;
		return 0;
	case OPT_SCANOUT:
		if (sscanf(arg, "%ux%ux%u@%lf%c", &o->scanout.width, &o->scanout.height,
			   &o->scanout.cpp, &hz, &end) != 4 || !(hz > 0 && hz <= 1000))
			argp_error(state, "--scan-out: %s: must be like 1920x1080x4@60", arg);
		o->scanout.refresh = hz * 1000 + 0.5;
		o->scan = true;
		return 0;
	case OPT_SECONDS:
		o->seconds = positive(arg, "--seconds", state);
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "%s: not an option", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int fail(const char *reason)
{
	fprintf(stderr, "mrfld-traffic: %s\n", reason);
	return EXIT_FAILURE;
}

/* Last byte of the stream that fell on a byte of the buffer: the stream starts over at its end. */
static uint64_t last_pass(uint64_t offset, uint64_t bytes, uint64_t window)
{
	return offset + (bytes - 1 - offset) / window * window;
}

static bool written(const uint32_t *words, const struct mrfld_agent_move *move, uint64_t window)
{
	uint64_t touched = move->bytes < window ? move->bytes : window;

	for (uint64_t b = 0; b < touched; b += 4)
		if (words[b / 4] !=
		    (uint32_t)(move->seed + last_pass(b, move->bytes, window) / 4))
			return false;
	return true;
}

static uint64_t sum(const uint32_t *words, uint64_t bytes)
{
	uint64_t total = 0;

	for (uint64_t i = 0; i < bytes / 4; i++)
		total += words[i];
	return total;
}

static bool was_read(const uint32_t *words, const struct mrfld_agent_move *move, uint64_t window)
{
	return move->sum == sum(words, window) * (move->bytes / window) +
	       sum(words, move->bytes % window);
}

static int traffic(struct options *o)
{
	uint64_t pages = (o->move.bytes + 4095) & ~4095ull;
	uint64_t window = pages < MRFLD_MAX_BUFFER ? pages : MRFLD_MAX_BUFFER;
	struct mrfld_agents *agents = mrfld_agents_new(window);
	bool writes = o->move.flags & MRFLD_MOVE_WRITE, good;
	uint32_t *words;

	if (!agents)
		return fail(mon_error());
	words = mrfld_agents_get_buffer(agents);
	for (uint64_t i = 0; i < window / 4; i++)
		words[i] = i * 2654435761u;
	o->move.seed = 0x6d726664;
	if (mrfld_agents_move(agents, &o->move)) {
		mrfld_agents_free(agents);
		return fail(mon_error());
	}
	good = writes ? written(words, &o->move, window) : was_read(words, &o->move, window);
	mrfld_agents_free(agents);
	if (!good)
		return fail("the data that arrived is not the data that was sent");
	printf("%s %s %llu bytes in %llu requests of %u; data verified\n", o->agent,
	       writes ? "wrote" : "read", (unsigned long long)o->move.moved,
	       (unsigned long long)o->move.moved / o->move.request, o->move.request);
	return EXIT_SUCCESS;
}

static int scan_out(const struct options *o)
{
	uint64_t stride = ((uint64_t)o->scanout.width * o->scanout.cpp + 63) & ~63ull;
	struct mrfld_agents *agents = mrfld_agents_new(stride * o->scanout.height);
	struct timespec pause = { .tv_sec = o->seconds,
				  .tv_nsec = (o->seconds - (time_t)o->seconds) * 1e9 };
	struct mrfld_scanout_status status;
	int ret = EXIT_FAILURE;

	if (!agents)
		return fail(mon_error());
	if (mrfld_agents_scanout(agents, &o->scanout)) {
		fail(mon_error());
	} else {
		puts("scan-out runs");
		fflush(stdout);
		nanosleep(&pause, NULL);
		if (mrfld_agents_status(agents, &status)) {
			fail(mon_error());
		} else {
			printf("%u frames\n", status.frames);
			ret = EXIT_SUCCESS;
		}
	}
	mrfld_agents_free(agents);
	return ret;
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		option_list, parse, NULL,
		"Make memory traffic on the emulated Merrifield, to be counted by mrfld_visa.",
		NULL, NULL, NULL
	};
	struct options o = { .agent = "gfx", .seconds = 10,
			     .move = { .request = 64, .bytes = 64ull << 20 } };

	argp_parse(&argp, argc, argv, 0, NULL, &o);
	return o.scan ? scan_out(&o) : traffic(&o);
}
