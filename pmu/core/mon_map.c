// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/<pmu>: counter values and live registers mapped into programs (uapi/mon_pmu_uapi.h).
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "mon_private.h"

/**
 * struct mon_pmu_file - an open /dev/<pmu>
 * @list: in mon_pmu.files
 * @mp: the PMU; the open file holds the driver's module and so keeps it
 * @mapping: where its memory mappings are found
 * @attached: an event of the PMU has been shown
 */
struct mon_pmu_file {
	struct list_head list;
	struct mon_pmu *mp;
	struct address_space *mapping;
	bool attached;
};

static int mon_pmu_map_open(struct inode *inode, struct file *file)
{
	/* misc_open() leaves the device there */
	struct mon_pmu *mp = container_of(file->private_data, struct mon_pmu, misc);
	struct mon_pmu_file *mf;

	/* as long as the file is open the driver, and so the PMU, stays */
	if (!try_module_get(mp->desc.owner))
		return -ENODEV;
	mf = kzalloc(sizeof(*mf), GFP_KERNEL_ACCOUNT);
	if (!mf) {
		module_put(mp->desc.owner);
		return -ENOMEM;
	}
	mf->mp = mp;
	mf->mapping = file->f_mapping;
	file->private_data = mf;
	mutex_lock(&mp->map_lock);
	list_add(&mf->list, &mp->map_files);
	mutex_unlock(&mp->map_lock);
	return 0;
}

static int mon_pmu_map_release(struct inode *inode, struct file *file)
{
	struct mon_pmu_file *mf = file->private_data;
	struct module *owner = mf->mp->desc.owner;

	mutex_lock(&mf->mp->map_lock);
	list_del(&mf->list);
	mutex_unlock(&mf->mp->map_lock);
	kfree(mf);
	module_put(owner);
	return 0;
}

/*
 * A file belongs to an event of this PMU if its private data is one of them: only perf keeps
 * pointers to events, so the type of the file needs no other proof.
 */
static int mon_pmu_attach(struct mon_pmu_file *mf, unsigned long fd)
{
	struct mon_pmu *mp = mf->mp;
	struct mon_pmu_event_ref *ref;
	struct file *file;
	bool found = false;

	if (fd > INT_MAX)
		return -EBADF;
	file = fget(fd);
	if (!file)
		return -EBADF;
	mutex_lock(&mp->events_lock);
	list_for_each_entry(ref, &mp->events, list) {
		if (file->private_data == ref->event) {
			found = true;
			break;
		}
	}
	mutex_unlock(&mp->events_lock);
	fput(file);
	if (!found)
		return -EINVAL;
	WRITE_ONCE(mf->attached, true);
	return 0;
}

static int mon_pmu_info(struct mon_pmu *mp, void __user *arg)
{
	const struct mon_pmu_info info = {
		.counters = mp->desc.counters,
		.values_size = mp->values_size,
		.regs_size = mp->desc.regs_size,
	};

	return copy_to_user(arg, &info, sizeof(info)) ? -EFAULT : 0;
}

static long mon_pmu_map_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct mon_pmu_file *mf = file->private_data;

	switch (cmd) {
	case MON_PMU_IOC_INFO:
		return mon_pmu_info(mf->mp, (void __user *)arg);
	case MON_PMU_IOC_ATTACH:
		return mon_pmu_attach(mf, arg);
	default:
		return -ENOTTY;
	}
}

/* Registers while the device is there, zeros afterwards: a reader never gets a signal. */
static vm_fault_t mon_pmu_regs_fault(struct vm_fault *vmf)
{
	struct mon_pmu_file *mf = vmf->vma->vm_file->private_data;
	struct mon_pmu *mp = mf->mp;
	unsigned long pfn;
	vm_fault_t ret;

	mutex_lock(&mp->regs_lock);
	if (mp->parked)
		pfn = page_to_pfn(ZERO_PAGE(vmf->address));
	else
		pfn = PHYS_PFN(mp->desc.regs) + vmf->pgoff - (MON_PMU_MAP_REGS >> PAGE_SHIFT);
	ret = vmf_insert_pfn(vmf->vma, vmf->address, pfn);
	mutex_unlock(&mp->regs_lock);
	return ret;
}

static const struct vm_operations_struct mon_pmu_regs_vm_ops = {
	.fault = mon_pmu_regs_fault,
};

static int mon_pmu_map_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct mon_pmu_file *mf = file->private_data;
	unsigned long size = vma->vm_end - vma->vm_start;
	struct mon_pmu *mp = mf->mp;

	if (!READ_ONCE(mf->attached))
		return -EACCES;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	mon_vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP, VM_MAYWRITE | VM_MAYEXEC);
	switch ((u64)vma->vm_pgoff << PAGE_SHIFT) {
	case MON_PMU_MAP_VALUES:
		if (size > mp->values_size)
			return -EINVAL;
		return remap_vmalloc_range(vma, mp->values, 0);
	case MON_PMU_MAP_REGS:
		if (size > mp->desc.regs_size)
			return -EINVAL;
		mon_vm_flags_mod(vma, VM_PFNMAP | VM_IO, 0);
		vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
		vma->vm_ops = &mon_pmu_regs_vm_ops;
		return 0;
	default:
		return -EINVAL;
	}
}

static const struct file_operations mon_pmu_map_fops = {
	.owner = THIS_MODULE,
	.open = mon_pmu_map_open,
	.release = mon_pmu_map_release,
	.unlocked_ioctl = mon_pmu_map_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = mon_pmu_map_mmap,
	.llseek = noop_llseek,
};

int mon_pmu_map_register(struct mon_pmu *mp)
{
	mp->misc.minor = MISC_DYNAMIC_MINOR;
	mp->misc.name = mp->name;
	mp->misc.fops = &mon_pmu_map_fops;
	/* the right is proven by an event, not by the file */
	mp->misc.mode = 0666;
	return misc_register(&mp->misc);
}

void mon_pmu_map_unregister(struct mon_pmu *mp)
{
	misc_deregister(&mp->misc);
}

/* The next access of each mapping faults again and meets the device that is there then. */
void mon_pmu_map_zap(struct mon_pmu *mp)
{
	struct mon_pmu_file *mf;

	mutex_lock(&mp->map_lock);
	list_for_each_entry(mf, &mp->map_files, list)
		unmap_mapping_range(mf->mapping, MON_PMU_MAP_REGS, mp->desc.regs_size, 1);
	mutex_unlock(&mp->map_lock);
}
