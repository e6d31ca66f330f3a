/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The guest's own memory accesses as traffic for the devices' models.
 *
 * With `-plugin mon-qemu.so,cpu=on` a device attaches a sink. It arms the sink while an event that depends on
 * accesses is open. While no sink is armed, the guest's code is translated as without the plugin. docs/cpu-model.md
 * has the model and the options.
 */
#ifndef CPU_SOURCE_H
#define CPU_SOURCE_H

#include "cpu/filter.h"

/* The models that accesses go to: processors in tiles, and a module of processors with one L2. */
enum cpu_sink_kind { CPU_SINK_TILES, CPU_SINK_MODULE, CPU_SINKS };
/* Caches whose geometry is an option: l1d, l1i, mod0. */
enum cpu_source_cache { CPU_SOURCE_L1D, CPU_SOURCE_L1I, CPU_SOURCE_MOD0, CPU_SOURCE_CACHES };

struct cpu_source_options {
    enum { CPU_SOURCE_OFF, CPU_SOURCE_ON, CPU_SOURCE_ALWAYS } mode;
    bool fetch;
    struct {
        bool given;
        unsigned int bytes, ways;
    } cache[CPU_SOURCE_CACHES];
    char *trace;
};

/* Call it before any device exists. False after a message if an option is wrong. */
bool cpu_source_parse(int argc, char **argv);
void cpu_source_start(uint64_t plugin_id);

/* The target that this object file was compiled for. */
const char *cpu_source_target(void);

const struct cpu_source_options *cpu_source_options(void);

/* Replaces the model's default geometry by the option's, if there is one. */
void cpu_source_cache(enum cpu_source_cache which, unsigned int *bytes, unsigned int *ways);

/* Call it under the big lock. The first device of a kind gets the accesses; false: another one has them. */
bool cpu_source_attach(enum cpu_sink_kind kind, struct cpu_sink *sink);
/*
 * Detaches a sink. Accesses under way may still reach it; after them done is called with the big
 * lock held, and the sink may be freed.
 */
void cpu_source_detach(enum cpu_sink_kind kind, void (*done)(void *opaque), void *opaque);
void cpu_source_arm(enum cpu_sink_kind kind, bool on);

#endif
