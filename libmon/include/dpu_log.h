/* SPDX-License-Identifier: GPL-2.0-only */
/* dpu_log.h - dpulog_read_for_dpu() is declared in dpu.h. */
#ifndef DPU_LOG_H
#define DPU_LOG_H

#include "dpu.h"

#endif
