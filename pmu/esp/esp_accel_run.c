// SPDX-License-Identifier: GPL-2.0-only
/*
 * One run of an accelerator: coherence and flushes, page table, registers, start, wait, abort.
 * The sequence is that of ESP's accelerator socket (esp_accelerator.h, acc_dma2noc.vhd).
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/iopoll.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/wait_bit.h>

#include "esp_accel.h"

#define TRACE_SYSTEM esp_accel
#define CREATE_TRACE_POINTS
#include "pmu/core/mon_run_trace.h"

/* The largest TLB generated so far has 256 entries; what is far beyond is not an ESP socket. */
#define MAX_NCHUNK	4096

/*
 * The hardware stops after the transfer in progress, a cache after writing its dirty lines. The
 * model's clock stops for 2.5 s, by default, while it waits for an accelerator's process.
 */
#define ABORT_TIMEOUT_US	500000
#define FLUSH_TIMEOUT_US	5000000

static unsigned int run_timeout_ms = 30000;
module_param(run_timeout_ms, uint, 0644);
MODULE_PARM_DESC(run_timeout_ms, "abort a run after that many milliseconds, 0: never (default 30000)");

static size_t pt_bytes(const struct esp_acc *acc)
{
	return (size_t)acc->nchunk_max * (acc->soc->hw->arch_bits / 8);
}

/* Without a run an interrupt is another device's, and the registers may have no power. */
static irqreturn_t esp_acc_irq(int irq, void *data)
{
	struct esp_acc *acc = data;
	u32 status;

	if (!atomic_read(&acc->run.running))
		return IRQ_NONE;
	status = esp_acc_read(acc, ESP_ACC_STATUS);
	if (status == U32_MAX || !(status & ESP_ACC_STATUS_DONE))
		return IRQ_NONE;
	acc->failed = status & ESP_ACC_STATUS_ERR;
	esp_acc_write(acc, ESP_ACC_CMD, 0);
	mon_run_end(&acc->run);
	/* pairs with esp_acc_look() */
	smp_store_release(&acc->done, true);
	wake_up(&acc->wq);
	return IRQ_HANDLED;
}

int esp_acc_hw_init(struct esp_acc *acc)
{
	struct device *dev = acc->soc->hw->dev;
	int ret;

	acc->nchunk_max = esp_acc_read(acc, ESP_ACC_PT_NCHUNK_MAX);
	if (acc->nchunk_max > MAX_NCHUNK) {
		dev_err(dev, "accelerator in tile %u: %u page table entries: not an ESP socket\n",
			acc->info->tile, acc->nchunk_max);
		return -EINVAL;
	}
	if (acc->nchunk_max) {
		acc->pt = dma_alloc_coherent(dev, pt_bytes(acc), &acc->pt_dma, GFP_KERNEL);
		if (!acc->pt)
			return -ENOMEM;
	}
	esp_acc_write(acc, ESP_ACC_CMD, 0);
	if (acc->info->irq > 0) {
		ret = request_irq(acc->info->irq, esp_acc_irq, IRQF_SHARED, "esp_accel", acc);
		if (ret) {
			dev_err(dev, "accelerator in tile %u: interrupt %d: %d\n",
				acc->info->tile, acc->info->irq, ret);
			if (acc->pt)
				dma_free_coherent(dev, pt_bytes(acc), acc->pt, acc->pt_dma);
			acc->pt = NULL;
		}
		return ret;
	}
	return 0;
}

static int esp_cache_flush_one(struct esp_soc *soc, u32 offset)
{
	void __iomem *regs = soc->hw->apb + offset;
	int ret = esp_soc_shut(soc);
	u32 status;

	if (ret)
		return ret;
	esp_reg_write(ESP_CACHE_CMD_FLUSH, regs + ESP_CACHE_CMD);
	if (readx_poll_timeout(esp_reg_read, regs + ESP_CACHE_STATUS, status,
			       status & ESP_CACHE_STATUS_DONE, 50, FLUSH_TIMEOUT_US)) {
		dev_err_ratelimited(soc->hw->dev, "cache controller 0x%x: flush does not end\n",
				    offset);
		ret = -EIO;
	}
	esp_reg_write(0, regs + ESP_CACHE_CMD);
	return ret;
}

/*
 * Private caches first: their dirty lines go to the LLC. A device that goes waits for the one cache
 * that is being flushed, neither for the others nor for what others want to be flushed.
 */
