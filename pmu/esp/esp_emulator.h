/* SPDX-License-Identifier: GPL-2.0-only */
/* What only an emulated SoC has: it is in a node of its own, which is not part of the bindings. */
#ifndef PMU_ESP_EMULATOR_H
#define PMU_ESP_EMULATOR_H

#include <linux/err.h>
#include <linux/io.h>
#include <linux/of.h>
#include <linux/of_address.h>

#include "events/esp/regs.h"

/* A mapping like that of BAR2 of the PCI function, NULL on hardware, or an error pointer. */
static inline void __iomem *esp_emulator(struct device *dev)
{
	struct device_node *node = of_find_compatible_node(NULL, NULL, ESP_EMULATOR_COMPATIBLE);
	void __iomem *map;
	struct resource res;
	int err;

	if (!node)
		return NULL;
	err = of_address_to_resource(node, 0, &res);
	of_node_put(node);
	if (err || resource_size(&res) < ESP_TOPO_SIZE)
		return IOMEM_ERR_PTR(-EINVAL);
	map = devm_ioremap(dev, res.start, ESP_TOPO_SIZE);
	return map ?: IOMEM_ERR_PTR(-ENOMEM);
}

#endif
