// SPDX-License-Identifier: GPL-2.0-only
/*
 * The devices of an ESP SoC, from their start to their end.
 */
#include <linux/dma-mapping.h>
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "esp_accel.h"

/* Accelerators and SoCs that can have a device file at a time. */
#define MAX_MINORS	1024

static dev_t esp_devt;
static DEFINE_IDA(esp_minors);
static DEFINE_IDA(esp_soc_numbers);

/* Those that have a number, of all SoCs. */
static LIST_HEAD(esp_accs);
static DEFINE_MUTEX(esp_accs_lock);

static struct class esp_class = {
	.name = "esp_accel",
};

static void esp_soc_release(struct device *dev)
{
	struct esp_soc *soc = container_of(dev, struct esp_soc, dev);

	ida_free(&esp_minors, MINOR(dev->devt) - MINOR(esp_devt));
	ida_free(&esp_soc_numbers, soc->number);
	xa_destroy(&soc->handles);
	kfree(soc->accs);
	kfree(soc);
}

static void esp_acc_release(struct device *dev)
{
	struct esp_acc *acc = container_of(dev, struct esp_acc, dev);

	ida_free(&esp_minors, MINOR(dev->devt) - MINOR(esp_devt));
	mutex_lock(&esp_accs_lock);
	list_del(&acc->node);
	mutex_unlock(&esp_accs_lock);
	esp_acc_type_put(acc->type);
	put_device(&acc->soc->dev);
	kfree(acc);
}

/* Common start of both kinds of device; undone by the release callback. */
static int esp_device_init(struct device *dev, struct device *parent, struct cdev *cdev,
			   const struct file_operations *fops, void (*release)(struct device *dev))
{
	int minor = ida_alloc_max(&esp_minors, MAX_MINORS - 1, GFP_KERNEL);

	if (minor < 0)
		return minor;
	device_initialize(dev);
	dev->devt = MKDEV(MAJOR(esp_devt), MINOR(esp_devt) + minor);
	dev->class = &esp_class;
	dev->parent = parent;
	dev->release = release;
	cdev_init(cdev, fops);
	cdev->owner = THIS_MODULE;
	return 0;
}

static struct esp_soc *esp_soc_new(struct esp_soc_dev *hw, struct device *parent)
{
	struct esp_soc *soc = kzalloc(sizeof(*soc), GFP_KERNEL);
	int ret = -ENOMEM;

	if (!soc)
		return ERR_PTR(-ENOMEM);
	soc->hw = hw;
	init_rwsem(&soc->gate);
	mutex_init(&soc->flush_lock);
	init_waitqueue_head(&soc->p2p_wq);
	spin_lock_init(&soc->p2p_lock);
	mutex_init(&soc->mem_lock);
	INIT_LIST_HEAD(&soc->contigs);
	xa_init_flags(&soc->handles, XA_FLAGS_ALLOC1);
	soc->accs = kcalloc(hw->nacc, sizeof(*soc->accs), GFP_KERNEL);
	if (!soc->accs)
		goto free;
	soc->number = ida_alloc(&esp_soc_numbers, GFP_KERNEL);
	ret = soc->number;
	if (ret < 0)
		goto free;
	ret = esp_device_init(&soc->dev, parent, &soc->cdev, &esp_contig_fops,
			      esp_soc_release);
	if (ret)
		goto free_number;
	ret = soc->number ? dev_set_name(&soc->dev, "contig_alloc.%d", soc->number) :
			    dev_set_name(&soc->dev, "contig_alloc");
	if (!ret)
		return soc;
	put_device(&soc->dev);
	return ERR_PTR(ret);

free_number:
	ida_free(&esp_soc_numbers, soc->number);
free:
	kfree(soc->accs);
	kfree(soc);
	return ERR_PTR(ret);
}

