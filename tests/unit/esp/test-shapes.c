/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Transfers that are short, long or stopped: shapes.v announces words and moves some of them. All that moves counts: of a
 * store 3 flits and the words given; of a load all words, because they are under way. The page table is 3 flits, 2 back and
 * a word. What else counts is derived in each row.
 */
#include <signal.h>
#include <stdio.h>

#include "tests/main.h"
#include "tests/unit/esp/remote-rig.h"

static const struct shape {
	const char *name;
	bool store;
	uint32_t announced, gives, early;	/* early: it sets acc_done before its transfer is whole */
	enum { WHOLE, SILENT, KILLED, DRIVER } end;
	bool beside;				/* an FFT of 64 points on another tile: 1 + 128 words, 73 and 67 flits */
	enum { MEMORY, PRODUCER, CONSUMER, LONELY, COHERENT } with;
	uint32_t req, rsp, words;		/* flits to the memory tile and back, its words; coherent: misses of the LLC */
	uint32_t moved;
	const char *why;
} shapes[] = {
	{ "load, whole", false, 64, 64, 0, WHOLE, false, MEMORY, 3 + 3, 2 + 65, 1 + 64, 0, NULL },
	{ "load, none taken", false, 64, 0, 0, SILENT, false, MEMORY, 3 + 3, 2 + 65, 1 + 64, 0, "makes no progress for 400 ms" },
	{ "load, one taken", false, 64, 1, 0, SILENT, false, MEMORY, 3 + 3, 2 + 65, 1 + 64, 1, "makes no progress" },
	{ "load, more than the queues hold", false, 512, 80, 0, SILENT, false, MEMORY, 3 + 3, 2 + 513, 1 + 512, 80, "makes no progress" },
	{ "load, done early", false, 64, 10, 2, SILENT, false, MEMORY, 3 + 3, 2 + 65, 1 + 64, 10, "makes no progress" },
	{ "load, a word more", false, 64, 65, 0, DRIVER, false, MEMORY, 3 + 3, 2 + 65, 1 + 64, 64, "it had not set acc_done" },
	{ "load, killed", false, 512, 80, 0, KILLED, false, MEMORY, 3 + 3, 2 + 513, 1 + 512, 80, "ended by signal 9" },
	{ "load, driver", false, 512, 80, 0, DRIVER, false, MEMORY, 3 + 3, 2 + 513, 1 + 512, 80, "it had not taken the next word" },
	{ "load, beside", false, 512, 80, 0, SILENT, true, MEMORY, 3 + 3 + 73, 2 + 513 + 67, 1 + 512 + 129, 80, "makes no progress" },
	{ "store, whole", true, 64, 64, 0, WHOLE, false, MEMORY, 3 + 3 + 64, 2, 1 + 64, 0, NULL },
	{ "store, none given", true, 64, 0, 0, SILENT, false, MEMORY, 3 + 3, 2, 1, 0, "makes no progress" },
	{ "store, one given", true, 64, 1, 0, SILENT, false, MEMORY, 3 + 3 + 1, 2, 1 + 1, 1, "makes no progress" },
	{ "store, done early", true, 512, 80, 2, SILENT, false, MEMORY, 3 + 3 + 80, 2, 1 + 80, 80, "makes no progress" },
	{ "store, a word more", true, 64, 65, 0, DRIVER, false, MEMORY, 3 + 3 + 64, 2, 1 + 64, 64, "it had not set acc_done" },
	{ "store, killed", true, 512, 80, 0, KILLED, false, MEMORY, 3 + 3 + 80, 2, 1 + 80, 80, "ended by signal 9" },
	{ "store, driver", true, 512, 80, 0, DRIVER, false, MEMORY, 3 + 3 + 80, 2, 1 + 80, 80, "it had not given the next word" },
	{ "store, beside", true, 512, 80, 0, SILENT, true, MEMORY, 3 + 3 + 80 + 73, 2 + 67, 1 + 80 + 129, 80, "makes no progress" },
	/* a page table each; the other side, which announces 64 words, too, is looked at below */
	{ "to a consumer", true, 64, 20, 0, SILENT, false, CONSUMER, 3 + 3, 2 + 2, 1 + 1, 20, "makes no progress" },
	{ "to a consumer, beside", true, 64, 0, 0, SILENT, true, CONSUMER, 3 + 3 + 73, 2 + 2 + 67, 1 + 1 + 129, 0, "makes no progress" },
	{ "from a producer", false, 64, 20, 0, SILENT, false, PRODUCER, 3 + 3, 2 + 2, 1 + 1, 20, "makes no progress" },
	{ "from nobody", false, 64, 64, 0, DRIVER, false, LONELY, 3, 2, 1, 0, "it waited for data of another accelerator" },
	{ "to nobody", true, 64, 64, 0, DRIVER, false, LONELY, 3, 2, 1, 0, "it waited for another accelerator to ask for its data" },
	/* 2 flits and the words, which fill lines of two */
	{ "coherent store, none given", true, 64, 0, 0, SILENT, false, COHERENT, 3 + 2, 2, 1, 0, "makes no progress" },
	{ "coherent store", true, 64, 10, 0, SILENT, false, COHERENT, 3 + 2 + 10, 2, 1 + 5, 10, "makes no progress" },
};

