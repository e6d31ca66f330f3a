// SPDX-License-Identifier: LGPL-2.1-or-later
/* test/test.h: the test driver of ESP's programs. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "test/test.h"
#include "test/time.h"

static void say(const char *fmt, va_list args, const char *reason)
{
	fputs("fatal: ", stderr);
	vfprintf(stderr, fmt, args);
	fprintf(stderr, "%s%s\n", reason ? ": " : "", reason ? reason : "");
}

void die(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args, NULL);
	va_end(args);
	exit(EXIT_FAILURE);
}

void die_errno(const char *fmt, ...)
{
	const char *reason = strerror(errno);
	va_list args;

	va_start(args, fmt);
	say(fmt, args, reason);
	va_end(args);
	exit(EXIT_FAILURE);
}

static void open_device(struct test_info *info)
{
	if (info->fd)
		return;
	info->fd = open(info->devname, O_RDWR);
	if (info->fd < 0)
		die_errno("%s", info->devname);
}

static void prepare(struct test_info *info)
{
	open_device(info);
	info->alloc_buf(info);
	info->alloc_contig(info);
	if (!info->contig)
		die("%s: no buffer: %s", info->name, mon_error());
	info->init_bufs(info);
	if (info->to_sc_fixed)
		info->to_sc_fixed(info);
	info->esp->p2p_store = 0;
	info->esp->p2p_nsrcs = 0;
	if (info->set_access)
		info->set_access(info);
	info->esp->contig = contig_to_khandle(info->contig);
	info->esp->run = true;
}

/* Duration of the ioctl in nanoseconds. */
static unsigned long long request(struct test_info *info, unsigned long cmd)
{
	struct timespec start, end;

	gettime(&start);
	if (ioctl(info->fd, cmd, info->esp) < 0)
		die_errno("%s: ioctl %#lx", info->devname, cmd);
	gettime(&end);
	return ts_subtract(&start, &end);
}

static int run_test(struct test_info *info)
{
	unsigned long long hw, sw = 0;
	struct timespec start, end;

	prepare(info);
	if (info->comp) {
		gettime(&start);
		info->comp(info);
		gettime(&end);
		sw = ts_subtract(&start, &end);
	}
	hw = request(info, (unsigned int)info->cm);
	if (info->to_float)
		info->to_float(info);
	printf("  hw exec time: %llu ns\n  sw exec time: %llu ns\n", hw, sw);
	if (!info->diff_ok(info))
		return 1;
	printf("\n  SOFTWARE AND HARDWARE MATCH!\n");
	return 0;
}

static int run_hardware(struct test_info *info)
{
	prepare(info);
	printf("   hw-exec: %llu ns\n", request(info, (unsigned int)info->cm));
	return 0;
}

static int configure(struct test_info *info)
{
	prepare(info);
	info->esp->run = false;
	request(info, (unsigned int)info->cm);
	return 0;
}

static int run_configured(struct test_info *info)
{
	open_device(info);
	request(info, ESP_IOC_RUN);
	return 0;
}

static int flush(struct test_info *info)
{
	open_device(info);
	request(info, ESP_IOC_FLUSH);
	return 0;
}

static enum accelerator_coherence coherence_of(const char *name)
{
	static const struct {
		const char *name;
		enum accelerator_coherence coherence;
	} names[] = {
		{ "coh", ACC_COH_FULL }, { "llc-coh-dma", ACC_COH_LLC }, { "coh-dma", ACC_COH_RECALL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i].name))
			return names[i].coherence;
	return ACC_COH_NONE;
}

int test_main(struct test_info *info, const char *coh, const char *cmd)
{
	static const struct {
		const char *name;
		int (*run)(struct test_info *info);
	} commands[] = {
		{ "test", run_test }, { "hw", run_hardware }, { "config", configure },
		{ "run", run_configured }, { "flush", flush },
	};
	cpu_set_t cpus;

	/* time software and accelerator on the same processor */
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	info->cmd = cmd;
	info->esp->coherence = coherence_of(coh);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(cmd, commands[i].name))
			return commands[i].run(info);
	fprintf(stderr, "unknown command '%s': test, hw, config, run or flush\n", cmd);
	return 1;
}
