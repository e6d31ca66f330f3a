/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Device `espmon-soc`: an ESP SoC at its own addresses, on a RISC-V machine with a PLIC and a device tree (-machine
 * virt).
 *
 * The APB window has its physical address, the accelerators' interrupts go to the PLIC, and the machine's device
 * tree gets ESP's nodes and libmon's.
 */
#include "qemu/osdep.h"
#include <libfdt.h>
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "qemu/module.h"

#include "esp/esp-board.h"
#include "models/esp/esp_tree.h"

#define TYPE_ESPMON_SOC "espmon-soc"
OBJECT_DECLARE_SIMPLE_TYPE(EspmonSocState, ESPMON_SOC)

/* Inputs of virt's PLIC that no other device of the machine uses; with more accelerators several share one. */
#define IRQ_FIRST 36
#define IRQ_COUNT 60

/* A free range of ESP's map, between the APB window and third-party accelerators' windows. */
#define TOPOLOGY_AT ESP_APB_SIZE

/* ESP's memory map: the accelerators' pool is reserved memory, which Linux must not use. */
#define MEM_BASE 0x80000000ULL
#define POOL_BASE (MEM_BASE + ESP_POOL_FIRST)
#define TREE_ROOM 0x1000000

struct EspmonSocState {
    DeviceState parent_obj;

    EspCore core;
    EspBoard board;
    qemu_irq irq[IRQ_COUNT];
    bool raised[ESP_MAX_ACCS];
    uint32_t plic_phandle, pool_phandle;
    char *path;                 /* path of the node that is being written */

    /* properties */
    uint64_t apb_base;
    bool tree, coherent;
};

static void espmon_soc_irq(EspCore *core, unsigned int acc, bool level)
{
    EspmonSocState *s = container_of(core, EspmonSocState, core);
    unsigned int line = acc % IRQ_COUNT;
    bool any = false;

    s->raised[acc] = level;
    for (unsigned int i = line; i < ESP_MAX_ACCS; i += IRQ_COUNT) {
        any |= s->raised[i];
    }
    qemu_set_irq(s->irq[line], any);
}

static void esp_soc_dev_node(void *opaque, const char *name, uint64_t at)
{
    EspmonSocState *s = opaque;

    g_free(s->path);
    s->path = g_strdup_printf("/soc/%s@%" PRIx64, name, at);
    qemu_fdt_add_subnode(current_machine->fdt, s->path);
}

static void soc_cells(void *opaque, const char *property, const uint32_t *value, unsigned int n)
{
    EspmonSocState *s = opaque;
    g_autofree uint32_t *be = g_new(uint32_t, n);

    for (unsigned int i = 0; i < n; i++) {
        be[i] = cpu_to_be32(value[i]);
    }
    qemu_fdt_setprop(current_machine->fdt, s->path, property, be, n * sizeof(*be));
}

static void soc_strings(void *opaque, const char *property, const char *list, size_t size)
{
    EspmonSocState *s = opaque;

    qemu_fdt_setprop(current_machine->fdt, s->path, property, list, size);
}

static void soc_interrupts(void *opaque, const uint32_t *irqs, unsigned int n)
{
    EspmonSocState *s = opaque;

    qemu_fdt_setprop_cell(current_machine->fdt, s->path, "interrupt-parent", s->plic_phandle);
    soc_cells(opaque, "interrupts", irqs, n);
}

static void soc_phandles(void *opaque, const char *property, const char *list, size_t size)
{
    void *fdt = current_machine->fdt;
    uint32_t phandles[ESP_MAX_ACCS];
    unsigned int n = 0;

    for (const char *name = list; name < list + size; name += strlen(name) + 1) {
        g_autofree char *path = g_strdup_printf("/soc/%s", name);

        /* two nodes refer to it */
        phandles[n] = fdt_get_phandle(fdt, fdt_path_offset(fdt, path));
        if (!phandles[n]) {
            phandles[n] = qemu_fdt_alloc_phandle(fdt);
            qemu_fdt_setprop_cell(fdt, path, "phandle", phandles[n]);
        }
        n++;
    }
    soc_cells(opaque, property, phandles, n);
}

static void soc_clock(void *opaque, uint32_t hz)
{
    static const char path[] = "/clock-esp";
    EspmonSocState *s = opaque;
    void *fdt = current_machine->fdt;
    uint32_t phandle = qemu_fdt_alloc_phandle(fdt);

    qemu_fdt_add_subnode(fdt, path);
    qemu_fdt_setprop_string(fdt, path, "compatible", "fixed-clock");
    qemu_fdt_setprop_cell(fdt, path, "#clock-cells", 0);
    qemu_fdt_setprop_cell(fdt, path, "clock-frequency", hz);
    qemu_fdt_setprop_cell(fdt, path, "phandle", phandle);
    qemu_fdt_setprop_cell(fdt, s->path, "clocks", phandle);
}

static void soc_pool(void *opaque)
{
    EspmonSocState *s = opaque;

    soc_cells(opaque, "memory-region", &s->pool_phandle, 1);
    if (!s->coherent) {
        qemu_fdt_setprop(current_machine->fdt, s->path, "dma-noncoherent", NULL, 0);
    }
}

