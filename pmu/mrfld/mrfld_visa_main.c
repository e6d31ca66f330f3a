// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the emulated Merrifield. The PCI function belongs to the kernel's iosf_mbi driver, so this
 * one does not bind to it: it follows that driver's binding, takes BAR0, which iosf_mbi does not
 * use, and offers the bus agents there to mrfld_agents.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include <asm/iosf_mbi.h>

#include "../core/mon_pci.h"
#include "mrfld_visa.h"

/* iosf_mbi drives one device. */
static struct {
	struct mutex lock;	/* the others */
	struct pci_dev *pdev;	/* NULL: none */
	void __iomem *bar;
	struct mon_pmu *mp;
	struct mon_pci_dev *agents;
} mrfld = {
	.lock = __MUTEX_INITIALIZER(mrfld.lock),
};

/* For autoloading; the subsystem id tells the emulated part from silicon. */
static const struct pci_device_id mrfld_pci_ids[] = {
	{ PCI_DEVICE_SUB(MRFLD_PCI_VENDOR, MRFLD_PCI_DEVICE, MRFLD_PCI_SUBVENDOR,
			 MRFLD_PCI_SUBDEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, mrfld_pci_ids);

static void mrfld_unmap(struct pci_dev *pdev)
{
	pci_iounmap(pdev, mrfld.bar);
	pci_release_region(pdev, 0);
}

static int mrfld_map(struct pci_dev *pdev)
{
	int err;

	if (!iosf_mbi_available() || !mrfld_bus_reaches(pdev)) {
		pci_err(pdev, "mrfld_visa: iosf_mbi does not drive this device's message bus\n");
		return -ENODEV;
	}
	if (pci_resource_len(pdev, 0) < MRFLD_BAR_SIZE) {
		pci_err(pdev, "mrfld_visa: BAR0 is too small\n");
		return -ENODEV;
	}
	err = pci_request_region(pdev, 0, "mrfld_visa");
	if (err)
		return err;
	mrfld.bar = pci_iomap(pdev, 0, 0);
	if (!mrfld.bar) {
		pci_release_region(pdev, 0);
		return -ENOMEM;
	}
	if (ioread32(mrfld.bar + MRFLD_ID) != MRFLD_ID_VALUE ||
	    ioread32(mrfld.bar + MRFLD_VERSION) != MRFLD_VERSION_VALUE) {
		pci_err(pdev, "mrfld_visa: BAR0 is not of version %u: update the device\n",
			MRFLD_VERSION_VALUE);
		mrfld_unmap(pdev);
		return -ENODEV;
	}
	return 0;
}

static int mrfld_add_agents(struct pci_dev *pdev)
{
	struct mon_pci_dev *agents = kzalloc(sizeof(*agents), GFP_KERNEL);
	int err;

	if (!agents)
		return -ENOMEM;
	agents->dev = &pdev->dev;
	agents->mp = mrfld.mp;
	agents->regs = mrfld.bar;
	err = mon_pci_init_aux(agents, pdev, MRFLD_AGENTS_AUX_NAME);
	if (err)
		return err;
	err = auxiliary_device_add(&agents->aux);
	if (err)
		auxiliary_device_uninit(&agents->aux);
	else
		mrfld.agents = agents;
	return err;
}

static int mrfld_add(struct pci_dev *pdev)
{
	void __iomem *cpu;
	struct mrfld_id id;
	int err;

	lockdep_assert_held(&mrfld.lock);
	err = mrfld_map(pdev);
	if (err)
		return err;
	id.channels = ioread32(mrfld.bar + MRFLD_CHANNELS);
	id.soc_hz = ioread32(mrfld.bar + MRFLD_SOC_HZ);
	id.dram_hz = ioread32(mrfld.bar + MRFLD_DRAM_HZ);
	id.cpu = !!(ioread32(mrfld.bar + MRFLD_CPU) & MRFLD_CPU_PRESENT);
	cpu = id.cpu ? mrfld.bar + MRFLD_CPU : NULL;
	mrfld.mp = mrfld_attach(&pdev->dev, &id, cpu);
	if (IS_ERR(mrfld.mp)) {
		err = PTR_ERR(mrfld.mp);
		goto err_map;
	}
	err = mrfld_add_agents(pdev);
	if (err)
		goto err_pmu;
	mrfld.pdev = pci_dev_get(pdev);
	return 0;

err_pmu:
	mon_pmu_detach(mrfld.mp);
err_map:
	mrfld_unmap(pdev);
	return err;
}

static void mrfld_remove(void)
{
	lockdep_assert_held(&mrfld.lock);
	if (!mrfld.pdev)
		return;
	auxiliary_device_delete(&mrfld.agents->aux);
	auxiliary_device_uninit(&mrfld.agents->aux);
	mon_pmu_detach(mrfld.mp);
	mrfld_unmap(mrfld.pdev);
	pci_dev_put(mrfld.pdev);
	mrfld.pdev = NULL;
}

static int mrfld_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);

	mutex_lock(&mrfld.lock);
	if (action == BUS_NOTIFY_BOUND_DRIVER && !mrfld.pdev && pci_match_id(mrfld_pci_ids, pdev))
		mrfld_add(pdev);
	else if (action == BUS_NOTIFY_UNBIND_DRIVER && mrfld.pdev == pdev)
		mrfld_remove();
	mutex_unlock(&mrfld.lock);
	return NOTIFY_OK;
}

