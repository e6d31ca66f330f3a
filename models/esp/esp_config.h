/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The design of an ESP SoC, as its .esp_config file describes it.
 */
#ifndef ESP_DESIGN_H
#define ESP_DESIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/esp/regs.h"

#define ESP_MAX_NOTES	8

enum esp_arch { ESP_ARCH_LEON3, ESP_ARCH_ARIANE, ESP_ARCH_IBEX };

struct esp_tile {
	enum esp_tile_kind kind;
	unsigned int id;	/* number among the tiles of its kind, in row-major order */
	char name[48];		/* as in the file: cpu, IO, mem, FFT_STRATUS, ... */
	char design_point[48];	/* accelerators, may be empty */
	char vendor[16];	/* accelerators: sld for the ESP socket, else third-party AXI */
	bool has_l2;		/* accelerators: raw flag of the file */
	bool has_ddr;		/* slm tiles */
};

struct esp_design {
	enum esp_arch arch;
	unsigned int rows, cols;
	unsigned int ncpu, nmem, nslm, nacc;
	bool scatter_gather;
	bool caches;
	bool cache_rtl, spandex, jtag, multicast, dvfs;
	unsigned int multicast_dests;
	unsigned int coh_noc_width, dma_noc_width;	/* bits */
	unsigned int queue_size;			/* flits, router input FIFO of planes 4 and 6 */
	unsigned int l2_sets, l2_ways;
	unsigned int llc_sets, llc_ways;		/* of one memory tile */
	unsigned int acc_l2_sets, acc_l2_ways;
	unsigned int line_bits;
	unsigned int slm_kbytes;
	unsigned int mem_link_width;			/* has no effect */
	bool beyond_menus;				/* a size that ESP's generator does not offer */
	/* What the reader has to say about lines of the file: messages as those in err. */
	unsigned int nnotes;
	char notes[ESP_MAX_NOTES][160];
	struct esp_tile tiles[ESP_MAX_TILES];		/* tile r * cols + c */
};

/* 64 on Ariane, 32 on Leon3 and Ibex. */
static inline unsigned int esp_design_arch_bits(const struct esp_design *design)
{
	return design->arch == ESP_ARCH_ARIANE ? 64 : 32;
}

/* An accelerator behind an AXI socket. */
bool esp_design_third_party(const struct esp_design *design);

/*
 * Accelerators' memory in ESP's device tree (socmap_gen.py): first byte, relative to the start of the SoC's memory,
 * and end. Linux and Ethernet have the bytes before; the memory of third-party accelerators, if any, begins at the
 * end.
 */
#define ESP_POOL_FIRST 0x20200000
#define ESP_POOL_END_SHARED 0x30000000
#define ESP_POOL_END 0x40000000

static inline uint32_t esp_design_pool_end(const struct esp_design *design)
{
	return esp_design_third_party(design) ? ESP_POOL_END_SHARED : ESP_POOL_END;
}

/* The 3x2 design with three FFTs, one CPU and one memory tile. */
void esp_design_default(struct esp_design *design);

/*
 * Reads a .esp_config file of any ESP release (key-based). Returns 0, and what it passed over in notes, or -1 with
 * "FILE:LINE: what is wrong" in err.
 */
int esp_design_read(const char *path, struct esp_design *design, char *err, size_t err_len);
/* The same from memory; name replaces the file's in messages. */
int esp_design_parse(const char *text, size_t len, const char *name, struct esp_design *design,
		     char *err, size_t err_len);

/* esp_rules.c: what the design has and the model does not: bits of ESP_NOT_MODELLED. */
uint32_t esp_design_not_modelled(const struct esp_design *design);

/* esp_rules.c: the reason why ESP's generator rejects such a design; NULL: it accepts it. */
const char *esp_design_refusal(const struct esp_design *design);

#endif
