/* SPDX-License-Identifier: MIT */
#error "devprivate.h: internal to UPMEM's SDK; use defs.h, sysdef.h and built_ins.h"
