/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traffic of the emulated Merrifield's bus agents, through /dev/mrfld_agents (structures and limits:
 * events/mrfld/uapi.h). For mrfld-traffic and the tests; real silicon has no such device.
 *
 * Errors as in mon.h.
 */
#ifndef MRFLD_AGENTS_H
#define MRFLD_AGENTS_H

#include <stddef.h>

#include "events/mrfld/uapi.h"

struct mrfld_agents;

/* With a buffer of that many bytes, at most MRFLD_MAX_BUFFER. ENODEV: no emulated device. */
struct mrfld_agents *mrfld_agents_new(size_t bytes);
void mrfld_agents_free(struct mrfld_agents *agents);
void *mrfld_agents_get_buffer(const struct mrfld_agents *agents);
/* Number of an agent: gfx, disp, imaging or lowspeedpf; ENOENT. */
int mrfld_find_agent(const char *name);
/* Runs a job to its end. EINTR: a signal ended it, move->moved bytes are done. */
int mrfld_agents_move(struct mrfld_agents *agents, struct mrfld_agent_move *move);
/* EBUSY: somebody else has the display. It stops at mrfld_agents_free() at the latest. */
int mrfld_agents_scanout(struct mrfld_agents *agents, const struct mrfld_scanout *scanout);
int mrfld_agents_stop(struct mrfld_agents *agents);
int mrfld_agents_status(struct mrfld_agents *agents, struct mrfld_scanout_status *status);
/* Fault injection, for tests. */
int mrfld_agents_fault(struct mrfld_agents *agents, const struct mrfld_fault *fault);

#endif
