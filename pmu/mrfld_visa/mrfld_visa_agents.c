// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/mrfld_agents: drives the bus agents of the emulated Merrifield (uapi/mrfld_agents_uapi.h).
 *
 * The agents sit on the SoC's fabric and know physical addresses, which they find in a table of
 * pages; so a buffer need not be contiguous.
 */
#include <linux/capability.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "mrfld_visa.h"
#include "events/mrfld_visa/uapi.h"

/* Requests a second, unless the user gives a rate. */
#define MRFLD_DEFAULT_KREQUESTS	10000

/**
 * struct mrfld_file - an open /dev/mrfld_agents
 * @lock:	protects the buffer's creation
 * @buffer:	vmalloc'ed; stays until the file is closed
 * @table:	physical addresses of its pages
 * @size:	bytes of @buffer
 */
struct mrfld_file {
	struct mutex lock;	/* the members below */
	void *buffer;
	__le64 *table;
	size_t size;
};

static struct {
	void __iomem *bar;
	struct mutex engine[MRFLD_NAGENTS];	/* one job at a time */
	struct mutex display;			/* scanning */
	struct mrfld_file *scanning;		/* whose buffer the display shows */
} agents;

static u32 mrfld_reg(unsigned int offset)
{
	return ioread32(agents.bar + offset);
}

