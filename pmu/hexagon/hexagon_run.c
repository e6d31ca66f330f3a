// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mailbox of the emulated Hexagon core, the auxiliary device that the driver of its PCI
 * function offers, as the character device /dev/hexagon, described in events/hexagon/uapi.h.
 */
#include <linux/auxiliary_bus.h>
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "../core/mon_file.h"
#include "hexagon.h"
#include "events/hexagon/uapi.h"

#define TRACE_SYSTEM hexagon_run
#define CREATE_TRACE_POINTS
#include "pmu/core/mon_run_trace.h"

static_assert(HEXAGON_RUN_REQUEST_MAX <= HEXAGON_REQUEST_MAX);
static_assert(HEXAGON_RUN_DATA_MAX == HEXAGON_OUTPUT_MAX);
static_assert(HEXAGON_RUN_FAILED == HEXAGON_STATUS_FAILED);

/*
 * How long the host may take to end a program that is cancelled. It begins with the first attempt:
 * the file is closed, and then the device may go, too.
 */
#define HEXAGON_CANCEL_TIMEOUT (4 * HZ)
/* How often to look where the machine has no message interrupts. */
#define HEXAGON_LOOK_INTERVAL (HZ / 50)

/**
 * struct hexagon_run - the mailbox of one device
 * @file: /dev/hexagon; its @wait is woken by each change of the device's state
 * @look: replaces the interrupt, if there is none, while there is an @owner
 * @owner: the file whose program runs, or has ended without its end being read
 * @cut: a reset or a sleep has ended the owner's program, which read() is to tell
 * @cancelled: the host was told to end the program
 * @cancel_end: in jiffies: the wait for that ends here
 * @data: one request or piece of output on its way
 */
struct hexagon_run {
	struct mon_file file;
	struct delayed_work look;
	struct file *owner;
	bool cut;
	bool cancelled;
	unsigned long cancel_end;
	u32 data[HEXAGON_RUN_DATA_MAX / 4];
};

static struct hexagon_run *to_hexagon_run(struct mon_file *mf)
{
	return container_of(mf, struct hexagon_run, file);
}

static void __iomem *hexagon_run_reg(const struct hexagon_run *run, unsigned int offset)
{
	return run->file.hw->regs + offset;
}

static void hexagon_run_look(struct work_struct *work)
{
	struct hexagon_run *run = container_of(to_delayed_work(work), struct hexagon_run, look);

	wake_up_all(&run->file.wait);
	if (READ_ONCE(run->owner))
		schedule_delayed_work(&run->look, HEXAGON_LOOK_INTERVAL);
}

/* A device that is just going reads as all ones; the lock keeps its registers mapped. */
static u32 hexagon_run_state(struct hexagon_run *run)
{
	u32 state;

	if (READ_ONCE(run->file.off))
		return 0;
	state = ioread32(hexagon_run_reg(run, HEXAGON_STATE));
	return state == ~0U ? 0 : state;
}

static void hexagon_run_command(struct hexagon_run *run, u32 command)
{
	iowrite32(command, hexagon_run_reg(run, HEXAGON_COMMAND));
}

static void hexagon_run_irq(struct mon_file *mf)
{
	if (hexagon_run_state(to_hexagon_run(mf)) & HEXAGON_STATE_ENDED)
		mon_run_end(&mf->run);
}

static bool hexagon_run_ready(struct mon_file *mf, u64 unused)
{
	struct hexagon_run *run = to_hexagon_run(mf);

	return run->file.shut == -ENODEV || run->cut ||
	       hexagon_run_state(run) & (HEXAGON_STATE_OUTPUT | HEXAGON_STATE_ENDED);
}

static int hexagon_run_open(struct inode *inode, struct file *file)
{
	mon_file_open(file);
	return stream_open(inode, file);
}

static bool hexagon_run_idle(struct hexagon_run *run)
{
	if (hexagon_run_state(run) & HEXAGON_STATE_OUTPUT)
		hexagon_run_command(run, HEXAGON_COMMAND_TAKEN);
	return !(hexagon_run_state(run) & HEXAGON_STATE_BUSY);
}

/* The device is free: others may wait for that. */
static void hexagon_run_disown(struct hexagon_run *run)
{
	WRITE_ONCE(run->owner, NULL);
	wake_up_all(&run->file.wait);
}

