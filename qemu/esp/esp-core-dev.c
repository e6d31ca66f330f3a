/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The bus-independent part of the ESP devices: registers, clock, DMA, the guest's accesses, reset and migration.
 * The model is in models/esp/.
 */
#include "qemu/osdep.h"
#include "hw/core/cpu.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/log.h"
#include "qemu/main-loop.h"

#include "cpu/cpu-source.h"
#include "esp/cpus.h"
#include "esp/esp-core.h"
#include "model-lock.h"

/*
 * While an accelerator runs, the model's events are a few tens of nanoseconds apart. Every access
 * brings the model up to date first, so only interrupts need the timer; it fires this much after
 * the next event and so handles many events at once.
 */
#define TIMER_SLACK_NS 20000

static uint64_t ns_to_cycle(EspCore *s, int64_t ns)
{
    return muldiv64(ns, s->clock_hz, NANOSECONDS_PER_SECOND);
}

/*
 * Advances the SoC's clock to the guest's time, less the time that the model needed to compute.
 *
 * Without that deduction a slow model would make accelerators that a program starts together run one after the
 * other. Nothing is deducted if the model has no events. With -icount virtual time stops while the model
 * computes, so the two clocks agree.
 */
static void esp_core_sync(EspCore *s)
{
    int64_t begun = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    uint64_t cycle = ns_to_cycle(s, MAX(begun - s->lost, 0));
    bool busy = esp_soc_next_event(s->soc) <= cycle;

    /* if the clock steps back (migration between hosts), the model waits */
    if (cycle > esp_soc_now(s->soc)) {
        esp_soc_try_advance(s->soc, cycle);
        if (esp_soc_now(s->soc) < cycle) {
            /* an accelerator's process still computes: the SoC's clock is stopped, the guest's goes on */
            s->lost = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) -
                      muldiv64(esp_soc_now(s->soc), NANOSECONDS_PER_SECOND, s->clock_hz);
        } else if (busy) {
            s->lost += qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) - begun;
        }
    }
}

static void esp_core_arm_timer(EspCore *s)
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

/* Brackets all uses of the model under the big lock. */
static void esp_core_enter(EspCore *s)
{
    if (s->depth++ == 0) {
        model_lock(&s->lock);
    }
    esp_core_sync(s);
    if (s->cpus) {
        cpu_esp_fold(s->cpus);
    }
}

static void esp_core_leave(EspCore *s)
{
    if (--s->depth == 0) {
        model_unlock(&s->lock);
    }
}

static void esp_core_timer(void *opaque)
{
    EspCore *s = opaque;

    esp_core_enter(s);
    esp_core_arm_timer(s);
    esp_core_leave(s);
}

/* An access that a virtual CPU's filter does not know. */
static void esp_core_cpu_access(struct cpu_sink *sink, unsigned int vcpu, enum cpu_access what,
                                uint32_t line)
{
    struct cpu_esp *cpus = container_of(sink, struct cpu_esp, sink);
    EspCore *s = cpus->opaque;

    model_lock(&s->lock);
    if (!cpu_esp_access(cpus, vcpu, what, line, false)) {
        /*
         * An accelerator runs, so the timer is set and the model's time is nearly up to date. In
         * the middle of a translation block the time must not be read and no interrupt raised.
         */
        s->in_block = true;
        cpu_esp_access(cpus, vcpu, what, line, true);
        s->in_block = false;
    }
    model_unlock(&s->lock);
}

static void esp_core_count(EspCore *s, bool on)
{
    s->counting = on && s->cpus;
    if (s->cpus && cpu_source_options()->mode == CPU_SOURCE_ON) {
        cpu_source_arm(CPU_SINK_TILES, on);
    }
}

/* vCPU n is the SoC's CPU tile n modulo their number; a debugger counts as the first. */
static unsigned int esp_core_cpu(EspCore *s)
{
    unsigned int ncpu = esp_soc_design(s->soc)->ncpu;

    return current_cpu && ncpu ? current_cpu->cpu_index % ncpu : 0;
}

