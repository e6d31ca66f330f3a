// SPDX-License-Identifier: GPL-2.0-only
#define T uint32_t
#define N uint32
#include "integer.h"
