/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files behind dpu.h share. */
#ifndef LIBMON_DPU_INTERNAL_H
#define LIBMON_DPU_INTERNAL_H

#include <pthread.h>

#include "libmon/upmem/include/dpu.h"
#include "libmon/upmem/include/dpu_description.h"
#include "libmon/include/mon.h"
#include "libmon/text.h"
#include "events/upmem/uapi.h"
#include "dpu/include/dpu_memory.h"
#include "dpu/include/dpu_program.h"

#define DPU_RANK_MAX_DPUS MAX_NR_DPUS_PER_RANK
#define DPU_SENTENCE_SIZE 512
#define DPU_CHIP_ID_V1B vD_fun_v1_4	/* the first of the generation */

/* A program that one or more DPUs have loaded. Freed when the last one lets it go. */
struct dpu_program_t {
	struct dpu_program *elf;
	unsigned int users;
	char name[64];		/* of its file, for reports */
};

/* An event of a DPU that is counted: by perf, or by the simulator (event.c). It may outlive the rank. */
struct dpu_event {
	bool open, perf, stopped;
	int fd;			/* perf's, or the simulated rank's */
	uint32_t dpu;
	uint64_t event;
	uint64_t base, value;	/* in the simulator: the total when it began, the count when it stopped */
};

/* The bank interface's counters of a DPU. */
struct dpu_pmc_events {
	struct dpu_event events[2];
	bool configured;	/* has been enabled at some time */
	bank_interface_pmc_mode_t mode;
};

struct dpu_t {
	struct dpu_rank_t *rank;
	uint32_t index;			/* in its rank */
	bool enabled;
	struct dpu_program_t *program;
	void *buffer;			/* of dpu_prepare_xfer() */
	struct dpu_pmc_events pmc;
};

/* An asynchronous job: work() on a copy of what it needs. */
struct dpu_job {
	struct dpu_job *next;
	dpu_error_t (*work)(struct dpu_rank_t *rank, struct dpu_job *job);
	bool launch;
	uint64_t mask;			/* DPUs that a launch starts */
	uint32_t ranks;			/* that the same call launches */
	uint64_t from;			/* modelled time when it was queued, and how long it takes (clock.c) */
	double seconds;
	void *data;
};

struct dpu_rank_t {
	const struct dpu_device_ops *device;
	int fd;
	uint32_t id;			/* N of /dev/dpu_rankN, or of the simulator's ranks */
	struct upmem_info info;
	struct dpu_t dpus[DPU_RANK_MAX_DPUS];
	struct dpu_rank_t **list;	/* of the allocation that it belongs to */
	uint32_t list_size;
	uint32_t first_dpu;		/* enabled DPUs of the list before this rank */
	dpu_description_t description;	/* made when first asked for */
	bool sg_enabled;		/* by the profile */
	uint32_t sg_blocks;		/* most blocks of a DPU */
	bool any_chip;			/* the profile names none: the first program decides */
	struct dpu_report *report;	/* report.c; NULL: none */
	uint64_t done_at;		/* modelled time when it will have done all (clock.c) */

	/* jobs.c */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t worker;
	bool has_worker, quit;
	struct dpu_job *first, *last;
	unsigned int beside;		/* nonblocking callbacks that have not returned */
	dpu_error_t failed;		/* first error of the jobs since the last dpu_sync() */
	char why[DPU_SENTENCE_SIZE];	/* its sentence */
};

/* What is asked of a rank. */
struct dpu_want {
	uint32_t dpus;		/* at most; a device has what it has */
	bool any_chip, v1b;	/* any generation will do, else which one */
};

/*
 * What ranks are made of: device.c, calls of /dev/dpu_rankN, which unit tests replace; or simulator.c.
 * -1 with errno.
 */
struct dpu_device_ops {
	bool simulator;
	int (*open)(uint32_t id, const struct dpu_want *want);
	int (*ioctl)(int fd, unsigned long request, void *arg);
	int (*close)(int fd);
};

extern const struct dpu_device_ops *dpu_device;
extern const struct dpu_device_ops dpu_simulator;

