/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PCI device `upmem-rank`: up to 64 UPMEM DPUs.
 *
 * The registers are in events/upmem/regs.h, the model in models/upmem/. DPUs execute on the model's
 * own threads, never under QEMU's lock. This file has the bus, the interrupt and the life cycle.
 */
#include "qemu/osdep.h"
#include "hw/pci/msix.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/main-loop.h"
#include "qemu/module.h"

#include "events/upmem/regs.h"
#include "compat.h"
#include "mon-devices.h"
#include "upmem/rank.h"

#define TYPE_UPMEM_RANK "upmem-rank"
OBJECT_DECLARE_SIMPLE_TYPE(UpmemRankState, UPMEM_RANK)

struct UpmemRankState {
    PCIDevice parent_obj;

    MemoryRegion regs;
    MemoryRegion mram;      /* MRAM of all DPUs; no BAR maps it, but it migrates as memory */
    QEMUBH *idle;
    VMChangeStateEntry *vm_state;
    struct upmem_rank *rank;

    /* properties */
    uint32_t dpus;
    char *arch;
    uint32_t clock_hz;
    uint32_t threads;
    struct dpu_timing timing;
    char *profile;          /* prefix of the profiles' file names */

    Notifier ended;         /* QEMU is ending */

    /* the model's state during migration */
    uint8_t *state;
    uint32_t state_size;
};

static uint64_t upmem_read(void *opaque, hwaddr addr, unsigned size)
{
    UpmemRankState *s = opaque;

    return upmem_rank_read(s->rank, addr, size);
}

static void upmem_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    UpmemRankState *s = opaque;

    upmem_rank_write(s->rank, addr, value, size);
}

static const MemoryRegionOps upmem_ops = {
    .read = upmem_read,
    .write = upmem_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
    .impl = { .min_access_size = 1, .max_access_size = 4 },
};

/* DMA reaches memory only, never a device. */
static bool upmem_dma(UpmemRankState *s, uint64_t addr, void *buf, uint32_t len, bool is_write)
{
    const MemTxAttrs attrs = { .memory = 1 };

    return address_space_rw(pci_get_address_space(PCI_DEVICE(s)), addr, attrs, buf, len,
                            is_write) == MEMTX_OK;
}

static bool upmem_bus_read(void *opaque, uint64_t addr, void *data, uint32_t length)
{
    return upmem_dma(opaque, addr, data, length, false);
}

static bool upmem_bus_write(void *opaque, uint64_t addr, const void *data, uint32_t length)
{
    return upmem_dma(opaque, addr, (void *)data, length, true);
}

static uint8_t *upmem_mram(void *opaque, unsigned int dpu)
{
    UpmemRankState *s = opaque;

    return (uint8_t *)memory_region_get_ram_ptr(&s->mram) + (size_t)dpu * DPU_MRAM_SIZE;
}

/* Discards MRAM, so that the next user cannot read it; the pages go back to the host. */
static void upmem_mram_clear(void *opaque)
{
    UpmemRankState *s = opaque;

    ram_block_discard_range(s->mram.ram_block, 0, memory_region_size(&s->mram));
}

/* Runs on a thread of the rank, which may only schedule a bottom half. */
static void upmem_went_idle(void *opaque)
{
    UpmemRankState *s = opaque;

    qemu_bh_schedule(s->idle);
}

static void upmem_interrupt(void *opaque)
{
    UpmemRankState *s = opaque;

    if (upmem_rank_irq(s->rank)) {
        msix_notify(PCI_DEVICE(s), 0);
    }
}

/* Pauses the DPUs with the machine, because their writes to MRAM bypass QEMU's dirty bitmap. */
static void upmem_vm_state(void *opaque, bool running, RunState state)
{
    UpmemRankState *s = opaque;

    if (running) {
        upmem_rank_resume(s->rank);
    } else {
        upmem_rank_pause(s->rank);
        memory_region_set_dirty(&s->mram, 0, memory_region_size(&s->mram));
    }
}

static bool upmem_check_properties(UpmemRankState *s, const struct dpu_arch **arch, Error **errp)
{
    char text[128];

    *arch = dpu_arch_find(s->arch ? s->arch : "v1B");
    if (!*arch) {
        error_setg(errp, "arch=%s is unknown: use v1A or v1B", s->arch);
    } else if (!s->dpus || s->dpus > UPMEM_MAX_DPUS) {
        error_setg(errp, "dpus=%u is out of range: use 1 to %d", s->dpus, UPMEM_MAX_DPUS);
    } else if (s->clock_hz > 2000000000) {
        error_setg(errp, "clock=%u is out of range: use 0 for the default, or up to 2000000000 Hz",
                   s->clock_hz);
    } else if (!dpu_timing_ok(&s->timing, text, sizeof(text))) {
        error_setg(errp, "%s", text);
    } else {
        return true;
    }
    return false;
}

static bool upmem_create_rank(UpmemRankState *s, const struct dpu_arch *arch, Error **errp)
{
    const struct upmem_rank_config config = {
        .arch = arch,
        .dpus = s->dpus,
        .threads = s->threads,
        .clock = s->clock_hz,
        .timing = s->timing,
        .profile = s->profile,
        .mram = upmem_mram,
        .mram_clear = upmem_mram_clear,
        .bus_read = upmem_bus_read,
        .bus_write = upmem_bus_write,
        .idle = upmem_went_idle,
        .opaque = s,
    };

    s->rank = upmem_rank_new(&config);
    if (!s->rank) {
        error_setg_errno(errp, errno, "cannot create %u DPUs", s->dpus);
    }
    return s->rank;
}

