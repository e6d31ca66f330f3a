/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libFuzzer target: event strings through pfm_get_os_event_encoding(), for the PMUs of this project.
 * The first byte chooses the PMU, the rest is what stands behind its name. An event that encodes
 * must have no bit that its PMU has no field for, and its canonical string must mean the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#define DEVICES "/sys/bus/event_source/devices/"
#define TYPE 23

static const struct {
	const char *name;
	uint64_t fields; /* perf's formats: all bits of config that may be set */
} pmus[] = {
	{ "espmon", 0x1ffff },	      /* event 0-7, tile 8-15, bytile 16 */
	{ "mrfld_visa", 0xffff },     /* counter 0-7, group 8-15 */
	{ "upmem", 0x3fffff },	      /* event 0-11, dpu 12-19, bydpu 20, chain 21 */
	{ "hexagon", 0xff03ff },      /* event 0-9, stid 16-23 */
	{ "hexagon_v65", 0xff03ff },
	{ "hexagon_v69", 0xff03ff },
	{ "hexagon_v73", 0xff03ff },
	{ "hexagon_v79", 0xff03ff },
};

#define NUM_PMUS (sizeof(pmus) / sizeof(pmus[0]))

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
	(void)argc;
	(void)argv;
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	return pfm_initialize();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_event_attr attr, again;
	char *event, *first = NULL, *second = NULL;
	size_t pmu, len;

	if (!size)
		return 0;

	pmu = data[0] % NUM_PMUS;
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
