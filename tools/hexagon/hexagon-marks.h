/* SPDX-License-Identifier: GPL-2.0-only */
/* The phases that a Hexagon program marks (events/hexagon/services.h): for a recorder, and as a file on the core's clock. */
#ifndef HEXAGON_MARKS_H
#define HEXAGON_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * From now on phases go to the file, too, if it is not NULL: trace events as Perfetto and Chrome read them, in microseconds
 * of a core of so many Hz.
 */
void hexagon_marks_begin(FILE *out, uint64_t clock_hz);

/* Takes lines "CYCLE THREAD PHASE", cut anywhere, and tells them to the recorder (mon_mark() of mon.h), if there is one. */
void hexagon_marks_add(const char *data, size_t size);

/* The program has ended at this cycle. False if the file could not be written. */
bool hexagon_marks_end(uint64_t cycle);

#endif
