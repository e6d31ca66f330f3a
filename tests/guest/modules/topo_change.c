// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test module: changes the answer of a register that the probe of a PCI function reads. Parameters:
 * offset in the BAR; value, returned after some right answers; mask, the size of the BAR less 1;
 * reads, how often it was read.
 */
#include <linux/kprobes.h>
#include <linux/module.h>

#include "events/esp/regs.h"

static unsigned int offset;
module_param(offset, uint, 0);
static unsigned int value;
module_param(value, uint, 0);
static unsigned int mask = ESP_TOPO_SIZE - 1;
module_param(mask, uint, 0);
static unsigned int right = 1;
module_param(right, uint, 0);
static unsigned int reads;
module_param(reads, uint, 0444);

/* ioremap() aligns BARs to their sizes; no other register of these low bits is read meanwhile. */
static int topo_enter(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return (regs->di & mask) != offset;
}

static int topo_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	if (reads++ >= right)
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
