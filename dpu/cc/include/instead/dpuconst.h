/* SPDX-License-Identifier: MIT */
#error "dpuconst.h: belongs to the SDK's own runtime; use defs.h and sysdef.h"
