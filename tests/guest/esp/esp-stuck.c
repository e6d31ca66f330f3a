// SPDX-License-Identifier: GPL-2.0-only
/*
 * An accelerator that does not stop keeps its memory, also when its driver is unloaded: it may
 * still write there. It waits for a partner that never sends. The device is described as on a SoC,
 * without the reset line of the emulated PCI function.
 *
 * not on riscv64: esp_node replaces a device tree; esp-soc.sh has one
 * kernel log: does not stop; keeping its buffer|an accelerator does not stop and may write|still runs: its buffer and page table are lost
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define MODULES "build/pmu/$(uname -r)/"
#define FUNCTION "/sys/bus/pci/devices/" ESPMON_DEVICE
/* include/uapi/linux/kernel-page-flags.h */
#define KPF_BUDDY 10
#define PAGES 256

/* True if some of the buffer's pages are free in the kernel's page allocator. */
static bool is_given_back(unsigned long address)
{
	int fd = open("/proc/kpageflags", O_RDONLY | O_CLOEXEC), i;
	uint64_t flags[PAGES];
	bool given = false;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pread(fd, flags, sizeof(flags), address / 4096 * sizeof(*flags)), sizeof(flags));
	close(fd);
	for (i = 0; i < PAGES; i++)
		given |= flags[i] >> KPF_BUDDY & 1;
	return given;
}

static void setup(void)
{
	ck_assert_int_eq(system("rmmod esp_accel espmon && echo none >" FUNCTION "/driver_override && "
				"insmod " MODULES "espmon.ko && insmod " MODULES "esp_accel.ko run_timeout_ms=300 && "
				"insmod " MODULES "tests/guest/modules/esp_node.ko accelerators=1"), 0);
}

static void teardown(void)
{
	ck_assert_int_eq(system("lsmod | grep -q ^esp_accel && rmmod esp_accel; rmmod esp_node espmon && "
				"echo >" FUNCTION "/driver_override && insmod " MODULES "espmon.ko && "
				"insmod " MODULES "esp_accel.ko && echo 1 >" FUNCTION "/reset"), 0);
}

SUITE("esp-stuck", .timeout = 30, .setup_once = setup, .teardown_once = teardown);

/* Before kexec and reboot: runs end, and no new run starts. */
TEST(shutdown_ends_runs)
{
	struct fft *fft = fft_new(2);
	uint64_t begin;
	int status;
	pid_t pid;

	ck_assert_int_eq(fft_run(fft), 0);
	file_write("/sys/module/esp_accel/parameters/run_timeout_ms", "30000");
	pid = fork();
	if (!pid)
		_exit(fft_receive(fft_new(2), 1));
	sleep_ms(300);
	ck_assert_int_eq(waitpid(pid, &status, WNOHANG), 0);
	begin = now_ns();
	file_write("/sys/module/esp_node/parameters/shutdown", "1");
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), EIO);
	/* at most 2 s for tasks to leave, and 0.5 s for the accelerator to stop */
	ck_assert_uint_lt(now_ns() - begin, 10000000000);
	ck_assert_int_eq(fft_run(fft), EIO);
	fft_free(fft);
	ck_assert_int_eq(system("rmmod esp_accel && insmod " MODULES "esp_accel.ko run_timeout_ms=300"), 0);
}

TEST(memory_of_an_accelerator_that_does_not_stop_is_kept)
{
	struct fft *fft = fft_new(0);
	unsigned long address = fft_address(fft);

	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert(!is_given_back(address));
	fft_free(fft);
	ck_assert(is_given_back(address));

	fft = fft_new(0);
	address = fft_address(fft);
	ck_assert_int_eq(fft_receive(fft, 1), ETIMEDOUT);
	ck_assert_int_eq(fft_run(fft), EIO);
	fft_free(fft);
	ck_assert(!is_given_back(address));
	ck_assert_int_eq(system("rmmod esp_accel"), 0);
	ck_assert(!is_given_back(address));
}
