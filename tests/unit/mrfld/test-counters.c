/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock (counter 4 of group 1) is the source: 400 MHz, so 10 us are 4000 ticks. */
#include "tests/unit/mrfld/rig.h"

#define TICK_10US	4000
#define CLOCK		4

static uint32_t reg(struct rig *rig, unsigned int counter, uint32_t offset)
{
	return rig_mbi_read(rig, MRFLD_PORT, MRFLD_READ, MRFLD_SLICE(counter, offset));
}

static void set(struct rig *rig, unsigned int counter, uint32_t offset, uint32_t value)
{
	rig_mbi_write(rig, MRFLD_PORT, MRFLD_WRITE, MRFLD_SLICE(counter, offset), value);
}

START_TEST(data_shows_the_last_sample_only)
{
	struct rig *rig = rig_new(NULL);

	rig_group(rig, 1);
	rig_pass(rig, 10000);
	ck_assert_uint_eq(reg(rig, CLOCK, MRFLD_DATA), 0);
	rig_command(rig, CLOCK, MRFLD_OP_SAMPLE);
	rig_pass(rig, 10000);
	ck_assert_uint_eq(reg(rig, CLOCK, MRFLD_DATA), TICK_10US);
	ck_assert_uint_eq(rig_sample(rig, CLOCK), 2 * TICK_10US);
	rig_free(rig);
}
END_TEST

START_TEST(stop_holds_and_start_goes_on)
{
	struct rig *rig = rig_new(NULL);

	rig_group(rig, 1);
	rig_pass(rig, 10000);
	rig_command(rig, CLOCK, MRFLD_OP_STOP);
	rig_pass(rig, 10000);
	ck_assert_uint_eq(rig_sample(rig, CLOCK), TICK_10US);
	rig_command(rig, CLOCK, MRFLD_OP_START);
	rig_pass(rig, 10000);
	ck_assert_uint_eq(rig_sample(rig, CLOCK), 2 * TICK_10US);
	rig_free(rig);
}
END_TEST

START_TEST(reset_clears_and_stops)
{
	struct rig *rig = rig_new(NULL);

	rig_group(rig, 1);
	rig_pass(rig, 10000);
	rig_command(rig, CLOCK, MRFLD_OP_RESET);
	rig_pass(rig, 10000);
	ck_assert_uint_eq(rig_sample(rig, CLOCK), 0);
	ck_assert_uint_eq(reg(rig, CLOCK, MRFLD_STATUS) & MRFLD_STATUS_ACTIVE, 0);
	rig_command(rig, CLOCK, MRFLD_OP_RESTART);
	rig_pass(rig, 10000);
	ck_assert_uint_eq(rig_sample(rig, CLOCK), TICK_10US);
	rig_free(rig);
}
END_TEST

START_TEST(sample_and_restart_counts_on_from_zero)
{
	struct rig *rig = rig_new(NULL);

	rig_group(rig, 1);
	rig_pass(rig, 10000);
	rig_command(rig, CLOCK, MRFLD_OP_SAMPLE_RESTART);
	ck_assert_uint_eq(reg(rig, CLOCK, MRFLD_DATA), TICK_10US);
	rig_pass(rig, 20000);
	ck_assert_uint_eq(rig_sample(rig, CLOCK), 2 * TICK_10US);
	rig_free(rig);
}
END_TEST

START_TEST(preload_makes_the_counter_wrap_and_sets_overflow)
{
	struct rig *rig = rig_new(NULL);

	rig_group(rig, 1);
	set(rig, CLOCK, MRFLD_DATA, 0xffffff00);
	rig_command(rig, CLOCK, MRFLD_OP_PRELOAD);
	ck_assert_uint_eq(reg(rig, CLOCK, MRFLD_STATUS) & MRFLD_STATUS_OVERFLOW, 0);
	rig_pass(rig, 10000);
	/* 2^32 - 256 + 4000 = 2^32 + 3744: preload keeps the running state. */
	ck_assert_uint_eq(rig_sample(rig, CLOCK), TICK_10US - 256);
	ck_assert_uint_ne(reg(rig, CLOCK, MRFLD_STATUS) & MRFLD_STATUS_OVERFLOW, 0);
	set(rig, CLOCK, MRFLD_STATUS, MRFLD_STATUS_OVERFLOW);
	ck_assert_uint_eq(reg(rig, CLOCK, MRFLD_STATUS) & MRFLD_STATUS_OVERFLOW, 0);
	rig_free(rig);
}
END_TEST

START_TEST(unknown_opcodes_and_bit_20_change_nothing)
{
	struct rig *rig = rig_new(NULL);

	rig_group(rig, 1);
	/* socperf's start command for Bay Trail is 0x00110000; the meaning of bit 20 is not public. */
	rig_command(rig, CLOCK, MRFLD_OP_STOP);
	set(rig, CLOCK, MRFLD_COMMAND, 0x00110000);
	rig_command(rig, CLOCK, 0x3);
	rig_command(rig, CLOCK, 0x9);
	rig_pass(rig, 10000);
	ck_assert_uint_eq(rig_sample(rig, CLOCK), TICK_10US);
	rig_free(rig);
}
END_TEST

START_TEST(status_bit_28_is_a_mutex_taken_by_reading)
{
	struct rig *rig = rig_new(NULL);

	ck_assert_uint_eq(reg(rig, 2, MRFLD_STATUS) >> 28 & 1, 0);
	ck_assert_uint_eq(reg(rig, 2, MRFLD_STATUS) >> 28 & 1, 1);
	set(rig, 2, MRFLD_STATUS, 1u << 28);
	ck_assert_uint_eq(reg(rig, 2, MRFLD_STATUS) >> 28 & 1, 0);
	rig_free(rig);
}
END_TEST

