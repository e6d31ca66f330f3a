// SPDX-License-Identifier: GPL-2.0-only
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "mon_file.h"

static void mon_file_free(struct kref *ref)
{
	struct mon_file *mf = container_of(ref, struct mon_file, ref);

	ida_free(mf->type->numbers, mf->number);
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

static int __maybe_unused mon_file_suspend(struct device *dev)
{
	mon_file_sleep(dev_get_drvdata(dev), true);
	return 0;
}

static int __maybe_unused mon_file_resume(struct device *dev)
{
	mon_file_sleep(dev_get_drvdata(dev), false);
	return 0;
}

const struct dev_pm_ops mon_file_pm_ops = {
	SET_SYSTEM_SLEEP_PM_OPS(mon_file_suspend, mon_file_resume)
};
EXPORT_SYMBOL_GPL(mon_file_pm_ops);

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

int mon_file_add(struct mon_file *mf, struct auxiliary_device *aux,
		 const struct mon_file_type *type)
{
	struct mon_pci_dev *hw = to_mon_pci_dev(aux);
	int err;

	kref_init(&mf->ref);
	mutex_init(&mf->lock);
	spin_lock_init(&mf->run_lock);
	init_waitqueue_head(&mf->wait);
	mf->type = type;
	mf->hw = hw;
	mf->irq = hw->irq;
	mf->number = ida_alloc(type->numbers, GFP_KERNEL);
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
EXPORT_SYMBOL_GPL(mon_file_add);

void mon_file_remove(struct auxiliary_device *aux)
{
	struct mon_file *mf = auxiliary_get_drvdata(aux);

	mf->hw->reset = NULL;
	misc_deregister(&mf->misc);
	mon_file_stop(mf);
}
EXPORT_SYMBOL_GPL(mon_file_remove);
