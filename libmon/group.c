// SPDX-License-Identifier: LGPL-2.1-or-later
/* Groups of events: opened, enabled and read together. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libmon/internal.h"

struct mon_member {
	char *name;
	const struct mon_event *event;
	struct mon_config config;
};

struct mon_group {
	struct mon_pmu *pmu;		/* of all members */
	struct mon_member *member;
	size_t count;
	struct mon_perf *perf;		/* NULL while closed */
	pthread_mutex_t lock;		/* buffer */
	uint64_t *buffer;		/* what read(2) gives: count, enabled, running, values */
};

/* Words before the values in a group's read format. */
#define READ_HEAD 3

struct mon_group *mon_group_new(void)
{
	struct mon_group *group = calloc(1, sizeof(*group));

	if (!group) {
		mon_fail(ENOMEM, "group: out of memory");
		return NULL;
	}
	pthread_mutex_init(&group->lock, NULL);
	return group;
}

void mon_group_free(struct mon_group *group)
{
	if (!group)
		return;
	mon_group_close(group);
	while (group->count)
		free(group->member[--group->count].name);
	free(group->member);
	mon_pmu_free(group->pmu);
	pthread_mutex_destroy(&group->lock);
	free(group);
}

/* Checks that another event of the same PMU fits, and makes room for it. */
static int group_prepare(struct mon_group *group, const char *pmu, const char *event)
{
	struct mon_member *member;

	if (group->count == MON_GROUP_MAX)
		return mon_fail(E2BIG, "%s: a group has at most %d events", event, MON_GROUP_MAX);
	if (!group->pmu)
		group->pmu = mon_pmu_new(pmu);
	if (!group->pmu)
		return -1;
	if (strcmp(group->pmu->name, pmu))
		return mon_fail(EINVAL, "%s: the group counts %s: one group, one PMU", event,
				group->pmu->name);
	member = reallocarray(group->member, group->count + 1, sizeof(*member));
	if (!member)
		return mon_fail(ENOMEM, "%s: out of memory", event);
	group->member = member;
	memset(&member[group->count], 0, sizeof(*member));
	return 0;
}

static int explain_permission(const struct mon_group *group, const char *event, int error)
{
	char *path = mon_format("%s/sys/kernel/perf_event_paranoid", mon_procfs_root);
	char *level = path ? mon_read_text(path) : NULL;

	mon_fail(error,
		 "%s: no permission to count on the whole system: %s needs CAP_PERFMON or kernel.perf_event_paranoid at 0 or less (it is %s): sysctl kernel.perf_event_paranoid=0",
		 event, group->pmu->name, level ? level : "unknown");
	free(level);
	free(path);
	return -1;
}

static int explain_open(const struct mon_group *group, size_t index, int error)
{
	const char *event = group->member[index].name;

	switch (error) {
	case EACCES:
	case EPERM:
		return explain_permission(group, event, error);
	case EMFILE:
		return mon_fail(error,
				"%s: the limit of open files is %lu and the group needs %zu more: raise it with ulimit -n or LimitNOFILE",
				event, mon_nofile(), group->count - index);
	case ENFILE:
		return mon_fail(error, "%s: the system has no more open files: raise fs.file-max",
				event);
	case EINVAL:
		return mon_fail(error,
				"%s: the driver refuses it: the event, a format value or the group does not fit this device",
				event);
	case ENODEV:
	case ENOENT:
		return mon_pmu_missing(group->pmu->name);
	case ENOSYS:
		return mon_fail(error, "%s: this kernel has no perf events", event);
	default:
		return mon_fail(error, "%s: %s", event, strerror(error));
	}
}

/* Makes room in the buffer and opens one event of the group; returns 0 or a negative error. */
static int open_member(struct mon_group *group, size_t index)
{
	uint64_t *buffer = reallocarray(group->buffer, READ_HEAD + index + 1, sizeof(*buffer));
	int ret;

	if (!buffer)
		return -ENOMEM;
	group->buffer = buffer;
	buffer[1] = 0;
	ret = mon_perf_add(group->perf, &group->member[index].config);
	if (ret == -EMFILE && mon_raise_nofile())
		ret = mon_perf_add(group->perf, &group->member[index].config);
	return ret;
}

/* Completes the new member that group_prepare() has made room for. */
static int finish_add(struct mon_group *group, const char *event)
{
	size_t index = group->count;
	int ret;

	group->member[index].name = strdup(event);
	if (!group->member[index].name)
		return mon_fail(ENOMEM, "%s: out of memory", event);
	group->count++;
	ret = group->perf ? open_member(group, index) : 0;
	if (!ret)
		return index;
	explain_open(group, index, -ret);
	free(group->member[index].name);
	group->count--;
	return -1;
}

static int add_named(struct mon_group *group, const char *event, const char *pmu, char *terms)
{
	struct mon_member *member;
	size_t n = strlen(terms);

	if (n && terms[n - 1] == '/')
		terms[--n] = '\0';
	if (strchr(terms, '/'))
		return mon_fail(EINVAL, "%s: something follows the last /: these PMUs have no modifiers", event);
	if (!n)
		return mon_fail(EINVAL, "%s: not an event: write PMU/EVENT/", event);
	if (group_prepare(group, pmu, event))
		return -1;
	member = &group->member[group->count];
	if (mon_pmu_parse_terms(group->pmu, terms, event, &member->config, &member->event))
		return -1;
	return finish_add(group, event);
}

