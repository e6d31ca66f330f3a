// SPDX-License-Identifier: GPL-2.0-only
#define REAL double
#define B uint64_t
#include "real-arithmetic.h"
