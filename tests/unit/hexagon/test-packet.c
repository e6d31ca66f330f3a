/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packet decoder. The words are LLVM's encoding of the text beside them; the expected counts follow
 * from that text by the rules of the V73 Programmer's Reference Manual.
 */
#include <check.h>
#include <stdlib.h>

#include "hexagon/packet.h"
#include "hexagon/vector.h"
#include "tests/main.h"

struct sample {
	const char *text;
	uint32_t words[4];
	unsigned int count;
	uint8_t add[HEXAGON_COUNTS];
};

/* Every packet counts itself once; only its other counts are listed. */
static const struct sample samples[] = {
	{ "{ r0 = #0 }", { 0x7800c000 }, 1, { [HEXAGON_INSTS] = 1 } },
	{ "{ r1 = ##0x12345678 }", { 0x01235159, 0x7800c701 }, 2, { [HEXAGON_INSTS] = 1 } },
	{ "{ nop; nop }", { 0x7f004000, 0x7f00c000 }, 2,
	  { [HEXAGON_INSTS] = 2, [HEXAGON_NOPS] = 2 } },
	{ "{ r2 = memw(r3+#4); memw(r4+#8) = r5 } as duplex", { 0x81320245 }, 1,
	  { [HEXAGON_INSTS] = 2, [HEXAGON_DUPLEXES] = 1, [HEXAGON_LOADS] = 1,
	    [HEXAGON_STORES] = 1 } },
	{ "{ r2 = memw(r3+#4); r6 = memw(r4+#8) } as duplex", { 0x01320246 }, 1,
	  { [HEXAGON_INSTS] = 2, [HEXAGON_DUPLEXES] = 1, [HEXAGON_LOADS] = 2 } },
	{ "{ memw(r0+#4) += r1 }", { 0x3e40c081 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_MEMOPS] = 1 } },
	{ "{ p0 = cmp.eq(r0,#0); if (p0.new) jump:t X } compound, extended",
	  { 0x00004000, 0x1000e000 }, 2,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_FLOW] = 1, [HEXAGON_BIMODAL] = 1 } },
	{ "{ if (p0) jump X; if (!p0) jump X } extended",
	  { 0x00004000, 0x5c004000, 0x00004000, 0x5c20c000 }, 4,
	  { [HEXAGON_INSTS] = 2, [HEXAGON_FLOW] = 2, [HEXAGON_BIMODAL] = 2 } },
	{ "{ call X }", { 0x5a00c000 }, 1, { [HEXAGON_INSTS] = 1, [HEXAGON_FLOW] = 1 } },
	{ "{ callr r5 }", { 0x50a5c000 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_FLOW] = 1, [HEXAGON_INDIRECT] = 1 } },
	{ "{ if (p0) callr r5 }", { 0x5105c000 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_FLOW] = 1, [HEXAGON_INDIRECT] = 1,
	    [HEXAGON_BIMODAL] = 1 } },
	{ "{ jumpr r31 }", { 0x529fc000 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_FLOW] = 1, [HEXAGON_RETURNS] = 1 } },
	{ "{ jumpr r5 }", { 0x5285c000 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_FLOW] = 1, [HEXAGON_INDIRECT] = 1 } },
	{ "{ if (p1) jumpr:nt r31 }", { 0x535fc100 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_FLOW] = 1, [HEXAGON_RETURNS] = 1,
	    [HEXAGON_BIMODAL] = 1 } },
	{ "{ dealloc_return }", { 0x961ec01e }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_FLOW] = 1, [HEXAGON_RETURNS] = 1,
	    [HEXAGON_LOADS] = 1 } },
	{ "{ if (p0) dealloc_return }", { 0x961ed01e }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_FLOW] = 1, [HEXAGON_RETURNS] = 1,
	    [HEXAGON_BIMODAL] = 1, [HEXAGON_LOADS] = 1 } },
	{ "{ deallocframe }", { 0x901ec01e }, 1, { [HEXAGON_INSTS] = 1, [HEXAGON_LOADS] = 1 } },
	{ "{ allocframe(#16) }", { 0xa09dc002 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_STORES] = 1 } },
	{ "{ trap0(#1) }", { 0x5400c004 }, 1, { [HEXAGON_INSTS] = 1, [HEXAGON_FLOW] = 1 } },
	{ "{ pause(#3) }", { 0x5440c00c }, 1, { [HEXAGON_INSTS] = 1 } },
	{ "{ hintjr(r3) }", { 0x52a3c000 }, 1, { [HEXAGON_INSTS] = 1 } },
	{ "{ r0 = memw_locked(r1) }", { 0x9201c000 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_LOADS] = 1 } },
	{ "{ memw_locked(r1,p0) = r2 }", { 0xa0a1c200 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_STORES] = 1 } },
	{ "{ r0 = vextract(v1,r2) }", { 0x9202c120 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_HVX_INSTS] = 1, [HEXAGON_HVX_PACKETS] = 1 } },
	{ "{ v0.w = vadd(v1.w,v2.w) }", { 0x1c42c100 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_HVX_INSTS] = 1, [HEXAGON_HVX_PACKETS] = 1,
	    [HEXAGON_HVX_ALU] = 1 } },
	{ "{ v0.w = vadd(v1.w,v2.w); vmem(r1+#0) = v0.new }", { 0x1c424100, 0x2821c022 }, 2,
	  { [HEXAGON_INSTS] = 2, [HEXAGON_HVX_INSTS] = 2, [HEXAGON_HVX_PACKETS] = 1,
	    [HEXAGON_HVX_ALU] = 1 } },
	/* floating point, as the assembler encodes it; conversions are not counted */
	{ "{ r0 = sfadd(r1,r2) }", { 0xeb01c200 }, 1, { [HEXAGON_INSTS] = 1, [HEXAGON_FPS] = 1 } },
	{ "{ r31 = sfmpy(r30,r29) }", { 0xeb5edd1f }, 1, { [HEXAGON_INSTS] = 1, [HEXAGON_FPS] = 1 } },
	{ "{ r0 -= sfmpy(r1,r2):lib }", { 0xef01c2e0 }, 1, { [HEXAGON_INSTS] = 1, [HEXAGON_FPS] = 1 } },
	{ "{ r31 += sfmpy(r30,r29,p3):scale }", { 0xef7eddff }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_FPS] = 1 } },
	{ "{ r31,p3 = sfinvsqrta(r30) }", { 0x8bfec07f }, 1, { [HEXAGON_INSTS] = 1, [HEXAGON_FPS] = 1 } },
	{ "{ p3 = sfcmp.eq(r30,r29) }", { 0xc7fedd63 }, 1, { [HEXAGON_INSTS] = 1, [HEXAGON_FPS] = 1 } },
	{ "{ p3 = sfclass(r30,#31) }", { 0x85fedf03 }, 1, { [HEXAGON_INSTS] = 1, [HEXAGON_FPS] = 1 } },
	{ "{ r0 = sfmake(#1023):neg }", { 0xd660ffe0 }, 1, { [HEXAGON_INSTS] = 1, [HEXAGON_FPS] = 1 } },
	{ "{ r31:30 = dfadd(r29:28,r27:26) }", { 0xe81cda7e }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_FPS] = 1 } },
	{ "{ r1:0 = dfmpyll(r3:2,r5:4) }", { 0xe8a2c460 }, 1, { [HEXAGON_INSTS] = 1, [HEXAGON_FPS] = 1 } },
	{ "{ r31:30 += dfmpyhh(r29:28,r27:26) }", { 0xea9cda7e }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_FPS] = 1 } },
	{ "{ p3 = dfclass(r29:28,#31) }", { 0xdc9cc3f3 }, 1, { [HEXAGON_INSTS] = 1, [HEXAGON_FPS] = 1 } },
	{ "{ r1:0 = dfmake(#1023):neg }", { 0xd960ffe0 }, 1, { [HEXAGON_INSTS] = 1, [HEXAGON_FPS] = 1 } },
	{ "{ r0 = convert_uw2sf(r1) }", { 0x8b21c000 }, 1, { [HEXAGON_INSTS] = 1 } },
	{ "{ r1:0 = convert_sf2df(r2) }", { 0x8482c000 }, 1, { [HEXAGON_INSTS] = 1 } },
	{ "{ r31 += mpyi(r30,r29) }", { 0xef1edd1f }, 1, { [HEXAGON_INSTS] = 1 } },
	{ "{ dczeroa(r1) }", { 0xa0c1c000 }, 1, { [HEXAGON_INSTS] = 1, [HEXAGON_DCZERO] = 1 } },
	{ "{ dcfetch(r1+#8) }", { 0x9401c001 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_DCFETCH] = 1 } },
	{ "{ l2fetch(r1,r2) }", { 0xa601c200 }, 1, { [HEXAGON_INSTS] = 1 } },
	{ "{ l2fetch(r1,r3:2) }", { 0xa681c200 }, 1, { [HEXAGON_INSTS] = 1 } },
	{ "{ r0 = add(r1,r2); r3 = add(r4,r5); r6 = memw(r7+#0); memw(r8+#0) = r9 }",
	  { 0xf3014200, 0xf3044503, 0x91874006, 0xa188c900 }, 4,
	  { [HEXAGON_INSTS] = 4, [HEXAGON_LOADS] = 1, [HEXAGON_STORES] = 1 } },
	{ "{ loop0(X,#4) } extended", { 0x00004000, 0x6900c020 }, 2, { [HEXAGON_INSTS] = 1 } },
	/* the assembler adds NOPs: a loop-end marker needs a word that has it */
	{ "{ nop; r0 = r1; r2 = add(r2,#1) }:endloop0", { 0x7f008000, 0x30103122 }, 2,
	  { [HEXAGON_INSTS] = 3, [HEXAGON_NOPS] = 1, [HEXAGON_DUPLEXES] = 1,
	    [HEXAGON_LOOP_ENDS] = 1, [HEXAGON_FLOW] = 1 } },
	{ "{ nop; nop; r0 = r1; r2 = add(r2,#1) }:endloop1",
	  { 0x7f004000, 0x7f008000, 0x30103122 }, 3,
	  { [HEXAGON_INSTS] = 4, [HEXAGON_NOPS] = 2, [HEXAGON_DUPLEXES] = 1,
	    [HEXAGON_LOOP_ENDS] = 1, [HEXAGON_FLOW] = 1 } },
	{ "{ r3 = r4; nop; r0 = r1; r2 = add(r2,#1) }:endloop01",
	  { 0x70648003, 0x7f008000, 0x30103122 }, 3,
	  { [HEXAGON_INSTS] = 4, [HEXAGON_NOPS] = 1, [HEXAGON_DUPLEXES] = 1,
	    [HEXAGON_LOOP_ENDS] = 1, [HEXAGON_FLOW] = 1 } },
	{ "{ if (r1!=#0) jump:nt X }", { 0x6101c000 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_FLOW] = 1, [HEXAGON_BIMODAL] = 1 } },
	{ "{ r1 = memw(r2+#0); if (cmp.eq(r1.new,#0)) jump:nt X } extended",
	  { 0x91824001, 0x00004000, 0x2402c000 }, 3,
	  { [HEXAGON_INSTS] = 2, [HEXAGON_LOADS] = 1, [HEXAGON_FLOW] = 1,
	    [HEXAGON_BIMODAL] = 1 } },
	{ "{ if (p0) r1 = memb(r2+#1) }", { 0x4102c021 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_LOADS] = 1 } },
	{ "{ p0 = cmp.eq(r1,r1); if (!p0.new) memb(r2+#1) = r3 }", { 0xf2014100, 0x4602c308 }, 2,
	  { [HEXAGON_INSTS] = 2, [HEXAGON_STORES] = 1 } },
	{ "{ memb(r2+#1) = #5 }", { 0x3c02c085 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_STORES] = 1 } },
	{ "{ r1 = memw(##4096) }", { 0x00004040, 0x4980c001 }, 2,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_LOADS] = 1 } },
	{ "{ memw(r2++#4) = r3 }", { 0xab82c308 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_STORES] = 1 } },
	/* sub-instructions of the stack group, to which returns belong */
	{ "{ r0 = #0; jumpr r31 }", { 0x48003fc0 }, 1,
	  { [HEXAGON_INSTS] = 2, [HEXAGON_DUPLEXES] = 1, [HEXAGON_FLOW] = 1,
	    [HEXAGON_RETURNS] = 1 } },
	{ "{ r0 = #0; dealloc_return }", { 0x48003f40 }, 1,
	  { [HEXAGON_INSTS] = 2, [HEXAGON_DUPLEXES] = 1, [HEXAGON_FLOW] = 1,
	    [HEXAGON_RETURNS] = 1, [HEXAGON_LOADS] = 1 } },
	{ "{ r0 = #0; if (p0) jumpr r31 }", { 0x48003fc4 }, 1,
	  { [HEXAGON_INSTS] = 2, [HEXAGON_DUPLEXES] = 1, [HEXAGON_FLOW] = 1,
	    [HEXAGON_RETURNS] = 1, [HEXAGON_BIMODAL] = 1 } },
	{ "{ r0 = #0; if (!p0) dealloc_return }", { 0x48003f45 }, 1,
	  { [HEXAGON_INSTS] = 2, [HEXAGON_DUPLEXES] = 1, [HEXAGON_FLOW] = 1,
	    [HEXAGON_RETURNS] = 1, [HEXAGON_BIMODAL] = 1, [HEXAGON_LOADS] = 1 } },
	{ "{ r0 = #0; deallocframe }", { 0x48003f00 }, 1,
	  { [HEXAGON_INSTS] = 2, [HEXAGON_DUPLEXES] = 1, [HEXAGON_LOADS] = 1 } },
	{ "{ allocframe(#8); memd(r29+#-16) = r17:16 }", { 0xebf41c10 }, 1,
	  { [HEXAGON_INSTS] = 2, [HEXAGON_DUPLEXES] = 1, [HEXAGON_STORES] = 2 } },
	{ "{ r16 = memw(r29+#4); jumpr r31 }", { 0x3c181fc0 }, 1,
	  { [HEXAGON_INSTS] = 2, [HEXAGON_DUPLEXES] = 1, [HEXAGON_LOADS] = 1,
	    [HEXAGON_FLOW] = 1, [HEXAGON_RETURNS] = 1 } },
	{ "{ r1:0 = memd(r2+r3<<#2) }", { 0x3ac2e300 }, 1,
	  { [HEXAGON_INSTS] = 1, [HEXAGON_LOADS] = 1 } },
};

