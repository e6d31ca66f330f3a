// SPDX-License-Identifier: GPL-2.0-only
/* Runs DPUs on several threads, until they have ended or a signal comes. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "dpu/run/run.h"

#define MAX_THREADS 64

/* The DPUs; each thread takes the next one. */
static struct {
	struct dpu **dpus;
	unsigned int count;
	atomic_uint next;
	uint64_t limit;
	atomic_int signal;	/* that interrupts; 0: none yet */
} work;

static void interrupt(int signal)
{
	work.signal = signal;
	for (unsigned int i = 0; i < work.count; i++)
		dpu_request_stop(work.dpus[i]);
}

static void *run_dpus(void *unused)
{
	for (;;) {
		unsigned int i = atomic_fetch_add(&work.next, 1);

		if (i >= work.count)
			return unused;
		dpu_boot(work.dpus[i]);
		/* dpu_boot() forgets a stop that was requested earlier */
		if (work.signal)
			return unused;
		dpu_run(work.dpus[i], work.limit);
	}
}

int launch(struct dpu *dpus[], unsigned int count, uint64_t limit, bool one_thread)
{
	const struct sigaction action = { .sa_handler = interrupt, .sa_flags = SA_RESETHAND };
	long processors = one_thread ? 1 : sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t threads[MAX_THREADS];
	int started = 0;

	work.dpus = dpus;
	work.count = count;
	work.limit = limit;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	while (started + 1 < processors && started < MAX_THREADS && started + 1 < (int)count &&
	       !pthread_create(&threads[started], NULL, run_dpus, NULL))
		started++;
	run_dpus(NULL);
	while (started)
		pthread_join(threads[--started], NULL);
	return work.signal;
}
