/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock (counter 4 of group 1) is the source: 400 MHz, so 10 us are 4000 ticks. */
#include "tests/main.h"
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

/* A row: what it does to the clock, in group 1, and the expected count. */
struct step {
	enum { END, PASSES, WRITES, READS, SAMPLES } what;
	uint32_t value, offset, mask;
};
#define PASS(ns)		{ PASSES, ns, 0, 0 }
#define SET(offset, value)	{ WRITES, value, MRFLD_##offset, 0 }
#define CODE(opcode)		SET(COMMAND, (opcode) << MRFLD_OP_SHIFT)
#define OP(name)		CODE(MRFLD_OP_##name)
#define IS(offset, mask, value)	{ READS, value, MRFLD_##offset, mask }
#define DATA(value)		IS(DATA, 0xffffffff, value)
#define SAMPLE(value)		{ SAMPLES, value, 0, 0 }

#define ACTIVE		MRFLD_STATUS_ACTIVE
#define OVERFLOWN	MRFLD_STATUS_OVERFLOW
#define MUTEX		(1u << 28)

static const struct {
	const char *name;
	struct step step[10];
} rows[] = {
	{ "DATA shows the last sample only",
	  { PASS(10000), DATA(0), OP(SAMPLE), PASS(10000), DATA(TICK_10US), SAMPLE(2 * TICK_10US) } },
	{ "stop holds, and start goes on",
	  { PASS(10000), OP(STOP), PASS(10000), SAMPLE(TICK_10US), OP(START), PASS(10000), SAMPLE(2 * TICK_10US) } },
	{ "reset clears and stops",
	  { PASS(10000), OP(RESET), PASS(10000), SAMPLE(0), IS(STATUS, ACTIVE, 0), OP(RESTART), PASS(10000),
	    SAMPLE(TICK_10US) } },
	{ "sample and restart counts on from zero",
	  { PASS(10000), OP(SAMPLE_RESTART), DATA(TICK_10US), PASS(20000), SAMPLE(2 * TICK_10US) } },
	/* 2^32 - 256 + 4000 = 2^32 + 3744: preload keeps the running state */
	{ "preload makes the counter wrap and sets overflow",
	  { SET(DATA, 0xffffff00), OP(PRELOAD), IS(STATUS, OVERFLOWN, 0), PASS(10000), SAMPLE(TICK_10US - 256),
	    IS(STATUS, OVERFLOWN, OVERFLOWN), SET(STATUS, OVERFLOWN), IS(STATUS, OVERFLOWN, 0) } },
	/* socperf's start command for Bay Trail is 0x00110000; the meaning of bit 20 is not public */
	{ "unknown opcodes and bit 20 change nothing",
	  { OP(STOP), SET(COMMAND, 0x00110000), CODE(0x3), CODE(0x9), PASS(10000), SAMPLE(TICK_10US) } },
	{ "status bit 28 is a mutex taken by reading",
	  { IS(STATUS, MUTEX, 0), IS(STATUS, MUTEX, MUTEX), SET(STATUS, MUTEX), IS(STATUS, MUTEX, 0) } },
};

SUITE("counters");

LOOP_TEST(each_row, 0, sizeof(rows) / sizeof(*rows))
{
	struct rig *rig = rig_new(NULL);
	const struct step *s;
	uint32_t value;

	rig_group(rig, 1);
	for (s = rows[_i].step; s->what != END; s++) {
		if (s->what == PASSES) {
			rig_pass(rig, s->value);
			continue;
		} else if (s->what == WRITES) {
			set(rig, CLOCK, s->offset, s->value);
			continue;
		}
		value = s->what == SAMPLES ? rig_sample(rig, CLOCK) : reg(rig, CLOCK, s->offset) & s->mask;
		ck_assert_msg(value == s->value, "%s: step %d gives 0x%x, not 0x%x", rows[_i].name,
			      (int)(s - rows[_i].step), value, s->value);
	}
	rig_free(rig);
}

TEST(status_tells_activity_and_increments)
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

TEST(the_group_changes_only_when_all_counters_are_stopped)
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

TEST(no_group_counts_nothing)
{
	struct rig *rig = rig_new(NULL);

	rig_group(rig, 0);
	rig_pass(rig, 10000);
	for (unsigned int i = 0; i < MRFLD_NCOUNTERS; i++)
		ck_assert_uint_eq(rig_sample(rig, i), 0);
	rig_free(rig);
}

TEST(fault_lost_sample_leaves_the_data_register)
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

TEST(power_loss_zeroes_stops_and_forgets_the_group)
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

TEST(power_is_lost_periodically)
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
