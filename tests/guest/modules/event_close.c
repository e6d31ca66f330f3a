// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test module: once, an event of mon_pmu ends while the others move to another CPU. The move waits
 * until a program closes an event. The end of that event waits until the others have been taken
 * from their CPU. perf puts them on the other CPU 20 ms later. The parameter "moving" is 1 when it
 * is time to close the event, "met" is 1 when all of this has happened.
 */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>

static struct task_struct *mover;
static bool closing, removed;

static bool moving;
module_param(moving, bool, 0444);
static bool met;
module_param(met, bool, 0444);

/* For 2 s at most; after that "met" stays 0. */
static void close_wait(const bool *condition)
{
	unsigned int ms;

	for (ms = 0; ms < 2000 && !READ_ONCE(*condition); ms++)
		mdelay(1);
}

static int close_move(struct kprobe *probe, struct pt_regs *regs)
{
	if (mover)
		return 0;
	mover = current;
	WRITE_ONCE(moving, true);
	close_wait(&closing);
	return 0;
}

/* perf waits so when it has taken the events from their CPU. */
static int close_removed(struct kprobe *probe, struct pt_regs *regs)
{
	if (current == mover)
		WRITE_ONCE(removed, true);
	return 0;
}

/* RCU, and so the mover, waits for a processor that is in the handler of a probe. */
static int close_begin(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	if (!READ_ONCE(moving) || closing)
		return 1;
	WRITE_ONCE(closing, true);
	close_wait(&removed);
	return 0;
}

static int close_end(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	mdelay(20);
	met = removed;
	return 0;
}

static struct kprobe close_probes[] = {
	{ .symbol_name = "perf_pmu_migrate_context", .pre_handler = close_move },
	{ .symbol_name = "synchronize_rcu", .pre_handler = close_removed },
};

static struct kprobe *close_all[] = { &close_probes[0], &close_probes[1] };

static struct kretprobe close_probe = {
	.kp.symbol_name = "mon_pmu_event_destroy",
	.entry_handler = close_begin,
	.handler = close_end,
};

static int __init event_close_init(void)
{
	int err = register_kretprobe(&close_probe);

	if (err)
		return err;
	err = register_kprobes(close_all, ARRAY_SIZE(close_all));
	if (err)
		unregister_kretprobe(&close_probe);
	return err;
}
module_init(event_close_init);

static void __exit event_close_exit(void)
{
	unregister_kprobes(close_all, ARRAY_SIZE(close_all));
	unregister_kretprobe(&close_probe);
}
module_exit(event_close_exit);

MODULE_DESCRIPTION("Test: an event ends while others move to another CPU");
MODULE_LICENSE("GPL");
