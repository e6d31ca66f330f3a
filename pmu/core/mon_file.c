// SPDX-License-Identifier: GPL-2.0-only
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "mon_file.h"

static void mon_file_free(struct kref *ref)
{
	struct mon_file *mf = container_of(ref, struct mon_file, ref);

	ida_free(&mf->type->numbers, mf->number);
	mutex_destroy(&mf->lock);
	kfree(mf);
}

void mon_file_put(struct mon_file *mf)
{
	kref_put(&mf->ref, mon_file_free);
}
EXPORT_SYMBOL_GPL(mon_file_put);

/* misc_open() holds its mutex, so the device cannot have been deregistered. */
struct mon_file *mon_file_open(struct file *file)
{
	struct mon_file *mf = container_of(file->private_data, struct mon_file, misc);

	kref_get(&mf->ref);
	file->private_data = mf;
	return mf;
}
EXPORT_SYMBOL_GPL(mon_file_open);

static irqreturn_t mon_file_irq(int irq, void *data)
{
	struct mon_file *mf = data;

	spin_lock(&mf->run_lock);
	if (!READ_ONCE(mf->off))
		mf->type->irq(mf);
	spin_unlock(&mf->run_lock);
	wake_up_all(&mf->wait);
	return IRQ_HANDLED;
}

/* From now on the registers are not touched. Drop the lock then. */
static void mon_file_switch_off(struct mon_file *mf)
{
	WRITE_ONCE(mf->off, true);
	mutex_unlock(&mf->lock);
	if (mf->irq)
		synchronize_irq(mf->irq);
	wake_up_all(&mf->wait);
}

static void mon_file_sleep(struct mon_file *mf, bool begins)
{
	mutex_lock(&mf->lock);
	WRITE_ONCE(mf->shut, begins ? -EIO : 0);
	WRITE_ONCE(mf->off, false);
	mf->type->sleep(mf, begins);
	if (begins)
		mon_file_switch_off(mf);
	else
		mutex_unlock(&mf->lock);
}

static void mon_file_reset(struct auxiliary_device *aux, bool begins)
{
	mon_file_sleep(auxiliary_get_drvdata(aux), begins);
}

static int mon_file_suspend(struct device *dev)
{
	mon_file_sleep(dev_get_drvdata(dev), true);
	return 0;
}

static int mon_file_resume(struct device *dev)
{
	mon_file_sleep(dev_get_drvdata(dev), false);
	return 0;
}

static DEFINE_SIMPLE_DEV_PM_OPS(mon_file_pm_ops, mon_file_suspend, mon_file_resume);

/* Files that are still open get ENODEV from now on. */
static void mon_file_stop(struct mon_file *mf)
{
	mutex_lock(&mf->lock);
	WRITE_ONCE(mf->shut, -ENODEV);
	mf->type->stop(mf);
	mon_file_switch_off(mf);
	if (mf->irq)
		free_irq(mf->irq, mf);
	mon_file_put(mf);
}

static int mon_file_probe(struct auxiliary_device *aux, const struct auxiliary_device_id *id)
{
	struct mon_file_type *type =
		container_of(to_auxiliary_drv(aux->dev.driver), struct mon_file_type, driver);
	struct mon_pci_dev *hw = to_mon_pci_dev(aux);
	struct mon_file *mf = kzalloc(type->size, GFP_KERNEL);
	int err;

	if (!mf)
		return -ENOMEM;
	kref_init(&mf->ref);
	mutex_init(&mf->lock);
	spin_lock_init(&mf->run_lock);
	init_waitqueue_head(&mf->wait);
	mf->type = type;
	mf->hw = hw;
	mf->irq = hw->irq;
	mf->number = ida_alloc(&type->numbers, GFP_KERNEL);
	if (mf->number < 0) {
		err = mf->number;
		kfree(mf);
		return err;
	}
	snprintf(mf->name, sizeof(mf->name), mf->number ? type->name : type->first, mf->number);
	mf->misc.minor = MISC_DYNAMIC_MINOR;
	mf->misc.name = mf->name;
	mf->misc.fops = type->fops;
	mf->misc.parent = hw->dev;
	err = mf->irq ? request_irq(mf->irq, mon_file_irq, 0, mf->name, mf) : 0;
	if (err)
		goto err_put;
	mutex_lock(&mf->lock);
	err = type->start(mf);
	mutex_unlock(&mf->lock);
	if (err)
		goto err_irq;
	err = misc_register(&mf->misc);
	if (err) {
		mon_file_stop(mf);
		return err;
	}
	auxiliary_set_drvdata(aux, mf);
	hw->reset = mon_file_reset;
	return 0;

err_irq:
	if (mf->irq)
		free_irq(mf->irq, mf);
err_put:
	mon_file_put(mf);
	return err;
}

static void mon_file_remove(struct auxiliary_device *aux)
{
	struct mon_file *mf = auxiliary_get_drvdata(aux);

	mf->hw->reset = NULL;
	misc_deregister(&mf->misc);
	mon_file_stop(mf);
}

int mon_file_register_by(struct mon_file_type *type, const char *match, struct module *owner,
			 const char *name)
{
	ida_init(&type->numbers);
	strscpy(type->ids[0].name, match, sizeof(type->ids[0].name));
	type->driver.probe = mon_file_probe;
	type->driver.remove = mon_file_remove;
	type->driver.id_table = type->ids;
	type->driver.driver.pm = pm_sleep_ptr(&mon_file_pm_ops);
	return __auxiliary_driver_register(&type->driver, owner, name);
}
EXPORT_SYMBOL_GPL(mon_file_register_by);

void mon_file_unregister(struct mon_file_type *type, const char *match)
{
	auxiliary_driver_unregister(&type->driver);
}
EXPORT_SYMBOL_GPL(mon_file_unregister);

int mon_file_wait(struct mon_file *mf, bool (*done)(struct mon_file *mf, u64 what), u64 what,
		  long step)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	bool ready;

	add_wait_queue(&mf->wait, &wait);
	for (;;) {
		mutex_lock(&mf->lock);
		ready = done(mf, what);
		mutex_unlock(&mf->lock);
		if (ready || signal_pending(current))
			break;
		wait_woken(&wait, TASK_INTERRUPTIBLE, step);
	}
	remove_wait_queue(&mf->wait, &wait);
	return ready ? 0 : -EINTR;
}
EXPORT_SYMBOL_GPL(mon_file_wait);