SUITE("hexagon packet");

LOOP_TEST(every_packet_adds_what_its_text_says, 0, sizeof(samples) / sizeof(samples[0]))
{
	const struct sample *sample = &samples[_i];
	struct hexagon_packet packet;

	ck_assert_uint_eq(hexagon_packet_decode(sample->words, 4, &packet), sample->count);
	for (int i = 0; i < HEXAGON_COUNTS; i++)
		ck_assert_msg(packet.add[i] == (i == HEXAGON_PACKETS ? 1 : sample->add[i]),
			      "%s: counter %d is %d", sample->text, i, packet.add[i]);
	ck_assert_int_eq(packet.loop_end, sample->add[HEXAGON_LOOP_ENDS]);
}

/* As the assembler encodes them. */
/* As the assembler encodes them; the pipes are those of the HVX manual. */
TEST(vector_instructions_have_a_pipe)
{
	static const struct {
		const char *text;
		uint32_t word;
		enum hexagon_pipe pipe;
	} cases[] = {
		{ "v0.w = vadd(v1.w,v2.w)", 0x1c42c100, HEXAGON_PIPE_ALU },
		{ "q0 = and(q1,q2)", 0x1e83c100, HEXAGON_PIPE_ALU },
		{ "v0 = v1", 0x1e03e1e0, HEXAGON_PIPE_ALU },
		{ "v1:0.w = vmpy(v2.h,v3.h)", 0x1c03c2e0, HEXAGON_PIPE_MULTIPLY },
		{ "v0.uh = vabsdiff(v1.h,v2.h)", 0x1cc2c120, HEXAGON_PIPE_MULTIPLY },
		{ "v0 = vsplat(r1)", 0x19a1c020, HEXAGON_PIPE_MULTIPLY },
		{ "q0 = vand(v1,r2)", 0x19a2c148, HEXAGON_PIPE_MULTIPLY },
		{ "q0 = vsetq(r1)", 0x19a1c044, HEXAGON_PIPE_PERMUTE },
		{ "v0.h = vasr(v1.h,r2)", 0x1962c1c0, HEXAGON_PIPE_SHIFT },
		{ "v0.h = vpopcount(v1.h)", 0x1e02c1c0, HEXAGON_PIPE_SHIFT },
		{ "v0 = valign(v1,v2,r3)", 0x1b13c100, HEXAGON_PIPE_PERMUTE },
		{ "v1:0 = vshuff(v2,v3,r4)", 0x1b1ce260, HEXAGON_PIPE_PERMUTE },
		{ "v0.b = vpacke(v1.h,v2.h)", 0x1fc2c140, HEXAGON_PIPE_PERMUTE },
		{ "v0 = vror(v1,r2)", 0x1962c120, HEXAGON_PIPE_PERMUTE },
		{ "vhist", 0x1e00e080, HEXAGON_PIPE_NONE },
		{ "v0 = vmem(r1+#0)", 0x2801c000, HEXAGON_PIPE_NONE },
		{ "v0 = vmemu(r1+#0)", 0x2801c0e0, HEXAGON_PIPE_NONE },
		{ "r0 = sfadd(r1,r2)", 0xeb01c200, HEXAGON_PIPE_NONE },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(hexagon_vector_pipe(cases[i].word) == cases[i].pipe, "%s", cases[i].text);
}

TEST(instructions_for_caches_name_their_registers)
{
	static const struct {
		uint32_t word;
		struct hexagon_operation operation;
	} cases[] = {
		{ 0x9401c001, { .kind = HEXAGON_OP_DCFETCH, .rs = 1, .offset = 8 } },
		{ 0x941fc7ff, { .kind = HEXAGON_OP_DCFETCH, .rs = 31, .offset = 16376 } },
		{ 0xa601c200, { .kind = HEXAGON_OP_L2FETCH, .rs = 1, .rt = 2 } },
		{ 0xa61edf00, { .kind = HEXAGON_OP_L2FETCH, .rs = 30, .rt = 31 } },
		{ 0xa681c200, { .kind = HEXAGON_OP_L2FETCH_WIDE, .rs = 1, .rt = 2 } },
		{ 0xa003c000, { .kind = HEXAGON_OP_DCCLEAN, .rs = 3 } },
		{ 0xa024c000, { .kind = HEXAGON_OP_DCINVALIDATE, .rs = 4 } },
		{ 0xa045c000, { .kind = HEXAGON_OP_DCINVALIDATE, .rs = 5 } },
		{ 0x56c6c000, { .kind = HEXAGON_OP_ICINVALIDATE, .rs = 6 } },
		/* allocframe(#8), memw(r1+#0) = r2, dczeroa(r1), r6 = memw(r7+#0) access memory */
		{ 0xa09dc001, { 0 } },
		{ 0xa181c200, { 0 } },
		{ 0xa0c1c000, { 0 } },
		{ 0x9187c006, { 0 } },
	};
	const struct hexagon_operation *want, *got;
	struct hexagon_packet packet;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ck_assert_uint_eq(hexagon_packet_decode(&cases[i].word, 1, &packet), 1);
		want = &cases[i].operation;
		got = &packet.operation;
		ck_assert_int_eq(got->kind, want->kind);
		if (!want->kind) {
			ck_assert_uint_eq(hexagon_word_operations(cases[i].word), 0);
			continue;
		}
		ck_assert_uint_eq(hexagon_word_operations(cases[i].word), HEXAGON_OPERATES_CACHES);
		ck_assert_uint_eq(got->rs, want->rs);
		if (want->kind == HEXAGON_OP_DCFETCH)
			ck_assert_uint_eq(got->offset, want->offset);
		if (want->kind == HEXAGON_OP_L2FETCH || want->kind == HEXAGON_OP_L2FETCH_WIDE)
			ck_assert_uint_eq(got->rt, want->rt);
	}
}

