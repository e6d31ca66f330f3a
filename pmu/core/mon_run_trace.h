/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints at the begin and the end of a run: of an accelerator, of the DPUs of a rank, of a
 * program on a DSP. A module defines TRACE_SYSTEM, its name, before it includes this, and in one of
 * its files CREATE_TRACE_POINTS as well. monctl records tracepoints with these names and fields of
 * any module.
 */
#if !defined(MON_RUN_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define MON_RUN_TRACE_H

#include <linux/tracepoint.h>

#include "pmu/core/mon_run.h"

DECLARE_EVENT_CLASS(mon_run,
		    TP_PROTO(const struct mon_run *run),
		    TP_ARGS(run),
		    TP_STRUCT__entry(__array(char, device, MON_RUN_DEVICE)
				     __array(char, user, TASK_COMM_LEN)
				     __array(char, about, MON_RUN_ABOUT)
				     __field(s32, place)
				     __field(u32, pid)),
		    TP_fast_assign(memcpy(__entry->device, run->device, MON_RUN_DEVICE);
				   memcpy(__entry->user, run->user, TASK_COMM_LEN);
				   memcpy(__entry->about, run->about, MON_RUN_ABOUT);
				   __entry->place = run->place;
				   __entry->pid = run->pid;),
		    TP_printk("device=%s place=%d user=%s pid=%u about=%s", __entry->device,
			      __entry->place, __entry->user, __entry->pid, __entry->about)
);

DEFINE_EVENT(mon_run, run_begin, TP_PROTO(const struct mon_run *run), TP_ARGS(run));
DEFINE_EVENT(mon_run, run_end, TP_PROTO(const struct mon_run *run), TP_ARGS(run));

#endif

#ifndef MON_RUN_FUNCTIONS
#define MON_RUN_FUNCTIONS

/* Call it before the hardware is started. */
static inline void mon_run_begin(struct mon_run *run, const char *device, int place,
				 const char *about)
{
	strscpy_pad(run->device, device, sizeof(run->device));
	strscpy_pad(run->about, about, sizeof(run->about));
	/* callers hold locks that interrupts take, as task_lock() of get_task_comm() must not */
	strscpy_pad(run->user, current->comm, sizeof(run->user));
	run->pid = task_tgid_nr(current);
	run->place = place;
	trace_run_begin(run);
	atomic_set(&run->running, 1);
}

/* Any number of times and in any context: the first after a begin counts. */
static inline void mon_run_end(struct mon_run *run)
{
	if (atomic_xchg(&run->running, 0))
		trace_run_end(run);
}

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE mon_run_trace
#include <trace/define_trace.h>
