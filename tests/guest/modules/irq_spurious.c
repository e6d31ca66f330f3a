// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test module: while it is loaded the handlers of all interrupts of a device's name have been
 * called once, as if another device that shares them had raised them. Parameters: irq, a list of
 * their numbers; done, how many were called.
 */
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/module.h>

#include "pmu/core/mon_compat.h"

static int irq[16];
static int nirqs;
module_param_array(irq, int, &nirqs, 0);
static int done;
module_param(done, int, 0444);

static DECLARE_COMPLETION(called);
static struct hrtimer timer;

/* The handlers of some interrupts run only where interrupts do. */
static enum hrtimer_restart irq_spurious_call(struct hrtimer *unused)
{
	int i;

	for (i = 0; i < nirqs; i++)
		done += !generic_handle_irq(irq[i]);
	complete(&called);
	return HRTIMER_NORESTART;
}

static int __init irq_spurious_init(void)
{
	hrtimer_setup(&timer, irq_spurious_call, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	hrtimer_start(&timer, ms_to_ktime(1), HRTIMER_MODE_REL_HARD);
	wait_for_completion(&called);
	return 0;
}
module_init(irq_spurious_init);

static void __exit irq_spurious_exit(void)
{
	hrtimer_cancel(&timer);
}
module_exit(irq_spurious_exit);

MODULE_DESCRIPTION("Test: interrupts of another device");
MODULE_LICENSE("GPL");
