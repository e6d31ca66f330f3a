/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of libmon/mrfld share. */
#ifndef LIBMON_MRFLD_H
#define LIBMON_MRFLD_H

#include "libmon/mrfld/include/mon_mrfld.h"

struct mrfld_event {
	const char *name;
	const char *scale;	/* MB a count, or "" if the size is unknown */
};

/* NULL if the group does not have that counter. */
const struct mrfld_event *mrfld_event(int group, unsigned int counter);

#endif
