// SPDX-License-Identifier: GPL-2.0-only
/*
 * The emulated UPMEM rank on PCI: its PMU and its character device.
 */
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/pci.h>

#include "upmem.h"

struct upmem_pci {
	struct mon_pmu *mp;
	struct upmem_rank *rank;
};

static int upmem_read_id(struct pci_dev *pdev, void __iomem *regs, struct upmem_id *id)
{
	if (ioread32(regs + UPMEM_ID) != UPMEM_ID_VALUE ||
	    ioread32(regs + UPMEM_VERSION) != UPMEM_VERSION_VALUE)
		return dev_err_probe(&pdev->dev, -ENODEV,
				     "no rank registers of version %u: update the device\n",
				     UPMEM_VERSION_VALUE);
	id->dpus = ioread32(regs + UPMEM_DPUS);
	id->chip_id = ioread32(regs + UPMEM_CHIP_ID);
	id->clock_hz = ioread32(regs + UPMEM_CLOCK_HZ);
	id->threads = ioread32(regs + UPMEM_THREADS);
	id->iram_words = ioread32(regs + UPMEM_IRAM_WORDS);
	id->wram_size = ioread32(regs + UPMEM_WRAM_SIZE);
	id->max_mhz = ioread32(regs + UPMEM_MAX_MHZ);
	if (!id->dpus || id->dpus > UPMEM_MAX_DPUS || id->iram_words > 4096 ||
	    id->wram_size > 65536)
		return dev_err_probe(&pdev->dev, -EINVAL, "%u DPUs are not possible\n", id->dpus);
	return 0;
}

static void upmem_free_irqs(void *pdev)
{
	pci_free_irq_vectors(pdev);
}

/* The interrupt's number, or 0 when there is none: waiting then polls. */
static int upmem_alloc_irq(struct pci_dev *pdev, int *irq)
{
	*irq = 0;
	if (pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_MSIX) != 1)
		return 0;
	*irq = pci_irq_vector(pdev, 0);
	return devm_add_action_or_reset(&pdev->dev, upmem_free_irqs, pdev);
}

static int upmem_probe(struct pci_dev *pdev, const struct pci_device_id *pci_id)
{
	struct upmem_id id = {};
	struct upmem_pci *up;
	void __iomem *regs;
	int err, irq;

	up = devm_kzalloc(&pdev->dev, sizeof(*up), GFP_KERNEL);
	if (!up)
		return -ENOMEM;
	err = pcim_enable_device(pdev);
	if (err)
		return err;
	if (pci_resource_len(pdev, 0) < UPMEM_BAR_SIZE)
		return dev_err_probe(&pdev->dev, -ENODEV, "BAR0 is too small\n");
	err = pcim_iomap_regions(pdev, BIT(0), "upmem");
	if (err)
		return err;
	err = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (err)
		return err;
	regs = pcim_iomap_table(pdev)[0];
	err = upmem_read_id(pdev, regs, &id);
	if (err)
		return err;
	pci_set_master(pdev);
	err = upmem_alloc_irq(pdev, &irq);
	if (err)
		return err;
	up->mp = upmem_pmu_register(&id, regs);
	if (IS_ERR(up->mp))
		return PTR_ERR(up->mp);
	up->rank = upmem_rank_new(pdev, &id, regs, irq, up->mp->name);
	if (IS_ERR(up->rank)) {
		mon_pmu_unregister(up->mp);
		return PTR_ERR(up->rank);
	}
	pci_set_drvdata(pdev, up);
	return 0;
}

static void upmem_remove(struct pci_dev *pdev)
{
	struct upmem_pci *up = pci_get_drvdata(pdev);

	upmem_rank_remove(up->rank);
	mon_pmu_unregister(up->mp);
	pci_clear_master(pdev);
}

/* Power loss and function reset clear the counters: fold before, start from new values after. */
static int __maybe_unused upmem_suspend(struct device *dev)
{
	struct upmem_pci *up = dev_get_drvdata(dev);

	mon_pmu_suspend(up->mp);
	return 0;
}

static int __maybe_unused upmem_resume(struct device *dev)
{
	struct upmem_pci *up = dev_get_drvdata(dev);

	mon_pmu_resume(up->mp);
	return 0;
}

static SIMPLE_DEV_PM_OPS(upmem_pm_ops, upmem_suspend, upmem_resume);

static void upmem_reset_prepare(struct pci_dev *pdev)
{
	upmem_suspend(&pdev->dev);
}

static void upmem_reset_done(struct pci_dev *pdev)
{
	upmem_resume(&pdev->dev);
}

static const struct pci_error_handlers upmem_err_handlers = {
	.reset_prepare = upmem_reset_prepare,
	.reset_done = upmem_reset_done,
};

static const struct pci_device_id upmem_pci_ids[] = {
	{ PCI_DEVICE(UPMEM_PCI_VENDOR, UPMEM_PCI_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, upmem_pci_ids);

static struct pci_driver upmem_pci_driver = {
	.name = "upmem",
	.id_table = upmem_pci_ids,
	.probe = upmem_probe,
	.remove = upmem_remove,
	.err_handler = &upmem_err_handlers,
	.driver.pm = &upmem_pm_ops,
};

static int __init upmem_init(void)
{
	return pci_register_driver(&upmem_pci_driver);
}
module_init(upmem_init);

static void __exit upmem_exit(void)
{
	pci_unregister_driver(&upmem_pci_driver);
	mon_pmu_drain(THIS_MODULE);
}
module_exit(upmem_exit);

MODULE_DESCRIPTION("UPMEM DPU ranks and their performance counters");
MODULE_LICENSE("GPL");
