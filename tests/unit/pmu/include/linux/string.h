/* SPDX-License-Identifier: GPL-2.0-only */
/* For the unit tests: what the drivers need of the kernel's header of this name. */
#include <string.h>
