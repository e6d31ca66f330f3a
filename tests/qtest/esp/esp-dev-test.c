/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers of the device espmon, driven without a guest: map, burst, bad accesses, reset,
 * migration, and a 128-point FFT whose counts are derived from the packet formats of the RTL.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events/esp/regs.h"
#include "tests/main.h"
#include "tests/qtest/qtest.h"

#define MEM_TILE 2	/* of the default 3x2 design */
#define ACC_TILE 0
#define TABLE 0x100000	/* guest memory: page table, then data */
#define DATA 0x200000
#define LOG_LEN 7
#define WORDS 128	/* 64-bit words of a 128-point FFT: one point each */

static struct qtest *q;
static struct qtest_pci pci;

static void start(const char *device)
{
	q = qtest_start(device, NULL);
	pci = qtest_pci_setup(q, ESPMON_PCI_VENDOR, ESPMON_PCI_DEVICE);
}

static void setup(void)
{
	start("espmon");
}

static void setup_cpu(void)
{
	qtest_plugin_args(",cpu=on");
	start("espmon");
}

static void teardown(void)
{
	qtest_stop(q);
}

static uint64_t csr(unsigned int tile, unsigned int offset)
{
	return pci.bar[0] + ESP_CSR_BASE + tile * ESP_CSR_STRIDE + offset;
}

static uint64_t acc(unsigned int k, unsigned int offset)
{
	return pci.bar[0] + ESP_ACC_BASE + k * ESP_ACC_STRIDE + offset;
}

static uint32_t monitor(unsigned int tile, unsigned int index)
{
	return qtest_readl(q, csr(tile, ESP_CSR_MON(index)));
}

static void program_fft(uint64_t table)
{
	uint64_t entry = DATA;

	qtest_memwrite(q, TABLE, &entry, sizeof(entry));
	qtest_writel(q, acc(0, ESP_ACC_PT_ADDRESS), table);
	qtest_writel(q, acc(0, ESP_ACC_PT_NCHUNK), 1);
	qtest_writel(q, acc(0, ESP_ACC_PT_SHIFT), 20);
	qtest_writel(q, acc(0, ESP_ACC_COHERENCE), ESP_COH_NONE);
	qtest_writel(q, acc(0, ESP_ACC_SRC_OFFSET), 0);
	qtest_writel(q, acc(0, ESP_ACC_DST_OFFSET), 0);
	qtest_writel(q, acc(0, ESP_FFT_BATCH_SIZE), 1);
	qtest_writel(q, acc(0, ESP_FFT_LOG_LEN), LOG_LEN);
	qtest_writel(q, acc(0, ESP_FFT_DO_BITREV), 1);
	qtest_writel(q, acc(0, ESP_ACC_CMD), 1);
}

static bool wait_done(void)
{
	for (int i = 0; i < 1000; i++) {
		if (qtest_readl(q, acc(0, ESP_ACC_STATUS)) & ESP_ACC_STATUS_DONE)
			return true;
		qtest_clock_step(q, 100000);
	}
	return false;
}

SUITE("qtest: espmon", .timeout = 60, .setup = setup, .teardown = teardown);

TEST(identity)
{
	ck_assert_uint_eq(qtest_pci_read(q, pci.devfn, 0), ESPMON_PCI_DEVICE << 16 | ESPMON_PCI_VENDOR);
	/* monitors are there in every tile, the TILE_ID register gives the tile's own number */
	for (unsigned int t = 0; t < 6; t++)
		ck_assert_uint_eq(qtest_readl(q, csr(t, ESP_CSR_TILE_ID)), t);
	ck_assert_uint_eq(qtest_readl(q, acc(0, ESP_ACC_DEVID)), ESP_FFT_STRATUS_DEVID);
	/* XML data_size of the FFT is 128 MB: as many TLB entries */
	ck_assert_uint_eq(qtest_readl(q, acc(0, ESP_ACC_PT_NCHUNK_MAX)), 128);
}

