// SPDX-License-Identifier: GPL-2.0-only
/* Ranks without a device: allocation, memory, and host programs that make errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libmon/upmem/include/dpu_management.h"
#include "libmon/upmem/include/perfcounter.h"
#include "libmon/upmem/internal.h"
#include "tests/main.h"
#include "tests/unit/upmem/api.h"

static void setup(void)
{
	unsetenv("LIBMON_DPU_BACKEND");
	unsetenv("UPMEM_PROFILE");
	api_assemble(api_program, 2, DPU_ARCH_V1B);
}

static uint32_t count_dpus(struct dpu_set_t set)
{
	uint32_t n;

	ck_assert_int_eq(dpu_get_nr_dpus(set, &n), DPU_OK);
	return n;
}

SUITE("simulator", .timeout = 120, .setup = setup);

TEST(without_devices_there_is_the_simulator)
{
	struct dpu_set_t set;

	fake_begin(0, 1, DPU_ARCH_V1B);
	ck_assert_int_eq(dpu_alloc(DPU_ALLOCATE_ALL, NULL, &set), DPU_OK);
	ck_assert_uint_eq(count_dpus(set), 64);
	ck_assert_int_eq(dpu_free(set), DPU_OK);
	ck_assert_int_eq(dpu_alloc(65, NULL, &set), DPU_OK);
	ck_assert_uint_eq(count_dpus(set), 65);
	ck_assert_uint_eq(set.list.nr_ranks, 2);
	ck_assert_int_eq(dpu_free(set), DPU_OK);
	ck_assert_int_eq(dpu_alloc_ranks(2, NULL, &set), DPU_OK);
	ck_assert_uint_eq(count_dpus(set), 128);
	ck_assert_int_eq(dpu_free(set), DPU_OK);
	setenv("LIBMON_DPU_COUNT", "100", 1);
	ck_assert_int_eq(dpu_alloc(DPU_ALLOCATE_ALL, NULL, &set), DPU_OK);
	ck_assert_uint_eq(count_dpus(set), 100);
	ck_assert_int_eq(dpu_free(set), DPU_OK);
	setenv("LIBMON_DPU_COUNT", "7", 1);
	ck_assert_int_eq(dpu_alloc_ranks(3, NULL, &set), DPU_OK);
	ck_assert_uint_eq(count_dpus(set), 21);
	ck_assert_int_eq(dpu_free(set), DPU_OK);
	fake_end();
}

TEST(backend_hw_never_means_the_simulator)
{
	struct dpu_set_t set;

	fake_begin(0, 1, DPU_ARCH_V1B);
	ck_assert_int_eq(dpu_alloc(1, "backend=hw", &set), DPU_ERR_ALLOCATION);
	ck_assert_ptr_nonnull(strstr(mon_error(), "no /dev/dpu_rank"));
	setenv("LIBMON_DPU_BACKEND", "hw", 1);
	ck_assert_int_eq(dpu_alloc(1, "backend=simulator", &set), DPU_ERR_ALLOCATION);
	fake_end();
}

TEST(a_busy_device_is_an_error)
{
	struct dpu_set_t all, more;

	fake_begin(1, 4, DPU_ARCH_V1B);
	ck_assert_int_eq(dpu_alloc(DPU_ALLOCATE_ALL, NULL, &all), DPU_OK);
	ck_assert_uint_eq(count_dpus(all), 4);
	ck_assert_int_eq(dpu_alloc(1, NULL, &more), DPU_ERR_ALLOCATION);
	ck_assert_ptr_nonnull(strstr(mon_error(), "another process"));
	/* nor is a set that the device is too small for */
	ck_assert_int_eq(dpu_free(all), DPU_OK);
	ck_assert_int_eq(dpu_alloc(5, NULL, &more), DPU_ERR_ALLOCATION);
	fake_end();
}

