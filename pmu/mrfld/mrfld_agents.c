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
#include <linux/hrtimer.h>
#include <linux/idr.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/wait_bit.h>

#include "events/mrfld/uapi.h"

#include "../core/mon_file.h"
#include "mrfld_visa.h"

/* Requests a second, unless the user gives a rate. */
#define MRFLD_DEFAULT_KREQUESTS	10000

/**
 * struct mrfld_agents - the agents of the device
 * @file:	/dev/mrfld_agents
 * @busy:	a bit for each engine: it has a job
 * @cut:	a bit for each engine: a reset or a sleep has ended its job
 * @scanning:	whose buffer the display shows
 * @files:	that are open
 */
struct mrfld_agents {
	struct mon_file file;
	unsigned long busy, cut;
	struct mrfld_file *scanning;
	struct list_head files;
};

/**
 * struct mrfld_file - an open /dev/mrfld_agents
 * @agents:	whose; a reference
 * @list:	in agents->files
 * @buffer:	vmalloc'ed; stays until the file is closed
 * @table:	bus addresses of its pages
 * @table_bus:	bus address of @table
 * @size:	bytes of @buffer
 * @mapped:	pages that have a bus address
 */
struct mrfld_file {
	struct mrfld_agents *agents;
	struct list_head list;
	void *buffer;
	__le64 *table;
	dma_addr_t table_bus;
	size_t size;
	size_t mapped;
};

static u32 mrfld_reg(struct mrfld_agents *agents, unsigned int offset)
{
	return ioread32(agents->file.hw->regs + offset);
}

static void mrfld_reg_set(struct mrfld_agents *agents, unsigned int offset, u32 value)
{
	iowrite32(value, agents->file.hw->regs + offset);
}

/* Reading the low half latches the high one. */
static u64 mrfld_reg64(struct mrfld_agents *agents, unsigned int offset)
{
	return lo_hi_readq(agents->file.hw->regs + offset);
}

static void mrfld_reg64_set(struct mrfld_agents *agents, unsigned int offset, u64 value)
{
	lo_hi_writeq(value, agents->file.hw->regs + offset);
}

/* The lock of the agents, if they can be used. */
static int mrfld_enter(struct mrfld_agents *agents)
{
	if (mutex_lock_killable(&agents->file.lock))
		return -EINTR;
	if (agents->file.shut)
		mutex_unlock(&agents->file.lock);
	return agents->file.shut;
}

static void mrfld_leave(struct mrfld_agents *agents)
{
	mutex_unlock(&agents->file.lock);
}

/* Bytes of the buffer, 0 before it is there. A reader of the size sees the rest as well. */
static size_t mrfld_size(struct mrfld_file *file)
{
	/* pairs with mrfld_map_buffer() */
	return smp_load_acquire(&file->size);
}

static dma_addr_t mrfld_page_bus(const struct mrfld_file *file, size_t page)
{
	return le64_to_cpu(file->table[page]);
}

/* The agents do not use the buffer. */
static void mrfld_unmap_buffer(struct mrfld_file *file, size_t size)
{
	struct device *dev = file->agents->file.hw->dev;

	while (file->mapped)
		dma_unmap_page(dev, mrfld_page_bus(file, --file->mapped), PAGE_SIZE,
			       DMA_BIDIRECTIONAL);
	if (file->table)
		dma_free_coherent(dev, size / PAGE_SIZE * sizeof(*file->table), file->table,
				  file->table_bus);
	file->table = NULL;
}

static int mrfld_map_buffer(struct mrfld_file *file, void *buffer, size_t size)
{
	struct device *dev = file->agents->file.hw->dev;
	dma_addr_t bus;

	file->table = dma_alloc_coherent(dev, size / PAGE_SIZE * sizeof(*file->table),
					 &file->table_bus, GFP_KERNEL);
	if (!file->table)
		return -ENOMEM;
	for (; file->mapped < size / PAGE_SIZE; file->mapped++) {
		bus = dma_map_page(dev, vmalloc_to_page(buffer + file->mapped * PAGE_SIZE), 0,
				   PAGE_SIZE, DMA_BIDIRECTIONAL);
		if (dma_mapping_error(dev, bus)) {
			mrfld_unmap_buffer(file, size);
			return -ENOMEM;
		}
		file->table[file->mapped] = cpu_to_le64(bus);
	}
	file->buffer = buffer;
	/* pairs with mrfld_size() */
	smp_store_release(&file->size, size);
	return 0;
}

