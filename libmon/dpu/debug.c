// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Simulated DPUs and dpu-dbg: one DPU that it executes in its own process, and cores of DPUs that faulted.
 *
 * dpu-dbg starts the host program with LIBMON_DPU_DEBUG=SOCKET,FILE,RANK,DPU. When the DPU is launched its state
 * goes to the file and a byte to the socket; a byte from there says that the state of the end is in the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libmon/dpu/debug.h"
#include "upmem/core.h"

struct debugged {
	int socket, file;
	unsigned int rank, dpu;
};

static bool get_debugged(struct debugged *d)
{
	const char *text = getenv("LIBMON_DPU_DEBUG");

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
	const char *prefix = getenv("LIBMON_DPU_CORE");
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