START_TEST(status_tells_activity_and_increments)
{
	struct rig *rig = rig_new(NULL);

	rig_group(rig, 1);
	ck_assert_uint_eq(reg(rig, CLOCK, MRFLD_STATUS) >> 29, 1);
	rig_pass(rig, 10000);
	ck_assert_uint_eq(reg(rig, CLOCK, MRFLD_STATUS) >> 29, 3);
	/* Nothing reads DRAM: counter 0 is active and saw no increment. */
	ck_assert_uint_eq(reg(rig, 0, MRFLD_STATUS) >> 29, 1);
	rig_free(rig);
}
END_TEST

START_TEST(the_group_changes_only_when_all_counters_are_stopped)
{
	struct rig *rig = rig_new(NULL);

	rig_group(rig, 1);
	rig_mbi_write(rig, MRFLD_PORT, MRFLD_WRITE, MRFLD_SELECT, 6);
	ck_assert_uint_eq(rig_mbi_read(rig, MRFLD_PORT, MRFLD_READ, MRFLD_SELECT), 1);
	ck_assert_uint_eq(rig->errors, 1);
	for (unsigned int i = 0; i < MRFLD_NCOUNTERS; i++)
		rig_command(rig, i, MRFLD_OP_STOP);
	rig_mbi_write(rig, MRFLD_PORT, MRFLD_WRITE, MRFLD_SELECT, 6);
	ck_assert_uint_eq(rig_mbi_read(rig, MRFLD_PORT, MRFLD_READ, MRFLD_SELECT), 6);
	rig_mbi_write(rig, MRFLD_PORT, MRFLD_WRITE, MRFLD_SELECT, 10);
	ck_assert_uint_eq(rig_mbi_read(rig, MRFLD_PORT, MRFLD_READ, MRFLD_SELECT), 6);
	rig_free(rig);
}
END_TEST

START_TEST(no_group_counts_nothing)
{
	struct rig *rig = rig_new(NULL);

	rig_group(rig, 0);
	rig_pass(rig, 10000);
	for (unsigned int i = 0; i < MRFLD_NCOUNTERS; i++)
		ck_assert_uint_eq(rig_sample(rig, i), 0);
	rig_free(rig);
}
END_TEST

START_TEST(fault_lost_sample_leaves_the_data_register)
{
	struct rig *rig = rig_new(NULL);

	rig_group(rig, 1);
	mrfld_bar_write(rig->soc, MRFLD_FAULT(MRFLD_FAULT_LOST_SAMPLE), 2);
	rig_pass(rig, 10000);
	ck_assert_uint_eq(rig_sample(rig, CLOCK), TICK_10US);
	rig_pass(rig, 10000);
	ck_assert_uint_eq(rig_sample(rig, CLOCK), TICK_10US);
	ck_assert_uint_eq(rig_sample(rig, CLOCK), 2 * TICK_10US);
	rig_free(rig);
}
END_TEST

START_TEST(power_loss_zeroes_stops_and_forgets_the_group)
{
	struct rig *rig = rig_new(NULL);

	rig_group(rig, 1);
	rig_pass(rig, 10000);
	mrfld_bar_write(rig->soc, MRFLD_FAULT(MRFLD_FAULT_POWER_NOW), 1);
	ck_assert_uint_eq(rig_mbi_read(rig, MRFLD_PORT, MRFLD_READ, MRFLD_SELECT), 0);
	ck_assert_uint_eq(reg(rig, CLOCK, MRFLD_STATUS), 0);
	rig_pass(rig, 10000);
	ck_assert_uint_eq(rig_sample(rig, CLOCK), 0);
	rig_free(rig);
}
END_TEST

START_TEST(power_is_lost_periodically)
{
	struct rig *rig = rig_new(NULL);

	mrfld_bar_write(rig->soc, MRFLD_FAULT(MRFLD_FAULT_POWER_MS), 2);
	rig_group(rig, 1);
	ck_assert_uint_eq(mrfld_soc_next_event(rig->soc), 2000000);
	rig_pass(rig, 1999999);
	ck_assert_uint_eq(rig_mbi_read(rig, MRFLD_PORT, MRFLD_READ, MRFLD_SELECT), 1);
	rig_pass(rig, 1);
	ck_assert_uint_eq(rig_mbi_read(rig, MRFLD_PORT, MRFLD_READ, MRFLD_SELECT), 0);
	ck_assert_uint_eq(mrfld_soc_next_event(rig->soc), 4000000);
	rig_free(rig);
}
END_TEST

TCase *tcase_counters(void)
{
	TCase *tcase = tcase_create("counters");

	tcase_add_test(tcase, data_shows_the_last_sample_only);
	tcase_add_test(tcase, stop_holds_and_start_goes_on);
	tcase_add_test(tcase, reset_clears_and_stops);
	tcase_add_test(tcase, sample_and_restart_counts_on_from_zero);
	tcase_add_test(tcase, preload_makes_the_counter_wrap_and_sets_overflow);
	tcase_add_test(tcase, unknown_opcodes_and_bit_20_change_nothing);
	tcase_add_test(tcase, status_bit_28_is_a_mutex_taken_by_reading);
	tcase_add_test(tcase, status_tells_activity_and_increments);
	tcase_add_test(tcase, the_group_changes_only_when_all_counters_are_stopped);
	tcase_add_test(tcase, no_group_counts_nothing);
	tcase_add_test(tcase, fault_lost_sample_leaves_the_data_register);
	tcase_add_test(tcase, power_loss_zeroes_stops_and_forgets_the_group);
	tcase_add_test(tcase, power_is_lost_periodically);
	return tcase;
}