static void mrfld_sync(struct mrfld_file *file, bool for_device)
{
	struct device *dev = file->agents->file.hw->dev;
	size_t i;

	for (i = 0; i < file->mapped; i++) {
		if (for_device)
			dma_sync_single_for_device(dev, mrfld_page_bus(file, i), PAGE_SIZE,
						   DMA_BIDIRECTIONAL);
		else
			dma_sync_single_for_cpu(dev, mrfld_page_bus(file, i), PAGE_SIZE,
						DMA_BIDIRECTIONAL);
	}
}

/* Allocated outside of the lock: it may take long. */
static int mrfld_ioctl_buffer(struct mrfld_file *file, u64 bytes)
{
	size_t size = PAGE_ALIGN(bytes);
	void *buffer;
	int err;

	if (!bytes || bytes > MRFLD_MAX_BUFFER)
		return -EINVAL;
	buffer = __vmalloc(size, GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!buffer)
		return -ENOMEM;
	err = mrfld_enter(file->agents);
	if (!err) {
		err = file->buffer ? -EBUSY : mrfld_map_buffer(file, buffer, size);
		mrfld_leave(file->agents);
	}
	if (err)
		vfree(buffer);
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

/* -EAGAIN: the job goes on. */
static int mrfld_look(struct mrfld_agents *agents, unsigned int agent)
{
	u32 status = mrfld_reg(agents, MRFLD_ENGINE(agent, MRFLD_ENG_STATUS));

	if (status == ~0U)
		return -EIO;
	if (status & MRFLD_STATUS_RUN)
		return -EAGAIN;
	if (status & MRFLD_STATUS_FAULT)
		return -EIO;
	return status & MRFLD_STATUS_BAD ? -EINVAL : 0;
}

/* Until nothing runs, so that the memory can be given back. Call it with the lock held. */
static void mrfld_abort(struct mrfld_agents *agents, unsigned int agent)
{
	unsigned int tries;

	mrfld_reg_set(agents, MRFLD_ENGINE(agent, MRFLD_ENG_CTRL), MRFLD_CTRL_ABORT);
	for (tries = 0; mrfld_look(agents, agent) == -EAGAIN && tries < 1000; tries++)
		usleep_range(10, 100);
}

/* The freezer wakes a task by a signal that is none. */
static void mrfld_freeze(void)
{
	/* only the task itself changes it */
	struct sighand_struct *sighand = rcu_dereference_protected(current->sighand, true);

	if (!try_to_freeze())
		return;
	spin_lock_irq(&sighand->siglock);
	recalc_sigpending();
	spin_unlock_irq(&sighand->siglock);
}

/*
 * Waits outside of the lock for the end of the job, or ends it when a signal comes. A task that is
 * frozen does neither: the job goes on, unless the device sleeps, too. The lock is held afterwards.
 */
static int mrfld_wait(struct mrfld_agents *agents, unsigned int agent)
{
	ktime_t step = 100 * NSEC_PER_USEC;
	int err;

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE | TASK_FREEZABLE);
		schedule_hrtimeout_range(&step, 400 * NSEC_PER_USEC, HRTIMER_MODE_REL);
		mrfld_freeze();
		mutex_lock(&agents->file.lock);
		err = agents->file.shut;
		if (!err)
			err = agents->cut & BIT(agent) ? -EIO : mrfld_look(agents, agent);
		if (err == -EAGAIN && signal_pending(current) && !freezing(current)) {
			mrfld_abort(agents, agent);
			err = -EINTR;
		}
		if (err != -EAGAIN)
			return err;
		mrfld_leave(agents);
	}
}

static int mrfld_move(struct mrfld_file *file, struct mrfld_agent_move *move)
{
	struct mrfld_agents *agents = file->agents;
	unsigned int a = move->agent;
	int err = mrfld_enter(agents);

	if (err)
		return err;
	agents->cut &= ~BIT(a);
	mrfld_sync(file, true);
	mrfld_reg64_set(agents, MRFLD_ENGINE(a, MRFLD_ENG_TABLE_LO), file->table_bus);
	mrfld_reg64_set(agents, MRFLD_ENGINE(a, MRFLD_ENG_TOTAL_LO), move->bytes);
	mrfld_reg_set(agents, MRFLD_ENGINE(a, MRFLD_ENG_WINDOW), file->size);
	mrfld_reg_set(agents, MRFLD_ENGINE(a, MRFLD_ENG_RATE), move->rate);
	mrfld_reg_set(agents, MRFLD_ENGINE(a, MRFLD_ENG_SEED), move->seed);
	mrfld_reg_set(agents, MRFLD_ENGINE(a, MRFLD_ENG_CTRL), mrfld_move_ctrl(move));
	mrfld_leave(agents);
	err = mrfld_wait(agents, a);
	if (!agents->file.off) {
		mrfld_sync(file, false);
		move->moved = mrfld_reg64(agents, MRFLD_ENGINE(a, MRFLD_ENG_DONE_LO));
		move->sum = mrfld_reg64(agents, MRFLD_ENGINE(a, MRFLD_ENG_SUM_LO));
	}
	mrfld_leave(agents);
	return err;
}

