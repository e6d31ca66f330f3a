/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event strings, good and bad, and what depends on the kernel: presence and PMU type. sysfs is a
 * table here: the linker turns the library's fopen() into the function below. Each test runs in a
 * process of its own, because the library remembers which PMUs it found.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>

#include "tests/libpfm4/table.h"
#include "tests/main.h"

#define DEVICES "/sys/bus/event_source/devices/"

static struct sysfs_file {
	const char *path;	/* below DEVICES */
	const char *text;
} sysfs[8];

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);

FILE *__wrap_fopen(const char *path, const char *mode)
{
	if (strncmp(path, DEVICES, strlen(DEVICES)))
		return __real_fopen(path, mode);
	for (struct sysfs_file *file = sysfs; file->path; file++)
		if (!strcmp(path + strlen(DEVICES), file->path))
			return fmemopen((void *)file->text, strlen(file->text), "r");
	return NULL;
}

static void start(bool inactive)
{
	if (inactive)
		setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	else
		unsetenv("LIBPFM_ENCODE_INACTIVE");
	ck_assert_int_eq(pfm_initialize(), PFM_SUCCESS);
}

static int encode_perf(const char *event, struct perf_event_attr *attr, int *cpu)
{
	pfm_perf_encode_arg_t arg = { .size = sizeof(arg), .attr = attr };
	int ret;

	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	ret = pfm_get_os_event_encoding(event, PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
	if (cpu)
		*cpu = arg.cpu;
	return ret;
}

/* The error for each kind of mistake, as the manual pages say. */
static const struct {
	const char *event;
	int error;
} mistakes[] = {
	{ "", PFM_ERR_NOTFOUND },
	{ "::", PFM_ERR_NOTFOUND },
	{ "espmon", PFM_ERR_NOTFOUND },
	{ "espmon::", PFM_ERR_NOTFOUND },
	{ "espmon::ddr_access", PFM_ERR_NOTFOUND },
	{ "espmon::ddr_accessess", PFM_ERR_NOTFOUND },
	{ "espmon::committed_pkt_any", PFM_ERR_NOTFOUND },
	{ "hexagon_v66::committed_pkt_any", PFM_ERR_NOTFOUND },
	{ "espmon_0::ddr_accesses", PFM_ERR_NOTFOUND },
	{ "espmon::ddr_accesses,espmon::coh_reqs", PFM_ERR_INVAL },
	{ "espmon::ddr_accesses ", PFM_ERR_INVAL },
	{ "espmon::ddr_accesses:tile=256", PFM_ERR_ATTR_VAL },
	{ "espmon::ddr_accesses:tile=0x100", PFM_ERR_ATTR_VAL },
	{ "espmon::ddr_accesses:tile=-1", PFM_ERR_ATTR_VAL },
	{ "espmon::ddr_accesses:tile=18446744073709551616", PFM_ERR_ATTR_VAL },
	{ "espmon::ddr_accesses:tile=2x", PFM_ERR_ATTR_VAL },
	{ "espmon::ddr_accesses:tile=", PFM_ERR_ATTR_VAL },
	{ "espmon::ddr_accesses:tile", PFM_ERR_ATTR_VAL },
	{ "espmon::ddr_accesses:tile=1:tile=2", PFM_ERR_ATTR_SET },
	{ "espmon::ddr_accesses:tile=1:tile=1:tile=2", PFM_ERR_ATTR_SET },
	{ "espmon::ddr_accesses:bytile", PFM_ERR_ATTR },
	{ "espmon::ddr_accesses:0x10", PFM_ERR_ATTR },
	{ "espmon::ddr_accesses:", PFM_ERR_ATTR },
	/* attributes of other PMUs */
	{ "espmon::ddr_accesses:dpu=2", PFM_ERR_ATTR },
	{ "mrfld_visa::unc_visa_gfx_reqs:tile=1", PFM_ERR_ATTR },
	{ "upmem::cycles:stid=1", PFM_ERR_ATTR },
	{ "hexagon::committed_pkt_any:chain", PFM_ERR_ATTR },
	{ "upmem::cycles:dpu=256", PFM_ERR_ATTR_VAL },
	{ "upmem::cycles:chain=2", PFM_ERR_ATTR_VAL },
	{ "upmem::cycles:chain=yes", PFM_ERR_ATTR_VAL },
	{ "upmem::dpu_instructions:chain", PFM_ERR_ATTR },
	/* obeys no filter: CYCLES_..., COMMITTED_PKT_T0; nothing known: the matrix unit */
	{ "hexagon::cycles_1_thread_running:stid=1", PFM_ERR_ATTR },
	{ "hexagon_v69::committed_pkt_t0:stid=1", PFM_ERR_ATTR },
	{ "hexagon_v79::hmx_active:stid=1", PFM_ERR_ATTR },
	{ "hexagon::committed_insts:stid=256", PFM_ERR_ATTR_VAL },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

SUITE("libpfm4 strings");

LOOP_TEST(a_mistake_has_its_error, 0, COUNT(mistakes))
{
	struct perf_event_attr attr;
	uint64_t config;
	int ret;

	start(true);
	ret = encode(mistakes[_i].event, &config, NULL);
	ck_assert_msg(ret == mistakes[_i].error, "\"%s\": %s instead of %s", mistakes[_i].event,
		      pfm_strerror(ret), pfm_strerror(mistakes[_i].error));

	ret = encode_perf(mistakes[_i].event, &attr, NULL);
	ck_assert_msg(ret == mistakes[_i].error, "\"%s\" for perf: %s instead of %s",
		      mistakes[_i].event, pfm_strerror(ret), pfm_strerror(mistakes[_i].error));
}

TEST(long_strings_are_refused)
{
	static const char *const pieces[] = { "a", ":", "=", "espmon::", ":tile=1", ":tile=1:" };
	static char event[10241];
	uint64_t config;
	int ret;

	start(true);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		strcpy(event, "espmon::ddr_accesses");
		while (strlen(event) + strlen(pieces[i]) < sizeof(event))
			strcat(event, pieces[i]);
		ret = encode(event, &config, NULL);
		ck_assert_msg(ret < 0, "10 kB of \"%s\" are an event", pieces[i]);

		event[strlen(event) % 7 + 4] = '\0';	/* and a short, cut one */
		ck_assert_int_lt(encode(event, &config, NULL), 0);
	}

	/* 65 attributes are one more than the library has room for, though all say the same */
	strcpy(event, "espmon::ddr_accesses");
	for (int i = 0; i < 65; i++)
		strcat(event, ":tile=1");
	ck_assert_int_eq(encode(event, &config, NULL), PFM_ERR_TOOMANY);
}

/* attributes in any order, case and base have one canonical string, which encodes to the same */
static const struct {
	const char *event, *canonical;
	uint64_t config;
} spellings[] = {
	{ "espmon::ddr_accesses", "espmon::ddr_accesses", 0 },
	{ "ESPMON::DDR_Accesses:TILE=2", "espmon::ddr_accesses:tile=2", 0x10200 },
	{ "espmon::ddr_accesses.tile=0x2", "espmon::ddr_accesses:tile=2", 0x10200 },
	{ "espmon::ddr_accesses:tile=0", "espmon::ddr_accesses:tile=0", 0x10000 },
	{ "espmon::ddr_accesses:tile=2:tile=2", "espmon::ddr_accesses:tile=2", 0x10200 },
	{ "upmem::cycles:chain:chain:chain:dpu=3", "upmem::cycles:dpu=3:chain=1", 0x303080 },
	{ "upmem::cycles:chain:dpu=3", "upmem::cycles:dpu=3:chain=1", 0x303080 },
	{ "upmem::cycles:dpu=3:chain=y", "upmem::cycles:dpu=3:chain=1", 0x303080 },
	{ "upmem::cycles:chain=0", "upmem::cycles", 0x80 },
	{ "hexagon::committed_insts:stid=0", "hexagon::committed_insts", 0x2a },
	{ "hexagon_v69::committed_insts:stid=7", "hexagon_v69::committed_insts:stid=7", 0x7002a },
	{ "mrfld_visa::UNC_VISA_GFX_Read64B", "mrfld_visa::unc_visa_gfx_read64b", 0x602 },
};

LOOP_TEST(canonical_strings_round_trip, 0, COUNT(spellings))
{
	char *first = NULL, *second = NULL;
	uint64_t config = 0, again = 0;

	start(true);
	ck_assert_int_eq(encode(spellings[_i].event, &config, &first), PFM_SUCCESS);
	ck_assert_uint_eq(config, spellings[_i].config);
	ck_assert_str_eq(first, spellings[_i].canonical);
	ck_assert_int_eq(encode(first, &again, &second), PFM_SUCCESS);
	ck_assert_uint_eq(again, config);
	ck_assert_str_eq(second, first);
	free(first);
	free(second);
}

SUITE("kernel");

TEST(an_absent_pmu_is_not_found)
{
	struct perf_event_attr attr;
	uint64_t config;

	start(false);
	ck_assert_int_eq(encode("espmon::ddr_accesses", &config, NULL), PFM_ERR_NOTFOUND);
	ck_assert_int_eq(encode_perf("espmon::ddr_accesses", &attr, NULL), PFM_ERR_NOTFOUND);
}

/* LIBPFM_ENCODE_INACTIVE gives codes, but no perf encoding: type 0 would be a hardware event */
TEST(an_absent_pmu_has_no_type)
{
	struct perf_event_attr attr;
	uint64_t config = 0;

	start(true);
	ck_assert_int_eq(encode("espmon::l2_misses", &config, NULL), PFM_SUCCESS);
	ck_assert_uint_eq(config, 10);
	ck_assert_int_eq(encode_perf("espmon::l2_misses", &attr, NULL), PFM_ERR_NOTSUPP);
}

TEST(the_type_is_read_at_each_encoding)
{
	struct perf_event_attr attr;
	int cpu;

	sysfs[0] = (struct sysfs_file){ "espmon/type", "23\n" };
	start(false);
	ck_assert_int_eq(encode_perf("espmon::l2_misses:tile=1:cpu=2", &attr, &cpu), PFM_SUCCESS);
	ck_assert_uint_eq(attr.type, 23);
	ck_assert_uint_eq(attr.config, 0x1010a);/* event 10, tile 1, bytile */
	ck_assert_int_eq(cpu, 2);
	/* the kernel refuses exclude bits on such PMUs; the caller asked for user level only */
	ck_assert(!attr.exclude_user && !attr.exclude_kernel && !attr.exclude_hv);
	ck_assert(!attr.exclude_guest && !attr.exclude_host);

	sysfs[0].text = "31\n";	/* the module was loaded again */
	ck_assert_int_eq(encode_perf("espmon::l2_misses", &attr, &cpu), PFM_SUCCESS);
	ck_assert_uint_eq(attr.type, 31);
	ck_assert_int_eq(cpu, -1);

	sysfs[0].path = NULL;	/* and unloaded */
	ck_assert_int_eq(encode_perf("espmon::l2_misses", &attr, NULL), PFM_ERR_NOTSUPP);
}

static const char *const bad_types[] = { "0\n", "-1\n", "\n", "x\n", "4294967296\n", "7 8\n" };

LOOP_TEST(a_bad_type_is_no_type, 0, COUNT(bad_types))
{
	struct perf_event_attr attr;

	sysfs[0] = (struct sysfs_file){ "espmon/type", bad_types[_i] };
	start(true);
	ck_assert_int_eq(encode_perf("espmon::l2_misses", &attr, NULL), PFM_ERR_NOTSUPP);
}

/* the kernel counts everything on its PMU and does not sample */
static const char *const no_such_modifier[] = { "u", "k", "h", "mg", "mh", "period=1000", "freq=100",
						"precise=1", "hw_smpl" };

LOOP_TEST(sampling_and_privilege_modifiers_do_not_exist, 0, COUNT(no_such_modifier))
{
	struct perf_event_attr attr;
	char event[64];

	sysfs[0] = (struct sysfs_file){ "upmem/type", "9\n" };
	start(false);
	snprintf(event, sizeof(event), "upmem::cycles:%s", no_such_modifier[_i]);
	ck_assert_int_eq(encode_perf(event, &attr, NULL), PFM_ERR_ATTR);
	ck_assert_int_eq(encode_perf("upmem::cycles:dpu=1:pinned:excl:cpu=0", &attr, NULL), PFM_SUCCESS);
	ck_assert(attr.pinned && attr.exclusive);
	ck_assert_uint_eq(attr.config, 0x101080);
}

static bool present(const char *pmu)
{
	pfm_pmu_t id;

	pfm_for_all_pmus(id) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm_get_pmu_info(id, &info) == PFM_SUCCESS && !strcmp(info.name, pmu))
			return info.is_present;
	}
	ck_abort_msg("%s: no such PMU", pmu);
	return false;
}

