/* SPDX-License-Identifier: GPL-2.0-only */
/* A SoC's saving and loading in the middle of work, reset, refusals. */
#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include <stdio.h>

static struct bench b, other;

static void start_work(struct bench *x)
{
	unsigned int acc;

	for (acc = 0; acc < 3; acc++) {
		struct fft f = fft_default(8);

		f.acc = acc;
		f.batches = 2;
		f.coherence = acc == 0 ? ESP_COH_FULL : acc == 1 ? ESP_COH_LLC : ESP_COH_NONE;
		f.table += 4096 * acc;
		f.chunks[0] += acc << 20;
		fft_fill(x, &f);
		fft_start(x, &f);
	}
	esp_soc_cpu_access(x->soc, 0, ESP_STORE, MEM_BASE + 0x5000, 8);
}

static void *state(struct bench *x, size_t *size)
{
	void *buf;

	*size = esp_soc_save_size(x->soc);
	buf = malloc(*size);
	esp_soc_save(x->soc, buf);
	return buf;
}

SUITE("esp soc", .timeout = 60);

LOOP_TEST(load_in_the_middle_ends_the_same, 0, 16)
{
	uint64_t at = _i * 211;
	size_t size;
	void *one, *two;

	bench_open(&b, NULL, NULL);
	bench_open(&other, NULL, NULL);
	start_work(&b);
	esp_soc_advance(b.soc, at);
	one = state(&b, &size);
	ck_assert(esp_soc_load(other.soc, one, size));
	memcpy(other.mem, b.mem, MEM_SIZE);
	memcpy(other.irqs, b.irqs, sizeof(b.irqs));
	free(one);
	ck_assert_uint_eq(esp_soc_next_event(other.soc), esp_soc_next_event(b.soc));
	settle(&b);
	settle(&other);
	one = state(&b, &size);
	two = state(&other, &size);
	ck_assert(!memcmp(one, two, size));
	ck_assert(!memcmp(b.mem, other.mem, MEM_SIZE));
	ck_assert(!memcmp(b.irqs, other.irqs, sizeof(b.irqs)));
	ck_assert_uint_eq(b.irqs[0] + b.irqs[1] + b.irqs[2], 3);
	free(one);
	free(two);
	bench_close(&b);
	bench_close(&other);
}

TEST(bytes_of_another_state_are_refused)
{
	static struct esp_design design;
	struct esp_params params = bench_params();
	size_t size;
	uint8_t *buf;

	bench_open(&b, NULL, NULL);
	buf = state(&b, &size);
	ck_assert(!esp_soc_load(b.soc, buf, size - 1));
	ck_assert(!esp_soc_load(b.soc, buf, 0));
	buf[size - 1] ^= 1;
	ck_assert(!esp_soc_load(b.soc, buf, size));
	buf[size - 1] ^= 1;
	buf[0] ^= 1;
	ck_assert(!esp_soc_load(b.soc, buf, size));
	buf[0] ^= 1;
	ck_assert(esp_soc_load(b.soc, buf, size));
	/* Same size, another memory. */
	params.mem_base += 4096;
	params.mem_size -= 4096;
	esp_design_default(&design);
	bench_open(&other, &design, &params);
	ck_assert(!esp_soc_load(other.soc, buf, size));
	free(buf);
	bench_close(&b);
	bench_close(&other);
}

TEST(reset_stops_everything)
{
	unsigned int tile, i;

	bench_open(&b, NULL, NULL);
	start_work(&b);
	esp_soc_advance(b.soc, 700);
	esp_soc_reset(b.soc);
	ck_assert_uint_eq(esp_soc_now(b.soc), 700);
	ck_assert_uint_eq(esp_soc_next_event(b.soc), UINT64_MAX);
	for (tile = 0; tile < 6; tile++) {
		for (i = 0; i < ESP_NMON; i++)
			ck_assert_uint_eq(mon(&b, tile, i), 0);
	}
	ck_assert_uint_eq(acc_read(&b, 0, ESP_ACC_STATUS), 0);
	start_work(&b);
	settle(&b);
	ck_assert_uint_eq(b.irqs[0], 1);
	bench_close(&b);
}

LOOP_TEST(what_cannot_be_modelled_is_refused, 0, 7)
{
	static const char *const why[] = {
		"layout", "memory of", "above 4 GiB", "misc",
		"CONFIG_DMA_NOC_WIDTH is less", "private caches", "type mem",
	};
	static struct esp_design design;
	struct esp_params params = bench_params();
	struct esp_soc_ops ops = { 0 };
	char err[256] = "";
	unsigned int i;

	esp_design_default(&design);
	switch (_i) {
	case 0:
		params.layout = 2022;
		break;
	case 1:
		params.mem_size = 100;
		break;
	case 2:
		params.mem_base = 0xfffff000;
		params.mem_size = 8192;
		break;
	case 3:
		design.tiles[5].kind = ESP_TILE_EMPTY;
		break;
	case 4:
		design.dma_noc_width = 32;
		break;
	case 5:
		bench_load(&design, "dummy-16x16");
		for (i = 0; i < 256; i++)
			design.tiles[i].has_l2 = true;
		break;
	case 6:
		design.tiles[2].kind = ESP_TILE_EMPTY;
		design.nmem = 0;
		break;
	}
	ck_assert_ptr_null(esp_soc_new(&design, &params, &ops, NULL, err, sizeof(err)));
	ck_assert_msg(strstr(err, why[_i]) != NULL, "%s", err);
}
