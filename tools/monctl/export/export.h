/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings in the formats of other tools. */
#ifndef MONCTL_EXPORT_H
#define MONCTL_EXPORT_H

#include <stdbool.h>

#include "tools/monctl/record/recording.h"

/* A line for each interval, a column for each counter: what it counted in the interval; then metrics and runs. */
void export_csv(const struct recording *rec, FILE *out);
/* Trace of https://perfetto.dev: a track for each counter and for each device's runs. */
void export_perfetto(const struct recording *rec, FILE *out);

#endif