static int esp_cache_flush(struct esp_soc *soc, u32 mode)
{
	unsigned int i;
	int ret = 0;

	if (!(soc->hw->flags & ESP_TOPO_CACHES) || mode == ESP_COH_RECALL || mode == ESP_COH_FULL)
		return 0;
	if (mutex_lock_killable(&soc->flush_lock))
		return -EINTR;
	for (i = 0; i < soc->hw->ncpu && !ret; i++)
		ret = esp_cache_flush_one(soc, ESP_L2_CTRL + i * ESP_CACHE_CTRL_STRIDE);
	for (i = 0; i < soc->hw->nmem && !ret && mode == ESP_COH_NONE; i++)
		ret = esp_cache_flush_one(soc, ESP_LLC_CTRL + i * ESP_CACHE_CTRL_STRIDE);
	mutex_unlock(&soc->flush_lock);
	return ret;
}

/*
 * Data that fits in a private cache and is used again is best kept there. Data that fits in one LLC
 * bank is best recalled into it. Other data would only evict lines that others need.
 */
static u32 esp_coherence_auto(const struct esp_acc *acc, const struct esp_access *access, u64 bytes)
{
	const struct esp_soc_dev *hw = acc->soc->hw;
	u64 footprint = access->footprint ? access->footprint : bytes;
	u64 l2 = (u64)hw->acc_l2_sets * hw->acc_l2_ways * hw->line_bytes;
	u64 llc = (u64)hw->llc_sets * hw->llc_ways * hw->line_bytes;

	if (footprint < l2 && access->reuse_factor > 1 && !access->p2p_store && !access->p2p_nsrcs)
		return ESP_COH_FULL;
	return footprint < llc ? ESP_COH_RECALL : ESP_COH_NONE;
}

static int esp_coherence(const struct esp_acc *acc, const struct esp_access *access, u64 bytes)
{
	u32 mode;

	switch (access->coherence) {
	case ACC_COH_NONE:
	case ACC_COH_LLC:
	case ACC_COH_RECALL:
	case ACC_COH_FULL:
		mode = access->coherence;
		break;
	case ACC_COH_AUTO:
		mode = esp_coherence_auto(acc, access, bytes);
		break;
	default:
		return -EINVAL;
	}
	/* The socket does the same, but the flush has to know. */
	if (!(acc->soc->hw->flags & ESP_TOPO_CACHES))
		return ESP_COH_NONE;
	if (mode == ESP_COH_FULL && !acc->info->has_l2)
		return ESP_COH_RECALL;
	return mode;
}

static void esp_page_table(struct esp_acc *acc, const struct esp_contig *contig)
{
	unsigned int i;

	if (!acc->nchunk_max) {
		acc->base = contig->chunk[0].dma;
		return;
	}
	for (i = 0; i < contig->n; i++) {
		if (acc->soc->hw->arch_bits == 64)
			((u64 *)acc->pt)[i] = contig->chunk[i].dma;
		else
			((u32 *)acc->pt)[i] = contig->chunk[i].dma;
	}
	acc->base = 0;
	esp_acc_write(acc, ESP_ACC_PT_ADDRESS, acc->pt_dma);
	esp_acc_write(acc, ESP_ACC_PT_SHIFT, esp_chunk_log);
	esp_acc_write(acc, ESP_ACC_PT_NCHUNK, contig->n);
}

/* A device that was pulled out reads all ones, and does no DMA any more. */
static bool esp_acc_idle(struct esp_acc *acc)
{
	u32 status = esp_acc_read(acc, ESP_ACC_STATUS);

	return status == U32_MAX || !(status & (ESP_ACC_STATUS_RUN | ESP_ACC_STATUS_DONE));
}

/* The reset line, if there is one, twice at most; true if nothing runs then. */
static bool esp_acc_reset(struct esp_acc *acc)
{
	const struct esp_soc_dev *hw = acc->soc->hw;
	unsigned int tries;

	for (tries = 0; hw->topology && tries < 2 && !esp_acc_idle(acc); tries++)
		iowrite32(acc->info - hw->accs, hw->topology + ESP_TOPO_ACC_RESET);
	return esp_acc_idle(acc);
}

/*
 * Clearing CMD aborts, but not before the transfer in progress has ended, and it may still write to
 * the buffer until then. If it never ends (a partner that does not answer, an emptied TLB), only
 * the reset line helps. True: nothing runs any more. In either case no handler is left: one that
 * has read STATUS before would acknowledge the next run.
 */
static bool esp_acc_halt(struct esp_acc *acc)
{
	bool idle;

	esp_acc_write(acc, ESP_ACC_CMD, 0);
	read_poll_timeout(esp_acc_idle, idle, idle, 100, ABORT_TIMEOUT_US, false, acc);
	idle = idle || esp_acc_reset(acc);
	mon_run_end(&acc->run);
	if (acc->info->irq > 0)
		synchronize_irq(acc->info->irq);
	return idle;
}

