// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Ranks of DPUs in this process: the model behind the calls that /dev/dpu_rankN has elsewhere.
 *
 * All ranks share the host's threads. A rank is given by a number that is not used again, so that who
 * keeps one too long is told.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/upmem/config.h"
#include "common/elf_lines.h"
#include "libmon/upmem/debug.h"
#include "dpu/include/core.h"
#include "libmon/upmem/timing.h"
#include "dpu/include/check.h"
#include "upmem/pmc.h"
#include "upmem/rank.h"

#define MAX_RANKS 256
#define MAX_THREADS 4096
#define LAST_NUMBER (INT32_MAX / MAX_RANKS)

/* lock is held while registers of the rank are used; DPUs run without it. */
struct place {
	pthread_mutex_t lock;
	struct upmem_rank *rank;
	int fd;
	const struct dpu_program *checked;	/* the program that findings are about */
	const struct dpu_program *debugged;	/* of the DPU that dpu-dbg executes */
	struct dpu_finding_list findings;
};

static struct {
	pthread_mutex_t lock;
	struct upmem_workers *workers;
	unsigned int open;
	int number;		/* of the rank opened last */
	const char *profile;
	struct place places[MAX_RANKS];
} simulator = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.places = { [0 ... MAX_RANKS - 1] = { .lock = PTHREAD_MUTEX_INITIALIZER } },
};

/* The place of a rank that is open, locked; or NULL. */
static struct place *place_lock(int fd)
{
	struct place *p = &simulator.places[fd % MAX_RANKS];

	pthread_mutex_lock(&p->lock);
	if (p->rank && p->fd == fd)
		return p;
	pthread_mutex_unlock(&p->lock);
	errno = EBADF;
	return NULL;
}

/* Writes what the programs of a rank cost, for dpu-run --profile-of. */
static void put_profile(struct place *p)
{
	char *prefix = mon_format("%s-%d", simulator.profile, p->fd % MAX_RANKS);

	upmem_rank_pause(p->rank);
	if (!prefix || !upmem_rank_profile_write(p->rank, prefix))
		fprintf(stderr, "libmon-dpu: LIBMON_DPU_PROFILE=%s: %s\n", simulator.profile,
			strerror(errno));
	free(prefix);
}

/* A program need not give its ranks back. */
static void put_profiles_at_exit(void)
{
	for (unsigned int i = 0; i < MAX_RANKS; i++) {
		struct place *p = &simulator.places[i];

		pthread_mutex_lock(&p->lock);
		if (p->rank)
			put_profile(p);
		pthread_mutex_unlock(&p->lock);
	}
}

/* With simulator.lock. The environment has been checked. */
static bool start_workers(void)
{
	uint32_t threads = 0;

	if (simulator.workers)
		return true;
	if (secure_getenv("LIBMON_DPU_THREADS"))
		dpu_env_number("LIBMON_DPU_THREADS", MAX_THREADS, 1, &threads);
	simulator.workers = upmem_workers_new(threads);
	if (!simulator.profile) {
		simulator.profile = secure_getenv("LIBMON_DPU_PROFILE");
		if (simulator.profile)
			atexit(put_profiles_at_exit);
	}
	return simulator.workers;
}

/* With simulator.lock. */
static void stop_workers(void)
{
	if (simulator.open)
		return;
	upmem_workers_free(simulator.workers);
	simulator.workers = NULL;
}

static enum dpu_state run_debugged(void *opaque, unsigned int dpu, uint64_t max_turns)
{
	struct place *p = opaque;

	if (!dpu_debug_is(p - simulator.places, dpu) || !p->debugged)
		return dpu_run(upmem_rank_dpu(p->rank, dpu), max_turns);
	return dpu_debug_run(upmem_rank_dpu(p->rank, dpu), p->debugged, max_turns);
}

