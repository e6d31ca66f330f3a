/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The PMU hexagon: attr.config and the versions of the core. */
#ifndef HEXAGON_CONFIG_WORDS_H
#define HEXAGON_CONFIG_WORDS_H

#include "events/event.h"

/* stid: only threads with that STID; 0: all */
#define HEXAGON_CONFIG_EVENT	MON_BITS(0, 9)
#define HEXAGON_CONFIG_STID	MON_BITS(16, 23)
#define HEXAGON_CONFIG_ALL	(HEXAGON_CONFIG_EVENT | HEXAGON_CONFIG_STID)

/* Places */
#define HEXAGON_ON_CORE		0x1
#define HEXAGON_ON_THREAD		0x2

/* Variants */
#define HEXAGON_V65		0x01
#define HEXAGON_V66		0x02	/* no public table exists: no event has it */
#define HEXAGON_V68		0x04	/* only the selectors that other documents mention */
#define HEXAGON_V69		0x08
#define HEXAGON_V73		0x10
#define HEXAGON_V75		0x20	/* only the selectors that other documents mention for it */
#define HEXAGON_V79		0x40
#define HEXAGON_V65_OWN		0x80	/* names and selectors that V65 alone has */

/* The variant of a core's version, which is two decimal digits; 0: there is no table. */
static inline unsigned int hexagon_variant(unsigned int core)
{
	switch (core) {
	case 65:
		return HEXAGON_V65;
	case 69:
		return HEXAGON_V69;
	case 73:
		return HEXAGON_V73;
	case 79:
		return HEXAGON_V79;
	default:
		return 0;
	}
}

#endif
