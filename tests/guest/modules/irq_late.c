// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test module: delays an interrupt handler before its write to the device (that of esp_accel
 * between its read of STATUS and its write to CMD), or with after_read after its read. This is what
 * happens on a virtual processor or in a handler thread. It takes delay_us, each long_every'th time
 * long_us.
 */
#include <linux/delay.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>

static char *handler = "esp_acc_irq";
module_param(handler, charp, 0);
static bool after_read;
module_param(after_read, bool, 0);
static unsigned int delay_us = 3000;
module_param(delay_us, uint, 0644);
static unsigned int long_us = 130000;
module_param(long_us, uint, 0644);
static unsigned int long_every = 32;
module_param(long_every, uint, 0644);

/* How often it was delayed. */
static atomic_t times = ATOMIC_INIT(0);

static int late_get(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%d\n", atomic_read(&times));
}

static const struct kernel_param_ops late_ops = { .get = late_get };
module_param_cb(times, &late_ops, NULL, 0444);

static void late(unsigned long caller)
{
	char name[KSYM_SYMBOL_LEN];
	unsigned int us = delay_us, n, part;

	sprint_symbol_no_offset(name, caller);
	/* functions that read may be called outside of an interrupt, too */
	if (!strstarts(name, handler) || (after_read && !in_hardirq()))
		return;
	n = atomic_inc_return(&times);
	if (long_every && n % long_every == 0)
		us = long_us;
	for (; us; us -= part) {
		part = min(us, 1000U);
		udelay(part);
	}
}

static int late_write(struct kprobe *probe, struct pt_regs *regs)
{
	late(regs_get_kernel_stack_nth(regs, 0));
	return 0;
}

static int late_read(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	late(get_kretprobe_retaddr(instance));
	return 0;
}

static struct kprobe late_probe = {
	.symbol_name = "iowrite32",
	.pre_handler = late_write,
};

static struct kretprobe late_return = {
	.kp.symbol_name = "ioread32",
	.handler = late_read,
};

static int __init irq_late_init(void)
{
	return after_read ? register_kretprobe(&late_return) : register_kprobe(&late_probe);
}
module_init(irq_late_init);

static void __exit irq_late_exit(void)
{
	if (after_read)
		unregister_kretprobe(&late_return);
	else
		unregister_kprobe(&late_probe);
}
module_exit(irq_late_exit);

MODULE_DESCRIPTION("Test: an interrupt handler that is late");
MODULE_LICENSE("GPL");
