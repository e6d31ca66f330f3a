// SPDX-License-Identifier: GPL-2.0-only
/*
 * esp_accel: runs the accelerators of an ESP SoC. Device files, their ioctls, and the life of all.
 */
#include <linux/auxiliary_bus.h>
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "esp_accel.h"

/* Accelerators and SoCs that can have a device file at a time. */
#define MAX_MINORS	1024

static dev_t esp_devt;
static DEFINE_IDA(esp_minors);
static DEFINE_IDA(esp_soc_numbers);

static struct class esp_class = {
	.name = "esp_accel",
};

/**
 * struct esp_acc_file - an open accelerator
 * @acc:	the accelerator; the open file holds its character device and so a reference
 * @lock:	protects the others
 * @access:	argument of the last access ioctl, NULL before
 * @contig:	its buffer
 */
struct esp_acc_file {
	struct esp_acc *acc;
	struct mutex lock;	/* the members below */
	struct esp_access *access;
	struct esp_contig *contig;
};

int esp_soc_enter(struct esp_soc *soc)
{
	int ret;

	if (down_read_killable(&soc->gate))
		return -EINTR;
	ret = esp_soc_shut(soc);
	if (ret)
		up_read(&soc->gate);
	return ret;
}

void esp_soc_leave(struct esp_soc *soc)
{
	up_read(&soc->gate);
}

static const struct file_operations esp_acc_fops;

/* May the caller open the accelerator of that name, by its file in /dev as ESP's programs do? */
static int esp_acc_may_open(const char *name)
{
	const struct esp_acc_file *opened;
	struct file *file;
	char *path;
	int ret;

	if (!*name || strchr(name, '/'))
		return -ENODEV;
	path = kasprintf(GFP_KERNEL, "/dev/%s", name);
	if (!path)
		return -ENOMEM;
	file = filp_open(path, O_RDWR | O_NONBLOCK, 0);
	kfree(path);
	if (IS_ERR(file))
		return PTR_ERR(file) == -ENOENT ? -ENODEV : PTR_ERR(file);
	opened = file->private_data;
	ret = -ENODEV;
	if (file->f_op == &esp_acc_fops && !strcmp(dev_name(&opened->acc->dev), name))
		ret = 0;
	filp_close(file, NULL);
	return ret;
}

/*
 * What another accelerator puts out is for those who may use it. The caller need not have it open:
 * ESP's programs open each accelerator in the thread that runs it, in any order.
 */
static int esp_acc_may_use_sources(const struct esp_access *access)
{
	unsigned int i;
	int ret = 0;

	if (access->p2p_nsrcs > ARRAY_SIZE(access->p2p_srcs))
		return -EINVAL;
	for (i = 0; i < access->p2p_nsrcs && !ret; i++) {
		char name[sizeof(access->p2p_srcs[i]) + 1] = {};

		memcpy(name, access->p2p_srcs[i], sizeof(access->p2p_srcs[i]));
		ret = esp_acc_may_open(name);
	}
	return ret;
}

static int esp_acc_go(struct esp_acc *acc, const struct esp_access *access,
		      struct esp_contig *contig, bool run)
{
	int ret = run ? esp_acc_may_use_sources(access) : 0;

	/* outside the gate: whatever is mounted on the caller's /dev may take its time */
	if (!ret)
		ret = esp_soc_enter(acc->soc);
	if (ret)
		return ret;
	ret = acc->type->check(acc, access, esp_contig_bytes(contig));
	if (!ret && run)
		ret = esp_acc_run(acc, access, contig);
	esp_soc_leave(acc->soc);
	return ret;
}

/* The argument of an access ioctl in its present form. */
static struct esp_access *esp_acc_get_access(const struct esp_acc_type *type, bool old,
					     const void __user *arg)
{
	struct esp_access *access;

	if (!old)
		return memdup_user(arg, type->access_size);
	access = kzalloc(type->access_size, GFP_USER);
	if (!access)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(access, arg, type->old_size)) {
		kfree(access);
		return ERR_PTR(-EFAULT);
	}
	type->upgrade(access);
	return access;
}

static long esp_acc_ioctl_access(struct esp_acc_file *file, bool old, const void __user *arg)
{
	struct esp_acc *acc = file->acc;
	struct esp_access *access = esp_acc_get_access(acc->type, old, arg);
	struct esp_contig *contig;
	int ret;

	if (IS_ERR(access))
		return PTR_ERR(access);
	contig = esp_contig_get(acc->soc, access->contig);
	ret = contig ? esp_acc_go(acc, access, contig, access->run) : -EINVAL;

	/* Kept for ESP_IOC_RUN and ESP_IOC_FLUSH. */
	if (!ret) {
		mutex_lock(&file->lock);
		swap(file->access, access);
		swap(file->contig, contig);
		mutex_unlock(&file->lock);
	}
	kfree(access);
	if (contig)
		esp_contig_put(contig);
	return ret;
}

