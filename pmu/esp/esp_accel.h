/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * esp_accel: runs the accelerators of an ESP SoC for user programs.
 *
 * Life times: the struct device of a SoC's /dev/contig_alloc counts the references to struct
 * esp_soc, that of /dev/<accelerator>.N those to struct esp_acc, which holds one to its SoC. Both
 * may outlive the hardware while files are open or buffers are mapped.
 *
 * Locks, outermost first: esp_soc.gate (read: hardware may be used; write: removal, reset, sleep),
 * esp_soc.flush_lock. esp_soc.mem_lock nests in both of them and in mmap_lock, so that user memory
 * is touched under none of them. No code waits for a run, or for a task that may be frozen, under a
 * lock.
 */
#ifndef ESP_ACCEL_H
#define ESP_ACCEL_H

#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>
#include <linux/wait.h>
#include <linux/xarray.h>

#include "esp_soc.h"
#include "events/esp/uapi.h"
#include "pmu/core/mon_run.h"

struct esp_acc;
struct esp_contig;
struct esp_contig_file;

/**
 * struct esp_soc - one SoC
 * @dev:	/dev/contig_alloc
 * @cdev:	its character device
 * @hw:		the hardware, valid inside the gate; NULL when it has gone
 * @gate:	held for reading wherever @hw is used
 * @gone:	set at removal: all who wait give up, but for those whose run has ended
 * @asleep:	set while the device sleeps or is reset, with the same effect
 * @number:	of the SoC, 0 is the first
 * @p2p_wq:	woken when a run begins whose output another accelerator takes
 * @naccs:	entries of @accs
 * @accs:	the accelerators that have a device file
 * @used:	chunks in use on each memory tile
 * @contigs:	all buffers
 * @handles:	number in the user's khandle -> buffer
 */
struct esp_soc {
	struct device dev;
	struct cdev cdev;
	struct esp_soc_dev *hw;
	struct rw_semaphore gate;
	bool gone;
	bool asleep;
	int number;
	/** @flush_lock: one flush of the caches at a time */
	struct mutex flush_lock;
	wait_queue_head_t p2p_wq;
	/** @p2p_lock: protects esp_acc.p2p of all accelerators */
	spinlock_t p2p_lock;
	unsigned int naccs;
	struct esp_acc **accs;
	atomic_t used[ESP_MAX_MEMS];
	/** @mem_lock: protects the members below; no chunk is allocated under it */
	struct mutex mem_lock;
	struct list_head contigs;
	struct xarray handles;
};

/**
 * struct esp_acc_type - what differs between accelerators
 * @row:	its row of accelerators.def
 * @access_cmd:	access ioctl
 * @access_size: size of its argument, which begins with struct esp_access
 */
struct esp_acc_type {
	const struct esp_acc_row *row;
	unsigned int access_cmd;
	size_t access_size;
};

/* 0 or -EINVAL: are the parameters good for a buffer of that size? */
int esp_acc_check(const struct esp_acc *acc, const void *access, u64 bytes);
/* Where the accelerator finds its input and its output, from the begin of the buffer. */
void esp_acc_offsets(struct esp_acc *acc, u32 src, u32 dst);
/* Writes the user registers and the offsets. */
void esp_acc_program(struct esp_acc *acc, const void *access);
/*
 * A row of accelerators.def, or one made of what the device or its tree says, which is its
 * accelerator's own; NULL: none.
 */
const struct esp_acc_type *esp_acc_type_get(const struct esp_acc_info *info);
void esp_acc_type_put(const struct esp_acc_type *type);

/* As many as the argument of ESP's ioctl has room for. */
#define ESP_P2P_SOURCES	4

/**
 * struct esp_p2p - the partners of a run
 * @user:	whose run it is
 * @storing:	it goes on, and another accelerator takes its output
 * @source:	accelerators whose output it takes
 * @nsources:	their number
 * @named:	bit i: @source[i] is allowed because its run is the same user's, not by a descriptor
 */
struct esp_p2p {
	kuid_t user;
	bool storing;
	const struct esp_acc *source[ESP_P2P_SOURCES];
	unsigned int nsources;
	unsigned int named;
};

/**
 * struct esp_acc - one accelerator
 * @dev:	/dev/<type>.<number>
 * @cdev:	its character device
 * @soc:	holds a reference
 * @type:	see there
 * @info:	its entry in the hardware description
 * @regs:	its registers
 * @node:	in the list of all accelerators
 * @number:	N in /dev/<name>.N: the first that no other one of that name has
 * @nchunk_max:	most chunks of a buffer; 0: no scatter and gather, one chunk at a fixed address
 * @busy:	bit 0: a task has the accelerator
 * @wq:		the running task
 * @p2p:	partners of the run
 * @done:	set by the interrupt
 * @failed:	its accelerator could not go on
 * @run:	what the tracepoints show of the run
 * @pt:		page table, @nchunk_max words of the SoC's width
 * @pt_dma:	its bus address
 * @base:	without scatter and gather: bus address of the buffer, else 0
 * @contig:	buffer of the run, or of one that did not stop when told to; with a reference, and
 *		changed inside the gate
 */
struct esp_acc {
	struct device dev;
	struct cdev cdev;
	struct esp_soc *soc;
	const struct esp_acc_type *type;
	const struct esp_acc_info *info;
	void __iomem *regs;
	struct list_head node;
	unsigned int number;
	u32 nchunk_max;
	unsigned long busy;
	wait_queue_head_t wq;
	struct esp_p2p p2p;
	bool done;
	bool failed;
	struct mon_run run;
	void *pt;
	dma_addr_t pt_dma;
	u32 base;
	struct esp_contig *contig;
};

