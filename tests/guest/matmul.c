// SPDX-License-Identifier: GPL-2.0-only
/*
 * matmul: C += A * B of doubles, as the textbook has it or block by block, to compare what both
 * cost in cache misses.
 *
 *	mon-vm --cpu -- perf stat -e espmon/l2_misses/ ./tests/guest/matmul --size 256 --block 8
 *
 * The matrices lie one behind the other in huge pages. --repeat 0 prepares them and multiplies
 * nothing: what that counts is the noise of the system.
 */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>

#include "examples/huge.h"

struct options {
	unsigned long size, block, repeat;
};

static const struct argp_option option_list[] = {
	{ "size", 'n', "N", 0, "rows and columns (default 128)", 0 },
	{ "block", 'b', "B", 0, "rows and columns of a block, a divisor of N; 0: no blocks (default 0)", 0 },
	{ "repeat", 'r', "R", 0, "multiplications (default 1)", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	unsigned long value = 0;
	char *end;

	if (arg) {
		errno = 0;
		value = strtoul(arg, &end, 0);
		if (errno || *end || end == arg || value > 4096)
			argp_error(state, "%s is not a number up to 4096", arg);
	}
	switch (key) {
	case 'n':
		o->size = value;
		return 0;
	case 'b':
		o->block = value;
		return 0;
	case 'r':
		o->repeat = value;
		return 0;
	case ARGP_KEY_END:
		if (!o->size || (o->block && o->size % o->block))
			argp_error(state, "--size must be a multiple of --block");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void naive(unsigned long n, const double *a, const double *b, double *c)
{
	unsigned long i, j, k;

	for (i = 0; i < n; i++) {
		for (j = 0; j < n; j++) {
			double sum = c[i * n + j];

			for (k = 0; k < n; k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
	}
}

/* One block of B stays while all rows of A and C pass by. */
static void blocked(unsigned long n, unsigned long block, const double *a, const double *b,
		    double *c)
{
	unsigned long kk, jj, i, j, k;

	for (kk = 0; kk < n; kk += block) {
		for (jj = 0; jj < n; jj += block) {
			for (i = 0; i < n; i++) {
				for (k = kk; k < kk + block; k++) {
					double factor = a[i * n + k];

					for (j = jj; j < jj + block; j++)
						c[i * n + j] += factor * b[k * n + j];
				}
			}
		}
	}
}

int main(int argc, char **argv)
{
	static const struct argp argp = { .options = option_list, .parser = parse,
					  .doc = "Multiplies two square matrices." };
	struct options o = { .size = 128, .repeat = 1 };
	unsigned long n, i, wrong = 0;
	double *a, *b, *c;

	argp_parse(&argp, argc, argv, 0, NULL, &o);
	n = o.size;
	a = huge_alloc("matmul", 3 * n * n * sizeof(*a));
	b = a + n * n;
	c = b + n * n;
	/* A[i][k] = i + 1, B[k][j] = j + 1: every C[i][j] is n * (i + 1) * (j + 1) */
	for (i = 0; i < n * n; i++) {
		a[i] = i / n + 1;
		b[i] = i % n + 1;
	}
	for (i = 0; i < o.repeat; i++) {
		if (o.block)
			blocked(n, o.block, a, b, c);
		else
			naive(n, a, b, c);
	}
	for (i = 0; i < n * n; i++)
		wrong += c[i] != (double)o.repeat * n * (i / n + 1) * (i % n + 1);
	printf("%lu x %lu, %s: %lu of %lu elements are wrong\n", n, n,
	       o.block ? "in blocks" : "without blocks", wrong, n * n);
	return wrong != 0;
}
