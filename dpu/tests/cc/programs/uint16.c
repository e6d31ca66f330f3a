// SPDX-License-Identifier: GPL-2.0-only
#define T uint16_t
#define N uint16
#include "integer.h"
