/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the driver of an ESP SoC's accelerators (esp_accel) has to know: from the device tree, or,
 * on PCI, from espmon, as part of an auxiliary device named "espmon.accel".
 *
 * espmon fills everything before auxiliary_device_add() and keeps it, with @apb mapped and the
 * interrupts allocated, until auxiliary_device_delete() has returned. It has made the device a bus
 * master. The accelerator driver touches the accelerators' and the cache controllers' registers and
 * never those of the tiles' monitors.
 */
#ifndef PMU_ESP_SOC_H
#define PMU_ESP_SOC_H

#include <linux/container_of.h>
#include <linux/ctype.h>
#include <linux/device.h>
#include <linux/io.h>
#include <linux/property.h>
#include <linux/string.h>
#include <linux/types.h>

#include "../core/mon_pci.h"
#include "events/esp/regs.h"

#define ESP_SOC_AUX_NAME	"accel"
#define ESP_SOC_AUX_MATCH	"espmon." ESP_SOC_AUX_NAME

/**
 * struct esp_acc_info - one accelerator, in the order of its id
 * @tile:		index of its tile (row * cols + column)
 * @params:		registers of parameters, 0: not known
 * @order:		number of the access ioctl, of the parameters' order; 0: not known
 * @devid:		vendor << 16 | device as in its DEVID register, 0 if third party
 * @has_l2:		its tile has a private L2, so that it can be fully coherent
 * @third_party:	sits behind an AXI socket and has none of ESP's registers
 * @irq:		Linux interrupt number; 0 or negative: none, the driver polls
 * @name:		lower case, for example fft_stratus
 */
struct esp_acc_info {
	u32 tile;
	u32 devid;
	u32 params;
	u32 order;
	bool has_l2;
	bool third_party;
	int irq;
	char name[ESP_TOPO_ACC_NAME_LEN] __aligned(4);
};

/**
 * struct esp_soc_dev - an ESP SoC
 * @dev:	the device that does the DMA
 * @apb:	mapping of the APB window (events/esp/regs.h)
 * @topology:	mapping of BAR2, which has the accelerators' reset lines; NULL on hardware
 * @noncoherent: its DMA does not see the processor's caches
 * @reserved:	it has memory of its own behind the DMA API, from which all buffers come
 * @flags:	ESP_TOPO_CACHES and the other bits of ESP_TOPO_FLAGS
 * @llc_sets:	of one memory tile
 * @mem_base:	first bus address of the SoC's memory
 * @mem_size:	bytes, split evenly and contiguously over the @nmem memory tiles; 0: unknown, then
 *		every address is taken for the memory of node 0
 * @accs:	@nacc accelerators
 *
 * The other members are the topology words of the same name.
 */
struct esp_soc_dev {
	struct device *dev;
	void __iomem *apb;
	void __iomem *topology;
	bool noncoherent;
	bool reserved;
	u32 ncpu, nmem, nacc;
	u32 flags;
	u32 arch_bits;
	u32 line_bytes;
	u32 llc_sets, llc_ways;
	u32 acc_l2_sets, acc_l2_ways;
	u32 coh_noc_width, dma_noc_width;
	u64 mem_base, mem_size;
	struct esp_acc_info *accs;
};

/* One that was found on PCI. */
struct esp_soc_pci {
	struct mon_pci_dev pci;
	struct esp_soc_dev soc;
};

static inline struct esp_soc_pci *to_esp_soc_pci(struct mon_pci_dev *pci)
{
	return container_of(pci, struct esp_soc_pci, pci);
}

/* Can this be the name of an accelerator, and so of a file? */
static inline bool esp_acc_name_ok(const char *name)
{
	const char *c;

	for (c = name; isalnum(*c) || *c == '_' || *c == '-'; c++)
		;
	return *name && !*c;
}

/*
 * The node of accelerator k, which says its vendor and name, in ESP_TOPO_ACC_NAME_LEN bytes. The
 * caller puts it.
 */
static inline struct fwnode_handle *esp_of_acc_node(struct device *dev, unsigned int k, char *name,
						    bool *third_party)
{
	static const char property[] = "sld,accelerators";
	struct fwnode_handle *node = fwnode_find_reference(dev_fwnode(dev), property, k);
	const char *compatible = "";
	int err;

	if (IS_ERR(node)) {
		err = dev_err_probe(dev, PTR_ERR(node), "%s: no node for each tile\n", property);
		return ERR_PTR(err);
	}
	fwnode_property_read_string(node, "compatible", &compatible);
	*third_party = !strstarts(compatible, "sld,");
	strscpy(name, strchr(compatible, ',') ? strchr(compatible, ',') + 1 : "",
		ESP_TOPO_ACC_NAME_LEN);
	if (esp_acc_name_ok(name))
		return node;
	fwnode_handle_put(node);
	err = dev_err_probe(dev, -EINVAL, "%s: node %u says no name of letters, digits, _ and -\n",
			    property, k);
	return ERR_PTR(err);
}

/* The registers have the byte order of the SoC's processor: little on RISC-V, big on Leon3. */
static inline u32 esp_reg_read(void __iomem *reg)
{
#ifdef __BIG_ENDIAN
	return ioread32be(reg);
#else
	return ioread32(reg);
#endif
}

static inline void esp_reg_write(u32 value, void __iomem *reg)
{
#ifdef __BIG_ENDIAN
	iowrite32be(value, reg);
#else
	iowrite32(value, reg);
#endif
}

#endif
