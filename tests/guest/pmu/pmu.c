// SPDX-License-Identifier: GPL-2.0-only
#include "tests/guest/pmu/pmu.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "libmon/esp/include/fft_stratus.h"

#define CHUNKS 64
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Counters of a tile in the array of values, bytes of a tile in the registers (ABI-espmon.txt). */

static const char *read_file(const char *path)
{
	static __thread char text[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n, len = 0;

	if (fd < 0)
		return NULL;
	while ((n = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += n;
	close(fd);
	if (n < 0)
		return NULL;
	while (len && text[len - 1] == '\n')
		len--;
	text[len] = 0;
	return text;
}

const char *file_text(const char *fmt, ...)
{
	char path[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	return read_file(path);
}

unsigned long file_number(const char *fmt, ...)
{
	char path[512], *end;
	const char *text;
	unsigned long n;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	text = read_file(path);
	ck_assert_msg(text, "%s: %s", path, strerror(errno));
	n = strtoul(text, &end, 0);
	ck_assert_msg(*text && !*end, "%s holds '%s', which is no number", path, text);
	return n;
}

void file_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	ck_assert_msg(fd >= 0, "%s: %s", path, strerror(errno));
	n = write(fd, text, strlen(text));
	ck_assert_msg(n == (ssize_t)strlen(text), "'%s' to %s: %s", text, path, strerror(errno));
	close(fd);
}

static long meminfo(const char *key)
{
	const char *text = file_text("/proc/meminfo");
	const char *line = text ? strstr(text, key) : NULL;

	ck_assert_ptr_nonnull(line);
	return strtol(line + strlen(key), NULL, 10);
}

static const char *const kernel_memory[] = { "SUnreclaim:", "VmallocUsed:", "Percpu:" };
static long after_a_quarter[ARRAY_SIZE(kernel_memory)];

unsigned int round_seconds(void)
{
	const char *text = getenv("MON_SECONDS");

	return text ? atoi(text) : 0;
}

bool another_round(unsigned int done, unsigned int total)
{
	static unsigned int tenths, seconds;
	static bool remembered;
	static uint64_t began;
	const char *fd = getenv("TEST_PROGRESS");
	unsigned int part = done, whole = total, i;

	if (!done) {
		began = now_ns();
		seconds = round_seconds();
		tenths = 0;
		remembered = false;
	}
	if (seconds) {
		part = (now_ns() - began) / 1000000000;
		whole = seconds;
	}
	if (!remembered && part >= whole / 4) {
		for (i = 0; i < ARRAY_SIZE(kernel_memory); i++)
			after_a_quarter[i] = meminfo(kernel_memory[i]);
		remembered = true;
	}
	if (fd && whole >= 100 && part >= tenths * (whole / 10)) {
		dprintf(atoi(fd), "%u rounds, %u of %u %s, SUnreclaim: %ld kB\n", done, part, whole,
			seconds ? "seconds" : "rounds", meminfo("SUnreclaim:"));
		tenths++;
	}
	return part < whole;
}

/*
 * A PMU's values, names and files are more than 16 KiB; 750 leaked ones would be 12 MB. 4 MB is
 * what the rest of the kernel may have taken meanwhile.
 */
void nothing_leaks(unsigned int rounds)
{
	unsigned int i;

	if (rounds < 1000 && round_seconds() < 100)
		return;
	for (i = 0; i < ARRAY_SIZE(kernel_memory); i++) {
		long grown = meminfo(kernel_memory[i]) - after_a_quarter[i];

		ck_assert_msg(grown <= 4096, "%s %ld kB more than after a quarter of %u rounds",
			      kernel_memory[i], grown, rounds);
	}
}

void espmon_remove(void)
{
	file_write("/sys/bus/pci/devices/" ESPMON_DEVICE "/remove", "1");
}

void espmon_find(void)
{
	file_write("/sys/bus/pci/rescan", "1");
	while (!file_text(SYSFS_PMU PMU "/type"))
		sleep_ms(1);
}

bool pmu_goes(void)
{
	unsigned int major, minor;
	struct utsname u;

	uname(&u);
	ck_assert_int_eq(sscanf(u.release, "%u.%u", &major, &minor), 2);
	return major > 6 || (major == 6 && minor >= 16);
}

void check_revoked(int event)
{
	struct reading r, again;

	ck_assert_ptr_null(file_text(SYSFS_PMU PMU "/type"));
	/* perf reads what the event had counted, and does nothing else with it */
	ck_assert_int_eq(event_try_read(event, &r), 0);
	ck_assert_int_eq(event_try_read(event, &again), 0);
	ck_assert_uint_eq(again.count, r.count);
	ck_assert_int_eq(ioctl(event, PERF_EVENT_IOC_ENABLE, 0), -1);
	ck_assert_int_eq(errno, ENODEV);
}

uint32_t pmu_type(const char *pmu)
{
	return file_number(SYSFS_PMU "%s/type", pmu);
}

int pmu_cpu(const char *pmu)
{
	return file_number(SYSFS_PMU "%s/cpumask", pmu);
}

const char *cpu_switch(int cpu)
{
	static char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	if (!access(path, W_OK))
		return path;
	printf("this kernel keeps CPU %d, where the events are\n", cpu);
	return NULL;
}

struct perf_event_attr attr_of(const char *pmu, uint64_t config)
{
	struct perf_event_attr attr = {
		.type = pmu_type(pmu),
		.size = sizeof(attr),
		.config = config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return attr;
}

int sys_open(struct perf_event_attr *attr, int cpu, int group)
{
	int fd = syscall(SYS_perf_event_open, attr, -1, cpu, group, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int event_open_on(const char *pmu, uint64_t config, int group, uint64_t read_format)
{
	struct perf_event_attr attr = attr_of(pmu, config);
	int fd;

	attr.read_format = read_format;
	fd = sys_open(&attr, pmu_cpu(pmu), group);
	ck_assert_msg(fd >= 0, "event 0x%llx of %s: %s", (unsigned long long)config, pmu,
		      strerror(-fd));
	return fd;
}

int event_open(uint64_t config)
{
	return event_open_on(PMU, config, -1,
			     PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
}

int event_try_read(int fd, struct reading *r)
{
	ssize_t n = read(fd, r, sizeof(*r));

	if (n < 0)
		return errno;
	return n == sizeof(*r) ? 0 : ENODATA;
}

uint64_t event_count(int fd)
{
	struct reading r;
	int err = event_try_read(fd, &r);

	ck_assert_msg(!err, "read of an event: %s", strerror(err));
	return r.count;
}

int group_try_read(int fd, uint64_t *counts, unsigned int n)
{
	uint64_t buf[1 + 64];
	ssize_t len;

	/* no ck_assert, which writes to Check's file each time: threads come here without end */
	if (n >= ARRAY_SIZE(buf))
		return E2BIG;
	len = read(fd, buf, sizeof(buf));
	if (len < 0)
		return errno;
	if (len != (ssize_t)((1 + n) * sizeof(*buf)) || buf[0] != n)
		return ENODATA;
	memcpy(counts, buf + 1, n * sizeof(*buf));
	return 0;
}

bool trace_ends_with_begin(void)
{
	FILE *file = fopen(TRACING "trace", "r");
	bool begin = false;
	char line[1024];

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file))
		begin = *line == '#' ? begin : !!strstr(line, " run_begin: ");
	fclose(file);
	return begin;
}

void stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(set), &set), 0);
}

uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

void sleep_ms(unsigned int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

static bool others_run(void)
{
	DIR *tasks = opendir("/proc/self/task");
	const struct dirent *task;
	bool run = false;

	ck_assert_ptr_nonnull(tasks);
	while ((task = readdir(tasks))) {
		const char *stat, *state;

		if (*task->d_name == '.' || atoi(task->d_name) == getpid())
			continue;
		stat = file_text("/proc/self/task/%s/stat", task->d_name);
		state = stat ? strrchr(stat, ')') : NULL;
		run |= !state || (state[2] != 'S' && state[2] != 'D');
	}
	closedir(tasks);
	return run;
}

void others_wait(void)
{
	unsigned int still = 0;

	/* a thread that waits for a page or a lock does so for less */
	while (still < 20) {
		still = others_run() ? 0 : still + 1;
		sleep_ms(10);
	}
}

void machine_sleep(void)
{
	unsigned int tries = 10;
	int fd;

	file_write("/sys/module/suspend/parameters/pm_test_delay", "1");
	file_write("/sys/power/pm_test", "devices");
	/* what wakes the machine up, such as a timer that is due, ends the attempt before any device sleeps */
	fd = open("/sys/power/state", O_WRONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	while (write(fd, "freeze", 6) != 6) {
		ck_assert_msg(errno == EBUSY && tries--, "the machine does not sleep: %s", strerror(errno));
		sleep_ms(100);
	}
	close(fd);
}

struct fft {
	int contig, dev;
	unsigned int batches;
	unsigned long chunks[CHUNKS];
	struct contig_alloc_req req;
};

struct fft *fft_new(unsigned int n)
{
	return fft_new_on("/dev/contig_alloc", n);
}

struct fft *fft_new_on(const char *contig, unsigned int n)
{
	struct fft *fft = fft_try_new(contig, n, 1);

	ck_assert_msg(fft, "/dev/fft_stratus.%u with %s: %s", n, contig, strerror(errno));
	ck_assert_uint_eq(fft->req.n, 1);
	return fft;
}

struct fft *fft_try_new(const char *contig, unsigned int n, unsigned int batches)
{
	struct fft *fft = calloc(1, sizeof(*fft));
	char path[64];
	int err;

	if (!fft)
		return NULL;
	snprintf(path, sizeof(path), "/dev/fft_stratus.%u", n);
	fft->contig = open(contig, O_RDWR | O_CLOEXEC);
	fft->dev = fft->contig < 0 ? -1 : open(path, O_RDWR | O_CLOEXEC);
	/* 128 points of two 32-bit numbers */
	fft->batches = batches;
	fft->req.size = batches * 128 * 8;
	fft->req.arr = fft->chunks;
	fft->req.n_max = CHUNKS;
	if (fft->dev >= 0 && !ioctl(fft->contig, CONTIG_IOC_ALLOC, &fft->req))
		return fft;
	err = errno;
	if (fft->dev >= 0)
		close(fft->dev);
	if (fft->contig >= 0)
		close(fft->contig);
	free(fft);
	errno = err;
	return NULL;
}

struct fft *fft_new_long(unsigned int n, unsigned int batches)
{
	struct fft *fft = fft_try_new("/dev/contig_alloc", n, batches);

	ck_assert_msg(fft, "/dev/fft_stratus.%u, %u batches: %s", n, batches, strerror(errno));
	return fft;
}

static int run(struct fft *fft, const char *source, bool send)
{
	struct fft_stratus_access access = {
		.esp = {
			.contig = fft->req.khandle, .run = 1, .coherence = ACC_COH_NONE,
			.p2p_nsrcs = source ? 1 : 0, .p2p_store = send,
		},
		.batch_size = fft->batches,
		.log_len = 7,
	};

	if (source) {
		struct esp_sources sources = { .n = 1 };
		char path[96];

		/* by its descriptor, so that the accelerator waits and not the driver */
		snprintf(path, sizeof(path), "/dev/%s", source);
		sources.fd[0] = open(path, O_RDWR | O_CLOEXEC);
		if (ioctl(fft->dev, ESP_IOC_SOURCES, &sources))
			return errno;
		close(sources.fd[0]);
		strcpy(access.esp.p2p_srcs[0], source);
	}
	return ioctl(fft->dev, FFT_STRATUS_IOC_ACCESS, &access) ? errno : 0;
}

int fft_run(struct fft *fft)
{
	return run(fft, NULL, false);
}

int fft_receive(struct fft *fft, unsigned int source)
{
	char name[64];

	snprintf(name, sizeof(name), "fft_stratus.%u", source);
	return run(fft, name, false);
}

int fft_send(struct fft *fft)
{
	return run(fft, NULL, true);
}

unsigned long fft_address(const struct fft *fft)
{
	return fft->chunks[0];
}

void fft_free(struct fft *fft)
{
	ioctl(fft->contig, CONTIG_IOC_FREE, &fft->req.khandle);
	close(fft->dev);
	close(fft->contig);
	free(fft);
}
