// SPDX-License-Identifier: GPL-2.0-only
/* Opens, starts and reads the groups of a recording. */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "tools/monctl/record/sampler.h"

/* Linux limits a group's reading to 16 KiB (perf_event_validate_size()); a member of perf record has 24 bytes. */
#define GROUP_MEMBERS 680

/* Bytes of each processor's buffer for runs: 4000 begins or ends between two looks. */
#define MARK_BUFFER (512 * 1024)

/* All samples have times of one clock, which programs can read as well. */
static struct perf_event_attr base_attr(uint32_t type, uint64_t config)
{
	return (struct perf_event_attr){
		.type = type, .size = sizeof(struct perf_event_attr), .config = config,
		.use_clockid = 1, .clockid = CLOCK_MONOTONIC,
		.sample_id_all = 1,
	};
}

/* Adds an event that is open: its identifiers are known. */
static void add_event(struct sampler *s, const char *name, const struct perf_event_attr *attr,
		      const struct evlist *list, size_t index)
{
	struct perfdata_event *event;

	s->event = grow(s->event, s->count, sizeof(*s->event));
	event = &s->event[s->count++];
	*event = (struct perfdata_event){ .name = name, .attr = *attr };
	event->ids = evlist_ids(list, index, &event->nids);
	if (!event->ids)
		die("%s: no identifier: %s", name, strerror(errno));
	s->first_foreign = s->count;
}

size_t sampler_add_foreign(struct sampler *s, const struct perfdata_event *event)
{
	s->event = grow(s->event, s->count, sizeof(*s->event));
	s->event[s->count] = *event;
	return s->count++;
}

/* Returns the bytes of a buffer for two seconds of a group's samples. */
static size_t buffer_bytes(size_t members, uint64_t interval)
{
	size_t sample = sizeof(struct perfdata_sample) + sizeof(struct perfdata_reading) +
			members * sizeof(struct perfdata_value);
	size_t wanted = 2 * sample * (NS_PER_S / interval + 1), bytes = 512 * 1024;

	while (bytes < wanted && bytes < 64 * 1024 * 1024)
		bytes *= 2;
	return bytes;
}

static void map_list(struct evlist *list, size_t bytes)
{
	int error = -evlist_map(list, bytes);

	if (error)
		die("a buffer of %zu KiB for a processor's samples: %s: raise kernel.perf_event_mlock_kb or run as root",
		    bytes / 1024, strerror(error));
}

static struct evlist *new_list(int cpu)
{
	struct evlist *list = evlist_new(cpu);

	if (!list)
		die("out of memory");
	return list;
}

/* ---- counters ---- */

static void open_leader(struct sampler *s, int cpu)
{
	struct perf_event_attr attr = base_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	struct evlist *list = new_list(cpu);
	int error;

	attr.sample_period = s->interval;
	attr.sample_type = PERFDATA_COUNTER_SAMPLE;
	attr.read_format = PERFDATA_READ_FORMAT;
	attr.disabled = 1;
	attr.watermark = 1;
	attr.wakeup_watermark = 128 * 1024;
	error = -evlist_add(list, &attr, false);
	if (error == EACCES || error == EPERM)
		die("no permission to sample on the whole system: run as root, or with CAP_PERFMON, or with kernel.perf_event_paranoid at -1: sysctl kernel.perf_event_paranoid=-1");
	if (error)
		die("cpu-clock: %s", strerror(error));
	s->group = grow(s->group, s->ngroups, sizeof(*s->group));
	s->group[s->ngroups++] = (struct sample_group){ .list = list, .leader = s->count, .count = 1, .cpu = cpu };
	add_event(s, "cpu-clock", &attr, list, 0);
}

/* The events of a PMU whose counters were left out. */
struct left_out {
	const char *pmu;
	char *names, *last;
};

/* Returns false if the hardware cannot count it together with the others. */
static bool open_member(struct sampler *s, const struct counter *counter)
{
	struct sample_group *group = &s->group[s->ngroups - 1];
	struct perf_event_attr attr = base_attr(mon_pmu_get_type(counter->pmu), counter->config[0]);
	int error;

	attr.config1 = counter->config[1];
	attr.config2 = counter->config[2];
	attr.sample_type = PERFDATA_COUNTER_SAMPLE;
	attr.read_format = PERFDATA_READ_FORMAT;
	error = -evlist_add(group->list, &attr, true);
	if (error == EINVAL)
		return false;
	if (error)
		die("%s: %s", counter->text, strerror(error));
	add_event(s, counter->text, &attr, group->list, group->count++);
	return true;
}

static void leave_out(struct selection *sel, size_t index)
{
	free(sel->counter[index].text);
	free(sel->counter[index].terms);
	sel->count--;
	memmove(sel->counter + index, sel->counter + index + 1,
		(sel->count - index) * sizeof(*sel->counter));
}

