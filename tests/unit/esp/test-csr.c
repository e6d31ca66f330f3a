/* SPDX-License-Identifier: GPL-2.0-only */
/* Register window: monitors and burst, configuration registers, accelerator registers, topology. */
#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#define ACC0	0
#define CPU	1
#define MEM	2
#define ACC1	3
#define IO	5
#define CSR(tile, reg)	(ESP_CSR_BASE + ESP_CSR_STRIDE * (tile) + (reg))

static struct bench b;

static void open_with(const struct esp_params *params)
{
	if (b.soc)
		bench_close(&b);
	bench_open(&b, NULL, params);
}

static void setup(void)
{
	open_with(NULL);
}

static void teardown(void)
{
	bench_close(&b);
}

SUITE("esp registers", .timeout = 60, .setup = setup, .teardown = teardown);

TEST(burst_shows_the_moment_of_its_edge)
{
	const uint32_t cycles = CSR(MEM, ESP_CSR_MON(ESP_MON_DVFS(3)));

	esp_soc_advance(b.soc, 1000);
	ck_assert_uint_eq(bench_read(&b, cycles), 1000);	/* one a cycle since reset */
	bench_write(&b, CSR(MEM, ESP_CSR_BURST), 0xfffffffe);	/* bit 0 clear: no sample */
	ck_assert_uint_eq(bench_read(&b, CSR(MEM, ESP_CSR_BURST)), 0xfffffffe);
	bench_write(&b, CSR(MEM, ESP_CSR_BURST), 0xa5a5a5a5);
	ck_assert_uint_eq(bench_read(&b, CSR(MEM, ESP_CSR_BURST)), 0xa5a5a5a5);
	esp_soc_advance(b.soc, 2000);
	ck_assert_uint_eq(bench_read(&b, cycles), 1000);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DVFS(3)), 2000);	/* the counter continues */
	bench_write(&b, CSR(MEM, ESP_CSR_BURST), 1);		/* already 1: no new sample */
	ck_assert_uint_eq(bench_read(&b, cycles), 1000);
	bench_write(&b, CSR(MEM, ESP_CSR_BURST), 0);
	ck_assert_uint_eq(bench_read(&b, cycles), 2000);
	bench_write(&b, CSR(MEM, ESP_CSR_BURST), 1);
	esp_soc_advance(b.soc, 3000);
	ck_assert_uint_eq(bench_read(&b, cycles), 2000);
	/* The sample is the tile's own: another tile reads live values. */
	ck_assert_uint_eq(bench_read(&b, CSR(CPU, ESP_CSR_MON(ESP_MON_DVFS(3)))), 3000);
}

TEST(burst_holds_64_bit_pairs_together)
{
	struct fft f = fft_default(7);
	uint32_t lo, hi;

	fft_fill(&b, &f);
	fft_start(&b, &f);
	esp_soc_advance(b.soc, esp_soc_now(b.soc) + 500);
	bench_write(&b, CSR(ACC0, ESP_CSR_BURST), 1);
	lo = bench_read(&b, CSR(ACC0, ESP_CSR_MON(ESP_MON_ACC_TOT_LO)));
	ck_assert_uint_eq(lo, 500);	/* each cycle since the start */
	esp_soc_advance(b.soc, esp_soc_now(b.soc) + 500);
	ck_assert_uint_eq(bench_read(&b, CSR(ACC0, ESP_CSR_MON(ESP_MON_ACC_TOT_LO))), lo);
	hi = bench_read(&b, CSR(ACC0, ESP_CSR_MON(ESP_MON_ACC_TOT_HI)));
	ck_assert_uint_eq(hi, 0);
}

TEST(monitors_are_read_only)
{
	bench_write(&b, CSR(MEM, ESP_CSR_MON(0)), 77);
	ck_assert_uint_eq(bench_read(&b, CSR(MEM, ESP_CSR_MON(0))), 0);
}

