// SPDX-License-Identifier: GPL-2.0-only
/*
 * The physical address of the monitors.
 *
 * On PCI (the emulated device) they are in BAR0, at their place in ESP's APB window; on the
 * platform bus in the first register block of the device-tree node.
 */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "events/esp/regs.h"
#include "libmon/include/mon.h"
#include "tools/esp/espmon-base.h"

/* The driver's device number `instance`, in the order of bus addresses. */
static bool device_path(const char *bus, unsigned int instance, const char *file, char *path,
			size_t size)
{
	char pattern[128];
	bool found;
	glob_t g;

	snprintf(pattern, sizeof(pattern), "/sys/bus/%s/drivers/espmon/*[0-9a-f]*/%s", bus, file);
	found = !glob(pattern, 0, NULL, &g) && instance < g.gl_pathc &&
		(size_t)snprintf(path, size, "%s", g.gl_pathv[instance]) < size;
	globfree(&g);
	return found;
}

/* The first line of a PCI device's file `resource`: start, end and flags of BAR0. */
static bool bar0(const char *path, uint64_t *base)
{
	FILE *file = fopen(path, "r");
	unsigned long long start;
	bool good = file && fscanf(file, "%llx", &start) == 1 && start;

	if (file)
		fclose(file);
	*base = good ? start + ESP_CSR_BASE : 0;
	return good;
}

/* reg of the node, big-endian: address and size of one or two cells each. */
static bool first_reg(const char *path, uint64_t *base)
{
	FILE *file = fopen(path, "r");
	unsigned char reg[16];
	size_t n = file ? fread(reg, 1, sizeof(reg), file) : 0, i;

	if (file)
		fclose(file);
	*base = 0;
	for (i = 0; i < n / 2; i++)
		*base = *base << 8 | reg[i];
	return n == 8 || n == 16;
}

bool espmon_base(const char *name, uint64_t *base, char *err, size_t err_len)
{
	struct mon_pmu *pmu = mon_pmu_new(name);
	unsigned int instance;
	char path[512];

	if (!pmu) {
		snprintf(err, err_len, "%s", mon_error());
		return false;
	}
	instance = mon_pmu_get_instance(pmu);
	mon_pmu_free(pmu);
	if (device_path("pci", instance, "resource", path, sizeof(path)) && bar0(path, base))
		return true;
	if (device_path("platform", instance, "of_node/reg", path, sizeof(path)) &&
	    first_reg(path, base))
		return true;
	snprintf(err, err_len, "%s: its device is not in /sys/bus/pci or /sys/bus/platform", name);
	return false;
}
