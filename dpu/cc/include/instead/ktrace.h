/* SPDX-License-Identifier: MIT */
#error "ktrace.h: a DPU has no trace of the SDK's own; use printf of stdio.h, or dpu-run --trace"
