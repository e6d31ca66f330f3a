/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Constants of the rows of systems.def. */
#ifndef MON_SYSTEMS_H
#define MON_SYSTEMS_H

/* ESPMON_PCI_VENDOR, ESPMON_PCI_DEVICE and so on. */
enum {
#define MON_SYSTEM(name, pmu, prefix, vendor, product, ...) \
	prefix##_PCI_VENDOR = (vendor), prefix##_PCI_DEVICE = (product),
#include "events/systems.def"
#undef MON_SYSTEM
};

#endif
