// SPDX-License-Identifier: GPL-2.0-only
/* Decoder, encoder and text of the DPU's instructions against words of the vendor's tools. */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/isa/dpu_isa.h"
#include "tests/main.h"

/* The bits of a word that its encoding uses; the hardware ignores the others. */
static uint64_t significant(const struct dpu_encoding *e)
{
	uint64_t bits = e->mask;

	for (int i = 0; i < DPU_MAX_OPERANDS && e->operands[i]; i++) {
		const struct dpu_operand *o = &dpu_operands[e->operands[i]];

		for (int s = 0; s < o->slices; s++)
			bits |= ((UINT64_C(1) << (o->slice[s].hi - o->slice[s].lo + 1)) - 1) <<
				o->slice[s].lo;
	}
	return bits;
}

/* adds and subs have the sign of their number eight times; any of these bits counts. */
static bool has_copies(const struct dpu_encoding *e)
{
	return e->form == DPU_FORM_ssi;
}

static void check_round_trip(uint64_t word, const struct dpu_insn *insn)
{
	struct dpu_insn again;
	uint64_t encoded;

	ck_assert_msg(dpu_encode(insn, &encoded), "%012" PRIx64 " does not encode", word);
	if (!has_copies(insn->encoding))
		ck_assert_msg(!((encoded ^ word) & significant(insn->encoding)),
			      "%012" PRIx64 " encodes to %012" PRIx64, word, encoded);
	ck_assert(dpu_decode(encoded, &again));
	ck_assert_mem_eq(&again, insn, sizeof(again));
}

SUITE("upmem isa", .timeout = 60);

TEST(golden_words_decode_to_their_text)
{
	static const char *const forms[] = {
#define DPU_FORM(name) #name,
#include "dpu/isa/dpu_op.def"
#undef DPU_FORM
	};
	FILE *file = fopen(UPMEM_VECTORS, "r");
	char line[256], expected[128], name[64], signature[64], text[DPU_TEXT_SIZE];
	static unsigned int seen[973];
	struct dpu_insn insn;
	uint64_t word;
	int words = 0;

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(dpu_encoding_count, 973);
	while (fgets(line, sizeof(line), file)) {
		if (line[0] == '#')
			continue;
		ck_assert_int_eq(sscanf(line, "%" SCNx64 ";%63[^;];%127[^\n]", &word, name, expected), 3);
		ck_assert_msg(dpu_decode(word, &insn), "illegal: %s", line);
		snprintf(signature, sizeof(signature), "%s:%s", insn.encoding->name,
			 insn.encoding->form == DPU_FORM_none ? "" : forms[insn.encoding->form]);
		ck_assert_str_eq(signature, name);
		dpu_insn_text(&insn, DPU_TEXT_SDK, text);
		ck_assert_str_eq(text, expected);
		check_round_trip(word, &insn);
		seen[insn.encoding - dpu_encodings]++;
		words++;
	}
	fclose(file);
	ck_assert_int_eq(words, 2919);
	for (size_t i = 0; i < dpu_encoding_count; i++)
		ck_assert_msg(seen[i] == 3, "encoding %zu (%s) has %u words, not 3", i,
			      dpu_encodings[i].name, seen[i]);
}

/* The kernel of UPMEM's page on performance counters, byte for byte as it is printed there. */
static const struct {
	uint64_t word;
	const char *text;
} page[] = {
	{ 0x606300000000, "move r0, 0" },
	{ 0x51eb00200000, "move.s d2, 2" },
	{ 0x00ff008e2000, "add r1, id8, 1256" },
	{ 0x7c0446050000, "sd r1, 0, d2" },
	{ 0x700400000002, "sdma r1, r0, 0" },
	{ 0x616300800000, "move r2, 8" },
	{ 0x52eb00100000, "move.s d4, 1" },
	{ 0x7c0446090000, "sd r1, 0, d4" },
	{ 0x700400040002, "sdma r1, r2, 0" },
	{ 0x700400000000, "ldma r1, r0, 0" },
	{ 0x720746000000, "ld d4, r1, 0" },
	{ 0x700400040000, "ldma r1, r2, 0" },
	{ 0x730746000000, "ld d6, r1, 0" },
	{ 0x0e9c00ca0000, "add r5, r7, r5" },
	{ 0x0e1820c80000, "addc r4, r6, r4" },
	{ 0x7c0446090000, "sd r1, 0, d4" },
	{ 0x606300000000, "move r0, 0" },
	{ 0x700400040002, "sdma r1, r2, 0" },
	{ 0x8c5f00000000, "jump r23" },
};

TEST(words_of_the_page_decode_and_encode)
{
	struct dpu_insn insn;
	char text[DPU_TEXT_SIZE];
	uint64_t word;

	ck_assert_uint_eq(sizeof(page) / sizeof(page[0]), 19);
	for (size_t i = 0; i < sizeof(page) / sizeof(page[0]); i++) {
		ck_assert(dpu_decode(page[i].word, &insn));
		dpu_insn_text(&insn, DPU_TEXT_OBJDUMP, text);
		ck_assert_str_eq(text, page[i].text);
		ck_assert(dpu_encode(&insn, &word));
		ck_assert_uint_eq(word, page[i].word);
	}
}

