// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/contig_alloc: buffers of physical chunks for accelerators.
 *
 * A buffer lives as long as its handle, a mapping of it or a run on it; the handle goes with the
 * file that allocated it.
 */
#include <linux/dma-mapping.h>
#include <linux/fs.h>
#include <linux/kmemleak.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "esp_accel.h"

/*
 * What an open file may have: more than the page table of any accelerator takes. The kernel's pages
 * are accounted to the caller's control group besides.
 */
#define MAX_CHUNKS	4096

/**
 * struct esp_contig_file - an open /dev/contig_alloc
 * @soc:	the SoC; the open file holds its character device and so a reference
 * @ref:	the file and each buffer that it has allocated, which a mapping or a run may keep
 * @contigs:	buffers with a handle, under esp_soc.mem_lock
 * @n:		chunks of all its buffers, and those of requests that go on
 */
struct esp_contig_file {
	struct esp_soc *soc;
	struct kref ref;
	struct list_head contigs;
	atomic_t n;
};

static void esp_contig_file_free(struct kref *ref)
{
	kfree(container_of(ref, struct esp_contig_file, ref));
}

static void esp_contig_release(struct kref *ref)
{
	struct esp_contig *contig = container_of(ref, struct esp_contig, ref);
	struct esp_soc *soc = contig->soc;
	unsigned int n = contig->n;

	esp_chunks_free(contig);
	mutex_lock(&soc->mem_lock);
	list_del(&contig->soc_node);
	mutex_unlock(&soc->mem_lock);
	atomic_sub(n, &contig->file->n);
	kref_put(&contig->file->ref, esp_contig_file_free);
	put_pid(contig->owner);
	kvfree(contig);
	put_device(&soc->dev);
}

void esp_contig_put(struct esp_contig *contig)
{
	kref_put(&contig->ref, esp_contig_release);
}

struct esp_contig *esp_contig_get(struct esp_soc *soc, struct contig_khandle_struct *khandle)
{
	struct esp_contig *contig;

	mutex_lock(&soc->mem_lock);
	contig = xa_load(&soc->handles, (unsigned long)khandle);
	if (contig && contig->owner == task_tgid(current))
		kref_get(&contig->ref);
	else
		contig = NULL;
	mutex_unlock(&soc->mem_lock);
	return contig;
}

/* The caller's reference is never given back. */
void esp_contig_abandon(struct esp_contig *contig)
{
	mutex_lock(&contig->soc->mem_lock);
	list_del_init(&contig->soc_node);
	mutex_unlock(&contig->soc->mem_lock);
	kmemleak_not_leak(contig);
}

void esp_contig_unmap_all(struct esp_soc *soc)
{
	struct esp_contig *contig;

	mutex_lock(&soc->mem_lock);
	list_for_each_entry(contig, &soc->contigs, soc_node)
		esp_chunks_unmap(contig);
	mutex_unlock(&soc->mem_lock);
}

/* Takes the handle away; call with mem_lock held, then put the handle's reference without it. */
static void esp_contig_forget(struct esp_contig_file *file, struct esp_contig *contig)
{
	xa_erase(&contig->soc->handles, contig->id);
	list_del(&contig->file_node);
}

static struct esp_contig *esp_contig_new(struct esp_contig_file *file,
					 const struct contig_alloc_params *params, unsigned int n)
{
	struct esp_soc *soc = file->soc;
	struct esp_contig *contig;
	int ret;

	contig = kvzalloc(struct_size(contig, chunk, n), GFP_KERNEL_ACCOUNT);
	if (!contig)
		return ERR_PTR(-ENOMEM);
	kref_init(&contig->ref);
	contig->soc = soc;
	contig->n = n;

	ret = esp_chunks_alloc(soc, params, contig);
	mutex_lock(&soc->mem_lock);
	if (!ret)
		ret = xa_alloc(&soc->handles, &contig->id, contig, xa_limit_31b, GFP_KERNEL);
	if (ret) {
		mutex_unlock(&soc->mem_lock);
		esp_chunks_free(contig);
		kvfree(contig);
		return ERR_PTR(ret);
	}
	contig->file = file;
	kref_get(&file->ref);
	contig->owner = get_pid(task_tgid(current));
	get_device(&soc->dev);
	list_add(&contig->soc_node, &soc->contigs);
	list_add(&contig->file_node, &file->contigs);
	mutex_unlock(&soc->mem_lock);
	return contig;
}

