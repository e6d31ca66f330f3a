// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test module: a register of the topology block, at offset of BAR2, that says value from its second
 * read on. "reads" tells how often it was read.
 */
#include <linux/kprobes.h>
#include <linux/module.h>

#include "events/espmon/regs.h"

static unsigned int offset;
module_param(offset, uint, 0);
static unsigned int value;
module_param(value, uint, 0);
static unsigned int reads;
module_param(reads, uint, 0444);

/* ioremap() aligns BAR2 to its size; BAR0's registers of these low bits are not read meanwhile. */
static int topo_enter(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return (regs->di & (ESP_TOPO_SIZE - 1)) != offset;
}

static int topo_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	if (reads++)
		regs_set_return_value(regs, value);
	return 0;
}

static struct kretprobe topo_probe = {
	.kp.symbol_name = "ioread32",
	.entry_handler = topo_enter,
	.handler = topo_return,
};

static int __init topo_change_init(void)
{
	return register_kretprobe(&topo_probe);
}
module_init(topo_change_init);

static void __exit topo_change_exit(void)
{
	unregister_kretprobe(&topo_probe);
}
module_exit(topo_change_exit);

MODULE_DESCRIPTION("Test: a device that changes its answer");
MODULE_LICENSE("GPL");
