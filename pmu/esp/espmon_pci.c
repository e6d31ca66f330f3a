// SPDX-License-Identifier: GPL-2.0-only
/*
 * The emulated ESP SoC on PCI: finds out what the SoC looks like, registers its PMU, and offers its
 * accelerators to esp_accel as the auxiliary device "espmon.accel".
 */
#include <linux/bitfield.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "espmon.h"

static u32 topo(void __iomem *block, unsigned int offset)
{
	return ioread32(block + offset);
}

static void espmon_read_name(void __iomem *acc, char *name)
{
	unsigned int i;

	for (i = 0; i < ESP_TOPO_ACC_NAME_LEN; i += 4) {
		u32 word = ioread32(acc + ESP_TOPO_ACC_NAME + i);

		memcpy(name + i, &word, 4);
	}
	name[ESP_TOPO_ACC_NAME_LEN - 1] = '\0';
}

/* Each word of the block is read once, because the device may change its answer later. */
static void espmon_read_soc(void __iomem *block, struct esp_soc_dev *soc)
{
	soc->rows = topo(block, ESP_TOPO_ROWS);
	soc->cols = topo(block, ESP_TOPO_COLS);
	soc->ncpu = topo(block, ESP_TOPO_NCPU);
	soc->nmem = topo(block, ESP_TOPO_NMEM);
	soc->nacc = topo(block, ESP_TOPO_NACC);
	soc->layout = topo(block, ESP_TOPO_LAYOUT);
	soc->clock_hz = topo(block, ESP_TOPO_CLOCK_HZ);
	soc->flags = topo(block, ESP_TOPO_FLAGS);
	soc->arch_bits = topo(block, ESP_TOPO_ARCH_BITS);
	soc->line_bytes = topo(block, ESP_TOPO_LINE_BYTES);
	soc->l2_sets = topo(block, ESP_TOPO_L2_SETS);
	soc->l2_ways = topo(block, ESP_TOPO_L2_WAYS);
	soc->llc_sets = topo(block, ESP_TOPO_LLC_SETS);
	soc->llc_ways = topo(block, ESP_TOPO_LLC_WAYS);
	soc->acc_l2_sets = topo(block, ESP_TOPO_ACC_L2_SETS);
	soc->acc_l2_ways = topo(block, ESP_TOPO_ACC_L2_WAYS);
	soc->coh_noc_width = topo(block, ESP_TOPO_COH_NOC_WIDTH);
	soc->dma_noc_width = topo(block, ESP_TOPO_DMA_NOC_WIDTH);
	soc->mem_base = topo(block, ESP_TOPO_MEM_BASE);
	soc->mem_size = (u64)topo(block, ESP_TOPO_MEM_MIB) << 20;
}

static int espmon_check_soc(struct pci_dev *pdev, const struct esp_soc_dev *soc)
{
	if (!soc->rows || !soc->cols || soc->rows > ESP_MAX_TILES || soc->cols > ESP_MAX_TILES ||
	    soc->rows * soc->cols > ESP_MAX_TILES || soc->nacc > soc->rows * soc->cols)
		return dev_err_probe(&pdev->dev, -EINVAL, "%u x %u tiles are not possible\n",
				     soc->rows, soc->cols);
	if (!espmon_layout_name(soc->layout))
		return dev_err_probe(&pdev->dev, -EINVAL, "monitor layout %u is unknown\n",
				     soc->layout);
	if (!soc->clock_hz)
		return dev_err_probe(&pdev->dev, -EINVAL, "the tile clock is not known\n");
	return 0;
}

