// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mailbox of the emulated Hexagon core, the auxiliary device that the driver of its PCI
 * function offers, as the character device /dev/hexagon, described in events/hexagon/uapi.h.
 */
#include <linux/auxiliary_bus.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/kref.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

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
 * @misc: /dev/hexagon
 * @ref: files hold a reference, so that it outlives the device
 * @lock: the registers and the members below; user memory is not faulted in under it, because that
 * may never end and remove() takes the lock
 * @wait: woken by each change of the device's state
 * @regs: BAR0, not to be touched once @gone, nor while @asleep
 * @irq: its interrupt, or 0
 * @number: of @misc
 * @look: stands in for the interrupt, if there is none, while there is an @owner
 * @owner: the file whose program runs, or has ended without its end being read
 * @gone: the device was removed
 * @asleep: it sleeps, or a reset goes on
 * @cut: one of these has ended the owner's program, which read() is to tell
 * @cancelled: the host was told to end the program
 * @cancel_end: in jiffies: nobody waits longer for that
 * @trace_lock: a start and its begin are one to the interrupt
 * @trace: the program that runs, for the tracepoints
 * @name: of @misc
 * @data: one request or piece of output on its way
 */
struct hexagon_run {
	struct miscdevice misc;
	struct kref ref;
	struct mutex lock;	/* see above */
	wait_queue_head_t wait;
	void __iomem *regs;
	int irq;
	int number;
	struct delayed_work look;
	struct file *owner;
	bool gone;
	bool asleep;
	bool cut;
	bool cancelled;
	unsigned long cancel_end;
	spinlock_t trace_lock;		/* see above */
	struct mon_run trace;
	char name[20];
	u32 data[HEXAGON_RUN_DATA_MAX / 4];
};

static DEFINE_IDA(hexagon_run_ida);

static void hexagon_run_free(struct kref *ref)
{
	kfree(container_of(ref, struct hexagon_run, ref));
}

static void hexagon_run_look(struct work_struct *work)
{
	struct hexagon_run *run = container_of(to_delayed_work(work), struct hexagon_run, look);

	wake_up_all(&run->wait);
	if (READ_ONCE(run->owner))
		schedule_delayed_work(&run->look, HEXAGON_LOOK_INTERVAL);
}

/* A device that is just going reads as all ones; the lock keeps its registers mapped. */
static u32 hexagon_run_state(struct hexagon_run *run)
{
	u32 state;

	if (READ_ONCE(run->gone) || READ_ONCE(run->asleep))
		return 0;
	state = ioread32(run->regs + HEXAGON_STATE);
	return state == ~0U ? 0 : state;
}

static irqreturn_t hexagon_run_irq(int irq, void *data)
{
	struct hexagon_run *run = data;

	spin_lock(&run->trace_lock);
	if (hexagon_run_state(run) & HEXAGON_STATE_ENDED)
		mon_run_end(&run->trace);
	spin_unlock(&run->trace_lock);
	wake_up_all(&run->wait);
	return IRQ_HANDLED;
}

static bool hexagon_run_ready(struct hexagon_run *run)
{
	return READ_ONCE(run->gone) || READ_ONCE(run->cut) ||
	       hexagon_run_state(run) & (HEXAGON_STATE_OUTPUT | HEXAGON_STATE_ENDED);
}

static int hexagon_run_open(struct inode *inode, struct file *file)
{
	struct hexagon_run *run = container_of(file->private_data, struct hexagon_run, misc);

	kref_get(&run->ref);
	file->private_data = run;
	return stream_open(inode, file);
}

static bool hexagon_run_idle(struct hexagon_run *run)
{
	if (READ_ONCE(run->gone))
		return true;
	if (hexagon_run_state(run) & HEXAGON_STATE_OUTPUT)
		iowrite32(HEXAGON_COMMAND_TAKEN, run->regs + HEXAGON_COMMAND);
	return !(hexagon_run_state(run) & HEXAGON_STATE_BUSY);
}

/* The device is free: others may wait for that. */
static void hexagon_run_disown(struct hexagon_run *run)
{
	WRITE_ONCE(run->owner, NULL);
	wake_up_all(&run->wait);
}

/* Kills the program, if there is one, and drops what it still says. */
static void hexagon_run_cancel(struct hexagon_run *run)
{
	unsigned long now = jiffies;

	if (run->gone || !(hexagon_run_state(run) & HEXAGON_STATE_BUSY))
		return;
	if (!run->cancelled)
		run->cancel_end = now + HEXAGON_CANCEL_TIMEOUT;
	run->cancelled = true;
	iowrite32(HEXAGON_COMMAND_CANCEL, run->regs + HEXAGON_COMMAND);
	if (time_before(now, run->cancel_end))
		wait_event_timeout(run->wait, hexagon_run_idle(run), run->cancel_end - now);
	mon_run_end(&run->trace);
}

