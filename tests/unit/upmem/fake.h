/* SPDX-License-Identifier: GPL-2.0-only */
/* A fake driver of /dev/dpu_rankN in this process: a modelled rank without kernel and QEMU. */
#ifndef TEST_UPMEM_FAKE_H
#define TEST_UPMEM_FAKE_H

#include "dpu/include/model.h"

/* Ranks 0 to ranks - 1, with dpus each; libmon uses them until fake_end(). */
void fake_begin(unsigned int ranks, unsigned int dpus, enum dpu_arch_id arch);
void fake_end(void);
/* How many ranks are open. */
unsigned int fake_open_ranks(void);

#endif
