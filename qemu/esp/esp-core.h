/* SPDX-License-Identifier: GPL-2.0-only */
/* The bus-independent part of the ESP devices. Each device has one in its state. */
#ifndef ESP_CORE_H
#define ESP_CORE_H

#include "migration/vmstate.h"
#include "qemu/timer.h"
#include "qemu/units.h"

#include "compat.h"
#include "events/esp/regs.h"
#include "esp/soc.h"

typedef struct EspCore EspCore;

#define ESP_CORE_MAX_TYPES 64

/* Sets an accelerator's interrupt: high when it is done, low when its CMD is written with 0. */
typedef void esp_core_irq_fn(EspCore *core, unsigned int acc, bool level);

struct EspCore {
    DeviceState *dev;           /* the device that this is part of */
    AddressSpace *as;           /* for the SoC's DMA */
    esp_core_irq_fn *irq;

    MemoryRegion apb;
    MemoryRegion topology;
    MemoryRegion live;
    QEMUTimer timer;
    struct esp_soc *soc;

    /*
     * Protects the model, because virtual CPUs that report accesses do not hold the big lock. Take it after the big
     * lock. A holder of both can be called again, through an interrupt message that the guest has directed to this
     * device.
     */
    QemuSpin lock;
    unsigned int depth;
    struct cpu_esp *cpus;       /* NULL: accesses are not modelled */
    bool counting;
    bool in_block;              /* a virtual CPU runs the model: interrupts are kept in late */
    QEMUBH *late_bh;
    bool late[ESP_MAX_ACCS];
    uint32_t fault;             /* ESP_TOPO_FAULT */
    int64_t lost;               /* nanoseconds by which the SoC's clock is behind the guest's */

    /* properties */
    char *soc_file;
    char *accelerators;         /* NAME=FILE;NAME=FILE... */
    uint32_t silence_ms;        /* longest time without progress of an accelerator's process */
    bool confined;              /* sandbox the processes */
    char *requests_file;        /* where the accelerators' transactions are written */
    uint32_t clock_hz;
    char *layout_name;
    uint32_t preset;
    uint64_t mem_size;
    bool has_live;
    bool tlb_quirk;

    uint32_t layout;            /* number of layout_name */

    /* the model's state during migration */
    uint8_t *state;
    struct mon_esp_acc_type *types[ESP_CORE_MAX_TYPES + 1];     /* made from accelerators */
    uint32_t state_size;
    FILE *requests;             /* requests_file, or NULL */
};

/* Properties of every device; STATE has a member "core". */
#define ESP_CORE_PROPERTIES(STATE) \
    DEFINE_PROP_STRING("soc", STATE, core.soc_file), \
    DEFINE_PROP_STRING("accelerators", STATE, core.accelerators), \
    DEFINE_PROP_UINT32("accelerator-silence", STATE, core.silence_ms, 10000), \
    DEFINE_PROP_BOOL("confine", STATE, core.confined, true), \
    DEFINE_PROP_STRING("requests", STATE, core.requests_file), \
    DEFINE_PROP_UINT32("clock", STATE, core.clock_hz, 78125000), \
    DEFINE_PROP_STRING("layout", STATE, core.layout_name), \
    DEFINE_PROP_UINT32("preset", STATE, core.preset, 0), \
    DEFINE_PROP_SIZE("mem-size", STATE, core.mem_size, 0), \
    DEFINE_PROP_BOOL("tlb-quirk", STATE, core.tlb_quirk, true)

extern const VMStateDescription esp_core_vmstate;
/* What the device does before it is saved. QEMU 10 crashes if a part of its description refuses instead. */
int esp_core_save(EspCore *core);

/* Creates model and memory regions; the device maps the regions. */
bool esp_core_realize(EspCore *core, DeviceState *dev, AddressSpace *as, esp_core_irq_fn *irq,
                      Error **errp);
void esp_core_exit(EspCore *core);
void esp_core_reset(EspCore *core);

/* An access of the guest to the APB window. */
uint32_t esp_core_read(EspCore *core, hwaddr addr);
void esp_core_write(EspCore *core, hwaddr addr, uint32_t value);
/* A tile's monitor; all ones if the SoC has lost packets. */
uint32_t esp_core_monitor(EspCore *core, unsigned int tile, unsigned int reg);

/* Makes core->soc of the properties (esp-design-dev.c). */
bool esp_core_create_soc(EspCore *core, const struct esp_soc_ops *ops, Error **errp);
/* What it made beside the SoC. */
void esp_core_free_design(EspCore *core);
/* The model's callback: a line of the property "requests". */
void esp_core_transaction(void *opaque, const struct esp_transaction *t);

/* The device at ESP's own addresses. */
void esp_soc_dev_register(void);

#endif
