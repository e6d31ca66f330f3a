/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The PMU mrfld_visa: attr.config. */
#ifndef MRFLD_VISA_CONFIG_WORDS_H
#define MRFLD_VISA_CONFIG_WORDS_H

#include "events/event.h"

/* Group 0, counter 0 is the clock of the programmed group, whichever it is. */
#define MRFLD_CONFIG_COUNTER	MON_BITS(0, 7)
#define MRFLD_CONFIG_GROUP	MON_BITS(8, 15)
#define MRFLD_CONFIG_ALL	(MRFLD_CONFIG_COUNTER | MRFLD_CONFIG_GROUP)

#define MRFLD_EVENT(group, counter)	(MON_PUT(MRFLD_CONFIG_GROUP, group) | (counter))
#define MRFLD_IN_GROUP(group)		(1 << (group))

/* MRFLD_<name>: the codes of the catalogue. */
enum {
#define MON_EVENT(name, config, ...) MRFLD_##name = (config),
#include "events/mrfld/events.def"
#undef MON_EVENT
};

#endif
