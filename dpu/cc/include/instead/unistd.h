/* SPDX-License-Identifier: MIT */
#error "unistd.h: a DPU has no system calls; use stdio.h for the log and mram.h for the host's data"
