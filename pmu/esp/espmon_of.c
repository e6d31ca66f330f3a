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

#include "espmon.h"

static int espmon_of_u32(struct device *dev, const char *name, u32 *value)
{
	int err = device_property_read_u32(dev, name, value);

	return err ? dev_err_probe(dev, err, "no property %s\n", name) : 0;
}

/* A list of tile numbers, of which any may be absent; sets their flag. */
static int espmon_of_list(struct device *dev, const char *name, u32 ntiles, bool *flags)
{
	int n = device_property_count_u32(dev, name), i, err;
	u32 *tiles;

	if (n <= 0)
		return 0;
	tiles = kcalloc(n, sizeof(*tiles), GFP_KERNEL);
	if (!tiles)
		return -ENOMEM;
	err = device_property_read_u32_array(dev, name, tiles, n);
	for (i = 0; !err && i < n; i++) {
		if (tiles[i] < ntiles)
			flags[tiles[i]] = true;
		else
			err = dev_err_probe(dev, -EINVAL, "%s: there is no tile %u\n", name,
					    tiles[i]);
	}
	kfree(tiles);
	return err;
}

static int espmon_of_tile(struct device *dev, const char *text, struct espmon_tile *tile)
{
	int kind = match_string(espmon_tile_kinds, ESP_TILE_ACC, text);

	/* what is no other kind is the name of an accelerator */
	if (kind < 0) {
		if (!esp_acc_name_ok(text))
			return dev_err_probe(dev, -EINVAL,
					     "sld,tiles: \"%*pE\" is not letters, digits, _ and -\n",
					     (int)strlen(text), text);
		strscpy(tile->acc, text, sizeof(tile->acc));
		kind = ESP_TILE_ACC;
	}
	tile->kind = kind;
	return 0;
}

static int espmon_of_tiles(struct device *dev, struct espmon_id *id)
{
	bool *l2, *third_party;
	const char **names;
	unsigned int t;
	int n, err;

	n = device_property_string_array_count(dev, "sld,tiles");
	if (n != id->ntiles)
		return dev_err_probe(dev, -EINVAL, "sld,tiles: not one name for each of %u tiles\n",
				     id->ntiles);
	names = kcalloc(n, sizeof(*names), GFP_KERNEL);
	l2 = kcalloc(2 * n, sizeof(*l2), GFP_KERNEL);
	err = names && l2 ? 0 : -ENOMEM;
	if (err)
		goto out;
	third_party = l2 + n;
	err = device_property_read_string_array(dev, "sld,tiles", names, n);
	if (err < 0)
		goto out;
	err = espmon_of_list(dev, "sld,l2-tiles", n, l2);
	if (err)
		goto out;
	err = espmon_of_list(dev, "sld,third-party-tiles", n, third_party);
	for (t = 0; !err && t < n; t++) {
		struct espmon_tile *tile = &id->tiles[t];

		err = espmon_of_tile(dev, names[t], tile);
		tile->on = espmon_tile_classes(tile->kind, l2[t], third_party[t]);
	}
	espmon_number(id);
out:
	kfree(l2);
	kfree(names);
	return err;
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

static int espmon_of_id(struct device *dev, struct espmon_id *id, u32 *clock_hz)
{
	int err;

	err = espmon_of_u32(dev, "sld,rows", &id->rows);
	if (err)
		return err;
	err = espmon_of_u32(dev, "sld,columns", &id->cols);
	if (err)
		return err;
	err = espmon_of_clock(dev, id, clock_hz);
	if (err)
		return err;
	if (!id->rows || !id->cols || id->rows > ESP_MAX_TILES || id->cols > ESP_MAX_TILES ||
	    id->rows * id->cols > ESP_MAX_TILES)
		return dev_err_probe(dev, -EINVAL, "%u x %u tiles are not possible\n", id->rows,
				     id->cols);
	id->cpu = 1;
	id->ntiles = id->rows * id->cols;
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
	err = espmon_of_id(dev, id, &clock_hz);
	if (err)
		return err;
	csr = devm_platform_get_and_ioremap_resource(pdev, 0, &res);
	if (IS_ERR(csr))
		return PTR_ERR(csr);
	if (resource_size(res) < id->ntiles * ESP_CSR_STRIDE)
		return dev_err_probe(dev, -EINVAL, "%pR is too small for %u tiles\n", res,
				     id->ntiles);
	err = espmon_of_compare(dev, id, csr);
	if (err)
		return err;
	/* An emulator's switch for the processors' accesses; on hardware they always count. */
	topology = esp_emulator(dev);
	if (IS_ERR(topology))
		return PTR_ERR(topology);
	if (topology)
		id->not_modelled = ioread32(topology + ESP_TOPO_FLAGS) >> ESP_TOPO_NOT_MODELLED & 0xff;
	if (topology)
		id->cpu = !!(ioread32(topology + ESP_TOPO_CPU) & ESP_TOPO_CPU_PRESENT);
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

static int __maybe_unused espmon_of_suspend(struct device *dev)
{
	mon_pmu_suspend(dev_get_drvdata(dev));
	return 0;
}

static int __maybe_unused espmon_of_resume(struct device *dev)
{
	mon_pmu_resume(dev_get_drvdata(dev));
	return 0;
}

static SIMPLE_DEV_PM_OPS(espmon_of_pm_ops, espmon_of_suspend, espmon_of_resume);

static struct platform_driver espmon_of_driver = {
	.probe = espmon_of_probe,
	.driver = {
		.name = "espmon",
		.of_match_table = espmon_of_ids,
		.pm = &espmon_of_pm_ops,
		/* perf events would outlive the binding */
		.suppress_bind_attrs = !MON_PERF_DETACHES,
	},
};

int __init espmon_of_init(void)
{
	return platform_driver_register(&espmon_of_driver);
}

void espmon_of_exit(void)
{
	platform_driver_unregister(&espmon_of_driver);
}
