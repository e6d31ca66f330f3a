// SPDX-License-Identifier: LGPL-2.1-or-later
/* Groups of perf events: perf_event_open(2) and its ioctls. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "libmon/internal.h"

struct mon_perf {
	uint32_t type;
	int cpu;
	int *fd;
	size_t count, room;
};

struct mon_perf *mon_perf_new(uint32_t type, int cpu)
{
	struct mon_perf *perf = calloc(1, sizeof(*perf));

	if (!perf)
		return NULL;
	perf->type = type;
	perf->cpu = cpu;
	return perf;
}

/* Closes members first: when a leader is closed, the kernel makes its members single events. */
void mon_perf_free(struct mon_perf *perf)
{
	if (!perf)
		return;
	while (perf->count)
		close(perf->fd[--perf->count]);
	free(perf->fd);
	free(perf);
}

int mon_perf_fd(const struct mon_perf *perf, size_t index)
{
	return perf->fd[index];
}

static bool make_room(struct mon_perf *perf)
{
	size_t room = perf->room ? 2 * perf->room : 8;
	int *fd;

	if (perf->count < perf->room)
		return true;
	fd = reallocarray(perf->fd, room, sizeof(*fd));
	if (!fd)
		return false;
	perf->fd = fd;
	perf->room = room;
	return true;
}

int mon_perf_add(struct mon_perf *perf, const struct mon_config *config)
{
	struct perf_event_attr attr = {
		.type = perf->type,
		.size = sizeof(attr),
		.config = config->word[0],
		.config1 = config->word[1],
		.config2 = config->word[2],
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		/* The first event is the leader. */
		.disabled = perf->count == 0,
	};
	int leader = perf->count ? perf->fd[0] : -1, fd;

	if (!make_room(perf))
		return -ENOMEM;
	/* pid -1: all processes on that CPU */
	fd = syscall(SYS_perf_event_open, &attr, -1, perf->cpu, leader, (unsigned long)PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	perf->fd[perf->count++] = fd;
	return 0;
}

static int leader_ioctl(struct mon_perf *perf, unsigned long request, unsigned long flags)
{
	return ioctl(mon_perf_fd(perf, 0), request, flags) < 0 ? -errno : 0;
}

int mon_perf_enable(struct mon_perf *perf)
{
	/* The members are enabled already; enabling the leader starts all at one instant. */
	return leader_ioctl(perf, PERF_EVENT_IOC_ENABLE, 0);
}

int mon_perf_disable(struct mon_perf *perf)
{
	return leader_ioctl(perf, PERF_EVENT_IOC_DISABLE, 0);
}

int mon_perf_reset(struct mon_perf *perf)
{
	return leader_ioctl(perf, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
}

bool mon_perf_is_gone(const struct mon_perf *perf)
{
	struct pollfd leader = { .fd = mon_perf_fd(perf, 0) };

	return poll(&leader, 1, 0) > 0 && (leader.revents & POLLERR);
}