TEST(topology)
{
	static const uint8_t kinds[] = { ESP_TILE_ACC, ESP_TILE_CPU, ESP_TILE_MEM,
					 ESP_TILE_ACC, ESP_TILE_ACC, ESP_TILE_IO };
	uint64_t topo = pci.bar[2];

	ck_assert_uint_eq(qtest_readl(q, topo + ESP_TOPO_MAGIC), ESP_TOPO_MAGIC_VALUE);
	ck_assert_uint_eq(qtest_readl(q, topo + ESP_TOPO_VERSION), ESP_TOPO_VERSION_VALUE);
	ck_assert_uint_eq(qtest_readl(q, topo + ESP_TOPO_LAYOUT), 2023);
	ck_assert_uint_eq(qtest_readl(q, topo + ESP_TOPO_ROWS), 3);
	ck_assert_uint_eq(qtest_readl(q, topo + ESP_TOPO_COLS), 2);
	ck_assert_uint_eq(qtest_readl(q, topo + ESP_TOPO_CLOCK_HZ), 78125000);
	ck_assert_uint_eq(qtest_readl(q, topo + ESP_TOPO_NACC), 3);
	ck_assert(qtest_readl(q, topo + ESP_TOPO_FLAGS) & ESP_TOPO_LIVE);
	for (unsigned int t = 0; t < 6; t++)
		ck_assert_uint_eq(qtest_readl(q, topo + ESP_TOPO_TILE(t)) & ESP_TOPO_TILE_KIND,
				  kinds[t]);
	/* the multifft design: only the first accelerator has a private L2 */
	ck_assert(qtest_readl(q, topo + ESP_TOPO_TILE(0)) & ESP_TOPO_TILE_HAS_L2);
	ck_assert(!(qtest_readl(q, topo + ESP_TOPO_TILE(3)) & ESP_TOPO_TILE_HAS_L2));
	ck_assert_uint_eq(qtest_readl(q, topo + ESP_TOPO_ACC(1) + ESP_TOPO_ACC_TILE), 3);
}

TEST(fft_counts)
{
	int32_t points[2 * WORDS] = { [0] = 1 << 20 };	/* an impulse: its FFT is 1.0 everywhere */

	qtest_memwrite(q, DATA, points, sizeof(points));
	program_fft(TABLE);
	ck_assert(wait_done());

	/*
	 * Page table: request 3 flits, response 1 + 1. Load: request 3, response 1 + 128. Store:
	 * 3 + 128, no response.
	 */
	ck_assert_uint_eq(monitor(MEM_TILE, ESP_MON_DMA_REQ), 3 + 3 + 3 + WORDS);
	ck_assert_uint_eq(monitor(MEM_TILE, ESP_MON_DMA_RSP), 2 + 1 + WORDS);
	ck_assert_uint_eq(monitor(MEM_TILE, ESP_MON_DDR), 1 + WORDS + WORDS);
	ck_assert_uint_eq(monitor(ACC_TILE, ESP_MON_NOC_INJECT(5)), 137);
	ck_assert_uint_eq(monitor(ACC_TILE, ESP_MON_ACC_INVOCATIONS), 1);
	ck_assert_uint_eq(monitor(MEM_TILE, ESP_MON_COH_DMA_REQ), 0);

	qtest_memread(q, DATA, points, sizeof(points));
	for (int i = 0; i < WORDS; i++) {
		ck_assert_int_eq(points[2 * i], 1 << 20);
		ck_assert_int_eq(points[2 * i + 1], 0);
	}
	qtest_writel(q, acc(0, ESP_ACC_CMD), 0);
	qtest_clock_step(q, 1000);
	ck_assert_uint_eq(qtest_readl(q, acc(0, ESP_ACC_STATUS)), 0);
}

