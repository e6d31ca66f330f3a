// SPDX-License-Identifier: GPL-2.0-only
/*
 * check-trace FILE [MINIMUM]: replays a trace (models/cpu/trace.h) of a guest with the default
 * design and 1 GiB in the model and in its plain reference, and compares them after each access. A
 * trace of fewer than MINIMUM accesses is an error.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/trace.h"
#include "tests/unit/esp/compare.h"

#define VCPUS	16

static int usage(void)
{
	fprintf(stderr, "usage: check-trace FILE [MINIMUM]\n");
	return 2;
}

static bool replay(struct compare *c, FILE *file)
{
	uint64_t word[4096];
	size_t n, i;

	while ((n = fread(word, sizeof(*word), 4096, file)) > 0) {
		for (i = 0; i < n; i++) {
			if (CPU_TRACE_VCPU(word[i]) >= VCPUS) {
				snprintf(c->why, sizeof(c->why), "virtual CPU %u, at most %u are possible",
					 CPU_TRACE_VCPU(word[i]), VCPUS - 1);
				return false;
			}
			if (!compare_access(c, CPU_TRACE_VCPU(word[i]), CPU_TRACE_WHAT(word[i]),
					    CPU_TRACE_ADDR(word[i])))
				return false;
		}
	}
	return compare_all(c);
}

int main(int argc, char **argv)
{
	static struct esp_design design;
	static struct compare c;
	struct cpu_esp_counts counts;
	struct cpu_esp_params l1;
	struct esp_params params;
	uint64_t minimum;
	FILE *file;

	if (argc < 2 || argc > 3)
		return usage();
	minimum = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	file = fopen(argv[1], "rb");
	if (!file) {
		fprintf(stderr, "check-trace: %s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	esp_design_default(&design);
	esp_params_init(&params);
	params.mem_base = 0;
	params.mem_size = (uint64_t)1 << 30;
	cpu_esp_params_init(&l1);
	if (!compare_open(&c, &design, &params, &l1, VCPUS) || !replay(&c, file)) {
		fprintf(stderr, "check-trace: %s: %s\n", argv[1], c.why);
		return 1;
	}
	fclose(file);
	cpu_esp_counts(c.fast, 0, &counts);
	printf("%llu loads, %llu stores, %llu fetches: %llu misses of the L1 caches, all as in the reference\n",
	       (unsigned long long)counts.loads, (unsigned long long)counts.stores,
	       (unsigned long long)counts.fetches,
	       (unsigned long long)(counts.l1d_misses + counts.l1i_misses));
	compare_close(&c);
	if (c.n >= minimum)
		return 0;
	fprintf(stderr, "check-trace: %s has %llu accesses, at least %llu are wanted\n", argv[1],
		(unsigned long long)c.n, (unsigned long long)minimum);
	return 1;
}