/* The file goes: its program is killed and what it still says is dropped. */
static int hexagon_run_release(struct inode *inode, struct file *file)
{
	struct hexagon_run *run = file->private_data;

	mutex_lock(&run->lock);
	if (run->owner == file) {
		hexagon_run_cancel(run);
		/* it had ended, and nobody has looked, where no interrupt tells */
		mon_run_end(&run->trace);
		run->cut = false;
		hexagon_run_disown(run);
	}
	mutex_unlock(&run->lock);
	kref_put(&run->ref, hexagon_run_free);
	return 0;
}

static int hexagon_run_begin(struct hexagon_run *run, struct file *file, const u32 *request,
			     size_t size)
{
	u32 state;
	size_t i;

	if (run->gone)
		return -ENODEV;
	if (run->asleep)
		return -EIO;
	state = hexagon_run_state(run);
	if (run->owner || state & HEXAGON_STATE_BUSY)
		return -EBUSY;
	if (!(state & HEXAGON_STATE_HOST))
		return -ENOTCONN;
	for (i = 0; i < DIV_ROUND_UP(size, 4); i++)
		iowrite32(le32_to_cpu((__force __le32)request[i]),
			  run->regs + HEXAGON_REQUEST + 4 * i);
	iowrite32(size, run->regs + HEXAGON_REQUEST_SIZE);
	run->cancelled = false;
	/* the interrupt of an earlier run may come only now */
	spin_lock_irq(&run->trace_lock);
	mon_run_begin(&run->trace, run->name, -1, kbasename((const char *)request));
	iowrite32(HEXAGON_COMMAND_RUN, run->regs + HEXAGON_COMMAND);
	spin_unlock_irq(&run->trace_lock);
	WRITE_ONCE(run->owner, file);
	if (!run->irq)
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
	if (mutex_lock_interruptible(&run->lock))
		goto out;
	err = hexagon_run_begin(run, file, request, size);
	mutex_unlock(&run->lock);
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
	switch (stream) {
	case 1:
		return HEXAGON_RUN_STDOUT;
	case 3:
		return HEXAGON_RUN_MARKS;
	default:
		return HEXAGON_RUN_STDERR;
	}
}

/* One record, if there is one; 0 if there is none yet. -EFAULT: it is still there. */
static ssize_t hexagon_run_take(struct hexagon_run *run, char __user *buf)
{
	struct hexagon_run_record record = { };
	u32 state = hexagon_run_state(run);
	size_t i;

	if (run->cut) {
		run->cut = false;
		hexagon_run_disown(run);
		return -EIO;
	}

	if (state & HEXAGON_STATE_OUTPUT) {
		record.type = hexagon_run_type(ioread32(run->regs + HEXAGON_OUTPUT_STREAM));
		record.size = min_t(u32, ioread32(run->regs + HEXAGON_OUTPUT_SIZE),
				    HEXAGON_RUN_DATA_MAX);
		for (i = 0; i < DIV_ROUND_UP(record.size, 4); i++)
			run->data[i] = (__force u32)cpu_to_le32(ioread32(run->regs +
									HEXAGON_OUTPUT + 4 * i));
	} else if (state & HEXAGON_STATE_ENDED) {
		record.type = HEXAGON_RUN_END;
		record.status = ioread32(run->regs + HEXAGON_STATUS);
	} else {
		return 0;
	}
	if (hexagon_run_copy(run, &record, buf))
		return -EFAULT;
	if (record.type == HEXAGON_RUN_END) {
		mon_run_end(&run->trace);
		hexagon_run_disown(run);
	} else {
		iowrite32(HEXAGON_COMMAND_TAKEN, run->regs + HEXAGON_COMMAND);
	}
	return sizeof(record) + record.size;
}

/* Until there is something to take. The lock, which may sleep, is for each look. */
static int hexagon_run_wait(struct hexagon_run *run)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	bool ready = false;

	add_wait_queue(&run->wait, &wait);
	while (!signal_pending(current)) {
		mutex_lock(&run->lock);
		ready = hexagon_run_ready(run);
		mutex_unlock(&run->lock);
		if (ready)
			break;
		wait_woken(&wait, TASK_INTERRUPTIBLE, MAX_SCHEDULE_TIMEOUT);
	}
	remove_wait_queue(&run->wait, &wait);
	return ready ? 0 : -ERESTARTSYS;
}

static ssize_t hexagon_run_read(struct file *file, char __user *buf, size_t size, loff_t *pos)
{
	struct hexagon_run *run = file->private_data;
	ssize_t ret;

	if (size < HEXAGON_RUN_RECORD_MAX)
		return -EINVAL;
	for (;;) {
		if (mutex_lock_interruptible(&run->lock))
			return -ERESTARTSYS;
		if (run->gone)
			ret = -ENODEV;
		else if (run->owner != file)
			ret = 0;
		else
			ret = hexagon_run_take(run, buf) ?: -EAGAIN;
		mutex_unlock(&run->lock);
		if (ret == -EFAULT && !fault_in_writeable(buf, HEXAGON_RUN_RECORD_MAX) &&
		    !fatal_signal_pending(current))
			continue;
		if (ret != -EAGAIN || file->f_flags & O_NONBLOCK)
			return ret;
		if (hexagon_run_wait(run))
			return -ERESTARTSYS;
	}
}

