// SPDX-License-Identifier: GPL-2.0-only
/*
 * The monitors of an ESP SoC on the SoC itself: a platform device that the device tree describes
 * (pmu/esp/sld,esp-monitors.yaml). The registers do not tell what a tile is, so the tree does.
 */
#include <linux/clk.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/property.h>
#include <linux/slab.h>

#include "esp_emulator.h"
#include "espmon.h"

/* What tile t is: the k-th of its kind. Tiles of no kind are empty; L2 caches are no kind. */
static int espmon_of_tile(struct device *dev, struct espmon_id *id, const char *property,
			  unsigned int kind, unsigned int k, u32 t)
{
	struct espmon_tile *tile;
	struct fwnode_handle *node;
	bool third_party = false;

	if (t >= id->ntiles)
		return dev_err_probe(dev, -EINVAL, "%s: there is no tile %u\n", property, t);
	tile = &id->tiles[t];
	if (kind == ESP_TILE_EMPTY) {
		if (tile->kind != ESP_TILE_ACC)
			return dev_err_probe(dev, -EINVAL, "%s: no accelerator is in tile %u\n",
					     property, t);
		tile->on |= ESP_ON_ACC_L2;
		return 0;
	}
	if (tile->kind != ESP_TILE_EMPTY)
		return dev_err_probe(dev, -EINVAL, "%s: tile %u is something else\n", property, t);
	if (kind == ESP_TILE_ACC) {
		node = esp_of_acc_node(dev, k, tile->acc, &third_party);
		if (IS_ERR(node))
			return PTR_ERR(node);
		fwnode_handle_put(node);
	}
	tile->kind = kind;
	tile->on = espmon_tile_classes(kind, false, third_party);
	return 0;
}

static int espmon_of_tiles(struct device *dev, struct espmon_id *id)
{
	static const struct {
		const char *property;
		unsigned int kind;
	} lists[] = {
		{ "sld,cpu-tiles", ESP_TILE_CPU },
		{ "sld,io-tiles", ESP_TILE_IO },
		{ "sld,mem-tiles", ESP_TILE_MEM },
		{ "sld,slm-tiles", ESP_TILE_SLM },
		{ "sld,accelerator-tiles", ESP_TILE_ACC },
		{ "sld,l2-tiles", ESP_TILE_EMPTY },
	};
	u32 *tiles = devm_kcalloc(dev, ESP_MAX_TILES, sizeof(*tiles), GFP_KERNEL);
	unsigned int i;
	int n, k, err;

	if (!tiles)
		return -ENOMEM;
	for (i = 0; i < id->ntiles; i++)
		id->tiles[i].on = espmon_tile_classes(ESP_TILE_EMPTY, false, false);
	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		const char *property = lists[i].property;

		n = device_property_count_u32(dev, property);
		if (n <= 0)
			continue;
		err = n > ESP_MAX_TILES ? -EINVAL :
		      device_property_read_u32_array(dev, property, tiles, n);
		if (err)
			return dev_err_probe(dev, err, "%s: not a list of tiles\n", property);
		for (k = 0; !err && k < n; k++)
			err = espmon_of_tile(dev, id, property, lists[i].kind, k, tiles[k]);
		if (err)
			return err;
	}
	espmon_number(id);
	return 0;
}

/* No monitor counts faster than the tiles' clock, which may be raised later. */
static int espmon_of_clock(struct device *dev, struct espmon_id *id, u32 *clock_hz)
{
	struct clk *clk = devm_clk_get_enabled(dev, NULL);
	unsigned long hz;
	long max;

	if (IS_ERR(clk))
		return dev_err_probe(dev, PTR_ERR(clk), "no clock\n");
	hz = clk_get_rate(clk);
	max = max_t(long, clk_round_rate(clk, INT_MAX), hz);
	if (!hz || max > U32_MAX)
		return dev_err_probe(dev, -EINVAL, "a clock of %lu Hz is not possible\n", hz);
	*clock_hz = hz;
	id->max_hz = max;
	return 0;
}