TEST(burst_latches_one_tile)
{
	uint32_t before, latched;

	/* monitor 22 counts tile cycles: 78.125 of them in a microsecond */
	before = monitor(1, ESP_MON_DVFS(3));
	qtest_clock_step(q, 1000000);
	ck_assert_uint_eq(monitor(1, ESP_MON_DVFS(3)) - before, 78125);

	qtest_writel(q, csr(1, ESP_CSR_BURST), 1);
	latched = monitor(1, ESP_MON_DVFS(3));
	qtest_clock_step(q, 1000000);
	ck_assert_uint_eq(monitor(1, ESP_MON_DVFS(3)), latched);
	/* BAR4 shows live values all the same, and other tiles are not affected */
	ck_assert_uint_eq(qtest_readl(q, pci.bar[4] + ESP_LIVE_STRIDE + 4 * ESP_MON_DVFS(3)),
			  latched + 78125);
	ck_assert_uint_eq(monitor(2, ESP_MON_DVFS(3)), latched + 78125);
	/* 1 on 1 takes no new sample; 0 then 1 does */
	qtest_writel(q, csr(1, ESP_CSR_BURST), 1);
	ck_assert_uint_eq(monitor(1, ESP_MON_DVFS(3)), latched);
	qtest_writel(q, csr(1, ESP_CSR_BURST), 0);
	qtest_writel(q, csr(1, ESP_CSR_BURST), 0xfffffff1);
	ck_assert_uint_eq(monitor(1, ESP_MON_DVFS(3)), latched + 78125);
	/* all 32 bits are stored */
	ck_assert_uint_eq(qtest_readl(q, csr(1, ESP_CSR_BURST)), 0xfffffff1);
}

TEST(readonly_registers)
{
	static const uint64_t skip = 1;	/* of words: monitor 0 of the memory tile stays 0 */

	qtest_writel(q, csr(MEM_TILE, ESP_CSR_MON(0)), 0xffffffff);
	ck_assert_uint_eq(monitor(MEM_TILE, 0), 0);
	qtest_writel(q, acc(0, ESP_ACC_DEVID), 0);
	ck_assert_uint_eq(qtest_readl(q, acc(0, ESP_ACC_DEVID)), ESP_FFT_STRATUS_DEVID);
	qtest_writel(q, acc(0, ESP_ACC_STATUS), 3);
	ck_assert_uint_eq(qtest_readl(q, acc(0, ESP_ACC_STATUS)), 0);
	qtest_writel(q, pci.bar[2] + ESP_TOPO_ROWS, 99);
	ck_assert_uint_eq(qtest_readl(q, pci.bar[2] + ESP_TOPO_ROWS), 3);
	qtest_writel(q, pci.bar[4] + 4 * skip, 5);
	ck_assert_uint_eq(qtest_readl(q, pci.bar[4] + 4 * skip), 0);
}

TEST(the_monitors_can_be_silent)
{
	uint64_t fault = pci.bar[2] + ESP_TOPO_FAULT;

	/* one good read, then two without an answer */
	qtest_writel(q, fault, 1 << ESP_TOPO_FAULT_AFTER | 2);
	ck_assert_uint_eq(monitor(MEM_TILE, 0), 0);
	qtest_writel(q, csr(MEM_TILE, ESP_CSR_BURST), 2);	/* is lost */
	ck_assert_uint_eq(monitor(MEM_TILE, 0), ~0u);
	/* other registers answer, and do not end it */
	ck_assert_uint_eq(qtest_readl(q, acc(0, ESP_ACC_DEVID)), ESP_FFT_STRATUS_DEVID);
	ck_assert_uint_eq(qtest_readl(q, pci.bar[4] + MEM_TILE * ESP_LIVE_STRIDE), 0);
	ck_assert_uint_eq(qtest_readl(q, fault), 1);
	ck_assert_uint_eq(qtest_readl(q, csr(5, ESP_CSR_BURST)), ~0u);
	ck_assert_uint_eq(qtest_readl(q, fault), 0);
	ck_assert_uint_eq(qtest_readl(q, csr(MEM_TILE, ESP_CSR_BURST)), 0);

	qtest_writel(q, fault, ESP_TOPO_FAULT_READS);
	for (unsigned int i = 0; i < 100; i++)
		ck_assert_uint_eq(monitor(i % 6, i % ESP_NMON), ~0u);
	qtest_writel(q, fault, 0);
	ck_assert_uint_eq(monitor(MEM_TILE, 0), 0);
}

