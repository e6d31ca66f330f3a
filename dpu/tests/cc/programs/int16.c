// SPDX-License-Identifier: GPL-2.0-only
#define T int16_t
#define N int16
#include "integer.h"
