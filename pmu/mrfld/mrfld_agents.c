// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/mrfld_agents: drives the bus agents of the emulated Merrifield (events/mrfld/uapi.h),
 * the auxiliary device that mrfld_visa offers.
 *
 * The agents find the bus addresses of a buffer's pages in a table; so it need not be contiguous.
 */
#include <linux/auxiliary_bus.h>
#include <linux/capability.h>
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/freezer.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "events/mrfld/uapi.h"

#include "mrfld_visa.h"

/* Requests a second, unless the user gives a rate. */
#define MRFLD_DEFAULT_KREQUESTS	10000

/**
 * struct mrfld_file - an open /dev/mrfld_agents
 * @list:	in agents.files
 * @lock:	protects the buffer's creation
 * @buffer:	vmalloc'ed; stays until the file is closed
 * @table:	bus addresses of its pages
 * @table_bus:	bus address of @table
 * @size:	bytes of @buffer
 * @mapped:	pages that have a bus address
 */
struct mrfld_file {
	struct list_head list;
	struct mutex lock;	/* the members below */
	void *buffer;
	__le64 *table;
	dma_addr_t table_bus;
	size_t size;
	size_t mapped;
};

static struct {
	/*
	 * Read: the hardware may be used. User memory is not touched inside: that may take for
	 * ever, and remove() takes the gate.
	 */
	struct rw_semaphore gate;
	struct mrfld_agents_dev *hw;		/* NULL: there is none */
	int shut;				/* error of all who wait in the gate, or 0 */
	struct mutex engine[MRFLD_NAGENTS];	/* one job at a time */
	struct mutex display;			/* scanning, and the list of files */
	struct mrfld_file *scanning;		/* whose buffer the display shows */
	struct list_head files;
} agents = {
	.gate = __RWSEM_INITIALIZER(agents.gate),
	.shut = -ENODEV,
	.display = __MUTEX_INITIALIZER(agents.display),
	.files = LIST_HEAD_INIT(agents.files),
};

static u32 mrfld_reg(unsigned int offset)
{
	return ioread32(agents.hw->bar + offset);
}

static void mrfld_reg_set(unsigned int offset, u32 value)
{
	iowrite32(value, agents.hw->bar + offset);
}

/* Reading the low half latches the high one. */
static u64 mrfld_reg64(unsigned int offset)
{
	u32 low = mrfld_reg(offset);

	return (u64)mrfld_reg(offset + 4) << 32 | low;
}

static void mrfld_reg64_set(unsigned int offset, u64 value)
{
	mrfld_reg_set(offset, lower_32_bits(value));
	mrfld_reg_set(offset + 4, upper_32_bits(value));
}

/* Bytes of the buffer, 0 before it is there. A reader of the size sees the rest as well. */
static size_t mrfld_size(struct mrfld_file *file)
{
	/* pairs with mrfld_make_buffer() */
	return smp_load_acquire(&file->size);
}

static dma_addr_t mrfld_page_bus(const struct mrfld_file *file, size_t page)
{
	return le64_to_cpu(file->table[page]);
}

/* The agents do not use the buffer. */
static void mrfld_unmap_buffer(struct mrfld_file *file, size_t size)
{
	struct device *dev = agents.hw->dev;

	while (file->mapped)
		dma_unmap_page(dev, mrfld_page_bus(file, --file->mapped), PAGE_SIZE,
			       DMA_BIDIRECTIONAL);
	if (file->table)
		dma_free_coherent(dev, size / PAGE_SIZE * sizeof(*file->table), file->table,
				  file->table_bus);
	file->table = NULL;
}

static int mrfld_map_buffer(struct mrfld_file *file, size_t size)
{
	struct device *dev = agents.hw->dev;
	dma_addr_t bus;

	file->table = dma_alloc_coherent(dev, size / PAGE_SIZE * sizeof(*file->table),
					 &file->table_bus, GFP_KERNEL);
	if (!file->table)
		return -ENOMEM;
	for (; file->mapped < size / PAGE_SIZE; file->mapped++) {
		bus = dma_map_page(dev, vmalloc_to_page(file->buffer + file->mapped * PAGE_SIZE), 0,
				   PAGE_SIZE, DMA_BIDIRECTIONAL);
		if (dma_mapping_error(dev, bus)) {
			mrfld_unmap_buffer(file, size);
			return -ENOMEM;
		}
		file->table[file->mapped] = cpu_to_le64(bus);
	}
	return 0;
}