static int mrfld_ioctl_move(struct mrfld_file *file, struct mrfld_agent_move *move)
{
	unsigned long *busy = &file->agents->busy;
	int err;

	if (move->agent >= MRFLD_NAGENTS || move->flags & ~(MRFLD_MOVE_WRITE | MRFLD_MOVE_SNOOP) ||
	    move->reserved || move->request < 4 || move->request > 64 ||
	    !is_power_of_2(move->request) || move->bytes & (move->request - 1))
		return -EINVAL;
	move->agent = array_index_nospec(move->agent, MRFLD_NAGENTS);
	if (!mrfld_size(file))
		return -ENXIO;
	if (!move->rate)
		move->rate = move->request * MRFLD_DEFAULT_KREQUESTS;
	if (wait_on_bit_lock(busy, move->agent, TASK_INTERRUPTIBLE))
		return -ERESTARTSYS;
	err = mrfld_move(file, move);
	clear_and_wake_up_bit(move->agent, busy);
	return err;
}

static void mrfld_scan_set(struct mrfld_agents *agents, unsigned int reg, u32 value)
{
	mrfld_reg_set(agents, MRFLD_SCAN(reg), value);
}

static int mrfld_ioctl_scanout(struct mrfld_file *file, const struct mrfld_scanout *scan)
{
	u32 stride = ALIGN(scan->width * scan->cpp, 64);
	struct mrfld_agents *agents = file->agents;
	size_t size = mrfld_size(file);

	if (!size)
		return -ENXIO;
	if (scan->width > 16384 || scan->height > 16384 || scan->cpp > 8 ||
	    (u64)stride * scan->height > size)
		return -EINVAL;
	if (agents->scanning)
		return -EBUSY;
	mrfld_sync(file, true);
	mrfld_reg64_set(agents, MRFLD_SCAN(MRFLD_SCAN_TABLE_LO), file->table_bus);
	mrfld_scan_set(agents, MRFLD_SCAN_WIDTH, scan->width);
	mrfld_scan_set(agents, MRFLD_SCAN_HEIGHT, scan->height);
	mrfld_scan_set(agents, MRFLD_SCAN_CPP, scan->cpp);
	mrfld_scan_set(agents, MRFLD_SCAN_STRIDE, stride);
	mrfld_scan_set(agents, MRFLD_SCAN_REFRESH, scan->refresh);
	mrfld_scan_set(agents, MRFLD_SCAN_CTRL, MRFLD_CTRL_START);
	if (mrfld_reg(agents, MRFLD_SCAN(MRFLD_SCAN_STATUS)) != MRFLD_STATUS_RUN) {
		mrfld_scan_set(agents, MRFLD_SCAN_CTRL, 0);
		return -EINVAL;
	}
	agents->scanning = file;
	return 0;
}

static int mrfld_scan_stop(struct mrfld_file *file)
{
	if (file->agents->scanning != file)
		return -ENOENT;
	mrfld_scan_set(file->agents, MRFLD_SCAN_CTRL, 0);
	file->agents->scanning = NULL;
	return 0;
}

static int mrfld_ioctl_scanout_status(struct mrfld_agents *agents,
				      struct mrfld_scanout_status *status)
{
	status->frames = mrfld_reg(agents, MRFLD_SCAN(MRFLD_SCAN_FRAMES));
	status->running = mrfld_reg(agents, MRFLD_SCAN(MRFLD_SCAN_STATUS)) & MRFLD_STATUS_RUN;
	status->sum = mrfld_reg64(agents, MRFLD_SCAN(MRFLD_SCAN_SUM_LO));
	return 0;
}

static int mrfld_ioctl_fault(struct mrfld_agents *agents, const struct mrfld_fault *fault)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (fault->which > MRFLD_FAULT_POWER_NOW || fault->which % 4)
		return -EINVAL;
	mrfld_reg_set(agents, MRFLD_FAULT(fault->which), fault->value);
	return 0;
}

