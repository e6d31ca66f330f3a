/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Properties of a kind of accelerators, for drivers and models: a row of accelerators.def, or what
 * an accelerator in a process of its own sends. It has no pointers, so it can be sent.
 */
#ifndef ESP_ACC_ROW_H
#define ESP_ACC_ROW_H

/* The role of a register. */
enum esp_acc_role {
	ESP_ACC_PLAIN,
	ESP_ACC_TIMES,		/* factor of the size */
	ESP_ACC_SHIFT,		/* shift of the size */
	ESP_ACC_SOURCE,		/* bytes from the start of the buffer */
	ESP_ACC_DESTINATION,
	/* for a multicast, which is refused */
	ESP_ACC_MULTICAST,
	ESP_ACC_FIXED,		/* always reads least; not a member of the access structure */
};

struct esp_acc_member {
	unsigned int offset;		/* of the register */
	enum esp_acc_role role;
	unsigned int least, most, step, weight;
};

#define ESP_ACC_MEMBERS_MAX	50	/* an accelerator's 48 registers and two offsets */

struct esp_acc_row {
	char name[48];			/* name in /dev; in .esp_config in capitals */
	unsigned int device;		/* low half of DEVID */
	unsigned int chunks;		/* entries of the TLB */
	unsigned int beat;		/* width of its DMA channels in bytes, 0: any */
	unsigned int unit, behind, sum_most;
	unsigned int load, store;	/* cycles a beat, 0: 1 */
	unsigned int order;		/* number of the access ioctl; 0: any */
	unsigned int members;
	/* All but those of role FIXED are members of the access structure, in this order. */
	struct esp_acc_member member[ESP_ACC_MEMBERS_MAX];
};

#endif
