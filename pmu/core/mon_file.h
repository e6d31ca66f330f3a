/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file in /dev of what runs programs or jobs on a device: it may be open for longer than the
 * device is there.
 */
#ifndef MON_FILE_H
#define MON_FILE_H

#include <linux/kref.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "mon_pci.h"
#include "mon_run.h"

struct mon_file;

/**
 * struct mon_file_type - a driver's files
 * @first:	name of number 0
 * @name:	of the others, with %d
 * @numbers:	those that there are
 * @fops:	open() begins with mon_file_open(), release() ends with mon_file_put()
 * @irq:	the device's interrupt, with run_lock held
 * @start:	a new device, before the file is there
 * @stop:	the device goes: nothing may run on it any more
 * @sleep:	its registers are about to lose their values, and may be used again
 *
 * The last three run with the lock held. Whoever waits looks again after @stop and @sleep.
 */
struct mon_file_type {
	const char *first, *name;
	struct ida *numbers;
	const struct file_operations *fops;
	void (*irq)(struct mon_file *mf);
	int (*start)(struct mon_file *mf);
	void (*stop)(struct mon_file *mf);
	void (*sleep)(struct mon_file *mf, bool begins);
};

/**
 * struct mon_file - the file of a device; the first member of a driver's structure
 * @misc:	the file
 * @type:	see there
 * @hw:		the device, until it has gone
 * @irq:	its interrupt, or 0
 * @ref:	the driver, and each time that the file is open
 * @lock:	the registers, the members below and the driver's. remove() takes it, so user memory
 *		is not faulted in under it, and nobody waits for the device: either may take for
 *		ever
 * @wait:	woken by the interrupt, and when @shut changes
 * @shut:	the error of all requests, or 0: the device has gone (-ENODEV) or sleeps (-EIO)
 * @off:	the registers must not be touched
 * @number:	of the file
 * @run_lock:	a start and its begin are one to the interrupt
 * @run:	what runs, for the tracepoints
 * @name:	in /dev
 */
struct mon_file {
	struct miscdevice misc;
	const struct mon_file_type *type;
	struct mon_pci_dev *hw;
	int irq;
	struct kref ref;
	struct mutex lock;	/* see above */
	wait_queue_head_t wait;
	int shut;
	bool off;
	int number;
	spinlock_t run_lock;	/* see above */
	struct mon_run run;
	char name[20];
};

/* For probe(). The driver's zeroed structure belongs to the file from now on, also on error. */
int mon_file_add(struct mon_file *mf, struct auxiliary_device *aux,
		 const struct mon_file_type *type);
void mon_file_remove(struct auxiliary_device *aux);
extern const struct dev_pm_ops mon_file_pm_ops;

/* Sets private_data. */
struct mon_file *mon_file_open(struct file *file);
void mon_file_put(struct mon_file *mf);

#endif
