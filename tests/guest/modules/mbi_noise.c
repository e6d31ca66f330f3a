// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test module: another user of the message bus. While it is loaded a thread on each CPU reads and
 * writes through iosf_mbi: other ports, offsets that need no MCRX, and offsets of the counter
 * unit's port that hold no register. None of it may change what mrfld_visa counts.
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched.h>

#include <asm/iosf_mbi.h>

#include "events/mrfld/regs.h"

#define MBI_MAX_THREADS	16

static struct task_struct *mbi_threads[MBI_MAX_THREADS];
static atomic_long_t transactions;

static int mbi_noise_thread(void *unused)
{
	unsigned int i = 0;
	u32 value;

	while (!kthread_should_stop()) {
		/* P-unit, as its own users access it; reads as all ones here */
		iosf_mbi_read(BT_MBI_UNIT_PMC, MBI_REG_READ, 0x61, &value);
		iosf_mbi_write(BT_MBI_UNIT_BUNIT, MBI_REG_WRITE, i & 0xffff, ~i);
		/* the low bytes of the data registers, but without the slices' base */
		iosf_mbi_read(MRFLD_PORT, MRFLD_READ, MRFLD_DATA + (i & 7) * 0x10, &value);
		iosf_mbi_write(MRFLD_PORT, MRFLD_WRITE, (i & 7) * 0x10, i << MRFLD_OP_SHIFT);
		/* high offsets, so that MCRX is not 0 afterwards */
		iosf_mbi_write(MRFLD_PORT, MRFLD_WRITE, 0x1200 + (i & 0xfc), i);
		iosf_mbi_modify(BT_MBI_UNIT_SMI, MBI_MMIO_READ, 0x7700, i, 0xff);
		atomic_long_add(7, &transactions);
		i++;
		cond_resched();
		if (i % 16 == 0)
			schedule_timeout_interruptible(1);
	}
	return 0;
}

static void mbi_noise_stop(void)
{
	unsigned int i;

	for (i = 0; i < MBI_MAX_THREADS; i++)
		if (mbi_threads[i])
			kthread_stop(mbi_threads[i]);
}

static int __init mbi_noise_init(void)
{
	unsigned int cpu, n = 0;
	int err = 0;

	if (!iosf_mbi_available())
		return -ENODEV;
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		struct task_struct *task;

		if (n == MBI_MAX_THREADS)
			break;
		task = kthread_run_on_cpu(mbi_noise_thread, NULL, cpu, "mbi_noise/%u");
		if (IS_ERR(task)) {
			err = PTR_ERR(task);
			break;
		}
		mbi_threads[n++] = task;
	}
	cpus_read_unlock();
	if (err)
		mbi_noise_stop();
	return err;
}
module_init(mbi_noise_init);

static void __exit mbi_noise_exit(void)
{
	mbi_noise_stop();
	pr_info("mbi_noise: %ld transactions\n", atomic_long_read(&transactions));
}
module_exit(mbi_noise_exit);

MODULE_DESCRIPTION("Test: another user of iosf_mbi");
MODULE_LICENSE("GPL");