/* esp_accel_run.c: hardware */
int esp_acc_hw_init(struct esp_acc *acc);
void esp_acc_hw_exit(struct esp_acc *acc);
int esp_acc_suspend(struct esp_acc *acc, unsigned long end);
int esp_acc_run(struct esp_acc *acc, const struct esp_access *access, struct esp_contig *contig,
		struct esp_acc *const *allowed);
int esp_acc_flush(struct esp_acc *acc, const struct esp_access *access, struct esp_contig *contig);

static inline void esp_acc_write(struct esp_acc *acc, u32 reg, u32 value)
{
	esp_reg_write(value, acc->regs + reg);
}

static inline u32 esp_acc_read(struct esp_acc *acc, u32 reg)
{
	return esp_reg_read(acc->regs + reg);
}

/**
 * struct esp_chunk - a physically contiguous piece of a buffer
 * @phys:	its address for the processor, unless it comes from the DMA API
 * @dma:	its address for the accelerators
 * @page:	first page, NULL if it comes from a reserved pool or the DMA API
 * @map:	what the DMA API calls it, else NULL
 * @node:	memory tile
 */
struct esp_chunk {
	phys_addr_t phys;
	dma_addr_t dma;
	struct page *page;
	void *map;
	unsigned int node;
};

/**
 * struct esp_contig - a buffer
 * @ref:	the handle, each mapping and each run have one
 * @soc:	holds a reference
 * @soc_node:	in esp_soc.contigs
 * @file:	the file that allocated it, whose limit counts its chunks; a reference
 * @file_node:	in the list of @file, while it has a handle
 * @owner:	the process that allocated it: only that one may name it by its handle
 * @id:		the handle
 * @unmapped:	the hardware went away: no bus addresses any more
 * @most_allocated: memory tile that has the most chunks
 * @n:		number of chunks
 * @chunk:	the chunks
 */
struct esp_contig {
	struct kref ref;
	struct esp_soc *soc;
	struct list_head soc_node;
	struct esp_contig_file *file;
	struct list_head file_node;
	struct pid *owner;
	u32 id;
	bool unmapped;
	int most_allocated;
	unsigned int n;
	struct esp_chunk chunk[];
};

/* esp_accel_p2p.c: accelerators that feed each other; inside the gate */
s64 esp_p2p_register(struct esp_acc *acc, const struct esp_access *access,
		     struct esp_acc *const *allowed);
int esp_p2p_begin(struct esp_acc *acc, const struct esp_access *access, unsigned int timeout_ms);
void esp_p2p_end(struct esp_acc *acc);

/* esp_accel_file.c: an accelerator's device file */
extern const struct file_operations esp_acc_fops;

/* esp_accel_contig.c: buffers */
extern const struct file_operations esp_contig_fops;
extern unsigned long esp_chunk_log;

/* The caller's buffer of that handle with a reference, or NULL. */
struct esp_contig *esp_contig_get(struct esp_soc *soc, struct contig_khandle_struct *khandle);
void esp_contig_put(struct esp_contig *contig);
/* For a buffer to which an accelerator may still write: it is neither unmapped nor freed. */
void esp_contig_abandon(struct esp_contig *contig);
void esp_contig_sync(struct esp_contig *contig, bool for_device);
/* At removal, when no caller is inside the gate. */
void esp_contig_unmap_all(struct esp_soc *soc);

static inline u64 esp_contig_bytes(const struct esp_contig *contig)
{
	return (u64)contig->n << esp_chunk_log;
}

/* esp_accel_mem.c: chunks */
int esp_pools_init(void);
void esp_pools_exit(void);
int esp_pool_add_reserved(phys_addr_t first, phys_addr_t end);
int esp_chunks_alloc(struct esp_soc *soc, const struct contig_alloc_params *params,
		     struct esp_contig *contig);
void esp_chunks_free(struct esp_contig *contig);
void esp_chunks_unmap(struct esp_contig *contig);

extern const struct dev_pm_ops esp_accel_pm_ops;

/* 0, or why the gate is closed: -ENODEV, the hardware is gone; -EIO, it sleeps. */
static inline int esp_soc_shut(const struct esp_soc *soc)
{
	if (READ_ONCE(soc->gone))
		return -ENODEV;
	return READ_ONCE(soc->asleep) ? -EIO : 0;
}

static inline void esp_soc_leave(struct esp_soc *soc)
{
	up_read(&soc->gate);
}

/* Enter the gate; an error if it is shut, and -EINTR for a task that is being killed. */
static inline int esp_soc_enter(struct esp_soc *soc)
{
	int ret;

	if (down_read_killable(&soc->gate))
		return -EINTR;
	ret = esp_soc_shut(soc);
	if (ret)
		esp_soc_leave(soc);
	return ret;
}

/* What all SoCs share: the pools, the class and the numbers of device files. */
int esp_devices_init(void);
void esp_devices_exit(void);

struct esp_soc *esp_accel_start(struct esp_soc_dev *hw, struct device *parent);
void esp_accel_stop(struct esp_soc *soc);
void esp_accel_shutdown(struct esp_soc *soc);
int esp_soc_halt(struct esp_soc *soc, unsigned int ms);

extern struct platform_driver esp_of_driver;

#endif
