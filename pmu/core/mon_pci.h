/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PCI functions with a PMU in BAR0. What the PMU counts is an auxiliary device with a driver of its
 * own.
 */
#ifndef MON_PCI_H
#define MON_PCI_H

#include <linux/auxiliary_bus.h>
#include <linux/io.h>
#include <linux/pci.h>

#include "mon_pmu.h"

/**
 * struct mon_pci_dev - what the driver of an auxiliary device gets
 * @aux:	the auxiliary device
 * @dev:	the PCI function, which does the DMA
 * @mp:		the PMU
 * @regs:	BAR0
 * @regs2:	BAR2
 * @irq:	the interrupt, or 0: there is none
 * @nirqs:	their number: wanted, until read_id() has returned, then there
 * @reset:	set by the driver in probe(), NULL after remove(): a reset of the function begins
 *		or has ended
 */
struct mon_pci_dev {
	struct auxiliary_device aux;
	struct device *dev;
	struct mon_pmu *mp;
	void __iomem *regs, *regs2;
	int irq;
	int nirqs;
	void (*reset)(struct auxiliary_device *aux, bool begins);
};

/**
 * struct mon_pci_driver - a driver
 * @pci:	its name and its table of ids
 * @desc:	its PMUs
 * @size:	of its structure, struct mon_pci_dev first; 0: it has none
 * @aux:	name of the auxiliary device, NULL: none
 * @bar_size:	the least that BAR0 has
 * @bar2_size:	the same of BAR2, 0: there is none
 * @dma_bits:	of a bus address, 0: no DMA
 * @irq_flags:	kinds of the auxiliary device's interrupts, 0: none
 * @read_id:	fills the zeroed id of a PMU, or says in the log why it cannot; NULL: there is none
 * @set_up:	fills what the driver fills before mon_pmu_attach()
 */
struct mon_pci_driver {
	struct pci_driver pci;
	const struct mon_pmu_desc *desc;
	size_t size;
	const char *aux;
	size_t bar_size, bar2_size;
	unsigned int dma_bits;
	unsigned int irq_flags;
	int (*read_id)(struct mon_pci_dev *hw, void *id);
	void (*set_up)(struct mon_pci_dev *hw);
};

static inline struct mon_pci_dev *to_mon_pci_dev(struct auxiliary_device *aux)
{
	return container_of(aux, struct mon_pci_dev, aux);
}

/*
 * For a driver with a probe() of its own: takes a device that kzalloc() gave. Once it has
 * succeeded, auxiliary_device_uninit() frees it.
 */
int mon_pci_init_aux(struct mon_pci_dev *hw, struct pci_dev *pdev, const char *name);

int mon_pci_register_by(struct mon_pci_driver *driver, struct module *owner, const char *name);
void mon_pci_unregister(struct mon_pci_driver *driver);

#define mon_pci_register(driver)	mon_pci_register_by(driver, THIS_MODULE, KBUILD_MODNAME)
#define module_mon_pci_driver(driver)	\
	module_driver(driver, mon_pci_register, mon_pci_unregister)

#endif
