/* SPDX-License-Identifier: GPL-2.0-only */
/* A SoC with memory for measurements, and its streaming accelerators. */
#ifndef TESTS_BENCH_ESP_SOC_H
#define TESTS_BENCH_ESP_SOC_H

#include "esp/soc.h"

/*
 * Ends the program with a message if the design cannot be modelled. accelerators, beside those of the
 * model, and irq may be NULL.
 */
struct esp_soc *bench_soc_new(const char *name, const struct esp_design *design,
			      const struct mon_esp_acc_type *const *accelerators,
			      void (*irq)(void *opaque, unsigned int acc));
/* A register of an accelerator. */
void bench_soc_write(struct esp_soc *soc, unsigned int acc, uint32_t offset, uint32_t value);
/* A buffer of 1 MiB for an accelerator, and its page table. */
void bench_soc_prepare(struct esp_soc *soc, unsigned int acc, unsigned int mode);
/* DUMMY_STRATUS number acc copies tokens words of 8 bytes, at most 1 MiB in and out together. */
void bench_soc_start(struct esp_soc *soc, unsigned int acc, unsigned int mode, uint32_t tokens);

#endif
