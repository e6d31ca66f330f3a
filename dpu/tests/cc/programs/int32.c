// SPDX-License-Identifier: GPL-2.0-only
#define T int32_t
#define N int32
#include "integer.h"
