/* SPDX-License-Identifier: GPL-2.0-only */
/* Preprocessed C for a target whose long has 32 bits, from C whose long has 64. */
#ifndef MON_DPU_CC_TOKEN_H
#define MON_DPU_CC_TOKEN_H

#include "tools/dpu-cc/text.h"

void cc_widen_long(const char *source, struct cc_text *out);

#endif
