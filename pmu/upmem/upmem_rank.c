// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/dpu_rankN: copies, launches and waits for one process (events/upmem/uapi.h). The rank is the
 * auxiliary device that the driver of its PCI function offers.
 *
 * A reset or a sleep takes the memories away, so a process that had the rank then gets EIO until it
 * resets the rank itself.
 */
#include <linux/auxiliary_bus.h>
#include <linux/bitops.h>
#include <linux/dma-mapping.h>
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/interrupt.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/kref.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "events/upmem/uapi.h"
#include "upmem.h"

#define TRACE_SYSTEM upmem_rank
#define CREATE_TRACE_POINTS
#include "pmu/core/mon_run_trace.h"

#define BOUNCE_SIZE	(256 * 1024)

struct upmem_rank {
	struct kref ref;
	/*
	 * Rank registers other than counters, bounce and the flags below. User memory is not
	 * faulted in under it: that may take for ever, and remove() takes it.
	 */
	struct mutex lock;
	struct miscdevice misc;
	struct mon_pci_dev *hw;		/* as long as it is not gone */
	struct upmem_id id;
	void __iomem *regs;
	void *bounce;
	dma_addr_t bounce_bus;
	wait_queue_head_t idle;
	int irq;
	int number;
	u32 state_size;		/* of what a debugger reads of a DPU */
	bool open;		/* a process has it */
	bool gone;		/* the device is not there any more */
	bool asleep;		/* it sleeps, or a reset goes on */
	bool lost;		/* one of these has taken the memories since the last clear */
	spinlock_t run_lock;	/* a launch and its begin are one to the interrupt */
	struct mon_run run;	/* for the tracepoints: from a launch until no DPU runs */
	char name[16];
	char pmu[40];
};

static DEFINE_IDA(upmem_numbers);

static void upmem_rank_free(struct kref *ref)
{
	struct upmem_rank *rank = container_of(ref, struct upmem_rank, ref);

	ida_free(&upmem_numbers, rank->number);
	mutex_destroy(&rank->lock);
	kfree(rank);
}

static u64 upmem_get_mask(struct upmem_rank *rank, unsigned int reg)
{
	return (u64)ioread32(rank->regs + reg + 4) << 32 | ioread32(rank->regs + reg);
}

static void upmem_put_mask(struct upmem_rank *rank, unsigned int reg, u64 mask)
{
	if ((u32)mask)
		iowrite32(mask, rank->regs + reg);
	if (mask >> 32)
		iowrite32(mask >> 32, rank->regs + reg + 4);
}

static u64 upmem_all(const struct upmem_rank *rank)
{
	return GENMASK_ULL(rank->id.dpus - 1, 0);
}

/* One piece of at most BOUNCE_SIZE bytes. */
static int upmem_dma(struct upmem_rank *rank, const struct upmem_copy *copy, u32 done, u32 length)
{
	iowrite32(lower_32_bits(rank->bounce_bus), rank->regs + UPMEM_DMA_BUS_LO);
	iowrite32(upper_32_bits(rank->bounce_bus), rank->regs + UPMEM_DMA_BUS_HI);
	iowrite32(copy->address + done, rank->regs + UPMEM_DMA_ADDRESS);
	iowrite32(length, rank->regs + UPMEM_DMA_LENGTH);
	iowrite32(copy->dpu, rank->regs + UPMEM_DMA_DPU);
	iowrite32(copy->direction == UPMEM_TO_DPU ? UPMEM_DMA_TO_DPU : UPMEM_DMA_FROM_DPU,
		  rank->regs + UPMEM_DMA_CONTROL);
	switch (ioread32(rank->regs + UPMEM_DMA_CONTROL)) {
	case UPMEM_DMA_OK:
		return 0;
	case UPMEM_DMA_RANGE:
		return -ERANGE;
	case UPMEM_DMA_BUSY:
		return -EBUSY;
	default:
		return -EIO;
	}
}

