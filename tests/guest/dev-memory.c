// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program hands memory to a driver that nobody fills (userfaultfd): its device goes all the same, at once,
 * and the program's call ends with ENODEV when the memory comes.
 *
 * mon-vm: --device upmem-rank --device hexagon-pmu --hexagon-dir examples/hexagon --device mrfld-visa --mem 1G
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "events/hexagon/uapi.h"
#include "events/mrfld_visa/uapi.h"
#include "events/upmem/uapi.h"
#include "tests/guest/pmu.h"
#include "tests/main.h"

#define PAGE 8192
#define REMOVE_NS 3000000000

static int uffd;
static char *page;
static int dev;

/* A page that is there when page_fill() was called. */
static void page_new(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	uffd = syscall(SYS_userfaultfd, O_CLOEXEC);
	ck_assert_int_ge(uffd, 0);
	ck_assert_int_eq(ioctl(uffd, UFFDIO_API, &api), 0);
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(page, MAP_FAILED);
	reg.range.start = (uintptr_t)page;
	reg.range.len = PAGE;
	ck_assert_int_eq(ioctl(uffd, UFFDIO_REGISTER, &reg), 0);
}

/* Waits until somebody needs it. */
static void page_wait(void)
{
	struct uffd_msg message;

	ck_assert_int_eq(read(uffd, &message, sizeof(message)), sizeof(message));
	ck_assert_int_eq(message.event, UFFD_EVENT_PAGEFAULT);
}

static void page_fill(void)
{
	struct uffdio_zeropage zero = { .range = { .start = (uintptr_t)page, .len = PAGE } };

	ck_assert_int_eq(ioctl(uffd, UFFDIO_ZEROPAGE, &zero), 0);
	close(uffd);
}

static void *result(long ret)
{
	return (void *)(intptr_t)(ret < 0 ? errno : 0);
}

static void *copy_to_rank(void *arg)
{
	struct upmem_copy copy = {
		.direction = UPMEM_TO_DPU, .address = 0x08000000, .length = 8, .buffer = (uintptr_t)page,
	};

	(void)arg;
	return result(ioctl(dev, UPMEM_IOC_COPY, &copy));
}

static void *copy_from_rank(void *arg)
{
	struct upmem_copy copy = {
		.direction = UPMEM_FROM_DPU, .address = 0x08000000, .length = 8, .buffer = (uintptr_t)page,
	};

	(void)arg;
	return result(ioctl(dev, UPMEM_IOC_COPY, &copy));
}

static void *write_request(void *arg)
{
	(void)arg;
	return result(write(dev, page, 8));
}

static void *read_record(void *arg)
{
	static const char program[] = "hand";

	(void)arg;
	if (write(dev, program, sizeof(program)) < 0)
		return result(-1);
	return result(read(dev, page, PAGE));
}

static void *move(void *arg)
{
	(void)arg;
	return result(ioctl(dev, MRFLD_IOC_MOVE, page));
}

static char unbind_path[512];
static const char *unbind_name;
static uint64_t unbind_ns;

static void *unbind(void *arg)
{
	uint64_t begin = now_ns();

	(void)arg;
	file_write(unbind_path, unbind_name);
	__atomic_store_n(&unbind_ns, now_ns() - begin, __ATOMIC_RELEASE);
	return NULL;
}

/* The auxiliary device of a driver whose folder's name has that end, bound again afterwards. */
static void device_goes_during(const char *driver, const char *path, void *(*call)(void *))
{
	char pattern[256], folder[256], bind_path[512];
	pthread_t caller, remover;
	const char *name;
	void *error;
	bool gone;
	glob_t g;
	int i;

	snprintf(pattern, sizeof(pattern), "/sys/bus/auxiliary/drivers/*%s/*.*.*", driver);
	ck_assert_int_eq(glob(pattern, 0, NULL, &g), 0);
	name = strrchr(g.gl_pathv[0], '/') + 1;
	snprintf(folder, sizeof(folder), "%.*s", (int)(name - g.gl_pathv[0]), g.gl_pathv[0]);
	snprintf(unbind_path, sizeof(unbind_path), "%sunbind", folder);
	snprintf(bind_path, sizeof(bind_path), "%sbind", folder);
	unbind_name = name;
	unbind_ns = 0;

	dev = open(path, O_RDWR | O_CLOEXEC);
	ck_assert_msg(dev >= 0, "%s: %s", path, strerror(errno));
	page_new();
	ck_assert_int_eq(pthread_create(&caller, NULL, call, NULL), 0);
	page_wait();
	ck_assert_int_eq(pthread_create(&remover, NULL, unbind, NULL), 0);
	for (i = 0; i < 300 && !__atomic_load_n(&unbind_ns, __ATOMIC_ACQUIRE); i++)
		sleep_ms(REMOVE_NS / 300 / 1000000);
	gone = __atomic_load_n(&unbind_ns, __ATOMIC_ACQUIRE);
	page_fill();
	pthread_join(remover, NULL);
	pthread_join(caller, &error);
	close(dev);
	munmap(page, PAGE);
	file_write(bind_path, name);
	globfree(&g);
	ck_assert_msg(gone, "%s did not go before the memory came", driver);
	ck_assert_int_eq((intptr_t)error, ENODEV);
}

START_TEST(a_rank_goes)
{
	device_goes_during("upmem_rank", "/dev/dpu_rank0", copy_to_rank);
	device_goes_during("upmem_rank", "/dev/dpu_rank0", copy_from_rank);
}
END_TEST

START_TEST(a_core_goes)
{
	device_goes_during("hexagon_run", "/dev/hexagon", write_request);
	device_goes_during("hexagon_run", "/dev/hexagon", read_record);
}
END_TEST

START_TEST(agents_go)
{
	device_goes_during("mrfld_agents", "/dev/mrfld_agents", move);
}
END_TEST

Suite *test_suite(void)
{
	Suite *s = suite_create("dev-memory");
	TCase *tc = tcase_create("memory");

	tcase_set_timeout(tc, 20);
	tcase_add_test(tc, a_rank_goes);
	tcase_add_test(tc, a_core_goes);
	tcase_add_test(tc, agents_go);
	suite_add_tcase(s, tc);
	return s;
}
