// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/dpu_rank0 without the library: requests that the driver accepts and refuses.
 *
 * mon-vm: --device upmem-rank --mem 1G
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "events/upmem/uapi.h"
#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define IRAM 0x80000000u
#define MRAM 0x08000000u
#define MRAM_SIZE 0x04000000u

static int fd;

static void setup(void)
{
	fd = open("/dev/dpu_rank0", O_RDWR | O_CLOEXEC);
	ck_assert_msg(fd >= 0, "/dev/dpu_rank0: %s", strerror(errno));
}

static void teardown(void)
{
	close(fd);
}

/* The errno of a request, 0 if it succeeded. */
static int call(unsigned long request, void *arg)
{
	return ioctl(fd, request, arg) ? errno : 0;
}

static int copy(uint32_t dpu, uint32_t direction, uint32_t address, uint32_t length, const void *buffer)
{
	struct upmem_copy c = {
		.dpu = dpu, .direction = direction, .address = address, .length = length,
		.buffer = (uintptr_t)buffer,
	};

	return call(UPMEM_IOC_COPY, &c);
}

SUITE("upmem rank", .timeout = 60, .setup = setup, .teardown = teardown);

/* A function reset clears the memories: requests that need them fail until the rank is reset. */
TEST(a_reset_behind_the_back_is_an_error)
{
	uint64_t all = ~0ULL, word = 0x1234567890abcdef, back = 0;
	struct upmem_status status;
	struct upmem_info info;

	ck_assert_int_eq(copy(1, UPMEM_TO_DPU, MRAM, 8, &word), 0);
	ck_assert_int_eq(system("echo 1 >$(ls -d /sys/bus/pci/drivers/upmem/0*)/reset"), 0);
	ck_assert_int_eq(copy(1, UPMEM_FROM_DPU, MRAM, 8, &back), EIO);
	ck_assert_int_eq(copy(1, UPMEM_TO_DPU, MRAM, 8, &word), EIO);
	ck_assert_int_eq(call(UPMEM_IOC_LAUNCH, &all), EIO);
	ck_assert_int_eq(call(UPMEM_IOC_WAIT, &all), EIO);
	ck_assert_int_eq(call(UPMEM_IOC_STATUS, &status), EIO);
	ck_assert_int_eq(call(UPMEM_IOC_INFO, &info), 0);
	ck_assert_int_eq(call(UPMEM_IOC_RESET, NULL), 0);
	ck_assert_int_eq(copy(1, UPMEM_FROM_DPU, MRAM, 8, &back), 0);
	ck_assert_uint_eq(back, 0);
	/* after open() the memories are cleared */
	ck_assert_int_eq(system("echo 1 >$(ls -d /sys/bus/pci/drivers/upmem/0*)/reset"), 0);
	teardown();
	setup();
	ck_assert_int_eq(copy(1, UPMEM_TO_DPU, MRAM, 8, &word), 0);
}

static void *reset_function(void *arg)
{
	(void)arg;
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(system("echo 1 >$(ls -d /sys/bus/pci/drivers/upmem/0*)/reset"), 0);
	return arg;
}

/* Nothing was launched: a status says that no DPU runs, or is an error. A reset takes effect or fails. */
TEST(a_rank_in_reset_reports_no_success)
{
	unsigned int refused = 0, err;
	struct upmem_status status;
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, reset_function, NULL), 0);
	while (pthread_tryjoin_np(thread, NULL)) {
		err = call(UPMEM_IOC_STATUS, &status);
		if (!err) {
			ck_assert_uint_eq(status.running, 0);
			ck_assert_uint_eq(status.fault, 0);
		} else {
			ck_assert_int_eq(err, EIO);
		}
		err = call(UPMEM_IOC_RESET, NULL);
		ck_assert(!err || err == EIO);
		refused += err == EIO;
	}
	ck_assert_uint_gt(refused, 0);
	ck_assert_int_eq(call(UPMEM_IOC_RESET, NULL), 0);
	ck_assert_int_eq(call(UPMEM_IOC_STATUS, &status), 0);
}