static void mrfld_sync(struct mrfld_file *file, bool for_device)
{
	size_t i;

	for (i = 0; i < file->mapped; i++) {
		if (for_device)
			dma_sync_single_for_device(agents.hw->dev, mrfld_page_bus(file, i),
						   PAGE_SIZE, DMA_BIDIRECTIONAL);
		else
			dma_sync_single_for_cpu(agents.hw->dev, mrfld_page_bus(file, i), PAGE_SIZE,
						DMA_BIDIRECTIONAL);
	}
}

static int mrfld_make_buffer(struct mrfld_file *file, u64 bytes)
{
	size_t size;
	int err;

	if (!bytes || bytes > MRFLD_MAX_BUFFER)
		return -EINVAL;
	size = PAGE_ALIGN(bytes);
	if (file->buffer)
		return -EBUSY;
	file->buffer = __vmalloc(size, GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!file->buffer)
		return -ENOMEM;
	err = mrfld_map_buffer(file, size);
	if (err) {
		vfree(file->buffer);
		file->buffer = NULL;
		return err;
	}
	/* pairs with mrfld_size() */
	smp_store_release(&file->size, size);
	return 0;
}

static int mrfld_ioctl_buffer(struct mrfld_file *file, u64 bytes)
{
	int err;

	mutex_lock(&file->lock);
	err = mrfld_make_buffer(file, bytes);
	mutex_unlock(&file->lock);
	return err;
}

static u32 mrfld_move_ctrl(const struct mrfld_agent_move *move)
{
	u32 size = move->request == 64 ? MRFLD_SIZE_64 :
		   move->request == 32 ? MRFLD_SIZE_32 : MRFLD_SIZE_PARTIAL;

	return MRFLD_CTRL_START | size << MRFLD_CTRL_SIZE_SHIFT |
	       move->request << MRFLD_CTRL_PAYLOAD_SHIFT |
	       (move->flags & MRFLD_MOVE_WRITE ? MRFLD_CTRL_WRITE : 0) |
	       (move->flags & MRFLD_MOVE_SNOOP ? MRFLD_CTRL_SNOOP : 0);
}

/* Waits for the end of the job, or ends it when a signal comes. */
static int mrfld_wait(unsigned int agent)
{
	u32 status;

	for (;;) {
		status = mrfld_reg(MRFLD_ENGINE(agent, MRFLD_ENG_STATUS));
		if (!(status & MRFLD_STATUS_RUN))
			break;
		if (status == ~0U)
			return -EIO;
		if (signal_pending(current) || READ_ONCE(agents.shut)) {
			mrfld_reg_set(MRFLD_ENGINE(agent, MRFLD_ENG_CTRL), MRFLD_CTRL_ABORT);
			/* the machine goes to sleep: this is no signal of the user's */
			if (freezing(current))
				return -EIO;
			return READ_ONCE(agents.shut) ?: -EINTR;
		}
		usleep_range(100, 500);
	}
	if (status & MRFLD_STATUS_FAULT)
		return -EIO;
	return status & MRFLD_STATUS_BAD ? -EINVAL : 0;
}

static int mrfld_move(struct mrfld_file *file, struct mrfld_agent_move *move)
{
	unsigned int a = move->agent;
	int err;

	mrfld_sync(file, true);
	mrfld_reg64_set(MRFLD_ENGINE(a, MRFLD_ENG_TABLE_LO), file->table_bus);
	mrfld_reg64_set(MRFLD_ENGINE(a, MRFLD_ENG_TOTAL_LO), move->bytes);
	mrfld_reg_set(MRFLD_ENGINE(a, MRFLD_ENG_WINDOW), file->size);
	mrfld_reg_set(MRFLD_ENGINE(a, MRFLD_ENG_RATE), move->rate);
	mrfld_reg_set(MRFLD_ENGINE(a, MRFLD_ENG_SEED), move->seed);
	mrfld_reg_set(MRFLD_ENGINE(a, MRFLD_ENG_CTRL), mrfld_move_ctrl(move));
	err = mrfld_wait(a);
	mrfld_sync(file, false);
	move->moved = mrfld_reg64(MRFLD_ENGINE(a, MRFLD_ENG_DONE_LO));
	move->sum = mrfld_reg64(MRFLD_ENGINE(a, MRFLD_ENG_SUM_LO));
	return err;
}