static void warn_left_out(struct left_out *left)
{
	if (left->names)
		warn("%s cannot count these together with its others, so they are left out: %s. Choose others with -e",
		     left->pmu, left->names);
	free(left->names);
	free(left->last);
	*left = (struct left_out){ 0 };
}

/* The counters of an event in its places follow each other. */
static void add_left_out(struct left_out *left, const struct counter *counter)
{
	const char *pmu = mon_pmu_get_name(counter->pmu), *event = counter_event_name(counter);
	char *names;

	if (left->pmu && strcmp(left->pmu, pmu))
		warn_left_out(left);
	if (left->last && !strcmp(left->last, event))
		return;
	names = left->names ? format_text("%s, %s", left->names, event) : format_text("%s", event);
	free(left->names);
	free(left->last);
	*left = (struct left_out){ pmu, names, format_text("%s", event) };
}

static void open_counters(struct sampler *s, struct selection *sel, bool may_leave_out)
{
	const struct mon_pmu *pmu = NULL;
	struct left_out left_out = { 0 };
	size_t i = 0;

	s->attr_of = zeros(sel->count, sizeof(*s->attr_of));
	while (i < sel->count) {
		const struct counter *counter = &sel->counter[i];

		if (counter->pmu != pmu || s->group[s->ngroups - 1].count == GROUP_MEMBERS)
			open_leader(s, mon_pmu_get_cpu(counter->pmu));
		pmu = counter->pmu;
		s->attr_of[i] = s->count;
		if (open_member(s, counter)) {
			i++;
			continue;
		}
		if (!may_leave_out)
			die("%s: %s cannot count it together with the others, and a recording needs all at the same time: choose fewer events with -e",
			    counter->text, mon_pmu_get_name(pmu));
		add_left_out(&left_out, counter);
		leave_out(sel, i);
	}
	warn_left_out(&left_out);
}

/* ---- tracepoints ---- */

static void open_mark(struct sampler *s, const struct tracepoint *point, size_t index)
{
	struct perf_event_attr attr = base_attr(PERF_TYPE_TRACEPOINT, point->id);
	char *name = format_text("%s:%s", point->system, point->is_begin ? "run_begin" : "run_end");
	int error;

	attr.sample_period = 1;
	attr.sample_type = PERFDATA_MARK_SAMPLE;
	attr.disabled = 1;
	error = -evlist_add(s->marks, &attr, false);
	if (error)
		die("%s: %s: run as root, or without runs: --no-marks", name, strerror(error));
	add_event(s, name, &attr, s->marks, index);
}

static void open_marks(struct sampler *s, const struct tracepoints *marks)
{
	s->first_mark = s->count;
	if (!marks->count)
		return;
	s->marks = new_list(-1);
	for (size_t i = 0; i < marks->count; i++)
		open_mark(s, &marks->item[i], i);
	map_list(s->marks, MARK_BUFFER);
}

/* ---- all ---- */

