// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "fake.h"
#include "libmon/esp/buffer.h"
#include "libmon/esp/include/fft_stratus.h"
#include "libmon/internal.h"

uint64_t (*fake_counter)(uint64_t config);
int fake_open_error, fake_read_error, fake_last_cpu, fake_last_pid, fake_run_error;
unsigned int fake_open_good, fake_opens, fake_reads, fake_open_events, fake_largest_group;
unsigned int fake_handles, fake_runs;
bool fake_cloexec, fake_gone;
uint32_t fake_last_type;
uint64_t fake_last_config, fake_last_handle;

static char root[64], sys_root[80], proc_root[80], dev_root[80];

/* The open events by file descriptor. */
#define MAX_FDS 32768

static struct event {
	int leader;
	unsigned int members;	/* of a leader, itself included */
	int *member;
	uint64_t config, base;
	bool enabled;
} *events[MAX_FDS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

long __real_syscall(long number, ...);
ssize_t __real_read(int fd, void *buf, size_t size);
int __real_poll(struct pollfd *polls, nfds_t count, int milliseconds);
int __real_close(int fd);
int __real_ioctl(int fd, unsigned long request, ...);

long __wrap_syscall(long number, ...);
ssize_t __wrap_read(int fd, void *buf, size_t size);
int __wrap_close(int fd);
int __wrap_poll(struct pollfd *polls, nfds_t count, int milliseconds);
int __wrap_ioctl(int fd, unsigned long request, ...);

static void shell(const char *format, const char *path)
{
	char command[512];

	snprintf(command, sizeof(command), format, path);
	if (system(command))
		abort();
}

void fake_init(void)
{
	strcpy(root, "/tmp/libmon-test-XXXXXX");
	if (!mkdtemp(root))
		abort();
	snprintf(sys_root, sizeof(sys_root), "%s/sys", root);
	snprintf(proc_root, sizeof(proc_root), "%s/proc", root);
	snprintf(dev_root, sizeof(dev_root), "%s/dev", root);
	mon_sysfs_root = sys_root;
	mon_procfs_root = proc_root;
	mon_esp_dev_root = dev_root;
	shell("mkdir -p %s/sys/bus/event_source/devices", root);
	fake_counter = NULL;
	fake_open_error = fake_read_error = fake_run_error = 0;
	fake_gone = false;
	fake_open_good = fake_opens = fake_reads = fake_largest_group = 0;
	fake_runs = 0;
}

void fake_exit(void)
{
	shell("rm -rf %s", root);
}

void fake_file(const char *path, const char *format, ...)
{
	char full[256], *slash;
	va_list args;
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(full, 0777);
	}
	file = fopen(full, "w");
	if (!file)
		abort();
	va_start(args, format);
	vfprintf(file, format, args);
	va_end(args);
	fclose(file);
}

void fake_remove(const char *path)
{
	char full[256];

	snprintf(full, sizeof(full), "%s/%s", root, path);
	shell("rm -rf %s", full);
}

#define DEVICES "sys/bus/event_source/devices/"
#define PMU DEVICES "espmon/"

void fake_pmu(const char *name, unsigned int type)
{
	char path[128];

	snprintf(path, sizeof(path), DEVICES "%s/type", name);
	fake_file(path, "%u\n", type);
	snprintf(path, sizeof(path), DEVICES "%s/cpumask", name);
	fake_file(path, "0\n");
}

void fake_format(const char *pmu, const char *name, const char *bits)
{
	char path[128];

	snprintf(path, sizeof(path), DEVICES "%s/format/%s", pmu, name);
	fake_file(path, "%s\n", bits);
}

void fake_event(const char *pmu, const char *name, const char *terms)
{
	char path[128];

	snprintf(path, sizeof(path), DEVICES "%s/events/%s", pmu, name);
	fake_file(path, "%s\n", terms);
}

