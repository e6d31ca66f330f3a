// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events and groups that can be opened, and the permissions for it. checklist.md lists the
 * purpose of each test.
 */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events/esp/config.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

/* The codes of the catalogue that an ESP SoC of 2023 has. */
static const bool known[256] = {
#define MON_EVENT(name, config, places, variants, ...) [config] = !(variants) || (variants) & ESPMON_2023,
#include "events/esp/events.def"
#undef MON_EVENT
};

/* Opens and closes; 0 or a positive errno. */
static int open_error(struct perf_event_attr *attr)
{
	int fd = sys_open(attr, pmu_cpu(PMU), -1);

	if (fd < 0)
		return -fd;
	close(fd);
	return 0;
}

SUITE("pmu-open", .timeout = 20);

TEST(every_sysfs_event_opens)
{
	DIR *dir = opendir(SYSFS_PMU PMU "/events");
	struct dirent *e;
	unsigned int n = 0, all = 0;

	ck_assert_ptr_nonnull(dir);
	while ((e = readdir(dir))) {
		struct perf_event_attr attr;
		const char *terms;
		int err;

		if (strchr(e->d_name, '.'))
			continue;
		terms = file_text(SYSFS_PMU PMU "/events/%s", e->d_name);
		ck_assert_msg(terms && !strncmp(terms, "event=0x", 8), "%s: %s", e->d_name, terms);
		attr = attr_of(PMU, strtoull(terms + 6, NULL, 16));
		err = open_error(&attr);
		ck_assert_msg(!err, "%s: %s", e->d_name, strerror(err));
		n++;
	}
	closedir(dir);
	for (unsigned int code = 0; code < 256; code++)
		all += known[code];
	ck_assert_uint_eq(n, all);
}

/* mrfld_visa stands on iosf_mbi, an x86 driver */
#ifdef __x86_64__
#define HAS_MRFLD true
#else
#define HAS_MRFLD false
#endif

/* The events of a PMU in sysfs; path gets the folder. */
static DIR *open_events(const char *pmu, char path[128])
{
	DIR *dir;

	snprintf(path, 128, SYSFS_PMU "%s/events", pmu);
	dir = opendir(path);
	ck_assert_ptr_nonnull(dir);
	return dir;
}

/* What perf and others rely on: one case, units of at most 31 characters, scales that strtod() reads. */
static void check_event_files(const char *pmu)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
	unsigned int n = 0;
	struct dirent *e;
	char path[128];
	DIR *dir = open_events(pmu, path);

	while ((e = readdir(dir))) {
		const char *suffix = strchr(e->d_name, '.'), *text;
		char *end;

		if (e->d_name[0] == '.')
			continue;
		text = file_text("%s/%s", path, e->d_name);
		ck_assert_msg(text && *text, "%s/%s is empty", path, e->d_name);
		if (suffix && !strcmp(suffix, ".unit")) {
			ck_assert_msg(strlen(text) < 32, "%s: %s", e->d_name, text);
		} else if (suffix) {
			ck_assert_str_eq(suffix, ".scale");
			ck_assert_msg(strtod(text, &end) > 0 && !*end, "%s: %s", e->d_name, text);
		} else {
			ck_assert_msg(!e->d_name[strspn(e->d_name, letters)], "name %s", e->d_name);
			n++;
		}
	}
	closedir(dir);
	ck_assert_uint_gt(n, 0);
}

TEST(event_files_are_as_perf_reads_them)
{
	check_event_files(PMU);
	if (HAS_MRFLD)
		check_event_files("mrfld_visa");
	check_event_files("upmem");
	check_event_files("hexagon");
}

/* Values of the field that the catalogue does not have are no events. */
TEST(unknown_codes_are_refused)
{
	unsigned int code;

	for (code = 0; code < 256; code++) {
		struct perf_event_attr attr = attr_of(PMU, code);

		ck_assert_int_eq(open_error(&attr), known[code] ? 0 : EINVAL);
	}
}