/* The buffer of an accelerator that goes on is not given back. True: nothing runs any more. */
static bool esp_acc_stop(struct esp_acc *acc)
{
	if (!acc->contig)
		return true;
	if (!esp_acc_halt(acc)) {
		dev_err_ratelimited(&acc->dev, "does not stop; keeping its buffer\n");
		return false;
	}
	esp_contig_put(acc->contig);
	acc->contig = NULL;
	return true;
}

/*
 * Stops what runs, unless it ends by itself before END, in jiffies; its task learns of either when
 * it looks. Call it with the gate shut and empty. -EBUSY: it would write while the machine sleeps.
 */
int esp_acc_suspend(struct esp_acc *acc, unsigned long end)
{
	while (acc->contig && esp_acc_read(acc, ESP_ACC_CMD) &&
	       esp_acc_irq(0, acc) == IRQ_NONE && time_before(jiffies, end))
		usleep_range(10, 100);
	return esp_acc_stop(acc) ? 0 : -EBUSY;
}

/*
 * Call it when the gate is shut and empty. Memory to which an accelerator may still write is never
 * given to others, even after the driver has gone.
 */
void esp_acc_hw_exit(struct esp_acc *acc)
{
	int err = esp_acc_suspend(acc, jiffies);

	if (acc->info->irq > 0)
		free_irq(acc->info->irq, acc);
	if (err) {
		dev_err(&acc->dev, "still runs: its buffer and page table are lost\n");
		esp_contig_abandon(acc->contig);
		return;
	}
	if (acc->pt)
		dma_free_coherent(acc->soc->hw->dev, pt_bytes(acc), acc->pt, acc->pt_dma);
	acc->pt = NULL;
}

/* Nobody holds anything that others need: the task may be frozen for as long as a user likes. */
static void esp_acc_sleep(struct esp_acc *acc, unsigned long step)
{
	DEFINE_WAIT(wait);

	prepare_to_wait(&acc->wq, &wait, TASK_KILLABLE | TASK_FREEZABLE);
	if (!READ_ONCE(acc->done) && !esp_soc_shut(acc->soc) && !fatal_signal_pending(current))
		schedule_timeout(step);
	finish_wait(&acc->wq, &wait);
}

/* -EAGAIN: the run goes on. One that has ended is done, also if the gate was shut meanwhile. */
static int esp_acc_look(struct esp_acc *acc)
{
	u32 status;
	int ret;

	/* pairs with esp_acc_irq(): then acc->failed is this run's */
	if (smp_load_acquire(&acc->done))
		return 0;
	ret = esp_soc_shut(acc->soc);
	if (ret)
		return ret;
	status = esp_acc_read(acc, ESP_ACC_STATUS);
	if (status == U32_MAX)
		return -ENODEV;
	if (status & ESP_ACC_STATUS_DONE) {
		acc->failed = status & ESP_ACC_STATUS_ERR;
		return 0;
	}
	/* with CMD set it has not begun: a model's clock may be stopped */
	if (status & ESP_ACC_STATUS_RUN || esp_acc_read(acc, ESP_ACC_CMD))
		return -EAGAIN;
	/* it has just ended, or was stopped while this task slept */
	if (acc->info->irq > 0)
		synchronize_irq(acc->info->irq);
	return READ_ONCE(acc->done) ? 0 : -EIO;
}

/* Outside of the gate but for each look, so that a device that goes need not wait. */
static int esp_acc_wait(struct esp_acc *acc)
{
	unsigned long end = jiffies + msecs_to_jiffies(run_timeout_ms);
	/* Look at the register now and then: a lost interrupt costs time, not the run. */
	unsigned long step = acc->info->irq > 0 ? max(HZ / 10, 1) : 1;
	int ret;

	for (;;) {
		esp_acc_sleep(acc, step);
		if (down_read_killable(&acc->soc->gate))
			return -EINTR;
		ret = esp_acc_look(acc);
		esp_soc_leave(acc->soc);
		if (ret != -EAGAIN)
			return ret;
		if (fatal_signal_pending(current))
			return -EINTR;
		if (run_timeout_ms && time_after(jiffies, end))
			return -ETIMEDOUT;
	}
}

static const char *const esp_modes[] = {
	[ESP_COH_NONE] = "none", [ESP_COH_LLC] = "llc", [ESP_COH_RECALL] = "recall",
	[ESP_COH_FULL] = "full",
};