static __poll_t hexagon_run_poll(struct file *file, struct poll_table_struct *table)
{
	struct hexagon_run *run = file->private_data;
	__poll_t mask = 0;

	poll_wait(file, &run->wait, table);
	mutex_lock(&run->lock);
	if (run->gone)
		mask = EPOLLERR | EPOLLHUP;
	else if (run->owner == file && hexagon_run_ready(run))
		mask = EPOLLIN | EPOLLRDNORM;
	else if (!run->owner)
		mask = EPOLLOUT | EPOLLWRNORM;
	mutex_unlock(&run->lock);
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

/* A program does not outlive the sleep of its core. */
static void hexagon_run_sleep(struct hexagon_run *run, bool begins)
{
	mutex_lock(&run->lock);
	if (begins) {
		hexagon_run_cancel(run);
		WRITE_ONCE(run->cut, !!run->owner);
	}
	WRITE_ONCE(run->asleep, begins);
	mutex_unlock(&run->lock);
	if (begins)
		cancel_delayed_work_sync(&run->look);
	wake_up_all(&run->wait);
}

static void hexagon_run_reset(struct auxiliary_device *aux, bool begins)
{
	hexagon_run_sleep(auxiliary_get_drvdata(aux), begins);
}

static int hexagon_run_probe(struct auxiliary_device *aux, const struct auxiliary_device_id *id)
{
	struct mon_pci_dev *hw = to_mon_pci_dev(aux);
	struct hexagon_run *run;
	int err;

	run = kzalloc(sizeof(*run), GFP_KERNEL);
	if (!run)
		return -ENOMEM;
	kref_init(&run->ref);
	mutex_init(&run->lock);
	spin_lock_init(&run->trace_lock);
	init_waitqueue_head(&run->wait);
	INIT_DELAYED_WORK(&run->look, hexagon_run_look);
	run->regs = hw->regs;
	run->irq = hw->irq;
	run->number = ida_alloc(&hexagon_run_ida, GFP_KERNEL);
	if (run->number < 0) {
		err = run->number;
		goto err_free;
	}
	if (run->number)
		snprintf(run->name, sizeof(run->name), "hexagon_%d", run->number);
	else
		strscpy(run->name, "hexagon", sizeof(run->name));
	run->misc.minor = MISC_DYNAMIC_MINOR;
	run->misc.name = run->name;
	run->misc.fops = &hexagon_run_fops;
	run->misc.parent = &aux->dev;
	if (run->irq) {
		err = request_irq(run->irq, hexagon_run_irq, 0, "hexagon", run);
		if (err)
			goto err_ida;
	}
	/* a program that an earlier driver left behind */
	hexagon_run_cancel(run);
	err = misc_register(&run->misc);
	if (err)
		goto err_irq;
	auxiliary_set_drvdata(aux, run);
	hw->reset = hexagon_run_reset;
	return 0;

err_irq:
	if (run->irq)
		free_irq(run->irq, run);
err_ida:
	ida_free(&hexagon_run_ida, run->number);
err_free:
	kfree(run);
	return err;
}

static void hexagon_run_remove(struct auxiliary_device *aux)
{
	struct hexagon_run *run = auxiliary_get_drvdata(aux);

	to_mon_pci_dev(aux)->reset = NULL;
	mutex_lock(&run->lock);
	hexagon_run_cancel(run);
	WRITE_ONCE(run->gone, true);
	WRITE_ONCE(run->owner, NULL);
	mutex_unlock(&run->lock);
	cancel_delayed_work_sync(&run->look);
	wake_up_all(&run->wait);
	misc_deregister(&run->misc);
	if (run->irq)
		free_irq(run->irq, run);
	ida_free(&hexagon_run_ida, run->number);
	kref_put(&run->ref, hexagon_run_free);
}

static int __maybe_unused hexagon_run_suspend(struct device *dev)
{
	hexagon_run_sleep(dev_get_drvdata(dev), true);
	return 0;
}

static int __maybe_unused hexagon_run_resume(struct device *dev)
{
	hexagon_run_sleep(dev_get_drvdata(dev), false);
	return 0;
}

static SIMPLE_DEV_PM_OPS(hexagon_run_pm_ops, hexagon_run_suspend, hexagon_run_resume);

static const struct auxiliary_device_id hexagon_run_ids[] = {
	{ .name = HEXAGON_RUN_AUX_MATCH },
	{ }
};
MODULE_DEVICE_TABLE(auxiliary, hexagon_run_ids);

static struct auxiliary_driver hexagon_run_driver = {
	.probe = hexagon_run_probe,
	.remove = hexagon_run_remove,
	.id_table = hexagon_run_ids,
	.driver.pm = &hexagon_run_pm_ops,
};
module_auxiliary_driver(hexagon_run_driver);

MODULE_DESCRIPTION("Runs programs on a Hexagon core");
MODULE_LICENSE("GPL");