static int espmon_read_tiles(void __iomem *block, struct esp_soc_dev *soc, struct espmon_id *id)
{
	unsigned int t, k;

	id->rows = soc->rows;
	id->cols = soc->cols;
	id->ntiles = soc->rows * soc->cols;
	id->layout = soc->layout;
	id->clock_hz = soc->clock_hz;
	id->max_hz = soc->clock_hz;
	for (k = 0; k < soc->nacc; k++) {
		void __iomem *acc = block + ESP_TOPO_ACC(k);
		struct esp_acc_info *info = &soc->accs[k];

		info->tile = min_t(u32, topo(acc, ESP_TOPO_ACC_TILE), id->ntiles - 1);
		info->devid = topo(acc, ESP_TOPO_ACC_DEVID);
		info->params = topo(acc, ESP_TOPO_ACC_PARAMS);
		espmon_read_name(acc, info->name);
		if (!esp_acc_name_ok(info->name))
			return dev_err_probe(soc->dev, -EINVAL,
					     "accelerator %u: name \"%*pE\" is not letters, digits, _ and -\n",
					     k, (int)strlen(info->name), info->name);
		strscpy(id->tiles[info->tile].acc, info->name, ESP_TOPO_ACC_NAME_LEN);
	}
	for (t = 0; t < id->ntiles; t++) {
		u32 word = topo(block, ESP_TOPO_TILE(t));
		struct espmon_tile *tile = &id->tiles[t];

		tile->kind = FIELD_GET(ESP_TOPO_TILE_KIND, word);
		if (tile->kind > ESP_TILE_ACC)
			tile->kind = ESP_TILE_EMPTY;
		tile->on = espmon_tile_classes(tile->kind, word & ESP_TOPO_TILE_HAS_L2,
					       word & ESP_TOPO_TILE_3RD_PARTY);
		for (k = 0; k < soc->nacc; k++) {
			if (soc->accs[k].tile != t)
				continue;
			soc->accs[k].has_l2 = word & ESP_TOPO_TILE_HAS_L2;
			soc->accs[k].third_party = word & ESP_TOPO_TILE_3RD_PARTY;
		}
	}
	espmon_number(id);
	return 0;
}

static void espmon_soc_release(struct device *dev)
{
	struct esp_soc_dev *soc = to_esp_soc_dev(to_auxiliary_dev(dev));

	kfree(soc->accs);
	kfree(soc);
}

static void espmon_free_irqs(void *pdev)
{
	pci_free_irq_vectors(pdev);
}

/* One vector an accelerator; with fewer, the last ones are polled. */
static int espmon_alloc_irqs(struct pci_dev *pdev, struct esp_soc_dev *soc)
{
	unsigned int k;
	int n;

	if (!soc->nacc)
		return 0;
	n = pci_alloc_irq_vectors(pdev, 1, soc->nacc, PCI_IRQ_MSIX);
	if (n < 0)
		return 0;
	for (k = 0; k < (unsigned int)n && k < soc->nacc; k++)
		soc->accs[k].irq = pci_irq_vector(pdev, k);
	return devm_add_action_or_reset(&pdev->dev, espmon_free_irqs, pdev);
}

static struct esp_soc_dev *espmon_soc_new(struct pci_dev *pdev, void __iomem *block)
{
	struct esp_soc_dev *soc;
	int err;

	if (topo(block, ESP_TOPO_MAGIC) != ESP_TOPO_MAGIC_VALUE ||
	    topo(block, ESP_TOPO_VERSION) != ESP_TOPO_VERSION_VALUE)
		return ERR_PTR(dev_err_probe(&pdev->dev, -ENODEV,
					     "no topology block of version %u: update the device\n",
					     ESP_TOPO_VERSION_VALUE));
	soc = kzalloc(sizeof(*soc), GFP_KERNEL);
	if (!soc)
		return ERR_PTR(-ENOMEM);
	espmon_read_soc(block, soc);
	err = espmon_check_soc(pdev, soc);
	if (err)
		goto err_free;
	err = -ENOMEM;
	soc->accs = kcalloc(max(soc->nacc, 1U), sizeof(*soc->accs), GFP_KERNEL);
	if (!soc->accs)
		goto err_free;
	soc->dev = &pdev->dev;
	err = mon_pci_init_aux(&soc->pci, pdev, ESP_SOC_AUX_NAME, espmon_soc_release);
	if (err)
		goto err_free;
	/* from here on auxiliary_device_uninit() frees it */
	return soc;

err_free:
	kfree(soc->accs);
	kfree(soc);
	return ERR_PTR(err);
}