static int mrfld_ioctl_move(struct mrfld_file *file, struct mrfld_agent_move *move)
{
	int err;

	if (move->agent >= MRFLD_NAGENTS || move->flags & ~(MRFLD_MOVE_WRITE | MRFLD_MOVE_SNOOP) ||
	    move->reserved || move->request < 4 || move->request > 64 ||
	    !is_power_of_2(move->request) || move->bytes & (move->request - 1))
		return -EINVAL;
	if (!mrfld_size(file))
		return -ENXIO;
	if (!move->rate)
		move->rate = move->request * MRFLD_DEFAULT_KREQUESTS;
	if (mutex_lock_interruptible(&agents.engine[move->agent]))
		return -ERESTARTSYS;
	/* the last user of the engine may have left because the gate is to be shut */
	err = READ_ONCE(agents.shut) ?: mrfld_move(file, move);
	mutex_unlock(&agents.engine[move->agent]);
	return err;
}

static void mrfld_scan_set(unsigned int reg, u32 value)
{
	mrfld_reg_set(MRFLD_SCAN(reg), value);
}

static int mrfld_scan_start(struct mrfld_file *file, const struct mrfld_scanout *scan)
{
	u32 stride = ALIGN(scan->width * scan->cpp, 64);

	if (agents.scanning)
		return -EBUSY;
	mrfld_sync(file, true);
	mrfld_reg64_set(MRFLD_SCAN(MRFLD_SCAN_TABLE_LO), file->table_bus);
	mrfld_scan_set(MRFLD_SCAN_WIDTH, scan->width);
	mrfld_scan_set(MRFLD_SCAN_HEIGHT, scan->height);
	mrfld_scan_set(MRFLD_SCAN_CPP, scan->cpp);
	mrfld_scan_set(MRFLD_SCAN_STRIDE, stride);
	mrfld_scan_set(MRFLD_SCAN_REFRESH, scan->refresh);
	mrfld_scan_set(MRFLD_SCAN_CTRL, MRFLD_CTRL_START);
	if (mrfld_reg(MRFLD_SCAN(MRFLD_SCAN_STATUS)) != MRFLD_STATUS_RUN) {
		mrfld_scan_set(MRFLD_SCAN_CTRL, 0);
		return -EINVAL;
	}
	agents.scanning = file;
	return 0;
}

static int mrfld_ioctl_scanout(struct mrfld_file *file, const struct mrfld_scanout *scan)
{
	size_t size = mrfld_size(file);
	int err;

	if (!size)
		return -ENXIO;
	if (scan->width > 16384 || scan->height > 16384 || scan->cpp > 8 ||
	    (u64)ALIGN(scan->width * scan->cpp, 64) * scan->height > size)
		return -EINVAL;
	mutex_lock(&agents.display);
	err = mrfld_scan_start(file, scan);
	mutex_unlock(&agents.display);
	return err;
}

static int mrfld_scan_stop(struct mrfld_file *file)
{
	int err = -ENOENT;

	mutex_lock(&agents.display);
	if (agents.scanning == file) {
		mrfld_scan_set(MRFLD_SCAN_CTRL, 0);
		agents.scanning = NULL;
		err = 0;
	}
	mutex_unlock(&agents.display);
	return err;
}

static int mrfld_ioctl_scanout_status(struct mrfld_scanout_status *status)
{
	mutex_lock(&agents.display);
	status->frames = mrfld_reg(MRFLD_SCAN(MRFLD_SCAN_FRAMES));
	status->running = mrfld_reg(MRFLD_SCAN(MRFLD_SCAN_STATUS)) & MRFLD_STATUS_RUN;
	status->sum = mrfld_reg64(MRFLD_SCAN(MRFLD_SCAN_SUM_LO));
	mutex_unlock(&agents.display);
	return 0;
}