TEST(reserved_bits_are_refused)
{
	struct perf_event_attr attr;
	unsigned int bit;
	int err;

	for (bit = 17; bit < 64; bit++) {
		attr = attr_of(PMU, DDR_ACCESSES | 1ULL << bit);
		ck_assert_int_eq(open_error(&attr), EINVAL);
	}
	for (bit = 0; bit < 64; bit++) {
		attr = attr_of(PMU, DDR_ACCESSES);
		attr.config1 = 1ULL << bit;
		ck_assert_int_eq(open_error(&attr), EINVAL);
		attr.config1 = 0;
		attr.config2 = 1ULL << bit;
		ck_assert_int_eq(open_error(&attr), EINVAL);
	}
	/* config3 and config4 are the 64-bit words behind sig_data (offset 128); old kernels do not know them: E2BIG */
	for (bit = 0; bit < 128; bit++) {
		union {
			struct perf_event_attr attr;
			uint64_t word[18];
		} longer = { .word = { 0 } };

		longer.attr = attr_of(PMU, DDR_ACCESSES);
		longer.attr.size = sizeof(longer.word);
		longer.word[16 + bit / 64] = 1ULL << bit % 64;
		err = open_error(&longer.attr);
		ck_assert_msg(err == EINVAL || err == E2BIG, "config%u: %s", 3 + bit / 64, strerror(err));
	}
}

TEST(tiles_are_checked)
{
	struct perf_event_attr attr = attr_of(PMU, DDR_ACCESSES | BYTILE(TILES - 1));

	ck_assert_int_eq(open_error(&attr), 0);
	attr = attr_of(PMU, DDR_ACCESSES | BYTILE(TILES));
	ck_assert_int_eq(open_error(&attr), EINVAL);
	attr = attr_of(PMU, DDR_ACCESSES | BYTILE(255));
	ck_assert_int_eq(open_error(&attr), EINVAL);
	/* a tile without bytile is an error of the user */
	attr = attr_of(PMU, DDR_ACCESSES | 1 << 8);
	ck_assert_int_eq(open_error(&attr), EINVAL);
}

TEST(sampling_is_refused)
{
	struct perf_event_attr attr = attr_of(PMU, DDR_ACCESSES);

	attr.sample_period = 1000;
	ck_assert_int_eq(open_error(&attr), EOPNOTSUPP);
	attr.sample_period = 0;
	attr.freq = 1;
	attr.sample_freq = 100;
	ck_assert_int_eq(open_error(&attr), EOPNOTSUPP);
}

TEST(branch_stacks_are_refused)
{
	struct perf_event_attr attr = attr_of(PMU, DDR_ACCESSES);

	attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	ck_assert_int_eq(open_error(&attr), EOPNOTSUPP);
}

TEST(processes_are_refused)
{
	struct perf_event_attr attr = attr_of(PMU, DDR_ACCESSES);

	ck_assert_int_eq(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0), -1);
	ck_assert_int_eq(errno, EOPNOTSUPP);
	ck_assert_int_eq(syscall(SYS_perf_event_open, &attr, getpid(), 0, -1, 0), -1);
	ck_assert_int_eq(errno, EOPNOTSUPP);
	ck_assert_int_eq(syscall(SYS_perf_event_open, &attr, -1, -1, -1, 0), -1);
	ck_assert_int_eq(errno, EINVAL);
}

/* The counters cannot tell users from kernels, hosts from guests. */
TEST(exclusion_is_refused)
{
	struct perf_event_attr attr = attr_of(PMU, DDR_ACCESSES);

	attr.exclude_user = 1;
	ck_assert_int_eq(open_error(&attr), EINVAL);
	attr = attr_of(PMU, DDR_ACCESSES);
	attr.exclude_kernel = 1;
	ck_assert_int_eq(open_error(&attr), EINVAL);
	attr = attr_of(PMU, DDR_ACCESSES);
	attr.exclude_hv = 1;
	ck_assert_int_eq(open_error(&attr), EINVAL);
	attr = attr_of(PMU, DDR_ACCESSES);
	attr.exclude_idle = 1;
	ck_assert_int_eq(open_error(&attr), EINVAL);
	attr = attr_of(PMU, DDR_ACCESSES);
	attr.exclude_host = 1;
	ck_assert_int_eq(open_error(&attr), EINVAL);
	attr = attr_of(PMU, DDR_ACCESSES);
	attr.exclude_guest = 1;
	ck_assert_int_eq(open_error(&attr), EINVAL);
}

/*
 * perf offers an event of a fixed type to each PMU until one does not return ENOENT. No PMU has
 * software counter 99, so an error of ours would show.
 */
TEST(events_of_others_are_left_alone)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = 99,
	};

	ck_assert_int_eq(open_error(&attr), ENOENT);
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	ck_assert_int_eq(open_error(&attr), 0);
}

