// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds out why a PMU is not there. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/internal.h"

static bool file_has_value(const char *dir, const char *entry, const char *file, unsigned int value)
{
	char *path = mon_format("%s/%s/%s", dir, entry, file);
	char *text = path ? mon_read_text(path) : NULL;
	uint64_t number;
	bool same = text && mon_parse_u64(text, &number) && number == value;

	free(text);
	free(path);
	return same;
}

static bool have_pci_device(const struct mon_system *system)
{
	char *dir = mon_format("%s/bus/pci/devices", mon_sysfs_root);
	char **names = NULL;
	size_t count = 0, i;
	bool found = false;

	if (dir && !mon_list_dir(dir, &names, &count)) {
		for (i = 0; i < count && !found; i++)
			found = file_has_value(dir, names[i], "vendor", system->pci_vendor) &&
				file_has_value(dir, names[i], "device", system->pci_device);
		mon_names_free(names, count);
	}
	free(dir);
	return found;
}

static bool have_module(const char *name)
{
	char *path = mon_format("%s/module/%s", mon_sysfs_root, name);
	bool found = path && mon_is_dir(path);

	free(path);
	return found;
}

int mon_pmu_missing(const char *name)
{
	const struct mon_system *system;
	unsigned int instance;
	char *kind = mon_pmu_split_name(name, &instance);
	bool module, device;

	system = kind ? mon_system_find(kind) : NULL;
	free(kind);
	if (!system)
		return mon_fail(ENODEV,
				"%s: no such PMU: %s/bus/event_source/devices has no %s with a cpumask",
				name, mon_sysfs_root, name);
	module = have_module(system->pmu);
	device = have_pci_device(system);
	if (module && !instance)
		return mon_fail(ENODEV, "%s: no such PMU: the module %s is loaded but %s", name,
				system->pmu, device ? "did not take the device: see the kernel log" :
				"there is no device for it");
	if (module)
		return mon_fail(ENODEV, "%s: no such PMU: there are fewer devices, %s (PCI %04x:%04x)",
				name, system->description, system->pci_vendor, system->pci_device);
	if (device)
		return mon_fail(ENODEV, "%s: no such PMU: the module is not loaded: modprobe %s",
				name, system->pmu);
	return mon_fail(ENODEV,
			"%s: no such PMU: there is neither a device, %s (PCI %04x:%04x), nor the module %s: a guest of mon-vm has both",
			name, system->description, system->pci_vendor, system->pci_device,
			system->pmu);
}