/* Words as the assembler makes them; of other control registers, as r0 = c13 and r1:0 = c13:12, none is a clock. */
TEST(reads_of_clocks_are_found)
{
	static const uint32_t reads[] = {
		0x6a0ec000, 0x6a0fc001, 0x680ec000,	/* upcyclelo, upcyclehi, upcycle */
		0x6a12c000, 0x6a13c000, 0x6812c000,	/* pktcount */
		0x6a1ec000, 0x6a1fc000, 0x681ec000,	/* utimer */
	};
	static const uint32_t others[] = { 0x6a0dc000, 0x680cc000, 0x6a10c000, 0x680fc000, 0x6a1dc000, 0x6814c000 };
	/* r0 = pmucnt0, s63; r1:0 = s49:48; r31 = gpmucnt0; r1:0 = gpcycle */
	static const uint32_t privileged[] = { 0x6eb0c000, 0x6ebfc000, 0x6f30c000, 0x6a3ac01f, 0x6838c000 };
	/* r0 = gelr; gelr = r0; s54 = r1; s49:48 = r1:0 */
	static const uint32_t no_counters[] = { 0x6a20c000, 0x6200c000, 0x6701c036, 0x6d00c030 };
	struct hexagon_packet packet;

	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		ck_assert_uint_eq(hexagon_packet_decode(&reads[i], 1, &packet), 1);
		ck_assert(packet.reads_clock);
		ck_assert_uint_eq(hexagon_word_operations(reads[i]), HEXAGON_READS_CLOCK);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		ck_assert_uint_eq(hexagon_word_operations(others[i]), 0);
	for (size_t i = 0; i < sizeof(privileged) / sizeof(privileged[0]); i++)
		ck_assert_uint_eq(hexagon_word_operations(privileged[i]), HEXAGON_READS_PRIVILEGED);
	for (size_t i = 0; i < sizeof(no_counters) / sizeof(no_counters[0]); i++)
		ck_assert_uint_eq(hexagon_word_operations(no_counters[i]), 0);
}

