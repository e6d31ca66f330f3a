// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test module: the monitors of the emulated ESP SoC as a platform device, with the properties of
 * pmu/esp/sld,esp-monitors.yaml that its parameters name. The registers are those in the PCI
 * function's BAR0. Writing to the parameter fft runs 128 points on accelerator 0, because
 * espmon.accel does not exist then; wrong_id changes the number that a tile reports.
 *
 * With accelerators=1 it is the accelerators instead, as in the example of
 * pmu/esp/sld,esp-accelerators.yaml: they have no reset line. Writing to the parameter
 * shutdown shuts the device down.
 */
#include <linux/clk-provider.h>
#include <linux/clkdev.h>
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/property.h>
#include <linux/sizes.h>

#include "events/esp/config.h"
#include "pmu/esp/esp_soc.h"

#define NODE_CHUNK_SHIFT	12
#define NODE_BUFFER		(2 << NODE_CHUNK_SHIFT)
#define NODE_FFT_MS		30000

/* Not given: the device has no such property. */
static unsigned int columns[1], ncolumns;
module_param_array(columns, uint, &ncolumns, 0);
static unsigned int layout = 2023;
module_param(layout, uint, 0);
static unsigned int clock[1], nclock;
module_param_array(clock, uint, &nclock, 0);
static unsigned int fastest;
module_param(fastest, uint, 0);
MODULE_PARM_DESC(fastest, "what the clock can be raised to");
static unsigned int acc[8], nacc;
module_param_array(acc, uint, &nacc, 0);
static unsigned int cpu[8], ncpu;
module_param_array(cpu, uint, &ncpu, 0);
static unsigned int io[8], nio;
module_param_array(io, uint, &nio, 0);
static unsigned int l2[8], nl2;
module_param_array(l2, uint, &nl2, 0);
static unsigned int mem[8], nmem;
module_param_array(mem, uint, &nmem, 0);
static char *compatible = "sld,fft_stratus";
module_param(compatible, charp, 0);
MODULE_PARM_DESC(compatible, "of the last accelerator");

static unsigned int offset = ESP_CSR_BASE;
module_param(offset, uint, 0);
MODULE_PARM_DESC(offset, "of the registers in BAR0");
static unsigned int size = 6 * ESP_CSR_STRIDE;
module_param(size, uint, 0);
MODULE_PARM_DESC(size, "of the registers in bytes; 0: the device has none");
static int wrong_id = -1;
module_param(wrong_id, int, 0);
MODULE_PARM_DESC(wrong_id, "number of a tile that says another one");

static bool accelerators;
module_param(accelerators, bool, 0);
MODULE_PARM_DESC(accelerators, "the accelerators rather than the monitors");

static const struct property_entry node_acc_compatible[] = {
	PROPERTY_ENTRY_STRING("compatible", "sld,fft_stratus"),
	{ }
};

static struct property_entry node_acc_last[2];

static const struct software_node node_accs[] = {
	{ .name = "esp_node-fft0", .properties = node_acc_compatible },
	{ .name = "esp_node-fft1", .properties = node_acc_compatible },
	{ .name = "esp_node-fft2", .properties = node_acc_last },
};

static const struct software_node *node_acc_group[] = {
	&node_accs[0], &node_accs[1], &node_accs[2], NULL
};

static const struct software_node_ref_args node_acc_refs[] = {
	SOFTWARE_NODE_REFERENCE(&node_accs[0]),
	SOFTWARE_NODE_REFERENCE(&node_accs[1]),
	SOFTWARE_NODE_REFERENCE(&node_accs[2]),
};

static const u32 node_acc_tiles[] = { 0, 3, 4 };
static const u32 node_noc_widths[] = { 64, 64 };
static const u64 node_memory[] = { 0, SZ_4G };
static const struct property_entry node_acc_properties[] = {
	PROPERTY_ENTRY_REF_ARRAY("sld,accelerators", node_acc_refs),
	PROPERTY_ENTRY_U32_ARRAY("sld,accelerator-tiles", node_acc_tiles),
	PROPERTY_ENTRY_U32("sld,cpus", 1),
	PROPERTY_ENTRY_U32("sld,memory-tiles", 1),
	PROPERTY_ENTRY_U64_ARRAY("sld,memory", node_memory),
	PROPERTY_ENTRY_U32("sld,word-width", 64),
	PROPERTY_ENTRY_U32_ARRAY("sld,noc-widths", node_noc_widths),
	{ }
};

