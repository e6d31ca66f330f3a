/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Probes of data movement for tests.
 *
 * Tests build the model with ESP_PROBE and define these functions; in the product they are empty.
 * cache.h explains stamps. A write gets the old stamp of the data that it changes, ESP_WHOLE_LINE
 * if it replaces them all, and the new one. The test stores the stamps of lines in DRAM.
 */
#ifndef ESP_PROBE_H
#define ESP_PROBE_H

#include <stdint.h>

#define ESP_WHOLE_LINE	UINT64_MAX

struct esp_soc;

#ifdef ESP_PROBE
void esp_probe_load(struct esp_soc *soc, unsigned int cache, uint32_t line, uint64_t stamp);
void esp_probe_store(struct esp_soc *soc, unsigned int cache, uint32_t line, uint64_t old,
		     uint64_t stamp);
void esp_probe_dma_read(struct esp_soc *soc, unsigned int tile, uint32_t line, uint64_t stamp);
void esp_probe_dma_write(struct esp_soc *soc, unsigned int tile, uint32_t line, uint64_t old,
			 uint64_t stamp);
uint64_t esp_probe_ddr_read(struct esp_soc *soc, uint32_t line);
void esp_probe_ddr_write(struct esp_soc *soc, uint32_t line, uint64_t stamp);
/* A directory gets a request and answers it, or has an owner answer. */
void esp_probe_request(struct esp_soc *soc, unsigned int mem);
void esp_probe_reply(struct esp_soc *soc, unsigned int mem);
#else
#define esp_probe_load(soc, cache, line, stamp)			((void)(cache))
#define esp_probe_store(soc, cache, line, old, stamp)		((void)(cache), (void)(old))
#define esp_probe_dma_read(soc, tile, line, stamp)		((void)0)
#define esp_probe_dma_write(soc, tile, line, old, stamp)	((void)(old))
#define esp_probe_ddr_read(soc, line)				UINT64_C(0)
#define esp_probe_ddr_write(soc, line, stamp)			((void)0)
#define esp_probe_request(soc, mem)				((void)0)
#define esp_probe_reply(soc, mem)				((void)0)
#endif

#endif
