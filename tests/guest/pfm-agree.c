/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Usage: pfm-agree. For each PMU of this project that the kernel has, and each event in its sysfs
 * folder, one line:
 *
 *	perf's event <tab> type and config of libpfm4 <tab> type and config of libmon
 *
 * and again with an attribute, for libpfm4 alone ("-" for libmon). Exits with 1 and says why on
 * standard error if libpfm4 does not know an event of the kernel.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#include <mon.h>

static const struct {
	const char *sysfs, *prefix;	/* libpfm4's event name is prefix and sysfs' name */
	const char *perf_attr, *pfm_attr;	/* one attribute as both tools spell it, or NULL */
} pmus[] = {
	{ "espmon", "", "bytile,tile=2", "tile=2" },
	{ "mrfld_visa", "unc_visa_", NULL, NULL },
	{ "upmem", "", "bydpu,dpu=3", "dpu=3" },
	{ "hexagon", "", "stid=1", "stid=1" },
};

/* The libpfm4 PMU of a sysfs PMU: the hexagon_vNN that is active, if any, or just its name. */
static const char *pfm_pmu(const char *sysfs)
{
	const char *found = sysfs;
	size_t len = strlen(sysfs);
	pfm_pmu_t id;

	pfm_for_all_pmus(id) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm_get_pmu_info(id, &info) == PFM_SUCCESS && info.is_present &&
		    !strncmp(info.name, sysfs, len) && !strncmp(info.name + len, "_v", 2))
			found = info.name;
	}
	return found;
}

static int encode(const char *event, struct perf_event_attr *attr)
{
	pfm_perf_encode_arg_t arg = { .size = sizeof(arg), .attr = attr };

	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	return pfm_get_os_event_encoding(event, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
}

static int print_event(const struct mon_pmu *pmu, const struct mon_event *event, int i)
{
	const char *name = mon_event_get_name(event);
	const char *model = pfm_pmu(pmus[i].sysfs);
	struct perf_event_attr attr;
	char string[256];
	int ret;

	snprintf(string, sizeof(string), "%s::%s%s", model, pmus[i].prefix, name);
	ret = encode(string, &attr);
	if (ret != PFM_SUCCESS) {
		fprintf(stderr, "%s: %s\n", string, pfm_strerror(ret));
		return -1;
	}
	printf("%s/%s/\t%u 0x%llx\t%u 0x%llx\n", pmus[i].sysfs, name, attr.type,
	       (unsigned long long)attr.config, mon_pmu_get_type(pmu),
	       (unsigned long long)mon_event_get_config(event, 0));

	if (!pmus[i].perf_attr)
		return 0;
	snprintf(string, sizeof(string), "%s::%s%s:%s", model, pmus[i].prefix, name,
		 pmus[i].pfm_attr);
	ret = encode(string, &attr);
	if (ret == PFM_ERR_ATTR)
		return 0;	/* not every event of hexagon obeys the filter */
	if (ret != PFM_SUCCESS) {
		fprintf(stderr, "%s: %s\n", string, pfm_strerror(ret));
		return -1;
	}
	printf("%s/%s,%s/\t%u 0x%llx\t-\n", pmus[i].sysfs, name, pmus[i].perf_attr, attr.type,
	       (unsigned long long)attr.config);
	return 0;
}

int main(void)
{
	int status = EXIT_SUCCESS;

	if (pfm_initialize() != PFM_SUCCESS) {
		fprintf(stderr, "libpfm4 does not start\n");
		return EXIT_FAILURE;
	}
	for (size_t i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++) {
		struct mon_pmu *pmu = mon_pmu_new(pmus[i].sysfs);

		for (size_t j = 0; pmu && j < mon_pmu_get_event_count(pmu); j++)
			if (print_event(pmu, mon_pmu_get_event(pmu, j), i))
				status = EXIT_FAILURE;
		mon_pmu_free(pmu);
	}
	pfm_terminate();
	return status;
}
