// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accelerators that feed each other. A program may take the output of an accelerator whose device
 * file it has open, and that of a run of its own user.
 */
#include <linux/cred.h>
#include <linux/jiffies.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "esp_accel.h"

#define P2P_SRC_IS_P2P	0x4
#define P2P_DST_IS_P2P	0x8
#define P2P_FIRST_SRC	4

static struct esp_acc *esp_acc_by_name(struct esp_soc *soc, const char *name)
{
	unsigned int i;

	for (i = 0; i < soc->naccs; i++)
		if (!strcmp(dev_name(&soc->accs[i]->dev), name))
			return soc->accs[i];
	return NULL;
}

static bool esp_p2p_allowed(const struct esp_acc *src, struct esp_acc *const *allowed)
{
	unsigned int i;

	for (i = 0; i < ESP_P2P_SOURCES; i++)
		if (allowed[i] == src)
			return true;
	return false;
}

/*
 * The P2P register, or a negative errno; acc->p2p has the sources then. They are given by the
 * {Y, X} of their tile. Call it inside the gate.
 */
s64 esp_p2p_register(struct esp_acc *acc, const struct esp_access *access,
		     struct esp_acc *const *allowed)
{
	const struct esp_soc_dev *hw = acc->soc->hw;
	unsigned int yx = hw->coh_noc_width == 32 || hw->dma_noc_width == 32 ? 3 : 4;
	struct esp_p2p p2p = { .user = current_euid() };
	unsigned int i, shift;
	u32 reg = 0;

	if (access->p2p_mcast_dests > 1 || access->ndev_yx_table)
		return -EOPNOTSUPP;
	if (access->p2p_store)
		reg |= P2P_DST_IS_P2P;
	/* Four sources do not fit in the register if a coordinate takes four bits. */
	if (access->p2p_nsrcs > ESP_P2P_SOURCES ||
	    P2P_FIRST_SRC + 2 * yx * access->p2p_nsrcs > 32)
		return -EINVAL;
	if (access->p2p_nsrcs)
		reg |= P2P_SRC_IS_P2P | (access->p2p_nsrcs - 1);
	for (i = 0; i < access->p2p_nsrcs; i++) {
		char name[sizeof(access->p2p_srcs[i]) + 1] = {};
		struct esp_acc *src;

		memcpy(name, access->p2p_srcs[i], sizeof(access->p2p_srcs[i]));
		src = esp_acc_by_name(acc->soc, name);
		if (!src)
			return -ENODEV;
		p2p.source[p2p.nsources] = src;
		if (!esp_p2p_allowed(src, allowed))
			p2p.named |= BIT(p2p.nsources);
		p2p.nsources++;
		shift = P2P_FIRST_SRC + 2 * yx * i;
		/* The register wants X below Y, which is also how the tile shows its own place. */
		reg |= (esp_acc_read(src, ESP_ACC_YX) & (BIT(2 * yx) - 1)) << shift;
	}
	spin_lock(&acc->soc->p2p_lock);
	acc->p2p = p2p;
	/* while it waits it takes nothing from them */
	acc->p2p.nsources = 0;
	spin_unlock(&acc->soc->p2p_lock);
	return reg;
}

/* Does a run of another user, which only named acc, wait for acc's output? */
static bool esp_p2p_is_awaited(const struct esp_acc *acc)
{
	unsigned int i, k;

	for (i = 0; i < acc->soc->naccs; i++) {
		const struct esp_p2p *p2p = &acc->soc->accs[i]->p2p;

		for (k = 0; k < p2p->nsources; k++)
			if (p2p->source[k] == acc && p2p->named & BIT(k) &&
			    !uid_eq(p2p->user, acc->p2p.user))
				return true;
	}
	return false;
}

/* 0: the run may begin; -EAGAIN: a source does not store yet. */
static int esp_p2p_try(struct esp_acc *acc, unsigned int nsources, bool store)
{
	unsigned int i;
	int ret = 0;

	spin_lock(&acc->soc->p2p_lock);
	for (i = 0; i < nsources && !ret; i++) {
		const struct esp_p2p *src = &acc->p2p.source[i]->p2p;

		if (acc->p2p.named & BIT(i) &&
		    !(src->storing && uid_eq(src->user, acc->p2p.user)))
			ret = -EAGAIN;
	}
	if (!ret && store && esp_p2p_is_awaited(acc))
		ret = -EBUSY;
	if (!ret) {
		acc->p2p.nsources = nsources;
		acc->p2p.storing = store;
	}
	spin_unlock(&acc->soc->p2p_lock);
	return ret;
}

/*
 * Waits for the sources that are only named, which may take long: call it outside of the gate.
 * After it, others may take from this run.
 */
int esp_p2p_begin(struct esp_acc *acc, const struct esp_access *access, unsigned int timeout_ms)
{
	unsigned long end = jiffies + msecs_to_jiffies(timeout_ms);
	struct esp_soc *soc = acc->soc;
	DEFINE_WAIT(wait);
	int ret;

	for (;;) {
		prepare_to_wait(&soc->p2p_wq, &wait, TASK_KILLABLE | TASK_FREEZABLE);
		ret = esp_p2p_try(acc, access->p2p_nsrcs, access->p2p_store);
		if (ret == -EAGAIN)
			ret = esp_soc_shut(soc) ?: ret;
		if (ret == -EAGAIN && fatal_signal_pending(current))
			ret = -EINTR;
		if (ret == -EAGAIN && timeout_ms && time_after(jiffies, end))
			ret = -ETIMEDOUT;
		if (ret != -EAGAIN)
			break;
		schedule_timeout(max(HZ / 10, 1));
	}
	finish_wait(&soc->p2p_wq, &wait);
	if (!ret && access->p2p_store)
		wake_up_all(&soc->p2p_wq);
	return ret;
}

void esp_p2p_end(struct esp_acc *acc)
{
	spin_lock(&acc->soc->p2p_lock);
	acc->p2p.storing = false;
	acc->p2p.nsources = 0;
	spin_unlock(&acc->soc->p2p_lock);
}
