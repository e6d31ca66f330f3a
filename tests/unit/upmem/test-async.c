// SPDX-License-Identifier: GPL-2.0-only
/* Asynchronous launches and callbacks of dpu.h. Semaphores, not time, decide the order. */
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/upmem/internal.h"
#include "tests/main.h"
#include "tests/unit/upmem/api.h"

static sem_t gate, passed;
static atomic_uint finished;

static const char endless[] = ".section .dpu_host\n.align 4\ngo: .long 0\n.size go, 4\n.text\n"
			      "main: jump main\n";

static dpu_error_t wait_at_gate(struct dpu_set_t rank, uint32_t index, void *args)
{
	(void)rank;
	(void)index;
	sem_wait(&gate);
	finished++;
	return args ? *(dpu_error_t *)args : DPU_OK;
}

static dpu_error_t pass(struct dpu_set_t rank, uint32_t index, void *args)
{
	(void)rank;
	(void)index;
	(void)args;
	sem_post(&passed);
	return DPU_OK;
}

static void setup(void)
{
	sem_init(&gate, 0, 0);
	sem_init(&passed, 0, 0);
	finished = 0;
	api_setup();
}

static void open_gate(unsigned int times)
{
	while (times--)
		sem_post(&gate);
}

SUITE("upmem async", .timeout = 120, .setup = setup, .teardown = api_teardown);

TEST(what_waits_to_run_is_not_launched_again)
{
	bool done, fault;

	api_load();
	ck_assert_int_eq(dpu_callback(api_set, wait_at_gate, NULL, DPU_CALLBACK_ASYNC), DPU_OK);
	ck_assert_int_eq(dpu_launch(api_set, DPU_ASYNCHRONOUS), DPU_OK);
	ck_assert_int_eq(dpu_launch(api_set, DPU_ASYNCHRONOUS), DPU_ERR_DPU_ALREADY_RUNNING);
	ck_assert_int_eq(dpu_launch(api_set, DPU_SYNCHRONOUS), DPU_ERR_DPU_ALREADY_RUNNING);
	ck_assert_int_eq(dpu_status(api_set, &done, &fault), DPU_OK);
	ck_assert(!done && !fault);
	open_gate(2);
	ck_assert_int_eq(dpu_sync(api_set), DPU_OK);
	ck_assert_int_eq(dpu_status(api_set, &done, &fault), DPU_OK);
	ck_assert(done && !fault);
	ck_assert_int_eq(dpu_launch(api_set, DPU_SYNCHRONOUS), DPU_OK);
}

/* Started without the library, so that nothing waits for it. */
TEST(running_dpus_are_busy)
{
	struct dpu_rank_t *rank = api_set.list.ranks[0];
	uint64_t mask = 4;
	uint32_t one = 1, eight[2] = { 0 };
	bool done, fault;

	api_assemble(endless, 1, DPU_ARCH_V1B);
	api_load();
	ck_assert_int_eq(dpu_device->ioctl(rank->fd, UPMEM_IOC_LAUNCH, &mask), 0);
	ck_assert_int_eq(dpu_launch(api_set, DPU_SYNCHRONOUS), DPU_ERR_DPU_ALREADY_RUNNING);
	ck_assert_int_eq(dpu_copy_to(api_set, DPU_MRAM_HEAP_POINTER_NAME, 0, eight, 8), DPU_ERR_MRAM_BUSY);
	ck_assert_int_eq(dpu_copy_to(api_set, "go", 0, &one, 4), DPU_OK);
	ck_assert_int_eq(dpu_status(api_set, &done, &fault), DPU_OK);
	ck_assert(!done && !fault);
	ck_assert_int_eq(dpu_device->ioctl(rank->fd, UPMEM_IOC_HALT, &mask), 0);
	ck_assert_int_eq(dpu_device->ioctl(rank->fd, UPMEM_IOC_WAIT, &mask), 0);
	ck_assert_int_eq(dpu_copy_to(api_set, "go", 0, &one, 4), DPU_OK);
}

TEST(dpu_free_ends_what_runs)
{
	api_assemble(endless, 1, DPU_ARCH_V1B);
	api_load();
	ck_assert_int_eq(dpu_launch(api_set, DPU_ASYNCHRONOUS), DPU_OK);
	ck_assert_int_eq(dpu_callback(api_set, pass, NULL, DPU_CALLBACK_ASYNC | DPU_CALLBACK_SINGLE_CALL),
			 DPU_OK);
	ck_assert_int_eq(dpu_free(api_set), DPU_OK);
	ck_assert_uint_eq(fake_open_ranks(), 0);
	ck_assert_int_eq(dpu_alloc(6, NULL, &api_set), DPU_OK);
	api_assemble(api_program, 2, DPU_ARCH_V1B);
	api_load();
	ck_assert_int_eq(dpu_launch(api_set, DPU_SYNCHRONOUS), DPU_OK);
}

static dpu_error_t count_call(struct dpu_set_t rank, uint32_t index, void *args)
{
	uint32_t n = 0;

	dpu_get_nr_dpus(rank, &n);
	((uint32_t *)args)[index] += n;
	return index == 1 && n == 2 ? DPU_ERR_TIMEOUT : DPU_OK;
}