/* modelled.c: what UPMEM_IOC_... does with a modelled rank in this process. */
struct upmem_rank;
/* simulator.c: an error if a variable of the environment has a value that the simulator does not take. */
dpu_error_t dpu_simulator_check(void);
/* A DPU of any device has loaded a program; and what LIBMON_DPU_CHECK has found in DPUs that stopped. */
void dpu_simulator_loaded(const struct dpu_t *dpu, const struct dpu_program *program);
void dpu_simulator_findings(const struct dpu_rank_t *rank, uint64_t mask);
/* DPUs have faulted: writes what LIBMON_DPU_CORE asks for. */
void dpu_simulator_cores(const struct dpu_rank_t *rank, uint64_t mask);
/* Makes the DPUs of a rank that have run nothing DPUs of a generation; false: it is no simulated rank. */
bool dpu_simulator_arch(struct dpu_rank_t *rank, bool v1b);
/* How often an event of a DPU has happened; false when the rank is not there any more. */
bool dpu_simulator_total(int fd, uint32_t dpu, uint64_t event, uint64_t *total);
int dpu_modelled_ioctl(struct upmem_rank *rank, unsigned long request, void *arg);
/* Memory of this process; false where there is none. opaque is not used. */
bool dpu_own_read(void *opaque, uint64_t address, void *data, uint32_t length);
bool dpu_own_write(void *opaque, uint64_t address, const void *data, uint32_t length);

/* profile.c: what a profile and the environment ask for */
enum dpu_backend { DPU_BACKEND_ANY, DPU_BACKEND_HW, DPU_BACKEND_SIMULATOR };

struct dpu_profile {
	enum dpu_backend backend;
	struct dpu_want want;
	bool sg_enabled;
	uint64_t sg_blocks;	/* 0: as many as there are DPUs */
};

dpu_error_t dpu_profile_parse(const char *text, struct dpu_profile *profile);
/* Is a variable of the environment set, and neither empty nor 0? */
bool dpu_env_set(const char *name);
/* A number of the environment: fallback where it is not set, an error where it is none of 1 to most. */
dpu_error_t dpu_env_number(const char *name, uint32_t most, uint32_t fallback, uint32_t *number);

/* The error of a failed call, with a sentence that says what was tried. */
dpu_error_t dpu_device_error(const struct dpu_rank_t *rank, const char *what);
/* One transfer with a DPU; no alignment or symbol is checked before. */
dpu_error_t dpu_transfer(struct dpu_t *dpu, uint32_t direction, uint32_t address, void *buffer,
			 uint32_t length);

/* error.c: sets mon_error(), which dpu_error_to_string() says, too, and returns the error. */
__attribute__((format(printf, 2, 3)))
dpu_error_t dpu_failed(dpu_error_t error, const char *format, ...);
/* The same when mon_error() has been set already. */
dpu_error_t dpu_explained(dpu_error_t error);
/* The sentence of this thread's last error, if it was this one; else an empty one. */
const char *dpu_sentence(dpu_error_t error);

/* set.c: visits the enabled DPUs of a set; stops at the first error. */
typedef dpu_error_t dpu_visit_fn(struct dpu_t *dpu, void *arg);
dpu_error_t dpu_visit(struct dpu_set_t set, dpu_visit_fn *visit, void *arg);
/* The ranks of a set: a pointer and a count, also for one DPU. */
uint32_t dpu_set_ranks(struct dpu_set_t *set, struct dpu_rank_t ***ranks);
/* Bits of the enabled DPUs of a set in a rank. */
uint64_t dpu_set_mask(struct dpu_set_t set, const struct dpu_rank_t *rank);

/* load.c */
void dpu_program_put(struct dpu_program_t *program);
/* The variable of this name in the program of a set. */
dpu_error_t dpu_find_symbol(struct dpu_set_t set, const char *name, struct dpu_symbol_t *symbol);

/* copy.c: a transfer; the same for all DPUs of a set but for the buffer. */
struct dpu_copy {
	uint32_t direction;
	uint32_t address;
	uint32_t length;
};

/* Checks a transfer against symbol and memory. */
dpu_error_t dpu_copy_make(struct dpu_set_t set, dpu_xfer_t xfer, struct dpu_symbol_t symbol,
			  uint32_t offset, size_t length, struct dpu_copy *copy);

