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
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "events/upmem/uapi.h"
#include "../core/mon_file.h"
#include "upmem.h"

#define TRACE_SYSTEM upmem_rank
#define CREATE_TRACE_POINTS
#include "pmu/core/mon_run_trace.h"

#define BOUNCE_SIZE	(256 * 1024)

/**
 * struct upmem_rank - what a process may have
 * @file: /dev/dpu_rankN
 * @id: the rank's shape
 * @bounce: a piece of a copy
 * @bounce_bus: its bus address
 * @state_size: of what a debugger reads of a DPU
 * @open: a process has it
 * @lost: a reset or a sleep has taken the memories since the last clear
 */
struct upmem_rank {
	struct mon_file file;
	struct upmem_id id;
	void *bounce;
	dma_addr_t bounce_bus;
	u32 state_size;
	bool open;
	bool lost;
};

static struct upmem_rank *to_upmem_rank(struct mon_file *mf)
{
	return container_of(mf, struct upmem_rank, file);
}

static u32 upmem_get(const struct upmem_rank *rank, unsigned int reg)
{
	return ioread32(rank->file.hw->regs + reg);
}

static void upmem_put(struct upmem_rank *rank, unsigned int reg, u32 value)
{
	iowrite32(value, rank->file.hw->regs + reg);
}

static u64 upmem_get_mask(const struct upmem_rank *rank, unsigned int reg)
{
	return (u64)upmem_get(rank, reg + 4) << 32 | upmem_get(rank, reg);
}

static void upmem_put_mask(struct upmem_rank *rank, unsigned int reg, u64 mask)
{
	if ((u32)mask)
		upmem_put(rank, reg, mask);
	if (mask >> 32)
		upmem_put(rank, reg + 4, mask >> 32);
}

static u64 upmem_all(const struct upmem_rank *rank)
{
	return GENMASK_ULL(rank->id.dpus - 1, 0);
}

