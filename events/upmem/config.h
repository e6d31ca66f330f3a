/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The PMU upmem: attr.config. */
#ifndef UPMEM_CONFIG_WORDS_H
#define UPMEM_CONFIG_WORDS_H

#include "events/event.h"

/*
 * bydpu: in the DPU of that number alone; without it dpu is 0 and all DPUs are added up.
 * chain: both counters of the bank interface as one of 64 bits.
 */
#define UPMEM_FIELDS(FIELD) \
	FIELD(UPMEM, event, 0, 11) \
	FIELD(UPMEM, dpu, 12, 19) \
	FIELD(UPMEM, bydpu, 20, 20) \
	FIELD(UPMEM, chain, 21, 21)
MON_FIELDS(UPMEM_FIELDS);

#define UPMEM_CONFIG_EVENT	MON_FIELD(UPMEM, event)
#define UPMEM_CONFIG_DPU	MON_FIELD(UPMEM, dpu)
#define UPMEM_CONFIG_BYDPU	MON_FIELD(UPMEM, bydpu)
#define UPMEM_CONFIG_CHAIN	MON_FIELD(UPMEM, chain)
#define UPMEM_CONFIG_ALL	MON_FIELDS_ALL(UPMEM_FIELDS)

/* Places */
#define UPMEM_ON_DPU		0x1

/* Variants */
#define UPMEM_V1A		0x1
#define UPMEM_V1B		0x2

/*
 * UPMEM_<name>: the codes of the catalogue. Those up to UPMEM_BANK_EVENTS need a counter of the
 * bank interface.
 */
#define UPMEM_BANK_EVENTS	0xff
enum {
#define MON_EVENT(name, config, ...) UPMEM_##name = (config),
#include "events/upmem/events.def"
#undef MON_EVENT
};

#endif
