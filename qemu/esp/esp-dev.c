/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PCI device `espmon`: an ESP SoC beside the guest's processor.
 *
 * BAR0 mirrors the SoC's APB window register for register. BAR2 (topology), BAR4 (live monitors) and
 * MSI-X in BAR1 are what an emulated device needs in addition; see events/espmon/regs.h. The model is
 * in qemu/esp/; here are only the clock, the bus and the life cycle.
 */
#include "qemu/osdep.h"
#include "hw/boards.h"
#include "hw/core/cpu.h"
#include "hw/pci/msix.h"
#include "hw/pci/pci.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "qemu/log.h"
#include "qemu/main-loop.h"
#include "qemu/module.h"
#include "qemu/timer.h"
#include "qemu/units.h"

#include "events/espmon/regs.h"
#include "cpu/cpu-source.h"
#include "esp/soc.h"
#include "model-lock.h"
#include "mon-devices.h"

#define TYPE_ESPMON "espmon"
OBJECT_DECLARE_SIMPLE_TYPE(EspmonState, ESPMON)

/*
 * The model's events are a few tens of nanoseconds apart while an accelerator runs. Every access
 * brings the model up to date first, so the timer only has to be in time for interrupts; this much
 * later than the next event it handles a whole batch at once.
 */
#define TIMER_SLACK_NS 20000

/* Guest memory that 32-bit DMA can reach on every PC machine type. */
#define MAX_DRAM (2 * GiB)

struct EspmonState {
    PCIDevice parent_obj;

    MemoryRegion apb;
    MemoryRegion topology;
    MemoryRegion live;
    QEMUTimer timer;
    struct esp_soc *soc;

    /*
     * Virtual CPUs that bring their accesses do not hold the big lock, so the model has a lock of its
     * own, taken after the big one. Who holds both may come back in through an interrupt message
     * that the guest has pointed here.
     */
    QemuSpin lock;
    unsigned int depth;
    struct cpu_esp *cpus;       /* NULL: no accesses */
    bool counting;
    bool in_block;              /* a virtual CPU runs the model: interrupts wait in late */
    QEMUBH *late_bh;
    bool late[ESP_MAX_ACCS];
    uint32_t fault;             /* ESP_TOPO_FAULT */
    int64_t lost;               /* nanoseconds that the SoC's clock is behind the guest's */

    /* properties */
    char *soc_file;
    uint32_t clock_hz;
    uint32_t layout;
    uint32_t preset;
    uint64_t mem_size;
    bool has_live;
    bool tlb_quirk;

    /* the model's state on its way to another host */
    uint8_t *state;
    uint32_t state_size;
};

static uint64_t ns_to_cycle(EspmonState *s, int64_t ns)
{
    return muldiv64(ns, s->clock_hz, NANOSECONDS_PER_SECOND);
}

/*
 * The SoC's clock waits for its model: what the model takes to compute is taken off the time that the
 * SoC sees, so that what a program starts together runs together. Without events nothing is taken
 * off. With -icount virtual time stands still meanwhile, and the two clocks are one.
 */
static void espmon_sync(EspmonState *s)
{
    int64_t begun = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    uint64_t cycle = ns_to_cycle(s, MAX(begun - s->lost, 0));
    bool busy = esp_soc_next_event(s->soc) <= cycle;

    /* a clock that steps back (a migration between hosts) makes the model wait, no more */
    if (cycle > esp_soc_now(s->soc)) {
        esp_soc_advance(s->soc, cycle);
        if (busy) {
            s->lost += qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) - begun;
        }
    }
}

static void espmon_arm_timer(EspmonState *s)
{
    uint64_t next = esp_soc_next_event(s->soc);
    int64_t at;

    if (next == UINT64_MAX) {
        timer_del(&s->timer);
        return;
    }
    at = muldiv64(next, NANOSECONDS_PER_SECOND, s->clock_hz) + 1 + s->lost;
    timer_mod(&s->timer,
              MAX(at, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + TIMER_SLACK_NS));
}

