/* SPDX-License-Identifier: GPL-2.0-only */
/* A SoC with memory for measurements, and its streaming accelerators. */
#ifndef TESTS_BENCH_ESP_SOC_H
#define TESTS_BENCH_ESP_SOC_H

#include "esp/soc.h"

/* Ends the program with a message if the design cannot be modelled. irq may be NULL. */
struct esp_soc *bench_soc_new(const char *name, const struct esp_design *design,
			      void (*irq)(void *opaque, unsigned int acc));
/* DUMMY_STRATUS number acc copies tokens words of 8 bytes, at most 1 MiB in and out together. */
void bench_soc_start(struct esp_soc *soc, unsigned int acc, unsigned int mode, uint32_t tokens);

#endif
