/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The device mrfld-visa, driven without a guest: identity, message bus in configuration space, agents
 * and guest memory, bad accesses, reset, migration, properties. What the counters count is tested
 * on the model (tests/unit/mrfld).
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "events/mrfld/regs.h"
#include "tests/main.h"
#include "tests/qtest/qtest.h"

#define TABLE 0x100000	/* guest memory: page table, then data */
#define DATA 0x200000
#define CLOCK 4		/* counter of group 1: 400 ticks a microsecond by default */

static struct qtest *q;
static struct qtest_pci pci;

static void start(const char *device)
{
	q = qtest_start(device, NULL);
	pci = qtest_pci_setup(q, MRFLD_PCI_VENDOR, MRFLD_PCI_DEVICE);
}

static void setup(void)
{
	start("mrfld-visa");
}

static void teardown(void)
{
	qtest_stop(q);
}

static void address(unsigned int opcode, unsigned int offset)
{
	qtest_pci_write(q, pci.devfn, 0xd8, offset & ~0xffu);
	qtest_pci_write(q, pci.devfn, 0xd0, opcode << 24 | 0x17 << 16 | (offset & 0xff) << 8 | 0xf0);
}

static uint32_t mbi_read(unsigned int offset)
{
	address(0, offset);
	return qtest_pci_read(q, pci.devfn, 0xd4);
}

static void mbi_write(unsigned int offset, uint32_t value)
{
	qtest_pci_write(q, pci.devfn, 0xd4, value);
	address(1, offset);
}

static void run_group(unsigned int group)
{
	mbi_write(MRFLD_SELECT, group);
	for (unsigned int i = 0; i < MRFLD_NCOUNTERS; i++)
		mbi_write(MRFLD_SLICE(i, MRFLD_COMMAND), MRFLD_OP_RESTART << MRFLD_OP_SHIFT);
}

static uint32_t sample(unsigned int counter)
{
	mbi_write(MRFLD_SLICE(counter, MRFLD_COMMAND), MRFLD_OP_SAMPLE << MRFLD_OP_SHIFT);
	return mbi_read(MRFLD_SLICE(counter, MRFLD_DATA));
}

static uint64_t engine(unsigned int reg)
{
	return pci.bar[0] + MRFLD_ENGINE(MRFLD_AGENT_GFX, reg);
}

/* GFX writes two pages in 64-byte requests at 64 MB/s: one a microsecond, 128 in all. */
static void start_writing(uint64_t second_page)
{
	uint64_t table[] = { DATA, second_page };

	qtest_memwrite(q, TABLE, table, sizeof(table));
	qtest_writel(q, engine(MRFLD_ENG_RATE), 64000);
	qtest_writel(q, engine(MRFLD_ENG_TABLE_LO), TABLE);
	qtest_writel(q, engine(MRFLD_ENG_WINDOW), 8192);
	qtest_writel(q, engine(MRFLD_ENG_TOTAL_LO), 8192);
	qtest_writel(q, engine(MRFLD_ENG_SEED), 1000);
	qtest_writel(q, engine(MRFLD_ENG_CTRL),
		     MRFLD_CTRL_START | MRFLD_CTRL_WRITE | MRFLD_SIZE_64 << MRFLD_CTRL_SIZE_SHIFT);
}

static void expect_data(void)
{
	uint32_t words[2048];

	qtest_memread(q, DATA, words, sizeof(words));
	for (unsigned int i = 0; i < 2048; i++)
		ck_assert_uint_eq(words[i], 1000 + i);
}

SUITE("default", .timeout = 60, .setup = setup, .teardown = teardown);

TEST(identity)
{
	ck_assert_uint_eq(qtest_pci_read(q, pci.devfn, 0x00), 0x11708086);
	/* subsystem: how the driver knows the emulated part */
	ck_assert_uint_eq(qtest_pci_read(q, pci.devfn, 0x2c), 0x11001af4);
	ck_assert_uint_eq(qtest_readl(q, pci.bar[0] + MRFLD_ID), 0x4146524d);
}

TEST(counters_count_virtual_time)
{
	run_group(1);
	qtest_clock_step(q, 1000000);
	ck_assert_uint_eq(sample(CLOCK), 400000);
	qtest_clock_step(q, 1000);
	ck_assert_uint_eq(sample(CLOCK), 400400);
}

TEST(an_agent_writes_guest_memory)
{
	run_group(6);
	start_writing(DATA + 4096);
	qtest_clock_step(q, 64500);
	ck_assert_uint_eq(sample(5), 64);
	ck_assert_uint_eq(qtest_readl(q, engine(MRFLD_ENG_STATUS)), MRFLD_STATUS_RUN);
	qtest_clock_step(q, 100000);
	ck_assert_uint_eq(sample(5), 128);
	ck_assert_uint_eq(qtest_readl(q, engine(MRFLD_ENG_STATUS)), MRFLD_STATUS_DONE);
	expect_data();
}

/* The device is not accessed: its own timer must finish the job. */
TEST(the_timer_finishes_a_job)
{
	start_writing(DATA + 4096);
	qtest_clock_step(q, 200000);
	expect_data();
}