TEST(it_can_be_asked_for_beside_devices)
{
	struct dpu_set_t hw, simulated;
	dpu_description_t description;

	fake_begin(1, 4, DPU_ARCH_V1B);
	ck_assert_int_eq(dpu_alloc(DPU_ALLOCATE_ALL, "backend=hw", &hw), DPU_OK);
	ck_assert_int_eq(dpu_alloc(3, "backend=simulator,chipId=0x2", &simulated), DPU_OK);
	ck_assert_uint_eq(count_dpus(simulated), 3);
	/* v1A: 24 tasklets (facts of the generations: SDK's linker script) */
	description = dpu_get_description(simulated.list.ranks[0]);
	ck_assert_uint_eq(description->hw.dpu.nr_of_threads, 24);
	ck_assert_int_eq(dpu_free(simulated), DPU_OK);
	ck_assert_int_eq(dpu_free(hw), DPU_OK);
	setenv("LIBMON_DPU_BACKEND", "simulator", 1);
	ck_assert_int_eq(dpu_alloc(5, "backend=hw", &simulated), DPU_OK);
	ck_assert_uint_eq(count_dpus(simulated), 5);
	ck_assert_int_eq(dpu_free(simulated), DPU_OK);
	setenv("LIBMON_DPU_BACKEND", "other", 1);
	ck_assert_int_eq(dpu_alloc(5, NULL, &simulated), DPU_ERR_INVALID_PROFILE);
	fake_end();
}

/* v1A has 24 tasklets and 350 MHz, v1B 16 and 400 (facts of the generations: UPMEM's page and linker scripts). */
TEST(a_rank_is_what_its_first_program_is_for)
{
	static const struct {
		const char *profile;
		enum dpu_arch_id program;
		unsigned int tasklets, mhz;	/* mhz 0: refused */
	} cases[] = {
		{ "backend=simulator", DPU_ARCH_V1A, 24, 350 }, { "backend=simulator", DPU_ARCH_V1B, 16, 400 },
		{ "backend=simulator,chipId=v1A", DPU_ARCH_V1B, 16, 350 },
		{ "backend=simulator,chipId=v1B", DPU_ARCH_V1A, 16, 400 },
		{ "backend=simulator,chipId=v1B", DPU_ARCH_V1A, 24, 0 },
	};
	struct dpu_set_t set;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		dpu_error_t error = cases[i].mhz ? DPU_OK : DPU_ERR_TOO_MANY_TASKLETS;
		uint32_t mhz = cases[i].mhz ? cases[i].mhz : 400;

		api_assemble(api_program, cases[i].tasklets, cases[i].program);
		ck_assert_int_eq(dpu_alloc(2, cases[i].profile, &set), DPU_OK);
		ck_assert_int_eq(dpu_load_from_memory(set, api_image, api_image_size, NULL), error);
		ck_assert_uint_eq(dpu_get_description(set.list.ranks[0])->hw.timings.fck_frequency_in_mhz, 2 * mhz);
		if (!error)
			ck_assert_int_eq(dpu_launch(set, DPU_SYNCHRONOUS), DPU_OK);
		ck_assert_int_eq(dpu_free(set), DPU_OK);
	}
}

TEST(environment_that_makes_no_sense_is_refused)
{
	static const struct {
		const char *name, *value, *text;
	} cases[] = {
		{ "LIBMON_DPU_COUNT", "0", "must be a number of 1 to 16384" },
		{ "LIBMON_DPU_THREADS", "many", "must be a number" },
		{ "LIBMON_DPU_TIMING", "dispatch-interval=0", "use 1 to 1000" },
		{ "LIBMON_DPU_TIMING", "colour=1", "no name=value" },
		{ "LIBMON_DPU_TIMING", "launch-us", "no name=value" },
		{ "LIBMON_DPU_TIMING", "row-size=1000", "power of two" },
		{ "LIBMON_DPU_CLOCK", "fast", "use real, modelled or dpus" },
		{ "LIBMON_DPU_CLOCK", "modelled", "dpu-run --host" },
	};
	struct dpu_set_t set;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		setenv(cases[i].name, cases[i].value, 1);
		ck_assert_int_eq(dpu_alloc(1, "backend=simulator", &set), DPU_ERR_INVALID_PROFILE);
		ck_assert_msg(strstr(mon_error(), cases[i].text), "%s", mon_error());
		unsetenv(cases[i].name);
	}
}