/* Around everything that touches the model with the big lock held. */
static void espmon_enter(EspmonState *s)
{
    if (s->depth++ == 0) {
        model_lock(&s->lock);
    }
    espmon_sync(s);
    if (s->cpus) {
        cpu_esp_fold(s->cpus);
    }
}

static void espmon_leave(EspmonState *s)
{
    if (--s->depth == 0) {
        model_unlock(&s->lock);
    }
}

static void espmon_timer(void *opaque)
{
    EspmonState *s = opaque;

    espmon_enter(s);
    espmon_arm_timer(s);
    espmon_leave(s);
}

/* An access that a virtual CPU's filter does not know. */
static void espmon_cpu_access(struct cpu_sink *sink, unsigned int vcpu, enum cpu_access what,
                              uint32_t line)
{
    struct cpu_esp *cpus = container_of(sink, struct cpu_esp, sink);
    EspmonState *s = cpus->opaque;

    model_lock(&s->lock);
    if (!cpu_esp_access(cpus, vcpu, what, line, false)) {
        /*
         * An accelerator runs, so its timer is set and the time of the model is not far behind. In
         * the middle of a block nobody may ask for the time or raise an interrupt.
         */
        s->in_block = true;
        cpu_esp_access(cpus, vcpu, what, line, true);
        s->in_block = false;
    }
    model_unlock(&s->lock);
}

static void espmon_count(EspmonState *s, bool on)
{
    s->counting = on && s->cpus;
    if (s->cpus && cpu_source_options()->mode == CPU_SOURCE_ON) {
        cpu_source_arm(CPU_SINK_ESP, on);
    }
}

/* vCPU n stands for the SoC's CPU tile n modulo their number; a debugger for the first. */
static unsigned int espmon_cpu(EspmonState *s)
{
    unsigned int ncpu = esp_soc_design(s->soc)->ncpu;

    return current_cpu && ncpu ? current_cpu->cpu_index % ncpu : 0;
}

/* Fault injection: does the window of the monitors answer? */
static bool espmon_is_silent(EspmonState *s, hwaddr addr, bool is_read)
{
    bool silent = (s->fault & ESP_TOPO_FAULT_READS) && !(s->fault >> ESP_TOPO_FAULT_AFTER);

    if (addr < ESP_CSR_BASE || addr >= ESP_CSR_BASE + ESP_MAX_TILES * ESP_CSR_STRIDE) {
        return false;
    }
    if (is_read && s->fault >> ESP_TOPO_FAULT_AFTER) {
        s->fault -= 1u << ESP_TOPO_FAULT_AFTER;
    } else if (is_read && silent && s->fault != ESP_TOPO_FAULT_READS) {
        s->fault--;
    }
    return silent;
}

static uint64_t espmon_apb_read(void *opaque, hwaddr addr, unsigned size)
{
    EspmonState *s = opaque;
    uint32_t value;

    if (espmon_is_silent(s, addr, true)) {
        return UINT32_MAX;
    }
    espmon_enter(s);
    value = esp_soc_read(s->soc, espmon_cpu(s), addr);
    espmon_leave(s);
    return value;
}

static void espmon_apb_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    EspmonState *s = opaque;

    if (espmon_is_silent(s, addr, false)) {
        return;
    }
    espmon_enter(s);
    esp_soc_write(s->soc, espmon_cpu(s), addr, value);
    espmon_arm_timer(s);
    espmon_leave(s);
}

static uint64_t espmon_topology_read(void *opaque, hwaddr addr, unsigned size)
{
    EspmonState *s = opaque;
    uint32_t word = esp_soc_topology(s->soc, addr);

    switch (addr) {
    case ESP_TOPO_CLOCK_HZ:
        return s->clock_hz;
    case ESP_TOPO_CPU:
        return (s->cpus ? ESP_TOPO_CPU_PRESENT : 0) | (s->counting ? ESP_TOPO_CPU_COUNT : 0);
    case ESP_TOPO_FAULT:
        return s->fault;
    case ESP_TOPO_FLAGS:
        return (word & ~ESP_TOPO_LIVE) | (s->has_live ? ESP_TOPO_LIVE : 0);
    default:
        return word;
    }
}