static void upmem_write_profiles(UpmemRankState *s)
{
    if (!s->profile) {
        return;
    }
    upmem_rank_pause(s->rank);
    if (!upmem_rank_profile_write(s->rank, s->profile)) {
        warn_report("upmem-rank: %s-*.profile: %s", s->profile, strerror(errno));
    }
}

static void upmem_ended(Notifier *notifier, void *data)
{
    upmem_write_profiles(container_of(notifier, UpmemRankState, ended));
}

static void upmem_realize(PCIDevice *pdev, Error **errp)
{
    UpmemRankState *s = UPMEM_RANK(pdev);
    const struct dpu_arch *arch;
    Error *err = NULL;

    if (!upmem_check_properties(s, &arch, errp)) {
        return;
    }
    /* not reserved: a page costs nothing until it is used */
    memory_region_init_ram_flags_nomigrate(&s->mram, OBJECT(s), "upmem-mram",
                                           (uint64_t)s->dpus * DPU_MRAM_SIZE, RAM_NORESERVE, &err);
    if (err) {
        error_propagate(errp, err);
        return;
    }
    vmstate_register_ram(&s->mram, DEVICE(s));
    s->idle = qemu_bh_new(upmem_interrupt, s);
    if (!upmem_create_rank(s, arch, errp)) {
        goto fail;
    }
    if (msix_init_exclusive_bar(pdev, 1, 1, errp) < 0) {
        goto fail;
    }
    msix_vector_use(pdev, 0);
    memory_region_init_io(&s->regs, OBJECT(s), &upmem_ops, s, "upmem-regs", UPMEM_BAR_SIZE);
    pci_register_bar(pdev, 0, PCI_BASE_ADDRESS_SPACE_MEMORY, &s->regs);
    s->vm_state = qemu_add_vm_change_state_handler(upmem_vm_state, s);
    s->ended.notify = upmem_ended;
    qemu_add_exit_notifier(&s->ended);
    return;
fail:
    upmem_rank_free(s->rank);
    s->rank = NULL;
    qemu_bh_delete(s->idle);
    vmstate_unregister_ram(&s->mram, DEVICE(s));
}

static void upmem_exit(PCIDevice *pdev)
{
    UpmemRankState *s = UPMEM_RANK(pdev);

    qemu_remove_exit_notifier(&s->ended);
    upmem_write_profiles(s);
    qemu_del_vm_change_state_handler(s->vm_state);
    upmem_rank_free(s->rank);
    qemu_bh_delete(s->idle);
    msix_uninit_exclusive_bar(pdev);
    vmstate_unregister_ram(&s->mram, DEVICE(s));
    g_free(s->state);
}

static void upmem_reset(DeviceState *dev)
{
    UpmemRankState *s = UPMEM_RANK(dev);

    upmem_rank_reset(s->rank);
    qemu_bh_cancel(s->idle);
}

static int upmem_pre_save(void *opaque)
{
    UpmemRankState *s = opaque;

    /* the machine is stopped, so the rank is paused */
    s->state_size = upmem_rank_save_size(s->rank);
    s->state = g_realloc(s->state, s->state_size);
    upmem_rank_save(s->rank, s->state);
    return 0;
}

static int upmem_post_load(void *opaque, int version_id)
{
    UpmemRankState *s = opaque;

    if (!upmem_rank_load(s->rank, s->state, s->state_size)) {
        return -EINVAL;
    }
    qemu_bh_schedule(s->idle);
    return 0;
}

static const VMStateDescription upmem_vmstate = {
    .name = TYPE_UPMEM_RANK,
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_save = upmem_pre_save,
    .post_load = upmem_post_load,
    .fields = (VMStateField[]) {
        VMSTATE_PCI_DEVICE(parent_obj, UpmemRankState),
        VMSTATE_MSIX(parent_obj, UpmemRankState),
        VMSTATE_UINT32(state_size, UpmemRankState),
        VMSTATE_VBUFFER_ALLOC_UINT32(state, UpmemRankState, 1, NULL, state_size),
        VMSTATE_END_OF_LIST()
    }
};

static const Property upmem_properties[] = {
    DEFINE_PROP_UINT32("dpus", UpmemRankState, dpus, UPMEM_MAX_DPUS),
    DEFINE_PROP_STRING("arch", UpmemRankState, arch),
    DEFINE_PROP_UINT32("clock", UpmemRankState, clock_hz, 0),
    DEFINE_PROP_UINT32("threads", UpmemRankState, threads, 0),
    DEFINE_PROP_STRING("profile", UpmemRankState, profile),
#define DPU_TIMING(field, name, value, ...) \
    DEFINE_PROP_UINT32(name, UpmemRankState, timing.field, value),
#include "dpu/include/timing.def"
    MON_PROPERTIES_END
};

static void upmem_class_init(ObjectClass *klass, MON_CLASS_DATA *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(klass);

    pc->realize = upmem_realize;
    pc->exit = upmem_exit;
    pc->vendor_id = UPMEM_PCI_VENDOR;
    pc->device_id = UPMEM_PCI_DEVICE;
    pc->class_id = PCI_CLASS_PROCESSOR_CO;
    device_class_set_legacy_reset(dc, upmem_reset);
    dc->vmsd = &upmem_vmstate;
    dc->desc = "rank of UPMEM DPUs with performance counters";
    device_class_set_props(dc, upmem_properties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
}

static const TypeInfo upmem_type = MON_PCI_TYPE(TYPE_UPMEM_RANK, UpmemRankState, upmem_class_init);

void upmem_dev_register(void)
{
    type_register_static(&upmem_type);
}