/* The mode of coherence and *p2p, the P2P register. */
static int esp_acc_prepare(struct esp_acc *acc, const struct esp_access *access,
			   struct esp_contig *contig, struct esp_acc *const *allowed, s64 *p2p)
{
	int mode = esp_coherence(acc, access, esp_contig_bytes(contig));

	if (mode < 0)
		return mode;
	/* an earlier run did not stop */
	if (acc->contig && (!esp_acc_idle(acc) || !esp_acc_stop(acc)))
		return -EIO;
	*p2p = esp_p2p_register(acc, access, allowed);
	if (*p2p < 0)
		return *p2p;
	/* The socket would ask its L2 instead of the other accelerator, and never end. */
	if (*p2p && mode == ESP_COH_FULL)
		return -EINVAL;
	return contig->n > max(acc->nchunk_max, 1U) ? -EINVAL : mode;
}

static int esp_acc_start(struct esp_acc *acc, const struct esp_access *access,
			 struct esp_contig *contig, int mode, u32 p2p)
{
	char about[MON_RUN_ABOUT];
	int ret;

	/* a write-back L1 cleans into the L2, so that comes first */
	esp_contig_sync(contig, true);
	ret = esp_cache_flush(acc->soc, mode);
	if (ret)
		return ret;
	/* A run that was cut off may have left the start bit, or still go on. */
	esp_acc_write(acc, ESP_ACC_CMD, 0);
	if (!esp_acc_reset(acc))
		return -EIO;
	acc->failed = false;
	WRITE_ONCE(acc->done, false);
	kref_get(&contig->ref);
	acc->contig = contig;
	esp_acc_write(acc, ESP_ACC_P2P, p2p);
	esp_page_table(acc, contig);
	esp_acc_write(acc, ESP_ACC_COHERENCE, mode);
	esp_acc_offsets(acc, 0, 0);
	esp_acc_program(acc, access);
	snprintf(about, sizeof(about), "%s, buffer %llu KiB", esp_modes[mode],
		 esp_contig_bytes(contig) / 1024);
	mon_run_begin(&acc->run, dev_name(&acc->dev), acc->info->tile, about);
	esp_acc_write(acc, ESP_ACC_CMD, 1);
	return 0;
}

/* What runs is this task's. A device that has gone or was asleep meanwhile has stopped it. */
static int esp_acc_end(struct esp_acc *acc, struct esp_contig *contig, int ret)
{
	down_read(&acc->soc->gate);
	if (acc->soc->hw) {
		esp_acc_stop(acc);
		esp_contig_sync(contig, false);
	}
	esp_soc_leave(acc->soc);
	if (!ret && acc->failed) {
		dev_dbg(&acc->dev, "the accelerator failed\n");
		ret = -EIO;
	}
	return ret;
}

/* Between its begin and its end a run waits outside of the gate. */
static int esp_acc_run_alone(struct esp_acc *acc, const struct esp_access *access,
			     struct esp_contig *contig, struct esp_acc *const *allowed)
{
	int ret = esp_soc_enter(acc->soc), mode;
	s64 p2p;

	if (ret)
		return ret;
	mode = esp_acc_prepare(acc, access, contig, allowed, &p2p);
	esp_soc_leave(acc->soc);
	if (mode < 0)
		return mode;
	ret = esp_p2p_begin(acc, access, run_timeout_ms);
	if (ret)
		return ret;
	ret = esp_soc_enter(acc->soc);
	if (!ret) {
		ret = esp_acc_start(acc, access, contig, mode, p2p);
		esp_soc_leave(acc->soc);
		if (!ret)
			ret = esp_acc_end(acc, contig, esp_acc_wait(acc));
	}
	esp_p2p_end(acc);
	return ret;
}

/*
 * Call it outside of the gate. allowed: ESP_P2P_SOURCES accelerators whose output the caller may
 * take, or NULL in their place
 */
int esp_acc_run(struct esp_acc *acc, const struct esp_access *access, struct esp_contig *contig,
		struct esp_acc *const *allowed)
{
	int ret;

	if (wait_on_bit_lock(&acc->busy, 0, TASK_INTERRUPTIBLE))
		return -ERESTARTSYS;
	ret = esp_acc_run_alone(acc, access, contig, allowed);
	clear_and_wake_up_bit(0, &acc->busy);
	return ret;
}

int esp_acc_flush(struct esp_acc *acc, const struct esp_access *access, struct esp_contig *contig)
{
	int mode = ESP_COH_NONE;

	if (access) {
		mode = esp_coherence(acc, access, esp_contig_bytes(contig));
		if (mode < 0)
			return mode;
		esp_contig_sync(contig, true);
	}
	return esp_cache_flush(acc->soc, mode);
}
