/* SPDX-License-Identifier: GPL-2.0-only */
/* The model of models/scratch/ as a PCI device. */
#include "qemu/osdep.h"
#include "hw/pci/pci.h"
#include "hw/qdev-properties.h"
#include "qemu/module.h"

#include "events/systems.h"
#include "mon-devices.h"
#include "scratch/scratch.h"

#define TYPE_SCRATCH "scratch-pmu"
OBJECT_DECLARE_SIMPLE_TYPE(ScratchState, SCRATCH)

struct ScratchState {
    PCIDevice parent_obj;
    MemoryRegion bar;
    struct scratch model;
};

static uint64_t scratch_dev_read(void *opaque, hwaddr addr, unsigned int size)
{
    ScratchState *s = opaque;

    return scratch_read(&s->model, addr);
}

static void scratch_dev_write(void *opaque, hwaddr addr, uint64_t value, unsigned int size)
{
    ScratchState *s = opaque;

    scratch_write(&s->model, addr, value);
}

static const MemoryRegionOps scratch_ops = {
    .read = scratch_dev_read,
    .write = scratch_dev_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

static void scratch_realize(PCIDevice *pdev, Error **errp)
{
    ScratchState *s = SCRATCH(pdev);

    memory_region_init_io(&s->bar, OBJECT(s), &scratch_ops, s, "scratch", SCRATCH_SIZE);
    pci_register_bar(pdev, 0, PCI_BASE_ADDRESS_SPACE_MEMORY, &s->bar);
}

static void scratch_class_init(ObjectClass *klass, void *data)
{
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(klass);

    pc->realize = scratch_realize;
    pc->vendor_id = SCRATCH_PCI_VENDOR;
    pc->device_id = SCRATCH_PCI_DEVICE;
    pc->class_id = PCI_CLASS_SYSTEM_OTHER;
}

static const TypeInfo scratch_type = {
    .name = TYPE_SCRATCH,
    .parent = TYPE_PCI_DEVICE,
    .instance_size = sizeof(ScratchState),
    .class_init = scratch_class_init,
    .interfaces = (InterfaceInfo[]) { { INTERFACE_PCIE_DEVICE }, { } },
};

void scratch_dev_register(void)
{
    type_register_static(&scratch_type);
}
