// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * DPUs and dpu-dbg: one DPU of the simulator that it executes in its own process, and cores of DPUs that faulted.
 * dpu/include/core.h describes what both say to each other.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libmon/upmem/debug.h"
#include "events/upmem/regs.h"
#include "dpu/include/core.h"
#include "dpu/include/debug.h"

struct debugged {
	int socket, file;
	unsigned int rank, dpu;
};

static bool get_debugged(struct debugged *d)
{
	const char *text = secure_getenv(DPU_DEBUG_VARIABLE);

	return text && sscanf(text, "%d,%d,%u,%u", &d->socket, &d->file, &d->rank, &d->dpu) == 4;
}

bool dpu_debug_is(uint32_t rank, unsigned int dpu)
{
	struct debugged d;

	return get_debugged(&d) && d.rank == rank && d.dpu == dpu;
}

/* Without a debugger any more the DPU runs here. */
enum dpu_state dpu_debug_run(struct dpu *dpu, const struct dpu_program *program, uint64_t max_turns)
{
	struct debugged d;
	char byte = 0;

	if (!get_debugged(&d) || !dpu_core_write(d.file, dpu, program) || send(d.socket, &byte, 1, MSG_NOSIGNAL) != 1 ||
	    recv(d.socket, &byte, 1, 0) != 1 || !dpu_core_restore(d.file, dpu))
		return dpu_run(dpu, max_turns);
	return dpu_state(dpu);
}

void dpu_debug_core(const struct dpu *dpu, const struct dpu_program *program, uint32_t rank, unsigned int index)
{
	const char *prefix = secure_getenv("LIBMON_DPU_CORE");
	char *path = prefix ? mon_format("%s-%u-%u.core", prefix, rank, index) : NULL;
	int fd;

	if (!path)
		return;
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || !dpu_core_write(fd, dpu, program))
		fprintf(stderr, "libmon-dpu: LIBMON_DPU_CORE: %s: %s\n", path, strerror(errno));
	else
		fprintf(stderr, "libmon-dpu: DPU %u of rank %u has faulted: dpu-dbg %s\n", index, rank, path);
	if (fd >= 0)
		close(fd);
	free(path);
}

/* A DPU as the device's, without MRAM. False if the device offers no state, or that of another version. */
static bool get_device_state(struct dpu_t *from, struct dpu *dpu)
{
	uint32_t size = (dpu_save_size() + 7) & ~UINT32_C(7);
	void *state = calloc(1, size);
	uint64_t behind;
	bool ok = state && !dpu_transfer(from, UPMEM_FROM_DPU, UPMEM_STATE_MARK, state, size) &&
		  dpu_transfer(from, UPMEM_FROM_DPU, UPMEM_STATE_MARK + size, &behind, sizeof(behind)) &&
		  dpu_restore(dpu, state);

	free(state);
	return ok;
}

static bool get_device_mram(struct dpu_t *from, struct dpu *dpu)
{
	enum { PIECE = 1 << 20, PAGE = 4096 };
	static const char zero[PAGE];
	char *piece = malloc(PIECE);
	bool ok = piece;

	for (uint32_t at = 0; ok && at < DPU_MRAM_SIZE; at += PIECE) {
		ok = !dpu_transfer(from, UPMEM_FROM_DPU, DPU_MRAM_FLAG + at, piece, PIECE);
		/* pages of zeroes need no memory */
		for (uint32_t page = 0; ok && page < PIECE; page += PAGE)
			if (memcmp(piece + page, zero, PAGE))
				dpu_poke(dpu, DPU_MRAM, at + page, piece + page, PAGE);
	}
	free(piece);
	return ok;
}

static void device_core(struct dpu_t *from)
{
	const struct dpu_rank_t *rank = from->rank;
	bool v1b = rank->info.chip_id >= UPMEM_CHIP_ID_V1B;
	struct dpu *dpu = dpu_new(&dpu_archs[v1b ? DPU_ARCH_V1B : DPU_ARCH_V1A], &dpu_timing_default,
				  rank->info.clock_hz, NULL);

	if (dpu && get_device_state(from, dpu) && get_device_mram(from, dpu))
		dpu_debug_core(dpu, from->program->elf, rank->id, from->index);
	else
		fprintf(stderr, "libmon-dpu: LIBMON_DPU_CORE: dpu_rank%u does not offer the state of its DPUs, or is of another "
			"version: use the same version in the emulator and here\n", rank->id);
	dpu_destroy(dpu);
}

void dpu_debug_device_cores(struct dpu_rank_t *rank, uint64_t mask)
{
	if (rank->device->simulator || !secure_getenv("LIBMON_DPU_CORE"))
		return;
	for (uint32_t i = 0; i < rank->info.dpus; i++)
		if (mask >> i & 1 && rank->dpus[i].program)
			device_core(&rank->dpus[i]);
}
