// SPDX-License-Identifier: GPL-2.0-only
#define T int8_t
#define N int8
#include "integer.h"