TEST(a_set_that_was_freed_is_an_error_for_its_counters)
{
	struct dpu_set_t set, dpu;

	ck_assert_int_eq(dpu_alloc(1, "backend=simulator", &set), DPU_OK);
	ck_assert_int_eq(dpu_load_from_memory(set, api_image, api_image_size, NULL), DPU_OK);
	DPU_FOREACH(set, dpu) {
		ck_assert_int_eq(perfcounter_bind(dpu), DPU_OK);
	}
	perfcounter_config(COUNT_INSTRUCTIONS, true);
	ck_assert_int_eq(dpu_launch(set, DPU_SYNCHRONOUS), DPU_OK);
	/* rig.h: 518 of start-up code for two tasklets and more, in steps of 16 */
	ck_assert_uint_gt(perfcounter_get(), 512);
	ck_assert_int_eq(dpu_free(set), DPU_OK);
	ck_assert_uint_eq(perfcounter_get(), 0);
	ck_assert_ptr_nonnull(strstr(mon_error(), "cannot be read"));
	ck_assert_int_eq(dpu_alloc(1, "backend=simulator", &set), DPU_OK);
	ck_assert_uint_eq(perfcounter_get(), 0);
	perfcounter_unbind();
	ck_assert_int_eq(dpu_free(set), DPU_OK);
}

static uint64_t resident_kib(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	uint64_t kib = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmRSS: %lu kB", &kib) == 1)
			break;
	ck_assert_ptr_nonnull(file);
	fclose(file);
	return kib;
}

static bool is_whole(void)
{
	bool is_small = getenv("UPMEM_SMALL");

	if (is_small)
		puts("bad buffers, many DPUs: not run: valgrind reports the first itself, and has no address space for the second");
	return !is_small;
}

SUITE("simulator: memory", .timeout = 120, .setup = setup, .applies = is_whole);

/* The driver's answer to unmapped addresses: EFAULT, which is DPU_ERR_DRIVER. */
TEST(bad_buffers_are_errors)
{
	struct dpu_set_t set, dpu;
	long page = sysconf(_SC_PAGESIZE);
	uint8_t *end = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t word;

	munmap(end + page, page);
	ck_assert_int_eq(dpu_alloc(1, "backend=simulator", &set), DPU_OK);
	ck_assert_int_eq(dpu_load_from_memory(set, api_image, api_image_size, NULL), DPU_OK);
	ck_assert_int_eq(dpu_copy_to(set, "data", 0, (void *)8, 8), DPU_ERR_DRIVER);
	ck_assert_ptr_nonnull(strstr(mon_error(), "Bad address"));
	ck_assert_int_eq(dpu_copy_to(set, "data", 0, end + page - 8, 16), DPU_ERR_DRIVER);
	ck_assert_int_eq(dpu_copy_to(set, "data", 0, end + page - 8, 8), DPU_OK);
	DPU_FOREACH(set, dpu) {
		ck_assert_int_eq(dpu_copy_from(dpu, "data", 0, end + page - 8, 16), DPU_ERR_DRIVER);
		mprotect(end, page, PROT_READ);
		ck_assert_int_eq(dpu_copy_from(dpu, "data", 0, end, 8), DPU_ERR_DRIVER);
		ck_assert_int_eq(dpu_copy_from(dpu, "data", 0, &word, 8), DPU_OK);
	}
	ck_assert_int_eq(dpu_free(set), DPU_OK);
	munmap(end, page);
}

/* The largest servers have 2560 DPUs; the goal is 1 GiB for all of them. */
TEST(dpus_cost_what_they_touch)
{
	uint64_t before = resident_kib(), after;
	struct dpu_set_t set;

	ck_assert_int_eq(dpu_alloc(2560, "backend=simulator", &set), DPU_OK);
	ck_assert_uint_eq(set.list.nr_ranks, 40);
	ck_assert_int_eq(dpu_load_from_memory(set, api_image, api_image_size, NULL), DPU_OK);
	ck_assert_int_eq(dpu_launch(set, DPU_SYNCHRONOUS), DPU_OK);
	after = resident_kib();
	ck_assert_msg(after - before < 1024 * 1024, "%lu MiB", (after - before) / 1024);
	ck_assert_int_eq(dpu_free(set), DPU_OK);
}

static double us_of(struct dpu_set_t set, uint32_t direction, uint32_t address, uint32_t length, enum dpu_source source)
{
	const struct dpu_copy copy = { direction, address, length };

	return dpu_report_transfer(set, &copy, source) * 1e6;
}

static void prepare(struct dpu_set_t set, uint32_t count, char *buffer, size_t step)
{
	struct dpu_set_t dpu;
	uint32_t i;

	DPU_FOREACH(set, dpu, i)
	ck_assert_int_eq(dpu_prepare_xfer(dpu, i < count ? buffer + i * step : NULL), DPU_OK);
}

