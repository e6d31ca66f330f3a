/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The rows of accelerators.def: constants for each, and the struct whose data a row is. */
#ifndef ESP_ACCELERATORS_H
#define ESP_ACCELERATORS_H

/* Vendor "sld", the high half of DEVID. */
#define ESP_ACC_SLD	0x00eb0000

/* What a member of the access structure is for. */
enum esp_acc_role {
	ESP_ACC_PLAIN,
	ESP_ACC_TIMES,		/* so many units */
	ESP_ACC_SHIFT,		/* so many times two */
	ESP_ACC_SOURCE,		/* bytes from the start of the buffer */
	ESP_ACC_DESTINATION,
	/* of a multicast, which is refused: programs before ESP 2025.1 have no such member */
	ESP_ACC_MULTICAST,
};

/* Registers, ESP_<name>, and limits of their values; those of a row that has none are 0. */
enum {
#define ESP_ACC(NAME, name, device, chunks, header, unit, behind, most, registers) registers
#define ESP_ACC_REG(name, offset, member, role, least, most, step, weight) \
	ESP_##name = (offset), ESP_##name##_LEAST = (least), ESP_##name##_MOST = (most), \
	ESP_##name##_STEP = (step),
#define ESP_ACC_OTHER(name, offset) ESP_##name = (offset),
#define ESP_ACC_CONSTANT(name, offset, value) ESP_##name = (offset),
#include "events/espmon/accelerators.def"
};

/*
 * DEVID, entries of the TLB, limit of the weighed sum, members of the access structure behind
 * struct esp_access, and those that it had before ESP 2025.1.
 */
enum {
#define ESP_ACC(NAME, name, device, chunks, header, unit, behind, most, registers) \
	ESP_##NAME##_DEVID = ESP_ACC_SLD | (device), ESP_##NAME##_CHUNKS = (chunks), \
	ESP_##NAME##_SUM_MOST = (most), ESP_##NAME##_WORDS = 0 registers,
#define ESP_ACC_REG(...) + 1
#define ESP_ACC_OTHER(name, offset)
#define ESP_ACC_CONSTANT(name, offset, value)
#include "events/espmon/accelerators.def"
#define ESP_ACC(NAME, name, device, chunks, header, unit, behind, most, registers) \
	ESP_##NAME##_OLD_WORDS = 0 registers,
#define ESP_ACC_REG(name, offset, member, role, ...) \
	+ ((int)ESP_ACC_##role != (int)ESP_ACC_MULTICAST)
#define ESP_ACC_OTHER(name, offset)
#define ESP_ACC_CONSTANT(name, offset, value)
#include "events/espmon/accelerators.def"
};

/* Size of the access structure with so many members behind struct esp_access; its ioctl. */
#define ESP_ACC_ACCESS_ALIGN __alignof__(struct esp_access)
#define ESP_ACC_ACCESS_SIZE(words) \
	((sizeof(struct esp_access) + 4 * (words) + ESP_ACC_ACCESS_ALIGN - 1) / \
	 ESP_ACC_ACCESS_ALIGN * ESP_ACC_ACCESS_ALIGN)
#define ESP_ACC_ACCESS_CMD(words) _IOC(_IOC_WRITE, 'S', 0, ESP_ACC_ACCESS_SIZE(words))

#define ESP_ACC_MEMBERS_MAX	14	/* registers of a row's parameters */

struct esp_acc_member {
	unsigned int offset;		/* of the register */
	enum esp_acc_role role;
	unsigned int least, most, step, weight;
};

struct esp_acc_row {
	const char *name;		/* as in /dev */
	unsigned int devid, chunks;
	unsigned int unit, behind, sum_most;
	unsigned int words, old_words;
	struct esp_acc_member member[ESP_ACC_MEMBERS_MAX];
};

#endif
