/* SPDX-License-Identifier: GPL-2.0-only */
/* A run of a device, as its tracepoints report it: mon_run_trace.h. */
#ifndef MON_RUN_H
#define MON_RUN_H

#include <linux/atomic.h>
#include <linux/sched.h>
#include <linux/types.h>

#define MON_RUN_DEVICE 32
#define MON_RUN_ABOUT 32

/**
 * struct mon_run - the last run of a device
 * @device: its name in /dev
 * @user: the program that started it
 * @about: what runs, for people: a size, a mode, a program; may be empty
 * @pid: its process
 * @place: tile or thread; -1: none or several
 * @running: it has not ended yet
 */
struct mon_run {
	char device[MON_RUN_DEVICE];
	char user[TASK_COMM_LEN];
	char about[MON_RUN_ABOUT];
	u32 pid;
	s32 place;
	atomic_t running;
};

#endif