/* 1,000 bytes at so many MB/s are 1,000 / MB/s microseconds: dpu/docs/upmem-model.md, "The host's part". */
TEST(transfers_take_the_time_of_their_memory_and_their_dpus)
{
	const uint32_t mram = 0x08000000, wram = 0;
	static char buffer[128];
	struct dpu_set_t set, dpu;

	setenv("LIBMON_DPU_REPORT", "/dev/null", 1);
	setenv("LIBMON_DPU_TIMING", "copy-from=2,transfer-us=3,transfer-rank-us=5,first-read-us=7,parallel-to=100,parallel-from=50,"
	       "broadcast=250,serial-to=10,serial-from=4,wram-parallel=1000,wram-serial=200,rank-gain=50", 1);
	ck_assert_int_eq(dpu_alloc(128, "backend=simulator", &set), DPU_OK);
	ck_assert_int_eq(dpu_load_from_memory(set, api_image, api_image_size, NULL), DPU_OK);
	prepare(set, 1, buffer, 1);		/* others do not take part */
	ck_assert_double_eq_tol(us_of(set, UPMEM_TO_DPU, mram, 1000, DPU_PREPARED), 8 + 1000 / 10.0, 1e-6);
	prepare(set, 8, buffer, 1);
	ck_assert_double_eq_tol(us_of(set, UPMEM_TO_DPU, mram, 1000, DPU_PREPARED), 8 + 8000 / 80.0, 1e-6);
	prepare(set, 20, buffer, 1);		/* at the rank's limit since 10 */
	ck_assert_double_eq_tol(us_of(set, UPMEM_TO_DPU, mram, 1000, DPU_PREPARED), 8 + 20000 / 100.0, 1e-6);
	prepare(set, 128, buffer, 1);		/* a second rank adds half a rank's rate */
	ck_assert_double_eq_tol(us_of(set, UPMEM_TO_DPU, mram, 1000, DPU_PREPARED), 13 + 128000 / 150.0, 1e-6);
	ck_assert_double_eq_tol(us_of(set, UPMEM_FROM_DPU, mram, 1000, DPU_BLOCKS), 13 + 128000 / 75.0, 1e-6);
	ck_assert_double_eq_tol(us_of(set, UPMEM_TO_DPU, wram, 1000, DPU_PREPARED), 13 + 128000 / 2.0, 1e-6);
	ck_assert_double_eq_tol(us_of(set, UPMEM_TO_DPU, mram, 1000, DPU_SAME), 13 + 128000 / 375.0, 1e-6);
	prepare(set, 128, buffer, 0);		/* a push of one buffer is a broadcast */
	ck_assert_double_eq_tol(us_of(set, UPMEM_TO_DPU, mram, 1000, DPU_PREPARED), 13 + 128000 / 375.0, 1e-6);
	/* the first access to MRAM after a launch waits until it is the host's again; WRAM always is */
	ck_assert_int_eq(dpu_launch(set, DPU_SYNCHRONOUS), DPU_OK);
	ck_assert_double_eq_tol(us_of(set, UPMEM_FROM_DPU, wram, 8, DPU_PREPARED), 13 + 1024 / 2.0, 1e-6);
	ck_assert_double_eq_tol(us_of(set, UPMEM_FROM_DPU, mram, 1000, DPU_PREPARED), 20 + 128000 / 75.0, 1e-6);
	ck_assert_double_eq_tol(us_of(set, UPMEM_FROM_DPU, mram, 1000, DPU_PREPARED), 13 + 128000 / 75.0, 1e-6);
	/* a copy from one DPU of several, and from the only one */
	DPU_FOREACH(set, dpu)
	ck_assert_double_eq_tol(us_of(dpu, UPMEM_FROM_DPU, mram, 1000, DPU_SAME), 8 + 1000 / 2.0, 1e-6);
	ck_assert_int_eq(dpu_free(set), DPU_OK);
	ck_assert_int_eq(dpu_alloc(1, "backend=simulator", &set), DPU_OK);
	ck_assert_int_eq(dpu_load_from_memory(set, api_image, api_image_size, NULL), DPU_OK);
	DPU_FOREACH(set, dpu)
	ck_assert_double_eq_tol(us_of(dpu, UPMEM_FROM_DPU, mram, 1000, DPU_SAME), 8 + 1000 / 4.0, 1e-6);
	ck_assert_int_eq(dpu_free(set), DPU_OK);
}