TEST(undefined_words_read_zero)
{
	uint32_t reg;

	/* Words 60 to 95 and 112 of the window. */
	for (reg = ESP_CSR_MON(ESP_NMON); reg < ESP_CSR_CONFIG; reg += 4) {
		bench_write(&b, CSR(MEM, reg), 0xffffffff);
		ck_assert_uint_eq(bench_read(&b, CSR(MEM, reg)), 0);
	}
	bench_write(&b, CSR(MEM, 0x1c0), 0xffffffff);
	ck_assert_uint_eq(bench_read(&b, CSR(MEM, 0x1c0)), 0);
	/* The decoder ignores the two lowest bits of an address. */
	ck_assert_uint_eq(bench_read(&b, CSR(MEM, ESP_CSR_TILE_ID) + 3), MEM);
	/* Addresses without tile, without device, outside of the window. */
	bench_write(&b, CSR(6, 0), 1);
	ck_assert_uint_eq(bench_read(&b, CSR(6, 0)), 0);
	ck_assert_uint_eq(bench_read(&b, 0x100), 0);
	ck_assert_uint_eq(bench_read(&b, 0xfffffffc), 0);
	ck_assert_uint_eq(esp_soc_read(b.soc, 1, CSR(MEM, ESP_CSR_TILE_ID)), 0);/* no such CPU */
}

TEST(configuration_registers_keep_their_bits)
{
	/* Widths and reset values of the registers at 0x180 and up; numbers and VALID as booted. */
	static const struct { uint32_t reg, mask, reset; } regs[] = {
		{ 0x180, 0x1, 0 }, { 0x184, 0xff, MEM }, { 0x188, 0x1f, 0 }, { 0x18c, 0x3, 0 },
		{ 0x190, 0, 0 }, { 0x194, 0, 0 }, { 0x198, 0x7ffff, 0x70095 },
		{ 0x19c, 0x7ff, 490 }, { 0x1a0, ~0u, 0x2af13ff4 },
		{ 0x1a4, ~0u, 0xb3a7a217 }, { 0x1a8, ~0u, 0x4e25366e },
		{ 0x1ac, 1, 0 }, { 0x1bc, ~0u, 0 }, { 0x1c4, 0xff, MEM },
		{ 0x1c8, 0x7, 0x3 }, { 0x1cc, 0xffffff, 0x70095 },
		{ 0x1f4, 0, 0 }, { 0x1fc, 0x1ff, 0 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(regs) / sizeof(*regs); i++) {
		ck_assert_uint_eq(bench_read(&b, CSR(MEM, regs[i].reg)), regs[i].reset);
		bench_write(&b, CSR(MEM, regs[i].reg), 0xffffffff);
		ck_assert_uint_eq(bench_read(&b, CSR(MEM, regs[i].reg)), regs[i].mask);
	}
	/* The writes do not move the tile: it still answers at its place. */
	ck_assert_uint_eq(bench_read(&b, CSR(MEM, ESP_CSR_MON(ESP_MON_DVFS(3)))),
			  esp_soc_now(b.soc));
}

TEST(register_traffic_on_plane_5)
{
	unsigned int k;

	/* 10 reads of a foreign tile: 2 flits there and 2 back each. A write: 3. Own tile: none. */
	for (k = 0; k < 10; k++)
		bench_read(&b, CSR(MEM, ESP_CSR_MON(k)));
	settle(&b);
	ck_assert_uint_eq(mon(&b, CPU, ESP_MON_NOC_INJECT(4)), 20);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_NOC_INJECT(4)), 20);
	bench_write(&b, CSR(MEM, ESP_CSR_BURST), 1);
	settle(&b);
	ck_assert_uint_eq(mon(&b, CPU, ESP_MON_NOC_INJECT(4)), 23);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_NOC_INJECT(4)), 20);
	bench_read(&b, CSR(CPU, 4));
	bench_write(&b, CSR(CPU, ESP_CSR_BURST), 1);
	settle(&b);
	ck_assert_uint_eq(mon(&b, CPU, ESP_MON_NOC_INJECT(4)), 23);
	/*
	 * Links: cpu (0,1) to mem (1,0) goes west first, by tile (0,0), then south; back from (1,0)
	 * east to (1,1), then north.
	 */
	ck_assert_uint_eq(mon(&b, CPU, ESP_MON_NOC_QUEUE(4, 2)), 23);
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_NOC_QUEUE(4, 1)), 23);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_NOC_QUEUE(4, 3)), 20);
	ck_assert_uint_eq(mon(&b, ACC1, ESP_MON_NOC_QUEUE(4, 0)), 20);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_NOC_QUEUE(4, 0)), 0);
	/* Edges of the mesh have no port. */
	ck_assert_uint_eq(mon(&b, CPU, ESP_MON_NOC_QUEUE(4, 0)), 0);
	ck_assert_uint_eq(mon(&b, CPU, ESP_MON_NOC_QUEUE(4, 3)), 0);
}

