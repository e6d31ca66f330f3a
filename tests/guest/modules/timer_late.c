// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test module: once, a processor is slow when it starts the timer of a PMU's polls: it waits until
 * the PMU's device has been taken from the PMU, half a second at most, and then until the timer is
 * due, so that a poll finds no device. The parameter "starting" is 1 while it waits, "met" is 1
 * when the device was about to go meanwhile, "active" tells whether the timer runs now. Before 6.16
 * the PMU, and so the timer, stays until its module goes.
 */
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

static struct hrtimer *timer;
static bool gone, waiting;

/* the timer has been started; it stays so, for whoever looks late */
static bool starting;
module_param(starting, bool, 0444);
static bool met;
module_param(met, bool, 0444);

static int timer_get_active(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%d\n", timer && hrtimer_active(timer));
}

static const struct kernel_param_ops timer_active_ops = { .get = timer_get_active };
module_param_cb(active, &timer_active_ops, NULL, 0444);

static int timer_start(struct kprobe *probe, struct pt_regs *regs)
{
	struct hrtimer *started = (struct hrtimer *)regs->di;
	char name[KSYM_SYMBOL_LEN];
	unsigned int ms;

	sprint_symbol_no_offset(name, (unsigned long)started->function);
	if (timer || !strstarts(name, "mon_pmu_poll"))
		return 0;
	timer = started;
	WRITE_ONCE(waiting, true);
	WRITE_ONCE(starting, true);
	for (ms = 0; ms < 500 && !READ_ONCE(gone); ms++)
		mdelay(1);
	WRITE_ONCE(waiting, false);
	for (ms = 0; ms < 2000 && ktime_before(ktime_get(), regs->si); ms++)
		mdelay(1);
	return 0;
}

static int timer_suspend(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	met |= READ_ONCE(waiting);
	return 0;
}

static int timer_suspended(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	WRITE_ONCE(gone, true);
	return 0;
}

/* A probe with this is not optimized: that waits for all CPUs, also for one in the handler. */
static void timer_started(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe timer_probe = {
	.symbol_name = "hrtimer_start_range_ns",
	.pre_handler = timer_start,
	.post_handler = timer_started,
};

static struct kretprobe timer_goes = {
	.kp.symbol_name = "mon_pmu_suspend",
	.entry_handler = timer_suspend,
	.handler = timer_suspended,
};

static int __init timer_late_init(void)
{
	int err = register_kretprobe(&timer_goes);

	if (err)
		return err;
	err = register_kprobe(&timer_probe);
	if (err)
		unregister_kretprobe(&timer_goes);
	return err;
}
module_init(timer_late_init);

static void __exit timer_late_exit(void)
{
	unregister_kprobe(&timer_probe);
	unregister_kretprobe(&timer_goes);
}
module_exit(timer_late_exit);

MODULE_DESCRIPTION("Test: the timer of polls starts late");
MODULE_LICENSE("GPL");
