// SPDX-License-Identifier: GPL-2.0-only
#define T uint8_t
#define N uint8
#include "integer.h"