/* The registers are those of whole rows of tiles. */
static int espmon_of_id(struct device *dev, struct espmon_id *id, const struct resource *res,
			u32 *clock_hz)
{
	int err;

	id->ntiles = min_t(u64, resource_size(res) / ESP_CSR_STRIDE, ESP_MAX_TILES + 1);
	err = device_property_read_u32(dev, "sld,columns", &id->cols);
	if (err)
		return dev_err_probe(dev, err, "no property sld,columns\n");
	err = espmon_of_clock(dev, id, clock_hz);
	if (err)
		return err;
	if (!id->cols || !id->ntiles || id->ntiles > ESP_MAX_TILES || id->ntiles % id->cols)
		return dev_err_probe(dev, -EINVAL, "%pR has no rows of %u tiles\n", res, id->cols);
	id->cpu = 1;
	id->rows = id->ntiles / id->cols;
	return espmon_of_tiles(dev, id);
}

/* Of what the tree says of a tile, its registers tell the number alone. */
static int espmon_of_compare(struct device *dev, const struct espmon_id *id, void __iomem *csr)
{
	unsigned int t;
	u32 found;

	for (t = 0; t < id->ntiles; t++) {
		found = esp_reg_read(csr + t * ESP_CSR_STRIDE + ESP_CSR_TILE_ID);
		if (found != t)
			return dev_err_probe(dev, -ENODEV,
					     "tile %u says that it is tile 0x%x: not the %u x %u tiles of the tree\n",
					     t, found, id->rows, id->cols);
	}
	return 0;
}

static const struct of_device_id espmon_of_ids[] = {
#define LAYOUT(number, name, compat) { .compatible = (compat), .data = (void *)(number) },
	ESPMON_LAYOUTS(LAYOUT)
#undef LAYOUT
	{ }
};
MODULE_DEVICE_TABLE(of, espmon_of_ids);

/* Also of a device that is described without a device tree. */
static u32 espmon_of_layout(struct device *dev)
{
	const struct of_device_id *id;

	for (id = espmon_of_ids; *id->compatible; id++)
		if (device_property_match_string(dev, "compatible", id->compatible) >= 0)
			return (uintptr_t)id->data;
	return 0;
}

static void espmon_of_detach(void *mp)
{
	mon_pmu_detach(mp);
}

static int espmon_of_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct espmon_id *id;
	struct mon_pmu *mp;
	struct resource *res;
	void __iomem *csr, *topology;
	u32 clock_hz;
	int err;

	id = devm_kzalloc(dev, sizeof(*id), GFP_KERNEL);
	if (!id)
		return -ENOMEM;
	id->layout = espmon_of_layout(dev);
	if (!id->layout)
		return -ENODEV;
	csr = devm_platform_get_and_ioremap_resource(pdev, 0, &res);
	if (IS_ERR(csr))
		return PTR_ERR(csr);
	err = espmon_of_id(dev, id, res, &clock_hz);
	if (err)
		return err;
	err = espmon_of_compare(dev, id, csr);
	if (err)
		return err;
	/* An emulator's switch for the processors' accesses; on hardware they always count. */
	topology = esp_emulator(dev);
	if (IS_ERR(topology))
		return PTR_ERR(topology);
	if (topology) {
		id->not_modelled = ioread32(topology + ESP_TOPO_FLAGS) >>
				   ESP_TOPO_NOT_MODELLED & 0xff;
		id->cpu = !!(ioread32(topology + ESP_TOPO_CPU) & ESP_TOPO_CPU_PRESENT);
	}
	mp = mon_pmu_get(dev, &espmon_desc, id);
	if (IS_ERR(mp))
		return PTR_ERR(mp);
	espmon_set_up(mp, csr, clock_hz, topology && id->cpu ? topology + ESP_TOPO_CPU : NULL);
	err = mon_pmu_attach(mp);
	if (err)
		return err;
	platform_set_drvdata(pdev, mp);
	return devm_add_action_or_reset(dev, espmon_of_detach, mp);
}

struct platform_driver espmon_of_driver = {
	.probe = espmon_of_probe,
	.driver = {
		.name = "espmon",
		.of_match_table = espmon_of_ids,
		.pm = pm_sleep_ptr(&mon_pmu_pm_ops),
		/* perf events would outlive the binding */
		.suppress_bind_attrs = !MON_PERF_DETACHES,
	},
};
