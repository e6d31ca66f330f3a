// SPDX-License-Identifier: GPL-2.0-only
#define REAL float
#define B uint32_t
#include "real-arithmetic.h"
