// SPDX-License-Identifier: GPL-2.0-only
/*
 * The user interface of esp_accel, with the ioctls themselves: what ESP's programs rely on, and what
 * a careless or hostile program must not be able to do.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "examples/fft.h"
#include "events/espmon/accelerators.h"
#include "libmon/include/dummy_stratus.h"
#include "libmon/include/fft_stratus.h"
#include "tests/main.h"

#define CHUNK (1u << 20)
#define NOBODY 65534

static int contig = -1, acc = -1;
static int32_t input[2 << ESP_FFT_LOG_LEN_MOST];

static void setup(void)
{
	contig = open("/dev/contig_alloc", O_RDWR);
	acc = open("/dev/fft_stratus.0", O_RDWR);
	ck_assert_int_ge(contig, 0);
	ck_assert_int_ge(acc, 0);
	fft_input(input, 1 << ESP_FFT_LOG_LEN_MOST);
}

static void teardown(void)
{
	close(acc);
	close(contig);
}

struct buffer {
	struct contig_alloc_req req;
	unsigned long arr[64];
	int32_t *map;
};

static int try_alloc(struct buffer *b, size_t size, enum contig_alloc_policy policy, int node)
{
	memset(b, 0, sizeof(*b));
	b->req.size = size;
	b->req.arr = b->arr;
	b->req.n_max = 64;
	b->req.params.policy = policy;
	b->req.params.pol.first.ddr_node = node;
	return ioctl(contig, CONTIG_IOC_ALLOC, &b->req) ? -errno : 0;
}

static void *map(const struct buffer *b, size_t size, int flags)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, flags, contig, b->arr[0]);
}

static void alloc(struct buffer *b, size_t size)
{
	ck_assert_int_eq(try_alloc(b, size, CONTIG_ALLOC_PREFERRED, 0), 0);
	b->map = map(b, (size_t)b->req.n * CHUNK, MAP_SHARED);
	ck_assert_ptr_ne(b->map, MAP_FAILED);
}

static int release(const struct buffer *b)
{
	return ioctl(contig, CONTIG_IOC_FREE, &b->req.khandle) ? -errno : 0;
}

static struct fft_stratus_access fft_of(const struct buffer *b, unsigned int log_len)
{
	struct fft_stratus_access access = {
		.esp = { .contig = b->req.khandle, .run = 1 },
		.batch_size = 1, .log_len = log_len, .do_bitrev = 1,
	};

	return access;
}

static int run(int fd, struct fft_stratus_access *access)
{
	return ioctl(fd, FFT_STRATUS_IOC_ACCESS, access) ? -errno : 0;
}

static void expect_fft(const struct buffer *b, unsigned int dst, unsigned int log_len)
{
	ck_assert_uint_le(fft_errors(input, b->map + dst / 4, log_len, true),
			  (2u << log_len) / 100);
}

START_TEST(chunks_have_the_size_that_the_driver_says)
{
	unsigned long chunk_log = 0;

	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_CHUNK_LOG, &chunk_log), 0);
	ck_assert_uint_eq(chunk_log, 20);
}
END_TEST

START_TEST(a_buffer_is_zeroed_chunks_below_4_gib)
{
	struct buffer b;
	unsigned int i;

	alloc(&b, 3 * CHUNK - 5);
	ck_assert_uint_eq(b.req.n, 3);
	ck_assert_int_eq(b.req.most_allocated, 0);
	for (i = 0; i < 3; i++) {
		ck_assert_uint_ne(b.arr[i], 0);
		ck_assert_uint_lt(b.arr[i], 1ul << 32);
		ck_assert_uint_eq(b.arr[i] % CHUNK, 0);
	}
	for (i = 0; i < 3 * CHUNK / 4; i++)
		if (b.map[i])
			ck_abort_msg("word %u is not 0", i);
	/* memory outlives its handle as long as it is mapped */
	ck_assert_int_eq(release(&b), 0);
	b.map[3 * CHUNK / 4 - 1] = 1;
	ck_assert_int_eq(release(&b), -EINVAL);
	munmap(b.map, 3 * CHUNK);
}
END_TEST