TEST(bad_accesses)
{
	static const unsigned int sizes[] = { 1, 2, 8 };
	uint32_t rows;
	char *log;

	/* accesses of wrong sizes and alignments have no effect at any address */
	for (unsigned int bar = 0; bar <= 4; bar += 2) {
		for (size_t i = 0; i < 3; i++) {
			qtest_read(q, sizes[i], pci.bar[bar] + 0x90000 % 0x10000);
			qtest_write(q, sizes[i], pci.bar[bar] + 1, ~0ull);
			qtest_read(q, sizes[i], pci.bar[bar] + 3);
		}
		qtest_write(q, 4, pci.bar[bar] + 2, ~0u);
		qtest_read(q, 4, pci.bar[bar] + 2);
	}
	/* no register there: a hole of the map, a tile that does not exist */
	ck_assert_uint_eq(qtest_readl(q, pci.bar[0]), 0);
	ck_assert_uint_eq(qtest_readl(q, csr(255, ESP_CSR_MON(0))), 0);
	ck_assert_uint_eq(qtest_readl(q, pci.bar[0] + ESP_APB_SIZE - 4), 0);
	rows = qtest_readl(q, pci.bar[2] + ESP_TOPO_ROWS);
	ck_assert_uint_eq(rows, 3);
	log = qtest_log(q);
	ck_assert_ptr_nonnull(strstr(log, "nvalid"));	/* QEMU logs the refused ones */
	free(log);
}

TEST(dma_outside_memory)
{
	uint64_t far = 0xd0000000;	/* beyond 256 MiB: no memory there */
	char *log;

	/* the table itself lies outside */
	program_fft(far);
	qtest_clock_step(q, 100000000);
	qtest_writel(q, acc(0, ESP_ACC_CMD), 0);
	qtest_clock_step(q, 1000000);
	/* the table points outside, and at this very device: it must not be called back */
	for (int i = 0; i < 2; i++) {
		uint64_t entry = i ? pci.bar[0] + ESP_ACC_BASE : far;

		program_fft(TABLE);
		qtest_writel(q, acc(0, ESP_ACC_CMD), 0);
		qtest_clock_step(q, 1000000);
		qtest_memwrite(q, TABLE, &entry, sizeof(entry));
		qtest_writel(q, acc(0, ESP_ACC_PT_ADDRESS), TABLE);
		qtest_writel(q, acc(0, ESP_ACC_CMD), 1);
		qtest_clock_step(q, 100000000);
		qtest_writel(q, acc(0, ESP_ACC_CMD), 0);
		qtest_clock_step(q, 1000000);
	}
	log = qtest_log(q);
	ck_assert_msg(strstr(log, "espmon"), "the guest's mistake is not in the log: %s", log);
	free(log);

	/* and the accelerator works again */
	program_fft(TABLE);
	ck_assert(wait_done());
}

/* Word 3 of the tile empties the TLB, as in hardware; CMD = 0 does not help any more. */
TEST(a_hung_run_needs_the_reset_line)
{
	program_fft(TABLE);
	while (!(qtest_readl(q, acc(0, ESP_ACC_STATUS)) & ESP_ACC_STATUS_RUN))
		qtest_clock_step(q, 100);
	/* 1 us is 78 cycles: the load of 128 words is under way */
	qtest_clock_step(q, 1000);
	monitor(0, 2);
	ck_assert(!wait_done());
	qtest_writel(q, acc(0, ESP_ACC_CMD), 0);
	qtest_clock_step(q, 1000000);
	ck_assert_uint_eq(qtest_readl(q, acc(0, ESP_ACC_STATUS)), ESP_ACC_STATUS_RUN);
	qtest_writel(q, pci.bar[2] + ESP_TOPO_ACC_RESET, 0);
	ck_assert_uint_eq(qtest_readl(q, acc(0, ESP_ACC_STATUS)), 0);
	program_fft(TABLE);
	ck_assert(wait_done());
}

TEST(two_monitors_in_one_read)
{
	uint64_t both;

	program_fft(TABLE);
	ck_assert(wait_done());
	/* DMA requests 3 + 3 + 3 + 128 and answers 2 + 1 + 128 flits, monitors 5 and 6 */
	both = qtest_read(q, 8, csr(MEM_TILE, ESP_CSR_MON(ESP_MON_DMA_REQ)));
	ck_assert_uint_eq(both & 0xffffffff, 137);
	ck_assert_uint_eq(both >> 32, 131);
}