/* The APBUART is in the IO tile; the emulator defines its registers. */
TEST(the_uart_is_a_register_of_the_io_tile)
{
	ck_assert_uint_eq(bench_read(&b, ESP_UART + 4), 0);
	bench_write(&b, ESP_UART, 'x');
	bench_read(&b, ESP_UART + ESP_UART_SIZE);	/* no device */
	settle(&b);
	ck_assert_uint_eq(mon(&b, CPU, ESP_MON_NOC_INJECT(4)), 2 + 3);
	ck_assert_uint_eq(mon(&b, IO, ESP_MON_NOC_INJECT(4)), 2);
}

TEST(many_reads_without_time_do_not_pile_up)
{
	unsigned int k;

	for (k = 0; k < 100000; k++)
		bench_read(&b, CSR(MEM, 4));
	settle(&b);
	ck_assert_uint_eq(mon(&b, CPU, ESP_MON_NOC_INJECT(4)), 200000);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_NOC_INJECT(4)), 200000);
	ck_assert_uint_eq(b.errors, 0);
}

TEST(accelerator_registers)
{
	uint32_t reg;

	ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_DEVID), 0x00eb0059);
	ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_PT_NCHUNK_MAX), 128);
	ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_YX), 0x11);	/* row 1, column 1 */
	acc_write(&b, 1, ESP_ACC_YX, 0xffffffff);
	ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_YX), 0xffffff11);
	for (reg = ESP_ACC_STATUS; reg <= ESP_ACC_DEVID; reg += 4) {
		uint32_t before = acc_read(&b, 1, reg);

		acc_write(&b, 1, reg, ~before);
		ck_assert_uint_eq(acc_read(&b, 1, reg), before);
	}
	for (reg = ESP_ACC_USER; reg < ESP_ACC_USER_END; reg += 4) {
		acc_write(&b, 1, reg, reg * 3);
		ck_assert_uint_eq(acc_read(&b, 1, reg), reg * 3);
	}
	/* Not implemented: extended page table address, words 56 to 60, after the coordinates. */
	acc_write(&b, 1, ESP_ACC_PT_ADDRESS_EXT, 1);
	acc_write(&b, 1, 0x38, 1);
	acc_write(&b, 1, ESP_ACC_YX_END, 1);
	ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_PT_ADDRESS_EXT), 0);
	ck_assert_uint_eq(acc_read(&b, 1, 0x38), 0);
	ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_YX_END), 0);
	/* Fields are narrower than their registers, which keep all bits. */
	for (reg = ESP_ACC_PT_ADDRESS; reg <= ESP_ACC_MCAST; reg += 4) {
		if (reg == ESP_ACC_PT_NCHUNK_MAX || reg == ESP_ACC_PT_ADDRESS_EXT)
			continue;
		acc_write(&b, 1, reg, 0xffffff00 | reg);
		ck_assert_uint_eq(acc_read(&b, 1, reg), 0xffffff00 | reg);
	}
}

TEST(preset_wraps)
{
	struct esp_params params = bench_params();
	struct fft f = fft_default(7);

	params.preset = 0xffffff80;	/* 128 before the wrap */
	open_with(&params);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 0xffffff80);
	fft_run(&b, &f);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 257 - 128);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_REQ), 137 - 128);
	/* The pair carries into its high word, which starts at 0. */
	ck_assert_uint_lt(mon(&b, ACC0, ESP_MON_ACC_TOT_LO), 0xffffff80);
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_ACC_TOT_HI), 1);
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_ACC_MEM_HI), 1);
	/* Undefined monitors stay 0. */
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_DDR), 0);
}