static struct upmem_rank *make_rank(uint32_t id, const struct dpu_want *want)
{
	struct upmem_rank_config config = {
		.arch = &dpu_archs[want->any_chip || want->v1b ? DPU_ARCH_V1B : DPU_ARCH_V1A],
		.dpus = want->dpus, .profile = simulator.profile, .check = dpu_env_set("LIBMON_DPU_CHECK"),
		.workers = simulator.workers,
		.bus_read = dpu_own_read, .bus_write = dpu_own_write,
		.blocks = DPU_BLOCKS_ON,
		.run = secure_getenv(DPU_DEBUG_VARIABLE) ? run_debugged : NULL, .opaque = &simulator.places[id],
	};
	struct dpu_host_timing host;

	dpu_timing_parse(&config.timing, &host);
	dpu_blocks_environment(&config.blocks);
	return upmem_rank_new(&config);
}

/* With simulator.lock. */
static int open_locked(uint32_t id, const struct dpu_want *want)
{
	struct place *p = &simulator.places[id];
	struct upmem_rank *rank;

	if (p->rank) {
		errno = EBUSY;
		return -1;
	}
	if (!start_workers())
		return -1;
	rank = make_rank(id, want);
	if (!rank) {
		stop_workers();
		return -1;
	}
	simulator.open++;
	simulator.number = simulator.number < LAST_NUMBER - 1 ? simulator.number + 1 : 0;
	pthread_mutex_lock(&p->lock);
	p->rank = rank;
	p->fd = simulator.number * MAX_RANKS + id;
	pthread_mutex_unlock(&p->lock);
	return p->fd;
}

static int simulator_open(uint32_t id, const struct dpu_want *want)
{
	int fd;

	if (id >= MAX_RANKS) {
		errno = ENOENT;
		return -1;
	}
	dpu_clock_stop();
	pthread_mutex_lock(&simulator.lock);
	fd = open_locked(id, want);
	pthread_mutex_unlock(&simulator.lock);
	dpu_clock_go();
	return fd;
}

static int simulator_close(int fd)
{
	struct place *p;
	struct upmem_rank *rank;

	dpu_clock_stop();
	pthread_mutex_lock(&simulator.lock);
	p = place_lock(fd);
	if (p) {
		if (simulator.profile)
			put_profile(p);
		rank = p->rank;
		p->rank = NULL;
		pthread_mutex_unlock(&p->lock);
		upmem_rank_free(rank);
		simulator.open--;
		stop_workers();
	}
	pthread_mutex_unlock(&simulator.lock);
	dpu_clock_go();
	return p ? 0 : -1;
}

/* WAIT does without the lock, or nobody could halt what it waits for; its rank is not closed meanwhile. */
static int simulator_ioctl(int fd, unsigned long request, void *arg)
{
	struct place *p = place_lock(fd);
	struct upmem_rank *rank;
	int result;

	if (!p)
		return -1;
	rank = p->rank;
	dpu_clock_stop();
	if (request == UPMEM_IOC_WAIT)
		pthread_mutex_unlock(&p->lock);
	result = dpu_modelled_ioctl(rank, request, arg);
	if (request != UPMEM_IOC_WAIT)
		pthread_mutex_unlock(&p->lock);
	dpu_clock_go();
	return result;
}

static uint64_t total_of(struct dpu *dpu, uint64_t event)
{
	struct dpu_totals totals;

	dpu_totals(dpu, &totals);
	switch (event) {
	case UPMEM_dpu_instructions:
		return totals.instructions;
	case UPMEM_dpu_cycles:
		return totals.cycles;
	default:
		return dpu_event_total(&totals, dpu_timing(dpu), dpu_clock(dpu), event);
	}
}

bool dpu_simulator_arch(struct dpu_rank_t *rank, bool v1b)
{
	struct place *p = rank->device->simulator ? place_lock(rank->fd) : NULL;

	if (!p)
		return false;
	upmem_rank_set_arch(p->rank, &dpu_archs[v1b ? DPU_ARCH_V1B : DPU_ARCH_V1A]);
	dpu_modelled_ioctl(p->rank, UPMEM_IOC_INFO, &rank->info);
	pthread_mutex_unlock(&p->lock);
	return true;
}