TEST(qfloat_is_found)
{
	static const uint32_t qfloat[] = {
		0x1f60e060, 0x1f7fff5f, 0x1f60e080,	/* vD.qf16 = vadd(Vu.hf,Vv.hf), of qf16, of qf16 and hf */
		0x1f60e0c0, 0x1f7fffbf, 0x1f60e0e0,	/* the same of vsub */
		0x1fbfff1f, 0x1fa0e040, 0x1fa0e020,	/* vadd to qf32 */
		0x1fa0e060, 0x1fbfffbf, 0x1fa0e080,	/* vsub */
		0x1fe0e060, 0x1fffff9f, 0x1fe0e0a0, 0x1fe0e000,	/* vmpy */
		0x1f9fff1e, 0x1fe0e0e0, 0x1fe0e0c0, 0x1fe0e020,
		0x1e04ff7f, 0x1e04e0c0, 0x1e04e000,	/* to hf, hf of a pair, sf */
	};
	/* vD.sf = vadd(Vu.sf,Vv.sf), .hf, vmpy, vmax, vfmin, vcvt, vcmp; vadd of words; r0 = add(r0,r1) */
	static const uint32_t others[] = {
		0x1f80e0c0, 0x1fa0e0e0, 0x1f80e020, 0x1fc0e020, 0x1c60e020, 0x1e04e080, 0x1c80e070, 0x1c42c100, 0xf301c000,
	};

	for (size_t i = 0; i < sizeof(qfloat) / sizeof(qfloat[0]); i++)
		ck_assert_uint_eq(hexagon_word_operations(qfloat[i]), HEXAGON_COMPUTES_QFLOAT);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		ck_assert_uint_eq(hexagon_word_operations(others[i]), 0);
}

