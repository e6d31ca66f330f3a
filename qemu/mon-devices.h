/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The device types that mon-qemu.so brings, one function a file.
 */
#ifndef MON_DEVICES_H
#define MON_DEVICES_H

void esp_dev_register(void);
void hexagon_dev_register(void);
void mrfld_dev_register(void);
void upmem_dev_register(void);

#endif
