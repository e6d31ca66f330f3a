/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdlib.h>
#include <string.h>

#include "tests/main.h"
#include "tests/unit/mrfld/rig.h"

static bool no_read(void *opaque, uint64_t addr, void *buf, size_t len)
{
	(void)opaque, (void)addr, (void)buf, (void)len;
	return false;
}

static bool no_write(void *opaque, uint64_t addr, const void *buf, size_t len)
{
	(void)opaque, (void)addr, (void)buf, (void)len;
	return false;
}

SUITE("soc");

LOOP_TEST(bad_parameters_are_named, 0, 4)
{
	static const struct mrfld_ops ops = { .mem_read = no_read, .mem_write = no_write };
	struct mrfld_params params;
	const char *name;
	char err[100] = "";

	mrfld_params_init(&params);
	switch (_i) {
	case 0:
		params.channels = 3;
		name = "channels";
		break;
	case 1:
		params.interleave = 96;
		name = "interleave";
		break;
	case 2:
		params.dram_hz = 0;
		name = "dram-hz";
		break;
	default:
		params.shallow_us = params.deep_us;
		name = "shallow-us";
	}
	ck_assert_ptr_null(mrfld_soc_new(&params, &ops, NULL, err, sizeof(err)));
	ck_assert_ptr_nonnull(strstr(err, name));
}

TEST(an_idle_system_has_no_event)
{
	struct rig *rig = rig_new(NULL);

	rig_group(rig, 1);
	ck_assert_uint_eq(mrfld_soc_next_event(rig->soc), UINT64_MAX);
	rig_free(rig);
}

TEST(reset_stops_agents_and_counters)
{
	struct rig *rig = rig_new(NULL);

	rig_group(rig, 6);
	rig_start(rig, &(struct job){ .size = 64, .bytes = 65536 });
	rig_pass(rig, 100000);
	mrfld_soc_reset(rig->soc);
	ck_assert_uint_eq(mrfld_soc_now(rig->soc), 100000);
	ck_assert_uint_eq(mrfld_soc_next_event(rig->soc), UINT64_MAX);
	ck_assert_uint_eq(rig_mbi_read(rig, MRFLD_PORT, MRFLD_READ, MRFLD_SELECT), 0);
	ck_assert_uint_eq(rig_engine(rig, 0, MRFLD_ENG_STATUS), 0);
	rig_pass(rig, 100000);
	ck_assert_uint_eq(mrfld_soc_total(rig->soc, 6, 2), 0);
	rig_free(rig);
}

TEST(bar0_tells_the_parameters)
{
	struct rig *rig = rig_new(NULL);

	ck_assert_uint_eq(mrfld_bar_read(rig->soc, MRFLD_ID), 0x4146524d);
	ck_assert_uint_eq(mrfld_bar_read(rig->soc, MRFLD_VERSION), 1);
	ck_assert_uint_eq(mrfld_bar_read(rig->soc, MRFLD_CHANNELS), 2);
	ck_assert_uint_eq(mrfld_bar_read(rig->soc, MRFLD_INTERLEAVE), 64);
	ck_assert_uint_eq(mrfld_bar_read(rig->soc, MRFLD_SOC_HZ), 400000000);
	ck_assert_uint_eq(mrfld_bar_read(rig->soc, MRFLD_DRAM_HZ), 533000000);
	ck_assert_uint_eq(mrfld_bar_read(rig->soc, MRFLD_SHALLOW_US), 10);
	ck_assert_uint_eq(mrfld_bar_read(rig->soc, MRFLD_DEEP_US), 1000);
	ck_assert_uint_eq(mrfld_bar_read(rig->soc, 0xffc), 0);
	rig_free(rig);
}

TEST(a_saved_state_goes_on_elsewhere)
{
	struct rig *a = rig_new(NULL), *b = rig_new(NULL);
	size_t len = mrfld_soc_save_size(a->soc);
	void *state = malloc(len);

	ck_assert_ptr_nonnull(state);
	rig_group(a, 6);
	rig_start(a, &(struct job){ .size = 64, .bytes = 1 << 20, .write = true });
	rig_pass(a, 3333333);
	mrfld_soc_save(a->soc, state);
	memcpy(b->mem, a->mem, RIG_MEM);
	ck_assert(mrfld_soc_load(b->soc, state, len));
	rig_run(a);
	rig_run(b);
	ck_assert_uint_eq(rig_sample(b, 5), (1 << 20) / 64);
	ck_assert_uint_eq(rig_sample(a, 5), (1 << 20) / 64);
	ck_assert_uint_eq(rig_engine(b, 0, MRFLD_ENG_STATUS), MRFLD_STATUS_DONE);
	ck_assert_uint_eq(mrfld_soc_now(a->soc), mrfld_soc_now(b->soc));
	ck_assert_int_eq(memcmp(a->mem, b->mem, RIG_MEM), 0);
	free(state);
	rig_free(a);
	rig_free(b);
}

/* No damaged state may hang the model or make it touch foreign memory. */
TEST(a_damaged_state_is_refused_or_harmless)
{
	struct rig *rig = rig_new(NULL);
	size_t len = mrfld_soc_save_size(rig->soc);
	uint8_t *state = malloc(len), *bad = malloc(len);
	unsigned int refused = 0;

	ck_assert(state && bad);
	rig_start(rig, &(struct job){ .size = 64, .bytes = 1 << 16, .rate = 1000 });
	rig_pass(rig, 1000000);
	mrfld_soc_save(rig->soc, state);
	ck_assert(!mrfld_soc_load(rig->soc, state, len - 1));
	for (size_t i = 0; i < len; i++) {
		memcpy(bad, state, len);
		bad[i] ^= 0xa5;
		if (!mrfld_soc_load(rig->soc, bad, len)) {
			refused++;
			continue;
		}
		rig_pass(rig, 1000);
		mrfld_soc_next_event(rig->soc);
	}
	/* At least the magic, the parameters and the group are checked. */
	ck_assert_uint_ge(refused, 8 + 6 * 4);
	free(bad);
	free(state);
	rig_free(rig);
}
