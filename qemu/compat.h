/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between the supported versions of QEMU: 7.2 of Debian 12, 10.0 of Debian 13, 10.2 and 11 of its backports
 * and of later releases.
 *
 * The devices are written for the newest one; no other file asks for a version. MON_QEMU is 1002 for 10.2. Include this
 * file after qemu/osdep.h, or in a plugin after qemu-plugin.h.
 */
#ifndef MON_QEMU_COMPAT_H
#define MON_QEMU_COMPAT_H

#ifdef QEMU_OSDEP_H
/* Headers move from release to release: what is there says which one this is. */
#if __has_include("hw/core/boards.h")
#include "hw/core/boards.h"
#include "hw/core/irq.h"
#include "hw/core/qdev.h"
#include "hw/core/qdev-properties-system.h"
#include "hw/core/sysbus.h"
#else
#include "hw/boards.h"
#include "hw/irq.h"
#include "hw/qdev-core.h"
#include "hw/qdev-properties-system.h"
#include "hw/sysbus.h"
#endif

#if __has_include("hw/pci/pci_device.h")
#include "hw/pci/pci_device.h"
#else
#include "hw/pci/pci.h"
#endif

#if __has_include("system/memory.h")
#include "system/address-spaces.h"
#include "system/memory.h"
#else
#include "exec/address-spaces.h"
#include "exec/memory.h"
#endif

#if __has_include("system/system.h")
#include "system/cpu-timers.h"
#include "system/device_tree.h"
#include "system/reset.h"
#include "system/runstate.h"
#include "system/system.h"
#else
#include "sysemu/cpu-timers.h"
#include "sysemu/device_tree.h"
#include "sysemu/reset.h"
#include "sysemu/runstate.h"
#include "sysemu/sysemu.h"
#endif

#if __has_include("exec/icount.h")
#include "exec/icount.h"
#endif

#if __has_include("system/ramblock.h")
#include "system/ramblock.h"
#else
#include "exec/cpu-common.h"
#endif

#if __has_include("plugins/qemu-plugin.h")
#include "plugins/qemu-plugin.h"
#else
#include "qemu/qemu-plugin.h"
#endif

#if MON_QEMU >= 1000
/* property lists have a length */
#define MON_PROPERTIES_END
#else
#define MON_PROPERTIES_END DEFINE_PROP_END_OF_LIST()

#define device_class_set_props(dc, props) device_class_set_props(dc, (Property *)(props))

static inline void device_class_set_legacy_reset(DeviceClass *dc, void (*reset)(DeviceState *dev))
{
    dc->reset = reset;
}
#endif

#if MON_QEMU >= 1002
#define MON_CLASS_DATA const void

/* declared in exec/tb-flush.h or exec/exec-all.h, which also needs the host's TCG headers */
void queue_tb_flush(CPUState *cpu);
#define tb_flush queue_tb_flush
#else
#define MON_CLASS_DATA void
#define CharFrontend CharBackend

void tb_flush(CPUState *cpu);
#endif
#endif

/* For files that are compiled per target. */
#ifdef NEED_CPU_H
/* values of a MMU index in a callback's info */
#define MON_MMU_INDICES (NB_MMU_MODES > 16 ? 32 : 16)

#if __has_include("exec/tlb-flags.h")
#include "exec/target_page.h"
#include "exec/tlb-flags.h"
#endif

#if MON_QEMU >= 1000
#include "exec/tlb-common.h"

#define mon_tlb_of(cpu) (&(cpu)->neg.tlb)
#define mon_plugin_callbacks_of(cpu) ((cpu)->neg.plugin_mem_cbs)
#else
#define mon_tlb_of(cpu) env_tlb((cpu)->env_ptr)
#define mon_plugin_callbacks_of(cpu) ((cpu)->plugin_mem_cbs)
#endif
#endif

/* For starters of QEMU: the item of -d that logs accesses to no device. */
#if MON_QEMU >= 1000
#define MON_LOG_BAD_ACCESSES "guest_errors,invalid_mem"
#else
#define MON_LOG_BAD_ACCESSES "guest_errors"
#endif

/*
 * Callbacks of plugins: they get a pointer of the plugin as their last parameter; before interface 7 the plugin's id was
 * the first. The callback of flush has this parameter alone.
 */
#ifdef QEMU_PLUGIN_VERSION
#if QEMU_PLUGIN_VERSION >= 7
#define MON_ID_FIRST
#define MON_POINTER_LAST , void *opaque __attribute__((unused))
#define MON_FLUSHED void *opaque __attribute__((unused))
#define MON_REGISTER(event, id, function) qemu_plugin_register_##event##_cb(id, function, NULL)
#else
#define MON_ID_FIRST qemu_plugin_id_t plugin __attribute__((unused)),
#define MON_POINTER_LAST
#define MON_FLUSHED qemu_plugin_id_t plugin __attribute__((unused))
#define MON_REGISTER(event, id, function) qemu_plugin_register_##event##_cb(id, function)
#endif
#endif

