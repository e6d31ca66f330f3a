/* SPDX-License-Identifier: GPL-2.0-only */
/* For the unit tests: the part of the kernel's header that the drivers need. */
#include <string.h>
