/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dpu_log.h - dpulog_read_for_dpu() is declared in dpu.h. */
#ifndef DPU_LOG_H
#define DPU_LOG_H

#include "dpu.h"

#endif