static long mrfld_ioctl_inside(struct mrfld_file *file, unsigned int cmd, void *arg)
{
	switch (cmd) {
	case MRFLD_IOC_SCANOUT:
		return mrfld_ioctl_scanout(file, arg);
	case MRFLD_IOC_SCANOUT_STOP:
		return mrfld_scan_stop(file);
	case MRFLD_IOC_SCANOUT_STATUS:
		return mrfld_ioctl_scanout_status(file->agents, arg);
	case MRFLD_IOC_FAULT:
		return mrfld_ioctl_fault(file->agents, arg);
	default:
		return -ENOTTY;
	}
}

/* What may take long takes the lock by itself. */
static long mrfld_ioctl_any(struct mrfld_file *file, unsigned int cmd, void *arg)
{
	long ret = READ_ONCE(file->agents->file.shut);

	if (ret)
		return ret;
	if (cmd == MRFLD_IOC_BUFFER)
		return mrfld_ioctl_buffer(file, *(u64 *)arg);
	if (cmd == MRFLD_IOC_MOVE)
		return mrfld_ioctl_move(file, arg);
	ret = mrfld_enter(file->agents);
	if (ret)
		return ret;
	ret = mrfld_ioctl_inside(file, cmd, arg);
	mrfld_leave(file->agents);
	return ret;
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
	ret = mrfld_ioctl_any(file, cmd, &arg);
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
	file->agents = container_of(mon_file_open(filp), struct mrfld_agents, file);
	mutex_lock(&file->agents->file.lock);
	list_add(&file->list, &file->agents->files);
	mutex_unlock(&file->agents->file.lock);
	filp->private_data = file;
	return nonseekable_open(inode, filp);
}

/* Mappings hold the file, so neither they nor a running job can see the buffer go. */
static int mrfld_close(struct inode *inode, struct file *filp)
{
	struct mrfld_file *file = filp->private_data;
	struct mrfld_agents *agents = file->agents;

	mutex_lock(&agents->file.lock);
	if (agents->file.shut != -ENODEV) {
		if (!agents->file.off)
			mrfld_scan_stop(file);
		mrfld_unmap_buffer(file, file->size);
	}
	list_del(&file->list);
	mutex_unlock(&agents->file.lock);
	vfree(file->buffer);
	kfree(file);
	mon_file_put(&agents->file);
	return 0;
}

static const struct file_operations mrfld_fops = {
	.owner = THIS_MODULE,
	.open = mrfld_open,
	.release = mrfld_close,
	.unlocked_ioctl = mrfld_ioctl,
	.mmap = mrfld_mmap,
};

/* Jobs give up, the engines and the display stop; the buffers stay. */
static void mrfld_stop_all(struct mrfld_agents *agents)
{
	unsigned int i;

	for (i = 0; i < MRFLD_NAGENTS; i++)
		mrfld_abort(agents, i);
	agents->cut = ~0UL;
	mrfld_scan_set(agents, MRFLD_SCAN_CTRL, 0);
	agents->scanning = NULL;
}

static int mrfld_agents_start(struct mon_file *mf)
{
	struct mrfld_agents *agents = container_of(mf, struct mrfld_agents, file);

	INIT_LIST_HEAD(&agents->files);
	mrfld_stop_all(agents);
	return dma_set_mask_and_coherent(mf->hw->dev, DMA_BIT_MASK(64));
}

static void mrfld_agents_stop(struct mon_file *mf)
{
	struct mrfld_agents *agents = container_of(mf, struct mrfld_agents, file);
	struct mrfld_file *file;

	mrfld_stop_all(agents);
	list_for_each_entry(file, &agents->files, list) {
		mrfld_unmap_buffer(file, file->size);
		file->size = 0;
	}
}

/* The tables are in memory, so a job that begins after the sleep needs nothing else. */
static void mrfld_agents_sleep(struct mon_file *mf, bool begins)
{
	if (begins)
		mrfld_stop_all(container_of(mf, struct mrfld_agents, file));
}

static struct mon_file_type mrfld_agents_files = {
	.size = sizeof(struct mrfld_agents),
	.first = MRFLD_AGENTS_DEVICE,
	.name = MRFLD_AGENTS_DEVICE ".%d",
	.fops = &mrfld_fops,
	.start = mrfld_agents_start,
	.stop = mrfld_agents_stop,
	.sleep = mrfld_agents_sleep,
};
module_mon_file_driver(mrfld_agents_files, MRFLD_AGENTS_AUX_MATCH);
MODULE_ALIAS("auxiliary:" MRFLD_AGENTS_AUX_MATCH);

MODULE_DESCRIPTION("Drives the bus agents of the emulated Merrifield");
MODULE_LICENSE("GPL");