static void raise_file_limit(void)
{
	struct rlimit files;

	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

/* Returns all lists in a new array. */
static struct evlist **lists_of(const struct sampler *s, size_t *count)
{
	struct evlist **lists = zeros(s->ngroups + 1, sizeof(*lists));

	for (*count = 0; *count < s->ngroups; (*count)++)
		lists[*count] = s->group[*count].list;
	if (s->marks)
		lists[(*count)++] = s->marks;
	return lists;
}

void sampler_open(struct sampler *s, struct selection *sel, const struct tracepoints *marks,
		  uint64_t interval, bool may_leave_out)
{
	*s = (struct sampler){ .interval = interval };
	raise_file_limit();
	open_counters(s, sel, may_leave_out);
	for (size_t i = 0; i < s->ngroups; i++)
		map_list(s->group[i].list, buffer_bytes(s->group[i].count, interval));
	open_marks(s, marks);
}

void sampler_open_marks(struct sampler *s, const struct tracepoints *marks)
{
	*s = (struct sampler){ 0 };
	raise_file_limit();
	open_marks(s, marks);
}

void sampler_close(struct sampler *s)
{
	for (size_t i = 0; i < s->first_foreign; i++) {
		if (i >= s->first_mark)
			free((char *)s->event[i].name);
		free(s->event[i].ids);
	}
	for (size_t i = 0; i < s->ngroups; i++)
		evlist_free(s->group[i].list);
	evlist_free(s->marks);
	free(s->event);
	free(s->attr_of);
	free(s->group);
}

static void control_groups(const struct sampler *s, unsigned long request, void *arg)
{
	for (size_t i = 0; i < s->ngroups; i++) {
		int error = -evlist_control(s->group[i].list, request, arg);

		if (error)
			die("%s: %s", s->event[s->group[i].leader + 1].name, strerror(error));
	}
}

void sampler_enable(const struct sampler *s, bool is_enabled)
{
	unsigned long request = is_enabled ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;
	int error = s->marks ? -evlist_control(s->marks, request, NULL) : 0;

	if (error)
		die("tracepoint: %s", strerror(error));
	control_groups(s, request, NULL);
}

struct sample_record {
	struct perfdata_sample sample;
	/* struct perfdata_reading with all its members */
	struct {
		uint64_t count, enabled, running;
		struct perfdata_value member[GROUP_MEMBERS];
	} reading;
};

/* False: the device went away, or another user has pinned its counters. */
static bool read_group(const struct sampler *s, const struct sample_group *group,
		       struct sample_record *record)
{
	size_t size = sizeof(struct perfdata_reading) + group->count * sizeof(record->reading.member[0]);

	if (read(evlist_fd(group->list), &record->reading, size) != (ssize_t)size)
		return false;
	record->sample = (struct perfdata_sample){
		.header = {
			.type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER,
			.size = sizeof(record->sample) + size,
		},
		.id = s->event[group->leader].ids[0],
		.pid = getpid(), .tid = getpid(), .time = now_ns(), .cpu = group->cpu,
	};
	return true;
}

int sampler_read(struct sampler *s, record_sink sink, void *arg)
{
	struct sample_record record;
	int ret = 0;

	for (size_t i = 0; i < s->ngroups && !ret; i++) {
		if (!read_group(s, &s->group[i], &record)) {
			s->unread = s->event[s->group[i].leader + 1].name;
			continue;
		}
		ret = sink(arg, &record, record.sample.header.size);
	}
	return ret;
}

void sampler_wait(const struct sampler *s, int milliseconds)
{
	size_t count;
	struct evlist **lists = lists_of(s, &count);

	evlist_wait(lists, count, milliseconds);
	free(lists);
}

int sampler_drain(const struct sampler *s, record_sink sink, void *arg)
{
	int ret = 0;

	for (size_t i = 0; i < s->ngroups && !ret; i++)
		ret = evlist_drain(s->group[i].list, sink, arg);
	return ret || !s->marks ? ret : evlist_drain(s->marks, sink, arg);
}

static int compare_u64(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

uint64_t sampler_cost(const struct sampler *s)
{
	struct sample_record record;
	uint64_t took[9], start;
	size_t i, k;

	for (i = 0; i < COUNT_OF(took); i++) {
		start = now_ns();
		for (k = 0; k < s->ngroups; k++)
			if (!read_group(s, &s->group[k], &record))
				die("%s: cannot be read: the device went away or another user has pinned its counters",
				    s->event[s->group[k].leader + 1].name);
		took[i] = now_ns() - start;
	}
	qsort(took, COUNT_OF(took), sizeof(took[0]), compare_u64);
	return took[COUNT_OF(took) / 2];
}

/* ---- trial ---- */

#define TRIALS 5

static int count_samples(void *arg, const void *records, size_t size)
{
	const unsigned char *at = records;
	size_t *samples = arg;

	while (size) {
		const struct perf_event_header *header = (const void *)at;

		*samples += header->type == PERF_RECORD_SAMPLE;
		at += header->size;
		size -= header->size;
	}
	return 0;
}

/* Returns how often this processor can read the clock in that time. */
static uint64_t spin(uint64_t ns)
{
	uint64_t end = now_ns() + ns, looks = 0;

	while (now_ns() < end)
		looks++;
	return looks;
}

static struct sampler_trial try_once(const struct sampler *s, uint64_t interval, uint64_t length)
{
	uint64_t alone = spin(length), sampled;
	size_t samples = 0;

	control_groups(s, PERF_EVENT_IOC_ENABLE, NULL);
	sampled = spin(length);
	control_groups(s, PERF_EVENT_IOC_DISABLE, NULL);
	sampler_drain(s, count_samples, &samples);
	return (struct sampler_trial){
		.load = alone > sampled ? 1 - (double)sampled / alone : 0,
		.reached = (double)samples * interval / length / s->ngroups,
	};
}

struct sampler_trial sampler_try(const struct sampler *s, uint64_t interval)
{
	struct sampler_trial best = { .load = 1 };
	uint64_t length = 20 * interval;
	cpu_set_t before, one;
	bool is_pinned;

	if (length < 5000000)
		length = 5000000;
	/* all groups are on one processor, as a rule: that of the first group */
	CPU_ZERO(&one);
	CPU_SET(s->group[0].cpu, &one);
	is_pinned = !sched_getaffinity(0, sizeof(before), &before) && !sched_setaffinity(0, sizeof(one), &one);
	control_groups(s, PERF_EVENT_IOC_PERIOD, &interval);
	for (int i = 0; i < TRIALS; i++) {
		struct sampler_trial trial = try_once(s, interval, length);

		if (trial.load < best.load)
			best.load = trial.load;
		if (trial.reached > best.reached)
			best.reached = trial.reached;
	}
	control_groups(s, PERF_EVENT_IOC_PERIOD, (void *)&s->interval);
	if (is_pinned)
		sched_setaffinity(0, sizeof(before), &before);
	return best;
}
