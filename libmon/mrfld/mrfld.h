/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Between the files of libmon/mrfld. */
#ifndef LIBMON_MRFLD_H
#define LIBMON_MRFLD_H

#include "libmon/include/mon_mrfld.h"

struct mrfld_event {
	const char *name;
	const char *scale;	/* MB a count, "" if the size is not known */
};

/* NULL if the group has no such counter. */
const struct mrfld_event *mrfld_event(int group, unsigned int counter);

#endif
