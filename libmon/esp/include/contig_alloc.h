/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* contig_alloc.h - policies and ioctls of /dev/contig_alloc, under ESP's file name. */
#ifndef CONTIG_ALLOC_H
#define CONTIG_ALLOC_H

#include "events/esp/uapi.h"

typedef struct contig_khandle_struct *contig_khandle_t;

#endif
