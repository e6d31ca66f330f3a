/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of six DPUs on two modelled ranks of four, and a program for them. */
#ifndef TEST_UPMEM_API_H
#define TEST_UPMEM_API_H

#include <check.h>

#include "libmon/upmem/include/dpu.h"
#include "libmon/include/mon.h"
#include "dpu/include/model.h"
#include "tests/unit/upmem/fake.h"

extern struct dpu_set_t api_set;
extern void *api_image;
extern size_t api_image_size;

/*
 * in and out in WRAM, out = in + 1; 13 is a fault. data: 64 bytes of MRAM. private: not visible to
 * the host.
 */
extern const char api_program[];

/* Checked fixture; api_image is api_program for two tasklets. */
void api_setup(void);
void api_teardown(void);
/* Another program into api_image. */
void api_assemble(const char *text, unsigned int tasklets, enum dpu_arch_id arch);
/* api_image into all DPUs of the set. */
void api_load(void);

#endif
