/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PCI device `mrfld-visa`: the message bus unit of Intel's Merrifield, the uncore counters behind it, and the bus
 * agents that the counters watch.
 *
 * MCR, MDR and MCRX have their places in configuration space, so Linux's own iosf_mbi driver binds to the device.
 * BAR0 (agents, scan-out, fault injection) exists on the emulated device only; see events/mrfld/regs.h. The
 * model is in models/mrfld/; this file has the clock, the bus and the life cycle.
 */
#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "qemu/timer.h"

#include "events/mrfld/regs.h"
#include "compat.h"
#include "cpu/cpu-source.h"
#include "model-lock.h"
#include "mon-devices.h"
#include "mrfld/module0.h"
#include "mrfld/soc.h"

#define TYPE_MRFLD_VISA "mrfld-visa"
OBJECT_DECLARE_SIMPLE_TYPE(MrfldState, MRFLD_VISA)

struct MrfldState {
    PCIDevice parent_obj;

    MemoryRegion bar;
    QEMUTimer timer;
    struct mrfld_soc *soc;
    int64_t lost;                   /* nanoseconds by which the SoC's clock is behind the guest's */

    /* taken after the big lock; virtual CPUs take it alone, see esp-core.h */
    QemuSpin lock;
    unsigned int depth;
    struct cpu_module0 *module0;    /* NULL: accesses are not modelled */
    bool counting;

    /* properties */
    struct mrfld_params params;
    bool silicon;

    /* the model's state during migration */
    uint8_t *state;
    uint32_t state_size;
};

/* Brackets all uses of the model under the big lock. */
static void mrfld_enter(MrfldState *s)
{
    if (s->depth++ == 0) {
        model_lock(&s->lock);
    }
}

static void mrfld_leave(MrfldState *s)
{
    if (--s->depth == 0) {
        model_unlock(&s->lock);
    }
}

/* The SoC's time: the guest's, less what the model was behind. */
static uint64_t mrfld_now(const MrfldState *s)
{
    return MAX(qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) - s->lost, 0);
}

/*
 * If the model needs longer for a stretch of time than that lasts, the SoC's clock waits for it. Otherwise requests and
 * ticks of one reading would be of different times, and agents that are too fast for the model would look slow.
 */
static void mrfld_sync(MrfldState *s)
{
    uint64_t begun = mrfld_now(s), from = mrfld_soc_now(s->soc), took;
    bool busy = mrfld_soc_next_event(s->soc) != UINT64_MAX;

    mrfld_soc_advance(s->soc, begun);
    took = mrfld_now(s) - begun;
    if (busy && begun > from && took > begun - from) {
        s->lost += took;
    }
}

/*
 * A request of a virtual CPU gets the model's current time, that of its last access or timer. A
 * more exact time would run the agents, whose data need the big lock. Only self-refresh depends on
 * it.
 */
static void mrfld_module0_access(struct cpu_sink *sink, unsigned int vcpu, enum cpu_access what,
                                 uint32_t line)
{
    struct cpu_module0 *m = container_of(sink, struct cpu_module0, sink);
    MrfldState *s = m->opaque;

    model_lock(&s->lock);
    cpu_module0_access(m, vcpu, what, line);
    model_unlock(&s->lock);
}

static void mrfld_module0_request(void *opaque, bool write, uint64_t addr)
{
    MrfldState *s = opaque;

    mrfld_soc_module0(s->soc, write, addr, CPU_MODULE0_LINE);
}

static void mrfld_count(MrfldState *s, bool on)
{
    s->counting = on && s->module0;
    if (s->module0 && cpu_source_options()->mode == CPU_SOURCE_ON) {
        cpu_source_arm(CPU_SINK_MODULE, on);
    }
}

static void mrfld_arm_timer(MrfldState *s)
{
    uint64_t next = mrfld_soc_next_event(s->soc);

    if (next >= INT64_MAX) {
        timer_del(&s->timer);
    } else {
        timer_mod(&s->timer, next + s->lost);
    }
}

static void mrfld_timer(void *opaque)
{
    MrfldState *s = opaque;

    mrfld_enter(s);
    mrfld_sync(s);
    mrfld_arm_timer(s);
    mrfld_leave(s);
}

static bool mrfld_is_bus_register(uint32_t address)
{
    return address >= MRFLD_CFG_MCR && address < MRFLD_CFG_MCRX + 4;
}

static uint32_t mrfld_config_read(PCIDevice *pdev, uint32_t address, int len)
{
    MrfldState *s = MRFLD_VISA(pdev);
    uint32_t value;

    if (!mrfld_is_bus_register(address)) {
        return pci_default_read_config(pdev, address, len);
    }
    value = mrfld_bus_read(s->soc, address & ~3) >> 8 * (address & 3);
    return len == 4 ? value : value & ((1u << 8 * len) - 1);
}