bool dpu_simulator_total(int fd, uint32_t dpu, uint64_t event, uint64_t *total)
{
	struct place *p = place_lock(fd);

	if (!p) {
		mon_fail(EBADF, "the rank of DPU %u has been given back", dpu);
		return false;
	}
	*total = total_of(upmem_rank_dpu(p->rank, dpu), event);
	pthread_mutex_unlock(&p->lock);
	return true;
}

void dpu_simulator_loaded(const struct dpu_t *dpu, const struct dpu_program *program)
{
	struct place *p = dpu->rank->device->simulator ? place_lock(dpu->rank->fd) : NULL;
	struct elf_lines *lines;

	if (!p)
		return;
	dpu_check_program(upmem_rank_dpu(p->rank, dpu->index), program);
	if (dpu_env_set("LIBMON_DPU_CHECK")) {
		lines = elf_lines_open(program->elf);
		elf_lines_locals(lines, dpu_check_local, upmem_rank_dpu(p->rank, dpu->index));
		elf_lines_close(lines);
	}
	if (p->checked != program)
		p->findings.count = 0;
	p->checked = program;
	if (dpu_debug_is(dpu->rank->id, dpu->index))
		p->debugged = program;
	pthread_mutex_unlock(&p->lock);
}

void dpu_simulator_findings(const struct dpu_rank_t *rank, uint64_t mask)
{
	struct place *p = rank->device->simulator && dpu_env_set("LIBMON_DPU_CHECK") ? place_lock(rank->fd) : NULL;

	if (!p)
		return;
	for (uint32_t i = 0; i < rank->info.dpus; i++) {
		struct elf_lines *lines;
		char prefix[64];

		if (!(mask >> i & 1) || !rank->dpus[i].program)
			continue;
		snprintf(prefix, sizeof(prefix), "libmon-dpu: check: DPU %u of rank %u: ", i, rank->id);
		lines = elf_lines_open(rank->dpus[i].program->elf->elf);
		dpu_findings_print(&p->findings, upmem_rank_dpu(p->rank, i), prefix, stderr,
				   rank->dpus[i].program->elf, lines);
		elf_lines_close(lines);
	}
	pthread_mutex_unlock(&p->lock);
}

void dpu_simulator_cores(const struct dpu_rank_t *rank, uint64_t mask)
{
	struct place *p = rank->device->simulator && secure_getenv("LIBMON_DPU_CORE") ? place_lock(rank->fd) : NULL;

	if (!p)
		return;
	for (uint32_t i = 0; i < rank->info.dpus; i++)
		if (mask >> i & 1 && rank->dpus[i].program)
			dpu_debug_core(upmem_rank_dpu(p->rank, i), rank->dpus[i].program->elf, rank->id, i);
	pthread_mutex_unlock(&p->lock);
}

dpu_error_t dpu_simulator_check(void)
{
	struct dpu_timing model;
	struct dpu_host_timing host;
	uint32_t threads;
	enum dpu_blocks blocks = DPU_BLOCKS_OFF;
	dpu_error_t error = dpu_env_number("LIBMON_DPU_THREADS", MAX_THREADS, 1, &threads);

	if (!dpu_blocks_environment(&blocks)) {
		mon_fail(EINVAL, "LIBMON_DPU_BLOCKS=%s: use off, on or now", secure_getenv("LIBMON_DPU_BLOCKS"));
		return DPU_ERR_INTERNAL;
	}
	if (!error)
		error = dpu_timing_parse(&model, &host);
	return error ? error : dpu_clock_check();
}

const struct dpu_device_ops dpu_simulator = {
	.simulator = true, .open = simulator_open, .ioctl = simulator_ioctl, .close = simulator_close,
};
