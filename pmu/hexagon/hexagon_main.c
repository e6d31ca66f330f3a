// SPDX-License-Identifier: GPL-2.0-only
/*
 * The emulated Hexagon core on PCI: reads what it is, registers its PMU, and offers its mailbox to
 * hexagon_run.
 */
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "../core/mon_aux.h"
#include "hexagon.h"

struct hexagon_pci {
	struct mon_pmu *mp;
	struct hexagon_run_dev *run;
};

static int hexagon_read_id(struct pci_dev *pdev, void __iomem *regs, struct hexagon_id *id)
{
	unsigned int i;

	if (ioread32(regs + HEXAGON_ID) != HEXAGON_ID_VALUE ||
	    ioread32(regs + HEXAGON_LAYOUT) != HEXAGON_LAYOUT_VALUE)
		return dev_err_probe(&pdev->dev, -ENODEV,
				     "no register layout of version %u: update the device\n",
				     HEXAGON_LAYOUT_VALUE);
	id->core = ioread32(regs + HEXAGON_CORE);
	id->threads = ioread32(regs + HEXAGON_THREADS);
	id->clusters = ioread32(regs + HEXAGON_CLUSTERS);
	id->cycles = ioread32(regs + HEXAGON_CYCLES);
	id->clock_hz = ioread32(regs + HEXAGON_CLOCK_HZ);
	for (i = 0; i < ARRAY_SIZE(id->events); i++)
		id->events[i] = ioread32(regs + HEXAGON_EVENTS(i));
	if (id->core != 65 && id->core != 69 && id->core != 73 && id->core != 79)
		return dev_err_probe(&pdev->dev, -ENODEV, "core V%u is unknown\n", id->core);
	if (!id->clock_hz)
		return dev_err_probe(&pdev->dev, -EINVAL, "the clock is not known\n");
	return 0;
}

static void hexagon_run_release(struct device *dev)
{
	kfree(to_hexagon_run_dev(to_auxiliary_dev(dev)));
}

static void hexagon_free_irqs(void *pdev)
{
	pci_free_irq_vectors(pdev);
}

/* 0: not every machine has message interrupts, RISC-V's without an IMSIC does not. */
static int hexagon_alloc_irq(struct pci_dev *pdev, int *irq)
{
	*irq = 0;
	if (pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_MSI) != 1)
		return 0;
	*irq = pci_irq_vector(pdev, 0);
	return devm_add_action_or_reset(&pdev->dev, hexagon_free_irqs, pdev);
}

static int hexagon_add_run(struct pci_dev *pdev, struct hexagon_pci *hx, void __iomem *regs)
{
	struct hexagon_run_dev *run = kzalloc(sizeof(*run), GFP_KERNEL);
	int err;

	if (!run)
		return -ENOMEM;
	err = hexagon_alloc_irq(pdev, &run->irq);
	if (err) {
		kfree(run);
		return err;
	}
	run->regs = regs;
	run->aux.name = HEXAGON_RUN_AUX_NAME;
	run->aux.id = pci_dev_id(pdev);
	run->aux.dev.parent = &pdev->dev;
	run->aux.dev.release = hexagon_run_release;
	err = auxiliary_device_init(&run->aux);
	if (err) {
		kfree(run);
		return err;
	}
	err = auxiliary_device_add(&run->aux);
	if (err)
		auxiliary_device_uninit(&run->aux);
	else
		hx->run = run;
	return err;
}

static int hexagon_probe(struct pci_dev *pdev, const struct pci_device_id *pci_id)
{
	struct hexagon_pci *hx;
	struct hexagon_id *id;
	void __iomem *regs;
	int err;

	hx = devm_kzalloc(&pdev->dev, sizeof(*hx), GFP_KERNEL);
	id = devm_kzalloc(&pdev->dev, sizeof(*id), GFP_KERNEL);
	if (!hx || !id)
		return -ENOMEM;
	err = pcim_enable_device(pdev);
	if (err)
		return err;
	if (pci_resource_len(pdev, 0) < HEXAGON_BAR_SIZE)
		return dev_err_probe(&pdev->dev, -ENODEV, "BAR0 is too small\n");
	err = pcim_iomap_regions(pdev, BIT(0), "hexagon");
	if (err)
		return err;
	regs = pcim_iomap_table(pdev)[0];
	err = hexagon_read_id(pdev, regs, id);
	if (err)
		return err;
	pci_set_master(pdev);
	hx->mp = hexagon_attach(&pdev->dev, id, regs);
	if (IS_ERR(hx->mp))
		return PTR_ERR(hx->mp);
	err = hexagon_add_run(pdev, hx, regs);
	if (err) {
		mon_pmu_detach(hx->mp);
		return err;
	}
	pci_set_drvdata(pdev, hx);
	return 0;
}

static void hexagon_remove(struct pci_dev *pdev)
{
	struct hexagon_pci *hx = pci_get_drvdata(pdev);

	auxiliary_device_delete(&hx->run->aux);
	auxiliary_device_uninit(&hx->run->aux);
	mon_pmu_detach(hx->mp);
	pci_clear_master(pdev);
}

/* A reset stops and clears the counters: fold before, set them up again after. */
static int __maybe_unused hexagon_suspend(struct device *dev)
{
	struct hexagon_pci *hx = dev_get_drvdata(dev);

	mon_pmu_suspend(hx->mp);
	return 0;
}

static int __maybe_unused hexagon_resume(struct device *dev)
{
	struct hexagon_pci *hx = dev_get_drvdata(dev);

	mon_pmu_resume(hx->mp);
	return 0;
}

static SIMPLE_DEV_PM_OPS(hexagon_pm_ops, hexagon_suspend, hexagon_resume);

static void hexagon_reset_prepare(struct pci_dev *pdev)
{
	struct hexagon_pci *hx = pci_get_drvdata(pdev);

	mon_aux_reset(&hx->run->aux.dev, true);
	hexagon_suspend(&pdev->dev);
}

static void hexagon_reset_done(struct pci_dev *pdev)
{
	struct hexagon_pci *hx = pci_get_drvdata(pdev);

	hexagon_resume(&pdev->dev);
	mon_aux_reset(&hx->run->aux.dev, false);
}

static const struct pci_error_handlers hexagon_err_handlers = {
	.reset_prepare = hexagon_reset_prepare,
	.reset_done = hexagon_reset_done,
};

static const struct pci_device_id hexagon_pci_ids[] = {
	{ PCI_DEVICE(HEXAGON_PCI_VENDOR, HEXAGON_PCI_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, hexagon_pci_ids);

static struct pci_driver hexagon_pci_driver = {
	.name = "hexagon",
	.id_table = hexagon_pci_ids,
	.probe = hexagon_probe,
	.remove = hexagon_remove,
	.err_handler = &hexagon_err_handlers,
	.driver = {
		.pm = &hexagon_pm_ops,
		/* perf events would outlive the binding */
		.suppress_bind_attrs = true,
	},
};

static int __init hexagon_init(void)
{
	int err = pci_register_driver(&hexagon_pci_driver);

	if (err)
		hexagon_forget();
	return err;
}
module_init(hexagon_init);

static void __exit hexagon_exit(void)
{
	pci_unregister_driver(&hexagon_pci_driver);
	hexagon_forget();
}
module_exit(hexagon_exit);

MODULE_DESCRIPTION("Performance counters of Qualcomm Hexagon cores");
MODULE_LICENSE("GPL");