TEST(a_rank_says_what_it_is)
{
	struct upmem_info info;

	ck_assert_int_eq(call(UPMEM_IOC_INFO, &info), 0);
	ck_assert_uint_eq(info.dpus, 64);
	ck_assert_uint_eq(info.chip_id, 68);
	ck_assert_uint_eq(info.clock_hz, 400000000);
	ck_assert_uint_eq(info.threads, 16);
	ck_assert_uint_eq(info.iram_words, 3968);
	ck_assert_uint_eq(info.wram_size, 63488);
	ck_assert_str_eq(info.pmu, "upmem");
}

TEST(it_has_one_owner)
{
	ck_assert_int_eq(open("/dev/dpu_rank0", O_RDWR), -1);
	ck_assert_int_eq(errno, EBUSY);
	close(fd);
	setup();
}

TEST(copies_stay_inside)
{
	static uint8_t data[1 << 20], back[1 << 20];
	static const struct {
		uint32_t dpu, direction, address, length;
		int error;
	} cases[] = {
		{ 64, UPMEM_TO_DPU, 0, 8, EINVAL },
		{ UINT32_MAX, UPMEM_TO_DPU, 0, 8, EINVAL },
		{ 0, 7, 0, 8, EINVAL },
		/* the ends of the memories */
		{ 0, UPMEM_TO_DPU, 63488 - 8, 8, 0 },
		{ 0, UPMEM_TO_DPU, 63488 - 4, 8, ERANGE },
		{ 0, UPMEM_TO_DPU, 63488, 4, ERANGE },
		{ 0, UPMEM_TO_DPU, IRAM + 3967 * 8, 8, 0 },
		{ 0, UPMEM_TO_DPU, IRAM + 3968 * 8, 8, ERANGE },
		{ 63, UPMEM_TO_DPU, MRAM + MRAM_SIZE - 8, 8, 0 },
		{ 63, UPMEM_TO_DPU, MRAM + MRAM_SIZE - 8, 16, ERANGE },
		{ 0, UPMEM_TO_DPU, MRAM + MRAM_SIZE, 8, ERANGE },
		/* sums that overflow */
		{ 0, UPMEM_TO_DPU, 16, UINT32_MAX - 3, ERANGE },
		{ 0, UPMEM_FROM_DPU, MRAM + 8, UINT32_MAX - 7, ERANGE },
		{ 0, UPMEM_FROM_DPU, UINT32_MAX - 7, 16, ERANGE },
		/* not aligned */
		{ 0, UPMEM_TO_DPU, 2, 4, ERANGE },
		{ 0, UPMEM_TO_DPU, 4, 6, ERANGE },
		{ 0, UPMEM_TO_DPU, MRAM + 4, 8, ERANGE },
		{ 0, UPMEM_TO_DPU, IRAM, 4, ERANGE },
		{ 0, UPMEM_FROM_DPU, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(copy(cases[i].dpu, cases[i].direction, cases[i].address, cases[i].length,
				   data) == cases[i].error, "case %zu: %s", i, strerror(errno));
	/* more than the driver moves at once */
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = i * 7 >> 3;
	ck_assert_int_eq(copy(5, UPMEM_TO_DPU, MRAM + 64, sizeof(data), data), 0);
	ck_assert_int_eq(copy(5, UPMEM_FROM_DPU, MRAM + 64, sizeof(back), back), 0);
	ck_assert_mem_eq(data, back, sizeof(data));
}

TEST(bad_addresses_of_the_caller_are_faults)
{
	size_t page = sysconf(_SC_PAGESIZE);
	uint8_t *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(two, MAP_FAILED);
	ck_assert_int_eq(munmap(two + page, page), 0);
	ck_assert_int_eq(copy(0, UPMEM_TO_DPU, MRAM, 8, NULL), EFAULT);
	ck_assert_int_eq(copy(0, UPMEM_FROM_DPU, MRAM, 16, two + page - 8), EFAULT);
	ck_assert_int_eq(copy(0, UPMEM_TO_DPU, MRAM, 16, (void *)(uintptr_t)0xffff888000000000), EFAULT);
	ck_assert_int_eq(call(UPMEM_IOC_COPY, NULL), EFAULT);
	ck_assert_int_eq(call(UPMEM_IOC_STATUS, NULL), EFAULT);
	munmap(two, page);
}

/* call zero, zero, 0 for ever; or an illegal word. */
static void load_word(uint32_t dpu, uint64_t word)
{
	ck_assert_int_eq(copy(dpu, UPMEM_TO_DPU, IRAM, 8, &word), 0);
}

#define ENDLESS UINT64_C(0x8c6300000000)

static void no_action(int signal)
{
	(void)signal;
}

TEST(running_dpus_are_left_alone)
{
	uint64_t one = 1, both = 3, data = 0, back = 0;
	struct upmem_status status;

	load_word(0, ENDLESS);
	load_word(1, ENDLESS);
	ck_assert_int_eq(call(UPMEM_IOC_LAUNCH, &one), 0);
	ck_assert_int_eq(call(UPMEM_IOC_LAUNCH, &both), EBUSY);
	ck_assert_int_eq(copy(0, UPMEM_FROM_DPU, MRAM, 8, &data), EBUSY);
	ck_assert_int_eq(copy(0, UPMEM_TO_DPU, IRAM, 8, &data), EBUSY);
	/* but WRAM is shared with the program */
	data = 0x1234;
	ck_assert_int_eq(copy(0, UPMEM_TO_DPU, 8, 8, &data), 0);
	ck_assert_int_eq(copy(0, UPMEM_FROM_DPU, 8, 8, &back), 0);
	ck_assert_uint_eq(back, data);
	ck_assert_int_eq(copy(1, UPMEM_FROM_DPU, 0, 8, &one), 0);
	ck_assert_int_eq(call(UPMEM_IOC_STATUS, &status), 0);
	/* the second launch started neither of them */
	ck_assert_uint_eq(status.running, 1);
	one = 1;
	ck_assert_int_eq(call(UPMEM_IOC_HALT, &one), 0);
	ck_assert_int_eq(call(UPMEM_IOC_WAIT, &one), 0);
	ck_assert_int_eq(call(UPMEM_IOC_STATUS, &status), 0);
	ck_assert_uint_eq(status.running, 0);
	ck_assert_uint_eq(status.fault, 0);
}

/* The signal repeats, so the beginning of the wait does not matter. */
TEST(waiting_ends_with_a_signal)
{
	const struct itimerspec often = { { 0, 10000000 }, { 0, 10000000 } };
	const struct sigaction action = { .sa_handler = no_action };
	uint64_t one = 1;
	timer_t timer;

	load_word(0, ENDLESS);
	ck_assert_int_eq(call(UPMEM_IOC_LAUNCH, &one), 0);
	sigaction(SIGALRM, &action, NULL);
	ck_assert_int_eq(timer_create(CLOCK_MONOTONIC, NULL, &timer), 0);
	ck_assert_int_eq(timer_settime(timer, 0, &often, NULL), 0);
	ck_assert_int_eq(call(UPMEM_IOC_WAIT, &one), EINTR);
	timer_delete(timer);
	ck_assert_int_eq(call(UPMEM_IOC_HALT, &one), 0);
	ck_assert_int_eq(call(UPMEM_IOC_WAIT, &one), 0);
}

TEST(faults_are_told)
{
	struct upmem_fault fault = { .dpu = 2 };
	struct upmem_status status;
	uint64_t mask = 4;

	load_word(2, 0);
	ck_assert_int_eq(call(UPMEM_IOC_LAUNCH, &mask), 0);
	ck_assert_int_eq(call(UPMEM_IOC_WAIT, &mask), 0);
	ck_assert_int_eq(call(UPMEM_IOC_STATUS, &status), 0);
	ck_assert_uint_eq(status.fault, 4);
	ck_assert_int_eq(call(UPMEM_IOC_FAULT, &fault), 0);
	ck_assert_uint_eq(fault.kind, 4);	/* illegal instruction */
	ck_assert_uint_eq(fault.pc, 0);
	fault.dpu = 64;
	ck_assert_int_eq(call(UPMEM_IOC_FAULT, &fault), EINVAL);
	ck_assert_int_eq(call(_IO('U', 0x7f), NULL), ENOTTY);
	ck_assert_int_eq(call(_IOW('X', 0x41, struct upmem_copy), NULL), ENOTTY);
}

TEST(the_next_owner_finds_nothing)
{
	uint64_t secret = UINT64_C(0x5ec5e75ec5e75ec5), value = 0, one = 1;
	struct upmem_status status;

	for (unsigned int i = 0; i < 3; i++) {
		const uint32_t where[] = { 0, MRAM, IRAM + 8 };

		ck_assert_int_eq(copy(0, UPMEM_TO_DPU, where[i], 8, &secret), 0);
	}
	load_word(0, ENDLESS);
	ck_assert_int_eq(call(UPMEM_IOC_LAUNCH, &one), 0);
	close(fd);
	setup();
	ck_assert_int_eq(call(UPMEM_IOC_STATUS, &status), 0);
	ck_assert_uint_eq(status.running, 0);
	for (unsigned int i = 0; i < 3; i++) {
		const uint32_t where[] = { 0, MRAM, IRAM + 8 };

		ck_assert_int_eq(copy(0, UPMEM_FROM_DPU, where[i], 8, &value), 0);
		ck_assert_uint_eq(value, 0);
	}
}

static bool has_message_interrupts(void)
{
#ifdef __x86_64__
	return true;
#else
	puts("tests of the rank's interrupts: not run: this machine has no message interrupts");
	return false;
#endif
}

SUITE("upmem rank: interrupts", .timeout = 60, .setup = setup, .teardown = teardown, .applies = has_message_interrupts);

#ifdef __x86_64__
/* How often the rank has interrupted, on all CPUs. */
static unsigned long interrupts(void)
{
	FILE *file = fopen("/proc/interrupts", "r");
	unsigned long sum = 0;
	char line[1024];

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file)) {
		char *at = strchr(line, ':'), *end;

		if (!at || !strstr(line, "dpu_rank0"))
			continue;
		for (at++;; at = end) {
			unsigned long n = strtoul(at, &end, 10);

			if (end == at)
				break;
			sum += n;
		}
	}
	fclose(file);
	return sum;
}