static struct pci_dev *node_pci;
static struct platform_device *node_device;
static char node_name[16];
static struct clk_lookup *node_lookup;
static void __iomem *node_apb;

/* This module uses these registers; neither the PCI driver nor the platform driver has them. */
static int node_fft(const char *text, const struct kernel_param *param)
{
	void __iomem *acc = node_apb + ESP_ACC_BASE;
	unsigned int ms;
	dma_addr_t dma;
	void *buffer;
	u32 status;

	if (!node_apb)
		return -ENODEV;
	buffer = dma_alloc_coherent(&node_pci->dev, NODE_BUFFER, &dma, GFP_KERNEL);
	if (!buffer)
		return -ENOMEM;
	/* one chunk of data, followed by the page table */
	*(u64 *)(buffer + BIT(NODE_CHUNK_SHIFT)) = dma;
	esp_reg_write(dma + BIT(NODE_CHUNK_SHIFT), acc + ESP_ACC_PT_ADDRESS);
	esp_reg_write(NODE_CHUNK_SHIFT, acc + ESP_ACC_PT_SHIFT);
	esp_reg_write(1, acc + ESP_ACC_PT_NCHUNK);
	esp_reg_write(ESP_COH_NONE, acc + ESP_ACC_COHERENCE);
	esp_reg_write(0, acc + ESP_ACC_P2P);
	esp_reg_write(0, acc + ESP_ACC_SRC_OFFSET);
	esp_reg_write(0, acc + ESP_ACC_DST_OFFSET);
	esp_reg_write(1, acc + ESP_FFT_BATCH_SIZE);
	esp_reg_write(7, acc + ESP_FFT_LOG_LEN);
	esp_reg_write(1, acc + ESP_FFT_DO_BITREV);
	esp_reg_write(1, acc + ESP_ACC_CMD);
	for (ms = 0; ms < NODE_FFT_MS; ms++) {
		status = esp_reg_read(acc + ESP_ACC_STATUS);
		if (status & ESP_ACC_STATUS_DONE)
			break;
		usleep_range(1000, 2000);
	}
	esp_reg_write(0, acc + ESP_ACC_CMD);
	if (ms == NODE_FFT_MS) {
		/* it may still write to the buffer, which is not freed */
		return -ETIMEDOUT;
	}
	dma_free_coherent(&node_pci->dev, NODE_BUFFER, buffer, dma);
	return 0;
}

static const struct kernel_param_ops node_fft_ops = { .set = node_fft };
module_param_cb(fft, &node_fft_ops, NULL, 0200);

/* As before kexec or a reboot. */
static int node_shutdown(const char *text, const struct kernel_param *param)
{
	struct device *dev = &node_device->dev;

	device_lock(dev);
	if (dev->driver)
		dev->bus->shutdown(dev);
	device_unlock(dev);
	return 0;
}

static const struct kernel_param_ops node_shutdown_ops = { .set = node_shutdown };
module_param_cb(shutdown, &node_shutdown_ops, NULL, 0200);

static void node_set_id(u32 id)
{
	if (wrong_id >= 0)
		esp_reg_write(id, node_apb + ESP_CSR_BASE + wrong_id * ESP_CSR_STRIDE +
			      ESP_CSR_TILE_ID);
}

static unsigned long node_clock_rate(struct clk_hw *hw, unsigned long parent)
{
	return clock[0];
}

static int node_clock_determine(struct clk_hw *hw, struct clk_rate_request *request)
{
	request->rate = min_t(unsigned long, request->rate, max(fastest, clock[0]));
	return 0;
}

static int node_clock_set(struct clk_hw *hw, unsigned long rate, unsigned long parent)
{
	clock[0] = rate;
	return 0;
}

static const struct clk_ops node_clock_ops = {
	.recalc_rate = node_clock_rate,
	.determine_rate = node_clock_determine,
	.set_rate = node_clock_set,
};

static const struct clk_init_data node_clock_init = { .name = "esp_node", .ops = &node_clock_ops };
static struct clk_hw node_clock = { .init = &node_clock_init };

static int node_set_clock(void)
{
	int err = nclock ? clk_hw_register(NULL, &node_clock) : 0;

	if (err || !nclock)
		return err;
	node_lookup = clkdev_hw_create(&node_clock, NULL, "%s", node_name);
	if (node_lookup)
		return 0;
	clk_hw_unregister(&node_clock);
	return -ENOMEM;
}