static void mrfld_config_write(PCIDevice *pdev, uint32_t address, uint32_t value, int len)
{
    MrfldState *s = MRFLD_VISA(pdev);

    if (!mrfld_is_bus_register(address)) {
        pci_default_write_config(pdev, address, value, len);
        return;
    }
    if (len != 4 || address & 3) {
        qemu_log_mask(LOG_GUEST_ERROR, "mrfld-visa: %d-byte write at 0x%x of the message bus\n",
                      len, address);
        return;
    }
    mrfld_enter(s);
    mrfld_sync(s);
    mrfld_bus_write(s->soc, address, value);
    mrfld_leave(s);
}

static uint64_t mrfld_mmio_read(void *opaque, hwaddr addr, unsigned size)
{
    MrfldState *s = opaque;
    uint32_t value;

    if (addr == MRFLD_CPU) {
        return (s->module0 ? MRFLD_CPU_PRESENT : 0) | (s->counting ? MRFLD_CPU_COUNT : 0);
    }
    mrfld_enter(s);
    mrfld_sync(s);
    value = mrfld_bar_read(s->soc, addr);
    mrfld_leave(s);
    return value;
}

static void mrfld_mmio_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    MrfldState *s = opaque;

    if (addr == MRFLD_CPU) {
        mrfld_count(s, value & MRFLD_CPU_COUNT);
        return;
    }
    mrfld_enter(s);
    mrfld_sync(s);
    mrfld_bar_write(s->soc, addr, value);
    mrfld_arm_timer(s);
    mrfld_leave(s);
}

static const MemoryRegionOps mrfld_mmio_ops = {
    .read = mrfld_mmio_read,
    .write = mrfld_mmio_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
};

/*
 * The agents are on the SoC's fabric, not behind this PCI function, so its bus master bit does not
 * concern them. They reach memory only: none can access the model's own registers.
 */
static bool mrfld_memory(uint64_t addr, void *buf, size_t len, bool is_write)
{
    const MemTxAttrs attrs = { .memory = 1 };

    return address_space_rw(&address_space_memory, addr, attrs, buf, len, is_write) == MEMTX_OK;
}

static bool mrfld_mem_read(void *opaque, uint64_t addr, void *buf, size_t len)
{
    return mrfld_memory(addr, buf, len, false);
}

static bool mrfld_mem_write(void *opaque, uint64_t addr, const void *buf, size_t len)
{
    return mrfld_memory(addr, (void *)buf, len, true);
}

/* Fault injection: the guest's clock advances while its processor waits for the bus. */
static uint64_t mrfld_delay(void *opaque, uint32_t us)
{
    g_usleep(us);
    return mrfld_now(opaque);
}

static void mrfld_log_guest_error(void *opaque, const char *message)
{
    qemu_log_mask(LOG_GUEST_ERROR, "mrfld-visa: %s\n", message);
}

static const struct mrfld_ops mrfld_soc_ops = {
    .mem_read = mrfld_mem_read,
    .mem_write = mrfld_mem_write,
    .delay = mrfld_delay,
    .guest_error = mrfld_log_guest_error,
};

static bool mrfld_create_module0(MrfldState *s, Error **errp)
{
    struct cpu_module0_params params;
    struct cpu_module0 *m;
    char message[256];

    if (cpu_source_options()->mode == CPU_SOURCE_OFF) {
        return true;
    }
    cpu_module0_params_init(&params);
    cpu_source_cache(CPU_SOURCE_MOD0, &params.bytes, &params.ways);
    /* all of the guest's memory */
    m = cpu_module0_new(&params, UINT64_MAX, mrfld_module0_request, s,
                        message, sizeof(message));
    if (!m) {
        error_setg(errp, "%s", message);
        return false;
    }
    m->sink.access = mrfld_module0_access;
    s->module0 = m;
    if (!cpu_source_attach(CPU_SINK_MODULE, &m->sink)) {
        cpu_module0_free(m);
        s->module0 = NULL;
    }
    return true;
}

static void mrfld_realize(PCIDevice *pdev, Error **errp)
{
    MrfldState *s = MRFLD_VISA(pdev);
    char message[128];

    s->soc = mrfld_soc_new(&s->params, &mrfld_soc_ops, s, message, sizeof(message));
    if (!s->soc) {
        error_setg(errp, "%s", message);
        return;
    }
    if (!mrfld_create_module0(s, errp)) {
        mrfld_soc_free(s->soc);
        return;
    }
    qemu_spin_init(&s->lock);
    if (s->silicon) {
        pci_set_word(pdev->config + PCI_SUBSYSTEM_VENDOR_ID, PCI_VENDOR_ID_INTEL);
        pci_set_word(pdev->config + PCI_SUBSYSTEM_ID, MRFLD_PCI_DEVICE);
    }
    memory_region_init_io(&s->bar, OBJECT(s), &mrfld_mmio_ops, s, "mrfld-agents", MRFLD_BAR_SIZE);
    pci_register_bar(pdev, 0, PCI_BASE_ADDRESS_SPACE_MEMORY, &s->bar);
    timer_init_ns(&s->timer, QEMU_CLOCK_VIRTUAL, mrfld_timer, s);
}

static void mrfld_free_models(void *opaque)
{
    MrfldState *s = opaque;

    cpu_module0_free(s->module0);
    mrfld_soc_free(s->soc);
    qemu_spin_destroy(&s->lock);
    object_unref(OBJECT(s));
}

