/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs programs in the distribution's qemu-hexagon with the feed. */
#ifndef HEXAGON_PROGRAM_RIG_H
#define HEXAGON_PROGRAM_RIG_H

#include <stdbool.h>
#include <sys/types.h>

#include "hexagon/events.h"
#include "hexagon/time.h"

#define PROGRAMS "examples/hexagon/"

/* System calls of Hexagon Linux. */
#define SYS_EXIT 93
#define SYS_FUTEX 98
#define SYS_CLONE 220

/* What the plugin is told. */
extern unsigned int features, operations;
extern struct hexagon_core core;
/* The system call at which host threads get no processor for a while, or 0; and for how long. */
extern int slow_call, slow_us;

/* False, and the reason on standard output, if there are no programs. */
bool rig_prepare(void);
void rig_setup(void);
void rig_teardown(void);

/* Starts a program of PROGRAMS, or with a folder; words after a space are an argument of it. Its standard output goes to *out, or nowhere if that is NULL. */
pid_t start(const char *program, int *out);
int finish(pid_t pid);
const struct hexagon_feed *map_feed(void);
/* True if the plugin has made the feed. Before that there is no file, or an incomplete one. */
bool feed_has_begun(void);
/* All at once: what the program prints, and its totals. */
struct hexagon_totals run(const char *program, char *output, size_t size);

/* Cycles with exactly n threads running, and packets meanwhile. */
uint64_t cycles(const struct hexagon_totals *now, unsigned int n);
uint64_t packets(const struct hexagon_totals *now, unsigned int n);
uint64_t sum(const struct hexagon_totals *now, enum hexagon_count count);

#endif
