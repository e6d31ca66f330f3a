/* SPDX-License-Identifier: GPL-2.0-only */
/* A small recording with values that can be calculated on paper. */
#ifndef TEST_MONCTL_FIXTURE_H
#define TEST_MONCTL_FIXTURE_H

#include <stddef.h>
#include <stdint.h>

#include "tools/monctl/record/recording.h"

/*
 * A 2 x 2 SoC. Counter k of tile t, k = 0 (noc_injects_p0), 1 (noc_injects_p1), has counted
 * (k + 1) * (t + 1) * n at the sample n; samples 0 to FIXTURE_SAMPLES, one each FIXTURE_INTERVAL.
 * upmem counts 5 instructions a sample, in all DPUs together.
 * Runs: dev.0 from 20 ms to 30 ms, its records in the wrong order; dev.1 from before the start to 40 ms,
 * and from 50 ms on without an end.
 */
#define FIXTURE_INTERVAL 1000000ull
#define FIXTURE_SAMPLES 100
#define FIXTURE_START 5000000000ull
#define FIXTURE_TILES 4
#define FIXTURE_EVENTS 2

/* Writes it to a new file in /tmp and returns its name, to be freed. */
char *fixture_write(void);
/* Checked fixtures: it is in rec. */
extern struct recording *rec;
void fixture_load(void);
void fixture_unload(void);
/* The same, with bytes changed: fn gets the file's contents. */
char *fixture_write_changed(void (*change)(unsigned char *data, size_t size));

#endif
