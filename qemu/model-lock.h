/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lock around a device's model. Virtual CPUs take it at each miss, for tens of nanoseconds, and
 * hardly ever at the same time, so it must cost little: one atomic exchange. Who holds it for long,
 * because an accelerator runs, lets the others sleep.
 */
#ifndef MODEL_LOCK_H
#define MODEL_LOCK_H

#include "qemu/processor.h"
#include "qemu/thread.h"

#define MODEL_LOCK_LOOKS	100
#define MODEL_LOCK_SLEEP_US	20

static inline void model_lock(QemuSpin *lock)
{
    /* true: somebody else has it */
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