static bool upmem_is_state(u32 address)
{
	return (address & (UPMEM_IRAM_MARK | UPMEM_STATE_MARK)) == UPMEM_STATE_MARK;
}

/* Size of the memory that an address is in, and the offset there. */
static u32 upmem_memory(const struct upmem_rank *rank, u32 address, u32 *offset, u32 *align)
{
	*align = 8;
	if (upmem_is_state(address)) {
		*offset = address & ~UPMEM_STATE_MARK;
		return rank->state_size;
	}
	if (address & UPMEM_IRAM_MARK) {
		*offset = address & ~UPMEM_IRAM_MARK;
		return rank->id.iram_words * 8;
	}
	if (address & UPMEM_MRAM_MARK) {
		*offset = address & ~UPMEM_MRAM_MARK;
		return UPMEM_MRAM_SIZE;
	}
	*offset = address;
	*align = 4;
	return rank->id.wram_size;
}

static int upmem_check_copy(const struct upmem_rank *rank, const struct upmem_copy *copy)
{
	u32 offset, align, size;

	if (copy->dpu >= rank->id.dpus ||
	    (copy->direction != UPMEM_TO_DPU && copy->direction != UPMEM_FROM_DPU))
		return -EINVAL;
	if (upmem_is_state(copy->address) && copy->direction != UPMEM_FROM_DPU)
		return -EINVAL;
	size = upmem_memory(rank, copy->address, &offset, &align);
	if (copy->length > size || offset > size - copy->length ||
	    (offset | copy->length) % align)
		return -ERANGE;
	return 0;
}

/* 0, or the error of all that needs the memories. The lock is held. */
static int upmem_lost(const struct upmem_rank *rank)
{
	if (rank->gone)
		return -ENODEV;
	return rank->lost ? -EIO : 0;
}

/* One piece, as far as its user memory is there: -EFAULT if not. */
static int upmem_copy_present(struct upmem_rank *rank, const struct upmem_copy *copy, u32 done,
			      u32 n)
{
	char __user *user = u64_to_user_ptr(copy->buffer) + done;
	unsigned long missing = 0;
	int err;

	mutex_lock(&rank->lock);
	err = upmem_lost(rank);
	pagefault_disable();
	if (!err && copy->direction == UPMEM_TO_DPU)
		missing = copy_from_user(rank->bounce, user, n);
	if (!err && !missing)
		err = upmem_dma(rank, copy, done, n);
	if (!err && copy->direction == UPMEM_FROM_DPU)
		missing = copy_to_user(user, rank->bounce, n);
	pagefault_enable();
	mutex_unlock(&rank->lock);
	return err ?: missing ? -EFAULT : 0;
}

static int upmem_copy(struct upmem_rank *rank, const struct upmem_copy *copy)
{
	char __user *user = u64_to_user_ptr(copy->buffer);
	u32 done, n;
	int err;

	err = upmem_check_copy(rank, copy);
	for (done = 0; !err && done < copy->length;) {
		n = min_t(u32, copy->length - done, BOUNCE_SIZE);
		err = upmem_copy_present(rank, copy, done, n);
		if (!err)
			done += n;
		else if (err == -EFAULT && !(copy->direction == UPMEM_TO_DPU ?
					     fault_in_readable(user + done, n) :
					     fault_in_writeable(user + done, n)))
			err = 0;
		if (!err && fatal_signal_pending(current))
			err = -EINTR;
		cond_resched();
	}
	return err;
}

static int upmem_launch(struct upmem_rank *rank, u64 mask)
{
	char about[MON_RUN_ABOUT];
	u64 running;
	int err = 0;

	if (mask & ~upmem_all(rank))
		return -EINVAL;
	snprintf(about, sizeof(about), "%u DPUs", (unsigned int)hweight64(mask));
	/* the interrupt of an earlier run may come only now, and what still runs end */
	spin_lock_irq(&rank->run_lock);
	running = upmem_get_mask(rank, UPMEM_RUNNING_LO);
	if (running & mask) {
		err = -EBUSY;
	} else {
		if (mask && !running) {
			mon_run_end(&rank->run);
			mon_run_begin(&rank->run, rank->name, -1, about);
		}
		upmem_put_mask(rank, UPMEM_LAUNCH_LO, mask);
	}
	spin_unlock_irq(&rank->run_lock);
	return err;
}