static void mrfld_exit(PCIDevice *pdev)
{
    MrfldState *s = MRFLD_VISA(pdev);

    timer_del(&s->timer);
    object_ref(OBJECT(s));
    if (s->module0) {
        cpu_source_detach(CPU_SINK_MODULE, mrfld_free_models, s);
    } else {
        mrfld_free_models(s);
    }
    g_free(s->state);
}

static void mrfld_reset(DeviceState *dev)
{
    MrfldState *s = MRFLD_VISA(dev);

    mrfld_count(s, false);
    mrfld_enter(s);
    mrfld_sync(s);
    mrfld_soc_reset(s->soc);
    if (s->module0) {
        cpu_module0_forget(s->module0);
    }
    mrfld_arm_timer(s);
    mrfld_leave(s);
}

/*
 * Keeps the model at the time of its last access: memory is already on its way, so the agents must
 * not write to it any more. The other host catches up.
 */
static int mrfld_pre_save(void *opaque)
{
    MrfldState *s = opaque;

    s->state_size = mrfld_soc_save_size(s->soc);
    s->state = g_realloc(s->state, s->state_size);
    model_lock(&s->lock);
    mrfld_soc_save(s->soc, s->state);
    model_unlock(&s->lock);
    return 0;
}

static int mrfld_post_load(void *opaque, int version_id)
{
    MrfldState *s = opaque;
    bool counting = s->counting, loaded;

    model_lock(&s->lock);
    loaded = mrfld_soc_load(s->soc, s->state, s->state_size);
    if (s->module0) {
        cpu_module0_forget(s->module0);
    }
    model_unlock(&s->lock);
    if (!loaded) {
        return -EINVAL;
    }
    mrfld_count(s, counting);
    mrfld_arm_timer(s);
    return 0;
}

static const VMStateDescription mrfld_vmstate = {
    .name = TYPE_MRFLD_VISA,
    .version_id = 3,
    .minimum_version_id = 1,
    .pre_save = mrfld_pre_save,
    .post_load = mrfld_post_load,
    .fields = (VMStateField[]) {
        VMSTATE_PCI_DEVICE(parent_obj, MrfldState),
        VMSTATE_UINT32(state_size, MrfldState),
        VMSTATE_VBUFFER_ALLOC_UINT32(state, MrfldState, 1, NULL, state_size),
        VMSTATE_BOOL_V(counting, MrfldState, 2),
        VMSTATE_INT64_V(lost, MrfldState, 3),
        VMSTATE_END_OF_LIST()
    }
};

/* The defaults are mrfld_params_init()'s. */
static const Property mrfld_properties[] = {
    DEFINE_PROP_UINT32("channels", MrfldState, params.channels, 2),
    DEFINE_PROP_UINT32("interleave", MrfldState, params.interleave, 64),
    DEFINE_PROP_UINT32("soc-hz", MrfldState, params.soc_hz, 400000000),
    DEFINE_PROP_UINT32("dram-hz", MrfldState, params.dram_hz, 533000000),
    DEFINE_PROP_UINT32("shallow-us", MrfldState, params.shallow_us, 10),
    DEFINE_PROP_UINT32("deep-us", MrfldState, params.deep_us, 1000),
    DEFINE_PROP_UINT32("fault-all-ones", MrfldState, params.faults.all_ones, 0),
    DEFINE_PROP_UINT32("fault-lost-sample", MrfldState, params.faults.lost_sample, 0),
    DEFINE_PROP_UINT32("fault-slow-us", MrfldState, params.faults.slow_us, 0),
    DEFINE_PROP_UINT32("fault-mcrx", MrfldState, params.faults.mcrx, 0),
    DEFINE_PROP_UINT32("fault-power-ms", MrfldState, params.faults.power_ms, 0),
    /* the subsystem id of a real part, to test that the driver rejects it */
    DEFINE_PROP_BOOL("x-silicon", MrfldState, silicon, false),
    MON_PROPERTIES_END
};

static void mrfld_class_init(ObjectClass *klass, MON_CLASS_DATA *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(klass);

    pc->realize = mrfld_realize;
    pc->exit = mrfld_exit;
    pc->config_read = mrfld_config_read;
    pc->config_write = mrfld_config_write;
    pc->vendor_id = MRFLD_PCI_VENDOR;
    pc->device_id = MRFLD_PCI_DEVICE;
    pc->subsystem_vendor_id = MRFLD_PCI_SUBVENDOR;
    pc->subsystem_id = MRFLD_PCI_SUBDEVICE;
    pc->class_id = PCI_CLASS_SYSTEM_OTHER;
    device_class_set_legacy_reset(dc, mrfld_reset);
    dc->vmsd = &mrfld_vmstate;
    dc->desc = "Intel Merrifield uncore counters and bus agents";
    /* iosf_mbi never releases the device */
    dc->hotpluggable = false;
    device_class_set_props(dc, mrfld_properties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
}

static const TypeInfo mrfld_type = MON_PCI_TYPE(TYPE_MRFLD_VISA, MrfldState, mrfld_class_init);

void mrfld_dev_register(void)
{
    type_register_static(&mrfld_type);
}