static void node_clear_clock(void)
{
	if (!nclock)
		return;
	clkdev_drop(node_lookup);
	clk_hw_unregister(&node_clock);
}

static struct platform_device *node_register(void)
{
	struct resource res = DEFINE_RES_MEM(pci_resource_start(node_pci, 0) + offset, size);
	struct property_entry properties[9] = { };
	struct platform_device_info info = {
		/* without a device tree a platform driver matches by its name */
		.name = "espmon",
		.id = layout,
		.res = &res,
		.num_res = !!size,
		.properties = properties,
	};
	const struct {
		const char *name;
		const unsigned int *values;
		unsigned int n;
	} words[] = {
		{ "sld,columns", columns, ncolumns },
		{ "sld,accelerator-tiles", acc, nacc },
		{ "sld,cpu-tiles", cpu, ncpu },
		{ "sld,io-tiles", io, nio },
		{ "sld,l2-tiles", l2, nl2 },
		{ "sld,mem-tiles", mem, nmem },
	};
	static const struct {
		unsigned int layout;
		const char *compatible;
	} layouts[] = {
#define LAYOUT(number, name, compat) { number, compat \
},
		ESPMON_LAYOUTS(LAYOUT)
#undef LAYOUT
	};
	unsigned int i, n = 0;

	if (accelerators) {
		struct resource window = DEFINE_RES_MEM(pci_resource_start(node_pci, 0),
							ESP_CSR_BASE);

		res = window;
		info.name = "esp_accel";
		info.id = PLATFORM_DEVID_NONE;
		info.dma_mask = DMA_BIT_MASK(32);
		info.properties = node_acc_properties;
		return platform_device_register_full(&info);
	}
	for (i = 0; i < ARRAY_SIZE(layouts); i++)
		if (layouts[i].layout == layout)
			properties[n++] = PROPERTY_ENTRY_STRING("compatible",
								layouts[i].compatible);
	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i].n)
			properties[n++] = PROPERTY_ENTRY_U32_ARRAY_LEN(words[i].name,
								       words[i].values,
								       words[i].n);
	properties[n++] = PROPERTY_ENTRY_REF_ARRAY("sld,accelerators", node_acc_refs);
	return platform_device_register_full(&info);
}

/* Since Linux 7.3 a device waits for drivers of the nodes that it names. These have none. */
static void node_accs_need_no_driver(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(node_accs); i++)
		fwnode_dev_initialized(software_node_fwnode(&node_accs[i]), true);
}

static int __init esp_node_init(void)
{
	int err;

	node_pci = pci_get_device(ESPMON_PCI_VENDOR, ESPMON_PCI_DEVICE, NULL);
	if (!node_pci)
		return -ENODEV;
	err = pci_enable_device(node_pci);
	if (err)
		goto err_put;
	pci_set_master(node_pci);
	node_apb = ioremap(pci_resource_start(node_pci, 0), ESP_APB_SIZE);
	if (!node_apb) {
		err = -ENOMEM;
		goto err_disable;
	}
	node_set_id(wrong_id + 1);
	snprintf(node_name, sizeof(node_name), "espmon.%u", layout);
	err = node_set_clock();
	if (err)
		goto err_unmap;
	node_acc_last[0] = PROPERTY_ENTRY_STRING("compatible", compatible);
	err = software_node_register_node_group(node_acc_group);
	if (err)
		goto err_clock;
	node_accs_need_no_driver();
	node_device = node_register();
	if (!IS_ERR(node_device))
		return 0;
	err = PTR_ERR(node_device);
	software_node_unregister_node_group(node_acc_group);
err_clock:
	node_clear_clock();
err_unmap:
	node_set_id(wrong_id);
	iounmap(node_apb);
err_disable:
	pci_disable_device(node_pci);
err_put:
	pci_dev_put(node_pci);
	return err;
}
module_init(esp_node_init);

static void __exit esp_node_exit(void)
{
	platform_device_unregister(node_device);
	software_node_unregister_node_group(node_acc_group);
	node_clear_clock();
	node_set_id(wrong_id);
	iounmap(node_apb);
	pci_disable_device(node_pci);
	pci_dev_put(node_pci);
}
module_exit(esp_node_exit);

MODULE_DESCRIPTION("Test: an ESP SoC's monitors as a platform device");
MODULE_LICENSE("GPL");
