/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file in /dev of what runs programs or jobs on a device: it may be open for longer than the
 * device is there.
 */
#ifndef MON_FILE_H
#define MON_FILE_H

#include <linux/idr.h>
#include <linux/kref.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "mon_pci.h"
#include "mon_run.h"

struct mon_file;

/**
 * struct mon_file_type - a driver and its files
 * @size:	of its structure, struct mon_file first
 * @first:	name of number 0
 * @name:	of the others, with %d
 * @fops:	open() begins with mon_file_open(), release() ends with mon_file_put()
 * @irq:	the device's interrupt, with run_lock held
 * @start:	a new device, whose structure is zeroed, before the file is there
 * @stop:	the device goes: nothing may run on it any more
 * @sleep:	its registers are about to lose their values, and may be used again
 * @numbers:	of the files; the last members are not the driver's
 *
 * These three run with the lock held. Whoever waits looks again after @stop and @sleep.
 */
struct mon_file_type {
	size_t size;
	const char *first, *name;
	const struct file_operations *fops;
	void (*irq)(struct mon_file *mf);
	int (*start)(struct mon_file *mf);
	void (*stop)(struct mon_file *mf);
	void (*sleep)(struct mon_file *mf, bool begins);
	struct ida numbers;
	struct auxiliary_driver driver;
	struct auxiliary_device_id ids[2];
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
	struct mon_file_type *type;
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

int mon_file_register_by(struct mon_file_type *type, const char *match, struct module *owner,
			 const char *name);
void mon_file_unregister(struct mon_file_type *type, const char *match);

#define mon_file_register(type, match)	\
	mon_file_register_by(type, match, THIS_MODULE, KBUILD_MODNAME)
/* The driver of the auxiliary devices of that name, which is an alias of its module. */
#define module_mon_file_driver(type, match_name)	\
	module_driver(type, mon_file_register, mon_file_unregister, match_name)

/*
 * Waits until @done, which is called with the lock held, after each wake-up and each @step jiffies.
 * -EINTR: a signal came before.
 */
int mon_file_wait(struct mon_file *mf, bool (*done)(struct mon_file *mf, u64 what), u64 what,
		  long step);

/* Sets private_data. */
struct mon_file *mon_file_open(struct file *file);
void mon_file_put(struct mon_file *mf);

#endif
