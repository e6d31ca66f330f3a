/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/main.h"
#include "tests/unit/mrfld/rig.h"

#define DATA3	MRFLD_SLICE(3, MRFLD_DATA)

SUITE("bus");

TEST(slices_lie_above_the_low_offset_byte)
{
	/* iosf_mbi leaves MCRX alone when offset bits 31:8 are 0: no register may depend on that. */
	ck_assert_uint_ge(MRFLD_SLICE(0, 0), 0x100);
	ck_assert_uint_ge(MRFLD_SELECT, 0x100);
	/* Published slice: 0x10 bytes, data at +0xc (PMON_DATA0 at 0x0c, PMON_DATA1 at 0x1c). */
	ck_assert_uint_eq(MRFLD_SLICE(1, MRFLD_DATA) - MRFLD_SLICE_BASE, 0x1c);
	ck_assert_uint_eq(MRFLD_SLICE(7, MRFLD_DATA) - MRFLD_SLICE_BASE, 0x7c);
}

TEST(a_register_keeps_what_was_written)
{
	struct rig *rig = rig_new(NULL);

	rig_mbi_write(rig, 0x17, 0x01, DATA3, 0x12345678);
	ck_assert_uint_eq(rig_mbi_read(rig, 0x17, 0x00, DATA3), 0x12345678);
	ck_assert_uint_eq(rig_mbi_read(rig, 0x17, 0x00, MRFLD_SLICE(2, MRFLD_DATA)), 0);
	rig_free(rig);
}

TEST(mcr_and_mcrx_split_the_offset)
{
	struct rig *rig = rig_new(NULL);

	/* Data of slice 3 at 0x13c: 0x3c in MCR bits 15:8, 0x100 in MCRX; the low byte of MCRX is 0. */
	ck_assert_uint_eq(DATA3, 0x13c);
	mrfld_bus_write(rig->soc, 0xd4, 77);
	mrfld_bus_write(rig->soc, 0xd8, 0x1ff);
	ck_assert_uint_eq(mrfld_bus_read(rig->soc, 0xd8), 0x100);
	mrfld_bus_write(rig->soc, 0xd0, 0x01173cf0);
	mrfld_bus_write(rig->soc, 0xd4, 0);
	mrfld_bus_write(rig->soc, 0xd8, 0x100);
	mrfld_bus_write(rig->soc, 0xd0, 0x00173cf0);
	ck_assert_uint_eq(mrfld_bus_read(rig->soc, 0xd4), 77);
	rig_free(rig);
}

TEST(mcrx_is_cleared_by_each_transaction)
{
	struct rig *rig = rig_new(NULL);

	rig_mbi_write(rig, 0x17, 0x01, DATA3, 5);
	ck_assert_uint_eq(mrfld_bus_read(rig->soc, 0xd8), 0);
	/* A low-offset access after a high one does not hit 0x13c again: nothing lives at 0x3c. */
	mrfld_bus_write(rig->soc, 0xd0, 0x00173cf0);
	ck_assert_uint_eq(mrfld_bus_read(rig->soc, 0xd4), 0);
	rig_free(rig);
}

TEST(other_ports_and_opcodes_read_all_ones)
{
	struct rig *rig = rig_new(NULL);

	rig_mbi_write(rig, 0x17, 0x01, DATA3, 5);
	ck_assert_uint_eq(rig_mbi_read(rig, 0x04, 0x06, DATA3), 0xffffffff);	/* P-unit */
	ck_assert_uint_eq(rig_mbi_read(rig, 0x17, 0x10, DATA3), 0xffffffff);
	rig_mbi_write(rig, 0x18, 0x01, DATA3, 6);
	rig_mbi_write(rig, 0x17, 0x11, DATA3, 6);
	ck_assert_uint_eq(rig_mbi_read(rig, 0x17, 0x00, DATA3), 5);
	rig_free(rig);
}

TEST(fault_all_ones_hits_every_nth_read)
{
	struct rig *rig = rig_new(NULL);

	rig_mbi_write(rig, 0x17, 0x01, DATA3, 5);
	mrfld_bar_write(rig->soc, MRFLD_FAULT(MRFLD_FAULT_ALL_ONES), 3);
	for (int i = 1; i <= 9; i++)
		ck_assert_uint_eq(rig_mbi_read(rig, 0x17, 0x00, DATA3),
				  i % 3 ? 5 : 0xffffffff);
	rig_free(rig);
}

TEST(fault_slow_lets_time_pass_before_the_transaction)
{
	struct rig *rig = rig_new(NULL);

	rig_group(rig, 1);
	mrfld_bar_write(rig->soc, MRFLD_FAULT(MRFLD_FAULT_SLOW_US), 50);
	/* The sample comes 50 us after the restart: 50 us * 400 MHz = 20000 ticks. */
	rig_command(rig, 4, MRFLD_OP_SAMPLE);
	mrfld_bar_write(rig->soc, MRFLD_FAULT(MRFLD_FAULT_SLOW_US), 0);
	ck_assert_uint_eq(rig_mbi_read(rig, 0x17, 0x00, MRFLD_SLICE(4, MRFLD_DATA)), 20000);
	ck_assert_uint_eq(rig->delayed_us, 50);
	rig_free(rig);
}

TEST(fault_mcrx_misleads_only_who_does_not_write_it)
{
	struct rig *rig = rig_new(NULL);

	rig_mbi_write(rig, 0x17, 0x01, DATA3, 5);
	mrfld_bar_write(rig->soc, MRFLD_FAULT(MRFLD_FAULT_MCRX), 0x100);
	ck_assert_uint_eq(rig_mbi_read(rig, 0x17, 0x00, MRFLD_SELECT), 0);
	/* Offset 0x3c without MCRX becomes 0x13c; with MCRX written, registers are what they are. */
	ck_assert_uint_eq(rig_mbi_read(rig, 0x17, 0x00, 0x3c), 5);
	ck_assert_uint_eq(rig_mbi_read(rig, 0x17, 0x00, DATA3), 5);
	ck_assert_uint_eq(rig_mbi_read(rig, 0x17, 0x00, MRFLD_SELECT), 0);
	rig_free(rig);
}
