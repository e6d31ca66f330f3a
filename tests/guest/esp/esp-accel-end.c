// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs that take the output of others, runs that do not end, and runs whose driver or device is
 * removed.
 */
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "tests/guest/esp/esp-accel.h"
#include "tests/main.h"

#define NOBODY 65534

/* A run by that user with a buffer of its own. Returns the errno. */
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
 * By name a run takes the output of another run of the same user, whichever of the two starts first. To take
 * another user's output it needs a descriptor of the accelerator. A run that waits for a name gets no output of
 * another user.
 */
TEST(sources_are_the_users_own_or_handed_over)
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
	/* another user's, by name: it waits in vain, and the other run is not affected */
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
	/* descriptors of other files */
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

/* The producer was killed and its consumer, which named it, waits: a storing run of another user is refused. */
TEST(nobody_else_steps_in_for_a_source)
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

TEST(a_run_that_does_not_end_can_be_killed)
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

TEST(a_run_that_does_not_end_is_aborted_in_time)
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

TEST(the_module_stays_while_a_file_is_open)
{
	ck_assert_int_ne(system("rmmod esp_accel 2>/dev/null"), 0);
	close(acc);
	close(contig);
	ck_assert_int_eq(system("rmmod esp_accel && insmod build/pmu/$(uname -r)/esp_accel.ko"), 0);
	setup();
}

static void *remove_device(void *arg)
{
	(void)arg;
	usleep(300000);
	return (void *)(uintptr_t)system("echo 1 >$(ls -d /sys/bus/pci/drivers/espmon/0*)/remove");
}

/*
 * Waiting tasks wake up; open files and mappings are harmless; when the device is back everything
 * works.
 */
TEST(the_device_may_go_during_a_run)
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
