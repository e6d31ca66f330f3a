/* SPDX-License-Identifier: MIT */
/* One tasklet waits for another's word; whoever comes first stops. */
#ifndef DPU_CC_HANDSHAKE_H
#define DPU_CC_HANDSHAKE_H

#include <sysdef.h>

void handshake_notify(void);
/* 0, or 1 if another tasklet waits for the same one already. */
int handshake_wait_for(sysname_t notifier);

#endif
