/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The PMU scratch: attr.config. */
#ifndef SCRATCH_CONFIG_WORDS_H
#define SCRATCH_CONFIG_WORDS_H

#include "events/event.h"

#define SCRATCH_CONFIG_EVENT	MON_BITS(0, 0)

#endif