TEST(device_reset)
{
	char *reply;

	program_fft(TABLE);
	/* in the middle of the run: 2 us are about 156 cycles, the whole takes thousands */
	qtest_clock_step(q, 2000);
	reply = qtest_qmp(q, "{\"execute\":\"system_reset\"}");
	ck_assert_ptr_nonnull(strstr(reply, "return"));
	free(reply);
	qtest_clock_step(q, 1000);
	pci = qtest_pci_setup(q, ESPMON_PCI_VENDOR, ESPMON_PCI_DEVICE);
	ck_assert_uint_eq(qtest_readl(q, acc(0, ESP_ACC_STATUS)), 0);
	ck_assert_uint_eq(qtest_readl(q, acc(0, ESP_ACC_CMD)), 0);
	ck_assert_uint_eq(monitor(MEM_TILE, ESP_MON_DMA_REQ), 0);
	program_fft(TABLE);
	ck_assert(wait_done());
	ck_assert_uint_eq(monitor(MEM_TILE, ESP_MON_DDR), 257);
}

TEST(migration_in_mid_run)
{
	int32_t points[2 * WORDS] = { [0] = 1 << 20 };
	uint32_t partial;

	qtest_memwrite(q, DATA, points, sizeof(points));
	program_fft(TABLE);
	qtest_clock_step(q, 4000);
	partial = monitor(MEM_TILE, ESP_MON_DDR);
	ck_assert_uint_gt(partial, 0);
	ck_assert_uint_lt(partial, 257);
	q = qtest_migrate(q, "espmon");
	ck_assert_uint_ge(monitor(MEM_TILE, ESP_MON_DDR), partial);
	ck_assert(wait_done());
	ck_assert_uint_eq(monitor(MEM_TILE, ESP_MON_DDR), 257);
	ck_assert_uint_eq(monitor(MEM_TILE, ESP_MON_DMA_REQ), 137);
	/* stored data are there, too: the migration has missed no write */
	qtest_memread(q, DATA, points, sizeof(points));
	for (int i = 0; i < WORDS; i++)
		ck_assert_int_eq(points[2 * i], 1 << 20);
}

/* Without the option the register is absent, and a write changes nothing. */
TEST(no_accesses_without_the_option)
{
	uint64_t reg = pci.bar[2] + ESP_TOPO_CPU;

	ck_assert_uint_eq(qtest_readl(q, reg), 0);
	qtest_writel(q, reg, ESP_TOPO_CPU_COUNT);
	ck_assert_uint_eq(qtest_readl(q, reg), 0);
}

SUITE("own start", .timeout = 60);

/*
 * Case 9 of nonsense.c: a run that does not end. A process cannot be saved; a reset of its run
 * permits a save.
 */
TEST(no_snapshot_while_a_process_computes)
{
	const char *device = "espmon,accelerators=FFT_STRATUS=" TOP_BUILD_DIR "/tests/unit/esp/nonsense.acc";
	const uint64_t entry = DATA;
	bool failed = false;

	start(device);
	qtest_memwrite(q, TABLE, &entry, sizeof(entry));
	qtest_writel(q, acc(0, ESP_ACC_PT_ADDRESS), TABLE);
	qtest_writel(q, acc(0, ESP_ACC_PT_NCHUNK), 1);
	qtest_writel(q, acc(0, ESP_ACC_PT_SHIFT), 20);
	qtest_writel(q, acc(0, 0x40), 9);
	qtest_writel(q, acc(0, ESP_ACC_CMD), 1);
	qtest_clock_step(q, 4000);
	/* the page table has been read, so the process has been told to begin */
	ck_assert_uint_eq(monitor(MEM_TILE, ESP_MON_DDR), 1);
	free(qtest_qmp(q, "{\"execute\":\"migrate\",\"arguments\":{\"uri\":\"exec:cat > /dev/null\"}}"));
	for (int i = 0; i < 100 && !failed; i++) {
		char *reply = qtest_qmp(q, "{\"execute\":\"query-migrate\"}");

		ck_assert_msg(!strstr(reply, "\"completed\""), "%s", reply);
		failed = strstr(reply, "\"failed\"");
		free(reply);
		usleep(50000);
	}
	ck_assert(failed);
	ck_assert_uint_eq(qtest_readl(q, acc(0, ESP_ACC_STATUS)), ESP_ACC_STATUS_RUN);
	qtest_writel(q, acc(0, ESP_ACC_CMD), 0);
	qtest_clock_step(q, 4000);
	q = qtest_migrate(q, device);
	ck_assert_uint_eq(qtest_readl(q, acc(0, ESP_ACC_STATUS)), 0);
	qtest_stop(q);
}

