/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of recordings share. */
#ifndef MONCTL_RECORDING_INTERNAL_H
#define MONCTL_RECORDING_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/monctl/record/recording.h"

struct rec_field {
	unsigned int offset, size;	/* in the raw data of a tracepoint's record */
};

/* A tracepoint: its fields in the record. */
struct rec_mark_kind {
	size_t attr;
	const char *system;
	bool is_begin;
	struct rec_field device, place, pid, user, about;	/* about: of no size if it is missing */
};

void mark_free(struct rec_mark *mark);

#endif
