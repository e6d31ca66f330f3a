/* SPDX-License-Identifier: GPL-2.0-only */
/* An accelerator that reads as many words as register 0x40 says to a state with room for eight. */
#include <mon_esp_acc.h>

struct overrun {
	bool loaded;
	uint64_t words[8];
};

static void start(struct mon_esp_acc *acc)
{
	struct overrun *o = acc->state;

	o->loaded = false;
}

static void next(struct mon_esp_acc *acc)
{
	struct overrun *o = acc->state;

	if (o->loaded)
		mon_esp_acc_done(acc);
	else
		mon_esp_acc_read(acc, o->words, 0, 8 * mon_esp_acc_reg(acc, 0x40), 0);
	o->loaded = true;
}

static const struct esp_acc_row row = {
	.name = "OVERRUN",
	.device = 0x667,
	.chunks = 4,
	.members = 1,
	.member = { { .offset = 0x40 } },
};

const struct mon_esp_acc_type mon_esp_accelerator = {
	.row = &row,
	.state_size = sizeof(struct overrun),
	.start = start,
	.next = next,
};
