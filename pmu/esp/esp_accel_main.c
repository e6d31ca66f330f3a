// SPDX-License-Identifier: GPL-2.0-only
/*
 * esp_accel: runs the accelerators of an ESP SoC, which espmon finds or the devicetree names.
 */
#include <linux/auxiliary_bus.h>
#include <linux/module.h>
#include <linux/platform_device.h>

#include "esp_accel.h"

static void esp_accel_reset(struct auxiliary_device *aux, bool begins)
{
	struct esp_soc *soc = auxiliary_get_drvdata(aux);

	if (begins)
		esp_soc_halt(soc, 0);
	else
		WRITE_ONCE(soc->asleep, false);
}

static int esp_accel_probe(struct auxiliary_device *aux, const struct auxiliary_device_id *id)
{
	struct mon_pci_dev *pci = to_mon_pci_dev(aux);
	struct esp_soc *soc = esp_accel_start(&to_esp_soc_pci(pci)->soc, &aux->dev);

	if (IS_ERR(soc))
		return PTR_ERR(soc);
	auxiliary_set_drvdata(aux, soc);
	pci->reset = esp_accel_reset;
	return 0;
}

static void esp_accel_remove(struct auxiliary_device *aux)
{
	to_mon_pci_dev(aux)->reset = NULL;
	esp_accel_stop(auxiliary_get_drvdata(aux));
}

static const struct auxiliary_device_id esp_accel_ids[] = {
	{ .name = ESP_SOC_AUX_MATCH },
	{}
};
MODULE_DEVICE_TABLE(auxiliary, esp_accel_ids);

static struct auxiliary_driver esp_accel_driver = {
	.probe = esp_accel_probe,
	.remove = esp_accel_remove,
	.id_table = esp_accel_ids,
	.driver.pm = pm_sleep_ptr(&esp_accel_pm_ops),
};

static int __init esp_accel_init(void)
{
	int ret;

	ret = esp_devices_init();
	if (ret)
		return ret;
	ret = auxiliary_driver_register(&esp_accel_driver);
	if (ret)
		goto devices;
	ret = platform_driver_register(&esp_of_driver);
	if (!ret)
		return 0;

	auxiliary_driver_unregister(&esp_accel_driver);
devices:
	esp_devices_exit();
	return ret;
}
module_init(esp_accel_init);

static void __exit esp_accel_exit(void)
{
	platform_driver_unregister(&esp_of_driver);
	auxiliary_driver_unregister(&esp_accel_driver);
	esp_devices_exit();
}
module_exit(esp_accel_exit);

MODULE_DESCRIPTION("Runs the accelerators of an ESP SoC");
MODULE_LICENSE("GPL");
