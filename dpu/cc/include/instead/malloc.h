/* SPDX-License-Identifier: MIT */
#error "malloc.h: a DPU has no malloc(); use mem_alloc() of alloc.h, buddy_alloc.h or fsb_allocator.h"
