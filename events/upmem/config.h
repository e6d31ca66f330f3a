/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The PMU upmem: attr.config. */
#ifndef UPMEM_CONFIG_WORDS_H
#define UPMEM_CONFIG_WORDS_H

#include "events/event.h"

/*
 * bydpu: count in that DPU only; without it dpu is 0 and the count is the sum of all DPUs.
 * chain: both counters of the bank interface as one of 64 bits.
 */
#define UPMEM_CONFIG_EVENT	MON_BITS(0, 11)
#define UPMEM_CONFIG_DPU	MON_BITS(12, 19)
#define UPMEM_CONFIG_BYDPU	MON_BITS(20, 20)
#define UPMEM_CONFIG_CHAIN	MON_BITS(21, 21)
#define UPMEM_CONFIG_ALL	\
	(UPMEM_CONFIG_EVENT | UPMEM_CONFIG_DPU | \
	 UPMEM_CONFIG_BYDPU | UPMEM_CONFIG_CHAIN)

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
