/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reference for esp-cpus.c: the same rules without filters, callbacks and shortcuts.
 *
 * Every access searches all ways of its L1. A miss goes through the SoC's network, event by event,
 * until the SoC is idle. Then all lines that an L2 does not hold any more are removed from its L1.
 * Slow but easy to read.
 */
#ifndef TESTS_ESP_ORACLE_H
#define TESTS_ESP_ORACLE_H

#include "esp/cpus.h"

struct cpu_oracle;

/* Has its own SoC. NULL without memory. */
struct cpu_oracle *cpu_oracle_new(struct esp_soc *soc, const struct cpu_esp_params *params);
void cpu_oracle_free(struct cpu_oracle *o);
/* One access to a line at physical address addr. */
void cpu_oracle_access(struct cpu_oracle *o, unsigned int vcpu, enum cpu_access what,
		       uint64_t addr);
void cpu_oracle_counts(const struct cpu_oracle *o, unsigned int tile,
		       struct cpu_esp_counts *counts);
/* True if a line is in the L1 of a CPU tile. */
bool cpu_oracle_l1_holds(const struct cpu_oracle *o, unsigned int tile, bool instructions,
			 uint32_t line);

#endif