TEST(layout_2021_has_no_invocations)
{
	struct esp_params params = bench_params();
	struct fft f = fft_default(7);
	unsigned int i;
	uint32_t tot;

	params.layout = 2021;
	open_with(&params);
	fft_run(&b, &f);
	/* Injects start at 22 instead of 23, queues at 28; 58 monitors. */
	ck_assert_uint_eq(bench_read(&b, CSR(ACC0, ESP_CSR_MON(22 + 5))), 137);
	ck_assert_uint_eq(mon(&b, ACC0, 22 + 5), 137);
	ck_assert_uint_eq(mon(&b, ACC0, 28 + 5 * 5 + 4), 137);
	ck_assert_uint_eq(bench_read(&b, CSR(ACC0, ESP_CSR_MON(58))), 0);
	for (i = 18; i < 21; i++)
		ck_assert_uint_eq(mon(&b, ACC0, i), 0);
	ck_assert_uint_eq(mon(&b, ACC0, 21), esp_soc_now(b.soc));
	ck_assert_uint_eq(esp_soc_topology(b.soc, ESP_TOPO_LAYOUT), 2021);
	/* Its accelerator counters hold one run: a start clears them. */
	tot = mon(&b, ACC0, ESP_MON_ACC_TOT_LO);
	ck_assert_uint_gt(tot, 0);
	fft_run(&b, &f);
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_ACC_TOT_LO), tot);
}

/*
 * VESPA (hardware-fab/vespa, esp_tile_csr.vhd): no counter of invocations, but at 18 a round-trip time,
 * which is not modelled; ejections at 29, queues at 35; 65 registers.
 */
TEST(layout_of_vespa_has_ejections)
{
	struct esp_params params = bench_params();
	struct fft f = fft_default(7);
	unsigned int plane, t;

	params.layout = 65;
	open_with(&params);
	fft_run(&b, &f);
	ck_assert_uint_eq(mon(&b, ACC0, 18), 0);
	ck_assert_uint_eq(mon(&b, ACC0, 22), esp_soc_now(b.soc));
	/* 3 + 3 + 131 flits go to the memory tile on plane 6, 2 + 129 come back on plane 4 */
	ck_assert_uint_eq(bench_read(&b, CSR(ACC0, ESP_CSR_MON(23 + 5))), 137);
	ck_assert_uint_eq(bench_read(&b, CSR(MEM, ESP_CSR_MON(29 + 5))), 137);
	ck_assert_uint_eq(bench_read(&b, CSR(MEM, ESP_CSR_MON(35 + 5 * 5 + 4))), 137);
	ck_assert_uint_eq(bench_read(&b, CSR(ACC0, ESP_CSR_MON(29 + 3))), 131);
	ck_assert_uint_eq(mon(&b, ACC0, 29 + 5), 0);
	ck_assert_uint_eq(bench_read(&b, CSR(MEM, ESP_CSR_MON(65))), 0);
	/* Every flit that enters the network leaves it. */
	settle(&b);
	for (plane = 0; plane < ESP_NPLANES; plane++) {
		uint32_t in = 0, out = 0;

		for (t = 0; t < 6; t++) {
			in += mon(&b, t, 23 + plane);
			out += mon(&b, t, 29 + plane);
		}
		ck_assert_uint_eq(in, out);
	}
	/* also in a sample */
	bench_write(&b, CSR(MEM, ESP_CSR_BURST), 1);
	fft_run(&b, &f);
	ck_assert_uint_eq(bench_read(&b, CSR(MEM, ESP_CSR_MON(29 + 5))), 137);
	bench_write(&b, CSR(MEM, ESP_CSR_BURST), 0);
	ck_assert_uint_eq(bench_read(&b, CSR(MEM, ESP_CSR_MON(29 + 5))), 2 * 137);
}

TEST(aborted_run_hides_the_next_start)
{
	struct fft f = fft_default(7);

	fft_fill(&b, &f);
	fft_start(&b, &f);
	esp_soc_advance(b.soc, esp_soc_now(b.soc) + 100);
	acc_write(&b, 0, ESP_ACC_CMD, 0);
	settle(&b);
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_ACC_INVOCATIONS), 1);
	fft_run(&b, &f);	/* "started" was still set */
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_ACC_INVOCATIONS), 1);
	fft_run(&b, &f);
	ck_assert_uint_eq(mon(&b, ACC0, ESP_MON_ACC_INVOCATIONS), 2);
}

