// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libmon-dpu-clock.so, for LD_PRELOAD: the clocks of a host program in modelled time (dpu-run --host).
 *
 * They are stopped while libmon-dpu simulates, and then go forward by the modelled time. The processor's time-stamp
 * counter shows real time: an instruction reads it, not a function.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "libmon/upmem/clock.h"

#define SECOND INT64_C(1000000000)
#define EXPORT __attribute__((visibility("default")))
#define CLOCKS (CLOCK_TAI + 1)

/* Two kinds of clocks: time, and the processor time of the process. */
enum { WALL, CPU, KINDS };

static struct {
	pthread_mutex_t lock;
	unsigned int stopped;		/* calls of stop() without their go() */
	int64_t since[KINDS];		/* when they stopped */
	int64_t left_out[KINDS];
	int64_t added;			/* modelled time */
	int64_t ahead[CLOCKS];		/* of CLOCK_MONOTONIC, at the start */
} state = { .lock = PTHREAD_MUTEX_INITIALIZER };

static _Thread_local struct {
	unsigned int stopped;
	int64_t since, left_out;
} own;				/* of this thread's processor time */

static int64_t system_clock(clockid_t id)
{
	struct timespec t = { 0, 0 };

	syscall(SYS_clock_gettime, id, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

static int64_t system_kind(unsigned int kind)
{
	return system_clock(kind == CPU ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC);
}

/* With the lock. */
static int64_t now_of(unsigned int kind)
{
	return (state.stopped ? state.since[kind] : system_kind(kind)) - state.left_out[kind] + state.added;
}

static int64_t now(unsigned int kind)
{
	int64_t ns;

	pthread_mutex_lock(&state.lock);
	ns = now_of(kind);
	pthread_mutex_unlock(&state.lock);
	return ns;
}

static int64_t own_now(void)
{
	int64_t ns = own.stopped ? own.since : system_clock(CLOCK_THREAD_CPUTIME_ID);

	pthread_mutex_lock(&state.lock);
	ns += state.added - own.left_out;
	pthread_mutex_unlock(&state.lock);
	return ns;
}

static void clock_stop(void)
{
	if (!own.stopped++)
		own.since = system_clock(CLOCK_THREAD_CPUTIME_ID);
	pthread_mutex_lock(&state.lock);
	for (unsigned int k = 0; !state.stopped && k < KINDS; k++)
		state.since[k] = system_kind(k);
	state.stopped++;
	pthread_mutex_unlock(&state.lock);
}

static void clock_go(void)
{
	pthread_mutex_lock(&state.lock);
	state.stopped--;
	for (unsigned int k = 0; !state.stopped && k < KINDS; k++)
		state.left_out[k] += system_kind(k) - state.since[k];
	pthread_mutex_unlock(&state.lock);
	if (!--own.stopped)
		own.left_out += system_clock(CLOCK_THREAD_CPUTIME_ID) - own.since;
}

static uint64_t clock_now(void)
{
	return now(WALL);
}

static void clock_forward(uint64_t ns)
{
	pthread_mutex_lock(&state.lock);
	if ((int64_t)ns > now_of(WALL))
		state.added += (int64_t)ns - now_of(WALL);
	pthread_mutex_unlock(&state.lock);
}

EXPORT struct dpu_clock libmon_dpu_clock = {
	clock_stop, clock_go, clock_now, clock_forward, "the host's own computing counts as it is"
};

/* False: a clock that is none of time or of this process. */
static bool read_clock(clockid_t id, int64_t *ns)
{
	if (id == CLOCK_PROCESS_CPUTIME_ID)
		*ns = now(CPU);
	else if (id == CLOCK_THREAD_CPUTIME_ID)
		*ns = own_now();
	else if (id >= 0 && id < CLOCKS && state.ahead[id] != INT64_MIN)
		*ns = now(WALL) + state.ahead[id];
	else
		return false;
	return true;
}

EXPORT int clock_gettime(clockid_t id, struct timespec *t)
{
	int64_t ns;

	if (!read_clock(id, &ns))
		return syscall(SYS_clock_gettime, id, t);
	t->tv_sec = ns / SECOND;
	t->tv_nsec = ns % SECOND;
	return 0;
}

EXPORT int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
	struct timespec precise;

	clock_gettime(CLOCK_REALTIME, &precise);
	*t = (struct timeval){ precise.tv_sec, precise.tv_nsec / 1000 };
	return zone ? syscall(SYS_gettimeofday, NULL, zone) : 0;
}

EXPORT int timespec_get(struct timespec *t, int base)
{
	return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, t) ? base : 0;
}

EXPORT time_t time(time_t *t)
{
	struct timespec precise;

	clock_gettime(CLOCK_REALTIME, &precise);
	if (t)
		*t = precise.tv_sec;
	return precise.tv_sec;
}

EXPORT clock_t clock(void)
{
	return now(CPU) / (SECOND / CLOCKS_PER_SEC);
}

EXPORT clock_t times(struct tms *t)
{
	long ticks = sysconf(_SC_CLK_TCK);
	clock_t cpu = now(CPU) / (SECOND / ticks);

	if (syscall(SYS_times, t) == -1)
		return -1;
	if (t) {	/* the modelled time is the user's */
		t->tms_stime = t->tms_stime < cpu ? t->tms_stime : cpu;
		t->tms_utime = cpu - t->tms_stime;
	}
	return now(WALL) / (SECOND / ticks);
}

__attribute__((constructor)) static void start_clocks(void)
{
	static const clockid_t clocks[] = {
		CLOCK_REALTIME, CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC, CLOCK_MONOTONIC_COARSE, CLOCK_MONOTONIC_RAW,
		CLOCK_BOOTTIME, CLOCK_TAI
	};
	const char *mode = secure_getenv("LIBMON_DPU_CLOCK");

	for (unsigned int i = 0; i < CLOCKS; i++)
		state.ahead[i] = INT64_MIN;
	for (unsigned int i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		state.ahead[clocks[i]] = system_clock(clocks[i]) - system_clock(CLOCK_MONOTONIC);
	state.ahead[CLOCK_MONOTONIC] = 0;
	if (mode && !strcmp(mode, "dpus")) {
		libmon_dpu_clock.host = "the host's own computing does not count";
		clock_stop();
	}
}