START_TEST(bad_allocations_are_refused)
{
	struct buffer b;

	ck_assert_int_eq(try_alloc(&b, 0, CONTIG_ALLOC_PREFERRED, 0), -EINVAL);
	ck_assert_int_eq(try_alloc(&b, 65ul * CHUNK, CONTIG_ALLOC_PREFERRED, 0), -EINVAL);
	ck_assert_int_eq(try_alloc(&b, ~0ul, CONTIG_ALLOC_PREFERRED, 0), -EINVAL);
	ck_assert_int_eq(try_alloc(&b, CHUNK, CONTIG_ALLOC_PREFERRED, 1), -EINVAL);
	ck_assert_int_eq(try_alloc(&b, CHUNK, CONTIG_ALLOC_PREFERRED, -1), -EINVAL);
	ck_assert_int_eq(try_alloc(&b, CHUNK, 3, 0), -EINVAL);
	/* clusters of no chunk */
	ck_assert_int_eq(try_alloc(&b, CHUNK, CONTIG_ALLOC_BALANCED, 0), -EINVAL);
	ck_assert_int_eq(try_alloc(&b, CHUNK, CONTIG_ALLOC_LEAST_LOADED, 0), 0);
	/* nowhere to write the answer: nothing stays allocated, see the leak test */
	b.req.arr = (unsigned long *)8;
	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_ALLOC, &b.req), -1);
	ck_assert_int_eq(errno, EFAULT);
	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_ALLOC, (void *)8), -1);
	ck_assert_int_eq(ioctl(contig, 0x1234, 0), -1);
	ck_assert_int_eq(errno, ENOTTY);
}
END_TEST

START_TEST(only_whole_buffers_of_the_file_can_be_mapped)
{
	int other = open("/dev/contig_alloc", O_RDWR);
	struct buffer b;

	alloc(&b, 2 * CHUNK);
	ck_assert_ptr_eq(map(&b, 3 * CHUNK, MAP_SHARED), MAP_FAILED);
	ck_assert_ptr_eq(map(&b, CHUNK, MAP_PRIVATE), MAP_FAILED);
	ck_assert_ptr_eq(mmap(NULL, CHUNK, PROT_READ, MAP_SHARED, contig, b.arr[0] + CHUNK / 2),
			 MAP_FAILED);
	/* page 0 of physical memory */
	ck_assert_ptr_eq(mmap(NULL, 4096, PROT_READ, MAP_SHARED, contig, 0), MAP_FAILED);
	ck_assert_ptr_eq(mmap(NULL, CHUNK, PROT_READ, MAP_SHARED, other, b.arr[0]), MAP_FAILED);
	/* a mapping cannot be made larger afterwards */
	ck_assert_ptr_eq(mremap(b.map, 2 * CHUNK, 4 * CHUNK, MREMAP_MAYMOVE), MAP_FAILED);
	/* nor can another file free it */
	ck_assert_int_eq(ioctl(other, CONTIG_IOC_FREE, &b.req.khandle), -1);
	ck_assert_int_eq(errno, EINVAL);
	close(other);
}
END_TEST

START_TEST(an_fft_runs_in_every_coherence_mode)
{
	struct fft_stratus_access access;
	struct buffer b;
	unsigned int mode;

	alloc(&b, CHUNK);
	for (mode = ACC_COH_NONE; mode <= ACC_COH_AUTO; mode++) {
		memcpy(b.map, input, 8 << 8);
		access = fft_of(&b, 8);
		access.esp.coherence = mode;
		access.dst_offset = 8192;
		ck_assert_int_eq(run(acc, &access), 0);
		expect_fft(&b, 8192, 8);
	}
}
END_TEST