static long esp_contig_free_handle(struct esp_contig_file *file,
				   struct contig_khandle_struct *khandle)
{
	struct esp_soc *soc = file->soc;
	struct esp_contig *contig;

	mutex_lock(&soc->mem_lock);
	list_for_each_entry(contig, &file->contigs, file_node) {
		if (contig->id != (unsigned long)khandle)
			continue;
		esp_contig_forget(file, contig);
		mutex_unlock(&soc->mem_lock);
		esp_contig_put(contig);
		return 0;
	}
	mutex_unlock(&soc->mem_lock);
	return -EINVAL;
}

static int esp_contig_report(const struct esp_contig *contig, struct contig_alloc_req *req,
			     struct contig_alloc_req __user *arg)
{
	unsigned int i;

	for (i = 0; i < contig->n; i++)
		if (put_user((unsigned long)contig->chunk[i].dma, req->arr + i))
			return -EFAULT;
	req->khandle = (struct contig_khandle_struct *)(unsigned long)contig->id;
	req->n = contig->n;
	req->most_allocated = contig->most_allocated;
	return copy_to_user(arg, req, sizeof(*req)) ? -EFAULT : 0;
}

static long esp_contig_ioctl_alloc(struct esp_contig_file *file,
				   struct contig_alloc_req __user *arg)
{
	struct contig_alloc_req req;
	struct esp_contig *contig;
	struct contig_khandle_struct *khandle;
	unsigned long n;
	int ret;

	if (copy_from_user(&req, arg, sizeof(req)))
		return -EFAULT;
	n = (req.size >> esp_chunk_log) + !!(req.size & ((1UL << esp_chunk_log) - 1));
	if (!n || n > req.n_max)
		return -EINVAL;
	if (n > MAX_CHUNKS)
		return -ENOMEM;

	ret = esp_soc_enter(file->soc);
	if (ret)
		return ret;
	contig = ERR_PTR(-ENOMEM);
	if (atomic_add_return(n, &file->n) <= MAX_CHUNKS)
		contig = esp_contig_new(file, &req.params, n);
	if (IS_ERR(contig))
		atomic_sub(n, &file->n);
	/*
	 * Once it has a handle another thread may free it, so what is reported needs a reference of
	 * its own. Nobody can guess the handle before it is reported, but they may try.
	 */
	if (!IS_ERR(contig))
		kref_get(&contig->ref);
	esp_soc_leave(file->soc);
	if (IS_ERR(contig))
		return PTR_ERR(contig);

	khandle = (struct contig_khandle_struct *)(unsigned long)contig->id;
	ret = esp_contig_report(contig, &req, arg);
	esp_contig_put(contig);
	if (ret)
		esp_contig_free_handle(file, khandle);
	return ret;
}

static long esp_contig_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct esp_contig_file *file = filp->private_data;
	struct contig_khandle_struct *khandle;

	switch (cmd) {
	case CONTIG_IOC_CHUNK_LOG:
		return put_user(esp_chunk_log, (unsigned long __user *)arg);
	case CONTIG_IOC_ALLOC:
		return esp_contig_ioctl_alloc(file, (struct contig_alloc_req __user *)arg);
	case CONTIG_IOC_FREE:
		if (get_user(khandle, (struct contig_khandle_struct *__user *)arg))
			return -EFAULT;
		return esp_contig_free_handle(file, khandle);
	default:
		return -ENOTTY;
	}
}

static void esp_contig_vm_open(struct vm_area_struct *vma)
{
	struct esp_contig *contig = vma->vm_private_data;

	kref_get(&contig->ref);
}

static void esp_contig_vm_close(struct vm_area_struct *vma)
{
	esp_contig_put(vma->vm_private_data);
}

static const struct vm_operations_struct esp_contig_vm_ops = {
	.open = esp_contig_vm_open,
	.close = esp_contig_vm_close,
};