static struct notifier_block mrfld_nb = {
	.notifier_call = mrfld_notify,
};

/* Without a device the module loads, as PCI drivers do. On real silicon it does not load. */
static int mrfld_find(void)
{
	struct pci_dev *pdev;
	int err = 0;

	pdev = pci_get_subsys(MRFLD_PCI_VENDOR, MRFLD_PCI_DEVICE, MRFLD_PCI_SUBVENDOR,
			      MRFLD_PCI_SUBDEVICE, NULL);
	if (pdev) {
		/* without iosf_mbi no notifier would tell when the device goes */
		device_lock(&pdev->dev);
		mutex_lock(&mrfld.lock);
		if (!mrfld.pdev && pdev->driver)
			err = mrfld_add(pdev);
		mutex_unlock(&mrfld.lock);
		device_unlock(&pdev->dev);
		pci_dev_put(pdev);
		return err;
	}
	pdev = pci_get_device(MRFLD_PCI_VENDOR, MRFLD_PCI_DEVICE, NULL);
	if (!pdev)
		return 0;
	pci_err(pdev,
		"mrfld_visa: the multiplexer settings that select the events of a real Merrifield are not public, so its counters would count something else: use the emulated device\n");
	pci_dev_put(pdev);
	return -ENODEV;
}

static int __init mrfld_visa_init(void)
{
	int err;

	/* iosf_mbi's lock may sleep there, and perf reads counters where nothing may */
	if (IS_ENABLED(CONFIG_PREEMPT_RT)) {
		pr_err("the message bus cannot be used from perf on PREEMPT_RT: boot another kernel\n");
		return -EOPNOTSUPP;
	}
	err = bus_register_notifier(&pci_bus_type, &mrfld_nb);
	if (err)
		return err;
	err = mrfld_find();
	if (err) {
		bus_unregister_notifier(&pci_bus_type, &mrfld_nb);
		mon_pmu_forget(&mrfld_desc);
	}
	return err;
}
module_init(mrfld_visa_init);

static void __exit mrfld_visa_exit(void)
{
	bus_unregister_notifier(&pci_bus_type, &mrfld_nb);
	mutex_lock(&mrfld.lock);
	mrfld_remove();
	mutex_unlock(&mrfld.lock);
	mon_pmu_forget(&mrfld_desc);
}
module_exit(mrfld_visa_exit);

MODULE_DESCRIPTION("Uncore counters of Intel's Merrifield (emulated)");
MODULE_LICENSE("GPL");
