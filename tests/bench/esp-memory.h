/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory of a modelled SoC, for benchmarks: bytes of this process from MEM_BASE on. */
#ifndef TESTS_BENCH_ESP_MEMORY_H
#define TESTS_BENCH_ESP_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static uint8_t *memory;

/* mem_read and mem_write of struct esp_ops */
static bool mem_read(void *opaque, uint64_t addr, void *buf, size_t len)
{
	(void)opaque;
	memcpy(buf, memory + (addr - MEM_BASE), len);
	return true;
}

static bool mem_write(void *opaque, uint64_t addr, const void *buf, size_t len)
{
	(void)opaque;
	memcpy(memory + (addr - MEM_BASE), buf, len);
	return true;
}

#endif