/* What the last access ioctl of this file described; a copy, as another thread may change it. */
static int esp_acc_last(struct esp_acc_file *file, struct esp_access **access,
			struct esp_contig **contig)
{
	int ret = 0;

	*access = NULL;
	*contig = NULL;
	mutex_lock(&file->lock);
	if (file->access) {
		*access = kmemdup(file->access, file->acc->type->access_size, GFP_KERNEL);
		if (*access) {
			*contig = file->contig;
			kref_get(&file->contig->ref);
		} else {
			ret = -ENOMEM;
		}
	}
	mutex_unlock(&file->lock);
	return ret;
}

static int esp_acc_flush_entered(struct esp_acc *acc, struct esp_access *access,
				 struct esp_contig *contig)
{
	int ret = esp_soc_enter(acc->soc);

	if (ret)
		return ret;
	ret = esp_acc_flush(acc, access, contig);
	esp_soc_leave(acc->soc);
	return ret;
}

/* RUN repeats the last access; FLUSH may come before the first. */
static long esp_acc_ioctl_last(struct esp_acc_file *file, bool run)
{
	struct esp_access *access;
	struct esp_contig *contig;
	int ret;

	ret = esp_acc_last(file, &access, &contig);
	if (ret)
		return ret;
	if (run)
		ret = access ? esp_acc_go(file->acc, access, contig, true) : -EINVAL;
	else
		ret = esp_acc_flush_entered(file->acc, access, contig);
	if (contig)
		esp_contig_put(contig);
	kfree(access);
	return ret;
}

static long esp_acc_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct esp_acc_file *file = filp->private_data;
	const struct esp_acc_type *type = file->acc->type;

	if (cmd == type->access_cmd || (type->old_cmd && cmd == type->old_cmd))
		return esp_acc_ioctl_access(file, cmd == type->old_cmd, (const void __user *)arg);
	switch (cmd) {
	case ESP_IOC_RUN:
		return esp_acc_ioctl_last(file, true);
	case ESP_IOC_FLUSH:
		return esp_acc_ioctl_last(file, false);
	default:
		return -ENOTTY;
	}
}

static int esp_acc_open(struct inode *inode, struct file *filp)
{
	struct esp_acc_file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);

	if (!file)
		return -ENOMEM;
	file->acc = container_of(inode->i_cdev, struct esp_acc, cdev);
	mutex_init(&file->lock);
	filp->private_data = file;
	return nonseekable_open(inode, filp);
}

static int esp_acc_close(struct inode *inode, struct file *filp)
{
	struct esp_acc_file *file = filp->private_data;

	if (file->contig)
		esp_contig_put(file->contig);
	kfree(file->access);
	kfree(file);
	return 0;
}

static const struct file_operations esp_acc_fops = {
	.owner = THIS_MODULE,
	.open = esp_acc_open,
	.release = esp_acc_close,
	.unlocked_ioctl = esp_acc_ioctl,
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
	ida_free(acc->type->numbers, acc->number);
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
	soc->nmem = hw->nmem;
	init_rwsem(&soc->gate);
	mutex_init(&soc->flush_lock);
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

static struct esp_acc *esp_acc_new(struct esp_soc *soc, const struct esp_acc_type *type,
				   unsigned int index)
{
	struct esp_acc *acc = kzalloc(sizeof(*acc), GFP_KERNEL);
	int ret;

	if (!acc)
		return ERR_PTR(-ENOMEM);
	acc->soc = soc;
	acc->type = type;
	acc->info = &soc->hw->accs[index];
	acc->regs = soc->hw->apb + ESP_ACC_BASE + index * ESP_ACC_STRIDE;
	mutex_init(&acc->lock);
	init_waitqueue_head(&acc->wq);
	acc->number = ida_alloc(type->numbers, GFP_KERNEL);
	ret = acc->number;
	if (ret < 0)
		goto free;
	ret = esp_device_init(&acc->dev, soc->dev.parent, &acc->cdev, &esp_acc_fops,
			      esp_acc_release);
	if (ret)
		goto free_number;
	get_device(&soc->dev);

	ret = dev_set_name(&acc->dev, "%s.%d", type->name, acc->number);
	if (!ret)
		ret = esp_acc_hw_init(acc);
	if (!ret)
		return acc;
	put_device(&acc->dev);
	return ERR_PTR(ret);

free_number:
	ida_free(type->numbers, acc->number);
free:
	kfree(acc);
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
		type = esp_acc_type_find(info->name, info->devid);
		if (!type)
			continue;
		acc = esp_acc_new(soc, type, i);
		if (IS_ERR(acc))
			return PTR_ERR(acc);
		soc->accs[soc->naccs++] = acc;
	}
	return 0;
}

