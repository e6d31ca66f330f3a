// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine sleeps while a Hexagon core runs a program, an agent of Merrifield moves data and a
 * rank holds some: what the sleep interrupts ends with EIO, and all of them work afterwards.
 * pmu-suspend.sh runs this on a root in memory.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "events/hexagon/uapi.h"
#include "events/mrfld/uapi.h"
#include "events/upmem/uapi.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

static int device(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	ck_assert_msg(fd >= 0, "%s: %d", path, errno);
	return fd;
}

/* The type of the next record, and the status of an end; -1 and errno. */
static int hexagon_read(int fd, uint32_t *status)
{
	static _Alignas(struct hexagon_run_record) char record[HEXAGON_RUN_RECORD_MAX];
	const struct hexagon_run_record *head = (void *)record;

	if (read(fd, record, sizeof(record)) < (ssize_t)sizeof(*head))
		return -1;
	*status = head->status;
	return head->type;
}

static void *hexagon_endless(void *arg)
{
	uint32_t status;

	return (void *)(intptr_t)(hexagon_read(*(int *)arg, &status) < 0 ? errno : 0);
}

SUITE("dev-suspend", .timeout = 60);

TEST(a_program_ends_with_the_sleep_of_its_core)
{
	int fd = device("/dev/hexagon"), type;
	pthread_t thread;
	uint32_t status;
	void *error;

	ck_assert_int_eq(write(fd, "endless", 8), 8);
	ck_assert_int_eq(pthread_create(&thread, NULL, hexagon_endless, &fd), 0);
	others_wait();
	machine_sleep();
	ck_assert_int_eq(pthread_join(thread, &error), 0);
	ck_assert_int_eq((intptr_t)error, EIO);
	ck_assert_int_eq(write(fd, "hand", 5), 5);
	do {
		type = hexagon_read(fd, &status);
	} while (type == HEXAGON_RUN_STDOUT || type == HEXAGON_RUN_STDERR);
	ck_assert_int_eq(type, HEXAGON_RUN_END);
	ck_assert_uint_eq(status, 0);
	close(fd);
}

struct job {
	int fd;
	struct mrfld_agent_move move;
};

static void *mrfld_move(void *arg)
{
	struct job *job = arg;

	return (void *)(intptr_t)(ioctl(job->fd, MRFLD_IOC_MOVE, &job->move) ? errno : 0);
}

/* 100 s of it, at 640 KB/s: 64 bytes and 10 kHz */
TEST(a_job_ends_with_the_sleep)
{
	struct job job = {
		.fd = device("/dev/mrfld_agents"),
		.move = { .request = 64, .bytes = 64000000, .rate = 640 },
	};
	struct mrfld_scanout scan = { .width = 64, .height = 64, .cpp = 4, .refresh = 60 };
	struct mrfld_scanout_status status;
	uint64_t size = 1 << 20;
	pthread_t thread;
	void *error;

	ck_assert_int_eq(ioctl(job.fd, MRFLD_IOC_BUFFER, &size), 0);
	ck_assert_int_eq(ioctl(job.fd, MRFLD_IOC_SCANOUT, &scan), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, mrfld_move, &job), 0);
	others_wait();
	machine_sleep();
	ck_assert_int_eq(pthread_join(thread, &error), 0);
	ck_assert_int_eq((intptr_t)error, EIO);
	ck_assert_uint_lt(job.move.moved, job.move.bytes);
	ck_assert_int_eq(ioctl(job.fd, MRFLD_IOC_SCANOUT_STATUS, &status), 0);
	ck_assert_uint_eq(status.running, 0);
	ck_assert_int_eq(ioctl(job.fd, MRFLD_IOC_SCANOUT, &scan), 0);
	job.move.bytes = 64000;
	job.move.rate = 0;
	ck_assert_int_eq(ioctl(job.fd, MRFLD_IOC_MOVE, &job.move), 0);
	ck_assert_uint_eq(job.move.moved, 64000);
	close(job.fd);
}

TEST(a_rank_loses_its_memories)
{
	int fd = device("/dev/dpu_rank0");
	uint64_t word = 257;
	struct upmem_copy copy = {
		.direction = UPMEM_TO_DPU, .address = 0x08000000, .length = 8, .buffer = (uintptr_t)&word,
	};

	ck_assert_int_eq(ioctl(fd, UPMEM_IOC_COPY, &copy), 0);
	machine_sleep();
	copy.direction = UPMEM_FROM_DPU;
	ck_assert_int_eq(ioctl(fd, UPMEM_IOC_COPY, &copy), -1);
	ck_assert_int_eq(errno, EIO);
	ck_assert_int_eq(ioctl(fd, UPMEM_IOC_RESET), 0);
	ck_assert_int_eq(ioctl(fd, UPMEM_IOC_COPY, &copy), 0);
	ck_assert_uint_eq(word, 0);
	close(fd);
}