/* call f, callr r28, if (p0) call f, if (p0) callr r2; jump f, jumpr r31 and if (p0) jump f are none. */
TEST(calls_are_found)
{
	static const uint32_t calls[] = { 0x5a00c004, 0x50bcc000, 0x5d00c008, 0x5102c000 };
	static const uint32_t others[] = { 0x5800c004, 0x529fc000, 0x5c00c008 };
	struct hexagon_packet packet;

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		ck_assert_uint_eq(hexagon_packet_decode(&calls[i], 1, &packet), 1);
		ck_assert(packet.calls);
		ck_assert_uint_eq(packet.add[HEXAGON_FLOW], 1);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		ck_assert_uint_eq(hexagon_packet_decode(&others[i], 1, &packet), 1);
		ck_assert(!packet.calls);
	}
}

/* The words are of memd in its forms, of frames, and of duplexes with these; then of loads of less and of a store. */
TEST(loads_of_pairs_are_found)
{
	static const uint32_t pairs[] = {
		0x91c2c020, 0x49c0c100, 0x9bc2c020, 0x41c2c020, 0x3ac2e380, 0x9dc2f000, 0x9fc0e880, 0x9dc2c000, 0x9bc2e020,
		0x30c2e380, 0x901ec01e, 0x961ec01e, 0x00323e08,
	};
	static const uint32_t others[] = {
		0x9182c041, 0x90e2c040, 0x90a2c040, 0x9102c021, 0xc9212813, 0xa1c2c001, 0x9082c020, 0x1c42c100,
	};
	struct hexagon_packet packet;

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		ck_assert_uint_eq(hexagon_packet_decode(&pairs[i], 1, &packet), 1);
		ck_assert(packet.loads_pair);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		ck_assert_uint_eq(hexagon_packet_decode(&others[i], 1, &packet), 1);
		ck_assert(!packet.loads_pair);
	}
}