TEST(a_rank_interrupts_when_its_last_dpu_stops)
{
	unsigned long before = interrupts();
	uint64_t all = ~UINT64_C(0), zero = 0;

	for (uint32_t i = 0; i < 64; i++)
		load_word(i, zero);
	ck_assert_int_eq(call(UPMEM_IOC_LAUNCH, &all), 0);
	ck_assert_int_eq(call(UPMEM_IOC_WAIT, &all), 0);
	/* it is on its way when the registers say that nothing runs */
	while (interrupts() == before)
		usleep(1000);
}

#define LATE_MS 30

/*
 * A run ends at once, because its instruction is illegal, and the program sees that before the interrupt, which is
 * late. The next run is endless: the interrupt of the first does not end it. The interrupt has one of the two CPUs,
 * so the program tries both.
 */
TEST(a_late_interrupt_ends_no_other_run)
{
	uint64_t one = 1;
	unsigned int i;

	ck_assert_int_eq(system("insmod build/pmu/$(uname -r)/tests/guest/modules/irq_late.ko handler=upmem_irq delay_us=30000 long_every=0"), 0);
	file_write(TRACING "trace", "0");
	file_write(TRACING "events/upmem_rank/enable", "1");
	for (i = 0; i < 10; i++) {
		struct upmem_status status = { .running = 1 };

		stay_on(i % 2);
		load_word(0, 0);
		ck_assert_int_eq(call(UPMEM_IOC_LAUNCH, &one), 0);
		while (status.running)
			ck_assert_int_eq(call(UPMEM_IOC_STATUS, &status), 0);
		load_word(0, ENDLESS);
		ck_assert_int_eq(call(UPMEM_IOC_LAUNCH, &one), 0);
		sleep_ms(2 * LATE_MS);
		ck_assert_msg(trace_ends_with_begin(), "run %u", i);
		ck_assert_int_eq(call(UPMEM_IOC_HALT, &one), 0);
		ck_assert_int_eq(call(UPMEM_IOC_WAIT, &one), 0);
	}
	file_write(TRACING "events/upmem_rank/enable", "0");
	ck_assert_uint_ge(file_number("/sys/module/irq_late/parameters/times"), 10);
	ck_assert_int_eq(system("rmmod irq_late"), 0);
}
#endif