/* management.c: a new description of a rank, NULL without memory. */
dpu_description_t dpu_description_new(const struct upmem_info *info);

/* fault.c: DPU_ERR_DPU_FAULT, with a sentence about the first DPU of a mask. */
dpu_error_t dpu_fault_error(struct dpu_rank_t *rank, uint64_t mask);

/* jobs.c */
/* Queues a job; it belongs to the rank from then on. */
dpu_error_t dpu_job_add(struct dpu_rank_t *rank, const struct dpu_job *job);
/* Waits until the queue of a rank is empty, unless this thread holds it. */
void dpu_jobs_wait(struct dpu_rank_t *rank);
/* The same for all ranks of a set. */
void dpu_jobs_wait_set(struct dpu_set_t set);
/* This thread is a callback that the queues of a set wait for, until called with NULL. */
void dpu_jobs_hold(const struct dpu_set_t *set);
/* The same, and for what was started beside the queue; not from an asynchronous job. */
void dpu_jobs_wait_all(struct dpu_rank_t *rank);
/* Runs work(arg) in a thread of its own; it belongs to the rank's jobs, but holds none of them up. */
void dpu_job_beside(struct dpu_rank_t *rank, dpu_error_t (*work)(void *arg), void *arg);

/* clock.c: this thread executes asynchronous jobs from now on; does it? */
void dpu_enter_job(void);
bool dpu_in_job(void);

/* jobs.c, at the end of a rank */
/* Ends what runs; jobs that wait do not launch any more. Then dpu_jobs_end() waits for them. */
void dpu_jobs_quit(struct dpu_rank_t *rank);
void dpu_jobs_end(struct dpu_rank_t *rank);

/* report.c: around a launch of DPUs of a rank in the simulator */
void dpu_report_before(struct dpu_rank_t *rank, uint64_t mask);
/*
 * What was launched on DPUs of these ranks, by a call that launched so many: modelled seconds of kernel and host; 0:
 * nobody wants to know.
 */
double dpu_report_after(struct dpu_set_t set, struct dpu_rank_t **ranks, uint32_t count, uint32_t launched);
void dpu_report_free(struct dpu_rank_t *rank);
/*
 * A transfer of so many bytes with each of a set's DPUs has been asked for: with one buffer, with those that were
 * prepared, or with blocks of scatter-gather. Its modelled seconds.
 */
enum dpu_source { DPU_SAME, DPU_PREPARED, DPU_BLOCKS };
double dpu_report_transfer(struct dpu_set_t set, const struct dpu_copy *copy, enum dpu_source source);
/* A program has been loaded again or for the first time. */
void dpu_report_loaded(const struct dpu_program_t *program);

/* clock.c: is LIBMON_DPU_CLOCK right? */
dpu_error_t dpu_clock_check(void);
/* How the host's own computing counts; NULL: its clocks are the system's. */
const char *dpu_clock_host(void);
/* The program's clocks are stopped between both; not in an asynchronous job, which the program does not wait for. */
void dpu_clock_stop(void);
void dpu_clock_go(void);
uint64_t dpu_clock_now(void);
/* Ranks do something together that was asked for at a time and takes so long. */
void dpu_clock_spend(struct dpu_rank_t **ranks, uint32_t count, uint64_t from, double seconds);
/* The program has waited for all of it. */
void dpu_clock_wait(struct dpu_rank_t **ranks, uint32_t count);

/* pmc.c */
void dpu_pmc_close(struct dpu_t *dpu);

/*
 * event.c: an event of a DPU counts from now on. False with errno and the sentence. leader: NULL, or the
 * event that it is read with.
 */
enum dpu_event_kind { DPU_EVENT_PINNED, DPU_EVENT_GROUPED };
bool dpu_event_open(struct dpu_event *e, const struct dpu_t *dpu, uint64_t event, enum dpu_event_kind kind,
		    const struct dpu_event *leader);
/* Its count and those of the count - 1 others that are read with it, which follow it in an array. */
bool dpu_event_read(const struct dpu_event *e, uint64_t *values, unsigned int count);
/* Its count stays. */
bool dpu_event_stop(struct dpu_event *e);
void dpu_event_close(struct dpu_event *e);

#endif
