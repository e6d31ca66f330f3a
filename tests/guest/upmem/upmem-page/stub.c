// SPDX-License-Identifier: GPL-2.0-only
/* The library that prebuilt.c is linked to, as libdpu.so.2021.3: symbols without code. */
#include <stdio.h>
#include <stdlib.h>

#define STUB(name) \
	void name(void); \
	void name(void) \
	{ \
		puts("the stub's " #name); \
		exit(3); \
	}

STUB(dpu_alloc)
STUB(dpu_free)
STUB(dpu_load)
STUB(dpu_launch)
STUB(dpu_get_nr_dpus)
STUB(dpu_copy_to)
STUB(dpu_copy_from)
STUB(dpu_prepare_xfer)
STUB(dpu_push_xfer)
STUB(dpu_log_read)
STUB(dpu_error_to_string)
STUB(dpu_set_dpu_iterator_from)
STUB(dpu_set_dpu_iterator_next)