static const struct esp_tree_ops espmon_soc_tree_ops = {
    .node = esp_soc_dev_node,
    .cells = soc_cells,
    .strings = soc_strings,
    .interrupts = soc_interrupts,
    .phandles = soc_phandles,
    .clock = soc_clock,
    .pool = soc_pool,
};

static uint64_t espmon_soc_ram_end(void)
{
    return current_machine->ram->addr + current_machine->ram_size;
}

/* The machine puts its device tree at the end of memory, or of the first 3 GiB of addresses. */
static uint64_t espmon_soc_tree_at(void)
{
    return MIN(espmon_soc_ram_end(), MEM_BASE + ESP_POOL_END) - TREE_ROOM;
}

/* If the machine has less memory than ESP, the pool is smaller. */
static uint64_t espmon_soc_pool_end(EspmonSocState *s)
{
    return MIN(MEM_BASE + esp_design_pool_end(esp_soc_design(s->core.soc)), espmon_soc_tree_at());
}

static void espmon_soc_reserve(EspmonSocState *s, void *fdt)
{
    static const char pool[] = "/reserved-memory/accelerators@a0200000";
    g_autofree char *rest = NULL;

    qemu_fdt_add_subnode(fdt, "/reserved-memory");
    qemu_fdt_setprop_cell(fdt, "/reserved-memory", "#address-cells", 2);
    qemu_fdt_setprop_cell(fdt, "/reserved-memory", "#size-cells", 2);
    qemu_fdt_setprop(fdt, "/reserved-memory", "ranges", NULL, 0);
    qemu_fdt_add_subnode(fdt, pool);
    qemu_fdt_setprop_cells(fdt, pool, "reg", 0, POOL_BASE, 0, espmon_soc_pool_end(s) - POOL_BASE);
    qemu_fdt_setprop(fdt, pool, "no-map", NULL, 0);
    qemu_fdt_setprop_string(fdt, pool, "compatible", "shared-dma-pool");
    s->pool_phandle = qemu_fdt_alloc_phandle(fdt);
    qemu_fdt_setprop_cell(fdt, pool, "phandle", s->pool_phandle);
    /* ESP's pool continues here, so a program may use this range: keep Linux out of it */
    rest = g_strdup_printf("/reserved-memory/device-tree@%" PRIx64, espmon_soc_tree_at());
    qemu_fdt_add_subnode(fdt, rest);
    qemu_fdt_setprop_cells(fdt, rest, "reg", 0, espmon_soc_tree_at(), 0, TREE_ROOM);
}

/* A node for the emulator alone; ESP's tree has none. */
static void espmon_soc_emulator(EspmonSocState *s, void *fdt)
{
    uint64_t at = s->apb_base + TOPOLOGY_AT;
    g_autofree char *path = g_strdup_printf("/soc/emulator@%" PRIx64, at);

    qemu_fdt_add_subnode(fdt, path);
    qemu_fdt_setprop_string(fdt, path, "compatible", ESP_EMULATOR_COMPATIBLE);
    qemu_fdt_setprop_cells(fdt, path, "reg", at >> 32, at, 0, ESP_TOPO_SIZE);
}

/* Ends the PCI host's window for 32-bit addresses below the SoC. */
static bool espmon_soc_shrink_pci(EspmonSocState *s, Error **errp)
{
    void *fdt = current_machine->fdt;
    char **paths = qemu_fdt_node_path(fdt, NULL, "pci-host-ecam-generic", errp);
    int len;

    if (!paths) {
        return false;
    }
    for (char **path = paths; *path; path++) {
        uint32_t *range = (uint32_t *)qemu_fdt_getprop(fdt, *path, "ranges", &len, NULL);

        /* cells: three of the PCI address, two of the CPU address, two of the size */
        for (int i = 0; range && i + 7 <= len / 4; i += 7) {
            uint64_t at = (uint64_t)be32_to_cpu(range[i + 3]) << 32 | be32_to_cpu(range[i + 4]);

            if (at < s->apb_base && at + be32_to_cpu(range[i + 6]) > s->apb_base) {
                range[i + 6] = cpu_to_be32(s->apb_base - at);
            }
        }
    }
    g_strfreev(paths);
    return true;
}

