// SPDX-License-Identifier: GPL-2.0-only
/* /dev/mrfld_agents: traffic of the emulated device's bus agents. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mon.h"
#include "mrfld-agents.h"

#define DEVICE "/dev/" MRFLD_AGENTS_DEVICE

struct mrfld_agents {
	int fd;
	void *buffer;
	size_t bytes;
};

static void explain(const char *what)
{
	int error = errno;

	switch (error) {
	case ENOENT:
	case ENXIO:
		mon_fail(ENODEV, "%s: there is no emulated Merrifield, or mrfld_visa is not loaded: modprobe mrfld_visa",
			 what);
		break;
	case EACCES:
	case EPERM:
		mon_fail(error, "%s: only root may drive the agents", what);
		break;
	case EBUSY:
		mon_fail(error, "%s: another program has the display", what);
		break;
	case EINVAL:
		mon_fail(error,
			 "%s: the device refuses it: check size, rate (at most 40 million requests a second) and geometry",
			 what);
		break;
	default:
		mon_fail(error, "%s: %s", what, strerror(error));
	}
}

static int call(struct mrfld_agents *agents, const char *what, unsigned long cmd, void *arg)
{
	if (!ioctl(agents->fd, cmd, arg))
		return 0;
	explain(what);
	return -1;
}

struct mrfld_agents *mrfld_agents_new(size_t bytes)
{
	struct mrfld_agents *agents = calloc(1, sizeof(*agents));
	__u64 size = bytes;
	int error;

	if (!agents) {
		mon_fail(ENOMEM, DEVICE ": out of memory");
		return NULL;
	}
	agents->buffer = MAP_FAILED;
	agents->bytes = bytes;
	agents->fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	if (agents->fd < 0) {
		explain(DEVICE);
		goto fail;
	}
	if (call(agents, "buffer", MRFLD_IOC_BUFFER, &size))
		goto fail;
	agents->buffer = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, agents->fd, 0);
	if (agents->buffer == MAP_FAILED) {
		explain("buffer");
		goto fail;
	}
	return agents;

fail:
	error = errno;
	mrfld_agents_free(agents);
	errno = error;
	return NULL;
}

void mrfld_agents_free(struct mrfld_agents *agents)
{
	if (!agents)
		return;
	if (agents->buffer != MAP_FAILED)
		munmap(agents->buffer, agents->bytes);
	if (agents->fd >= 0)
		close(agents->fd);
	free(agents);
}

void *mrfld_agents_get_buffer(const struct mrfld_agents *agents)
{
	return agents->buffer;
}

int mrfld_find_agent(const char *name)
{
	static const char *const names[] = { "gfx", "disp", "imaging", "lowspeedpf" };

	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcasecmp(name, names[i]))
			return i;
	return mon_fail(ENOENT, "%s: not an agent: use gfx, disp, imaging or lowspeedpf", name);
}

int mrfld_agents_move(struct mrfld_agents *agents, struct mrfld_agent_move *move)
{
	return call(agents, "move", MRFLD_IOC_MOVE, move);
}

int mrfld_agents_scanout(struct mrfld_agents *agents, const struct mrfld_scanout *scanout)
{
	return call(agents, "scan-out", MRFLD_IOC_SCANOUT, (void *)scanout);
}

int mrfld_agents_stop(struct mrfld_agents *agents)
{
	return call(agents, "scan-out", MRFLD_IOC_SCANOUT_STOP, NULL);
}

int mrfld_agents_status(struct mrfld_agents *agents, struct mrfld_scanout_status *status)
{
	return call(agents, "scan-out", MRFLD_IOC_SCANOUT_STATUS, status);
}

int mrfld_agents_fault(struct mrfld_agents *agents, const struct mrfld_fault *fault)
{
	return call(agents, "fault", MRFLD_IOC_FAULT, (void *)fault);
}