/* For plugins, after qemu-plugin.h: the bytes of an instruction. */
#if defined(QEMU_PLUGIN_VERSION) && !defined(QEMU_OSDEP_H)
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <glib.h>

static inline void mon_insn_bytes(const struct qemu_plugin_insn *insn, void *to, size_t size)
{
#if QEMU_PLUGIN_VERSION >= 3
    qemu_plugin_insn_data(insn, to, size);
#else
    memcpy(to, qemu_plugin_insn_data(insn), size);
#endif
}

/*
 * For a system call's callback of a qemu-user with one thread. With the first other thread QEMU drops its translations, which
 * then have to serve several. That waits until no thread executes code. So it is done before, as for shared memory, which has
 * the same need. False if this QEMU does not export what that takes.
 */
extern void start_exclusive(void) __attribute__((weak));
extern void end_exclusive(void) __attribute__((weak));
extern uint32_t target_mmap(uint32_t start, uint32_t size, int prot, int flags, int fd, int64_t offset)
__attribute__((weak));
extern int target_munmap(uint32_t start, uint32_t size) __attribute__((weak));

static inline bool mon_prepare_threads(uint32_t page)
{
    uint32_t at;

    if (!start_exclusive || !end_exclusive || !target_mmap || !target_munmap) {
        return false;
    }
    start_exclusive();
    at = target_mmap(0, page, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at != UINT32_MAX) {
        target_munmap(at, page);
    }
    end_exclusive();
    return at != UINT32_MAX;
}

/*
 * General register n of the Hexagon vCPU whose callback runs. The newer interface reads it anywhere. The older one has
 * no function for that, so the debugger's is called; what it reads is up to date at the start of a block only.
 * mon_short_blocks() makes each instruction a block. Writes are the debugger's, if this QEMU exports them. The two variables
 * are those of different versions.
 */
extern void *qemu_get_cpu(int index) __attribute__((weak));
extern int hexagon_gdb_write_register(void *cpu, uint8_t *from, int n) __attribute__((weak));
extern int singlestep __attribute__((weak));
extern bool one_insn_per_tb __attribute__((weak));

#if QEMU_PLUGIN_VERSION >= 3
#define MON_REGISTERS_ANYWHERE true
static inline bool mon_hexagon_register(unsigned int cpu, unsigned int n, uint32_t *value)
{
    /* a handle of 0 is one, too, since QEMU 11 */
    static struct qemu_plugin_register *handles[32];
    static bool known[32];
    static __thread GByteArray *bytes;

    (void)cpu;
    if (!known[n]) {
        GArray *list = qemu_plugin_get_registers();

        for (unsigned int i = 0; i < list->len; i++) {
            const qemu_plugin_reg_descriptor *r = &g_array_index(list, qemu_plugin_reg_descriptor, i);
            unsigned int number;

            if (sscanf(r->name, "r%u", &number) == 1 && number < 32) {
                handles[number] = r->handle;
                known[number] = true;
            }
        }
        g_array_free(list, true);
    }
    bytes = g_byte_array_set_size(bytes ? bytes : g_byte_array_new(), 0);
    /* its result is a size or a truth, by version */
    if (!known[n] || !qemu_plugin_read_register(handles[n], bytes) || bytes->len != sizeof(*value)) {
        return false;
    }
    memcpy(value, bytes->data, sizeof(*value));
    return true;
}

#else
#define MON_REGISTERS_ANYWHERE false
extern int hexagon_gdb_read_register(void *cpu, GByteArray *to, int n) __attribute__((weak));

static inline bool mon_hexagon_register(unsigned int cpu, unsigned int n, uint32_t *value)
{
    static __thread GByteArray *bytes;

    if (!qemu_get_cpu || !hexagon_gdb_read_register) {
        return false;
    }
    bytes = g_byte_array_set_size(bytes ? bytes : g_byte_array_new(), 0);
    if (hexagon_gdb_read_register(qemu_get_cpu(cpu), bytes, n) != sizeof(*value)) {
        return false;
    }
    memcpy(value, bytes->data, sizeof(*value));
    return true;
}

#endif

/* From a vCPU's start on; before that QEMU sets its own value. */
static inline void mon_short_blocks(void)
{
    if (&singlestep) {
        singlestep = 1;
    }
    if (&one_insn_per_tb) {
        one_insn_per_tb = true;
    }
}

/* Also control registers, from 32 on. */
static inline bool mon_hexagon_set_register(unsigned int cpu, unsigned int n, uint32_t value)
{
    return qemu_get_cpu && hexagon_gdb_write_register &&
           hexagon_gdb_write_register(qemu_get_cpu(cpu), (uint8_t *)&value, n) == sizeof(value);
}
#endif

#endif
