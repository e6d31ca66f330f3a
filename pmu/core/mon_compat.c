// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMUs without a device, before 6.16: there perf frees what open events still use when a PMU is
 * unregistered. So the PMU of a device that goes stays until the driver's module goes, and the same
 * device finds it when it comes back.
 *
 * Before 6.12 perf shows a PMU to those who open events while perf_pmu_register() still makes what
 * they use. So a PMU refuses events (gone) until it is attached.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "mon_compat.h"

#if !MON_PERF_DETACHES
#include <linux/device.h>
#include <linux/module.h>
#include <linux/slab.h>

static DEFINE_MUTEX(mon_seats_lock);
static LIST_HEAD(mon_seats);

/**
 * struct mon_seat - a bus address and its PMU
 * @list: in mon_seats
 * @mp: the PMU
 * @bus: of the device
 * @address: its name there
 */
struct mon_seat {
	struct list_head list;
	struct mon_pmu *mp;
	const struct bus_type *bus;
	char address[];
};

struct mon_pmu *mon_pmu_find(struct device *dev, const struct mon_pmu_desc *desc, const void *id)
{
	struct mon_pmu *found = NULL;
	struct mon_seat *seat;

	mutex_lock(&mon_seats_lock);
	list_for_each_entry(seat, &mon_seats, list)
		if (seat->mp->desc == desc && seat->bus == dev->bus &&
		    !strcmp(seat->address, dev_name(dev)))
			found = seat->mp;
	mutex_unlock(&mon_seats_lock);
	if (!found || !memcmp(found->id, id, desc->id_size))
		return found;
	dev_err(dev, "another device was here, and %s counts for that: unload %s to forget it\n",
		found->name, module_name(desc->owner));
	return ERR_PTR(-EBUSY);
}

int mon_pmu_keep(struct mon_pmu *mp)
{
	size_t size = strlen(dev_name(mp->dev)) + 1;
	struct mon_seat *seat = kzalloc(struct_size(seat, address, size), GFP_KERNEL);

	if (!seat)
		return -ENOMEM;
	seat->mp = mp;
	seat->bus = mp->dev->bus;
	memcpy(seat->address, dev_name(mp->dev), size);
	mutex_lock(&mon_seats_lock);
	list_add_tail(&seat->list, &mon_seats);
	mutex_unlock(&mon_seats_lock);
	return 0;
}

struct mon_pmu *mon_pmu_take(const struct mon_pmu_desc *desc)
{
	struct mon_pmu *found = NULL;
	struct mon_seat *seat;

	mutex_lock(&mon_seats_lock);
	list_for_each_entry(seat, &mon_seats, list) {
		if (seat->mp->desc != desc)
			continue;
		found = seat->mp;
		list_del(&seat->list);
		kfree(seat);
		break;
	}
	mutex_unlock(&mon_seats_lock);
	return found;
}
#endif
