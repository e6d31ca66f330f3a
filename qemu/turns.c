/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Short turns of virtual processors that share one host thread (-accel tcg,thread=single).
 *
 * QEMU gives each processor a turn of 0.1 s. On RISC-V that time is wasted whenever one processor waits for
 * another: OpenSBI spins until a remote fence is done, for each page that the kernel unmaps and each instruction
 * that it changes, and neither the loop nor the pause instruction ends a turn, as PAUSE does on x86. So turns are
 * short here, and a processor that interrupts another one ends its own turn.
 */
#include "qemu/osdep.h"
#include "hw/core/cpu.h"
#include "qemu/timer.h"

#include "compat.h"
#include "turns.h"

/* Measured with boots of two processors: longer turns cost seconds, shorter ones save nothing. */
#define TURN_NS (2 * SCALE_MS)

static QEMUTimer *timer;
static const MemoryRegionOps *swi;      /* device through which processors interrupt each other */
static MemoryRegionOps swi_and_yield;

static void end_turn(void *opaque)
{
    CPUState *cpu;

    /* ends the running processor's turn; no effect on the others */
    CPU_FOREACH(cpu) {
        cpu_exit(cpu);
    }
    timer_mod(timer, qemu_clock_get_ns(QEMU_CLOCK_REALTIME) + TURN_NS);
}

static void write_and_yield(void *opaque, hwaddr addr, uint64_t value, unsigned int size)
{
    swi->write(opaque, addr, value, size);
    if ((value & 1) && current_cpu) {
        cpu_exit(current_cpu);
    }
}

static void start(Notifier *notifier, void *data)
{
    Object *device = object_resolve_path_type("", "riscv.aclint.swi", NULL);
    CPUState *second = first_cpu ? CPU_NEXT(first_cpu) : NULL;
    MemoryRegion *mr;

    /* -icount has turns of its own, which must be the same in each run */
    if (!device || !second || second->thread != first_cpu->thread || icount_enabled()) {
        return;
    }
    mr = sysbus_mmio_get_region(SYS_BUS_DEVICE(device), 0);
    swi = mr->ops;
    swi_and_yield = *swi;
    swi_and_yield.write = write_and_yield;
    mr->ops = &swi_and_yield;
    timer = timer_new_ns(QEMU_CLOCK_REALTIME, end_turn, NULL);
    end_turn(NULL);
}

void turns_start(void)
{
    static Notifier done = { .notify = start };

    qemu_add_machine_init_done_notifier(&done);
}