/* Input at the end of the first chunk and on in the second, output in the third. */
START_TEST(chunks_are_put_together_by_the_page_table)
{
	struct fft_stratus_access access;
	struct buffer b;

	alloc(&b, 3 * CHUNK);
	memcpy((char *)b.map + CHUNK - 4096, input, 8 << ESP_FFT_LOG_LEN_MOST);
	access = fft_of(&b, ESP_FFT_LOG_LEN_MOST);
	access.src_offset = CHUNK - 4096;
	access.dst_offset = 3 * CHUNK - (8 << ESP_FFT_LOG_LEN_MOST);
	ck_assert_int_eq(run(acc, &access), 0);
	expect_fft(&b, 3 * CHUNK - (8 << ESP_FFT_LOG_LEN_MOST), ESP_FFT_LOG_LEN_MOST);
}
END_TEST

START_TEST(configure_now_run_later)
{
	struct fft_stratus_access access;
	struct buffer b;

	ck_assert_int_eq(ioctl(acc, ESP_IOC_RUN), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(ioctl(acc, ESP_IOC_FLUSH), 0);
	alloc(&b, CHUNK);
	memcpy(b.map, input, 8 << 5);
	access = fft_of(&b, 5);
	access.esp.run = 0;
	access.dst_offset = 4096;
	ck_assert_int_eq(run(acc, &access), 0);
	ck_assert_int_eq(b.map[1024], 0);
	/* the buffer stays for the run, with or without a handle */
	release(&b);
	ck_assert_int_eq(ioctl(acc, ESP_IOC_RUN), 0);
	expect_fft(&b, 4096, 5);
	ck_assert_int_eq(ioctl(acc, ESP_IOC_FLUSH), 0);
}
END_TEST

START_TEST(bad_runs_are_refused)
{
	static const char *const no_sources[] = { "", "fft_stratus.99", "null", "../dev/fft_stratus.1" };
	struct fft_stratus_access good, access;
	struct buffer b;
	unsigned int i;

	alloc(&b, CHUNK);
	good = fft_of(&b, 7);

	access = good;
	access.batch_size = 0;
	ck_assert_int_eq(run(acc, &access), -EINVAL);
	access = good;
	access.log_len = 12;
	ck_assert_int_eq(run(acc, &access), -EINVAL);
	access = good;
	access.log_len = 0xffffffff;
	ck_assert_int_eq(run(acc, &access), -EINVAL);
	/* 1 MiB is 1024 transforms of 128 points */
	access = good;
	access.batch_size = 1025;
	ck_assert_int_eq(run(acc, &access), -EINVAL);
	access.batch_size = 0x20000000;
	ck_assert_int_eq(run(acc, &access), -EINVAL);
	access = good;
	access.src_offset = CHUNK - 1024 + 8;
	ck_assert_int_eq(run(acc, &access), -EINVAL);
	access.src_offset = 0xfffffff8;
	ck_assert_int_eq(run(acc, &access), -EINVAL);
	access = good;
	access.dst_offset = 4;
	ck_assert_int_eq(run(acc, &access), -EINVAL);
	access = good;
	access.esp.coherence = 5;
	ck_assert_int_eq(run(acc, &access), -EINVAL);
	access = good;
	access.esp.p2p_nsrcs = 4;	/* with 4-bit coordinates three fit */
	for (i = 0; i < 4; i++)
		strcpy(access.esp.p2p_srcs[i], "fft_stratus.1");
	ck_assert_int_eq(run(acc, &access), -EINVAL);
	access = good;
	access.esp.p2p_nsrcs = 1;
	memset(access.esp.p2p_srcs[0], 'x', 64);
	ck_assert_int_eq(run(acc, &access), -ENODEV);
	/* files that are no accelerators */
	for (i = 0; i < sizeof(no_sources) / sizeof(*no_sources); i++) {
		memset(access.esp.p2p_srcs[0], 0, 64);
		strcpy(access.esp.p2p_srcs[0], no_sources[i]);
		ck_assert_int_eq(run(acc, &access), -ENODEV);
	}
	access = good;
	access.esp.p2p_mcast_dests = 2;
	ck_assert_int_eq(run(acc, &access), -EOPNOTSUPP);
	access = good;
	access.esp.contig = (void *)((uintptr_t)good.esp.contig + 1);
	ck_assert_int_eq(run(acc, &access), -EINVAL);
	access.esp.contig = (void *)0xffff888000000000;
	ck_assert_int_eq(run(acc, &access), -EINVAL);
	access.esp.contig = NULL;
	ck_assert_int_eq(run(acc, &access), -EINVAL);
	ck_assert_int_eq(ioctl(acc, FFT_STRATUS_IOC_ACCESS, (void *)8), -1);
	ck_assert_int_eq(errno, EFAULT);
	ck_assert_int_eq(ioctl(acc, DUMMY_STRATUS_IOC_ACCESS_2024, &good), -1);
	ck_assert_int_eq(errno, ENOTTY);
	release(&b);
	ck_assert_int_eq(run(acc, &good), -EINVAL);
}
END_TEST

static int in_child(int (*function)(void *arg), void *arg)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(function(arg));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int run_as_stranger(void *arg)
{
	struct fft_stratus_access access = fft_of(arg, 7);

	return -run(acc, &access);
}

START_TEST(a_handle_is_of_no_use_to_another_process)
{
	struct buffer b;

	alloc(&b, CHUNK);
	ck_assert_int_eq(in_child(run_as_stranger, &b), EINVAL);
}
END_TEST

static unsigned long free_kib(void)
{
	char line[128];
	unsigned long kib = 0;
	FILE *file = fopen("/proc/meminfo", "r");

	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "MemFree: %lu", &kib) == 1)
			break;
	fclose(file);
	return kib;
}

