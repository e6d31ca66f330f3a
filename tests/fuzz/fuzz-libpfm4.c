/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libFuzzer target: event strings through pfm_get_os_event_encoding(), for the PMUs of this
 * project. The first byte chooses the PMU, the rest is the text after its name. An event that
 * encodes must have no bit that its PMU has no field for, and its canonical string must mean the
 * same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#include "events/catalogues.h"

#define DEVICES "/sys/bus/event_source/devices/"
#define TYPE 23
#define NUM_SYSTEMS (sizeof(systems) / sizeof(systems[0]))

static const struct {
	const char *pmu;
	uint64_t fields;/* all bits of config that may be set */
} systems[] = {
#define MON_SYSTEM(name, pmu, prefix, ...) { #pmu, prefix##_CONFIG_ALL },
#include "events/systems.def"
#undef MON_SYSTEM
};

/* Their PMUs in libpfm4: hexagon has one for each version, too. */
static struct {
	const char *name;
	uint64_t fields;
} pmus[32];
static size_t npmus;

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every PMU's folder in sysfs has a type, none an identifier. */
FILE *__wrap_fopen(const char *path, const char *mode)
{
	static char type[] = "23\n";
	size_t len = strlen(path);

	if (strncmp(path, DEVICES, strlen(DEVICES)))
		return __real_fopen(path, mode);
	if (len > 5 && !strcmp(path + len - 5, "/type"))
		return fmemopen(type, strlen(type), "r");
	return NULL;
}

static int encode(const char *event, struct perf_event_attr *attr, char **fstr)
{
	pfm_perf_encode_arg_t arg = { .size = sizeof(arg), .attr = attr, .fstr = fstr };

	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	return pfm_get_os_event_encoding(event, PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	pfm_pmu_t i;

	(void)argc;
	(void)argv;
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	if (pfm_initialize() != PFM_SUCCESS)
		return -1;
	pfm_for_all_pmus(i) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm_get_pmu_info(i, &info) != PFM_SUCCESS)
			continue;
		for (size_t k = 0; k < NUM_SYSTEMS; k++) {
			if (strncmp(info.name, systems[k].pmu, strlen(systems[k].pmu)))
				continue;
			pmus[npmus].name = info.name;
			pmus[npmus++].fields = systems[k].fields;
		}
	}
	if (npmus < NUM_SYSTEMS)
		abort();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_event_attr attr, again;
	char *event, *first = NULL, *second = NULL;
	size_t pmu, len;

	if (!size)
		return 0;

	pmu = data[0] % npmus;
	len = strlen(pmus[pmu].name);
	event = malloc(len + 2 + size);
	memcpy(event, pmus[pmu].name, len);
	memcpy(event + len, "::", 2);
	memcpy(event + len + 2, data + 1, size - 1);
	event[len + 2 + size - 1] = '\0';

	if (encode(event, &attr, &first) == PFM_SUCCESS) {
		if (attr.type != TYPE || (attr.config & ~pmus[pmu].fields))
			abort();
		if (attr.config1 || attr.config2 || attr.exclude_user || attr.exclude_kernel)
			abort();
		if (encode(first, &again, &second) != PFM_SUCCESS || again.config != attr.config)
			abort();
		if (strcmp(first, second))
			abort();
	}
	free(first);
	free(second);
	free(event);
	return 0;
}