TEST(bad_accesses)
{
	char *log;

	run_group(1);
	qtest_clock_step(q, 1000);
	mbi_write(MRFLD_SLICE(CLOCK, MRFLD_COMMAND), MRFLD_OP_SAMPLE << MRFLD_OP_SHIFT);
	/* bytes and words of the bus registers can be read, never written: no transaction runs */
	qtest_outl(q, 0xcf8, 0x80000000u | pci.devfn << 8 | 0xd0);
	qtest_write(q, 1, pci.bar[0], 0xff);
	qtest_write(q, 2, pci.bar[0] + 0x102, 0xffff);
	qtest_read(q, 8, pci.bar[0] + 0x104);
	qtest_read(q, 4, pci.bar[0] + 2);
	qtest_writel(q, pci.bar[0] + MRFLD_BAR_SIZE - 4, 1);
	ck_assert_uint_eq(qtest_readl(q, pci.bar[0] + MRFLD_BAR_SIZE - 4), 0);
	ck_assert_uint_eq(mbi_read(MRFLD_SLICE(CLOCK, MRFLD_DATA)), 400);
	/* an agent whose page is no memory, or this very device, which must not be called back */
	start_writing(0xd0000000);
	qtest_clock_step(q, 1000000);
	ck_assert_uint_eq(qtest_readl(q, engine(MRFLD_ENG_STATUS)), MRFLD_STATUS_FAULT);
	start_writing(pci.bar[0]);
	qtest_clock_step(q, 1000000);
	ck_assert_uint_eq(qtest_readl(q, engine(MRFLD_ENG_STATUS)), MRFLD_STATUS_FAULT);
	log = qtest_log(q);
	ck_assert_msg(strstr(log, "mrfld-visa: agent met"), "not in the log: %s", log);
	free(log);
}

TEST(device_reset)
{
	char *reply;

	run_group(6);
	start_writing(DATA + 4096);
	qtest_clock_step(q, 10000);
	reply = qtest_qmp(q, "{\"execute\":\"system_reset\"}");
	ck_assert_ptr_nonnull(strstr(reply, "return"));
	free(reply);
	qtest_clock_step(q, 1000);
	pci = qtest_pci_setup(q, MRFLD_PCI_VENDOR, MRFLD_PCI_DEVICE);
	ck_assert_uint_eq(mbi_read(MRFLD_SELECT), 0);
	ck_assert_uint_eq(qtest_readl(q, engine(MRFLD_ENG_STATUS)), 0);
	run_group(6);
	start_writing(DATA + 4096);
	qtest_clock_step(q, 200000);
	ck_assert_uint_eq(sample(5), 128);
	expect_data();
}

TEST(migration_in_mid_run)
{
	run_group(6);
	start_writing(DATA + 4096);
	/* half of the requests are due, but not executed yet: saving must not write memory */
	qtest_clock_step(q, 64500);
	q = qtest_migrate(q, "mrfld-visa");
	qtest_clock_step(q, 200000);
	ck_assert_uint_eq(sample(5), 128);
	expect_data();
}

SUITE("own start", .timeout = 60);

TEST(properties)
{
	start("mrfld-visa,channels=1,soc-hz=100000000,fault-all-ones=2,fault-mcrx=0x100");
	ck_assert_uint_eq(qtest_readl(q, pci.bar[0] + MRFLD_CHANNELS), 1);
	run_group(1);
	qtest_clock_step(q, 1000);
	ck_assert_uint_eq(sample(CLOCK), 100);
	ck_assert_uint_eq(mbi_read(MRFLD_SELECT), 0xffffffff);
	ck_assert_uint_eq(mbi_read(MRFLD_SELECT), 1);
	ck_assert_uint_eq(qtest_pci_read(q, pci.devfn, 0xd8), 0x100);
	qtest_stop(q);
}

LOOP_TEST(bad_properties, 0, 4)
{
	static const char *const bad[][2] = {
		{ "mrfld-visa,channels=3", "channels must be 1 or 2" },
		{ "mrfld-visa,interleave=48", "interleave must be a power of two" },
		{ "mrfld-visa,soc-hz=0", "soc-hz and dram-hz must be" },
		{ "mrfld-visa,deep-us=5", "shallow-us must be less" },
	};
	char *text = qtest_refused(bad[_i][0]);

	ck_assert_msg(strstr(text, bad[_i][1]), "-device %s: %s", bad[_i][0], text);
	free(text);
}

/* The guest's own accesses: absent without the option, else on demand. */
LOOP_TEST(accesses_of_module0, 0, 2)
{
	static const char *const args[] = { "", ",cpu=on" };
	uint32_t present = _i ? MRFLD_CPU_PRESENT : 0;
	uint64_t reg;

	qtest_plugin_args(args[_i]);
	start("mrfld-visa");
	reg = pci.bar[0] + MRFLD_CPU;
	ck_assert_uint_eq(qtest_readl(q, reg), present);
	qtest_writel(q, reg, MRFLD_CPU_COUNT);
	ck_assert_uint_eq(qtest_readl(q, reg), _i ? present | MRFLD_CPU_COUNT : 0);
	qtest_writel(q, reg, 0);
	ck_assert_uint_eq(qtest_readl(q, reg), present);
	qtest_stop(q);
}
