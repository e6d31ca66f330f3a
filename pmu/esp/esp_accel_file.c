// SPDX-License-Identifier: GPL-2.0-only
/* An accelerator's device file and its ioctls. */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait_bit.h>

#include "esp_accel.h"

/**
 * struct esp_acc_file - an open accelerator
 * @acc:	the accelerator; the open file holds its character device and so a reference
 * @busy:	bit 0: an ioctl; one at a time, two runs would wait for each other anyway. No lock,
 *		as its task may be frozen.
 * @access:	argument of the last access ioctl, NULL before
 * @contig:	its buffer
 * @sources:	accelerators whose output its runs may take, each with a reference
 */
struct esp_acc_file {
	struct esp_acc *acc;
	unsigned long busy;
	struct esp_access *access;
	struct esp_contig *contig;
	struct esp_acc *sources[ESP_P2P_SOURCES];
};

static void esp_acc_put_sources(struct esp_acc **sources)
{
	unsigned int i;

	for (i = 0; i < ESP_P2P_SOURCES; i++)
		if (sources[i])
			put_device(&sources[i]->dev);
}

/* The accelerator of an open file with a reference. */
static struct esp_acc *esp_acc_of_fd(const struct esp_acc *acc, int fd)
{
	const struct esp_acc_file *opened;
	struct file *file = fget(fd);
	struct esp_acc *src;

	if (!file)
		return ERR_PTR(-EBADF);
	src = ERR_PTR(-EBADF);
	if (file->f_op == &esp_acc_fops && file->f_mode & FMODE_WRITE) {
		opened = file->private_data;
		src = opened->acc->soc == acc->soc ? opened->acc : ERR_PTR(-EXDEV);
	}
	if (!IS_ERR(src))
		get_device(&src->dev);
	fput(file);
	return src;
}

static long esp_acc_ioctl_sources(struct esp_acc_file *file, const void __user *arg)
{
	struct esp_acc *found[ESP_P2P_SOURCES] = {};
	struct esp_sources sources;
	unsigned int i;
	int ret = 0;

	if (copy_from_user(&sources, arg, sizeof(sources)))
		return -EFAULT;
	if (sources.n > ESP_P2P_SOURCES)
		return -EINVAL;
	for (i = 0; i < sources.n && !ret; i++) {
		struct esp_acc *src = esp_acc_of_fd(file->acc, sources.fd[i]);

		if (IS_ERR(src))
			ret = PTR_ERR(src);
		else
			found[i] = src;
	}
	for (i = 0; i < ESP_P2P_SOURCES && !ret; i++)
		swap(file->sources[i], found[i]);
	esp_acc_put_sources(found);
	return ret;
}

static int esp_acc_go(struct esp_acc_file *file, struct esp_access *access,
		      struct esp_contig *contig, bool run)
{
	struct esp_acc *acc = file->acc;
	int ret = esp_soc_enter(acc->soc);

	if (ret)
		return ret;
	ret = esp_acc_check(acc, access, esp_contig_bytes(contig));
	esp_soc_leave(acc->soc);
	if (ret || !run)
		return ret;
	return esp_acc_run(acc, access, contig, file->sources);
}

static long esp_acc_ioctl_access(struct esp_acc_file *file, const void __user *arg)
{
	struct esp_acc *acc = file->acc;
	struct esp_access *access = memdup_user(arg, acc->type->access_size);
	struct esp_contig *contig;
	int ret;

	if (IS_ERR(access))
		return PTR_ERR(access);
	contig = esp_contig_get(acc->soc, access->contig);
	ret = contig ? esp_acc_go(file, access, contig, access->run) : -EINVAL;

	/* Kept for ESP_IOC_RUN and ESP_IOC_FLUSH. */
	if (!ret) {
		swap(file->access, access);
		swap(file->contig, contig);
	}
	kfree(access);
	if (contig)
		esp_contig_put(contig);
	return ret;
}

/* It may come before the first access. */
static int esp_acc_ioctl_flush(struct esp_acc_file *file)
{
	int ret = esp_soc_enter(file->acc->soc);

	if (ret)
		return ret;
	ret = esp_acc_flush(file->acc, file->access, file->contig);
	esp_soc_leave(file->acc->soc);
	return ret;
}

static long esp_acc_ioctl_locked(struct esp_acc_file *file, unsigned int cmd,
				 const void __user *arg)
{
	unsigned int access_cmd = file->acc->type->access_cmd;

	/* if the order of the members is not known, each header is taken */
	if ((_IOC_NR(access_cmd) ? cmd : cmd & ~_IOC_NRMASK) == access_cmd)
		return esp_acc_ioctl_access(file, arg);
	switch (cmd) {
	case ESP_IOC_RUN:
		return file->access ? esp_acc_go(file, file->access, file->contig, true) : -EINVAL;
	case ESP_IOC_SOURCES:
		return esp_acc_ioctl_sources(file, arg);
	case ESP_IOC_FLUSH:
		return esp_acc_ioctl_flush(file);
	default:
		return -ENOTTY;
	}
}

static long esp_acc_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct esp_acc_file *file = filp->private_data;
	long ret;

	if (wait_on_bit_lock(&file->busy, 0, TASK_INTERRUPTIBLE))
		return -ERESTARTSYS;
	ret = esp_acc_ioctl_locked(file, cmd, (const void __user *)arg);
	clear_and_wake_up_bit(0, &file->busy);
	return ret;
}

static int esp_acc_open(struct inode *inode, struct file *filp)
{
	struct esp_acc_file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);

	if (!file)
		return -ENOMEM;
	file->acc = container_of(inode->i_cdev, struct esp_acc, cdev);
	filp->private_data = file;
	return nonseekable_open(inode, filp);
}

static int esp_acc_close(struct inode *inode, struct file *filp)
{
	struct esp_acc_file *file = filp->private_data;

	if (file->contig)
		esp_contig_put(file->contig);
	esp_acc_put_sources(file->sources);
	kfree(file->access);
	kfree(file);
	return 0;
}

const struct file_operations esp_acc_fops = {
	.owner = THIS_MODULE,
	.open = esp_acc_open,
	.release = esp_acc_close,
	.unlocked_ioctl = esp_acc_ioctl,
};
