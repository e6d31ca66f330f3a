/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The rows of accelerators.def as constants; rows.def has them as data. */
#ifndef ESP_ACCELERATORS_H
#define ESP_ACCELERATORS_H

#include "events/esp/acc_row.h"

/* Vendor "sld": the high half of DEVID. */
#define ESP_ACC_SLD	0x00eb0000

/* Registers, ESP_<name>, and limits of their values; an accelerator without them has 0. */
enum {
#define ESP_ACC(NAME, name, device, chunks, header, unit, behind, most, load, store, registers) \
	registers
#define ESP_ACC_REG(name, offset, member, role, least, most, step, weight) \
	ESP_##name = (offset), ESP_##name##_LEAST = (least), ESP_##name##_MOST = (most), \
	ESP_##name##_STEP = (step),
#define ESP_ACC_OTHER(name, offset) ESP_##name = (offset),
#define ESP_ACC_CONSTANT(name, offset, value) ESP_##name = (offset),
#include "events/esp/accelerators.def"
};

/* Of each row: index, DEVID, sizes and the limit of the sum. */
enum {
#define ESP_ACC(NAME, ...) ESP_ROW_##NAME,
#include "events/esp/accelerators.def"
#define ESP_ACC(NAME, name, device, chunks, header, unit, behind, most, load, store, registers) \
	ESP_##NAME##_DEVID = ESP_ACC_SLD | (device), \
	ESP_##NAME##_UNIT = (unit), ESP_##NAME##_BEHIND = (behind), \
	ESP_##NAME##_SUM_MOST = (most),
#include "events/esp/accelerators.def"
};

/* Counts for each row: members, and members of the access structure after struct esp_access. */
enum {
#define ESP_ACC(NAME, name, device, chunks, header, unit, behind, most, load, store, registers) \
	ESP_##NAME##_MEMBERS = 0 registers,
#define ESP_ACC_REG(...) + 1
#define ESP_ACC_OTHER(name, offset)
#define ESP_ACC_CONSTANT(name, offset, value) + 1
#include "events/esp/accelerators.def"
#define ESP_ACC(NAME, name, device, chunks, header, unit, behind, most, load, store, registers) \
	ESP_##NAME##_WORDS = 0 registers,
#define ESP_ACC_REG(...) + 1
#define ESP_ACC_OTHER(name, offset)
#define ESP_ACC_CONSTANT(name, offset, value)
#include "events/esp/accelerators.def"
};

/* Size of an access structure with so many members after struct esp_access; its ioctl. */
#define ESP_ACC_ACCESS_ALIGN __alignof__(struct esp_access)
#define ESP_ACC_ACCESS_SIZE(words) \
	((sizeof(struct esp_access) + 4 * (words) + ESP_ACC_ACCESS_ALIGN - 1) / \
	 ESP_ACC_ACCESS_ALIGN * ESP_ACC_ACCESS_ALIGN)
#define ESP_ACC_ACCESS_CMD(words) _IOC(_IOC_WRITE, 'S', 0, ESP_ACC_ACCESS_SIZE(words))

#endif
