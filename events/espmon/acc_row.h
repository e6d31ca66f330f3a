/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What drivers and models know of a kind of accelerators: a row of accelerators.def, or what an
 * accelerator in a process of its own says of itself. It refers to nothing: a row may be sent.
 */
#ifndef ESP_ACC_ROW_H
#define ESP_ACC_ROW_H

/* What a register is for. */
enum esp_acc_role {
	ESP_ACC_PLAIN,
	ESP_ACC_TIMES,		/* so many units */
	ESP_ACC_SHIFT,		/* so many times two */
	ESP_ACC_SOURCE,		/* bytes from the start of the buffer */
	ESP_ACC_DESTINATION,
	/* of a multicast, which is refused: programs before ESP 2025.1 have no such member */
	ESP_ACC_MULTICAST,
	ESP_ACC_FIXED,		/* reads as least; no member of the access structure */
};

struct esp_acc_member {
	unsigned int offset;		/* of the register */
	enum esp_acc_role role;
	unsigned int least, most, step, weight;
};

#define ESP_ACC_MEMBERS_MAX	50	/* an accelerator's 48 registers, and two offsets */

struct esp_acc_row {
	char name[48];			/* as in /dev; in .esp_config in capitals */
	unsigned int device;		/* low half of DEVID */
	unsigned int chunks;		/* entries of the TLB */
	unsigned int beat;		/* bytes that its DMA channels are wide, 0: any width */
	unsigned int unit, behind, sum_most;
	unsigned int members;
	/* All but FIXED ones are members of the access structure, in this order. */
	struct esp_acc_member member[ESP_ACC_MEMBERS_MAX];
};

#endif