TEST(callbacks_are_called_by_rank_or_once)
{
	uint32_t counts[2] = { 0, 0 };

	ck_assert_int_eq(dpu_callback(api_set, count_call, counts, DPU_CALLBACK_SINGLE_CALL), DPU_OK);
	ck_assert_uint_eq(counts[0], 6);
	ck_assert_int_eq(dpu_callback(api_set, count_call, counts, DPU_CALLBACK_DEFAULT),
			 DPU_ERR_TIMEOUT);
	ck_assert_uint_eq(counts[0], 10);
	ck_assert_uint_eq(counts[1], 2);
	ck_assert_int_eq(dpu_callback(api_set, count_call, counts, DPU_CALLBACK_ASYNC), DPU_OK);
	ck_assert_int_eq(dpu_sync(api_set), DPU_ERR_TIMEOUT);
	ck_assert_int_eq(dpu_sync(api_set), DPU_OK);	/* reported once */
	ck_assert_uint_eq(counts[1], 4);
}

TEST(nonblocking_callbacks_hold_nothing_up)
{
	dpu_error_t error = DPU_ERR_TIMEOUT;
	const dpu_callback_flags_t nonblocking = DPU_CALLBACK_ASYNC | DPU_CALLBACK_NONBLOCKING;
	uint32_t in = 41, out = 0;
	struct dpu_set_t dpu;
	bool done;

	ck_assert_int_eq(dpu_callback(api_set, wait_at_gate, NULL, DPU_CALLBACK_NONBLOCKING),
			 DPU_ERR_NONBLOCKING_SYNC_CALLBACK);
	api_load();
	ck_assert_int_eq(dpu_callback(api_set, wait_at_gate, &error, nonblocking), DPU_OK);
	/* while both wait, other jobs and synchronous calls run */
	ck_assert_int_eq(dpu_callback(api_set, pass, NULL, DPU_CALLBACK_ASYNC), DPU_OK);
	sem_wait(&passed);
	sem_wait(&passed);
	ck_assert_int_eq(dpu_copy_to(api_set, "in", 0, &in, 4), DPU_OK);
	ck_assert_int_eq(dpu_launch(api_set, DPU_SYNCHRONOUS), DPU_OK);
	DPU_FOREACH(api_set, dpu) {
		ck_assert_int_eq(dpu_copy_from(dpu, "out", 0, &out, 4), DPU_OK);
	}
	ck_assert_uint_eq(out, 42);
	ck_assert_uint_eq(finished, 0);
	ck_assert_int_eq(dpu_status(api_set, &done, NULL), DPU_OK);
	ck_assert(!done);
	open_gate(2);
	/* dpu_sync waits for them and returns their error */
	ck_assert_int_eq(dpu_sync(api_set), DPU_ERR_TIMEOUT);
	ck_assert_uint_eq(finished, 2);
	/* one for the whole set */
	ck_assert_int_eq(dpu_callback(api_set, wait_at_gate, NULL, nonblocking | DPU_CALLBACK_SINGLE_CALL),
			 DPU_OK);
	ck_assert_int_eq(dpu_callback(api_set, pass, NULL, DPU_CALLBACK_ASYNC), DPU_OK);
	sem_wait(&passed);
	sem_wait(&passed);
	ck_assert_uint_eq(finished, 2);
	open_gate(1);
	ck_assert_int_eq(dpu_sync(api_set), DPU_OK);
	ck_assert_uint_eq(finished, 3);
}

/* Uses the DPUs of both ranks, whose queues wait meanwhile. */
static dpu_error_t use_all(struct dpu_set_t set, uint32_t index, void *args)
{
	uint32_t in = 10 + index, out = 0, n = 0;
	struct dpu_set_t dpu;
	dpu_error_t error;

	(void)args;
	/* both ranks' jobs before this one are done */
	if (finished != 2)
		return DPU_ERR_INTERNAL;
	error = dpu_copy_to(set, "in", 0, &in, 4);
	if (!error)
		error = dpu_launch(set, DPU_SYNCHRONOUS);
	DPU_FOREACH(set, dpu) {
		error = error ? error : dpu_copy_from(dpu, "out", 0, &out, 4);
		n += out;
	}
	return error ? error : n == 6 * 11 ? DPU_ERR_TIMEOUT : DPU_ERR_SYSTEM;
}

TEST(a_single_call_waits_for_all_ranks_and_may_use_them)
{
	api_load();
	ck_assert_int_eq(dpu_callback(api_set, wait_at_gate, NULL, DPU_CALLBACK_ASYNC), DPU_OK);
	ck_assert_int_eq(dpu_callback(api_set, use_all, NULL,
				      DPU_CALLBACK_ASYNC | DPU_CALLBACK_SINGLE_CALL), DPU_OK);
	ck_assert_int_eq(dpu_callback(api_set, pass, NULL, DPU_CALLBACK_ASYNC), DPU_OK);
	ck_assert_int_eq(sem_trywait(&passed), -1);
	open_gate(2);
	ck_assert_int_eq(dpu_sync(api_set), DPU_ERR_TIMEOUT);
}

static dpu_error_t sync_in_callback(struct dpu_set_t rank, uint32_t index, void *args)
{
	(void)index;
	((dpu_error_t *)args)[0] = dpu_sync(rank);
	return DPU_OK;
}

TEST(dpu_sync_does_not_wait_for_itself)
{
	dpu_error_t error = DPU_OK;

	ck_assert_int_eq(dpu_callback(api_set, sync_in_callback, &error,
				      DPU_CALLBACK_ASYNC | DPU_CALLBACK_SINGLE_CALL), DPU_OK);
	ck_assert_int_eq(dpu_sync(api_set), DPU_OK);
	ck_assert_int_eq(error, DPU_ERR_INTERNAL);
}
