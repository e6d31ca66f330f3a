/* SPDX-License-Identifier: MIT */
#error "rpcmem.h: for programs of the host processor; use malloc(), or aligned_alloc(128, size) for vectors"
