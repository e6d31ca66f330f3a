// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Modelled time: when each rank will be done, and with libmon-dpu-clock.so the clocks of the host program.
 *
 * A rank does one thing after the other. What the program waits for takes its clocks to the rank's end; what it only
 * queues begins when it was queued or when the rank is done with what came before.
 */
#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "libmon/upmem/clock.h"
#include "libmon/upmem/timing.h"

static const struct dpu_clock *clocks;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* of the ranks' done_at */
static _Thread_local bool in_job;

void dpu_enter_job(void)
{
	in_job = true;
}

bool dpu_in_job(void)
{
	return in_job;
}

static void find_clocks(void)
{
	clocks = dlsym(RTLD_DEFAULT, DPU_CLOCK_SYMBOL);
}

static const struct dpu_clock *get_clocks(void)
{
	pthread_once(&once, find_clocks);
	return clocks;
}

const char *dpu_clock_host(void)
{
	return get_clocks() ? clocks->host : NULL;
}

dpu_error_t dpu_clock_check(void)
{
	const char *mode = secure_getenv("LIBMON_DPU_CLOCK");

	if (!mode || !*mode || !strcmp(mode, "real"))
		return DPU_OK;
	if (strcmp(mode, "modelled") && strcmp(mode, "dpus"))
		return dpu_failed(DPU_ERR_INVALID_PROFILE, "LIBMON_DPU_CLOCK=%s: use real, modelled or dpus", mode);
	if (!get_clocks())
		return dpu_failed(DPU_ERR_INVALID_PROFILE, "LIBMON_DPU_CLOCK=%s: this program reads the system's "
				  "clocks: start it with dpu-run --host", mode);
	return DPU_OK;
}

void dpu_clock_stop(void)
{
	if (get_clocks() && !in_job)
		clocks->stop();
}

void dpu_clock_go(void)
{
	if (get_clocks() && !in_job)
		clocks->go();
}

uint64_t dpu_clock_now(void)
{
	return get_clocks() ? clocks->now() : 0;
}

void dpu_clock_spend(struct dpu_rank_t **ranks, uint32_t count, uint64_t from, double seconds)
{
	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < count; i++)
		from = ranks[i]->done_at > from ? ranks[i]->done_at : from;
	for (uint32_t i = 0; i < count; i++)
		ranks[i]->done_at = from + llrint(seconds * 1e9);
	pthread_mutex_unlock(&lock);
}

void dpu_clock_wait(struct dpu_rank_t **ranks, uint32_t count)
{
	uint64_t until = 0;

	if (!get_clocks() || in_job)
		return;
	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < count; i++)
		until = ranks[i]->done_at > until ? ranks[i]->done_at : until;
	pthread_mutex_unlock(&lock);
	clocks->forward(until);
}