static void esp_acc_take_number(struct esp_acc *acc)
{
	struct esp_acc *other;

	mutex_lock(&esp_accs_lock);
again:
	list_for_each_entry(other, &esp_accs, node) {
		if (other->number != acc->number ||
		    strcmp(other->type->row->name, acc->type->row->name))
			continue;
		acc->number++;
		goto again;
	}
	list_add(&acc->node, &esp_accs);
	mutex_unlock(&esp_accs_lock);
}

static struct esp_acc *esp_acc_new(struct esp_soc *soc, const struct esp_acc_type *type,
				   unsigned int index)
{
	struct esp_acc *acc = kzalloc(sizeof(*acc), GFP_KERNEL);
	int ret;

	if (!acc) {
		esp_acc_type_put(type);
		return ERR_PTR(-ENOMEM);
	}
	acc->soc = soc;
	acc->type = type;
	acc->info = &soc->hw->accs[index];
	acc->regs = soc->hw->apb + ESP_ACC_BASE + index * ESP_ACC_STRIDE;
	init_waitqueue_head(&acc->wq);
	ret = esp_device_init(&acc->dev, soc->dev.parent, &acc->cdev, &esp_acc_fops,
			      esp_acc_release);
	if (ret) {
		esp_acc_type_put(type);
		kfree(acc);
		return ERR_PTR(ret);
	}
	get_device(&soc->dev);
	esp_acc_take_number(acc);

	ret = dev_set_name(&acc->dev, "%s.%u", type->row->name, acc->number);
	if (!ret)
		ret = esp_acc_hw_init(acc);
	if (!ret)
		return acc;
	put_device(&acc->dev);
	return ERR_PTR(ret);
}

static int esp_accs_new(struct esp_soc *soc)
{
	unsigned int i;

	for (i = 0; i < soc->hw->nacc; i++) {
		const struct esp_acc_info *info = &soc->hw->accs[i];
		const struct esp_acc_type *type;
		struct esp_acc *acc;

		if (info->third_party)
			continue;
		type = esp_acc_type_get(info);
		if (IS_ERR(type))
			return PTR_ERR(type);
		if (!type) {
			if (!(info->devid & 0xffff))
				dev_warn(&soc->dev, "%s: no model, see mon-vm --accelerator\n",
					 info->name);
			continue;
		}
		acc = esp_acc_new(soc, type, i);
		if (IS_ERR(acc))
			return PTR_ERR(acc);
		soc->accs[soc->naccs++] = acc;
	}
	return 0;
}

/* Shuts the gate by a member of soc, and wakes whoever waits for an accelerator. */
static void esp_soc_shut_by(struct esp_soc *soc, bool *member)
{
	unsigned int i;

	WRITE_ONCE(*member, true);
	wake_up_all(&soc->p2p_wq);
	for (i = 0; i < soc->naccs; i++)
		wake_up_all(&soc->accs[i]->wq);
}

/*
 * Shuts the gate for good and waits until the last one has left; a task that waits for a run enters
 * next, when the run is done or cut off. Drops the reference of the driver.
 */
static void esp_soc_destroy(struct esp_soc *soc)
{
	unsigned int i;

	esp_soc_shut_by(soc, &soc->gone);
	down_write(&soc->gate);
	for (i = 0; i < soc->naccs; i++)
		esp_acc_hw_exit(soc->accs[i]);
	esp_contig_unmap_all(soc);
	soc->hw = NULL;
	up_write(&soc->gate);
	for (i = 0; i < soc->naccs; i++)
		put_device(&soc->accs[i]->dev);
	put_device(&soc->dev);
}

static void esp_devices_del(struct esp_soc *soc, unsigned int naccs)
{
	while (naccs) {
		naccs--;
		cdev_device_del(&soc->accs[naccs]->cdev, &soc->accs[naccs]->dev);
	}
	cdev_device_del(&soc->cdev, &soc->dev);
}

static int esp_devices_add(struct esp_soc *soc)
{
	unsigned int i;
	int ret;

	ret = cdev_device_add(&soc->cdev, &soc->dev);
	for (i = 0; i < soc->naccs && !ret; i++) {
		ret = cdev_device_add(&soc->accs[i]->cdev, &soc->accs[i]->dev);
		if (ret)
			esp_devices_del(soc, i);
	}
	return ret;
}