static bool espmon_soc_tree(EspmonSocState *s, Error **errp)
{
    const struct esp_design *design = esp_soc_design(s->core.soc);
    void *fdt = current_machine->fdt;
    uint32_t params[ESP_MAX_ACCS];
    struct esp_tree tree = {
        .params = params,
        .apb = s->apb_base,
        .irq = IRQ_FIRST,
        .irqs = IRQ_COUNT,
        .clock_hz = s->core.clock_hz,
        .layout = s->core.layout,
        .mem_base = esp_soc_topology(s->core.soc, ESP_TOPO_MEM_BASE),
        .mem_size = (uint64_t)esp_soc_topology(s->core.soc, ESP_TOPO_MEM_MIB) << 20,
    };
    char **plic = qemu_fdt_node_path(fdt, NULL, "sifive,plic-1.0.0", errp);

    if (!plic) {
        return false;
    }
    if (!plic[0] || !(s->plic_phandle = qemu_fdt_get_phandle(fdt, plic[0]))) {
        error_setg(errp, "the machine's device tree has no PLIC yet: give the tree of "
                   "-machine dumpdtb=FILE with the nodes of mon-socgen --dts as -dtb FILE, "
                   "and tree=off");
        g_strfreev(plic);
        return false;
    }
    g_strfreev(plic);
    espmon_soc_reserve(s, fdt);
    espmon_soc_emulator(s, fdt);
    for (unsigned int i = 0; i < design->nacc; i++) {
        params[i] = esp_soc_topology(s->core.soc, ESP_TOPO_ACC(i) + ESP_TOPO_ACC_PARAMS);
    }
    /* libfdt inserts a new node before the others, and drivers number devices in the tree's order */
    for (unsigned int i = esp_tree_nodes(design); i-- > 0;) {
        esp_tree_node(design, &tree, i, &espmon_soc_tree_ops, s);
    }
    g_free(s->path);
    return espmon_soc_shrink_pci(s, errp);
}

/* A device without a bus has to register its own reset. */
static void espmon_soc_reset(void *opaque)
{
    EspmonSocState *s = opaque;

    esp_core_reset(&s->core);
    esp_board_reset(&s->board);
    memset(s->raised, 0, sizeof(s->raised));
    for (unsigned int i = 0; i < IRQ_COUNT; i++) {
        qemu_irq_lower(s->irq[i]);
    }
}

static void espmon_soc_realize(DeviceState *dev, Error **errp)
{
    EspmonSocState *s = ESPMON_SOC(dev);
    MemoryRegion *system = get_system_memory();
    bool ambiguous = false;
    Object *plic = object_resolve_path_type("", "riscv.sifive.plic", &ambiguous);

    if (!plic || ambiguous) {
        error_setg(errp, "espmon-soc: this machine has not one PLIC: use -machine virt of "
                   "qemu-system-riscv64, or the PCI device espmon");
        return;
    }
    if (s->tree && !current_machine->dtb &&
        espmon_soc_ram_end() < MEM_BASE + ESP_POOL_END_SHARED) {
        error_setg(errp, "espmon-soc: ESP's memory for accelerators ends at 0x%llx: use -m 768M or "
                   "more", MEM_BASE + ESP_POOL_END_SHARED);
        return;
    }
    if (!esp_core_realize(&s->core, dev, &address_space_memory, espmon_soc_irq, errp)) {
        return;
    }
    for (unsigned int i = 0; i < IRQ_COUNT; i++) {
        s->irq[i] = qdev_get_gpio_in(DEVICE(plic), IRQ_FIRST + i);
    }
    if (s->tree && !current_machine->dtb && !espmon_soc_tree(s, errp)) {
        esp_core_exit(&s->core);
        return;
    }
    if (!esp_board_realize(&s->board, &s->core, s->apb_base, errp)) {
        esp_core_exit(&s->core);
        return;
    }
    /* before the PCI host's window */
    memory_region_add_subregion_overlap(system, s->apb_base, &s->core.apb, 1);
    memory_region_add_subregion_overlap(system, s->apb_base + TOPOLOGY_AT, &s->core.topology, 1);
    qemu_register_reset(espmon_soc_reset, s);
}

static int espmon_soc_save(void *opaque)
{
    EspmonSocState *s = opaque;

    return esp_core_save(&s->core);
}

static const VMStateDescription espmon_soc_vmstate = {
    .name = TYPE_ESPMON_SOC,
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_save = espmon_soc_save,
    .fields = (VMStateField[]) {
        VMSTATE_STRUCT(core, EspmonSocState, 1, esp_core_vmstate, EspCore),
        VMSTATE_BOOL_ARRAY(raised, EspmonSocState, ESP_MAX_ACCS),
        VMSTATE_END_OF_LIST()
    }
};

static const Property espmon_soc_properties[] = {
    ESP_CORE_PROPERTIES(EspmonSocState),
    ESP_BOARD_PROPERTIES(EspmonSocState),
    DEFINE_PROP_UINT64("apb-base", EspmonSocState, apb_base, 0x60000000),
    DEFINE_PROP_BOOL("tree", EspmonSocState, tree, true),
    DEFINE_PROP_BOOL("dma-coherent", EspmonSocState, coherent, true),
    MON_PROPERTIES_END
};

static void espmon_soc_class_init(ObjectClass *klass, MON_CLASS_DATA *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->realize = espmon_soc_realize;
    dc->user_creatable = true;
    dc->hotpluggable = false;
    dc->vmsd = &espmon_soc_vmstate;
    dc->desc = "ESP SoC with performance monitors, at ESP's own addresses";
    device_class_set_props(dc, espmon_soc_properties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
}

static const TypeInfo espmon_soc_type = {
    .name = TYPE_ESPMON_SOC,
    .parent = TYPE_DEVICE,
    .instance_size = sizeof(EspmonSocState),
    .class_init = espmon_soc_class_init,
};

void esp_soc_dev_register(void)
{
    type_register_static(&espmon_soc_type);
}
