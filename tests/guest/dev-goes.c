// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device can be removed within 5 s, whatever its driver waits for:
 * - memory of a program that is never filled (userfaultfd); the program's call ends with ENODEV
 *   when the memory comes.
 * - a task that is frozen for as long as a user likes, by the freezer of control groups.
 * - hardware that never becomes ready: topo_change changes a register's value.
 *
 * mon-vm: --device espmon --device upmem-rank --device hexagon-pmu --hexagon-dir examples/hexagon --device mrfld-visa --mem 1G
 * not on riscv64 arm64: mrfld_visa needs iosf_mbi, an x86 driver
 * kernel log: flush does not end|does not stop; keeping its buffer|still runs: its buffer and page table are lost
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events/esp/regs.h"
#include "events/esp/uapi.h"
#include "events/hexagon/regs.h"
#include "events/hexagon/uapi.h"
#include "events/mrfld/uapi.h"
#include "events/upmem/regs.h"
#include "events/upmem/uapi.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define PAGE 8192
#define REMOVE_NS 5000000000
#define MANY 20

static int uffd;
static char *page;
static int dev;

/* A page that has no memory before page_fill(). */
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

/* Waits for the first access to it. */
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

/* An auxiliary device and its driver. */
static struct bound {
	char unbind[512], bind[512], name[64];
} bound;
static uint64_t unbind_ns;

/* The device of a driver; the name of its folder ends so. */
static void bound_find(const char *driver)
{
	char pattern[256];
	const char *name;
	int folder;
	glob_t g;

	snprintf(pattern, sizeof(pattern), "/sys/bus/auxiliary/drivers/*%s/*.*.*", driver);
	ck_assert_int_eq(glob(pattern, 0, NULL, &g), 0);
	name = strrchr(g.gl_pathv[0], '/') + 1;
	folder = name - g.gl_pathv[0];
	snprintf(bound.unbind, sizeof(bound.unbind), "%.*sunbind", folder, g.gl_pathv[0]);
	snprintf(bound.bind, sizeof(bound.bind), "%.*sbind", folder, g.gl_pathv[0]);
	snprintf(bound.name, sizeof(bound.name), "%s", name);
	globfree(&g);
	unbind_ns = 0;
}

static void *unbind(void *arg)
{
	uint64_t begin = now_ns();

	(void)arg;
	file_write(bound.unbind, bound.name);
	__atomic_store_n(&unbind_ns, now_ns() - begin, __ATOMIC_RELEASE);
	return NULL;
}

/* The device goes while a call waits for the page. The page comes when it has gone, or after 5 s. */
static void device_goes_during(const char *driver, const char *path, void *(*call)(void *))
{
	pthread_t caller, remover;
	void *error;
	bool gone;
	int i;

	bound_find(driver);
	dev = open(path, O_RDWR | O_CLOEXEC);
	ck_assert_msg(dev >= 0, "%s: %s", path, strerror(errno));
	page_new();
	ck_assert_int_eq(pthread_create(&caller, NULL, call, NULL), 0);
	page_wait();
	ck_assert_int_eq(pthread_create(&remover, NULL, unbind, NULL), 0);
	for (i = 0; i < 500 && !__atomic_load_n(&unbind_ns, __ATOMIC_ACQUIRE); i++)
		sleep_ms(REMOVE_NS / 500 / 1000000);
	gone = __atomic_load_n(&unbind_ns, __ATOMIC_ACQUIRE);
	page_fill();
	pthread_join(remover, NULL);
	pthread_join(caller, &error);
	close(dev);
	munmap(page, PAGE);
	file_write(bound.bind, bound.name);
	ck_assert_msg(gone, "%s did not go before the memory came", driver);
	ck_assert_int_eq((intptr_t)error, ENODEV);
}

SUITE("dev-goes", .timeout = 60);

TEST(a_rank_goes)
{
	device_goes_during("upmem_rank", "/dev/dpu_rank0", copy_to_rank);
	device_goes_during("upmem_rank", "/dev/dpu_rank0", copy_from_rank);
}

TEST(a_core_goes)
{
	device_goes_during("hexagon_run", "/dev/hexagon", write_request);
	device_goes_during("hexagon_run", "/dev/hexagon", read_record);
}