TEST(options_are_checked)
{
	static const struct {
		const char *args, *says;
	} bad[] = {
		{ ",cpu=maybe", "off, on" },
		{ ",cache=big", "unknown argument 'cache'" },
		{ ",l1d=32768", "BYTES:WAYS" },
		{ ",cpu=on,l1d=3000:8", "not possible" },
		{ ",cpu=on,trace=/nowhere/trace", "No such file" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char *text;

		qtest_plugin_args(bad[i].args);
		text = qtest_refused("espmon");
		ck_assert_msg(strstr(text, bad[i].says) != NULL, "%s: %s", bad[i].args, text);
		free(text);
	}
}

TEST(preset_and_properties)
{
	start("espmon,preset=0xfffffff0,live=off,clock=100000000");
	ck_assert_uint_eq(monitor(MEM_TILE, ESP_MON_DDR), 0xfffffff0);
	ck_assert_uint_eq(qtest_readl(q, pci.bar[2] + ESP_TOPO_CLOCK_HZ), 100000000);
	ck_assert(!(qtest_readl(q, pci.bar[2] + ESP_TOPO_FLAGS) & ESP_TOPO_LIVE));
	ck_assert_uint_eq(pci.bar[4], 0);
	program_fft(TABLE);
	ck_assert(wait_done());
	/* 0xfffffff0 + 257 modulo 2^32 */
	ck_assert_uint_eq(monitor(MEM_TILE, ESP_MON_DDR), 241);
	qtest_stop(q);
}

static void refused(const char *device, const char *reason)
{
	char *text = qtest_refused(device);

	ck_assert_msg(strstr(text, reason), "-device %s: \"%s\" is not in: %s", device, reason, text);
	free(text);
}

TEST(bad_properties)
{
	char path[] = "/tmp/mon-design-XXXXXX";
	char device[64], reason[64];
	int fd = mkstemp(path);

	/* the second line is not a number of rows */
	ck_assert_int_gt(dprintf(fd, "CPU_ARCH = ariane\nCONFIG_NOC_ROWS = many\n"), 0);
	close(fd);
	snprintf(device, sizeof(device), "espmon,soc=%s", path);
	snprintf(reason, sizeof(reason), "%s:2:", path);
	refused(device, reason);
	unlink(path);
	refused("espmon,soc=/nonexistent/x.esp_config", "/nonexistent/x.esp_config");
	refused("espmon,clock=0", "clock=0 is out of range");
	refused("espmon,layout=1999", "1999");
	refused("espmon,layout=newest", "layout=newest: give 2021, 2023, 2026 or vespa");
}

SUITE("accesses", .timeout = 60, .setup = setup_cpu, .teardown = teardown);

TEST(accesses_on_demand)
{
	uint64_t reg = pci.bar[2] + ESP_TOPO_CPU;

	ck_assert_uint_eq(qtest_readl(q, reg), ESP_TOPO_CPU_PRESENT);
	qtest_writel(q, reg, 0xffffffff);
	ck_assert_uint_eq(qtest_readl(q, reg), ESP_TOPO_CPU_PRESENT | ESP_TOPO_CPU_COUNT);
	q = qtest_migrate(q, "espmon");
	ck_assert_uint_eq(qtest_readl(q, reg), ESP_TOPO_CPU_PRESENT | ESP_TOPO_CPU_COUNT);
	qtest_writel(q, reg, 0);
	ck_assert_uint_eq(qtest_readl(q, reg), ESP_TOPO_CPU_PRESENT);
	/* a reset ends it, too */
	qtest_writel(q, reg, ESP_TOPO_CPU_COUNT);
	free(qtest_qmp(q, "{ \"execute\": \"system_reset\" }"));
	pci = qtest_pci_setup(q, ESPMON_PCI_VENDOR, ESPMON_PCI_DEVICE);
	ck_assert_uint_eq(qtest_readl(q, reg), ESP_TOPO_CPU_PRESENT);
}
