/* SPDX-License-Identifier: MIT */
/*
 * An accelerator in C: adds a constant to 64-bit words, burst by burst.
 *
 *   mon-esp-acc c -o adder.acc adder.c
 *   mon-vm --soc DESIGN.esp_config --accelerator ADDER_C=adder.acc -- ./program
 *
 * Registers: 0x40 words, 0x44 addend, 0x48 first word of the output.
 */
#include <mon_esp_acc.h>

#define BURST	512	/* words of local memory */

struct adder {
	uint32_t at;			/* words that are done */
	bool loaded;
	uint8_t plm[8 * BURST];
};

static void start(struct mon_esp_acc *acc)
{
	struct adder *adder = acc->state;

	adder->at = 0;
	adder->loaded = false;
}

static void next(struct mon_esp_acc *acc)
{
	uint32_t words = mon_esp_acc_reg(acc, 0x40), addend = mon_esp_acc_reg(acc, 0x44);
	uint32_t output = mon_esp_acc_reg(acc, 0x48), i;
	struct adder *adder = acc->state;
	uint32_t left = words - adder->at, burst = left < BURST ? left : BURST;

	if (!left) {
		mon_esp_acc_done(acc);
	} else if (!adder->loaded) {
		adder->loaded = true;
		mon_esp_acc_read(acc, adder->plm, 8 * adder->at, 8 * burst, 0);
	} else {
		for (i = 0; i < burst; i++)
			mon_esp_acc_put64(acc, adder->plm + 8 * i,
					  mon_esp_acc_get64(acc, adder->plm + 8 * i) + addend);
		mon_esp_acc_compute(acc, burst);	/* a word a cycle */
		mon_esp_acc_write(acc, adder->plm, 8 * (output + adder->at), 8 * burst, 0);
		adder->at += burst;
		adder->loaded = false;
	}
}

static const struct esp_acc_row row = {
	.name = "ADDER_C",
	.device = 0x321,
	.chunks = 4,
	.members = 3,
	.member = { { .offset = 0x40 }, { .offset = 0x44 }, { .offset = 0x48 } },
};

const struct mon_esp_acc_type mon_esp_accelerator = {
	.row = &row,
	.state_size = sizeof(struct adder),
	.start = start,
	.next = next,
};
