/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PCI device `espmon`: an ESP SoC beside the guest's processor.
 *
 * BAR0 mirrors the SoC's APB window register for register. BAR2 (topology), BAR4 (live monitors) and
 * MSI-X in BAR1 are what an emulated device needs in addition; see events/esp/regs.h.
 */
#include "qemu/osdep.h"
#include "hw/pci/msix.h"
#include "migration/vmstate.h"
#include "qemu/module.h"

#include "esp/esp-core.h"
#include "mon-devices.h"

#define TYPE_ESPMON "espmon"
OBJECT_DECLARE_SIMPLE_TYPE(EspmonState, ESPMON)

struct EspmonState {
    PCIDevice parent_obj;

    EspCore core;
};

/* A message announces the end of a run; it has no level to lower. */
static void espmon_irq(EspCore *core, unsigned int acc, bool level)
{
    if (level) {
        msix_notify(PCI_DEVICE(core->dev), acc);
    }
}

static void espmon_realize(PCIDevice *pdev, Error **errp)
{
    EspCore *core = &ESPMON(pdev)->core;
    unsigned int vectors;

    if (!esp_core_realize(core, DEVICE(pdev), pci_get_address_space(pdev), espmon_irq, errp)) {
        return;
    }
    vectors = MAX(esp_soc_design(core->soc)->nacc, 1);
    if (msix_init_exclusive_bar(pdev, vectors, 1, errp) < 0) {
        esp_core_exit(core);
        return;
    }
    for (unsigned int i = 0; i < vectors; i++) {
        msix_vector_use(pdev, i);
    }
    pci_register_bar(pdev, 0, PCI_BASE_ADDRESS_SPACE_MEMORY, &core->apb);
    pci_register_bar(pdev, 2, PCI_BASE_ADDRESS_SPACE_MEMORY, &core->topology);
    if (core->has_live) {
        pci_register_bar(pdev, 4, PCI_BASE_ADDRESS_SPACE_MEMORY, &core->live);
    }
}

static void espmon_exit(PCIDevice *pdev)
{
    msix_uninit_exclusive_bar(pdev);
    esp_core_exit(&ESPMON(pdev)->core);
}

static void espmon_reset(DeviceState *dev)
{
    esp_core_reset(&ESPMON(dev)->core);
}

static int espmon_save(void *opaque)
{
    EspmonState *s = opaque;

    return esp_core_save(&s->core);
}

static const VMStateDescription espmon_vmstate = {
    .name = TYPE_ESPMON,
    .version_id = 5,
    .minimum_version_id = 5,
    .pre_save = espmon_save,
    .fields = (VMStateField[]) {
        VMSTATE_PCI_DEVICE(parent_obj, EspmonState),
        VMSTATE_MSIX(parent_obj, EspmonState),
        VMSTATE_STRUCT(core, EspmonState, 1, esp_core_vmstate, EspCore),
        VMSTATE_END_OF_LIST()
    }
};

static const Property espmon_properties[] = {
    ESP_CORE_PROPERTIES(EspmonState),
    DEFINE_PROP_BOOL("live", EspmonState, core.has_live, true),
    MON_PROPERTIES_END
};

static void espmon_class_init(ObjectClass *klass, MON_CLASS_DATA *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(klass);

    pc->realize = espmon_realize;
    pc->exit = espmon_exit;
    pc->vendor_id = ESPMON_PCI_VENDOR;
    pc->device_id = ESPMON_PCI_DEVICE;
    pc->class_id = PCI_CLASS_SYSTEM_OTHER;
    device_class_set_legacy_reset(dc, espmon_reset);
    dc->vmsd = &espmon_vmstate;
    dc->desc = "ESP SoC with performance monitors";
    device_class_set_props(dc, espmon_properties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
}

static const TypeInfo espmon_type = MON_PCI_TYPE(TYPE_ESPMON, EspmonState, espmon_class_init);

void esp_dev_register(void)
{
    type_register_static(&espmon_type);
    esp_soc_dev_register();
}
