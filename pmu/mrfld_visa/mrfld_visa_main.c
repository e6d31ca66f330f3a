// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the emulated Merrifield. The PCI function belongs to the kernel's iosf_mbi driver, so this
 * module does not bind to it: it looks at it and takes BAR0, which iosf_mbi does not use.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/pci.h>

#include <asm/iosf_mbi.h>

#include "mrfld_visa.h"

static struct {
	struct pci_dev *pdev;
	void __iomem *bar;
	struct mon_pmu *mp;
} mrfld;

/* For autoloading; the subsystem id tells the emulated part from silicon. */
static const struct pci_device_id mrfld_pci_ids[] = {
	{ PCI_DEVICE_SUB(MRFLD_PCI_VENDOR, MRFLD_PCI_DEVICE, MRFLD_PCI_SUBVENDOR,
			 MRFLD_PCI_SUBDEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, mrfld_pci_ids);

/* Without its device the module loads, as PCI drivers do; where it meets real silicon, not. */
static int mrfld_no_device(void)
{
	struct pci_dev *silicon = pci_get_device(MRFLD_PCI_VENDOR, MRFLD_PCI_DEVICE, NULL);

	if (!silicon)
		return 0;
	pci_err(silicon,
		"mrfld_visa: the multiplexer settings that select the events of a real Merrifield are not public, so its counters would count something else: use the emulated device\n");
	pci_dev_put(silicon);
	return -ENODEV;
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
		err = -ENOMEM;
		goto err_region;
	}
	if (ioread32(mrfld.bar + MRFLD_ID) != MRFLD_ID_VALUE ||
	    ioread32(mrfld.bar + MRFLD_VERSION) != MRFLD_VERSION_VALUE) {
		pci_err(pdev, "mrfld_visa: BAR0 is not of version %u: update the device\n",
			MRFLD_VERSION_VALUE);
		err = -ENODEV;
		goto err_map;
	}
	return 0;

err_map:
	pci_iounmap(pdev, mrfld.bar);
err_region:
	pci_release_region(pdev, 0);
	return err;
}

static void mrfld_unmap(void)
{
	pci_iounmap(mrfld.pdev, mrfld.bar);
	pci_release_region(mrfld.pdev, 0);
}

static int __init mrfld_visa_init(void)
{
	void __iomem *cpu;
	struct mrfld_id id;
	int err;

	/* iosf_mbi's lock may sleep there, and perf reads counters where nothing may */
	if (IS_ENABLED(CONFIG_PREEMPT_RT)) {
		pr_err("the message bus cannot be used from perf on PREEMPT_RT: boot another kernel\n");
		return -EOPNOTSUPP;
	}
	mrfld.pdev = pci_get_subsys(MRFLD_PCI_VENDOR, MRFLD_PCI_DEVICE, MRFLD_PCI_SUBVENDOR,
				    MRFLD_PCI_SUBDEVICE, NULL);
	if (!mrfld.pdev)
		return mrfld_no_device();
	err = mrfld_map(mrfld.pdev);
	if (err)
		goto err_put;
	id.channels = ioread32(mrfld.bar + MRFLD_CHANNELS);
	id.soc_hz = ioread32(mrfld.bar + MRFLD_SOC_HZ);
	id.dram_hz = ioread32(mrfld.bar + MRFLD_DRAM_HZ);
	id.cpu = !!(ioread32(mrfld.bar + MRFLD_CPU) & MRFLD_CPU_PRESENT);
	cpu = id.cpu ? mrfld.bar + MRFLD_CPU : NULL;
	mrfld.mp = mrfld_pmu_register(&id, cpu);
	if (IS_ERR(mrfld.mp)) {
		err = PTR_ERR(mrfld.mp);
		goto err_unmap;
	}
	err = mrfld_agents_init(&mrfld.pdev->dev, mrfld.bar);
	if (err)
		goto err_pmu;
	return 0;

err_pmu:
	mon_pmu_unregister(mrfld.mp);
err_unmap:
	mon_pmu_drain(THIS_MODULE);
	mrfld_unmap();
err_put:
	pci_dev_put(mrfld.pdev);
	return err;
}
module_init(mrfld_visa_init);

static void __exit mrfld_visa_exit(void)
{
	if (!mrfld.pdev)
		return;
	mrfld_agents_exit();
	mon_pmu_unregister(mrfld.mp);
	mon_pmu_drain(THIS_MODULE);
	mrfld_unmap();
	pci_dev_put(mrfld.pdev);
}
module_exit(mrfld_visa_exit);

MODULE_DESCRIPTION("Uncore counters of Intel's Merrifield (emulated)");
MODULE_LICENSE("GPL");