static int mrfld_ioctl_fault(const struct mrfld_fault *fault)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (fault->which > MRFLD_FAULT_POWER_NOW || fault->which % 4)
		return -EINVAL;
	mrfld_reg_set(MRFLD_FAULT(fault->which), fault->value);
	return 0;
}

static long mrfld_ioctl_inside(struct mrfld_file *file, unsigned int cmd, void *arg)
{
	switch (cmd) {
	case MRFLD_IOC_BUFFER:
		return mrfld_ioctl_buffer(file, *(u64 *)arg);
	case MRFLD_IOC_MOVE:
		return mrfld_ioctl_move(file, arg);
	case MRFLD_IOC_SCANOUT:
		return mrfld_ioctl_scanout(file, arg);
	case MRFLD_IOC_SCANOUT_STOP:
		return mrfld_scan_stop(file);
	case MRFLD_IOC_SCANOUT_STATUS:
		return mrfld_ioctl_scanout_status(arg);
	case MRFLD_IOC_FAULT:
		return mrfld_ioctl_fault(arg);
	default:
		return -ENOTTY;
	}
}

static long mrfld_ioctl(struct file *filp, unsigned int cmd, unsigned long user)
{
	struct mrfld_file *file = filp->private_data;
	union {
		u64 bytes;
		struct mrfld_agent_move move;
		struct mrfld_scanout scan;
		struct mrfld_scanout_status status;
		struct mrfld_fault fault;
	} arg = {};
	long ret;

	if (_IOC_TYPE(cmd) != _IOC_TYPE(MRFLD_IOC_BUFFER) || _IOC_SIZE(cmd) > sizeof(arg))
		return -ENOTTY;
	if ((_IOC_DIR(cmd) & _IOC_WRITE) &&
	    copy_from_user(&arg, (void __user *)user, _IOC_SIZE(cmd)))
		return -EFAULT;
	if (down_read_killable(&agents.gate))
		return -EINTR;
	ret = READ_ONCE(agents.shut) ?: mrfld_ioctl_inside(file, cmd, &arg);
	up_read(&agents.gate);
	/* also what a job that was cut off has moved */
	if ((_IOC_DIR(cmd) & _IOC_READ) && copy_to_user((void __user *)user, &arg, _IOC_SIZE(cmd)))
		return -EFAULT;
	return ret;
}

static int mrfld_mmap(struct file *filp, struct vm_area_struct *vma)
{
	struct mrfld_file *file = filp->private_data;
	unsigned long addr = vma->vm_start, pages = mrfld_size(file) >> PAGE_SHIFT, at;
	int err = 0;

	if (!pages)
		return -ENXIO;
	if (vma->vm_pgoff > pages || vma_pages(vma) > pages - vma->vm_pgoff)
		return -EINVAL;
	/* memory that is accounted cannot be for remap_vmalloc_range() */
	for (at = vma->vm_pgoff; addr < vma->vm_end && !err; addr += PAGE_SIZE, at++)
		err = vm_insert_page(vma, addr, vmalloc_to_page(file->buffer + (at << PAGE_SHIFT)));
	return err;
}

static int mrfld_open(struct inode *inode, struct file *filp)
{
	struct mrfld_file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);

	if (!file)
		return -ENOMEM;
	mutex_init(&file->lock);
	mutex_lock(&agents.display);
	list_add(&file->list, &agents.files);
	mutex_unlock(&agents.display);
	filp->private_data = file;
	return nonseekable_open(inode, filp);
}

/* Mappings hold the file, so neither they nor a running job can see the buffer go. */
static int mrfld_close(struct inode *inode, struct file *filp)
{
	struct mrfld_file *file = filp->private_data;

	down_read(&agents.gate);
	if (agents.hw) {
		mrfld_scan_stop(file);
		mrfld_unmap_buffer(file, file->size);
	}
	mutex_lock(&agents.display);
	list_del(&file->list);
	mutex_unlock(&agents.display);
	up_read(&agents.gate);
	vfree(file->buffer);
	kfree(file);
	return 0;
}

