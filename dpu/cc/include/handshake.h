/* SPDX-License-Identifier: MIT */
/* Handshakes: one tasklet waits for another's notification; the first of the two stops. */
#ifndef DPU_CC_HANDSHAKE_H
#define DPU_CC_HANDSHAKE_H

#include <sysdef.h>

void handshake_notify(void);
/* Returns 0, or 1 if another tasklet already waits for the same one. */
int handshake_wait_for(sysname_t notifier);

#endif
