/* SPDX-License-Identifier: GPL-2.0-only */
/* Short turns of virtual processors that share one host thread. */
#ifndef MON_TURNS_H
#define MON_TURNS_H

/*
 * Call it before the machine is created. Does nothing if processors have threads of their own or yield by
 * themselves.
 */
void turns_start(void);

#endif