/* Fault injection: true if the monitors' window does not answer. */
static bool esp_core_is_silent(EspCore *s, hwaddr addr, bool is_read)
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
    /* all ones, as from a device that does not answer, if the SoC has lost packets: its counts are wrong */
    return silent || esp_soc_has_lost(s->soc);
}

uint32_t esp_core_read(EspCore *s, hwaddr addr)
{
    uint32_t value;

    if (esp_core_is_silent(s, addr, true)) {
        return UINT32_MAX;
    }
    esp_core_enter(s);
    value = esp_soc_read(s->soc, esp_core_cpu(s), addr);
    esp_core_leave(s);
    return value;
}

static uint64_t esp_core_apb_read(void *opaque, hwaddr addr, unsigned size)
{
    return esp_core_read(opaque, addr);
}

void esp_core_write(EspCore *s, hwaddr addr, uint32_t value)
{
    if (esp_core_is_silent(s, addr, false)) {
        return;
    }
    esp_core_enter(s);
    esp_soc_write(s->soc, esp_core_cpu(s), addr, value);
    esp_core_arm_timer(s);
    if (addr - ESP_ACC_BASE < ESP_ACC_STRIDE * esp_soc_design(s->soc)->nacc &&
        addr % ESP_ACC_STRIDE == ESP_ACC_CMD && !(value & 1)) {
        s->irq(s, (addr - ESP_ACC_BASE) / ESP_ACC_STRIDE, false);
    }
    esp_core_leave(s);
}

static void esp_core_apb_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    esp_core_write(opaque, addr, value);
}

static uint64_t esp_core_topology_read(void *opaque, hwaddr addr, unsigned size)
{
    EspCore *s = opaque;
    uint32_t word = esp_soc_topology(s->soc, addr);

    switch (addr) {
    case ESP_TOPO_CLOCK_HZ:
        return s->clock_hz;
    case ESP_TOPO_CPU:
        return (s->cpus ? ESP_TOPO_CPU_PRESENT : 0) | (s->counting ? ESP_TOPO_CPU_COUNT : 0);
    case ESP_TOPO_FAULT:
        return s->fault;
    case ESP_TOPO_LOST:
        return esp_soc_has_lost(s->soc);
    case ESP_TOPO_FLAGS:
        return (word & ~ESP_TOPO_LIVE) | (s->has_live ? ESP_TOPO_LIVE : 0);
    default:
        return word;
    }
}

uint32_t esp_core_monitor(EspCore *s, unsigned int tile, unsigned int reg)
{
    uint32_t value;

    esp_core_enter(s);
    value = esp_soc_has_lost(s->soc) ? UINT32_MAX : esp_soc_monitor(s->soc, tile, reg);
    esp_core_leave(s);
    return value;
}

static uint64_t esp_core_live_read(void *opaque, hwaddr addr, unsigned size)
{
    return esp_core_monitor(opaque, addr / ESP_LIVE_STRIDE, addr % ESP_LIVE_STRIDE / 4);
}

static void esp_core_readonly_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    qemu_log_mask(LOG_GUEST_ERROR, "espmon: write to the read-only offset 0x%" HWADDR_PRIx "\n",
                  addr);
}

static void esp_core_reset_accelerator(EspCore *s, uint32_t acc)
{
    esp_core_enter(s);
    esp_soc_reset_accelerator(s->soc, acc);
    esp_core_arm_timer(s);
    esp_core_leave(s);
}

/* Fault injection: takes the model's room for packets. */
static void esp_core_exhaust(EspCore *s)
{
    esp_core_enter(s);
    esp_soc_exhaust(s->soc);
    esp_core_leave(s);
}

