/* SPDX-License-Identifier: GPL-2.0-only */
/* Converts preprocessed C with 64-bit long to C for a target with 32-bit long. */
#ifndef MON_DPU_CC_TOKEN_H
#define MON_DPU_CC_TOKEN_H

#include "dpu/cc/text.h"

void cc_widen_long(const char *source, struct cc_text *out);

#endif