#define P2P_SRC	(1u << 2)
#define P2P_DST	(1u << 3)

static void start_shape(unsigned int acc, bool store, uint32_t announced, uint32_t gives, uint32_t early)
{
	start_words(acc, announced, gives, store | early);
}

/* The process has moved all that it will. */
static bool stands_still(const struct shape *s)
{
	struct esp_acc_transfer t;

	return esp_acc_at(rig.soc, 0, &t) && t.bytes && t.moved >= 8 * (s->gives < s->announced ? s->gives : s->announced);
}

static void end_shape(const struct shape *s)
{
	uint64_t until;

	if (s->end == WHOLE) {
		acc_finish(&rig, 0);
		return;
	}
	if (s->end == SILENT || s->end == KILLED) {
		while (s->end == KILLED && !stands_still(s))
			esp_soc_try_advance(rig.soc, esp_soc_next_event(rig.soc));
		if (s->end == KILLED)
			kill(pid_of_first(), SIGKILL);
		wait_for_failure();
		fails(0, s->why);
		return;
	}
	/* long enough for all that can move */
	for (until = esp_soc_now(rig.soc) + 20000; esp_soc_now(rig.soc) < until && !(s->gives < s->announced && stands_still(s));)
		esp_soc_try_advance(rig.soc, esp_soc_next_event(rig.soc) < until ? esp_soc_next_event(rig.soc) : until);
	esp_soc_reset_accelerator(rig.soc, 0);
	settle(&rig);
	ck_assert_msg(strstr(rig.error, s->why) != NULL, "%s: %s", s->name, rig.error);
}

SUITE("shapes of transfers", .timeout = 60, .setup = setup, .teardown = teardown);

