// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts of events, alone and in groups, with all kinds of readers: the scenarios of the i915 test
 * suite, on espmon. checklist.md lists the purpose of each test.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

/* What the driver's own register accesses move on plane 5, and the cycle counter, are not idle. */
static bool idles(unsigned int code)
{
	return code != CYCLES && code != INJECTS_P5 && !(code >= 49 && code <= 53);
}

SUITE("pmu-events", .timeout = 20);

TEST(idle_is_zero)
{
	int fds[59];
	unsigned int i;

	for (i = 0; i < 59; i++)
		fds[i] = event_open(i);
	sleep_ms(50);
	for (i = 0; i < 59; i++) {
		uint64_t n = event_count(fds[i]);

		if (idles(i))
			ck_assert_msg(n == 0, "idle, but monitor %u counted %llu", i,
				      (unsigned long long)n);
		close(fds[i]);
	}
}

TEST(cycles_follow_the_clock)
{
	unsigned long hz = file_number(SYSFS_PMU PMU "/caps/clock_hz");
	int fd = event_open(CYCLES | BYTILE(TILE_MEM));
	uint64_t t0, t1, t2, t3, before, after;

	t0 = now_ns();
	before = event_count(fd);
	t1 = now_ns();
	sleep_ms(300);
	t2 = now_ns();
	after = event_count(fd);
	t3 = now_ns();
	/* within 1 %: guest and device share one clock, but the guest calibrates its own */
	ck_assert_uint_ge(after - before, (t2 - t1) / 1e9 * hz * 0.99);
	ck_assert_uint_le(after - before, (t3 - t0) / 1e9 * hz * 1.01);
	close(fd);
}

TEST(two_clients_share_an_event)
{
	struct fft *fft = fft_new(0);
	int a = event_open(DDR_ACCESSES), b;

	ck_assert_int_eq(fft_run(fft), 0);
	b = event_open(DDR_ACCESSES | BYTILE(TILE_MEM));
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(a), 2 * FFT_DDR);
	ck_assert_uint_eq(event_count(b), FFT_DDR);
	close(a);
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(b), 2 * FFT_DDR);
	close(b);
	fft_free(fft);
}

/* The guest has two CPUs; the event is on one, a reader may be on any. */
TEST(any_cpu_opens_and_reads)
{
	struct perf_event_attr attr = attr_of(PMU, DDR_ACCESSES);
	struct fft *fft = fft_new(0);
	int cpu, fds[2];

	for (cpu = 0; cpu < 2; cpu++) {
		fds[cpu] = sys_open(&attr, cpu, -1);
		ck_assert_int_ge(fds[cpu], 0);
	}
	ck_assert_int_eq(fft_run(fft), 0);
	for (cpu = 0; cpu < 2; cpu++) {
		stay_on(cpu);
		ck_assert_uint_eq(event_count(fds[0]), FFT_DDR);
		ck_assert_uint_eq(event_count(fds[1]), FFT_DDR);
	}
	fft_free(fft);
}

TEST(disabled_time_does_not_count)
{
	struct fft *fft = fft_new(0);
	int fd = event_open(DDR_ACCESSES);
	struct reading r;

	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(fd), FFT_DDR);
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_int_eq(event_try_read(fd, &r), 0);
	ck_assert_uint_eq(r.count, 2 * FFT_DDR);
	/* nothing is multiplexed */
	ck_assert_uint_eq(r.enabled, r.running);
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_RESET, 0), 0);
	ck_assert_uint_eq(event_count(fd), 0);
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(fd), FFT_DDR);
	close(fd);
	fft_free(fft);
}

/* Opened the moment before the work starts and closed the moment after. */
TEST(enable_does_not_race_with_the_work)
{
	struct fft *fft = fft_new(0);
	unsigned int i;

	for (i = 0; i < 100; i++) {
		int fd = event_open(DDR_ACCESSES);

		ck_assert_int_eq(fft_run(fft), 0);
		ck_assert_uint_eq(event_count(fd), FFT_DDR);
		close(fd);
	}
	fft_free(fft);
}

static atomic_bool stop;

static void *run_ffts(void *arg)
{
	struct fft *fft = arg;

	while (!atomic_load(&stop))
		if (fft_run(fft))
			return "fft";
	return NULL;
}

