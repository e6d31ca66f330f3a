/* SPDX-License-Identifier: MIT */
/* Phases of a program, as libmon's mon.h has them for programs of the guest. */
#ifndef MON_H
#define MON_H

/*
 * Names the phase that the calling thread is in from now on: for monctl record, and for hexagon-run --marks. "" or NULL ends
 * the last one. At most 63 bytes of the name are kept.
 */
void mon_mark(const char *phase);

#endif
