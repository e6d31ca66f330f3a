// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts a whole group of Merrifield's events on this machine. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/internal.h"
#include "libmon/mrfld/mrfld.h"

#define PMU "mrfld_visa"

struct mon_mrfld {
	int number;
	size_t count;
	struct mon_group *group;
	double clock_hz;		/* of the group's clock; 0: the driver does not know it */
	uint64_t last[MON_MRFLD_COUNTERS];
	struct mon_times times;		/* counts at the last read */
};

/* A frequency that the driver says in caps/; 0 if it does not. */
static double read_hz(struct mon_pmu *pmu, const char *file)
{
	char *text = mon_pmu_read_file(pmu, file);
	double hz = text ? atof(text) : 0;

	free(text);
	return hz;
}

static int add_events(struct mon_mrfld *mrfld)
{
	struct mon_pmu *pmu = mon_pmu_new(PMU);
	unsigned int i;
	int ret = pmu ? 0 : -1;

	for (i = 0; i < mrfld->count && ret >= 0; i++)
		ret = mon_group_add_config(mrfld->group, pmu, mrfld->number << 8 | i);
	if (pmu)
		mrfld->clock_hz = read_hz(pmu, "caps/soc_hz");
	mon_pmu_free(pmu);
	return ret < 0 ? -1 : 0;
}

struct mon_mrfld *mon_mrfld_new(const char *group)
{
	struct mon_mrfld *mrfld;
	int number = mon_mrfld_find_group(group), error;

	if (number < 0)
		return NULL;
	mrfld = calloc(1, sizeof(*mrfld));
	if (!mrfld) {
		mon_fail(ENOMEM, "%s: out of memory", group);
		return NULL;
	}
	mrfld->number = number;
	mrfld->count = mon_mrfld_get_event_count(number);
	mrfld->group = mon_group_new();
	if (mrfld->group && !add_events(mrfld) && !mon_group_open(mrfld->group))
		return mrfld;
	error = errno;
	mon_mrfld_free(mrfld);
	errno = error;
	return NULL;
}

void mon_mrfld_free(struct mon_mrfld *mrfld)
{
	if (!mrfld)
		return;
	mon_group_free(mrfld->group);
	free(mrfld);
}

int mon_mrfld_start(struct mon_mrfld *mrfld)
{
	return mon_group_enable(mrfld->group);
}

int mon_mrfld_stop(struct mon_mrfld *mrfld)
{
	return mon_group_disable(mrfld->group);
}

int mon_mrfld_read(struct mon_mrfld *mrfld, struct mon_mrfld_counts *counts)
{
	uint64_t values[MON_MRFLD_COUNTERS];
	struct mon_times now, passed;
	size_t i;

	if (mon_group_read(mrfld->group, values, MON_MRFLD_COUNTERS, &now))
		return -1;
	passed.enabled = now.enabled - mrfld->times.enabled;
	passed.running = now.running - mrfld->times.running;
	if (!passed.running)
		return mon_fail(EAGAIN,
				"%s: it had no turn on the counters since the last read: start it, or count fewer groups or longer",
				mon_mrfld_get_group_name(mrfld->number));
	memset(counts, 0, sizeof(*counts));
	counts->group = mrfld->number;
	for (i = 0; i < mrfld->count; i++) {
		counts->count[i] = mon_scale(values[i] - mrfld->last[i], &passed);
		mrfld->last[i] = values[i];
	}
	/* the clock is the last counter of its group, read with the others */
	counts->seconds = mrfld->clock_hz ? counts->count[mrfld->count - 1] / mrfld->clock_hz :
			  passed.enabled / 1e9;
	mrfld->times = now;
	return 0;
}

double mon_mrfld_dram_hz(void)
{
	struct mon_pmu *pmu = mon_pmu_new(PMU);
	double hz = pmu ? read_hz(pmu, "caps/dram_hz") : 0;

	mon_pmu_free(pmu);
	return hz;
}
