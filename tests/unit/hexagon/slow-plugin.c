/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A second plugin of qemu-hexagon for tests. With call=N,us=M the host thread of a vCPU gets nowhere for M us, without sleep,
 * before each system call N and after it: what a busy host does to a thread, at the worst moments.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <qemu-plugin.h>

#include "qemu/compat.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

static int64_t call;
static int64_t us;

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static void get_nowhere(int64_t number)
{
	int64_t end = now() + us;

	while (number == call && now() < end)
		;
}

static void on_return(MON_ID_FIRST unsigned int cpu, int64_t number, int64_t result MON_POINTER_LAST)
{
	(void)cpu, (void)result;
	get_nowhere(number);
}

static void on_syscall(MON_ID_FIRST unsigned int cpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3,
		       uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8 MON_POINTER_LAST)
{
	(void)cpu, (void)a1, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
	get_nowhere(number);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "call=", 5) == 0)
			call = atoi(argv[i] + 5);
		else if (strncmp(argv[i], "us=", 3) == 0)
			us = atoi(argv[i] + 3);
	}
	MON_REGISTER(vcpu_syscall, id, on_syscall);
	MON_REGISTER(vcpu_syscall_ret, id, on_return);
	return 0;
}
