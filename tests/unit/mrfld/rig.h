/* SPDX-License-Identifier: GPL-2.0-only */
/* A Merrifield uncore with memory, and the steps that every test needs. */
#ifndef MRFLD_RIG_H
#define MRFLD_RIG_H

#include <check.h>

#include "mrfld/soc.h"
#include "events/mrfld/regs.h"

#define RIG_MEM		(4u << 20)
#define RIG_TABLE	0x1000u		/* page tables */
#define RIG_WINDOW	0x100000u	/* first page of the windows */
#define RIG_PAGE	4096u

struct rig {
	struct mrfld_soc *soc;
	uint8_t *mem;
	uint64_t delayed_us;
	unsigned int errors;	/* guest errors reported */
};

/* A job of an agent; the other registers are derived. */
struct job {
	unsigned int agent;
	bool write;
	unsigned int size;	/* bytes of a request */
	uint64_t bytes;
	uint32_t rate;		/* kB/s */
	uint32_t window;	/* bytes; 0: RIG_PAGE * 16 */
	uint32_t seed;
	bool snoop;
};

struct rig *rig_new(const struct mrfld_params *params);	/* NULL: defaults */
void rig_free(struct rig *rig);

/* A message bus transaction as iosf_mbi does it: MCRX only if it is not zero. */
uint32_t rig_mbi_read(struct rig *rig, uint32_t port, uint32_t opcode, uint32_t offset);
void rig_mbi_write(struct rig *rig, uint32_t port, uint32_t opcode, uint32_t offset,
		   uint32_t value);

/* Counter unit. */
void rig_command(struct rig *rig, unsigned int counter, uint32_t opcode);
void rig_group(struct rig *rig, uint32_t group);	/* selects it and restarts all counters */
uint32_t rig_sample(struct rig *rig, unsigned int counter);

void rig_table(struct rig *rig, uint32_t bytes);	/* identity table of the window */
void rig_start(struct rig *rig, const struct job *job);
uint32_t rig_engine(struct rig *rig, unsigned int agent, uint32_t reg);
void rig_run(struct rig *rig);	/* to the end of all jobs */
void rig_pass(struct rig *rig, uint64_t ns);
/* Starts, runs to the end, and expects success. */
void rig_job(struct rig *rig, const struct job *job);

#endif