TEST(agents_go)
{
	device_goes_during("mrfld_agents", "/dev/mrfld_agents", move);
}

/* From now on each register at these offsets of BARs of that size reads as value. */
static void register_says(unsigned int offset, unsigned int bar_size, unsigned int value)
{
	char command[256];

	snprintf(command, sizeof(command), "insmod build/pmu/$(uname -r)/tests/guest/modules/topo_change.ko "
		 "offset=%u mask=%u value=%u right=0", offset, bar_size - 1, value);
	ck_assert_int_eq(system(command), 0);
}

static void register_is_right(void)
{
	ck_assert_int_ne(file_number("/sys/module/topo_change/parameters/reads"), 0);
	ck_assert_int_eq(system("rmmod topo_change"), 0);
}

static pthread_t callers[MANY];

/* Starts them, and lets them wait for half a second. */
static void callers_start(const char *driver, void *(*call)(void *))
{
	int i;

	bound_find(driver);
	for (i = 0; i < MANY; i++)
		ck_assert_int_eq(pthread_create(&callers[i], NULL, call, NULL), 0);
	sleep_ms(500);
}

static void device_goes(void)
{
	void *error;
	int i;

	unbind(NULL);
	for (i = 0; i < MANY; i++) {
		pthread_join(callers[i], &error);
		/* the caller whose flush hangs may give up after its own second */
		ck_assert_msg((intptr_t)error == ENODEV || (intptr_t)error == EIO, "caller %d: %s", i,
			      strerror((intptr_t)error));
	}
}

static void device_returns(void)
{
	file_write(bound.bind, bound.name);
	ck_assert_uint_lt(unbind_ns, REMOVE_NS);
}

static void *flush(void *arg)
{
	(void)arg;
	return result(ioctl(dev, ESP_IOC_FLUSH));
}

/* Each of the callers would wait for a second. */
TEST(a_soc_goes_whose_caches_hang)
{
	dev = open("/dev/fft_stratus.0", O_RDWR | O_CLOEXEC);
	register_says(ESP_L2_CTRL + ESP_CACHE_STATUS, ESP_APB_SIZE, 0);
	callers_start("esp_accel", flush);
	device_goes();
	register_is_right();
	close(dev);
	device_returns();
	dev = open("/dev/fft_stratus.0", O_RDWR | O_CLOEXEC);
	ck_assert_int_eq((intptr_t)flush(NULL), 0);
	close(dev);
}

static void *receive(void *arg)
{
	struct fft *fft = fft_new(2);
	intptr_t err;

	(void)arg;
	err = fft_receive(fft, 1);
	fft_free(fft);
	return (void *)err;
}

static void *wait_for_dpu(void *arg)
{
	uint64_t mask = 1;

	(void)arg;
	return result(ioctl(dev, UPMEM_IOC_WAIT, &mask));
}

TEST(a_rank_goes_whose_dpus_run)
{
	dev = open("/dev/dpu_rank0", O_RDWR | O_CLOEXEC);
	register_says(UPMEM_RUNNING_LO, UPMEM_BAR_SIZE, 1);
	callers_start("upmem_rank", wait_for_dpu);
	device_goes();
	register_is_right();
	close(dev);
	device_returns();
}

static void *close_core(void *arg)
{
	(void)arg;
	close(dev);
	return NULL;
}

/* The host does not end the program. The file is being closed and waits for that already. */
TEST(a_core_goes_whose_program_does_not_end)
{
	pthread_t closer;

	dev = open("/dev/hexagon", O_RDWR | O_CLOEXEC);
	ck_assert_int_eq(write(dev, "endless", 8), 8);
	register_says(HEXAGON_STATE, HEXAGON_BAR_SIZE, HEXAGON_STATE_HOST | HEXAGON_STATE_BUSY);
	bound_find("hexagon_run");
	ck_assert_int_eq(pthread_create(&closer, NULL, close_core, NULL), 0);
	sleep_ms(500);
	unbind(NULL);
	pthread_join(closer, NULL);
	register_is_right();
	device_returns();
}

