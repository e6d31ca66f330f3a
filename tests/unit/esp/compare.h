/* SPDX-License-Identifier: GPL-2.0-only */
/* The model with all its shortcuts and the plain reference, with the same accesses. */
#ifndef TESTS_ESP_COMPARE_H
#define TESTS_ESP_COMPARE_H

#include "tests/unit/esp/oracle.h"

struct compare {
	struct esp_soc *fast_soc, *plain_soc;
	struct cpu_esp *fast;
	struct cpu_oracle *plain;
	unsigned int vcpus;
	uint64_t n;		/* accesses so far */
	char why[256];		/* first difference */
};

/* False: why has the reason. */
bool compare_open(struct compare *c, const struct esp_design *design,
		  const struct esp_params *params, const struct cpu_esp_params *l1,
		  unsigned int vcpus);
void compare_close(struct compare *c);
/*
 * One access in both. Then both must have counted the same: hits and misses of L1, L2 and LLC and
 * words of DRAM after each access, all other monitors from time to time. False at the first
 * difference.
 */
bool compare_access(struct compare *c, unsigned int vcpu, enum cpu_access what, uint64_t addr);
/* All monitors but the clock. */
bool compare_all(struct compare *c);

#endif
