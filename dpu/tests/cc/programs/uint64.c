// SPDX-License-Identifier: GPL-2.0-only
#define T uint64_t
#define N uint64
#include "integer.h"
