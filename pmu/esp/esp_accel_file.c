// SPDX-License-Identifier: GPL-2.0-only
/* An accelerator's device file and its ioctls. */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "esp_accel.h"

/**
 * struct esp_acc_file - an open accelerator
 * @acc:	the accelerator; the open file holds its character device and so a reference
 * @lock:	protects the others
 * @access:	argument of the last access ioctl, NULL before
 * @contig:	its buffer
 * @sources:	accelerators whose output its runs may take, each with a reference
 */
struct esp_acc_file {
	struct esp_acc *acc;
	struct mutex lock;	/* the members below */
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
	if (!ret) {
		mutex_lock(&file->lock);
		for (i = 0; i < ESP_P2P_SOURCES; i++)
			swap(file->sources[i], found[i]);
		mutex_unlock(&file->lock);
	}
	esp_acc_put_sources(found);
	return ret;
}

/* The sources that the file has now, with references: another thread may change them. */
static void esp_acc_get_sources(struct esp_acc_file *file, struct esp_acc **sources)
{
	unsigned int i;

	mutex_lock(&file->lock);
	for (i = 0; i < ESP_P2P_SOURCES; i++) {
		sources[i] = file->sources[i];
		if (sources[i])
			get_device(&sources[i]->dev);
	}
	mutex_unlock(&file->lock);
}

static int esp_acc_go(struct esp_acc_file *file, struct esp_access *access,
		      struct esp_contig *contig, bool run)
{
	struct esp_acc *sources[ESP_P2P_SOURCES], *acc = file->acc;
	int ret = esp_soc_enter(acc->soc);

	if (ret)
		return ret;
	ret = esp_acc_check(acc, access, esp_contig_bytes(contig));
	esp_soc_leave(acc->soc);
	if (ret || !run)
		return ret;
	esp_acc_get_sources(file, sources);
	ret = esp_acc_run(acc, access, contig, sources);
	esp_acc_put_sources(sources);
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
	esp_acc_upgrade(type, access);
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
	ret = contig ? esp_acc_go(file, access, contig, access->run) : -EINVAL;

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
		ret = access ? esp_acc_go(file, access, contig, true) : -EINVAL;
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
	case ESP_IOC_SOURCES:
		return esp_acc_ioctl_sources(file, (const void __user *)arg);
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
