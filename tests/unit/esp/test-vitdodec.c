// SPDX-License-Identifier: GPL-2.0-only
/*
 * VITDODEC_STRATUS decodes the output of an encoder that follows IEEE 802.11-2016, 17.3.5.6
 * (generators 133 and 171, octal, the newest bit first) and 17.3.5.7 (puncturing for rate 3/4).
 */
#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include "events/esp/accelerators.h"

#define ACC		1	/* in tile 3 */
#define MEM		2
#define BUFFER		(MEM_BASE + 0x100000)
#define TABLE		(MEM_BASE + 0x10000)
#define SYMBOLS		(BUFFER + 72)
#define OUTPUT		(BUFFER + ESP_VITDODEC_STRATUS_UNIT)
/* with NTRACEBACK 5; two symbols a bit, four less in the first block */
#define MAX_BITS	(ESP_VITDODEC_STRATUS_SUM_MOST - 8 * 5)
#define NSYMBOLS	(2 * ESP_VITDODEC_STRATUS_SUM_MOST - 4)

/*
 * vitdodec.cpp: 72 bytes and 24780 symbols are read, 18585 bytes are written, each in whole words.
 */
_Static_assert(NSYMBOLS == 24780, "another number of symbols");
_Static_assert(ESP_VITDODEC_STRATUS_UNIT == (72 + 24780 + 7) / 8 * 8, "another input");
_Static_assert(ESP_VITDODEC_STRATUS_BEHIND == (18585 + 7) / 8 * 8, "another output");

static struct bench b;
static uint8_t data[MAX_BITS];

static void setup(void)
{
	static struct esp_design design;

	bench_load(&design, "vitdodec-3x2");
	bench_open(&b, &design, NULL);
}

static void teardown(void)
{
	bench_close(&b);
}

/* x[0] is the newest bit, x[6] the oldest. */
static void send(const unsigned int x[7], uint8_t symbols[2])
{
	symbols[0] = x[0] ^ x[2] ^ x[3] ^ x[5] ^ x[6];
	symbols[1] = x[0] ^ x[1] ^ x[2] ^ x[3] ^ x[6];
}

static uint8_t *byte_at(uint32_t addr)
{
	return &b.mem[addr - MEM_BASE];
}

/* The decoder's table of the code: the symbols of the even states; bit n of 2 * i is x[n]. */
static void put_tables(void)
{
	unsigned int i, n;

	for (i = 0; i < 32; i++) {
		unsigned int x[7];
		uint8_t symbols[2];

		for (n = 0; n < 7; n++)
			x[n] = 2 * i >> n & 1;
		send(x, symbols);
		*byte_at(BUFFER + i) = symbols[0];
		*byte_at(BUFFER + 32 + i) = symbols[1];
	}
}

/* Random bits, followed by zeros to the end of the input. */
static void encode(unsigned int bits)
{
	unsigned int x[7] = { 0 }, i;

	srandom(802);
	for (i = 0; i < NSYMBOLS / 2; i++) {
		memmove(x + 1, x, 6 * sizeof(*x));
		x[0] = i < bits ? random() & 1 : 0;
		if (i < bits)
			data[i] = x[0];
		send(x, byte_at(SYMBOLS + 2 * i));
	}
}

static void start(unsigned int bits, unsigned int ntraceback)
{
	put64(&b, TABLE, BUFFER);
	acc_write(&b, ACC, ESP_ACC_PT_ADDRESS, TABLE);
	acc_write(&b, ACC, ESP_ACC_PT_NCHUNK, 1);
	acc_write(&b, ACC, ESP_ACC_PT_SHIFT, 20);
	/* user registers 16, 17 and 18 in the order of vitdodec.xml */
	acc_write(&b, ACC, 0x40, bits);
	acc_write(&b, ACC, 0x44, ntraceback);
	acc_write(&b, ACC, 0x48, 48);
	memset(byte_at(OUTPUT), 0xff, ESP_VITDODEC_STRATUS_BEHIND);
	acc_write(&b, ACC, ESP_ACC_CMD, 1);
	acc_finish(&b, ACC);
}

static void check(unsigned int bits)
{
	unsigned int i;

	for (i = 0; i < bits; i++)
		ck_assert_msg(*byte_at(OUTPUT + i) == data[i], "bit %u of %u", i, bits);
	/* it decodes whole blocks of 8, of which the rest are the zeros that were sent */
	for (; i < ESP_VITDODEC_STRATUS_BEHIND; i++)
		ck_assert_uint_eq(*byte_at(OUTPUT + i), 0);
	ck_assert_uint_eq(b.errors, 0);
}

static const struct {
	unsigned int bits, ntraceback;
} sizes[] = {
	{ 288, 5 },		/* as in ESP's own program */
	{ 8, 5 }, { 13, 5 }, { MAX_BITS, 5 }, { 1000, ESP_VITDODEC_NTRACEBACK_MOST },
};

SUITE("vitdodec", .setup = setup, .teardown = teardown);

LOOP_TEST(decodes_what_was_sent, 0, sizeof(sizes) / sizeof(*sizes))
{
	put_tables();
	encode(sizes[_i].bits);
	start(sizes[_i].bits, sizes[_i].ntraceback);
	check(sizes[_i].bits);
}

/* The code's free distance is 10: single errors far apart are corrected. */
TEST(mends_errors)
{
	unsigned int i;

	put_tables();
	encode(2000);
	for (i = 5; i < 2 * 2000; i += 23)
		*byte_at(SYMBOLS + i) ^= 1;
	start(2000, 5);
	check(2000);
}

/* Rate 3/4 leaves out the second symbol of each second bit of three, and the first one of the third. */
TEST(fills_in_what_was_punctured)
{
	unsigned int i;

	put_tables();
	encode(2000);
	for (i = 0; i < NSYMBOLS; i++)
		if (i % 6 == 3 || i % 6 == 4)
			*byte_at(SYMBOLS + i) = 2;
	start(2000, ESP_VITDODEC_NTRACEBACK_MOST);
	check(2000);
}

/* Sizes of its two transfers do not depend on the registers: 24856 and ESP_VITDODEC_STRATUS_BEHIND bytes, in words of 8. */
TEST(moves_fixed_sizes)
{
	put_tables();
	encode(8);
	start(8, 5);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_REQ), 3 + 3 + 3 + ESP_VITDODEC_STRATUS_BEHIND / 8);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_RSP), 2 + 1 + 24856 / 8);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 1 + 24856 / 8 + ESP_VITDODEC_STRATUS_BEHIND / 8);
	ck_assert_uint_eq(acc_read(&b, ACC, ESP_ACC_DEVID), 0x00eb0030);
	ck_assert_uint_eq(acc_read(&b, ACC, ESP_ACC_PT_NCHUNK_MAX), 4);
}

static const struct {
	unsigned int bits, ntraceback;
} wrong[] = {
	{ 8, 0 }, { 8, 12 }, { MAX_BITS + 1, 5 }, { MAX_BITS, 6 }, { ~0u, 5 },
};

LOOP_TEST(refuses_what_does_not_fit, 0, sizeof(wrong) / sizeof(*wrong))
{
	start(wrong[_i].bits, wrong[_i].ntraceback);
	ck_assert_uint_eq(b.errors, 1);
	ck_assert_uint_eq(*byte_at(OUTPUT), 0xff);
}
