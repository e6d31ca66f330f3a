/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The device types of mon-qemu.so: <name>_dev_register() in qemu/<name>/<name>-dev.c for each line of
 * events/systems.def.
 */
#ifndef MON_DEVICES_H
#define MON_DEVICES_H

#define MON_SYSTEM(name, ...) void name##_dev_register(void);
#include "events/built.def"
#undef MON_SYSTEM

/* The TypeInfo of a device that is a PCI function. */
#define MON_PCI_TYPE(type, state, init) { \
        .name = type, \
        .parent = TYPE_PCI_DEVICE, \
        .instance_size = sizeof(state), \
        .class_init = init, \
        .interfaces = (InterfaceInfo[]) { { INTERFACE_PCIE_DEVICE }, { } }, \
}

#endif