static int espmon_probe(struct pci_dev *pdev, const struct pci_device_id *pci_id)
{
	struct esp_soc_dev *soc;
	struct espmon_id *id;
	void __iomem *block, *cpu;
	int err;

	id = devm_kzalloc(&pdev->dev, sizeof(*id), GFP_KERNEL);
	if (!id)
		return -ENOMEM;
	err = pcim_enable_device(pdev);
	if (err)
		return err;
	if (pci_resource_len(pdev, 0) < ESP_APB_SIZE || pci_resource_len(pdev, 2) < ESP_TOPO_SIZE)
		return dev_err_probe(&pdev->dev, -ENODEV, "BAR0 or BAR2 is too small\n");
	err = pcim_iomap_regions(pdev, BIT(0) | BIT(2), "espmon");
	if (err)
		return err;
	err = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(32));
	if (err)
		return err;
	block = pcim_iomap_table(pdev)[2];
	soc = espmon_soc_new(pdev, block);
	if (IS_ERR(soc))
		return PTR_ERR(soc);
	soc->apb = pcim_iomap_table(pdev)[0];
	soc->topology = block;
	pci_set_master(pdev);
	err = espmon_alloc_irqs(pdev, soc);
	if (err)
		goto err_soc;

	err = espmon_read_tiles(block, soc, id);
	if (err)
		goto err_soc;
	id->cpu = !!(topo(block, ESP_TOPO_CPU) & ESP_TOPO_CPU_PRESENT);
	cpu = id->cpu ? block + ESP_TOPO_CPU : NULL;
	soc->pci.mp = espmon_attach(&pdev->dev, id, soc->apb + ESP_CSR_BASE, cpu);
	if (IS_ERR(soc->pci.mp)) {
		err = PTR_ERR(soc->pci.mp);
		goto err_soc;
	}
	err = auxiliary_device_add(&soc->pci.aux);
	if (err)
		goto err_pmu;
	pci_set_drvdata(pdev, &soc->pci);
	return 0;

err_pmu:
	mon_pmu_detach(soc->pci.mp);
err_soc:
	auxiliary_device_uninit(&soc->pci.aux);
	return err;
}

static const struct pci_device_id espmon_pci_ids[] = {
	{ PCI_DEVICE(ESPMON_PCI_VENDOR, ESPMON_PCI_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, espmon_pci_ids);

static struct pci_driver espmon_pci_driver = {
	.name = "espmon",
	.id_table = espmon_pci_ids,
	.probe = espmon_probe,
	.remove = mon_pci_remove,
	.err_handler = &mon_pci_errors,
	.driver = {
		.pm = &mon_pci_pm_ops,
		/* perf events would outlive the binding */
		.suppress_bind_attrs = !MON_PERF_DETACHES,
	},
};

static int __init espmon_init(void)
{
	int err;

	espmon_tiles_init();
	err = espmon_of_init();
	if (err)
		return err;
	err = pci_register_driver(&espmon_pci_driver);
	if (err) {
		espmon_of_exit();
#if !MON_PERF_DETACHES
		espmon_forget();
#endif
	}
	return err;
}
module_init(espmon_init);

static void __exit espmon_exit(void)
{
	pci_unregister_driver(&espmon_pci_driver);
	espmon_of_exit();
#if !MON_PERF_DETACHES
	espmon_forget();
#endif
}
module_exit(espmon_exit);

MODULE_DESCRIPTION("Performance monitors of Columbia ESP SoCs");
MODULE_LICENSE("GPL");
