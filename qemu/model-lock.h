/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lock around a device's model: one atomic exchange.
 *
 * Virtual CPUs take it at each miss, for tens of nanoseconds, and rarely at the same time. If the
 * holder runs an accelerator, which takes long, the others sleep.
 */
#ifndef MODEL_LOCK_H
#define MODEL_LOCK_H

#include "qemu/processor.h"
#include "qemu/thread.h"

#define MODEL_LOCK_LOOKS    100
#define MODEL_LOCK_SLEEP_US 20

static inline void model_lock(QemuSpin *lock)
{
    /* true: another thread has it */
    while (unlikely(qemu_spin_trylock(lock))) {
        for (int i = 0; i < MODEL_LOCK_LOOKS && qemu_spin_locked(lock); i++) {
            cpu_relax();
        }
        if (qemu_spin_locked(lock)) {
            g_usleep(MODEL_LOCK_SLEEP_US);
        }
    }
}

static inline void model_unlock(QemuSpin *lock)
{
    qemu_spin_unlock(lock);
}

#endif
