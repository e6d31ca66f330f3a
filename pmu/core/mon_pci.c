// SPDX-License-Identifier: GPL-2.0-only
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "mon_pci.h"

static void mon_pci_free_irqs(void *pdev)
{
	pci_free_irq_vectors(pdev);
}

/* Not every machine has message interrupts, RISC-V's without an IMSIC does not. */
static int mon_pci_alloc_irqs(struct pci_dev *pdev, unsigned int flags, struct mon_pci_dev *hw)
{
	int n = flags && hw->nirqs ? pci_alloc_irq_vectors(pdev, 1, hw->nirqs, flags) : 0;

	hw->nirqs = max(n, 0);
	if (!hw->nirqs)
		return 0;
	hw->irq = pci_irq_vector(pdev, 0);
	return devm_add_action_or_reset(&pdev->dev, mon_pci_free_irqs, pdev);
}

static void mon_pci_release(struct device *dev)
{
	kfree(to_mon_pci_dev(to_auxiliary_dev(dev)));
}

int mon_pci_init_aux(struct mon_pci_dev *hw, struct pci_dev *pdev, const char *name)
{
	int err;

	hw->aux.name = name;
	hw->aux.id = pci_dev_id(pdev);
	hw->aux.dev.parent = &pdev->dev;
	hw->aux.dev.release = mon_pci_release;
	err = auxiliary_device_init(&hw->aux);
	if (err)
		kfree(hw);
	return err;
}
EXPORT_SYMBOL_GPL(mon_pci_init_aux);

static int mon_pci_map(struct pci_dev *pdev, const struct mon_pci_driver *driver)
{
	int err = pcim_enable_device(pdev);

	if (err)
		return err;
	if (pci_resource_len(pdev, 0) < driver->bar_size ||
	    pci_resource_len(pdev, 2) < driver->bar2_size)
		return dev_err_probe(&pdev->dev, -ENODEV, "a BAR is too small\n");
	err = pcim_iomap_regions(pdev, BIT(0) | (driver->bar2_size ? BIT(2) : 0),
				 driver->pci.name);
	if (!err && driver->dma_bits)
		err = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(driver->dma_bits));
	return err;
}

static int mon_pci_attach(struct mon_pci_dev *hw, struct pci_dev *pdev,
			  const struct mon_pci_driver *driver)
{
	void *id = kzalloc(driver->desc->id_size, GFP_KERNEL);
	int err;

	if (!id)
		return -ENOMEM;
	err = driver->read_id ? driver->read_id(hw, id) : 0;
	err = err ?: mon_pci_alloc_irqs(pdev, driver->irq_flags, hw);
	if (!err) {
		hw->mp = mon_pmu_get(&pdev->dev, driver->desc, id);
		err = PTR_ERR_OR_ZERO(hw->mp);
	}
	kfree(id);
	if (err)
		return err;
	pci_set_master(pdev);
	driver->set_up(hw);
	return mon_pmu_attach(hw->mp);
}

static int mon_pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	const struct mon_pci_driver *driver =
		container_of(to_pci_driver(pdev->dev.driver), struct mon_pci_driver, pci);
	struct mon_pci_dev *hw;
	int err = mon_pci_map(pdev, driver);

	if (err)
		return err;
	hw = kzalloc(max(driver->size, sizeof(*hw)), GFP_KERNEL);
	if (!hw)
		return -ENOMEM;
	hw->dev = &pdev->dev;
	hw->regs = pcim_iomap_table(pdev)[0];
	hw->regs2 = pcim_iomap_table(pdev)[2];
	hw->nirqs = 1;
	/* the auxiliary device is of no use without its driver */
	err = mon_pci_init_aux(hw, pdev, driver->aux ?: "none");
	if (err)
		return err;
	err = mon_pci_attach(hw, pdev, driver);
	if (err)
		goto err_hw;
	err = __auxiliary_device_add(&hw->aux, driver->pci.name);
	if (err)
		goto err_pmu;
	hw->mp->pci = hw;
	pci_set_drvdata(pdev, hw->mp);
	return 0;

err_pmu:
	mon_pmu_detach(hw->mp);
err_hw:
	auxiliary_device_uninit(&hw->aux);
	return err;
}

static struct mon_pci_dev *mon_pci_get(struct pci_dev *pdev)
{
	struct mon_pmu *mp = pci_get_drvdata(pdev);

	return mp->pci;
}

static void mon_pci_remove(struct pci_dev *pdev)
{
	struct mon_pci_dev *hw = mon_pci_get(pdev);

	auxiliary_device_delete(&hw->aux);
	mon_pmu_detach(hw->mp);
	auxiliary_device_uninit(&hw->aux);
	pci_clear_master(pdev);
}

/* Until the reset has ended no driver of the auxiliary device comes or goes. */
static void mon_pci_reset_prepare(struct pci_dev *pdev)
{
	struct mon_pci_dev *hw = mon_pci_get(pdev);

	device_lock(&hw->aux.dev);
	if (hw->reset)
		hw->reset(&hw->aux, true);
	mon_pmu_suspend(hw->mp);
}

static void mon_pci_reset_done(struct pci_dev *pdev)
{
	struct mon_pci_dev *hw = mon_pci_get(pdev);

	mon_pmu_resume(hw->mp);
	if (hw->reset)
		hw->reset(&hw->aux, false);
	device_unlock(&hw->aux.dev);
}

static const struct pci_error_handlers mon_pci_errors = {
	.reset_prepare = mon_pci_reset_prepare,
	.reset_done = mon_pci_reset_done,
};

int mon_pci_register_by(struct mon_pci_driver *driver, struct module *owner, const char *name)
{
	int err;

	driver->pci.probe = mon_pci_probe;
	driver->pci.remove = mon_pci_remove;
	driver->pci.err_handler = &mon_pci_errors;
	driver->pci.driver.pm = pm_sleep_ptr(&mon_pmu_pm_ops);
	/* perf events would outlive the binding */
	driver->pci.driver.suppress_bind_attrs = !MON_PERF_DETACHES;
	err = __pci_register_driver(&driver->pci, owner, name);
	if (err)
		mon_pmu_forget(driver->desc);
	return err;
}
EXPORT_SYMBOL_GPL(mon_pci_register_by);

void mon_pci_unregister(struct mon_pci_driver *driver)
{
	pci_unregister_driver(&driver->pci);
	mon_pmu_forget(driver->desc);
}
EXPORT_SYMBOL_GPL(mon_pci_unregister);
