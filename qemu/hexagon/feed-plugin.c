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
#include <stdlib.h>
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

static bool parse_features(const char *text)
{
	unsigned int features = atoi(text);

	stalls = features & HEXAGON_FEATURE_TIMING;
	profiled = features & HEXAGON_FEATURE_PROFILE;
	caches = stalls || profiled || features & HEXAGON_FEATURE_MEMORY;
	return true;
}

static bool parse_core(const char *text)
{
	return sscanf(text, "%u:%u:%u:%u:%u", &core.version, &core.threads, &core.clusters, &core.cycles,
		      &core.contexts) == 5 && core.threads && core.threads <= HEXAGON_MAX_THREADS &&
	       core.clusters && core.cycles && core.contexts;
}

static bool parse_cache(const char *text, struct hexagon_cache_shape *cache)
{
	return sscanf(text, "%u:%u:%u", &cache->size, &cache->ways, &cache->line) == 3;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv)
{
	const char *file = NULL;
	bool good = true;
	int fd = -1;

	hexagon_core_init(&core, DEFAULT_VERSION);
	hexagon_memory_usual(&shape, DEFAULT_VERSION);
	if (strcmp(info->target_name, "hexagon") != 0 || info->system_emulation)
		return complain(info->target_name, "not supported: use qemu-hexagon");
	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "feed=", 5) == 0)
			file = argv[i] + 5;
		else if (strncmp(argv[i], "fd=", 3) == 0)
			fd = atoi(argv[i] + 3);
		else if (strncmp(argv[i], "core=", 5) == 0)
			good = parse_core(argv[i] + 5);
		else if (strncmp(argv[i], "quantum=", 8) == 0)
			good = sscanf(argv[i] + 8, "%" SCNu64, &quantum) == 1 && quantum;
		else if (strncmp(argv[i], "clock=", 6) == 0)
			good = sscanf(argv[i] + 6, "%" SCNu32, &clock_hz) == 1 && clock_hz;
		else if (strncmp(argv[i], "marks=", 6) == 0)
			marks = take_marks(atoi(argv[i] + 6));
		else if (strncmp(argv[i], "features=", 9) == 0)
			good = parse_features(argv[i] + 9);
		else if (strncmp(argv[i], "operations=", 11) == 0)
			operations = atoi(argv[i] + 11);
		else if (strncmp(argv[i], "timing=", 7) == 0)
			good = sscanf(argv[i] + 7, "%u:%u:%u", &timing.l2, &timing.memory,
				      &timing.redirect) == 3;
		else if (strncmp(argv[i], "l1i=", 4) == 0)
			good = parse_cache(argv[i] + 4, &shape.l1i);
		else if (strncmp(argv[i], "l1d=", 4) == 0)
			good = parse_cache(argv[i] + 4, &shape.l1d);
		else if (strncmp(argv[i], "l2=", 3) == 0)
			good = parse_cache(argv[i] + 3, &shape.l2);
		else if (strncmp(argv[i], "vtcm=", 5) == 0)
			good = sscanf(argv[i] + 5, "%u:%u", &shape.vtcm, &shape.vtcm_size) == 2;
		else
			good = false;
		if (!good)
			return complain(argv[i], "feed=FILE, fd=N, core=VERSION:THREADS:CLUSTERS:CYCLES:CONTEXTS, quantum=N, "
					"clock=HZ, marks=N, features=N, operations=N, l1i=, l1d=, l2=SIZE:WAYS:LINE, vtcm=ADDRESS:SIZE and "
					"timing=L2:MEMORY:REDIRECT are known");
	}
	core.stalls = stalls;
	if (!file && fd < 0)
		return complain("no feed", "give feed=FILE or fd=NUMBER");
	if (map_feed(file, fd) < 0)
		return -1;

	if (operations & HEXAGON_READS_CLOCK || (caches && operations & HEXAGON_OPERATES_CACHES))
		mon_short_blocks();
	pthread_atfork(NULL, NULL, in_forked_child);
	MON_REGISTER(vcpu_init, id, on_cpu);
	MON_REGISTER(vcpu_tb_trans, id, on_translate);
	MON_REGISTER(flush, id, on_flush);
	MON_REGISTER(vcpu_syscall, id, on_syscall);
	MON_REGISTER(vcpu_syscall_ret, id, on_return);
	return 0;
}
