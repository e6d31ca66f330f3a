// SPDX-License-Identifier: GPL-2.0-only
/*
 * The accelerators of an ESP SoC on the SoC itself: one platform device that the device tree
 * describes (pmu/esp/sld,esp-accelerators.yaml) with all that the registers do not tell.
 */
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/of_address.h>
#include <linux/of_reserved_mem.h>
#include <linux/platform_device.h>
#include <linux/property.h>

#include "esp_accel.h"
#include "esp_emulator.h"

static int esp_of_u32s(struct device *dev, const char *name, u32 *values, size_t n)
{
	int err = device_property_read_u32_array(dev, name, values, n);

	return err ? dev_err_probe(dev, err, "%s: not %zu numbers\n", name, n) : 0;
}

/* Marks the accelerators in the tiles of a list, of which any may be absent. */
static int esp_of_l2(struct device *dev, struct esp_soc_dev *hw)
{
	static const char name[] = "sld,l2-tiles";
	int n = device_property_count_u32(dev, name), i, err;
	unsigned int k;
	u32 *tiles;

	if (n <= 0)
		return 0;
	tiles = devm_kcalloc(dev, n, sizeof(*tiles), GFP_KERNEL);
	if (!tiles)
		return -ENOMEM;
	err = esp_of_u32s(dev, name, tiles, n);
	for (i = 0; !err && i < n; i++) {
		for (k = 0; k < hw->nacc && hw->accs[k].tile != tiles[i]; k++)
			;
		if (k == hw->nacc)
			return dev_err_probe(dev, -EINVAL, "%s: no accelerator is in tile %u\n",
					     name, tiles[i]);
		hw->accs[k].has_l2 = true;
	}
	return err;
}

static int esp_of_acc(struct device *dev, struct esp_soc_dev *hw, unsigned int k)
{
	struct esp_acc_info *acc = &hw->accs[k];
	struct fwnode_handle *node = esp_of_acc_node(dev, k, acc->name, &acc->third_party);

	if (IS_ERR(node))
		return PTR_ERR(node);
	/* without an interrupt the accelerator is polled */
	acc->irq = fwnode_irq_get(node, 0);
	fwnode_handle_put(node);
	if (!acc->third_party)
		acc->devid = esp_reg_read(hw->apb + ESP_ACC_BASE + k * ESP_ACC_STRIDE +
					  ESP_ACC_DEVID);
	return acc->irq == -EPROBE_DEFER ? acc->irq : 0;
}

static int esp_of_accs(struct device *dev, struct esp_soc_dev *hw)
{
	static const char property[] = "sld,accelerator-tiles";
	int n = device_property_count_u32(dev, property), err;
	unsigned int k;
	u32 *words;

	if (n <= 0 || n > ESP_MAX_ACCS)
		return dev_err_probe(dev, -EINVAL, "%s: not 1 to %u\n", property, ESP_MAX_ACCS);
	hw->nacc = n;
	hw->accs = devm_kcalloc(dev, n, sizeof(*hw->accs), GFP_KERNEL);
	words = devm_kcalloc(dev, n, sizeof(*words), GFP_KERNEL);
	if (!hw->accs || !words)
		return -ENOMEM;
	err = esp_of_u32s(dev, property, words, n);
	for (k = 0; !err && k < n; k++) {
		if (words[k] >= ESP_MAX_TILES)
			return dev_err_probe(dev, -EINVAL, "%s: there is no tile %u\n", property,
					     words[k]);
		hw->accs[k].tile = words[k];
		err = esp_of_acc(dev, hw, k);
	}
	/* drivers of single accelerators have these numbers built in */
	if (!err && device_property_present(dev, "sld,accelerator-parameters")) {
		err = esp_of_u32s(dev, "sld,accelerator-parameters", words, n);
		for (k = 0; !err && k < n; k++)
			hw->accs[k].params = words[k];
	}
	return err ?: esp_of_l2(dev, hw);
}

/* Without a geometry the SoC has no caches of ESP's. */
static int esp_of_caches(struct device *dev, struct esp_soc_dev *hw)
{
	u32 llc[2], acc_l2[2];
	int err;

	if (!device_property_present(dev, "sld,llc-geometry"))
		return 0;
	hw->flags |= ESP_TOPO_CACHES;
	err = esp_of_u32s(dev, "sld,line-bytes", &hw->line_bytes, 1);
	err = err ?: esp_of_u32s(dev, "sld,llc-geometry", llc, 2);
	err = err ?: esp_of_u32s(dev, "sld,accelerator-l2-geometry", acc_l2, 2);
	if (err)
		return err;
	hw->llc_sets = llc[0];
	hw->llc_ways = llc[1];
	hw->acc_l2_sets = acc_l2[0];
	hw->acc_l2_ways = acc_l2[1];
	return 0;
}

