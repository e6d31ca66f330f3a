// SPDX-License-Identifier: GPL-2.0-only
/*
 * The emulated UPMEM rank on PCI: finds out how it is made, registers its PMU, and offers the rank
 * to upmem_rank.
 */
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "../core/mon_aux.h"
#include "upmem.h"

struct upmem_pci {
	struct mon_pmu *mp;
	struct upmem_rank_dev *rank;
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
	id->counters = upmem_has_pmc(id) ? 2 : 0;
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

static void upmem_rank_release(struct device *dev)
{
	kfree(to_upmem_rank_dev(to_auxiliary_dev(dev)));
}

static int upmem_add_rank(struct pci_dev *pdev, struct upmem_pci *up, const struct upmem_id *id,
			  void __iomem *regs, int irq)
{
	struct upmem_rank_dev *rank = kzalloc(sizeof(*rank), GFP_KERNEL);
	int err;

	if (!rank)
		return -ENOMEM;
	rank->dev = &pdev->dev;
	rank->id = *id;
	rank->regs = regs;
	rank->irq = irq;
	strscpy(rank->pmu, up->mp->pmu.name, sizeof(rank->pmu));
	rank->aux.name = UPMEM_RANK_AUX_NAME;
	rank->aux.id = pci_dev_id(pdev);
	rank->aux.dev.parent = &pdev->dev;
	rank->aux.dev.release = upmem_rank_release;
	err = auxiliary_device_init(&rank->aux);
	if (err) {
		kfree(rank);
		return err;
	}
	err = auxiliary_device_add(&rank->aux);
	if (err)
		auxiliary_device_uninit(&rank->aux);
	else
		up->rank = rank;
	return err;
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
	up->mp = upmem_attach(&pdev->dev, &id, regs);
	if (IS_ERR(up->mp))
		return PTR_ERR(up->mp);
	err = upmem_add_rank(pdev, up, &id, regs, irq);
	if (err) {
		mon_pmu_detach(up->mp);
		return err;
	}
	pci_set_drvdata(pdev, up);
	return 0;
}

static void upmem_remove(struct pci_dev *pdev)
{
	struct upmem_pci *up = pci_get_drvdata(pdev);

	auxiliary_device_delete(&up->rank->aux);
	auxiliary_device_uninit(&up->rank->aux);
	mon_pmu_detach(up->mp);
	pci_clear_master(pdev);
}

/* Power loss and function reset clear the counters; upmem_rank hears of it for the memories. */
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
	struct upmem_pci *up = pci_get_drvdata(pdev);

	mon_aux_reset(&up->rank->aux.dev, true);
	upmem_suspend(&pdev->dev);
}

static void upmem_reset_done(struct pci_dev *pdev)
{
	struct upmem_pci *up = pci_get_drvdata(pdev);

	upmem_resume(&pdev->dev);
	mon_aux_reset(&up->rank->aux.dev, false);
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
	.driver = {
		.pm = &upmem_pm_ops,
		/* perf events would outlive the binding */
		.suppress_bind_attrs = true,
	},
};

static int __init upmem_init(void)
{
	int err = pci_register_driver(&upmem_pci_driver);

	if (err)
		upmem_forget();
	return err;
}
module_init(upmem_init);

static void __exit upmem_exit(void)
{
	pci_unregister_driver(&upmem_pci_driver);
	upmem_forget();
}
module_exit(upmem_exit);

MODULE_DESCRIPTION("Performance counters of UPMEM DPU ranks");
MODULE_LICENSE("GPL");
