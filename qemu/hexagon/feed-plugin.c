/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hexagon-feed.so: TCG plugin for qemu-hexagon (linux-user) that counts what each hardware thread
 * commits and publishes it in shared memory (hexagon/feed.h).
 *
 *	qemu-hexagon -plugin hexagon-feed.so,feed=FEED[,...] PROGRAM
 *	qemu-hexagon -plugin hexagon-feed.so,fd=N[,...] PROGRAM
 *
 * core=VERSION:THREADS:CLUSTERS:CYCLES:CONTEXTS is the core. quantum= is the packets of a turn, if there are more software threads than hardware threads.
 * clock= is the core's, in Hz; marks=N takes the program's marks, a line "CYCLE THREAD PHASE" each.
 * features= is a sum: 1 models the caches, 3 stalls as well, 4 makes a profile after the feed. l1i=,
 * l1d=, l2= SIZE:WAYS:LINE, vtcm=ADDRESS:SIZE; timing=L2:MEMORY:REDIRECT, in cycles. operations= is
 * HEXAGON_OPERATES_CACHES and HEXAGON_READS_CLOCK (hexagon/packet.h), if the program may have such instructions.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hexagon/events.h"
#include "qemu/hexagon/plugin.h"

#define DEFAULT_VERSION 69
#define LEAST_MARKS 48

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

static struct hexagon_memory_shape shape;
static struct hexagon_timing timing = {
	HEXAGON_L2_CYCLES, HEXAGON_MEMORY_CYCLES, HEXAGON_REDIRECT_CYCLES,
};
static bool profiled;
static unsigned int operations;

static int complain(const char *what, const char *why)
{
	fprintf(stderr, "hexagon-feed: %s: %s\n", what, why);
	return -1;
}

static int map_feed(const char *file, int fd)
{
	size_t size = profiled ? HEXAGON_FEED_WITH_PROFILE : sizeof(*feed);
	struct stat st;

	if (file)
		fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return complain(file, strerror(errno));
	if ((file && ftruncate(fd, size) < 0) || fstat(fd, &st) < 0)
		return complain(file ? file : "fd", strerror(errno));
	if ((uint64_t)st.st_size < size)
		return complain("fd", "smaller than a feed: make it with hexagon-host of this build");
	feed = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	/* the program must not inherit this descriptor */
	close(fd);
	if (feed == MAP_FAILED)
		return complain("mmap", strerror(errno));
	hexagon_feed_init(feed, core.threads);
	if (!hexagon_time_init(&model, feed, caches ? &shape : NULL, core.cycles, core.contexts))
		return complain("caches", hexagon_memory_check(&shape) ?: strerror(errno));
	hexagon_threads_init(&threads, &model);
	if (stalls)
		model.timing = timing;
	if (profiled)
		model.profile = profile = hexagon_feed_profile(feed);
	return 0;
}

/* Out of the way of the descriptors that the program opens. */
static int take_marks(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, LEAST_MARKS);

	close(fd);
	return high;
}

/* Arguments are numbers, as scanf reads them; what they are is at the top. */
static int feed_fd = -1;
static unsigned int features;

static const struct {
	const char *format;
	int count;
	void *to[5];
} arguments[] = {
	{ "fd=%d", 1, { &feed_fd } },
	{ "core=%u:%u:%u:%u:%u", 5, { &core.version, &core.threads, &core.clusters, &core.cycles, &core.contexts } },
	{ "quantum=%" SCNu64, 1, { &quantum } },
	{ "clock=%" SCNu32, 1, { &clock_hz } },
	{ "marks=%d", 1, { &marks } },
	{ "features=%u", 1, { &features } },
	{ "operations=%u", 1, { &operations } },
	{ "timing=%u:%u:%u", 3, { &timing.l2, &timing.memory, &timing.redirect } },
	{ "l1i=%u:%u:%u", 3, { &shape.l1i.size, &shape.l1i.ways, &shape.l1i.line } },
	{ "l1d=%u:%u:%u", 3, { &shape.l1d.size, &shape.l1d.ways, &shape.l1d.line } },
	{ "l2=%u:%u:%u", 3, { &shape.l2.size, &shape.l2.ways, &shape.l2.line } },
	{ "vtcm=%u:%u", 2, { &shape.vtcm, &shape.vtcm_size } },
};

static bool parse(const char *text)
{
	for (size_t i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++) {
		void *const *to = arguments[i].to;

		if (sscanf(text, arguments[i].format, to[0], to[1], to[2], to[3], to[4]) == arguments[i].count)
			return true;
	}
	return false;
}

static bool is_possible(void)
{
	return core.threads && core.threads <= HEXAGON_MAX_THREADS && core.clusters && core.cycles && core.contexts && quantum &&
	       clock_hz;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv)
{
	const char *file = NULL;

	hexagon_core_init(&core, DEFAULT_VERSION);
	hexagon_memory_usual(&shape, DEFAULT_VERSION);
	if (strcmp(info->target_name, "hexagon") != 0 || info->system_emulation)
		return complain(info->target_name, "not supported: use qemu-hexagon");
	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "feed=", 5) == 0)
			file = argv[i] + 5;
		else if (!parse(argv[i]) || !is_possible())
			return complain(argv[i], "feed=FILE, fd=N, core=VERSION:THREADS:CLUSTERS:CYCLES:CONTEXTS, quantum=N, "
					"clock=HZ, marks=N, features=N, operations=N, l1i=, l1d=, l2=SIZE:WAYS:LINE, vtcm=ADDRESS:SIZE and "
					"timing=L2:MEMORY:REDIRECT are known");
	}
	stalls = core.stalls = features & HEXAGON_FEATURE_TIMING;
	profiled = features & HEXAGON_FEATURE_PROFILE;
	caches = features & (HEXAGON_FEATURE_MEMORY | HEXAGON_FEATURE_TIMING | HEXAGON_FEATURE_PROFILE);
	if (marks >= 0)
		marks = take_marks(marks);
	if (!file && feed_fd < 0)
		return complain("no feed", "give feed=FILE or fd=NUMBER");
	if (map_feed(file, feed_fd) < 0)
		return -1;

	short_blocks = operations & HEXAGON_READS_CLOCK ||
		       (!MON_REGISTERS_ANYWHERE && caches && operations & HEXAGON_OPERATES_CACHES);
	pthread_atfork(NULL, NULL, in_forked_child);
	MON_REGISTER(vcpu_init, id, on_cpu);
	MON_REGISTER(vcpu_tb_trans, id, on_translate);
	MON_REGISTER(flush, id, on_flush);
	MON_REGISTER(vcpu_syscall, id, on_syscall);
	MON_REGISTER(vcpu_syscall_ret, id, on_return);
	return 0;
}
