// SPDX-License-Identifier: GPL-2.0-only
#define T int64_t
#define N int64
#include "integer.h"