static const struct file_operations mrfld_fops = {
	.owner = THIS_MODULE,
	.open = mrfld_open,
	.release = mrfld_close,
	.unlocked_ioctl = mrfld_ioctl,
	.mmap = mrfld_mmap,
};

static struct miscdevice mrfld_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = MRFLD_AGENTS_DEVICE,
	.fops = &mrfld_fops,
};

static void mrfld_stop_all(void)
{
	unsigned int i;

	for (i = 0; i < MRFLD_NAGENTS; i++)
		mrfld_reg_set(MRFLD_ENGINE(i, MRFLD_ENG_CTRL), MRFLD_CTRL_ABORT);
	mrfld_scan_set(MRFLD_SCAN_CTRL, 0);
}

/* There is one message bus, and so one device. */
static int mrfld_agents_probe(struct auxiliary_device *aux, const struct auxiliary_device_id *id)
{
	struct mrfld_agents_dev *hw = to_mrfld_agents_dev(aux);
	int err;

	err = dma_set_mask_and_coherent(hw->dev, DMA_BIT_MASK(64));
	if (err)
		return err;
	down_write(&agents.gate);
	agents.hw = hw;
	agents.shut = 0;
	mrfld_stop_all();
	up_write(&agents.gate);
	/* the number of an earlier time may be another device's now */
	mrfld_misc.minor = MISC_DYNAMIC_MINOR;
	mrfld_misc.parent = hw->dev;
	err = misc_register(&mrfld_misc);
	if (err) {
		down_write(&agents.gate);
		agents.hw = NULL;
		agents.shut = -ENODEV;
		up_write(&agents.gate);
	}
	return err;
}

/* Jobs give up, the engines and the display stop; the buffers stay. */
static void mrfld_shut(int why)
{
	WRITE_ONCE(agents.shut, why);
	down_write(&agents.gate);
	mrfld_stop_all();
	agents.scanning = NULL;
	up_write(&agents.gate);
}

/* Files that are still open get ENODEV from now on. */
static void mrfld_agents_remove(struct auxiliary_device *aux)
{
	struct mrfld_file *file;

	misc_deregister(&mrfld_misc);
	mrfld_shut(-ENODEV);
	down_write(&agents.gate);
	list_for_each_entry(file, &agents.files, list) {
		mrfld_unmap_buffer(file, file->size);
		file->size = 0;
	}
	agents.hw = NULL;
	up_write(&agents.gate);
}

/* The tables are in memory, so a job that begins after the sleep needs nothing else. */
static int __maybe_unused mrfld_agents_suspend(struct device *dev)
{
	mrfld_shut(-EIO);
	return 0;
}

static int __maybe_unused mrfld_agents_resume(struct device *dev)
{
	WRITE_ONCE(agents.shut, 0);
	return 0;
}

static SIMPLE_DEV_PM_OPS(mrfld_agents_pm_ops, mrfld_agents_suspend, mrfld_agents_resume);

static const struct auxiliary_device_id mrfld_agents_ids[] = {
	{ .name = MRFLD_AGENTS_AUX_MATCH },
	{ }
};
MODULE_DEVICE_TABLE(auxiliary, mrfld_agents_ids);

static struct auxiliary_driver mrfld_agents_driver = {
	.probe = mrfld_agents_probe,
	.remove = mrfld_agents_remove,
	.id_table = mrfld_agents_ids,
	.driver.pm = &mrfld_agents_pm_ops,
};

static int __init mrfld_agents_init(void)
{
	unsigned int i;

	for (i = 0; i < MRFLD_NAGENTS; i++)
		mutex_init(&agents.engine[i]);
	return auxiliary_driver_register(&mrfld_agents_driver);
}
module_init(mrfld_agents_init);

static void __exit mrfld_agents_exit(void)
{
	auxiliary_driver_unregister(&mrfld_agents_driver);
}
module_exit(mrfld_agents_exit);

MODULE_DESCRIPTION("Drives the bus agents of the emulated Merrifield");
MODULE_LICENSE("GPL");