/* xorshift64*, so that the sequence below is the same everywhere. */
static uint64_t next_word(uint64_t *x)
{
	*x ^= *x >> 12;
	*x ^= *x << 25;
	*x ^= *x >> 27;
	return (*x * UINT64_C(0x2545f4914f6cdd1d)) >> 16;
}

/*
 * The number of legal words and the FNV-1a hash over the encodings' indexes in the published table (0xffff: illegal) come
 * from an independent decoder that evaluates that table's predicates as text. The vectors have its order.
 */
#define RANDOM_WORDS 1000000
#define RANDOM_LEGAL 220031
#define RANDOM_HASH UINT64_C(0x9140f49c611597f5)

static uint16_t published[973];

static void find_published(void)
{
	FILE *file = fopen(UPMEM_VECTORS, "r");
	struct dpu_insn insn;
	unsigned int vectors = 0;
	char line[256];

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file))
		if (line[0] != '#' && dpu_decode(strtoull(line, NULL, 16), &insn))
			published[insn.encoding - dpu_encodings] = vectors++ / 3;
	fclose(file);
	ck_assert_uint_eq(vectors, 3 * dpu_encoding_count);
}

TEST(random_words_decode_as_published)
{
	uint64_t x = UINT64_C(0x9e3779b97f4a7c15), hash = UINT64_C(0xcbf29ce484222325);
	struct dpu_insn insn;
	unsigned int legal = 0;

	find_published();
	for (int i = 0; i < RANDOM_WORDS; i++) {
		uint64_t word = next_word(&x);
		uint16_t index = 0xffff;

		if (dpu_decode(word, &insn)) {
			index = published[insn.encoding - dpu_encodings];
			legal++;
			if (i % 16 == 0)
				check_round_trip(word, &insn);
		}
		hash = (hash ^ index) * UINT64_C(0x100000001b3);
	}
	ck_assert_uint_eq(legal, RANDOM_LEGAL);
	ck_assert_uint_eq(hash, RANDOM_HASH);
}

TEST(illegal_words_are_refused)
{
	struct dpu_insn insn;

	ck_assert(!dpu_decode(0, &insn));	/* the filler of real images */
	ck_assert(!dpu_decode(UINT64_C(0xf00000000000), &insn));
	/* A word is 48 bits; the upper 16 of its slot are zero. */
	ck_assert(!dpu_decode(page[0].word | UINT64_C(1) << 48, &insn));
}

TEST(what_does_not_fit_does_not_encode)
{
	struct dpu_insn insn;
	uint64_t word;

	ck_assert(dpu_decode(0x7c0446050000, &insn));	/* sd r1, 0, d2: a 24-bit offset */
	insn.value[DPU_SLOT_OFF] = (1 << 23) - 1;
	ck_assert(dpu_encode(&insn, &word));
	insn.value[DPU_SLOT_OFF] = 1 << 23;
	ck_assert(!dpu_encode(&insn, &word));
	insn.value[DPU_SLOT_OFF] = -(1 << 23);
	ck_assert(dpu_encode(&insn, &word));
	ck_assert(dpu_decode(0x0e9c00ca0000, &insn));	/* add r5, r7, r5 */
	insn.value[DPU_SLOT_RB] = 24;			/* rb has no constants */
	ck_assert(!dpu_encode(&insn, &word));
}

TEST(conditions_have_the_documented_numbers)
{
	/* "in sub classes c == geu, nc == ltu": UPMEM assembler documentation */
	ck_assert_int_eq(dpu_cond_cc(DPU_CC_SUB_NZ, DPU_COND_GEU), 21);
	ck_assert_int_eq(dpu_cond_cc(DPU_CC_SUB_NZ, DPU_COND_C), -1);
	ck_assert_int_eq(dpu_cond_cc(DPU_CC_ADD_NZ, DPU_COND_NC5), 22);
	ck_assert_int_eq(dpu_cond_cc(DPU_CC_ADD_NZ, DPU_COND_NC14), 31);
	ck_assert_int_eq(dpu_cond_cc(DPU_CC_EXT_SUB_SET, DPU_COND_XGTU), 63);
	ck_assert_int_eq(dpu_cond_cc(DPU_CC_EXT_SUB_SET, DPU_COND_Z), 6);
	ck_assert_int_eq(dpu_cc_cond(DPU_CC_EXT_SUB_SET, 34), DPU_COND_Z);
	ck_assert_int_eq(dpu_cc_cond(DPU_CC_MUL_NZ, 8), DPU_COND_INVALID);
	ck_assert_str_eq(dpu_cond_name(DPU_COND_XLEU), "xleu");
	ck_assert_str_eq(dpu_cond_name(DPU_COND_INVALID), "???");
}