LOOP_TEST(each_word_of_a_transfer_counts, 0, sizeof(shapes) / sizeof(*shapes))
{
	const struct shape *s = &shapes[_i];
	struct fft fft = fft_default(6);
	char text[96];
	uint32_t i, words;

	caches = s->with == COHERENT;
	open_silent(SHAPES);
	fft.acc = 3;
	fft.chunks[0] = buffer(7);
	if (s->with == CONSUMER || s->with == PRODUCER || s->with == LONELY)
		acc_write(&rig, 0, ESP_ACC_P2P, s->store ? P2P_DST : P2P_SRC | 0 << 4 | 1 << 8);
	if (s->with == CONSUMER || s->with == PRODUCER) {
		acc_write(&rig, 1, ESP_ACC_P2P, s->store ? P2P_SRC | 1 << 4 | 0 << 8 : P2P_DST);
		start_shape(1, !s->store, 64, 64, 0);
	}
	acc_write(&rig, 0, ESP_ACC_COHERENCE, s->with == COHERENT ? ESP_COH_LLC : ESP_COH_NONE);
	if (s->beside) {
		fft_fill(&rig, &fft);
		fft_start(&rig, &fft);
	}
	start_shape(0, s->store, s->announced, s->gives, s->early);
	end_shape(s);
	if (s->beside) {
		while (!rig.irqs[3])
			esp_soc_advance(rig.soc, esp_soc_next_event(rig.soc));
		ck_assert_double_le(fft_wrong(&rig, &fft), 1.0);
	}
	if (s->end != WHOLE) {
		snprintf(text, sizeof(text), "tile 1: its %s%s of %u bytes at 0x0 had moved %u: ",
			 s->moved == s->announced ? "last " : "", s->store ? "write" : "read", 8 * s->announced, 8 * s->moved);
		ck_assert_msg(strstr(rig.error, text) != NULL, "%s: %s, not %s", s->name, rig.error, text);
	}
	if (s->with == CONSUMER) {
		/* it has a request of 2 flits and what was given, and waits for the rest */
		ck_assert_uint_eq(mon(&rig, ACC, ESP_MON_NOC_INJECT(ESP_PL_DMA4)), 1 + s->gives);
		ck_assert_uint_eq(mon(&rig, 3, ESP_MON_NOC_INJECT(ESP_PL_DMA6)), 3 + 2);
		esp_soc_reset_accelerator(rig.soc, 1);
		snprintf(text, sizeof(text), "tile 3: its read of 512 bytes at 0x0 had moved %u: it waited for data", 8 * s->gives);
		ck_assert_msg(strstr(rig.error, text) != NULL, "%s: %s, not %s", s->name, rig.error, text);
	} else if (s->with == PRODUCER) {
		/* its 64 words have all gone */
		ck_assert_uint_eq(mon(&rig, 3, ESP_MON_NOC_INJECT(ESP_PL_DMA4)), 1 + 64);
		ck_assert_uint_eq(acc_read(&rig, 1, ESP_ACC_STATUS), ESP_ACC_STATUS_DONE);
	}
	if (s->with == COHERENT) {
		ck_assert_uint_eq(mon(&rig, MEM, ESP_MON_COH_DMA_REQ), s->req);
		ck_assert_uint_eq(mon(&rig, MEM, ESP_MON_COH_DMA_RSP), s->rsp);
		ck_assert_uint_eq(mon(&rig, MEM, ESP_MON_LLC_MISS), s->words);
	} else {
		ck_assert_msg(mon(&rig, MEM, ESP_MON_DMA_REQ) == s->req, "%s: %u flits to memory", s->name, mon(&rig, MEM, ESP_MON_DMA_REQ));
		ck_assert_msg(mon(&rig, MEM, ESP_MON_DMA_RSP) == s->rsp, "%s: %u flits of memory", s->name, mon(&rig, MEM, ESP_MON_DMA_RSP));
		ck_assert_msg(mon(&rig, MEM, ESP_MON_DDR) == s->words, "%s: %u words", s->name, mon(&rig, MEM, ESP_MON_DDR));
	}
	/* the words given are in memory, and no others */
	words = s->store && s->with != CONSUMER && s->with != LONELY ? s->end == WHOLE ? 64 : s->moved : 0;
	for (i = 0; s->store && i < s->announced; i++)
		ck_assert_uint_eq(get32(&rig, buffer(0) + 8 * i), i < words ? i : 3 * i);
	/* and the next run is a run as any other */
	rig.irqs[0] = 0;
	acc_write(&rig, 0, ESP_ACC_P2P, 0);
	start_shape(0, true, 32, 32, 0);
	acc_finish(&rig, 0);
	for (i = 0; i < 32; i++)
		ck_assert_uint_eq(get32(&rig, buffer(0) + 8 * i), i);
}