static void esp_core_topology_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    if (addr == ESP_TOPO_CPU) {
        esp_core_count(opaque, value & ESP_TOPO_CPU_COUNT);
    } else if (addr == ESP_TOPO_FAULT) {
        ((EspCore *)opaque)->fault = value;
    } else if (addr == ESP_TOPO_ACC_RESET) {
        esp_core_reset_accelerator(opaque, value);
    } else if (addr == ESP_TOPO_LOST) {
        esp_core_exhaust(opaque);
    } else {
        esp_core_readonly_write(opaque, addr, value, size);
    }
}

static const MemoryRegionOps esp_core_apb_ops = {
    .read = esp_core_apb_read,
    .write = esp_core_apb_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    /* two reads, so that the compiler cannot combine them */
    .valid = { .min_access_size = 4, .max_access_size = 8 },
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

static const MemoryRegionOps esp_core_topology_ops = {
    .read = esp_core_topology_read,
    .write = esp_core_topology_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
};

static const MemoryRegionOps esp_core_live_ops = {
    .read = esp_core_live_read,
    .write = esp_core_readonly_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
};

/*
 * The SoC's DMA reaches memory only. An accelerator whose buffer is a device, this one included,
 * gets an error, so DMA cannot call back into the model.
 */
static bool esp_core_dma(EspCore *s, uint64_t addr, void *buf, size_t len, bool is_write)
{
    const MemTxAttrs attrs = { .memory = 1 };

    return address_space_rw(s->as, addr, attrs, buf, len, is_write) == MEMTX_OK;
}

static bool esp_core_mem_read(void *opaque, uint64_t addr, void *buf, size_t len)
{
    return esp_core_dma(opaque, addr, buf, len, false);
}

static bool esp_core_mem_write(void *opaque, uint64_t addr, const void *buf, size_t len)
{
    return esp_core_dma(opaque, addr, (void *)buf, len, true);
}

static void esp_core_irq(void *opaque, unsigned int acc)
{
    EspCore *s = opaque;

    if (s->in_block) {
        qatomic_set(&s->late[acc], true);
        qemu_bh_schedule(s->late_bh);
    } else {
        s->irq(s, acc, true);
    }
}

static void esp_core_late_irqs(void *opaque)
{
    EspCore *s = opaque;
    unsigned int acc;

    /* the device may have been unplugged meanwhile */
    for (acc = 0; s->dev->realized && acc < esp_soc_design(s->soc)->nacc; acc++) {
        if (qatomic_xchg(&s->late[acc], false)) {
            s->irq(s, acc, true);
        }
    }
}

static void esp_core_failed(void *opaque, const char *message)
{
    warn_report("espmon: %s", message);
}

static void esp_core_guest_error(void *opaque, const char *message)
{
    qemu_log_mask(LOG_GUEST_ERROR, "espmon: %s\n", message);
}

static const struct esp_soc_ops esp_core_soc_ops = {
    .mem_read = esp_core_mem_read,
    .mem_write = esp_core_mem_write,
    .irq = esp_core_irq,
    .guest_error = esp_core_guest_error,
    .failed = esp_core_failed,
    .transaction = esp_core_transaction,
};

static bool esp_core_create_cpus(EspCore *s, Error **errp)
{
    struct cpu_esp_params params;
    struct cpu_esp *cpus;
    char message[256];

    if (cpu_source_options()->mode == CPU_SOURCE_OFF) {
        return true;
    }
    cpu_esp_params_init(&params);
    cpu_source_cache(CPU_SOURCE_L1D, &params.l1d_bytes, &params.l1d_ways);
    cpu_source_cache(CPU_SOURCE_L1I, &params.l1i_bytes, &params.l1i_ways);
    cpus = cpu_esp_new(s->soc, &params, message, sizeof(message));
    if (!cpus) {
        error_setg(errp, "%s", message);
        return false;
    }
    s->late_bh = qemu_bh_new(esp_core_late_irqs, s);
    cpus->opaque = s;
    cpus->sink.access = esp_core_cpu_access;
    s->cpus = cpus;
    if (!cpu_source_attach(CPU_SINK_TILES, &cpus->sink)) {
        /* another SoC gets the processors' accesses */
        cpu_esp_free(cpus);
        s->cpus = NULL;
    }
    return true;
}

static void esp_core_free_models(void *opaque)
{
    EspCore *s = opaque;

    if (s->late_bh) {
        qemu_bh_delete(s->late_bh);
        s->late_bh = NULL;
    }
    cpu_esp_free(s->cpus);
    s->cpus = NULL;
    esp_soc_free(s->soc);
    s->soc = NULL;
    esp_core_free_design(s);
    qemu_spin_destroy(&s->lock);
    object_unref(OBJECT(s->dev));
}

/* Frees the models when no virtual CPU uses them any more. */
static void esp_core_free(EspCore *s)
{
    object_ref(OBJECT(s->dev));
    if (s->cpus) {
        cpu_source_detach(CPU_SINK_TILES, esp_core_free_models, s);
    } else {
        esp_core_free_models(s);
    }
}

bool esp_core_realize(EspCore *s, DeviceState *dev, AddressSpace *as, esp_core_irq_fn *irq,
                      Error **errp)
{
    if (!s->clock_hz || s->clock_hz > NANOSECONDS_PER_SECOND) {
        error_setg(errp, "clock=%u is out of range: use 1 to 1000000000 Hz", s->clock_hz);
        return false;
    }
    s->dev = dev;
    s->as = as;
    s->irq = irq;
    if (!esp_core_create_soc(s, &esp_core_soc_ops, errp)) {
        return false;
    }
    qemu_spin_init(&s->lock);
    if (!esp_core_create_cpus(s, errp)) {
        esp_core_free(s);
        return false;
    }
    memory_region_init_io(&s->apb, OBJECT(dev), &esp_core_apb_ops, s, "espmon-apb", ESP_APB_SIZE);
    memory_region_init_io(&s->topology, OBJECT(dev), &esp_core_topology_ops, s, "espmon-topology",
                          ESP_TOPO_SIZE);
    memory_region_init_io(&s->live, OBJECT(dev), &esp_core_live_ops, s, "espmon-live",
                          ESP_LIVE_SIZE);
    timer_init_ns(&s->timer, QEMU_CLOCK_VIRTUAL, esp_core_timer, s);
    return true;
}

void esp_core_exit(EspCore *s)
{
    timer_del(&s->timer);
    esp_core_free(s);
    g_free(s->state);
}

void esp_core_reset(EspCore *s)
{
    esp_core_count(s, false);
    s->fault = 0;
    esp_core_enter(s);
    esp_soc_reset(s->soc);
    if (s->cpus) {
        cpu_esp_forget(s->cpus);
    }
    timer_del(&s->timer);
    esp_core_leave(s);
}

int esp_core_save(EspCore *s)
{
    if (esp_soc_has_remote_runs(s->soc)) {
        error_report("espmon: an accelerator in a process of its own runs: no snapshot before it is "
                     "done");
        return -EBUSY;
    }
    /* do not step the model: memory has been sent already */
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

static int esp_core_post_load(void *opaque, int version_id)
{
    EspCore *s = opaque;
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
    esp_core_count(s, counting);
    esp_core_arm_timer(s);
    return 0;
}

const VMStateDescription esp_core_vmstate = {
    .name = "espmon-core",
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = esp_core_post_load,
    .fields = (VMStateField[]) {
        VMSTATE_UINT32(state_size, EspCore),
        VMSTATE_VBUFFER_ALLOC_UINT32(state, EspCore, 1, NULL, state_size),
        VMSTATE_BOOL(counting, EspCore),
        VMSTATE_UINT32(fault, EspCore),
        VMSTATE_INT64(lost, EspCore),
        VMSTATE_END_OF_LIST()
    }
};