/* The configurations of n events that the PMU has, all different. */
static void some_events(const char *pmu, uint64_t *configs, unsigned int n)
{
	unsigned int i = 0;
	struct dirent *e;
	char path[128];
	DIR *dir = open_events(pmu, path);

	while (i < n && (e = readdir(dir))) {
		const char *terms = file_text(SYSFS_PMU "%s/events/%s", pmu, e->d_name);

		if (!strchr(e->d_name, '.') && terms &&
		    sscanf(terms, "event=%" SCNx64, &configs[i]) == 1)
			i++;
	}
	closedir(dir);
	ck_assert_uint_eq(i, n);
}

/* An event of another PMU of the guest. */
static void refused_in_groups(const char *pmu, uint64_t config)
{
	struct perf_event_attr ours = attr_of(PMU, DDR_ACCESSES), other = attr_of(pmu, config);
	struct perf_event_attr clock = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(clock), .config = PERF_COUNT_SW_CPU_CLOCK,
	};
	int cpu = pmu_cpu(PMU), leader;

	leader = sys_open(&ours, cpu, -1);
	ck_assert_int_ge(leader, 0);
	ck_assert_int_eq(sys_open(&other, cpu, leader), -EINVAL);
	close(leader);
	leader = sys_open(&other, cpu, -1);
	ck_assert_msg(leader >= 0, "%s: %s", pmu, strerror(-leader));
	ck_assert_int_eq(sys_open(&ours, cpu, leader), -EINVAL);
	close(leader);
	/* a software event leads, one PMU has joined */
	leader = sys_open(&clock, cpu, -1);
	ck_assert_int_ge(leader, 0);
	ck_assert_int_ge(sys_open(&ours, cpu, leader), 0);
	ck_assert_int_eq(sys_open(&other, cpu, leader), -EINVAL);
	close(leader);
}

TEST(groups_have_one_pmu)
{
	uint64_t config;

	some_events("hexagon", &config, 1);
	refused_in_groups("upmem", 0x100);
	refused_in_groups("hexagon", config);
	if (HAS_MRFLD)
		refused_in_groups("mrfld_visa", 0);
}

/* Nine events are more than eight counters; equal events share one. */
static void fill_the_counters(int leader)
{
	struct perf_event_attr attr = attr_of("hexagon", 0);
	int cpu = pmu_cpu("hexagon");
	uint64_t configs[9];
	unsigned int i;

	some_events("hexagon", configs, 9);
	for (i = 0; i < 8; i++) {
		int fd;

		attr.config = configs[i];
		/* members that do not count yet need their counters, too */
		attr.disabled = i & 1;
		fd = sys_open(&attr, cpu, leader);
		ck_assert_int_ge(fd, 0);
		if (leader < 0)
			leader = fd;
	}
	attr.config = configs[8];
	ck_assert_int_eq(sys_open(&attr, cpu, leader), -EINVAL);
	attr.config = configs[7];
	ck_assert_int_ge(sys_open(&attr, cpu, leader), 0);
}

TEST(groups_fit_the_counters)
{
	struct perf_event_attr clock = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(clock), .config = PERF_COUNT_SW_CPU_CLOCK,
	};
	int leader = sys_open(&clock, pmu_cpu("hexagon"), -1);

	ck_assert_int_ge(leader, 0);
	fill_the_counters(-1);
	/* which needs none of them */
	fill_the_counters(leader);
}

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define NOBODY 65534

/* In a process of its own */
static int as_nobody(bool allowed)
{
	struct perf_event_attr attr = attr_of(PMU, DDR_ACCESSES);
	int cpu = pmu_cpu(PMU), fd;

	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
		return 1;
	fd = sys_open(&attr, cpu, -1);
	return allowed ? fd < 0 : fd != -EACCES;
}

/* From level 1 on ordinary users see only their own processes. */
TEST(events_need_the_right_to_see_the_system)
{
	unsigned long before = file_number(PARANOID);
	char text[16];
	int level;

	for (level = -1; level <= 3; level++) {
		int status;
		pid_t pid;

		snprintf(text, sizeof(text), "%d", level);
		file_write(PARANOID, text);
		pid = fork();
		if (!pid)
			_exit(as_nobody(level < 1));
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		ck_assert_msg(WIFEXITED(status) && !WEXITSTATUS(status), "level %d: status 0x%x",
			      level, status);
	}
	snprintf(text, sizeof(text), "%ld", (long)before);
	file_write(PARANOID, text);
}