TEST(registers_of_loads_and_results_are_found)
{
	static const struct {
		uint32_t word, writes, addresses;
		bool stores, pauses;
	} words[] = {
		{ 0x9180c022, 1 << 2, 1 << 0, false, false },			/* r2 = memw(r0+#4) */
		{ 0x9bc0c022, 1 << 2 | 1 << 3 | 1 << 0, 1 << 0, false, false },	/* r3:2 = memd(r0++#8) */
		{ 0x3a20e102, 1 << 2, 1 << 0 | 1 << 1, false, false },		/* r2 = memub(r0+r1<<#2) */
		{ 0x4980c702, 1 << 2, 0, false, false },			/* r2 = memw(##...) */
		{ 0x9200c002, 1 << 2, 1 << 0, false, false },			/* r2 = memw_locked(r0) */
		{ 0xa0a0c200, 0, 0, false, false },				/* memw_locked(r0,p0) = r2 */
		{ 0xa180c200, 0, 0, true, false },				/* memw(r0+#0) = r2 */
		{ 0xf200c100, 0, 0, false, false },				/* p0 = cmp.eq(r0,r1) */
		{ 0x8502c300, 0, 0, false, false },				/* p0 = tstbit(r2,#3) */
		{ 0x7600c0e1, 1 << 1, 0, false, false },			/* r1 = and(r0,#7) */
		{ 0xf501c004, 3 << 4, 0, false, false },			/* r5:4 = combine(r1,r0) */
		{ 0x01821146, 1 << 2 | 1 << 6, 1 << 16 | 1 << 4, false, false },	/* r2 = memw(r16+#4); r6 = memub(r4+#1) */
		{ 0x48393c12, 1 << 17 | 1 << 2, 1 << 29, false, false },	/* r17 = #3; r2 = memw(r29+#4) */
		{ 0x961ec01e, 7u << 29, 1 << 30, false, false },		/* dealloc_return */
		{ 0x5a00c080, 1u << 31, 0, false, false },			/* call */
		{ 0x5440c100, 0, 0, false, true },				/* pause(#8) */
	};

	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct hexagon_packet packet;

		ck_assert_uint_eq(hexagon_packet_decode(&words[i].word, 1, &packet), 1);
		ck_assert_uint_eq(packet.writes, words[i].writes);
		ck_assert_uint_eq(packet.addresses, words[i].addresses);
		ck_assert(packet.stores == words[i].stores && packet.pauses == words[i].pauses);
	}
}