/* The file's buffer whose first chunk has that bus address, with a reference. */
static struct esp_contig *esp_contig_at(struct esp_contig_file *file, u64 dma)
{
	struct esp_contig *contig;

	mutex_lock(&file->soc->mem_lock);
	list_for_each_entry(contig, &file->contigs, file_node) {
		if (contig->chunk[0].dma == dma) {
			kref_get(&contig->ref);
			mutex_unlock(&file->soc->mem_lock);
			return contig;
		}
	}
	mutex_unlock(&file->soc->mem_lock);
	return NULL;
}

/* A chunk at this part of the mapping. */
static int esp_chunk_mmap(struct esp_contig *contig, const struct esp_chunk *chunk,
			  struct vm_area_struct *vma, unsigned long addr, unsigned long part)
{
	unsigned long start = vma->vm_start, end = vma->vm_end, pgoff = vma->vm_pgoff;
	int ret;

	if (!chunk->map)
		return remap_pfn_range(vma, addr, PHYS_PFN(chunk->phys), part, vma->vm_page_prot);
	/* the DMA API maps from the begin to the end, and knows the type of the memory */
	vma->vm_start = addr;
	vma->vm_end = addr + part;
	vma->vm_pgoff = 0;
	ret = dma_mmap_coherent(contig->soc->hw->dev, vma, chunk->map, chunk->dma,
				1UL << esp_chunk_log);
	vma->vm_start = start;
	vma->vm_end = end;
	vma->vm_pgoff = pgoff;
	return ret;
}

/*
 * The chunks in order, from the first on. Cached: x86 wants one memory type for all mappings of a
 * page, and on ESP the processor's L1 and L2 are kept coherent by the runs' flushes.
 */
static int esp_contig_mmap(struct file *filp, struct vm_area_struct *vma)
{
	struct esp_contig_file *file = filp->private_data;
	struct esp_contig *contig = esp_contig_at(file, (u64)vma->vm_pgoff << PAGE_SHIFT);
	unsigned long addr = vma->vm_start, part;
	unsigned int i;
	int ret;

	if (!contig)
		return -EINVAL;
	ret = esp_soc_enter(file->soc);
	if (ret)
		goto out;
	if (!(vma->vm_flags & VM_SHARED) ||
	    vma->vm_end - vma->vm_start > esp_contig_bytes(contig))
		ret = -EINVAL;
	for (i = 0; addr < vma->vm_end && !ret; i++, addr += part) {
		part = min(vma->vm_end - addr, 1UL << esp_chunk_log);
		ret = esp_chunk_mmap(contig, &contig->chunk[i], vma, addr, part);
	}
	esp_soc_leave(file->soc);
out:
	if (ret) {
		esp_contig_put(contig);
		return ret;
	}
	vma->vm_private_data = contig;
	vma->vm_ops = &esp_contig_vm_ops;
	return 0;
}

static int esp_contig_open(struct inode *inode, struct file *filp)
{
	struct esp_contig_file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);

	if (!file)
		return -ENOMEM;
	file->soc = container_of(inode->i_cdev, struct esp_soc, cdev);
	kref_init(&file->ref);
	INIT_LIST_HEAD(&file->contigs);
	filp->private_data = file;
	return nonseekable_open(inode, filp);
}

static int esp_contig_close(struct inode *inode, struct file *filp)
{
	struct esp_contig_file *file = filp->private_data;
	struct esp_contig *contig;

	for (;;) {
		mutex_lock(&file->soc->mem_lock);
		contig = list_first_entry_or_null(&file->contigs, struct esp_contig, file_node);
		if (contig)
			esp_contig_forget(file, contig);
		mutex_unlock(&file->soc->mem_lock);
		if (!contig)
			break;
		esp_contig_put(contig);
	}
	kref_put(&file->ref, esp_contig_file_free);
	return 0;
}

const struct file_operations esp_contig_fops = {
	.owner = THIS_MODULE,
	.open = esp_contig_open,
	.release = esp_contig_close,
	.unlocked_ioctl = esp_contig_ioctl,
	.mmap = esp_contig_mmap,
};