/* One piece of at most BOUNCE_SIZE bytes. */
static int upmem_dma(struct upmem_rank *rank, const struct upmem_copy *copy, u32 done, u32 length)
{
	upmem_put(rank, UPMEM_DMA_BUS_LO, lower_32_bits(rank->bounce_bus));
	upmem_put(rank, UPMEM_DMA_BUS_HI, upper_32_bits(rank->bounce_bus));
	upmem_put(rank, UPMEM_DMA_ADDRESS, copy->address + done);
	upmem_put(rank, UPMEM_DMA_LENGTH, length);
	upmem_put(rank, UPMEM_DMA_DPU, copy->dpu);
	upmem_put(rank, UPMEM_DMA_CONTROL,
		  copy->direction == UPMEM_TO_DPU ? UPMEM_DMA_TO_DPU : UPMEM_DMA_FROM_DPU);
	switch (upmem_get(rank, UPMEM_DMA_CONTROL)) {
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
	return rank->file.shut ?: rank->lost ? -EIO : 0;
}

/* One piece, as far as its user memory is there: -EFAULT if not. */
static int upmem_copy_present(struct upmem_rank *rank, const struct upmem_copy *copy, u32 done,
			      u32 n)
{
	char __user *user = u64_to_user_ptr(copy->buffer) + done;
	unsigned long missing = 0;
	int err;

	mutex_lock(&rank->file.lock);
	err = upmem_lost(rank);
	pagefault_disable();
	if (!err && copy->direction == UPMEM_TO_DPU)
		missing = copy_from_user(rank->bounce, user, n);
	if (!err && !missing)
		err = upmem_dma(rank, copy, done, n);
	if (!err && copy->direction == UPMEM_FROM_DPU)
		missing = copy_to_user(user, rank->bounce, n);
	pagefault_enable();
	mutex_unlock(&rank->file.lock);
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
	spin_lock_irq(&rank->file.run_lock);
	running = upmem_get_mask(rank, UPMEM_RUNNING_LO);
	if (running & mask) {
		err = -EBUSY;
	} else {
		if (mask && !running) {
			mon_run_end(&rank->file.run);
			mon_run_begin(&rank->file.run, rank->file.name, -1, about);
		}
		upmem_put_mask(rank, UPMEM_LAUNCH_LO, mask);
	}
	spin_unlock_irq(&rank->file.run_lock);
	return err;
}

/* The lock is held. */
static int upmem_reset(struct upmem_rank *rank)
{
	if (rank->file.shut)
		return rank->file.shut;
	rank->lost = false;
	upmem_put(rank, UPMEM_RESET, 1);
	mon_run_end(&rank->file.run);
	return 0;
}

static bool upmem_stopped(struct mon_file *mf, u64 mask)
{
	struct upmem_rank *rank = to_upmem_rank(mf);

	return upmem_lost(rank) || !(upmem_get_mask(rank, UPMEM_RUNNING_LO) & mask);
}

/* The interrupt comes when the last DPU stops; a part of the rank is looked at now and then. */
static int upmem_wait(struct upmem_rank *rank, u64 mask)
{
	return mon_file_wait(&rank->file, upmem_stopped, mask, rank->file.irq ? HZ / 50 + 1 : 1);
}

static int upmem_get_fault(struct upmem_rank *rank, struct upmem_fault *fault)
{
	unsigned int page = UPMEM_DPU(fault->dpu);

	if (fault->dpu >= rank->id.dpus)
		return -EINVAL;
	fault->kind = upmem_get(rank, page + UPMEM_DPU_FAULT_KIND);
	fault->pc = upmem_get(rank, page + UPMEM_DPU_FAULT_PC);
	fault->thread = upmem_get(rank, page + UPMEM_DPU_FAULT_THREAD);
	fault->code = upmem_get(rank, page + UPMEM_DPU_FAULT_CODE);
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
	strscpy(info->pmu, rank->file.hw->mp->name, sizeof(info->pmu));
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
			mon_run_end(&rank->file.run);
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
	mutex_lock(&rank->file.lock);
	err = upmem_locked_ioctl(rank, cmd, &arg);
	mutex_unlock(&rank->file.lock);
	if (!err && (_IOC_DIR(cmd) & _IOC_READ) &&
	    copy_to_user((void __user *)user, &arg, _IOC_SIZE(cmd)))
		return -EFAULT;
	return err;
}

static int upmem_open(struct inode *inode, struct file *file)
{
	struct mon_file *mf = mon_file_open(file);
	struct upmem_rank *rank = to_upmem_rank(mf);
	int err = 0;

	mutex_lock(&mf->lock);
	if (mf->shut == -ENODEV)
		err = -ENODEV;
	else if (rank->open)
		err = -EBUSY;
	else if (rank->lost)
		err = upmem_reset(rank);
	if (!err)
		rank->open = true;
	mutex_unlock(&mf->lock);
	if (err)
		mon_file_put(mf);
	return err;
}

/* The process has gone: its DPUs stop, and the memories are cleared. */
static int upmem_close(struct inode *inode, struct file *file)
{
	struct upmem_rank *rank = file->private_data;

	mutex_lock(&rank->file.lock);
	upmem_reset(rank);
	rank->open = false;
	mutex_unlock(&rank->file.lock);
	mon_file_put(&rank->file);
	return 0;
}

static const struct file_operations upmem_fops = {
	.owner = THIS_MODULE,
	.open = upmem_open,
	.release = upmem_close,
	.unlocked_ioctl = upmem_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static void upmem_irq(struct mon_file *mf)
{
	struct upmem_rank *rank = to_upmem_rank(mf);

	upmem_put(rank, UPMEM_IRQ, UPMEM_IRQ_IDLE);
	if (!upmem_get_mask(rank, UPMEM_RUNNING_LO))
		mon_run_end(&mf->run);
}

static int upmem_rank_start(struct mon_file *mf)
{
	struct upmem_rank *rank = to_upmem_rank(mf);

	rank->id = *(const struct upmem_id *)mf->hw->mp->id;
	rank->bounce = dma_alloc_coherent(mf->hw->dev, BOUNCE_SIZE, &rank->bounce_bus, GFP_KERNEL);
	if (!rank->bounce)
		return -ENOMEM;
	rank->state_size = upmem_get(rank, UPMEM_STATE_SIZE);
	return upmem_reset(rank);
}

static void upmem_rank_stop(struct mon_file *mf)
{
	struct upmem_rank *rank = to_upmem_rank(mf);

	upmem_put(rank, UPMEM_RESET, 1);
	mon_run_end(&mf->run);
	dma_free_coherent(mf->hw->dev, BOUNCE_SIZE, rank->bounce, rank->bounce_bus);
}

/* Requests that have the lock have ended; WAIT and later ones fail. */
static void upmem_rank_sleep(struct mon_file *mf, bool begins)
{
	if (!begins)
		return;
	to_upmem_rank(mf)->lost = true;
	mon_run_end(&mf->run);
}

static struct mon_file_type upmem_files = {
	.size = sizeof(struct upmem_rank),
	.first = "dpu_rank%d",
	.name = "dpu_rank%d",
	.fops = &upmem_fops,
	.irq = upmem_irq,
	.start = upmem_rank_start,
	.stop = upmem_rank_stop,
	.sleep = upmem_rank_sleep,
};
module_mon_file_driver(upmem_files, UPMEM_RANK_AUX_MATCH);
MODULE_ALIAS("auxiliary:" UPMEM_RANK_AUX_MATCH);

MODULE_DESCRIPTION("Launches programs on UPMEM DPU ranks");
MODULE_LICENSE("GPL");