/* Kills the program, if there is one, and what it still says. Drops the lock while it waits. */
static void hexagon_run_cancel(struct hexagon_run *run)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	unsigned long now = jiffies;

	if (hexagon_run_idle(run))
		return;
	if (!run->cancelled)
		run->cancel_end = now + HEXAGON_CANCEL_TIMEOUT;
	run->cancelled = true;
	hexagon_run_command(run, HEXAGON_COMMAND_CANCEL);
	add_wait_queue(&run->file.wait, &wait);
	for (; !hexagon_run_idle(run) && time_before(now, run->cancel_end); now = jiffies) {
		mutex_unlock(&run->file.lock);
		wait_woken(&wait, TASK_UNINTERRUPTIBLE, run->cancel_end - now);
		mutex_lock(&run->file.lock);
	}
	remove_wait_queue(&run->file.wait, &wait);
	mon_run_end(&run->file.run);
}

/* The file goes: its program is killed and what it still says is dropped. */
static int hexagon_run_release(struct inode *inode, struct file *file)
{
	struct hexagon_run *run = file->private_data;

	mutex_lock(&run->file.lock);
	if (run->owner == file)
		hexagon_run_cancel(run);
	/* the device may have gone meanwhile */
	if (run->owner == file) {
		/* it has ended and no interrupt told: look now */
		mon_run_end(&run->file.run);
		run->cut = false;
		hexagon_run_disown(run);
	}
	mutex_unlock(&run->file.lock);
	mon_file_put(&run->file);
	return 0;
}

static int hexagon_run_begin(struct hexagon_run *run, struct file *file, const u32 *request,
			     size_t size)
{
	u32 state;

	if (run->file.shut)
		return run->file.shut;
	state = hexagon_run_state(run);
	if (run->owner || state & HEXAGON_STATE_BUSY)
		return -EBUSY;
	if (!(state & HEXAGON_STATE_HOST))
		return -ENOTCONN;
	__iowrite32_copy(hexagon_run_reg(run, HEXAGON_REQUEST), request, DIV_ROUND_UP(size, 4));
	iowrite32(size, hexagon_run_reg(run, HEXAGON_REQUEST_SIZE));
	run->cancelled = false;
	/* the interrupt of an earlier run may come only now */
	spin_lock_irq(&run->file.run_lock);
	mon_run_begin(&run->file.run, run->file.name, -1, kbasename((const char *)request));
	hexagon_run_command(run, HEXAGON_COMMAND_RUN);
	spin_unlock_irq(&run->file.run_lock);
	WRITE_ONCE(run->owner, file);
	if (!run->file.irq)
		schedule_delayed_work(&run->look, HEXAGON_LOOK_INTERVAL);
	return 0;
}

static ssize_t hexagon_run_write(struct file *file, const char __user *buf, size_t size,
				 loff_t *pos)
{
	struct hexagon_run *run = file->private_data;
	u32 *request;
	int err;

	if (!size || size > HEXAGON_RUN_REQUEST_MAX)
		return -EINVAL;
	request = kzalloc(ALIGN(size, sizeof(*request)), GFP_KERNEL);
	if (!request)
		return -ENOMEM;
	err = -EFAULT;
	if (copy_from_user(request, buf, size))
		goto out;
	err = -EINVAL;
	if (((char *)request)[size - 1])
		goto out;
	err = -ERESTARTSYS;
	if (mutex_lock_interruptible(&run->file.lock))
		goto out;
	err = hexagon_run_begin(run, file, request, size);
	mutex_unlock(&run->file.lock);
out:
	kfree(request);
	return err ? err : size;
}

/* Copies a record to user memory as far as that is there. */
static int hexagon_run_copy(struct hexagon_run *run, const struct hexagon_run_record *record,
			    char __user *buf)
{
	unsigned long missing;

	pagefault_disable();
	missing = copy_to_user(buf, record, sizeof(*record)) ?:
		  copy_to_user(buf + sizeof(*record), run->data, record->size);
	pagefault_enable();
	return missing ? -EFAULT : 0;
}

static u32 hexagon_run_type(u32 stream)
{
	if (stream == 1)
		return HEXAGON_RUN_STDOUT;
	return stream == 3 ? HEXAGON_RUN_MARKS : HEXAGON_RUN_STDERR;
}