static int esp_of_soc(struct device *dev, struct esp_soc_dev *hw)
{
	u64 memory[2];
	u32 widths[2];
	int err;

	err = esp_of_u32s(dev, "sld,cpus", &hw->ncpu, 1);
	err = err ?: esp_of_u32s(dev, "sld,memory-tiles", &hw->nmem, 1);
	err = err ?: esp_of_u32s(dev, "sld,word-width", &hw->arch_bits, 1);
	err = err ?: esp_of_u32s(dev, "sld,noc-widths", widths, 2);
	if (err)
		return err;
	err = device_property_read_u64_array(dev, "sld,memory", memory, 2);
	if (err)
		return dev_err_probe(dev, err, "sld,memory: not an address and a size\n");
	hw->coh_noc_width = widths[0];
	hw->dma_noc_width = widths[1];
	hw->mem_base = memory[0];
	hw->mem_size = memory[1];
	return esp_of_caches(dev, hw);
}

static void esp_of_release_memory(void *dev)
{
	of_reserved_mem_device_release(dev);
}

/*
 * Such memory must not be in the processor's caches, and may not be in the kernel's map of the
 * memory (no-map): the DMA API knows how to reach it.
 */
static int esp_of_noncoherent(struct device *dev, struct esp_soc_dev *hw)
{
	int n = of_count_phandle_with_args(dev->of_node, "memory-region", NULL), err;

	hw->noncoherent = true;
	if (n <= 0)
		return 0;
	err = n > 1 ? -EINVAL : of_reserved_mem_device_init(dev);
	if (err)
		return dev_err_probe(dev, err,
				     "memory-region: DMA that is not coherent needs one shared-dma-pool\n");
	hw->reserved = true;
	return devm_add_action_or_reset(dev, esp_of_release_memory, dev);
}

static int esp_of_pools(struct device *dev, struct esp_soc_dev *hw)
{
	struct device_node *node;
	struct resource res;
	unsigned int i;
	int err;

	if (device_get_dma_attr(dev) == DEV_DMA_NON_COHERENT)
		return esp_of_noncoherent(dev, hw);
	for (i = 0; (node = of_parse_phandle(dev->of_node, "memory-region", i)); i++) {
		err = of_address_to_resource(node, 0, &res);
		of_node_put(node);
		err = err ?: esp_pool_add_reserved(res.start, res.end + 1);
		if (err)
			return dev_err_probe(dev, err, "memory-region %u cannot be used\n", i);
	}
	return 0;
}

static void esp_of_stop(void *soc)
{
	esp_accel_stop(soc);
}

static int esp_of_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct esp_soc_dev *hw;
	struct esp_soc *soc;
	struct resource *res;
	int err;

	hw = devm_kzalloc(dev, sizeof(*hw), GFP_KERNEL);
	if (!hw)
		return -ENOMEM;
	hw->dev = dev;
	hw->apb = devm_platform_get_and_ioremap_resource(pdev, 0, &res);
	if (IS_ERR(hw->apb))
		return PTR_ERR(hw->apb);
	if (resource_size(res) < ESP_CSR_BASE)
		return dev_err_probe(dev, -EINVAL, "%pR is too small for the accelerators\n", res);
	/* with the accelerators' reset lines */
	hw->topology = esp_emulator(dev);
	if (IS_ERR(hw->topology))
		return PTR_ERR(hw->topology);
	err = esp_of_soc(dev, hw);
	if (err)
		return err;
	err = esp_of_accs(dev, hw);
	err = err ?: esp_of_pools(dev, hw);
	if (err)
		return err;
	soc = esp_accel_start(hw, dev);
	if (IS_ERR(soc))
		return PTR_ERR(soc);
	platform_set_drvdata(pdev, soc);
	return devm_add_action_or_reset(dev, esp_of_stop, soc);
}

/* For kexec and reboot. The PCI core stops DMA of its functions; nothing does so for this one. */
static void esp_of_shutdown(struct platform_device *pdev)
{
	esp_accel_shutdown(platform_get_drvdata(pdev));
}

static const struct of_device_id esp_of_ids[] = {
	{ .compatible = "sld,esp-accelerators" },
	{ }
};
MODULE_DEVICE_TABLE(of, esp_of_ids);

struct platform_driver esp_of_driver = {
	.probe = esp_of_probe,
	.shutdown = esp_of_shutdown,
	.driver = {
		.name = "esp_accel",
		.of_match_table = esp_of_ids,
		.pm = pm_sleep_ptr(&esp_accel_pm_ops),
	},
};
