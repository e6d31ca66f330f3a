/* SPDX-License-Identifier: GPL-2.0-only */
/* For the driver of a PCI function, whose devices are used by drivers of auxiliary devices. */
#ifndef MON_AUX_H
#define MON_AUX_H

#include <linux/device.h>
#include <linux/pm.h>

/* To the driver of an auxiliary device, if it has one, a reset of the function is a short sleep. */
static inline void mon_aux_reset(struct device *dev, bool begins)
{
	int (*change)(struct device *dev);

	device_lock(dev);
	if (dev->driver && dev->driver->pm) {
		change = begins ? dev->driver->pm->suspend : dev->driver->pm->resume;
		if (change)
			change(dev);
	}
	device_unlock(dev);
}

#endif
