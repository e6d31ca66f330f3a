// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events of a DPU: perf's, or in the simulator differences of the model's totals. */
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "events/upmem/config.h"
#include "libmon/upmem/internal.h"

static int open_perf(const struct dpu_t *dpu, uint64_t event, enum dpu_event_kind kind, int leader)
{
	struct mon_pmu *pmu = mon_pmu_new(dpu->rank->info.pmu);
	struct perf_event_attr attr = { .size = sizeof(attr) };
	int fd;

	if (!pmu)
		return -1;
	attr.type = mon_pmu_get_type(pmu);
	attr.config = event | MON_PUT(UPMEM_CONFIG_DPU, dpu->index) | UPMEM_CONFIG_BYDPU;
	attr.pinned = kind == DPU_EVENT_PINNED;
	if (kind == DPU_EVENT_GROUPED)
		attr.read_format = PERF_FORMAT_GROUP;
	fd = syscall(SYS_perf_event_open, &attr, -1, mon_pmu_get_cpu(pmu), leader,
		     PERF_FLAG_FD_CLOEXEC);
	if (fd < 0) {
		int error = errno;

		mon_fail(error, "event 0x%llx of DPU %u in %s: %s%s", (unsigned long long)event,
			 dpu->index, dpu->rank->info.pmu, strerror(error),
			 error == EACCES || error == EPERM ?
			 ": run as root, with CAP_PERFMON, or with kernel.perf_event_paranoid=0" : "");
	}
	mon_pmu_free(pmu);
	return fd;
}

bool dpu_event_open(struct dpu_event *e, const struct dpu_t *dpu, uint64_t event, enum dpu_event_kind kind,
		    const struct dpu_event *leader)
{
	struct dpu_event opened = { .open = true, .perf = !dpu->rank->device->simulator, .dpu = dpu->index };

	opened.event = MON_GET(UPMEM_CONFIG_EVENT, event);
	if (opened.perf)
		opened.fd = open_perf(dpu, event, kind, leader ? leader->fd : -1);
	else
		opened.fd = dpu->rank->fd;
	if (opened.fd < 0 ||
	    (!opened.perf && !dpu_simulator_total(opened.fd, opened.dpu, opened.event, &opened.base)))
		return false;
	*e = opened;
	return true;
}

static bool read_simulator(const struct dpu_event *e, uint64_t *value)
{
	*value = e->value;
	if (e->stopped)
		return true;
	if (!dpu_simulator_total(e->fd, e->dpu, e->event, value))
		return false;
	*value -= e->base;
	return true;
}

/* A pinned event that has not got its counter reads as end of file. */
bool dpu_event_read(const struct dpu_event *e, uint64_t *values, unsigned int count)
{
	uint64_t group[3];	/* how many, and they */

	if (!e->perf) {
		for (unsigned int i = 0; i < count; i++)
			if (!read_simulator(&e[i], &values[i]))
				return false;
		return true;
	}
	if (count == 1)
		return read(e->fd, values, sizeof(*values)) == sizeof(*values);
	if (read(e->fd, group, sizeof(group)) != sizeof(group))
		return false;
	memcpy(values, group + 1, count * sizeof(*values));
	return true;
}

bool dpu_event_stop(struct dpu_event *e)
{
	if (e->perf)
		return !ioctl(e->fd, PERF_EVENT_IOC_DISABLE, 0);
	e->stopped = read_simulator(e, &e->value);
	return e->stopped;
}

void dpu_event_close(struct dpu_event *e)
{
	if (e->open && e->perf)
		close(e->fd);
	e->open = false;
}
