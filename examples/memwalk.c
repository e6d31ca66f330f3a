// SPDX-License-Identifier: GPL-2.0-only
/*
 * memwalk: walks through memory in a known way, so that caches can be watched at work.
 *
 *	mon-vm --cpu -- perf stat -e espmon/l2_misses/ ./examples/memwalk --pattern seq --bytes 4M
 *
 * The buffer lies in huge pages. --repeat 0 prepares it all and does not walk: what that counts is
 * the noise of the system.
 */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "huge.h"

struct options {
	enum { SEQ, STRIDE, CHASE } pattern;
	size_t bytes, stride;
	unsigned long repeat;
	bool write;
};

static const struct argp_option option_list[] = {
	{ "pattern", 'p', "seq|stride|chase", 0,
	  "each word in order, one word every --stride bytes, or a chain of pointers through all multiples of --stride in random order (default seq)", 0 },
	{ "bytes", 'b', "N", 0, "size of the buffer, with K or M (default 1M)", 0 },
	{ "stride", 's', "N", 0, "bytes, a multiple of 8 (default 64)", 0 },
	{ "repeat", 'r', "N", 0, "walks through the buffer (default 1)", 0 },
	{ "write", 'w', NULL, 0, "write the words instead of reading them (not with chase)", 0 },
	{ 0 }
};

static size_t size(const char *text, struct argp_state *state)
{
	char *end;
	size_t n;

	errno = 0;
	n = strtoul(text, &end, 0);
	if (*end == 'K' || *end == 'M')
		n <<= *end++ == 'K' ? 10 : 20;
	if (errno || *end || end == text)
		argp_error(state, "%s is not a number", text);
	return n;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const names[] = { "seq", "stride", "chase" };
	struct options *o = state->input;
	int i;

	switch (key) {
	case 'p':
		for (i = 0; i < 3 && strcmp(arg, names[i]); i++)
			;
		if (i == 3)
			argp_error(state, "--pattern %s: must be seq, stride or chase", arg);
		o->pattern = i;
		return 0;
	case 'b':
		o->bytes = size(arg, state);
		return 0;
	case 's':
		o->stride = size(arg, state);
		return 0;
	case 'r':
		o->repeat = size(arg, state);
		return 0;
	case 'w':
		o->write = true;
		return 0;
	case ARGP_KEY_END:
		if (!o->stride || o->stride % 8 || o->bytes < o->stride || o->bytes % 8)
			argp_error(state, "--bytes and --stride must be multiples of 8, and --stride the smaller one");
		if (o->write && o->pattern == CHASE)
			argp_error(state, "a chase cannot write");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* A single cycle through all elements in random order (Sattolo), the same in each run. */
static void **chain(char *buffer, const struct options *o)
{
	size_t n = o->bytes / o->stride, i, *order = malloc(n * sizeof(*order));
	uint64_t seed = 1;

	if (!order) {
		perror("memwalk");
		exit(1);
	}
	for (i = 0; i < n; i++)
		order[i] = i;
	for (i = n - 1; i > 0; i--) {
		size_t k, t = order[i];

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		k = (seed >> 33) % i;
		order[i] = order[k];
		order[k] = t;
	}
	for (i = 0; i < n; i++)
		*(void **)(buffer + order[i] * o->stride) = buffer + order[(i + 1) % n] * o->stride;
	free(order);
	return (void **)buffer;
}

static uint64_t walk(volatile uint64_t *word, size_t words, size_t step, bool write)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < words; i += step) {
		if (write)
			word[i] = i;
		else
			sum += word[i];
	}
	return sum;
}

int main(int argc, char **argv)
{
	static const struct argp argp = { .options = option_list, .parser = parse,
					  .doc = "Walks through memory in a known way." };
	struct options o = { .bytes = 1 << 20, .stride = 64, .repeat = 1 };
	size_t steps, i;
	uint64_t sum = 0;
	char *buffer;

	argp_parse(&argp, argc, argv, 0, NULL, &o);
	buffer = huge_alloc("memwalk", o.bytes);
	steps = o.pattern == SEQ ? o.bytes / 8 : (o.bytes + o.stride - 1) / o.stride;
	if (o.pattern == CHASE) {
		void **p = chain(buffer, &o);

		steps = o.bytes / o.stride;
		for (i = 0; i < steps * o.repeat; i++)
			p = *(void ** volatile *)p;
		sum = (uint64_t)((char *)p - buffer);
	} else {
		for (i = 0; i < o.repeat; i++)
			sum += walk((uint64_t *)buffer, o.bytes / 8,
				    o.pattern == SEQ ? 1 : o.stride / 8, o.write);
	}
	printf("%zu accesses, %zu in each of %lu walks, sum %llu\n", steps * o.repeat, steps,
	       o.repeat, (unsigned long long)sum);
	return 0;
}
