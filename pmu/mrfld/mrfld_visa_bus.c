// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counter unit of Merrifield on the message bus, which the kernel's iosf_mbi owns.
 *
 * A counter is read by telling it to copy itself to its data register and reading that. Either step
 * can fail without a sign: the bus has no status. So before each sample the data register gets
 * a value that the counter cannot have, all ones are read again, and after each pass the group
 * register must still hold the group that was programmed: it is zero when the unit has lost power,
 * and all ones when no unit answers.
 */
#include <linux/lockdep.h>
#include <linux/module.h>

#include <asm/iosf_mbi.h>

#include "mrfld_visa.h"

/* A transaction that fails now and then gets this many chances. */
#define MRFLD_TRIES	4

static uint preload;
module_param(preload, uint, 0644);
MODULE_PARM_DESC(preload,
		 "First value of the counters when a group is programmed, to test wraps (default 0)");

/*
 * perf asks for counts with interrupts off and its raw context lock held, and wants them before it
 * goes on: no callback of it may sleep, and a value that a thread had read earlier would lack what
 * has been counted since. iosf_mbi guards the bus with a spinlock_t of its own, which sleeps on
 * PREEMPT_RT; this module does not load there. So lockdep, which judges every kernel by the rules
 * of PREEMPT_RT, is told that such a lock is right here. Linux 6.1.176 cannot be told.
 */
#ifdef DEFINE_WAIT_OVERRIDE_MAP
static DEFINE_WAIT_OVERRIDE_MAP(mrfld_bus_map, LD_WAIT_CONFIG);
#define mrfld_bus_begin()	lock_map_acquire_try(&mrfld_bus_map)
#define mrfld_bus_end()		lock_map_release(&mrfld_bus_map)
#else
#define mrfld_bus_begin()	do { } while (0)
#define mrfld_bus_end()		do { } while (0)
#endif

static int mrfld_get(unsigned int offset, u32 *value)
{
	int err;

	mrfld_bus_begin();
	err = iosf_mbi_read(MRFLD_PORT, MRFLD_READ, offset, value);
	mrfld_bus_end();
	return err;
}

static void mrfld_set(unsigned int offset, u32 value)
{
	mrfld_bus_begin();
	iosf_mbi_write(MRFLD_PORT, MRFLD_WRITE, offset, value);
	mrfld_bus_end();
}

static void mrfld_command(unsigned int slice, unsigned int opcode)
{
	mrfld_set(MRFLD_SLICE(slice, MRFLD_COMMAND), opcode << MRFLD_OP_SHIFT);
}

/* A register that does not change meanwhile; a value of all ones is believed only if it stays. */
static int mrfld_get_again(unsigned int offset, u32 *value)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < MRFLD_TRIES; i++) {
		err = mrfld_get(offset, value);
		if (err || *value != ~0U)
			break;
	}
	return err;
}

void mrfld_lose(struct mrfld_visa *mv)
{
	if (!mv->lost)
		mon_pmu_lost(&mv->mp);
	mv->lost = true;
}

/* Have the counters counted in the programmed group all the time? */
static int mrfld_check(struct mrfld_visa *mv)
{
	u32 group;

	if (mrfld_get_again(MRFLD_SELECT, &group) || group == ~0U)
		return -EIO;
	if (group == mv->group)
		return 0;
	mrfld_lose(mv);
	return -EIO;
}

void mrfld_halt(struct mrfld_visa *mv)
{
	unsigned int i;

	for (i = 0; i < MRFLD_NCOUNTERS; i++)
		mrfld_command(i, MRFLD_OP_RESET);
	mv->snapshot = 0;
}

void mrfld_program(struct mrfld_visa *mv, unsigned int group)
{
	u32 first = READ_ONCE(preload);
	unsigned int i;

	mrfld_halt(mv);
	mrfld_set(MRFLD_SELECT, group);
	for (i = 0; i < mrfld_group_size(group); i++) {
		mrfld_command(i, MRFLD_OP_RESTART);
		if (first) {
			mrfld_set(MRFLD_SLICE(i, MRFLD_DATA), first);
			mrfld_command(i, MRFLD_OP_PRELOAD);
		}
		mv->value[i] = first;
	}
	mv->group = group;
	if (mrfld_check(mv))
		mrfld_lose(mv);
	else
		mv->lost = false;
}

/* One below the last reading: a counter gets there only by wrapping. */
static u32 mrfld_marker(const struct mrfld_visa *mv, unsigned int slice)
{
	return mv->value[slice] - 1;
}

/* Samples what it can of *slices and leaves the rest in there. */
static int mrfld_sample_once(struct mrfld_visa *mv, unsigned long *slices, u32 *value)
{
	unsigned long todo = *slices;
	unsigned int i;
	int err;

	for_each_set_bit(i, &todo, MRFLD_NCOUNTERS)
		mrfld_set(MRFLD_SLICE(i, MRFLD_DATA), mrfld_marker(mv, i));
	for_each_set_bit(i, &todo, MRFLD_NCOUNTERS)
		mrfld_command(i, MRFLD_OP_SAMPLE);
	for_each_set_bit(i, &todo, MRFLD_NCOUNTERS) {
		err = mrfld_get_again(MRFLD_SLICE(i, MRFLD_DATA), &value[i]);
		if (err)
			return err;
		if (value[i] != mrfld_marker(mv, i))
			*slices &= ~BIT(i);
	}
	return 0;
}

int mrfld_sample(struct mrfld_visa *mv, unsigned long slices)
{
	u32 value[MRFLD_NCOUNTERS];
	unsigned long missing = slices;
	unsigned int i;
	int err = 0;

	for (i = 0; missing && i < MRFLD_TRIES && !err; i++)
		err = mrfld_sample_once(mv, &missing, value);
	if (!err)
		err = mrfld_check(mv);
	if (err || missing)
		return -EIO;
	for_each_set_bit(i, &slices, MRFLD_NCOUNTERS)
		mv->value[i] = value[i];
	return 0;
}

/* Is a transaction that iosf_mbi runs the last that this device has seen? */
static bool mrfld_saw(struct pci_dev *pdev, unsigned int offset)
{
	u32 mcr = MRFLD_READ << 24 | MRFLD_PORT << 16 | (offset & 0xff) << 8 | MRFLD_MCR_ENABLES;
	u32 value, seen;

	return !mrfld_get(offset, &value) &&
	       !pci_read_config_dword(pdev, MRFLD_CFG_MCR, &seen) && seen == mcr;
}

/* Two registers in turn, so that an older transaction is not taken for them. Others use the bus. */
bool mrfld_bus_reaches(struct pci_dev *pdev)
{
	unsigned int i;

	for (i = 0; i < 1000; i++)
		if (mrfld_saw(pdev, MRFLD_SELECT) &&
		    mrfld_saw(pdev, MRFLD_SLICE(1, MRFLD_STATUS)))
			return true;
	return false;
}