static uint64_t espmon_live_read(void *opaque, hwaddr addr, unsigned size)
{
    EspmonState *s = opaque;
    uint32_t value;

    espmon_enter(s);
    value = esp_soc_monitor(s->soc, addr / ESP_LIVE_STRIDE, addr % ESP_LIVE_STRIDE / 4);
    espmon_leave(s);
    return value;
}

static void espmon_readonly_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    qemu_log_mask(LOG_GUEST_ERROR, "espmon: write to the read-only offset 0x%" HWADDR_PRIx "\n",
                  addr);
}

static void espmon_reset_accelerator(EspmonState *s, uint32_t acc)
{
    espmon_enter(s);
    esp_soc_reset_accelerator(s->soc, acc);
    espmon_arm_timer(s);
    espmon_leave(s);
}

static void espmon_topology_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    if (addr == ESP_TOPO_CPU) {
        espmon_count(opaque, value & ESP_TOPO_CPU_COUNT);
    } else if (addr == ESP_TOPO_FAULT) {
        ((EspmonState *)opaque)->fault = value;
    } else if (addr == ESP_TOPO_ACC_RESET) {
        espmon_reset_accelerator(opaque, value);
    } else {
        espmon_readonly_write(opaque, addr, value, size);
    }
}

static const MemoryRegionOps espmon_apb_ops = {
    .read = espmon_apb_read,
    .write = espmon_apb_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    /* compilers may read two monitors at once */
    .valid = { .min_access_size = 4, .max_access_size = 8 },
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

static const MemoryRegionOps espmon_topology_ops = {
    .read = espmon_topology_read,
    .write = espmon_topology_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
};

static const MemoryRegionOps espmon_live_ops = {
    .read = espmon_live_read,
    .write = espmon_readonly_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
};

/*
 * The SoC's DMA reaches memory only: an accelerator that is pointed at a device, this one included,
 * gets an error instead of a call back into the model.
 */
static bool espmon_dma(EspmonState *s, uint64_t addr, void *buf, size_t len, bool is_write)
{
    const MemTxAttrs attrs = { .memory = 1 };

    return address_space_rw(pci_get_address_space(PCI_DEVICE(s)), addr, attrs, buf, len,
                            is_write) == MEMTX_OK;
}

static bool espmon_mem_read(void *opaque, uint64_t addr, void *buf, size_t len)
{
    return espmon_dma(opaque, addr, buf, len, false);
}

static bool espmon_mem_write(void *opaque, uint64_t addr, const void *buf, size_t len)
{
    return espmon_dma(opaque, addr, (void *)buf, len, true);
}

static void espmon_irq(void *opaque, unsigned int acc)
{
    EspmonState *s = opaque;

    if (s->in_block) {
        qatomic_set(&s->late[acc], true);
        qemu_bh_schedule(s->late_bh);
    } else {
        msix_notify(PCI_DEVICE(opaque), acc);
    }
}

static void espmon_late_irqs(void *opaque)
{
    EspmonState *s = opaque;
    unsigned int acc;

    /* it may have been unplugged meanwhile */
    for (acc = 0; DEVICE(s)->realized && acc < esp_soc_design(s->soc)->nacc; acc++) {
        if (qatomic_xchg(&s->late[acc], false)) {
            msix_notify(PCI_DEVICE(s), acc);
        }
    }
}

static void espmon_guest_error(void *opaque, const char *message)
{
    qemu_log_mask(LOG_GUEST_ERROR, "espmon: %s\n", message);
}

static const struct esp_soc_ops espmon_soc_ops = {
    .mem_read = espmon_mem_read,
    .mem_write = espmon_mem_write,
    .irq = espmon_irq,
    .guest_error = espmon_guest_error,
};

static bool espmon_create_soc(EspmonState *s, Error **errp)
{
    g_autofree struct esp_design *design = g_new0(struct esp_design, 1);
    struct esp_params params;
    char message[256];

    if (!s->soc_file) {
        esp_design_default(design);
    } else if (esp_design_read(s->soc_file, design, message, sizeof(message)) < 0) {
        error_setg(errp, "%s", message);
        return false;
    }
    esp_params_init(&params);
    params.mem_base = current_machine->ram->addr; /* DMA is not moved */
    params.mem_size = s->mem_size ? s->mem_size : MIN(current_machine->ram_size, MAX_DRAM);
    params.layout = s->layout;
    params.preset = s->preset;
    params.tlb_quirk = s->tlb_quirk;
    params.little_endian = true; /* the guest's processor is, even beside a Leon3 design */
    s->soc = esp_soc_new(design, &params, &espmon_soc_ops, s, message, sizeof(message));
    if (!s->soc) {
        error_setg(errp, "%s", message);
        return false;
    }
    return true;
}

static bool espmon_create_cpus(EspmonState *s, Error **errp)
{
    struct cpu_esp *cpus;
    char message[256];

    if (cpu_source_options()->mode == CPU_SOURCE_OFF) {
        return true;
    }
    cpus = cpu_esp_new(s->soc, &cpu_source_options()->esp, message, sizeof(message));
    if (!cpus) {
        error_setg(errp, "%s", message);
        return false;
    }
    s->late_bh = qemu_bh_new(espmon_late_irqs, s);
    cpus->opaque = s;
    cpus->sink.access = espmon_cpu_access;
    s->cpus = cpus;
    if (!cpu_source_attach(CPU_SINK_ESP, &cpus->sink)) {
        /* another SoC has the processors */
        cpu_esp_free(cpus);
        s->cpus = NULL;
    }
    return true;
}

static void espmon_free_models(void *opaque)
{
    EspmonState *s = opaque;

    if (s->late_bh) {
        qemu_bh_delete(s->late_bh);
        s->late_bh = NULL;
    }
    cpu_esp_free(s->cpus);
    s->cpus = NULL;
    esp_soc_free(s->soc);
    s->soc = NULL;
    qemu_spin_destroy(&s->lock);
    object_unref(OBJECT(s));
}

/* The models stay until no virtual CPU can be in them. */
static void espmon_free(EspmonState *s)
{
    object_ref(OBJECT(s));
    if (s->cpus) {
        cpu_source_detach(CPU_SINK_ESP, espmon_free_models, s);
    } else {
        espmon_free_models(s);
    }
}

static void espmon_realize(PCIDevice *pdev, Error **errp)
{
    EspmonState *s = ESPMON(pdev);
    unsigned int vectors;

    if (!s->clock_hz || s->clock_hz > NANOSECONDS_PER_SECOND) {
        error_setg(errp, "clock=%u is out of range: use 1 to 1000000000 Hz", s->clock_hz);
        return;
    }
    if (!espmon_create_soc(s, errp)) {
        return;
    }
    qemu_spin_init(&s->lock);
    if (!espmon_create_cpus(s, errp)) {
        espmon_free(s);
        return;
    }
    vectors = MAX(esp_soc_design(s->soc)->nacc, 1);
    if (msix_init_exclusive_bar(pdev, vectors, 1, errp) < 0) {
        espmon_free(s);
        return;
    }
    for (unsigned int i = 0; i < vectors; i++) {
        msix_vector_use(pdev, i);
    }

    memory_region_init_io(&s->apb, OBJECT(s), &espmon_apb_ops, s, "espmon-apb", ESP_APB_SIZE);
    memory_region_init_io(&s->topology, OBJECT(s), &espmon_topology_ops, s, "espmon-topology",
                          ESP_TOPO_SIZE);
    memory_region_init_io(&s->live, OBJECT(s), &espmon_live_ops, s, "espmon-live", ESP_LIVE_SIZE);
    pci_register_bar(pdev, 0, PCI_BASE_ADDRESS_SPACE_MEMORY, &s->apb);
    pci_register_bar(pdev, 2, PCI_BASE_ADDRESS_SPACE_MEMORY, &s->topology);
    if (s->has_live) {
        pci_register_bar(pdev, 4, PCI_BASE_ADDRESS_SPACE_MEMORY, &s->live);
    }
    timer_init_ns(&s->timer, QEMU_CLOCK_VIRTUAL, espmon_timer, s);
}

static void espmon_exit(PCIDevice *pdev)
{
    EspmonState *s = ESPMON(pdev);

    timer_del(&s->timer);
    msix_uninit_exclusive_bar(pdev);
    espmon_free(s);
    g_free(s->state);
}

static void espmon_reset(DeviceState *dev)
{
    EspmonState *s = ESPMON(dev);

    espmon_count(s, false);
    s->fault = 0;
    espmon_enter(s);
    esp_soc_reset(s->soc);
    if (s->cpus) {
        cpu_esp_forget(s->cpus);
    }
    timer_del(&s->timer);
    espmon_leave(s);
}

static int espmon_pre_save(void *opaque)
{
    EspmonState *s = opaque;

    /* no step of the model now: memory has been sent already */
    model_lock(&s->lock);
    if (s->cpus) {
        cpu_esp_fold(s->cpus);
    }
    s->state_size = esp_soc_save_size(s->soc);
    s->state = g_realloc(s->state, s->state_size);
    esp_soc_save(s->soc, s->state);
    model_unlock(&s->lock);
    return 0;
}

static int espmon_post_load(void *opaque, int version_id)
{
    EspmonState *s = opaque;
    bool counting = s->counting, loaded;

    model_lock(&s->lock);
    loaded = esp_soc_load(s->soc, s->state, s->state_size);
    if (s->cpus) {
        cpu_esp_forget(s->cpus);
    }
    model_unlock(&s->lock);
    if (!loaded) {
        return -EINVAL;
    }
    espmon_count(s, counting);
    espmon_arm_timer(s);
    return 0;
}

static const VMStateDescription espmon_vmstate = {
    .name = TYPE_ESPMON,
    .version_id = 4,
    .minimum_version_id = 1,
    .pre_save = espmon_pre_save,
    .post_load = espmon_post_load,
    .fields = (VMStateField[]) {
        VMSTATE_PCI_DEVICE(parent_obj, EspmonState),
        VMSTATE_MSIX(parent_obj, EspmonState),
        VMSTATE_UINT32(state_size, EspmonState),
        VMSTATE_VBUFFER_ALLOC_UINT32(state, EspmonState, 1, NULL, state_size),
        VMSTATE_BOOL_V(counting, EspmonState, 2),
        VMSTATE_UINT32_V(fault, EspmonState, 3),
        VMSTATE_INT64_V(lost, EspmonState, 4),
        VMSTATE_END_OF_LIST()
    }
};

static Property espmon_properties[] = {
    DEFINE_PROP_STRING("soc", EspmonState, soc_file),
    DEFINE_PROP_UINT32("clock", EspmonState, clock_hz, 78125000),
    DEFINE_PROP_UINT32("layout", EspmonState, layout, 2023),
    DEFINE_PROP_UINT32("preset", EspmonState, preset, 0),
    DEFINE_PROP_SIZE("mem-size", EspmonState, mem_size, 0),
    DEFINE_PROP_BOOL("live", EspmonState, has_live, true),
    DEFINE_PROP_BOOL("tlb-quirk", EspmonState, tlb_quirk, true),
    DEFINE_PROP_END_OF_LIST(),
};

static void espmon_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(klass);

    pc->realize = espmon_realize;
    pc->exit = espmon_exit;
    pc->vendor_id = ESPMON_PCI_VENDOR;
    pc->device_id = ESPMON_PCI_DEVICE;
    pc->class_id = PCI_CLASS_SYSTEM_OTHER;
    dc->reset = espmon_reset;
    dc->vmsd = &espmon_vmstate;
    dc->desc = "ESP SoC with performance monitors";
    device_class_set_props(dc, espmon_properties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
}

static const TypeInfo espmon_type = {
    .name = TYPE_ESPMON,
    .parent = TYPE_PCI_DEVICE,
    .instance_size = sizeof(EspmonState),
    .class_init = espmon_class_init,
    .interfaces = (InterfaceInfo[]) {
        { INTERFACE_PCIE_DEVICE },
        { },
    },
};

void esp_dev_register(void)
{
    type_register_static(&espmon_type);
}
