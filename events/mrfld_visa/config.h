/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The PMU mrfld_visa: attr.config. */
#ifndef MRFLD_VISA_CONFIG_WORDS_H
#define MRFLD_VISA_CONFIG_WORDS_H

#include "events/event.h"

#define MRFLD_FIELDS(FIELD) \
	FIELD(MRFLD, counter, 0, 7) \
	FIELD(MRFLD, group, 8, 15)
MON_FIELDS(MRFLD_FIELDS);

/* Group 0, counter 0 is the clock of whichever group is programmed. */
#define MRFLD_CONFIG_COUNTER	MON_FIELD(MRFLD, counter)
#define MRFLD_CONFIG_GROUP	MON_FIELD(MRFLD, group)
#define MRFLD_CONFIG_ALL	MON_FIELDS_ALL(MRFLD_FIELDS)

#define MRFLD_EVENT(group, counter)	((group) << MRFLD_group_FIRST | (counter))
#define MRFLD_IN_GROUP(group)		(1 << (group))

/* MRFLD_<name>: the codes of the catalogue. */
enum {
#define MON_EVENT(name, config, ...) MRFLD_##name = (config),
#include "events/mrfld_visa/events.def"
#undef MON_EVENT
};

#endif