/* 100 s of data, as 64 bytes and 10 kHz are 640 KB/s */
static void *move_on(void *arg)
{
	struct mrfld_agent_move move = { .request = 64, .bytes = 64000000, .rate = 640 };

	(void)arg;
	return result(ioctl(dev, MRFLD_IOC_MOVE, &move));
}

TEST(agents_go_that_move_data)
{
	uint64_t size = 1 << 20;

	dev = open("/dev/mrfld_agents", O_RDWR | O_CLOEXEC);
	ck_assert_int_eq(ioctl(dev, MRFLD_IOC_BUFFER, &size), 0);
	callers_start("mrfld_agents", move_on);
	device_goes();
	close(dev);
	device_returns();
}

/* Nobody else waits for that long: not poll(2) with no time, nor a file that does not block. */
TEST(a_core_whose_program_does_not_end_answers_others)
{
	struct pollfd other = { .fd = open("/dev/hexagon", O_RDWR | O_CLOEXEC | O_NONBLOCK), .events = POLLOUT };
	pthread_t closer;
	uint64_t begin;

	dev = open("/dev/hexagon", O_RDWR | O_CLOEXEC);
	ck_assert_int_eq(write(dev, "endless", 8), 8);
	register_says(HEXAGON_STATE, HEXAGON_BAR_SIZE, HEXAGON_STATE_HOST | HEXAGON_STATE_BUSY);
	ck_assert_int_eq(pthread_create(&closer, NULL, close_core, NULL), 0);
	sleep_ms(500);
	begin = now_ns();
	ck_assert_int_eq(poll(&other, 1, 0), 0);
	ck_assert_int_eq(write(other.fd, "hand", 5), -1);
	ck_assert_int_eq(errno, EBUSY);
	ck_assert_uint_lt(now_ns() - begin, 1000000000);
	pthread_join(closer, NULL);
	register_is_right();
	close(other.fd);
}

#define FREEZER "/tmp/freezer"
#define FROZEN FREEZER "/tested"

static void freeze(bool yes)
{
	const char *state = yes ? "FROZEN" : "THAWED";
	int i;

	file_write(FROZEN "/freezer.state", state);
	for (i = 0; i < 200 && strcmp(file_text(FROZEN "/freezer.state"), state); i++)
		sleep_ms(10);
	ck_assert_str_eq(file_text(FROZEN "/freezer.state"), state);
}

/* A process that calls, and sleeps in the kernel half a second later. Its exit status is the call's error. */
static pid_t caller_start(void *(*call)(void *))
{
	char text[16];
	pid_t pid;

	mkdir(FREEZER, 0700);
	if (access(FROZEN, F_OK)) {
		ck_assert_int_eq(mount("none", FREEZER, "cgroup", 0, "freezer"), 0);
		ck_assert_int_eq(mkdir(FROZEN, 0700), 0);
	}
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid)
		_exit((intptr_t)call(NULL));
	snprintf(text, sizeof(text), "%d", pid);
	file_write(FROZEN "/tasks", text);
	sleep_ms(500);
	return pid;
}