/* Nobody is inside the gate, nobody comes in any more. Drops the reference of the driver. */
static void esp_soc_destroy(struct esp_soc *soc)
{
	unsigned int i;

	for (i = 0; i < soc->naccs; i++)
		esp_acc_hw_exit(soc->accs[i]);
	esp_contig_unmap_all(soc);
	for (i = 0; i < soc->naccs; i++)
		put_device(&soc->accs[i]->dev);
	put_device(&soc->dev);
}

/* Shuts the gate by a member of soc, and wakes whoever waits for an accelerator. */
static void esp_soc_shut_by(struct esp_soc *soc, bool *member)
{
	unsigned int i;

	WRITE_ONCE(*member, true);
	for (i = 0; i < soc->naccs; i++)
		wake_up_all(&soc->accs[i]->wq);
}

/* For good; waits until the last one has left. */
static void esp_soc_close(struct esp_soc *soc)
{
	esp_soc_shut_by(soc, &soc->gone);
	down_write(&soc->gate);
	up_write(&soc->gate);
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
		esp_soc_close(soc);
		esp_soc_destroy(soc);
		return ERR_PTR(ret);
	}
	dev_dbg(parent, "%u of %u accelerators\n", soc->naccs, hw->nacc);
	return soc;
}

void esp_accel_stop(struct esp_soc *soc)
{
	esp_devices_del(soc, soc->naccs);
	esp_soc_close(soc);
	esp_soc_destroy(soc);
}

static int esp_accel_probe(struct auxiliary_device *aux, const struct auxiliary_device_id *id)
{
	struct esp_soc *soc = esp_accel_start(to_esp_soc_dev(aux), &aux->dev);

	if (IS_ERR(soc))
		return PTR_ERR(soc);
	auxiliary_set_drvdata(aux, soc);
	return 0;
}

static void esp_accel_remove(struct auxiliary_device *aux)
{
	esp_accel_stop(auxiliary_get_drvdata(aux));
}

/* Aborting a run and flushing a cache take less. */
#define LEAVE_TIMEOUT_MS	2000

/*
 * No run survives that the accelerators lose their registers; a run sets all that it needs. When
 * the machine goes to sleep whoever waits for one is frozen, and does not leave.
 */
static int __maybe_unused esp_accel_suspend(struct device *dev)
{
	unsigned long end = jiffies + msecs_to_jiffies(LEAVE_TIMEOUT_MS);
	struct esp_soc *soc = dev_get_drvdata(dev);
	unsigned int i;
	int ret = 0;

	esp_soc_shut_by(soc, &soc->asleep);
	while (!down_write_trylock(&soc->gate)) {
		if (time_after(jiffies, end)) {
			for (i = 0; i < soc->naccs && !ret; i++)
				ret = esp_acc_suspend(soc->accs[i]);
			if (ret)
				WRITE_ONCE(soc->asleep, false);
			return ret;
		}
		msleep(20);
	}
	up_write(&soc->gate);
	return 0;
}

static int __maybe_unused esp_accel_resume(struct device *dev)
{
	struct esp_soc *soc = dev_get_drvdata(dev);

	WRITE_ONCE(soc->asleep, false);
	return 0;
}

SIMPLE_DEV_PM_OPS(esp_accel_pm_ops, esp_accel_suspend, esp_accel_resume);

static const struct auxiliary_device_id esp_accel_ids[] = {
	{ .name = ESP_SOC_AUX_MATCH },
	{}
};
MODULE_DEVICE_TABLE(auxiliary, esp_accel_ids);

static struct auxiliary_driver esp_accel_driver = {
	.probe = esp_accel_probe,
	.remove = esp_accel_remove,
	.id_table = esp_accel_ids,
	.driver.pm = &esp_accel_pm_ops,
};

static int __init esp_accel_init(void)
{
	int ret;

	ret = esp_pools_init();
	if (ret)
		return ret;
	ret = class_register(&esp_class);
	if (ret)
		goto pools;
	ret = alloc_chrdev_region(&esp_devt, 0, MAX_MINORS, "esp_accel");
	if (ret)
		goto class;
	ret = auxiliary_driver_register(&esp_accel_driver);
	if (ret)
		goto region;
	ret = esp_of_init();
	if (!ret)
		return 0;

	auxiliary_driver_unregister(&esp_accel_driver);
region:
	unregister_chrdev_region(esp_devt, MAX_MINORS);
class:
	class_unregister(&esp_class);
pools:
	esp_pools_exit();
	return ret;
}
module_init(esp_accel_init);

static void __exit esp_accel_exit(void)
{
	esp_of_exit();
	auxiliary_driver_unregister(&esp_accel_driver);
	unregister_chrdev_region(esp_devt, MAX_MINORS);
	class_unregister(&esp_class);
	esp_pools_exit();
}
module_exit(esp_accel_exit);

MODULE_DESCRIPTION("Runs the accelerators of an ESP SoC");
MODULE_LICENSE("GPL");