static int leave_everything(void *arg)
{
	struct fft_stratus_access access;
	struct buffer b;
	int i;

	(void)arg;
	for (i = 0; i < 8; i++) {
		if (try_alloc(&b, 8ul * CHUNK, CONTIG_ALLOC_PREFERRED, 0) ||
		    map(&b, 8ul * CHUNK, MAP_SHARED) == MAP_FAILED)
			return 1;
		access = fft_of(&b, 5);
		access.esp.run = 0;
		if (run(acc, &access))
			return 2;
	}
	return 0;
}

static int own_files(void *arg)
{
	contig = open("/dev/contig_alloc", O_RDWR);
	acc = open("/dev/fft_stratus.0", O_RDWR);
	return leave_everything(arg);
}

/* 20 times 64 MiB; what is left behind would show. */
START_TEST(a_process_that_ends_leaves_nothing_behind)
{
	unsigned long before = free_kib();
	int i;

	for (i = 0; i < 20; i++)
		ck_assert_int_eq(in_child(own_files, NULL), 0);
	ck_assert_uint_gt(free_kib() + 65536, before);
}
END_TEST

static void set_timeout(const char *ms)
{
	int fd = open("/sys/module/esp_accel/parameters/run_timeout_ms", O_WRONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, ms, strlen(ms)), (int)strlen(ms));
	close(fd);
}

/* Runs with a buffer of its own, as that user; the errno. */
static int run_p2p(int fd, uid_t uid, int source, const int32_t *expected)
{
	struct esp_sources sources = { .n = 1, .fd = { source } };
	struct fft_stratus_access access;
	struct buffer b;
	int err;

	if (try_alloc(&b, CHUNK, CONTIG_ALLOC_PREFERRED, 0))
		return 1;
	b.map = map(&b, CHUNK, MAP_SHARED);
	if (b.map == MAP_FAILED || setresuid(uid, uid, uid))
		return 1;
	access = fft_of(&b, 7);
	access.esp.p2p_store = !expected;
	if (!expected)
		b.map[0] = 1 << FFT_FRACTION;
	if (source >= 0 && ioctl(fd, ESP_IOC_SOURCES, &sources))
		return errno;
	if (expected) {
		access.esp.p2p_nsrcs = 1;
		strcpy(access.esp.p2p_srcs[0], "fft_stratus.1");
	}
	err = -run(fd, &access);
	return err || !expected ? err : fft_errors(expected, b.map, 7, true) != 0;
}