static int caller_end(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* The device goes when what the call waits for has ended, or never does. err: the call's result. */
static void device_goes_while_frozen(const char *driver, void *(*call)(void *), int err)
{
	int ddr = event_open(DDR_ACCESSES);
	uint64_t n;
	pthread_t remover;
	pid_t pid;
	bool gone;
	int i;

	bound_find(driver);
	pid = caller_start(call);
	freeze(true);
	do {
		n = event_count(ddr);
		sleep_ms(500);
	} while (event_count(ddr) != n);
	close(ddr);
	ck_assert_int_eq(pthread_create(&remover, NULL, unbind, NULL), 0);
	for (i = 0; i < 500 && !__atomic_load_n(&unbind_ns, __ATOMIC_ACQUIRE); i++)
		sleep_ms(REMOVE_NS / 500 / 1000000);
	gone = __atomic_load_n(&unbind_ns, __ATOMIC_ACQUIRE);
	freeze(false);
	pthread_join(remover, NULL);
	ck_assert_int_eq(caller_end(pid), err);
	ck_assert_msg(gone, "%s did not go before the task was thawed", driver);
	device_returns();
}

static void *endless_run(void *arg)
{
	struct fft *fft = fft_new(1);

	(void)arg;
	return (void *)(intptr_t)fft_send(fft);
}

/* 1.2 s */
static void *long_run(void *arg)
{
	struct fft *fft = fft_new_long(1, 20000);

	(void)arg;
	return (void *)(intptr_t)fft_run(fft);
}

static void *long_move(void *arg)
{
	uint64_t size = 1 << 20;

	dev = open("/dev/mrfld_agents", O_RDWR | O_CLOEXEC);
	if (ioctl(dev, MRFLD_IOC_BUFFER, &size))
		return result(-1);
	return move_on(arg);
}

/* It waits for another accelerator, or for its own. */
TEST(a_soc_goes_whose_task_is_frozen)
{
	device_goes_while_frozen("esp_accel", receive, ENODEV);
	device_goes_while_frozen("esp_accel", endless_run, ENODEV);
}

/* Its task learns of the end when it is thawed. */
TEST(a_run_that_ended_in_the_frost_is_done)
{
	device_goes_while_frozen("esp_accel", long_run, 0);
}

TEST(agents_go_whose_task_is_frozen)
{
	device_goes_while_frozen("mrfld_agents", long_move, ENODEV);
}

/* A job of 1.3 s. */
static void *short_move(void *arg)
{
	struct mrfld_agent_move move = { .request = 64, .bytes = 832000, .rate = 640 };
	uint64_t size = 1 << 20;

	(void)arg;
	dev = open("/dev/mrfld_agents", O_RDWR | O_CLOEXEC);
	if (ioctl(dev, MRFLD_IOC_BUFFER, &size) || ioctl(dev, MRFLD_IOC_MOVE, &move))
		return result(-1);
	return (void *)(intptr_t)(move.moved == move.bytes ? 0 : ENODATA);
}

TEST(a_job_outlives_the_frost_of_its_task)
{
	pid_t pid = caller_start(short_move);

	freeze(true);
	sleep_ms(200);
	freeze(false);
	ck_assert_int_eq(caller_end(pid), 0);
}

#define READS "/sys/module/topo_change/parameters/reads"

/* Another device shares their interrupts: without a run no register is read, which may have no power. */
TEST(an_interrupt_without_a_run_reads_nothing)
{
	char command[256];
	unsigned int idle;
	struct fft *fft;

	/* it counts reads and changes nothing */
	snprintf(command, sizeof(command), "insmod build/pmu/$(uname -r)/tests/guest/modules/topo_change.ko "
		 "offset=%u mask=%u right=4000000000", ESP_ACC_BASE + ESP_ACC_STATUS, ESP_APB_SIZE - 1);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(system("insmod build/pmu/$(uname -r)/tests/guest/modules/irq_spurious.ko irq=$("
				"sed -n 's/^ *\\([0-9]*\\):.* esp_accel.*/\\1/p' /proc/interrupts | paste -s -d ,)"), 0);
	idle = file_number(READS);
	ck_assert_uint_eq(file_number("/sys/module/irq_spurious/parameters/done"), 3);
	fft = fft_new(0);
	ck_assert_int_eq(fft_run(fft), 0);
	fft_free(fft);
	ck_assert_uint_gt(file_number(READS), idle);
	ck_assert_int_eq(system("rmmod irq_spurious && rmmod topo_change"), 0);
	ck_assert_uint_eq(idle, 0);
}

/* It waits for a partner that never sends, and its status is always "running". */
TEST(a_soc_goes_whose_accelerator_does_not_stop)
{
	struct fft *fft;

	callers_start("esp_accel", receive);
	register_says(ESP_ACC_BASE + 2 * ESP_ACC_STRIDE + ESP_ACC_STATUS, ESP_APB_SIZE, ESP_ACC_STATUS_RUN);
	device_goes();
	register_is_right();
	device_returns();
	/* the lost buffer keeps the number of its SoC */
	fft = fft_new_on("/dev/contig_alloc.1", 2);
	ck_assert_int_eq(fft_run(fft), 0);
	fft_free(fft);
}