/* The device files of a SoC, below parent. */
struct esp_soc *esp_accel_start(struct esp_soc_dev *hw, struct device *parent)
{
	struct esp_soc *soc;
	int ret;

	if (!hw->nmem || hw->nmem > ESP_MAX_MEMS || hw->ncpu > ESP_MAX_CPUS ||
	    (hw->arch_bits != 32 && hw->arch_bits != 64) ||
	    hw->dma_noc_width < 32)
		return ERR_PTR(dev_err_probe(parent, -EINVAL,
					     "%u memory tiles, %u-bit words, %u-bit NoC: cannot be\n",
					     hw->nmem, hw->arch_bits, hw->dma_noc_width));
	/* Page tables and accelerators hold 32-bit addresses (PT_ADDRESS_EXTENDED reads 0). */
	ret = dma_set_mask_and_coherent(hw->dev, DMA_BIT_MASK(32));
	if (ret)
		return ERR_PTR(ret);

	soc = esp_soc_new(hw, parent);
	if (IS_ERR(soc))
		return soc;
	ret = esp_accs_new(soc);
	if (!ret)
		ret = esp_devices_add(soc);
	if (ret) {
		esp_soc_destroy(soc);
		return ERR_PTR(ret);
	}
	dev_dbg(parent, "%u of %u accelerators\n", soc->naccs, hw->nacc);
	return soc;
}

void esp_accel_stop(struct esp_soc *soc)
{
	esp_devices_del(soc, soc->naccs);
	esp_soc_destroy(soc);
}

/*
 * No run survives the loss of the accelerators' registers; the next run sets all that it needs. One
 * that ends within MS is not cut off. Until soc->asleep is cleared the gate stays shut.
 */
int esp_soc_halt(struct esp_soc *soc, unsigned int ms)
{
	unsigned long end = jiffies + msecs_to_jiffies(ms);
	unsigned int i;
	int ret = 0;

	esp_soc_shut_by(soc, &soc->asleep);
	down_write(&soc->gate);
	for (i = 0; i < soc->naccs; i++)
		ret = esp_acc_suspend(soc->accs[i], end) ?: ret;
	up_write(&soc->gate);
	return ret;
}

/* Most runs take less. */
#define SUSPEND_TIMEOUT_MS	2000

static int esp_accel_suspend(struct device *dev)
{
	struct esp_soc *soc = dev_get_drvdata(dev);
	int ret = esp_soc_halt(soc, SUSPEND_TIMEOUT_MS);

	if (ret)
		WRITE_ONCE(soc->asleep, false);
	return ret;
}

static int esp_accel_resume(struct device *dev)
{
	struct esp_soc *soc = dev_get_drvdata(dev);

	WRITE_ONCE(soc->asleep, false);
	return 0;
}

DEFINE_SIMPLE_DEV_PM_OPS(esp_accel_pm_ops, esp_accel_suspend, esp_accel_resume);

/* Stops all runs, so that none writes to the next kernel's memory. The gate stays shut. */
void esp_accel_shutdown(struct esp_soc *soc)
{
	if (esp_soc_halt(soc, 0))
		dev_err(&soc->dev, "an accelerator does not stop and may write to memory\n");
}

int esp_devices_init(void)
{
	int ret;

	ret = esp_pools_init();
	if (ret)
		return ret;
	ret = class_register(&esp_class);
	if (ret)
		goto pools;
	ret = alloc_chrdev_region(&esp_devt, 0, MAX_MINORS, "esp_accel");
	if (!ret)
		return 0;

	class_unregister(&esp_class);
pools:
	esp_pools_exit();
	return ret;
}

void esp_devices_exit(void)
{
	unregister_chrdev_region(esp_devt, MAX_MINORS);
	class_unregister(&esp_class);
	esp_pools_exit();
}