static const char *const hexagon_models[] = { "hexagon-v65", "hexagon-v69", "hexagon-v73",
					      "hexagon-v79", "hexagon-v68", "v69", "", NULL };

LOOP_TEST(one_hexagon_version_at_most_is_present, 0, COUNT(hexagon_models))
{
	const char *version = hexagon_models[_i];
	char identifier[32];

	sysfs[0] = (struct sysfs_file){ "hexagon/type", "12\n" };
	if (version) {
		snprintf(identifier, sizeof(identifier), "%s\n", version);
		sysfs[1] = (struct sysfs_file){ "hexagon/identifier", identifier };
	}
	start(false);
	ck_assert(present("hexagon"));
	ck_assert_int_eq(present("hexagon_v65"), _i == 0);
	ck_assert_int_eq(present("hexagon_v69"), _i == 1);
	ck_assert_int_eq(present("hexagon_v73"), _i == 2);
	ck_assert_int_eq(present("hexagon_v79"), _i == 3);
	ck_assert(!present("espmon") && !present("upmem") && !present("mrfld_visa"));
}

/* without a PMU name the table of the version answers: V65 has another selector for HVX_PKT */
TEST(a_bare_name_means_the_version_at_hand)
{
	uint64_t config = 0;

	sysfs[0] = (struct sysfs_file){ "hexagon/type", "12\n" };
	sysfs[1] = (struct sysfs_file){ "hexagon/identifier", "hexagon-v65\n" };
	start(false);
	ck_assert_int_eq(encode("hvx_pkt", &config, NULL), PFM_SUCCESS);
	ck_assert_uint_eq(config, 0x113);
}

/* "cycles" is an event of upmem, too; every program that says it means the CPU's */
TEST(bare_names_of_the_cpu_keep_their_meaning)
{
	char *fstr = NULL;
	uint64_t config;

	sysfs[0] = (struct sysfs_file){ "upmem/type", "12\n" };
	start(false);
	ck_assert_int_eq(encode("cycles", &config, &fstr), PFM_SUCCESS);
	ck_assert_msg(strncmp(fstr, "upmem", 5), "cycles is %s", fstr);
	free(fstr);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
