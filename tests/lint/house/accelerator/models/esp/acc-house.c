/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* HOUSE_STRATUS: adds ADDEND to WORDS words of 64 bits: one read, one write. */
#include "esp/kernel.h"

struct house {
	enum { LOAD, STORE, END } next;
	uint8_t words[8 * ESP_HOUSE_WORDS_MOST];
};

static void house_start(struct mon_esp_acc *acc)
{
	((struct house *)acc->state)->next = LOAD;
	if (mon_esp_acc_reg(acc, ESP_HOUSE_WORDS) > ESP_HOUSE_WORDS_MOST)
		mon_esp_acc_refuse(acc, "WORDS is more than its memory has room for");
}

static void house_next(struct mon_esp_acc *acc)
{
	uint32_t words = mon_esp_acc_reg(acc, ESP_HOUSE_WORDS), i;
	struct house *house = acc->state;

	switch (house->next++) {
	case LOAD:
		mon_esp_acc_read(acc, house->words, 0, 8 * words, 0);
		break;
	case STORE:
		for (i = 0; i < words; i++)
			mon_esp_acc_put64(acc, &house->words[8 * i],
					  mon_esp_acc_get64(acc, &house->words[8 * i]) +
					  mon_esp_acc_reg(acc, ESP_HOUSE_ADDEND));
		mon_esp_acc_compute(acc, words);
		mon_esp_acc_write(acc, house->words, 0, 8 * words, 0);
		break;
	case END:
		mon_esp_acc_done(acc);
	}
}

const struct mon_esp_acc_type esp_acc_house_stratus = {
	.row = &esp_acc_rows[ESP_ROW_HOUSE_STRATUS],
	.state_size = sizeof(struct house),
	.start = house_start,
	.next = house_next,
};
