/* SPDX-License-Identifier: MIT */
#error "qurt_tlb.h: a program of Linux does not see the TLB"