int mon_group_add(struct mon_group *group, const char *event)
{
	char *pmu = strdup(event), *slash = pmu ? strchr(pmu, '/') : NULL;
	int ret;

	if (!pmu)
		return mon_fail(ENOMEM, "%s: out of memory", event);
	if (strpbrk(event, "{}")) {
		ret = mon_fail(EINVAL, "%s: leave { } out: the events of one PMU count together anyhow", event);
	} else if (slash) {
		*slash = '\0';
		ret = add_named(group, event, pmu, slash + 1);
	} else {
		ret = mon_fail(EINVAL, "%s: not an event: write PMU/EVENT/", event);
	}
	free(pmu);
	return ret;
}

int mon_group_add_config(struct mon_group *group, const struct mon_pmu *pmu, uint64_t config)
{
	struct mon_member *member;
	char name[128];

	snprintf(name, sizeof(name), "%s/config=%#llx/", pmu->name, (unsigned long long)config);
	if (group_prepare(group, pmu->name, name))
		return -1;
	member = &group->member[group->count];
	member->config.word[0] = config;
	if (mon_pmu_check_place(group->pmu, &member->config, name))
		return -1;
	return finish_add(group, name);
}

int mon_group_open(struct mon_group *group)
{
	size_t i;
	int ret;

	if (group->perf)
		return mon_fail(EBUSY, "%s: the group is open", group->pmu->name);
	if (!group->count)
		return mon_fail(EBADF, "group: has no event");
	group->perf = mon_perf_new(group->pmu->type, group->pmu->cpu);
	if (!group->perf)
		return mon_fail(ENOMEM, "%s: out of memory", group->pmu->name);
	for (i = 0; i < group->count; i++) {
		ret = open_member(group, i);
		if (ret) {
			mon_group_close(group);
			return explain_open(group, i, -ret);
		}
	}
	return 0;
}

void mon_group_close(struct mon_group *group)
{
	mon_perf_free(group->perf);
	group->perf = NULL;
	free(group->buffer);
	group->buffer = NULL;
}

static int closed(const struct mon_group *group)
{
	return mon_fail(EBADF, "%s: the group is not open", group->pmu ? group->pmu->name : "group");
}

static int explain(const struct mon_group *group, const char *what, int error)
{
	const char *pmu = group->pmu->name;

	switch (error) {
	case EIO:
		return mon_fail(error,
				"%s: the device did not answer or lost counts: read again",
				pmu);
	case ENODEV:
		return mon_fail(error, "%s: the device went away", pmu);
	default:
		return mon_fail(error, "%s: cannot %s the group: %s", pmu, what, strerror(error));
	}
}

static int group_result(const struct mon_group *group, const char *what, int ret)
{
	return ret ? explain(group, what, -ret) : 0;
}

int mon_group_enable(struct mon_group *group)
{
	return group->perf ? group_result(group, "enable", mon_perf_enable(group->perf)) :
	       closed(group);
}

int mon_group_disable(struct mon_group *group)
{
	return group->perf ? group_result(group, "disable", mon_perf_disable(group->perf)) :
	       closed(group);
}

int mon_group_reset(struct mon_group *group)
{
	return group->perf ? group_result(group, "reset", mon_perf_reset(group->perf)) :
	       closed(group);
}

size_t mon_group_get_count(const struct mon_group *group)
{
	return group->count;
}

const struct mon_pmu *mon_group_get_pmu(const struct mon_group *group)
{
	return group->pmu;
}

const char *mon_group_get_name(const struct mon_group *group, size_t index)
{
	return index < group->count ? group->member[index].name : NULL;
}

const struct mon_event *mon_group_get_event(const struct mon_group *group, size_t index)
{
	return index < group->count ? group->member[index].event : NULL;
}

uint64_t mon_group_get_config(const struct mon_group *group, size_t index, unsigned int word)
{
	return index < group->count && word < 3 ? group->member[index].config.word[word] : 0;
}

int mon_group_get_fd(const struct mon_group *group, size_t index)
{
	if (!group->perf)
		return closed(group);
	if (index >= group->count)
		return mon_fail(EINVAL, "%s: the group has %zu events: index %zu", group->pmu->name,
				group->count, index);
	return mon_perf_fd(group->perf, index);
}

/* Fills the group's buffer; call with its lock held. */
static int fill_buffer(struct mon_group *group)
{
	size_t size = (READ_HEAD + group->count) * sizeof(*group->buffer);
	uint64_t enabled = group->buffer[1];
	ssize_t n;

	do {
		n = read(mon_perf_fd(group->perf, 0), group->buffer, size);
	} while (n < 0 && errno == EINTR);
	if (n == (ssize_t)size) {
		/* a PMU may be gone whose events' time stands still: no other read needs a second system call */
		if (group->buffer[1] == enabled && mon_perf_is_gone(group->perf))
			return explain(group, "read", ENODEV);
		return 0;
	}
	/* read() returns 0 if the kernel has put an event into the error state. */
	return explain(group, "read", n < 0 ? errno : ENODEV);
}

int mon_group_read(struct mon_group *group, uint64_t *values, size_t nvalues,
		   struct mon_times *times)
{
	int ret;

	if (!group->perf)
		return closed(group);
	if (nvalues < group->count)
		return mon_fail(EINVAL, "%s: the group has %zu events, the array has room for %zu",
				group->pmu->name, group->count, nvalues);
	pthread_mutex_lock(&group->lock);
	ret = fill_buffer(group);
	if (!ret) {
		memcpy(values, group->buffer + READ_HEAD, group->count * sizeof(*values));
		if (times) {
			times->enabled = group->buffer[1];
			times->running = group->buffer[2];
		}
	}
	pthread_mutex_unlock(&group->lock);
	return ret;
}

double mon_scale(uint64_t value, const struct mon_times *times)
{
	if (!times->running)
		return 0;
	return (double)value * ((double)times->enabled / (double)times->running);
}