static void *toggle(void *arg)
{
	int fd = *(int *)arg;

	while (!atomic_load(&stop)) {
		ioctl(fd, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
		ioctl(fd, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	}
	return NULL;
}

static void *read_alone(void *arg)
{
	int fd = *(int *)arg;
	uint64_t last = 0;

	while (!atomic_load(&stop)) {
		struct reading r;

		if (event_try_read(fd, &r) || r.count < last)
			return "single read";
		last = r.count;
	}
	return NULL;
}

static void end(pthread_t thread)
{
	void *failure;

	atomic_store(&stop, true);
	ck_assert_int_eq(pthread_join(thread, &failure), 0);
	ck_assert_msg(!failure, "thread failed: %s", (char *)failure);
}

/*
 * The low word of the 64-bit pair and the pair itself count the same; cycles are counted alike by two
 * events. One instant for the whole group keeps them equal, while the accelerator runs, while others
 * read the same counters, and after the group was stopped, as perf stat reads it.
 */
static void check_group(int leader)
{
	uint64_t n[4];

	ck_assert_int_eq(group_try_read(leader, n, 4), 0);
	ck_assert_uint_eq(n[0], n[2]);
	ck_assert_uint_eq(n[1], n[3]);
}

TEST(group_is_one_instant)
{
	int leader = event_open_on(PMU, ACC_TOT_CYCLES | BYTILE(TILE_FFT), -1, PERF_FORMAT_GROUP);
	int alone = event_open(CYCLES | BYTILE(TILE_FFT));
	struct fft *fft = fft_new(0);
	pthread_t load, reader;
	unsigned int i;

	event_open_on(PMU, CYCLES | BYTILE(TILE_FFT), leader, PERF_FORMAT_GROUP);
	event_open_on(PMU, ACC_TOT_LO | BYTILE(TILE_FFT), leader, PERF_FORMAT_GROUP);
	event_open_on(PMU, CYCLES | BYTILE(TILE_FFT), leader, PERF_FORMAT_GROUP);
	/*
	 * members that wait for their leader start with it; PERF_IOC_FLAG_GROUP would start them
	 * one by one
	 */
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP), 0);
	ck_assert_int_eq(pthread_create(&load, NULL, run_ffts, fft), 0);
	ck_assert_int_eq(pthread_create(&reader, NULL, read_alone, &alone), 0);
	for (i = 0; i < 300; i++) {
		ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_ENABLE, 0), 0);
		check_group(leader);
		check_group(leader);
		ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_DISABLE, 0), 0);
		check_group(leader);
	}
	end(load);
	end(reader);
	fft_free(fft);
}

/*
 * Readers on both CPUs, while another task starts and stops the group: no error, and no count goes
 * back.
 */
TEST(readers_and_switches_meet)
{
	int leader = event_open_on(PMU, CYCLES, -1, PERF_FORMAT_GROUP);
	int alone = event_open(CYCLES | BYTILE(1));
	uint64_t last[3] = { 0 }, n[3];
	pthread_t switcher, reader;
	unsigned int i, k;

	event_open_on(PMU, INJECTS_P5, leader, PERF_FORMAT_GROUP);
	event_open_on(PMU, CYCLES | BYTILE(1), leader, PERF_FORMAT_GROUP);
	ck_assert_int_eq(pthread_create(&switcher, NULL, toggle, &leader), 0);
	ck_assert_int_eq(pthread_create(&reader, NULL, read_alone, &alone), 0);
	for (i = 0; i < 2000; i++) {
		ck_assert_int_eq(group_try_read(leader, n, 3), 0);
		for (k = 0; k < 3; k++) {
			ck_assert_uint_ge(n[k], last[k]);
			last[k] = n[k];
		}
	}
	end(switcher);
	end(reader);
	/* the sum of all tiles is more than one of them */
	ck_assert_uint_gt(last[0], last[2]);
}

TEST(software_events_lead_groups)
{
	struct perf_event_attr clock = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(clock),
		.config = PERF_COUNT_SW_CPU_CLOCK, .read_format = PERF_FORMAT_GROUP,
	};
	int leader = sys_open(&clock, pmu_cpu(PMU), -1), second;
	struct fft *fft = fft_new(0);
	uint64_t n[4];

	ck_assert_int_ge(leader, 0);
	event_open_on(PMU, DDR_ACCESSES, leader, PERF_FORMAT_GROUP);
	second = sys_open(&clock, pmu_cpu(PMU), leader);
	ck_assert_int_ge(second, 0);
	event_open_on(PMU, DDR_ACCESSES | BYTILE(TILE_MEM), leader, PERF_FORMAT_GROUP);
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_int_eq(group_try_read(leader, n, 4), 0);
	ck_assert_uint_gt(n[0], 0);
	ck_assert_uint_eq(n[1], FFT_DDR);
	ck_assert_uint_eq(n[3], FFT_DDR);
	fft_free(fft);
}

