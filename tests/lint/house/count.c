/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * count PMU EVENT... -- COMMAND [ARG...]: counts events of a PMU through mon.h and through libpfm4 while
 * COMMAND runs, and prints a line for each: name, count of mon.h, count of libpfm4.
 * count --touch WRITES READS: accesses the register of the device scratch that often.
 */
#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <perfmon/pfmlib_perf_event.h>

#include <mon.h>

#define MAX_EVENTS 8

static void die(const char *what, const char *why)
{
	fprintf(stderr, "count: %s: %s\n", what, why);
	exit(1);
}

static int touch(int writes, int reads)
{
	volatile uint32_t *reg;
	glob_t found;
	int fd;

	if (glob("/sys/bus/pci/drivers/scratch/0*/resource0", 0, NULL, &found))
		die("scratch", "no device is bound");
	fd = open(found.gl_pathv[0], O_RDWR);
	reg = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (reg == MAP_FAILED)
		die(found.gl_pathv[0], "cannot map it: boot with iomem=relaxed");
	while (writes--)
		*reg = 1;
	while (reads--)
		(void)*reg;
	return 0;
}

static int open_with_libpfm4(const char *pmu, const char *event, int cpu)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .size = sizeof(arg), .attr = &attr };
	char name[256];
	int ret, fd;

	snprintf(name, sizeof(name), "%s::%s", pmu, event);
	ret = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);
	if (ret != PFM_SUCCESS)
		die(name, pfm_strerror(ret));
	fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);
	if (fd < 0)
		die(name, "perf_event_open fails");
	return fd;
}

int main(int argc, char **argv)
{
	struct mon_group *group = mon_group_new();
	struct mon_pmu *pmu;
	uint64_t values[MAX_EVENTS];
	int fds[MAX_EVENTS], n, first = 2, status;
	pid_t child;

	if (argc == 4 && !strcmp(argv[1], "--touch"))
		return touch(atoi(argv[2]), atoi(argv[3]));
	if (argc < 5 || pfm_initialize() != PFM_SUCCESS)
		die("usage", "count PMU EVENT... -- COMMAND [ARG...]");
	pmu = mon_pmu_new(argv[1]);
	if (!pmu)
		die(argv[1], mon_error());
	for (n = 0; n < MAX_EVENTS && strcmp(argv[first + n], "--"); n++) {
		const struct mon_event *event = mon_pmu_find_event(pmu, argv[first + n]);
		char text[256];

		if (!event || !*mon_event_get_description(event) || !*mon_event_get_unit(event))
			die(argv[first + n], "mon.h has no description or unit");
		snprintf(text, sizeof(text), "%s/%s/", argv[1], argv[first + n]);
		if (mon_group_add(group, text) < 0)
			die(text, mon_error());
		fds[n] = open_with_libpfm4(argv[1], argv[first + n], mon_pmu_get_cpu(pmu));
	}
	if (mon_group_open(group) || mon_group_enable(group))
		die(argv[1], mon_error());
	child = fork();
	if (!child) {
		execvp(argv[first + n + 1], argv + first + n + 1);
		die(argv[first + n + 1], "cannot run");
	}
	if (waitpid(child, &status, 0) < 0 || status)
		die(argv[first + n + 1], "failed");
	if (mon_group_read(group, values, MAX_EVENTS, NULL) < 0)
		die(argv[1], mon_error());
	for (int i = 0; i < n; i++) {
		uint64_t count = 0;

		if (read(fds[i], &count, sizeof(count)) != sizeof(count))
			die(argv[first + i], "read fails");
		printf("%s %llu %llu\n", argv[first + i], (unsigned long long)values[i],
		       (unsigned long long)count);
	}
	return 0;
}