/* One record, if there is one; 0 if there is none yet. -EFAULT: it is still there. */
static ssize_t hexagon_run_take(struct hexagon_run *run, char __user *buf)
{
	struct hexagon_run_record record = { };
	u32 state = hexagon_run_state(run);

	if (run->cut) {
		run->cut = false;
		hexagon_run_disown(run);
		return -EIO;
	}

	if (state & HEXAGON_STATE_OUTPUT) {
		record.type = hexagon_run_type(ioread32(hexagon_run_reg(run,
									HEXAGON_OUTPUT_STREAM)));
		record.size = min_t(u32, ioread32(hexagon_run_reg(run, HEXAGON_OUTPUT_SIZE)),
				    HEXAGON_RUN_DATA_MAX);
		__ioread32_copy(run->data, hexagon_run_reg(run, HEXAGON_OUTPUT),
				DIV_ROUND_UP(record.size, 4));
	} else if (state & HEXAGON_STATE_ENDED) {
		record.type = HEXAGON_RUN_END;
		record.status = ioread32(hexagon_run_reg(run, HEXAGON_STATUS));
	} else {
		return 0;
	}
	if (hexagon_run_copy(run, &record, buf))
		return -EFAULT;
	if (record.type == HEXAGON_RUN_END) {
		mon_run_end(&run->file.run);
		hexagon_run_disown(run);
	} else {
		hexagon_run_command(run, HEXAGON_COMMAND_TAKEN);
	}
	return sizeof(record) + record.size;
}

static ssize_t hexagon_run_read(struct file *file, char __user *buf, size_t size, loff_t *pos)
{
	struct hexagon_run *run = file->private_data;
	ssize_t ret;

	if (size < HEXAGON_RUN_RECORD_MAX)
		return -EINVAL;
	for (;;) {
		if (mutex_lock_interruptible(&run->file.lock))
			return -ERESTARTSYS;
		if (run->file.shut == -ENODEV)
			ret = -ENODEV;
		else if (run->owner != file)
			ret = 0;
		else
			ret = hexagon_run_take(run, buf) ?: -EAGAIN;
		mutex_unlock(&run->file.lock);
		if (ret == -EFAULT && !fault_in_writeable(buf, HEXAGON_RUN_RECORD_MAX) &&
		    !fatal_signal_pending(current))
			continue;
		if (ret != -EAGAIN || file->f_flags & O_NONBLOCK)
			return ret;
		/* until there is something to take */
		if (mon_file_wait(&run->file, hexagon_run_ready, 0, MAX_SCHEDULE_TIMEOUT))
			return -ERESTARTSYS;
	}
}

static __poll_t hexagon_run_poll(struct file *file, struct poll_table_struct *table)
{
	struct hexagon_run *run = file->private_data;
	__poll_t mask = 0;

	poll_wait(file, &run->file.wait, table);
	mutex_lock(&run->file.lock);
	if (run->file.shut == -ENODEV)
		mask = EPOLLERR | EPOLLHUP;
	else if (run->owner == file && hexagon_run_ready(&run->file, 0))
		mask = EPOLLIN | EPOLLRDNORM;
	else if (!run->owner)
		mask = EPOLLOUT | EPOLLWRNORM;
	mutex_unlock(&run->file.lock);
	return mask;
}

static const struct file_operations hexagon_run_fops = {
	.owner = THIS_MODULE,
	.open = hexagon_run_open,
	.release = hexagon_run_release,
	.read = hexagon_run_read,
	.write = hexagon_run_write,
	.poll = hexagon_run_poll,
};

static void hexagon_run_stop(struct mon_file *mf)
{
	struct hexagon_run *run = to_hexagon_run(mf);

	hexagon_run_cancel(run);
	run->owner = NULL;
	cancel_delayed_work_sync(&run->look);
}

/* A program does not outlive the sleep of its core. */
static void hexagon_run_sleep(struct mon_file *mf, bool begins)
{
	struct hexagon_run *run = to_hexagon_run(mf);

	if (!begins)
		return;
	hexagon_run_cancel(run);
	run->cut = run->owner;
	cancel_delayed_work_sync(&run->look);
}

/* Ends a program that an earlier driver left running. */
static int hexagon_run_start(struct mon_file *mf)
{
	INIT_DELAYED_WORK(&to_hexagon_run(mf)->look, hexagon_run_look);
	hexagon_run_cancel(to_hexagon_run(mf));
	return 0;
}

static struct mon_file_type hexagon_run_files = {
	.size = sizeof(struct hexagon_run),
	.first = "hexagon",
	.name = "hexagon_%d",
	.fops = &hexagon_run_fops,
	.irq = hexagon_run_irq,
	.start = hexagon_run_start,
	.stop = hexagon_run_stop,
	.sleep = hexagon_run_sleep,
};
module_mon_file_driver(hexagon_run_files, HEXAGON_RUN_AUX_MATCH);
MODULE_ALIAS("auxiliary:" HEXAGON_RUN_AUX_MATCH);

MODULE_DESCRIPTION("Runs programs on a Hexagon core");
MODULE_LICENSE("GPL");