/* The lock is held. */
static int upmem_reset(struct upmem_rank *rank)
{
	if (rank->asleep)
		return -EIO;
	rank->lost = false;
	iowrite32(1, rank->regs + UPMEM_RESET);
	mon_run_end(&rank->run);
	return 0;
}

static bool upmem_stopped(struct upmem_rank *rank, u64 mask)
{
	bool stopped;

	mutex_lock(&rank->lock);
	stopped = upmem_lost(rank) || !(upmem_get_mask(rank, UPMEM_RUNNING_LO) & mask);
	mutex_unlock(&rank->lock);
	return stopped;
}

/* The interrupt comes when the last DPU stops; a part of the rank is looked at now and then. */
static int upmem_wait(struct upmem_rank *rank, u64 mask)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	long timeout = rank->irq ? HZ / 50 + 1 : 1;
	int err = 0;

	add_wait_queue(&rank->idle, &wait);
	while (!upmem_stopped(rank, mask)) {
		if (signal_pending(current)) {
			err = -EINTR;
			break;
		}
		wait_woken(&wait, TASK_INTERRUPTIBLE, timeout);
	}
	remove_wait_queue(&rank->idle, &wait);
	return err;
}

static int upmem_get_fault(struct upmem_rank *rank, struct upmem_fault *fault)
{
	void __iomem *page;

	if (fault->dpu >= rank->id.dpus)
		return -EINVAL;
	page = rank->regs + UPMEM_DPU(fault->dpu);
	fault->kind = ioread32(page + UPMEM_DPU_FAULT_KIND);
	fault->pc = ioread32(page + UPMEM_DPU_FAULT_PC);
	fault->thread = ioread32(page + UPMEM_DPU_FAULT_THREAD);
	fault->code = ioread32(page + UPMEM_DPU_FAULT_CODE);
	return 0;
}

static void upmem_get_info(const struct upmem_rank *rank, struct upmem_info *info)
{
	memset(info, 0, sizeof(*info));
	info->dpus = rank->id.dpus;
	info->chip_id = rank->id.chip_id;
	info->clock_hz = rank->id.clock_hz;
	info->threads = rank->id.threads;
	info->iram_words = rank->id.iram_words;
	info->wram_size = rank->id.wram_size;
	strscpy(info->pmu, rank->pmu, sizeof(info->pmu));
}

/*
 * Requests that need the lock. WAIT has waited without it, so that another thread can halt the
 * DPUs; COPY takes it for each piece.
 */
static int upmem_locked_ioctl(struct upmem_rank *rank, unsigned int cmd, void *arg)
{
	struct upmem_status *status = arg;
	int err = upmem_lost(rank);

	if (err == -ENODEV || (err && cmd != UPMEM_IOC_INFO && cmd != UPMEM_IOC_RESET))
		return err;
	switch (cmd) {
	case UPMEM_IOC_INFO:
		upmem_get_info(rank, arg);
		return 0;
	case UPMEM_IOC_LAUNCH:
		return upmem_launch(rank, *(u64 *)arg);
	case UPMEM_IOC_WAIT:
		return 0;
	case UPMEM_IOC_STATUS:
		status->running = upmem_get_mask(rank, UPMEM_RUNNING_LO);
		if (!status->running)
			mon_run_end(&rank->run);
		status->fault = upmem_get_mask(rank, UPMEM_FAULT_LO);
		return 0;
	case UPMEM_IOC_HALT:
		upmem_put_mask(rank, UPMEM_HALT_LO, *(u64 *)arg & upmem_all(rank));
		return 0;
	case UPMEM_IOC_RESET:
		return upmem_reset(rank);
	case UPMEM_IOC_FAULT:
		return upmem_get_fault(rank, arg);
	default:
		return -ENOTTY;
	}
}

