/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The device tree of an ESP SoC.
 *
 * It has the nodes that ESP's own generator writes for the accelerators and cache controllers (socmap_gen.py), and
 * libmon's nodes for the monitors (pmu/esp/sld,esp-monitors.yaml) and for esp_accel
 * (pmu/esp/sld,esp-accelerators.yaml). Their parent node has two cells for addresses and two for sizes.
 */
#ifndef ESP_TREE_H
#define ESP_TREE_H

#include <stdio.h>

#include "models/esp/esp_config.h"

/* Facts of the SoC that its design does not hold. */
struct esp_tree {
	uint64_t apb;			/* physical address of the APB window */
	/* Interrupt of accelerator 0; the others follow, modulo irqs. If irqs is 0: ESP's own numbers. */
	uint32_t irq, irqs;
	uint32_t clock_hz;
	uint32_t layout;		/* number of one of ESPMON_LAYOUTS */
	uint64_t mem_base, mem_size;	/* of all memory tiles */
	const uint32_t *params;		/* registers of each accelerator's parameters, 0: unknown; or NULL */
};

/* Called for each node: its name first, then its properties. */
struct esp_tree_ops {
	void (*node)(void *opaque, const char *name, uint64_t at);
	void (*cells)(void *opaque, const char *property, const uint32_t *cells, unsigned int n);
	/* n strings, each with its NUL, in size bytes */
	void (*strings)(void *opaque, const char *property, const char *list, size_t size);
	/* inputs of the interrupt controller, all of one cell */
	void (*interrupts)(void *opaque, const uint32_t *irqs, unsigned int n);
	/* phandles of nodes, whose names with their addresses are such a list */
	void (*phandles)(void *opaque, const char *property, const char *list, size_t size);
	/* the property clocks, of one fixed clock */
	void (*clock)(void *opaque, uint32_t hz);
	/* the property memory-region, of the memory that ESP's tree reserves for accelerators */
	void (*pool)(void *opaque);
};

/* The number of the layout that a user names: vespa, or a number. 0: it is another word. */
uint32_t esp_layout_of(const char *name);

unsigned int esp_tree_nodes(const struct esp_design *design);
/* Node i, below esp_tree_nodes(). The first two refer to later ones. */
void esp_tree_node(const struct esp_design *design, const struct esp_tree *tree, unsigned int i,
		   const struct esp_tree_ops *ops, void *opaque);

/*
 * All nodes as source text, to be included after ESP's own tree, whose interrupt controller has the label
 * PLIC0, and its memory for accelerators accelerator_reserved. The tiles' clock has the label esp_clock. What
 * refers to a node of an accelerator takes that of ESP's tree, which has the same path.
 */
void esp_tree_print(FILE *file, const struct esp_design *design, const struct esp_tree *tree);

#endif