/* A clock that samples reads its group from the timer interrupt: there is no transaction then. */
TEST(interrupts_read_groups)
{
	struct perf_event_attr clock = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(clock),
		.config = PERF_COUNT_SW_CPU_CLOCK, .read_format = PERF_FORMAT_GROUP,
		.sample_type = PERF_SAMPLE_READ, .freq = 1, .sample_freq = 500,
	};
	int leader = sys_open(&clock, pmu_cpu(PMU), -1);
	size_t page = sysconf(_SC_PAGESIZE), size = 8 * page;
	struct perf_event_mmap_page *ring;
	uint64_t at, last = 0;
	unsigned int samples = 0;

	ck_assert_int_ge(leader, 0);
	event_open_on(PMU, CYCLES | BYTILE(TILE_FFT), leader, PERF_FORMAT_GROUP);
	ring = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, leader, 0);
	ck_assert_ptr_ne(ring, MAP_FAILED);
	sleep_ms(300);
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP), 0);
	/* records: header, number of members, one value for each; 32 bytes never wrap here */
	for (at = 0; at < ring->data_head && at + 32 <= size;) {
		const struct perf_event_header *h = (void *)((char *)ring + page + at);
		const uint64_t *body = (void *)(h + 1);

		if (h->type == PERF_RECORD_SAMPLE) {
			ck_assert_uint_eq(body[0], 2);
			ck_assert_uint_gt(body[2], last);
			last = body[2];
			samples++;
		}
		at += h->size;
	}
	/* 150 are due */
	ck_assert_uint_gt(samples, 20);
	munmap(ring, page + size);
}

/*
 * perf reads our event in a tracepoint that fires with the lock of a CPU's timers held: that of this process's own sleep,
 * on the CPU of the events.
 */
TEST(tracepoints_read_groups)
{
	const char *id = file_text("/sys/kernel/tracing/events/timer/hrtimer_start/id");
	struct perf_event_attr timers = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(timers),
		.read_format = PERF_FORMAT_GROUP, .sample_type = PERF_SAMPLE_READ,
		.sample_period = 1, .disabled = 1,
	};
	size_t page = sysconf(_SC_PAGESIZE), size = 8 * page;
	uint64_t n[2];
	int leader;
	void *ring;

	ck_assert_msg(id, "no tracepoint hrtimer_start");
	timers.config = strtoul(id, NULL, 10);
	leader = sys_open(&timers, pmu_cpu(PMU), -1);
	ck_assert_int_ge(leader, 0);
	event_open_on(PMU, CYCLES | BYTILE(TILE_FFT), leader, PERF_FORMAT_GROUP);
	ring = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, leader, 0);
	ck_assert_ptr_ne(ring, MAP_FAILED);
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_ENABLE, 0), 0);
	stay_on(pmu_cpu(PMU));
	sleep_ms(20);
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_int_eq(group_try_read(leader, n, 2), 0);
	ck_assert_uint_gt(n[0], 0);
	ck_assert_uint_gt(n[1], 0);
	munmap(ring, page + size);
}

TEST(faulting_buffers_do_no_harm)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *map = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int leader = event_open_on(PMU, DDR_ACCESSES, -1, PERF_FORMAT_GROUP);
	struct fft *fft = fft_new(0);
	uint64_t n[2];

	event_open_on(PMU, DDR_ACCESSES, leader, PERF_FORMAT_GROUP);
	ck_assert_ptr_ne(map, MAP_FAILED);
	ck_assert_int_eq(mprotect(map + page, page, PROT_NONE), 0);
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_int_eq(syscall(SYS_read, leader, 8UL, 4096UL), -1);
	ck_assert_int_eq(errno, EFAULT);
	/* 8 of 24 bytes fit before the unmapped page */
	ck_assert_int_eq(read(leader, map + page - 8, 4096), -1);
	ck_assert_int_eq(errno, EFAULT);
	ck_assert_int_eq(read(leader, map, 8), -1);
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_int_eq(group_try_read(leader, n, 2), 0);
	ck_assert_uint_eq(n[0], 2 * FFT_DDR);
	ck_assert_uint_eq(n[1], 2 * FFT_DDR);
	fft_free(fft);
}

TEST(open_events_hold_the_modules)
{
	int fd = event_open(DDR_ACCESSES);

	/* the kernel's word for a module in use is EWOULDBLOCK */
	ck_assert_int_eq(syscall(SYS_delete_module, "espmon", O_NONBLOCK), -1);
	ck_assert_int_eq(errno, EWOULDBLOCK);
	ck_assert_int_eq(syscall(SYS_delete_module, "mon_pmu", O_NONBLOCK), -1);
	ck_assert_int_eq(errno, EWOULDBLOCK);
	ck_assert_uint_eq(event_count(fd), 0);
	close(fd);
}

/* No counter can be read without the kernel; the count of an event that has stopped is in its page. */
TEST(the_page_has_the_final_count)
{
	int fd = event_open(CYCLES | BYTILE(0));
	struct perf_event_mmap_page *page =
		mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	uint32_t lock;
	uint64_t n;

	ck_assert_ptr_ne(page, MAP_FAILED);
	ck_assert_uint_eq(page->index, 0);
	lock = page->lock;
	ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_uint_eq(page->index, 0);
	ck_assert_uint_ne(page->lock, lock);
	n = event_count(fd);
	ck_assert_uint_gt(n, 0);
	ck_assert_uint_eq(page->offset, n);
}

