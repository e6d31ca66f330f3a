// SPDX-License-Identifier: GPL-2.0-only
/*
 * The emulated ESP SoC on PCI: finds out what the SoC looks like, registers its PMU, and offers its
 * accelerators to esp_accel as the auxiliary device "espmon.accel".
 */
#include <linux/bitfield.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

#include "espmon.h"

static u32 topo(void __iomem *block, unsigned int offset)
{
	return ioread32(block + offset);
}

/* Each word of the block is read once, because the device may change its answer later. */
static void espmon_read_soc(void __iomem *block, struct esp_soc_dev *soc, struct espmon_id *id)
{
	id->rows = topo(block, ESP_TOPO_ROWS);
	id->cols = topo(block, ESP_TOPO_COLS);
	id->layout = topo(block, ESP_TOPO_LAYOUT);
	id->max_hz = topo(block, ESP_TOPO_CLOCK_HZ);
	soc->ncpu = topo(block, ESP_TOPO_NCPU);
	soc->nmem = topo(block, ESP_TOPO_NMEM);
	soc->nacc = topo(block, ESP_TOPO_NACC);
	soc->flags = topo(block, ESP_TOPO_FLAGS);
	soc->arch_bits = topo(block, ESP_TOPO_ARCH_BITS);
	soc->line_bytes = topo(block, ESP_TOPO_LINE_BYTES);
	soc->llc_sets = topo(block, ESP_TOPO_LLC_SETS);
	soc->llc_ways = topo(block, ESP_TOPO_LLC_WAYS);
	soc->acc_l2_sets = topo(block, ESP_TOPO_ACC_L2_SETS);
	soc->acc_l2_ways = topo(block, ESP_TOPO_ACC_L2_WAYS);
	soc->coh_noc_width = topo(block, ESP_TOPO_COH_NOC_WIDTH);
	soc->dma_noc_width = topo(block, ESP_TOPO_DMA_NOC_WIDTH);
	soc->mem_base = topo(block, ESP_TOPO_MEM_BASE);
	soc->mem_size = (u64)topo(block, ESP_TOPO_MEM_MIB) << 20;
}

static int espmon_check_soc(const struct esp_soc_dev *soc, const struct espmon_id *id)
{
	if (!id->rows || !id->cols || id->rows > ESP_MAX_TILES || id->cols > ESP_MAX_TILES ||
	    id->rows * id->cols > ESP_MAX_TILES || soc->nacc > id->rows * id->cols)
		return dev_err_probe(soc->dev, -EINVAL, "%u x %u tiles are not possible\n",
				     id->rows, id->cols);
	if (!espmon_layout_name(id->layout))
		return dev_err_probe(soc->dev, -EINVAL, "monitor layout %u is unknown\n",
				     id->layout);
	if (!id->max_hz)
		return dev_err_probe(soc->dev, -EINVAL, "the tile clock is not known\n");
	return 0;
}

static int espmon_read_tiles(void __iomem *block, struct esp_soc_dev *soc, struct espmon_id *id)
{
	unsigned int t, k;

	id->ntiles = id->rows * id->cols;
	id->not_modelled = soc->flags >> ESP_TOPO_NOT_MODELLED & 0xff;
	for (k = 0; k < soc->nacc; k++) {
		void __iomem *acc = block + ESP_TOPO_ACC(k);
		struct esp_acc_info *info = &soc->accs[k];

		info->tile = min_t(u32, topo(acc, ESP_TOPO_ACC_TILE), id->ntiles - 1);
		info->devid = topo(acc, ESP_TOPO_ACC_DEVID);
		info->params = topo(acc, ESP_TOPO_ACC_PARAMS);
		info->order = topo(acc, ESP_TOPO_ACC_ORDER) & _IOC_NRMASK;
		for (t = 0; t < ESP_TOPO_ACC_NAME_LEN / 4; t++)
			((u32 *)info->name)[t] = topo(acc, ESP_TOPO_ACC_NAME + 4 * t);
		info->name[ESP_TOPO_ACC_NAME_LEN - 1] = '\0';
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
	id->cpu = !!(topo(block, ESP_TOPO_CPU) & ESP_TOPO_CPU_PRESENT);
	return 0;
}

static int espmon_read_id(struct mon_pci_dev *pci, void *id)
{
	struct esp_soc_dev *soc = &to_esp_soc_pci(pci)->soc;
	void __iomem *block = pci->regs2;
	int err;

	soc->dev = pci->dev;
	soc->apb = pci->regs;
	soc->topology = block;
	if (topo(block, ESP_TOPO_MAGIC) != ESP_TOPO_MAGIC_VALUE ||
	    topo(block, ESP_TOPO_VERSION) != ESP_TOPO_VERSION_VALUE)
		return dev_err_probe(soc->dev, -ENODEV,
				     "no topology block of version %u: update the device\n",
				     ESP_TOPO_VERSION_VALUE);
	espmon_read_soc(block, soc, id);
	err = espmon_check_soc(soc, id);
	if (err)
		return err;
	soc->accs = devm_kcalloc(soc->dev, soc->nacc, sizeof(*soc->accs), GFP_KERNEL);
	if (!soc->accs)
		return -ENOMEM;
	/* with fewer than one an accelerator, the last ones are polled */
	pci->nirqs = soc->nacc;
	return espmon_read_tiles(block, soc, id);
}

static void espmon_pci_set_up(struct mon_pci_dev *pci)
{
	const struct espmon_id *id = pci->mp->id;
	struct esp_soc_dev *soc = &to_esp_soc_pci(pci)->soc;
	int k;

	for (k = 0; k < pci->nirqs; k++)
		soc->accs[k].irq = pci_irq_vector(to_pci_dev(pci->dev), k);
	espmon_set_up(pci->mp, soc->apb + ESP_CSR_BASE, id->max_hz,
		      id->cpu ? soc->topology + ESP_TOPO_CPU : NULL);
}

static const struct pci_device_id espmon_pci_ids[] = {
	{ PCI_DEVICE(ESPMON_PCI_VENDOR, ESPMON_PCI_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, espmon_pci_ids);

static struct mon_pci_driver espmon_pci_driver = {
	.pci = { .name = "espmon", .id_table = espmon_pci_ids },
	.desc = &espmon_desc,
	.size = sizeof(struct esp_soc_pci),
	.aux = ESP_SOC_AUX_NAME,
	.bar_size = ESP_APB_SIZE,
	.bar2_size = ESP_TOPO_SIZE,
	.dma_bits = 32,
	.irq_flags = PCI_IRQ_MSIX,
	.read_id = espmon_read_id,
	.set_up = espmon_pci_set_up,
};

static int __init espmon_init(void)
{
	int err;

	espmon_tiles_init();
	err = mon_pci_register(&espmon_pci_driver);
	if (err)
		return err;
	err = platform_driver_register(&espmon_of_driver);
	if (err)
		mon_pci_unregister(&espmon_pci_driver);
	return err;
}
module_init(espmon_init);

/* The second one ends the PMUs of both. */
static void __exit espmon_exit(void)
{
	platform_driver_unregister(&espmon_of_driver);
	mon_pci_unregister(&espmon_pci_driver);
}
module_exit(espmon_exit);

MODULE_DESCRIPTION("Performance monitors of Columbia ESP SoCs");
MODULE_LICENSE("GPL");