static void espmon_common(const char *pmu, unsigned int type)
{
	static const struct {
		const char *name;
		unsigned int code;
		const char *unit;
	} list[] = {
#define MON_EVENT(name, config, places, variants, unit, ...) \
	{ #name, config, unit },
#include "events/esp/events.def"
#undef MON_EVENT
	};
	char path[128], terms[32];
	size_t i;

	fake_pmu(pmu, type);
	fake_format(pmu, "event", "config:0-7");
	fake_format(pmu, "tile", "config:8-15");
	fake_format(pmu, "bytile", "config:16");
	snprintf(path, sizeof(path), DEVICES "%s/caps/layout", pmu);
	fake_file(path, "2023\n");
	for (i = 0; i < MON_ARRAY_SIZE(list); i++) {
		snprintf(terms, sizeof(terms), "event=0x%x", list[i].code);
		fake_event(pmu, list[i].name, terms);
		snprintf(path, sizeof(path), DEVICES "%s/events/%s.unit", pmu, list[i].name);
		fake_file(path, "%s\n", list[i].unit);
	}
}

void fake_tiles(const char *pmu, const char *lines)
{
	char path[128];
	int t = 0;

	snprintf(path, sizeof(path), DEVICES "%s/tiles", pmu);
	fake_remove(path);
	for (; *lines; lines += strcspn(lines, "\n") + 1) {
		snprintf(path, sizeof(path), DEVICES "%s/tiles/%d", pmu, t++);
		fake_file(path, "%.*s\n", (int)strcspn(lines, "\n"), lines);
	}
}

void fake_espmon(void)
{
	espmon_common("espmon", 42);
	fake_tiles("espmon", "0 0 acc fft_stratus.0 l2\n0 1 cpu\n1 0 mem\n1 1 acc fft_stratus.1\n"
		   "2 0 acc fft_stratus.2\n2 1 io\n");
}

void fake_second_espmon(void)
{
	espmon_common("espmon_1", 43);
	fake_tiles("espmon_1", "0 0 mem\n0 1 cpu\n0 2 acc dummy_stratus.0\n0 3 io\n");
}

void fake_espmon_sized(unsigned int rows, unsigned int cols, unsigned int nmem)
{
	char *text = malloc(64 * rows * cols), *p = text;
	unsigned int t;

	espmon_common("espmon", 42);
	for (t = 0; t < rows * cols; t++) {
		p += sprintf(p, "%u %u ", t / cols, t % cols);
		if (t < 2)
			p += sprintf(p, t ? "io\n" : "cpu\n");
		else if (t < 2 + nmem)
			p += sprintf(p, "mem\n");
		else
			p += sprintf(p, "acc fft_stratus.%u l2\n", t - 2 - nmem);
	}
	fake_tiles("espmon", text);
	free(text);
}

static struct event *event_of(int fd)
{
	return fd >= 0 && fd < MAX_FDS ? events[fd] : NULL;
}

static uint64_t counter(const struct event *event)
{
	return fake_counter ? fake_counter(event->config) : 0;
}

static int open_event(const struct perf_event_attr *attr, int pid, int cpu, int group, unsigned long flags)
{
	struct event *event, *leader;
	int fd;

	if (fake_open_error && fake_opens >= fake_open_good) {
		errno = fake_open_error;
		return -1;
	}
	fake_opens++;
	fake_last_cpu = cpu;
	fake_last_pid = pid;
	fake_last_type = attr->type;
	fake_last_config = attr->config;
	fd = open("/dev/null", O_RDONLY | (flags & PERF_FLAG_FD_CLOEXEC ? O_CLOEXEC : 0));
	if (fd < 0 || fd >= MAX_FDS)
		return -1;
	if (!events[fd])
		events[fd] = calloc(1, sizeof(*events[fd]));
	event = events[fd];
	event->leader = group < 0 ? fd : group;
	event->config = attr->config;
	event->enabled = !attr->disabled;
	event->members = 0;
	event->base = 0;
	leader = events[event->leader];
	if (!leader->member)
		leader->member = calloc(2048, sizeof(*leader->member));
	leader->member[leader->members++] = fd;
	if (leader->members > fake_largest_group)
		fake_largest_group = leader->members;
	fake_open_events++;
	return fd;
}

long __wrap_syscall(long number, ...)
{
	const struct perf_event_attr *attr;
	va_list args;
	int pid, cpu, group;
	unsigned long flags;
	long ret;

	va_start(args, number);
	if (number != SYS_perf_event_open)
		abort();
	attr = va_arg(args, const struct perf_event_attr *);
	pid = va_arg(args, int);
	cpu = va_arg(args, int);
	group = va_arg(args, int);
	flags = va_arg(args, unsigned long);
	va_end(args);
	pthread_mutex_lock(&lock);
	ret = open_event(attr, pid, cpu, group, flags);
	pthread_mutex_unlock(&lock);
	return ret;
}

ssize_t __wrap_read(int fd, void *buf, size_t size)
{
	struct event *event = event_of(fd);
	uint64_t *words = buf;
	unsigned int i;

	if (!event)
		return __real_read(fd, buf, size);
	if (fake_read_error) {
		errno = fake_read_error;
		return fake_read_error < 0 ? 0 : -1;
	}
	pthread_mutex_lock(&lock);
	fake_reads++;
	fake_cloexec = fcntl(fd, F_GETFD) & FD_CLOEXEC;
	event = events[event->leader];
	if (size < (3 + event->members) * sizeof(*words))
		abort();
	words[0] = event->members;
	words[1] = 2000;
	words[2] = 1000;
	for (i = 0; i < event->members; i++) {
		const struct event *member = events[event->member[i]];

		words[3 + i] = event->enabled ? counter(member) - member->base : 0;
	}
	pthread_mutex_unlock(&lock);
	return (3 + event->members) * sizeof(*words);
}

int __wrap_poll(struct pollfd *polls, nfds_t count, int milliseconds)
{
	if (count != 1 || !event_of(polls->fd))
		return __real_poll(polls, count, milliseconds);
	polls->revents = fake_gone ? POLLERR : POLLHUP;
	return 1;
}

int __wrap_close(int fd)
{
	struct event *event = event_of(fd);

	if (event) {
		free(event->member);
		free(event);
		events[fd] = NULL;
		fake_open_events--;
	}
	return __real_close(fd);
}

static int event_ioctl(struct event *leader, unsigned long request)
{
	unsigned int i;

	switch (request) {
	case PERF_EVENT_IOC_ENABLE:
		leader->enabled = true;
	/* counts start at 0 when the group is enabled */
	/* fall through */
	case PERF_EVENT_IOC_RESET:
		for (i = 0; i < leader->members; i++)
			events[leader->member[i]]->base = counter(events[leader->member[i]]);
		return 0;
	case PERF_EVENT_IOC_DISABLE:
		leader->enabled = false;
		return 0;
	default:
		abort();
	}
}

static int alloc_chunks(int fd, struct contig_alloc_req *req)
{
	unsigned int i;

	if (req->n_max != (req->size + (1 << 20) - 1) >> 20 || !req->n_max) {
		errno = EINVAL;
		return -1;
	}
	/* The first chunk's address is the offset to map: the file itself serves as memory. */
	for (i = 0; i < req->n_max; i++)
		req->arr[i] = (unsigned long)(fake_handles + i) << 20;
	if (ftruncate(fd, (off_t)(fake_handles + req->n_max) << 20))
		abort();
	fake_handles++;
	fake_last_handle = 1000 + fake_handles;
	req->n = req->n_max;
	req->khandle = (contig_khandle_t)(uintptr_t)fake_last_handle;
	req->most_allocated = req->params.policy == CONTIG_ALLOC_PREFERRED ?
			      req->params.pol.first.ddr_node : 3;
	return 0;
}

static int access_fft(const struct fft_stratus_access *access)
{
	if (fake_run_error) {
		errno = fake_run_error;
		return -1;
	}
	if (!access->esp.run || !access->esp.contig)
		abort();
	fake_last_handle = (uintptr_t)access->esp.contig;
	__atomic_add_fetch(&fake_runs, 1, __ATOMIC_SEQ_CST);
	return 0;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	struct event *event = event_of(fd);
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (event)
		return event_ioctl(event, request);
	switch (request) {
	case CONTIG_IOC_CHUNK_LOG:
		*(unsigned long *)arg = 20;
		return 0;
	case CONTIG_IOC_ALLOC:
		return alloc_chunks(fd, arg);
	case CONTIG_IOC_FREE:
		fake_handles--;
		return 0;
	case FFT_STRATUS_IOC_ACCESS:
		return access_fft(arg);
	default:
		return __real_ioctl(fd, request, arg);
	}
}