static pid_t start_p2p(int fd, uid_t uid, int source, const int32_t *expected)
{
	pid_t pid = fork();

	if (!pid)
		_exit(run_p2p(fd, uid, source, expected));
	usleep(200000);
	return pid;
}

static int end_p2p(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/*
 * By name a run takes the output of another one of its own user, in either order: programs start their
 * accelerators in any. Of another user's it needs a descriptor of the accelerator. What one user waits for
 * by name no other user gives.
 */
START_TEST(sources_are_the_users_own_or_handed_over)
{
	int32_t flat[2 * 128] = { 0 };
	int source = open("/dev/fft_stratus.1", O_RDWR), reading = open("/dev/fft_stratus.1", O_RDONLY);
	struct esp_sources sources = { .n = 1, .fd = { contig } };
	pid_t first;
	int i;

	/* the FFT of one point of 1.0 is 1.0 in all points */
	for (i = 0; i < 128; i++)
		flat[2 * i] = 1 << FFT_FRACTION;
	/* its own, by name */
	first = start_p2p(source, NOBODY, -1, NULL);
	ck_assert_int_eq(end_p2p(start_p2p(acc, NOBODY, -1, flat)), 0);
	ck_assert_int_eq(end_p2p(first), 0);
	first = start_p2p(acc, NOBODY, -1, flat);
	ck_assert_int_eq(end_p2p(start_p2p(source, NOBODY, -1, NULL)), 0);
	ck_assert_int_eq(end_p2p(first), 0);
	/* another user's, by name: it waits in vain, and the other one takes no notice */
	set_timeout("1000");
	first = start_p2p(source, 0, -1, NULL);
	ck_assert_int_eq(end_p2p(start_p2p(acc, NOBODY, -1, flat)), ETIMEDOUT);
	ck_assert_int_eq(end_p2p(first), ETIMEDOUT);
	set_timeout("30000");
	/* by a descriptor, in either order */
	first = start_p2p(source, 0, -1, NULL);
	ck_assert_int_eq(end_p2p(start_p2p(acc, NOBODY, source, flat)), 0);
	ck_assert_int_eq(end_p2p(first), 0);
	first = start_p2p(acc, NOBODY, source, flat);
	ck_assert_int_eq(end_p2p(start_p2p(source, 0, -1, NULL)), 0);
	ck_assert_int_eq(end_p2p(first), 0);
	/* what is no descriptor of an accelerator */
	ck_assert_int_eq(ioctl(acc, ESP_IOC_SOURCES, &sources), -1);
	ck_assert_int_eq(errno, EBADF);
	sources.fd[0] = reading;
	ck_assert_int_eq(ioctl(acc, ESP_IOC_SOURCES, &sources), -1);
	ck_assert_int_eq(errno, EBADF);
	sources.fd[0] = -1;
	ck_assert_int_eq(ioctl(acc, ESP_IOC_SOURCES, &sources), -1);
	ck_assert_int_eq(errno, EBADF);
	sources.n = 5;
	ck_assert_int_eq(ioctl(acc, ESP_IOC_SOURCES, &sources), -1);
	ck_assert_int_eq(errno, EINVAL);
	close(reading);
	close(source);
}
END_TEST

/* A store that nobody takes any more: the named consumer of a killed run gets no other user's output. */
START_TEST(nobody_else_steps_in_for_a_source)
{
	int32_t flat[2 * 128] = { 0 };
	int source = open("/dev/fft_stratus.1", O_RDWR);
	pid_t producer, consumer;

	set_timeout("3000");
	/* the producer's own source never comes, so that it stores nothing */
	producer = fork();
	if (!producer) {
		struct esp_sources sources = { .n = 1, .fd = { open("/dev/fft_stratus.2", O_RDWR) } };
		struct fft_stratus_access access;
		struct buffer b;

		if (try_alloc(&b, CHUNK, CONTIG_ALLOC_PREFERRED, 0) || setresuid(NOBODY, NOBODY, NOBODY) ||
		    ioctl(source, ESP_IOC_SOURCES, &sources))
			_exit(1);
		access = fft_of(&b, 7);
		access.esp.p2p_store = 1;
		access.esp.p2p_nsrcs = 1;
		strcpy(access.esp.p2p_srcs[0], "fft_stratus.2");
		_exit(-run(source, &access));
	}
	usleep(200000);
	consumer = start_p2p(acc, NOBODY, -1, flat);
	kill(producer, SIGKILL);
	ck_assert_int_eq(waitpid(producer, NULL, 0), producer);
	ck_assert_int_eq(end_p2p(start_p2p(source, 0, -1, NULL)), EBUSY);
	ck_assert_int_eq(end_p2p(consumer), ETIMEDOUT);
	set_timeout("30000");
	close(source);
}
END_TEST

/*
 * A consumer without producer waits forever. Killed, it must end at once, its buffer must be free
 * and the accelerator must work again.
 */
static int wait_forever(void *arg)
{
	struct fft_stratus_access access = fft_of(arg, 7);

	access.esp.p2p_nsrcs = 1;
	strcpy(access.esp.p2p_srcs[0], "fft_stratus.1");
	return -run(acc, &access);
}

static int own_wait_forever(void *arg)
{
	struct buffer b;

	(void)arg;
	contig = open("/dev/contig_alloc", O_RDWR);
	if (try_alloc(&b, CHUNK, CONTIG_ALLOC_PREFERRED, 0))
		return 1;
	return wait_forever(&b);
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

START_TEST(a_run_that_does_not_end_can_be_killed)
{
	struct fft_stratus_access access;
	struct buffer b;
	int i, status;
	double start;
	pid_t pid;

	alloc(&b, CHUNK);
	for (i = 0; i < 10; i++) {
		pid = fork();
		if (!pid)
			_exit(own_wait_forever(NULL));
		usleep(200000);
		ck_assert_int_eq(waitpid(pid, &status, WNOHANG), 0);
		start = seconds();
		kill(pid, SIGKILL);
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		ck_assert(WIFSIGNALED(status));
		ck_assert(seconds() - start < 2);
		memcpy(b.map, input, 8 << 7);
		access = fft_of(&b, 7);
		ck_assert_int_eq(run(acc, &access), 0);
		expect_fft(&b, 0, 7);
	}
}
END_TEST

START_TEST(a_run_that_does_not_end_is_aborted_in_time)
{
	struct fft_stratus_access access;
	struct buffer b;

	alloc(&b, CHUNK);
	set_timeout("300");
	ck_assert_int_eq(wait_forever(&b), ETIMEDOUT);
	set_timeout("30000");
	memcpy(b.map, input, 8 << 7);
	access = fft_of(&b, 7);
	ck_assert_int_eq(run(acc, &access), 0);
	expect_fft(&b, 0, 7);
}
END_TEST

static int fds[3];

static void *run_many(void *arg)
{
	unsigned int k = (uintptr_t)arg, i;
	struct fft_stratus_access access;
	struct buffer b;

	if (try_alloc(&b, CHUNK, CONTIG_ALLOC_PREFERRED, 0))
		return arg;
	b.map = map(&b, CHUNK, MAP_SHARED);
	for (i = 0; i < 50; i++) {
		memcpy(b.map, input, 8 << 6);
		access = fft_of(&b, 6);
		access.esp.coherence = i % 4;
		if (run(fds[k % 3], &access) || fft_errors(input, b.map, 6, true))
			return (void *)(uintptr_t)(k + 1);
	}
	munmap(b.map, CHUNK);
	release(&b);
	return NULL;
}

/* Two threads on each accelerator, all in one process, with buffers of their own. */
START_TEST(accelerators_are_shared_and_run_at_a_time)
{
	pthread_t thread[6];
	void *failed;
	uintptr_t i;

	fds[0] = acc;
	fds[1] = open("/dev/fft_stratus.1", O_RDWR);
	fds[2] = open("/dev/fft_stratus.2", O_RDWR);
	for (i = 0; i < 6; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, run_many, (void *)i), 0);
	for (i = 0; i < 6; i++) {
		pthread_join(thread[i], &failed);
		ck_assert_ptr_null(failed);
	}
	close(fds[1]);
	close(fds[2]);
}
END_TEST

START_TEST(the_module_stays_while_a_file_is_open)
{
	ck_assert_int_ne(system("rmmod esp_accel 2>/dev/null"), 0);
	close(acc);
	close(contig);
	ck_assert_int_eq(system("rmmod esp_accel && insmod build/pmu/$(uname -r)/esp_accel.ko"), 0);
	setup();
}
END_TEST

static void *remove_device(void *arg)
{
	(void)arg;
	usleep(300000);
	return (void *)(uintptr_t)system("echo 1 >$(ls -d /sys/bus/pci/drivers/espmon/0*)/remove");
}

/* Who waits is woken; files and mappings stay harmless; when it is back everything works again. */
START_TEST(the_device_may_go_during_a_run)
{
	struct fft_stratus_access access;
	struct buffer b, more;
	pthread_t thread;
	void *ret;

	alloc(&b, CHUNK);
	ck_assert_int_eq(pthread_create(&thread, NULL, remove_device, NULL), 0);
	ck_assert_int_eq(wait_forever(&b), ENODEV);
	pthread_join(thread, &ret);
	ck_assert_ptr_null(ret);

	access = fft_of(&b, 7);
	ck_assert_int_eq(run(acc, &access), -ENODEV);
	ck_assert_int_eq(try_alloc(&more, CHUNK, CONTIG_ALLOC_PREFERRED, 0), -ENODEV);
	b.map[0] = 1;
	munmap(b.map, CHUNK);
	teardown();
	ck_assert_int_eq(system("echo 1 >/sys/bus/pci/rescan"), 0);
	usleep(500000);
	setup();
	alloc(&b, CHUNK);
	memcpy(b.map, input, 8 << 7);
	access = fft_of(&b, 7);
	ck_assert_int_eq(run(acc, &access), 0);
	expect_fft(&b, 0, 7);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("esp_accel");
	TCase *tcase = tcase_create("esp_accel");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 20);
	tcase_add_test(tcase, chunks_have_the_size_that_the_driver_says);
	tcase_add_test(tcase, a_buffer_is_zeroed_chunks_below_4_gib);
	tcase_add_test(tcase, bad_allocations_are_refused);
	tcase_add_test(tcase, only_whole_buffers_of_the_file_can_be_mapped);
	tcase_add_test(tcase, an_fft_runs_in_every_coherence_mode);
	tcase_add_test(tcase, chunks_are_put_together_by_the_page_table);
	tcase_add_test(tcase, configure_now_run_later);
	tcase_add_test(tcase, bad_runs_are_refused);
	tcase_add_test(tcase, a_handle_is_of_no_use_to_another_process);
	tcase_add_test(tcase, sources_are_the_users_own_or_handed_over);
	tcase_add_test(tcase, nobody_else_steps_in_for_a_source);
	tcase_add_test(tcase, a_process_that_ends_leaves_nothing_behind);
	tcase_add_test(tcase, a_run_that_does_not_end_can_be_killed);
	tcase_add_test(tcase, a_run_that_does_not_end_is_aborted_in_time);
	tcase_add_test(tcase, accelerators_are_shared_and_run_at_a_time);
	tcase_add_test(tcase, the_module_stays_while_a_file_is_open);
	tcase_add_test(tcase, the_device_may_go_during_a_run);
	suite_add_tcase(suite, tcase);
	return suite;
}
