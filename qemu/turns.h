/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MON_TURNS_H
#define MON_TURNS_H

/* Before the machine is made. Does nothing where processors have threads of their own, or yield by themselves. */
void turns_start(void);

#endif
