// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test module: the steps of esp_accel for a run of the program esp-fft. The parameter "order" lists
 * them: the buffer is cleaned from the processor's caches, ESP's caches are flushed, an accelerator
 * starts, the buffer is synchronized for the processor. Repetitions in a row appear once.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "events/esp/regs.h"

static char order[256];
module_param_string(order, order, sizeof(order), 0444);
static const char *last;

static void order_step(const char *step)
{
	if (strcmp(current->comm, "esp-fft") || last == step)
		return;
	last = step;
	strlcat(order, *order ? " " : "", sizeof(order));
	strlcat(order, step, sizeof(order));
}

/*
 * The second argument tells for whom. The probe is not on the DMA API's functions, because newer
 * kernels do not call them for a coherent device.
 */
static int order_sync(struct kprobe *probe, struct pt_regs *regs)
{
	order_step((bool)regs->si ? "clean" : "take");
	return 0;
}

/* ioremap() aligns BAR0 to its size. */
static int order_write(struct kprobe *probe, struct pt_regs *regs)
{
	unsigned int offset = regs->si & (ESP_APB_SIZE - 1);

	if (offset >= ESP_L2_CTRL && offset < ESP_ACC_BASE && regs->di == ESP_CACHE_CMD_FLUSH)
		order_step("flush");
	if (offset >= ESP_ACC_BASE && offset < ESP_CSR_BASE &&
	    offset % ESP_ACC_STRIDE == ESP_ACC_CMD && regs->di == 1)
		order_step("start");
	return 0;
}

static struct kprobe order_probes[] = {
	{ .symbol_name = "esp_accel:esp_contig_sync", .pre_handler = order_sync },
	{ .symbol_name = "iowrite32", .pre_handler = order_write },
};

static struct kprobe *order_all[] = { &order_probes[0], &order_probes[1] };

static int __init run_order_init(void)
{
	return register_kprobes(order_all, ARRAY_SIZE(order_all));
}
module_init(run_order_init);

static void __exit run_order_exit(void)
{
	unregister_kprobes(order_all, ARRAY_SIZE(order_all));
}
module_exit(run_order_exit);

MODULE_DESCRIPTION("Test: the order of a run's steps");
MODULE_LICENSE("GPL");