/* If two CPUs wrote it at the same time, it could stay locked, or have parts of two counts. */
TEST(the_page_is_whole_while_others_read)
{
	int fd = event_open(CYCLES | BYTILE(0));
	volatile struct perf_event_mmap_page *page =
		mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	pthread_t switcher, reader;
	unsigned int changes = 0;
	uint32_t before = 0;
	uint64_t last = 0;

	ck_assert_ptr_ne((void *)page, MAP_FAILED);
	ck_assert_int_eq(pthread_create(&switcher, NULL, toggle, &fd), 0);
	ck_assert_int_eq(pthread_create(&reader, NULL, read_alone, &fd), 0);
	while (changes < 200) {
		uint64_t count, enabled, running;
		uint32_t lock;

		do {
			lock = page->lock;
			atomic_thread_fence(memory_order_acquire);
			count = page->offset;
			enabled = page->time_enabled;
			running = page->time_running;
			atomic_thread_fence(memory_order_acquire);
		} while (lock & 1 || lock != page->lock);
		ck_assert_uint_ge(count, last);
		ck_assert_uint_ge(enabled, running);
		last = count;
		changes += lock != before;
		before = lock;
	}
	end(switcher);
	end(reader);
	ck_assert_uint_gt(last, 0);
}

/*
 * A function reset clears the monitors: what was counted stays, and counting goes on. What was counted just before is
 * lost. Reading the group fails once, also if perf has stopped it meanwhile, and a clock in the group stays readable.
 */
TEST(counts_survive_a_device_reset)
{
	unsigned long losses = file_number(SYSFS_PMU PMU "/losses");
	struct fft *fft = fft_new(0);
	int fd = event_open(DDR_ACCESSES), leader;
	int cycles = event_open(CYCLES | BYTILE(0));
	struct perf_event_attr clock = { .size = sizeof(clock), .type = PERF_TYPE_SOFTWARE,
					 .config = PERF_COUNT_SW_CPU_CLOCK, .read_format = PERF_FORMAT_GROUP };
	uint64_t before, n[3];

	leader = event_open_on(PMU, DDR_ACCESSES, -1, PERF_FORMAT_GROUP);
	event_open_on(PMU, DDR_ACCESSES | BYTILE(TILE_MEM), leader, PERF_FORMAT_GROUP);
	ck_assert_int_ge(sys_open(&clock, pmu_cpu(PMU), leader), 0);
	ck_assert_int_eq(fft_run(fft), 0);
	sleep_ms(200);
	before = event_count(cycles);
	file_write(ESPMON_DRIVER ESPMON_DEVICE "/reset", "1");
	/* the register started again from 0 */
	ck_assert_uint_ge(event_count(cycles), before);
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(fd), 2 * FFT_DDR);
	/* two counters run: the accesses of the memory tile, and the cycles */
	ck_assert_uint_eq(file_number(SYSFS_PMU PMU "/losses"), losses + 2);
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_DISABLE, 0), 0);
	ck_assert_int_eq(ioctl(leader, PERF_EVENT_IOC_ENABLE, 0), 0);
	ck_assert_int_eq(group_try_read(leader, n, 3), EIO);
	ck_assert_int_eq(group_try_read(leader, n, 3), 0);
	before = n[2];
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_int_eq(group_try_read(leader, n, 3), 0);
	ck_assert_uint_eq(n[0], 3 * FFT_DDR);
	ck_assert_uint_eq(n[1], 3 * FFT_DDR);
	ck_assert_uint_gt(n[2], before);
	ck_assert_uint_eq(event_count(fd), 3 * FFT_DDR);
	fft_free(fft);
}

/* All 61 events of one tile are one group: the 59 monitors and the two pairs. */
TEST(a_group_holds_all_monitors)
{
	int leader = event_open_on(PMU, BYTILE(0), -1, PERF_FORMAT_GROUP);
	uint64_t n[61];
	unsigned int i;

	for (i = 1; i < 59; i++)
		event_open_on(PMU, i | BYTILE(0), leader, PERF_FORMAT_GROUP);
	event_open_on(PMU, ACC_MEM_CYCLES | BYTILE(0), leader, PERF_FORMAT_GROUP);
	event_open_on(PMU, ACC_TOT_CYCLES | BYTILE(0), leader, PERF_FORMAT_GROUP);
	ck_assert_int_eq(group_try_read(leader, n, 61), 0);
	ck_assert_uint_gt(n[CYCLES], 0);
}