static long upmem_ioctl(struct file *file, unsigned int cmd, unsigned long user)
{
	struct upmem_rank *rank = file->private_data;
	union {
		struct upmem_info info;
		struct upmem_copy copy;
		struct upmem_status status;
		struct upmem_fault fault;
		u64 mask;
	} arg;
	int err;

	if (_IOC_TYPE(cmd) != 'U' || _IOC_SIZE(cmd) > sizeof(arg))
		return -ENOTTY;
	if ((_IOC_DIR(cmd) & _IOC_WRITE) &&
	    copy_from_user(&arg, (void __user *)user, _IOC_SIZE(cmd)))
		return -EFAULT;
	if (cmd == UPMEM_IOC_WAIT) {
		err = upmem_wait(rank, arg.mask);
		if (err)
			return err;
	}
	if (cmd == UPMEM_IOC_COPY)
		return upmem_copy(rank, &arg.copy);
	mutex_lock(&rank->lock);
	err = upmem_locked_ioctl(rank, cmd, &arg);
	mutex_unlock(&rank->lock);
	if (!err && (_IOC_DIR(cmd) & _IOC_READ) &&
	    copy_to_user((void __user *)user, &arg, _IOC_SIZE(cmd)))
		return -EFAULT;
	return err;
}

static int upmem_open(struct inode *inode, struct file *file)
{
	struct miscdevice *misc = file->private_data;
	struct upmem_rank *rank = container_of(misc, struct upmem_rank, misc);
	int err = 0;

	/* misc_open() holds its mutex, so the device cannot have been deregistered */
	mutex_lock(&rank->lock);
	if (rank->gone)
		err = -ENODEV;
	else if (rank->open)
		err = -EBUSY;
	else if (rank->lost)
		err = upmem_reset(rank);
	if (!err)
		rank->open = true;
	mutex_unlock(&rank->lock);
	if (err)
		return err;
	kref_get(&rank->ref);
	file->private_data = rank;
	return 0;
}

/* The process has gone: its DPUs stop, and the memories are cleared. */
static int upmem_close(struct inode *inode, struct file *file)
{
	struct upmem_rank *rank = file->private_data;

	mutex_lock(&rank->lock);
	if (!rank->gone)
		upmem_reset(rank);
	rank->open = false;
	mutex_unlock(&rank->lock);
	kref_put(&rank->ref, upmem_rank_free);
	return 0;
}