TEST(a_packet_without_end_is_refused)
{
	/* parse bits 01: not the last word */
	static const uint32_t words[5] = { 0x7f004000, 0x7f004000, 0x7f004000, 0x7f004000,
					   0x7f00c000 };
	struct hexagon_packet packet;

	ck_assert_uint_eq(hexagon_packet_decode(words, 5, &packet), 0);
	ck_assert_uint_eq(hexagon_packet_decode(words, 2, &packet), 0);
	ck_assert_uint_eq(hexagon_packet_decode(words, 0, &packet), 0);
	ck_assert_uint_eq(hexagon_packet_decode(words + 1, 4, &packet), 4);
}

TEST(a_marker_of_loop_1_needs_a_third_word)
{
	/* two words, the second one of them cannot carry a marker: it is the last */
	static const uint32_t words[2] = { 0x7f004000, 0x7f00c000 };
	/* loop 1 only: word 0 plain, word 1 marked, word 2 last */
	static const uint32_t loop1[3] = { 0x7f004000, 0x7f008000, 0x7f00c000 };
	struct hexagon_packet packet;

	hexagon_packet_decode(words, 2, &packet);
	ck_assert(!packet.loop_end);
	hexagon_packet_decode(loop1, 3, &packet);
	ck_assert(packet.loop_end);
}