TEST(topology)
{
	static const uint32_t kinds[] = {
		ESP_TILE_ACC | ESP_TOPO_TILE_HAS_L2, ESP_TILE_CPU, ESP_TILE_MEM,
		ESP_TILE_ACC | 1 << 8, ESP_TILE_ACC | 2 << 8, ESP_TILE_IO,
	};
	char name[ESP_TOPO_ACC_NAME_LEN];
	unsigned int i;

	ck_assert_uint_eq(esp_soc_topology(b.soc, ESP_TOPO_MAGIC), ESP_TOPO_MAGIC_VALUE);
	ck_assert_uint_eq(esp_soc_topology(b.soc, ESP_TOPO_ROWS), 3);
	ck_assert_uint_eq(esp_soc_topology(b.soc, ESP_TOPO_COLS), 2);
	ck_assert_uint_eq(esp_soc_topology(b.soc, ESP_TOPO_NACC), 3);
	ck_assert_uint_eq(esp_soc_topology(b.soc, ESP_TOPO_LINE_BYTES), 16);
	ck_assert_uint_eq(esp_soc_topology(b.soc, ESP_TOPO_MEM_BASE), MEM_BASE);
	ck_assert_uint_eq(esp_soc_topology(b.soc, ESP_TOPO_MEM_MIB), MEM_SIZE >> 20);
	for (i = 0; i < 6; i++)
		ck_assert_uint_eq(esp_soc_topology(b.soc, ESP_TOPO_TILE(i)), kinds[i]);
	ck_assert_uint_eq(esp_soc_topology(b.soc, ESP_TOPO_TILE(6)), 0);
	ck_assert_uint_eq(esp_soc_topology(b.soc, ESP_TOPO_ACC(2) + ESP_TOPO_ACC_TILE), 4);
	for (i = 0; i < sizeof(name); i += 4) {
		uint32_t word = esp_soc_topology(b.soc, ESP_TOPO_ACC(2) + ESP_TOPO_ACC_NAME + i);
		unsigned int k;

		for (k = 0; k < 4; k++)
			name[i + k] = word >> 8 * k;
	}
	ck_assert_str_eq(name, "fft_stratus");
	ck_assert_uint_eq(esp_soc_topology(b.soc, ESP_TOPO_ACC(3)), 0);
	ck_assert_uint_eq(esp_soc_topology(b.soc, 0xfffc), 0);
}

/* Third-party accelerator: no cycle counter, no registers; SLM tiles have one, empty tiles none. */
TEST(other_tiles_read_zero)
{
	static struct esp_design design;
	struct bench other;
	unsigned int i;

	bench_load(&design, "nvdla-2x2");
	bench_open(&other, &design, NULL);
	esp_soc_advance(other.soc, 500);
	for (i = 0; i < ESP_NMON; i++)
		ck_assert_uint_eq(mon(&other, 2, i), 0);
	acc_write(&other, 0, ESP_ACC_CMD, 1);
	settle(&other);
	ck_assert_uint_eq(acc_read(&other, 0, ESP_ACC_CMD), 0);
	ck_assert_uint_eq(acc_read(&other, 0, ESP_ACC_DEVID), 0);
	bench_close(&other);

	bench_load(&design, "slm-3x2");
	bench_open(&other, &design, NULL);
	esp_soc_advance(other.soc, 500);
	for (i = 0; i < ESP_NMON; i++)
		ck_assert_uint_eq(mon(&other, 3, i), i == ESP_MON_DVFS(3) ? 500 : 0);
	bench_close(&other);

	bench_load(&design, "nocache-2x2");
	bench_open(&other, &design, NULL);
	esp_soc_advance(other.soc, 500);
	for (i = 0; i < ESP_NMON; i++)
		ck_assert_uint_eq(mon(&other, 2, i), 0);	/* the empty tile */
	ck_assert_uint_eq(bench_read(&other, CSR(2, ESP_CSR_TILE_ID)), 2);
	bench_close(&other);
}
