// SPDX-License-Identifier: GPL-2.0-only
/*
 * The user interface of esp_accel, by plain ioctls: the needs of ESP's programs, and errors and
 * attacks that the driver must refuse.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "tests/guest/esp/esp-accel.h"
#include "tests/main.h"

SUITE("esp_accel", .timeout = 20, .setup = setup, .teardown = teardown);

TEST(chunks_have_the_size_that_the_driver_says)
{
	unsigned long chunk_log = 0;

	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_CHUNK_LOG, &chunk_log), 0);
	ck_assert_uint_eq(chunk_log, 20);
}

TEST(a_buffer_is_zeroed_chunks_below_4_gib)
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
	/* memory stays after its handle is freed, as long as it is mapped */
	ck_assert_int_eq(release(&b), 0);
	b.map[3 * CHUNK / 4 - 1] = 1;
	ck_assert_int_eq(release(&b), -EINVAL);
	munmap(b.map, 3 * CHUNK);
}

TEST(bad_allocations_are_refused)
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
	/* no address for the answer: the allocation is undone, see the leak test */
	b.req.arr = (unsigned long *)8;
	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_ALLOC, &b.req), -1);
	ck_assert_int_eq(errno, EFAULT);
	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_ALLOC, (void *)8), -1);
	ck_assert_int_eq(ioctl(contig, 0x1234, 0), -1);
	ck_assert_int_eq(errno, ENOTTY);
}

#define BIG_ROUNDS 8

static struct span {
	uint64_t begin, end;
} big[BIG_ROUNDS];
static _Atomic bool big_done;

static uint64_t time_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void *allocate_big(void *arg)
{
	struct buffer b;
	int i, err = 0;

	(void)arg;
	for (i = 0; !err && i < BIG_ROUNDS; i++) {
		big[i].begin = time_ns();
		err = try_alloc(&b, 64 * CHUNK, CONTIG_ALLOC_PREFERRED, 0);
		big[i].end = time_ns();
		if (!err)
			err = release(&b);
	}
	atomic_store(&big_done, true);
	return (void *)(intptr_t)err;
}

/*
 * While the kernel finds and clears 64 chunks for one file, another one gets and gives one. Behind one lock it would
 * wait in each round for nearly all of that time. The host may stop a processor in some rounds, so the best one counts.
 */
TEST(a_big_buffer_stops_nobody_else)
{
	int fd = open("/dev/contig_alloc", O_RDWR | O_CLOEXEC), i;
	uint64_t longest[BIG_ROUNDS] = { 0 };
	static struct span small[100000];
	unsigned int n = 0, k;
	unsigned long chunk;
	double best = 1;
	pthread_t thread;
	void *err;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, allocate_big, NULL), 0);
	while (!atomic_load(&big_done) && n < sizeof(small) / sizeof(*small)) {
		struct contig_alloc_req req = {
			.size = CHUNK, .arr = &chunk, .n_max = 1, .params = { .policy = CONTIG_ALLOC_PREFERRED },
		};

		small[n].begin = time_ns();
		ck_assert_int_eq(ioctl(fd, CONTIG_IOC_ALLOC, &req), 0);
		ck_assert_int_eq(ioctl(fd, CONTIG_IOC_FREE, &req.khandle), 0);
		small[n++].end = time_ns();
	}
	ck_assert_int_eq(pthread_join(thread, &err), 0);
	ck_assert_int_eq((intptr_t)err, 0);
	for (i = 0; i < BIG_ROUNDS; i++) {
		for (k = 0; k < n; k++) {
			uint64_t begin = small[k].begin > big[i].begin ? small[k].begin : big[i].begin;
			uint64_t end = small[k].end < big[i].end ? small[k].end : big[i].end;

			if (end > begin && end - begin > longest[i])
				longest[i] = end - begin;
		}
		if (longest[i] && (double)longest[i] / (big[i].end - big[i].begin) < best)
			best = (double)longest[i] / (big[i].end - big[i].begin);
	}
	ck_assert_msg(best < 0.4, "%.2f of the time", best);
	close(fd);
}

TEST(only_whole_buffers_of_the_file_can_be_mapped)
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

TEST(an_fft_runs_in_every_coherence_mode)
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

/* Input at the end of the first chunk and on in the second, output in the third. */
TEST(chunks_are_put_together_by_the_page_table)
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

TEST(configure_now_run_later)
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

TEST(bad_runs_are_refused)
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
	ck_assert_int_eq(ioctl(acc, _IOW('S', 0, struct esp_access), &good), -1);
	ck_assert_int_eq(errno, ENOTTY);
	release(&b);
	ck_assert_int_eq(run(acc, &good), -EINVAL);
}

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

TEST(a_handle_is_of_no_use_to_another_process)
{
	struct buffer b;

	alloc(&b, CHUNK);
	ck_assert_int_eq(in_child(run_as_stranger, &b), EINVAL);
}

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

/* 20 times 64 MiB; a leak would fail. */
TEST(a_process_that_ends_leaves_nothing_behind)
{
	unsigned long before = free_kib();
	int i;

	for (i = 0; i < 20; i++)
		ck_assert_int_eq(in_child(own_files, NULL), 0);
	ck_assert_uint_gt(free_kib() + 65536, before);
}

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
TEST(accelerators_are_shared_and_run_at_a_time)
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

static void reload(const char *options)
{
	char command[128];

	teardown();
	snprintf(command, sizeof(command), "rmmod esp_accel && insmod build/pmu/$(uname -r)/esp_accel.ko %s", options);
	ck_assert_int_eq(system(command), 0);
	setup();
}

/* A file may have 4096 chunks, and those count for it that a mapping keeps when their handle has gone. */
TEST(the_limit_counts_what_a_mapping_keeps)
{
	enum { MOST = 4096, CHUNK_4K = 4096 };
	static unsigned long chunks[MOST];
	struct contig_alloc_req req = { .size = MOST * CHUNK_4K, .arr = chunks, .n_max = MOST,
					.params.policy = CONTIG_ALLOC_PREFERRED };
	void *kept;

	reload("chunk_log=12");
	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_ALLOC, &req), 0);
	kept = mmap(NULL, req.size, PROT_READ | PROT_WRITE, MAP_SHARED, contig, chunks[0]);
	ck_assert_ptr_ne(kept, MAP_FAILED);
	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_FREE, &req.khandle), 0);
	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_ALLOC, &req), -1);
	ck_assert_int_eq(errno, ENOMEM);
	munmap(kept, req.size);
	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_ALLOC, &req), 0);
	ck_assert_int_eq(ioctl(contig, CONTIG_IOC_FREE, &req.khandle), 0);
	reload("");
}