static const struct file_operations upmem_fops = {
	.owner = THIS_MODULE,
	.open = upmem_open,
	.release = upmem_close,
	.unlocked_ioctl = upmem_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static irqreturn_t upmem_irq(int irq, void *data)
{
	struct upmem_rank *rank = data;

	iowrite32(UPMEM_IRQ_IDLE, rank->regs + UPMEM_IRQ);
	spin_lock(&rank->run_lock);
	if (!upmem_get_mask(rank, UPMEM_RUNNING_LO))
		mon_run_end(&rank->run);
	spin_unlock(&rank->run_lock);
	wake_up_all(&rank->idle);
	return IRQ_HANDLED;
}

static int upmem_rank_start(struct upmem_rank *rank)
{
	int err;

	rank->bounce = dma_alloc_coherent(rank->hw->dev, BOUNCE_SIZE, &rank->bounce_bus,
					  GFP_KERNEL);
	if (!rank->bounce)
		return -ENOMEM;
	if (rank->irq) {
		err = request_irq(rank->irq, upmem_irq, 0, rank->name, rank);
		if (err)
			goto err_bounce;
	}
	upmem_reset(rank);
	rank->state_size = ioread32(rank->regs + UPMEM_STATE_SIZE);
	rank->misc.minor = MISC_DYNAMIC_MINOR;
	rank->misc.name = rank->name;
	rank->misc.fops = &upmem_fops;
	rank->misc.parent = rank->hw->dev;
	err = misc_register(&rank->misc);
	if (err)
		goto err_irq;
	return 0;

err_irq:
	if (rank->irq)
		free_irq(rank->irq, rank);
err_bounce:
	dma_free_coherent(rank->hw->dev, BOUNCE_SIZE, rank->bounce, rank->bounce_bus);
	return err;
}

static void upmem_rank_sleep(struct upmem_rank *rank, bool begins)
{
	mutex_lock(&rank->lock);
	rank->asleep = begins;
	if (begins) {
		/* requests that have the lock have ended; WAIT and later ones fail */
		rank->lost = true;
		mon_run_end(&rank->run);
	}
	mutex_unlock(&rank->lock);
	wake_up_all(&rank->idle);
}

static void upmem_rank_reset(struct auxiliary_device *aux, bool begins)
{
	upmem_rank_sleep(auxiliary_get_drvdata(aux), begins);
}

static int upmem_rank_probe(struct auxiliary_device *aux, const struct auxiliary_device_id *id)
{
	struct mon_pci_dev *hw = to_mon_pci_dev(aux);
	struct upmem_rank *rank;
	int err;

	rank = kzalloc(sizeof(*rank), GFP_KERNEL);
	if (!rank)
		return -ENOMEM;
	rank->number = ida_alloc(&upmem_numbers, GFP_KERNEL);
	if (rank->number < 0) {
		err = rank->number;
		kfree(rank);
		return err;
	}
	kref_init(&rank->ref);
	mutex_init(&rank->lock);
	spin_lock_init(&rank->run_lock);
	init_waitqueue_head(&rank->idle);
	rank->hw = hw;
	rank->id = *(const struct upmem_id *)hw->mp->id;
	rank->regs = hw->regs;
	rank->irq = hw->irq;
	snprintf(rank->name, sizeof(rank->name), "dpu_rank%d", rank->number);
	strscpy(rank->pmu, hw->mp->name, sizeof(rank->pmu));
	auxiliary_set_drvdata(aux, rank);
	err = upmem_rank_start(rank);
	if (err)
		kref_put(&rank->ref, upmem_rank_free);
	else
		hw->reset = upmem_rank_reset;
	return err;
}

/* Files that are still open get ENODEV from now on. */
static void upmem_rank_remove(struct auxiliary_device *aux)
{
	struct upmem_rank *rank = auxiliary_get_drvdata(aux);

	rank->hw->reset = NULL;
	misc_deregister(&rank->misc);
	mutex_lock(&rank->lock);
	upmem_reset(rank);
	rank->gone = true;
	mutex_unlock(&rank->lock);
	wake_up_all(&rank->idle);
	if (rank->irq)
		free_irq(rank->irq, rank);
	dma_free_coherent(rank->hw->dev, BOUNCE_SIZE, rank->bounce, rank->bounce_bus);
	kref_put(&rank->ref, upmem_rank_free);
}

static int __maybe_unused upmem_rank_suspend(struct device *dev)
{
	upmem_rank_sleep(dev_get_drvdata(dev), true);
	return 0;
}

static int __maybe_unused upmem_rank_resume(struct device *dev)
{
	upmem_rank_sleep(dev_get_drvdata(dev), false);
	return 0;
}

static SIMPLE_DEV_PM_OPS(upmem_rank_pm_ops, upmem_rank_suspend, upmem_rank_resume);

static const struct auxiliary_device_id upmem_rank_ids[] = {
	{ .name = UPMEM_RANK_AUX_MATCH },
	{ }
};
MODULE_DEVICE_TABLE(auxiliary, upmem_rank_ids);

static struct auxiliary_driver upmem_rank_driver = {
	.probe = upmem_rank_probe,
	.remove = upmem_rank_remove,
	.id_table = upmem_rank_ids,
	.driver.pm = &upmem_rank_pm_ops,
};
module_auxiliary_driver(upmem_rank_driver);

MODULE_DESCRIPTION("Launches programs on UPMEM DPU ranks");
MODULE_LICENSE("GPL");