static void mrfld_reg_set(unsigned int offset, u32 value)
{
	iowrite32(value, agents.bar + offset);
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

/* Bytes of the buffer, 0 before it is there; who sees the size sees the rest as well. */
static size_t mrfld_size(struct mrfld_file *file)
{
	/* pairs with mrfld_make_buffer() */
	return smp_load_acquire(&file->size);
}

static int mrfld_make_buffer(struct mrfld_file *file, u64 bytes)
{
	size_t size = PAGE_ALIGN(bytes), i;

	if (!bytes || bytes > MRFLD_MAX_BUFFER)
		return -EINVAL;
	if (file->buffer)
		return -EBUSY;
	file->table = kcalloc(size / PAGE_SIZE, sizeof(*file->table), GFP_KERNEL_ACCOUNT);
	if (!file->table)
		return -ENOMEM;
	file->buffer = vmalloc_user(size);
	if (!file->buffer) {
		kfree(file->table);
		file->table = NULL;
		return -ENOMEM;
	}
	for (i = 0; i < size / PAGE_SIZE; i++)
		file->table[i] = cpu_to_le64(page_to_phys(vmalloc_to_page(file->buffer +
									   i * PAGE_SIZE)));
	/* pairs with mrfld_size() */
	smp_store_release(&file->size, size);
	return 0;
}

static int mrfld_ioctl_buffer(struct mrfld_file *file, const void __user *arg)
{
	u64 bytes;
	int err;

	if (copy_from_user(&bytes, arg, sizeof(bytes)))
		return -EFAULT;
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
		if (signal_pending(current)) {
			mrfld_reg_set(MRFLD_ENGINE(agent, MRFLD_ENG_CTRL), MRFLD_CTRL_ABORT);
			return -EINTR;
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

	mrfld_reg64_set(MRFLD_ENGINE(a, MRFLD_ENG_TABLE_LO), virt_to_phys(file->table));
	mrfld_reg64_set(MRFLD_ENGINE(a, MRFLD_ENG_TOTAL_LO), move->bytes);
	mrfld_reg_set(MRFLD_ENGINE(a, MRFLD_ENG_WINDOW), file->size);
	mrfld_reg_set(MRFLD_ENGINE(a, MRFLD_ENG_RATE), move->rate);
	mrfld_reg_set(MRFLD_ENGINE(a, MRFLD_ENG_SEED), move->seed);
	mrfld_reg_set(MRFLD_ENGINE(a, MRFLD_ENG_CTRL), mrfld_move_ctrl(move));
	err = mrfld_wait(a);
	move->moved = mrfld_reg64(MRFLD_ENGINE(a, MRFLD_ENG_DONE_LO));
	move->sum = mrfld_reg64(MRFLD_ENGINE(a, MRFLD_ENG_SUM_LO));
	return err;
}

static int mrfld_ioctl_move(struct mrfld_file *file, void __user *arg)
{
	struct mrfld_agent_move move;
	int err;

	if (copy_from_user(&move, arg, sizeof(move)))
		return -EFAULT;
	if (move.agent >= MRFLD_NAGENTS || move.flags & ~(MRFLD_MOVE_WRITE | MRFLD_MOVE_SNOOP) ||
	    move.reserved || move.request < 4 || move.request > 64 ||
	    !is_power_of_2(move.request) || move.bytes % move.request)
		return -EINVAL;
	if (!mrfld_size(file))
		return -ENXIO;
	if (!move.rate)
		move.rate = move.request * MRFLD_DEFAULT_KREQUESTS;
	err = mutex_lock_killable(&agents.engine[move.agent]);
	if (err)
		return err;
	err = mrfld_move(file, &move);
	mutex_unlock(&agents.engine[move.agent]);
	if (copy_to_user(arg, &move, sizeof(move)))
		return -EFAULT;
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
	mrfld_reg64_set(MRFLD_SCAN(MRFLD_SCAN_TABLE_LO), virt_to_phys(file->table));
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

static int mrfld_ioctl_scanout(struct mrfld_file *file, const void __user *arg)
{
	struct mrfld_scanout scan;
	size_t size;
	int err;

	if (copy_from_user(&scan, arg, sizeof(scan)))
		return -EFAULT;
	size = mrfld_size(file);
	if (!size)
		return -ENXIO;
	if (scan.width > 16384 || scan.height > 16384 || scan.cpp > 8 ||
	    (u64)ALIGN(scan.width * scan.cpp, 64) * scan.height > size)
		return -EINVAL;
	mutex_lock(&agents.display);
	err = mrfld_scan_start(file, &scan);
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

static int mrfld_ioctl_scanout_status(void __user *arg)
{
	struct mrfld_scanout_status status;

	mutex_lock(&agents.display);
	status.frames = mrfld_reg(MRFLD_SCAN(MRFLD_SCAN_FRAMES));
	status.running = mrfld_reg(MRFLD_SCAN(MRFLD_SCAN_STATUS)) & MRFLD_STATUS_RUN;
	status.sum = mrfld_reg64(MRFLD_SCAN(MRFLD_SCAN_SUM_LO));
	mutex_unlock(&agents.display);
	return copy_to_user(arg, &status, sizeof(status)) ? -EFAULT : 0;
}

static int mrfld_ioctl_fault(const void __user *arg)
{
	struct mrfld_fault fault;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (copy_from_user(&fault, arg, sizeof(fault)))
		return -EFAULT;
	if (fault.which > MRFLD_FAULT_POWER_NOW || fault.which % 4)
		return -EINVAL;
	mrfld_reg_set(MRFLD_FAULT(fault.which), fault.value);
	return 0;
}

static long mrfld_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct mrfld_file *file = filp->private_data;

	switch (cmd) {
	case MRFLD_IOC_BUFFER:
		return mrfld_ioctl_buffer(file, (void __user *)arg);
	case MRFLD_IOC_MOVE:
		return mrfld_ioctl_move(file, (void __user *)arg);
	case MRFLD_IOC_SCANOUT:
		return mrfld_ioctl_scanout(file, (void __user *)arg);
	case MRFLD_IOC_SCANOUT_STOP:
		return mrfld_scan_stop(file);
	case MRFLD_IOC_SCANOUT_STATUS:
		return mrfld_ioctl_scanout_status((void __user *)arg);
	case MRFLD_IOC_FAULT:
		return mrfld_ioctl_fault((void __user *)arg);
	default:
		return -ENOTTY;
	}
}

static int mrfld_mmap(struct file *filp, struct vm_area_struct *vma)
{
	struct mrfld_file *file = filp->private_data;

	if (!mrfld_size(file))
		return -ENXIO;
	return remap_vmalloc_range(vma, file->buffer, vma->vm_pgoff);
}

static int mrfld_open(struct inode *inode, struct file *filp)
{
	struct mrfld_file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);

	if (!file)
		return -ENOMEM;
	mutex_init(&file->lock);
	filp->private_data = file;
	return nonseekable_open(inode, filp);
}

/* Mappings hold the file, so neither they nor a running job can see the buffer go. */
static int mrfld_close(struct inode *inode, struct file *filp)
{
	struct mrfld_file *file = filp->private_data;

	mrfld_scan_stop(file);
	vfree(file->buffer);
	kfree(file->table);
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

int mrfld_agents_init(struct device *parent, void __iomem *bar)
{
	unsigned int i;

	agents.bar = bar;
	for (i = 0; i < MRFLD_NAGENTS; i++) {
		mutex_init(&agents.engine[i]);
		mrfld_reg_set(MRFLD_ENGINE(i, MRFLD_ENG_CTRL), MRFLD_CTRL_ABORT);
	}
	mutex_init(&agents.display);
	mrfld_scan_set(MRFLD_SCAN_CTRL, 0);
	mrfld_misc.parent = parent;
	return misc_register(&mrfld_misc);
}

void mrfld_agents_exit(void)
{
	misc_deregister(&mrfld_misc);
}
