/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* vitdodec_stratus.h - ioctl of the accelerator VITDODEC_STRATUS, under ESP's name of it. */
#ifndef LIBMON_VITDODEC_STRATUS_H
#define LIBMON_VITDODEC_STRATUS_H

#include "esp.h"
#include "events/espmon/vitdodec_stratus.h"

#endif
