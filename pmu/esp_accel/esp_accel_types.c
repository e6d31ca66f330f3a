// SPDX-License-Identifier: GPL-2.0-only
/*
 * The accelerators that esp_accel knows: the rows of accelerators.def. Another one is one more row.
 */
#include <linux/errno.h>
#include <linux/idr.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/string.h>

#include "esp_accel.h"

/* Are size bytes at an offset inside of a buffer of that many bytes? */
static int esp_acc_check_range(const struct esp_acc *acc, u64 size, u32 offset, u64 bytes)
{
	u32 beat = acc->soc->hw->dma_noc_width / 8;

	if (size > bytes || offset > bytes - size)
		return -EINVAL;
	/* DMA moves whole beats; an offset inside of one would mix up neighbours. */
	return offset % beat ? -EINVAL : 0;
}

/* The members of an access structure that are an accelerator's own. */
static const u32 *esp_acc_words(const void *access)
{
	return access + sizeof(struct esp_access);
}

int esp_acc_check(const struct esp_acc *acc, const void *access, u64 bytes)
{
	const struct esp_acc_row *row = &acc->type->row;
	const u32 *words = esp_acc_words(access);
	u64 size = row->unit, sum = 0;
	u32 src = 0, dst = 0;
	unsigned int i;
	int err;

	for (i = 0; i < row->words; i++) {
		const struct esp_acc_member *member = &row->member[i];
		u32 value = words[i];
		bool over = false;

		if (value < member->least || (member->most && value > member->most) ||
		    (member->step && value % member->step))
			return -EINVAL;
		sum += (u64)value * member->weight;
		if (member->role == ESP_ACC_TIMES)
			over = check_mul_overflow(size, (u64)value, &size);
		else if (member->role == ESP_ACC_SHIFT)
			over = check_shl_overflow(size, value, &size);
		else if (member->role == ESP_ACC_SOURCE)
			src = value;
		else if (member->role == ESP_ACC_DESTINATION)
			dst = value;
		if (over)
			return -EINVAL;
	}
	if (row->sum_most && sum > row->sum_most)
		return -EINVAL;
	err = esp_acc_check_range(acc, size, src, bytes);
	return err ?: esp_acc_check_range(acc, size + row->behind, dst, bytes);
}

void esp_acc_offsets(struct esp_acc *acc, u32 src, u32 dst)
{
	esp_acc_write(acc, ESP_ACC_SRC_OFFSET, acc->base + src);
	esp_acc_write(acc, ESP_ACC_DST_OFFSET, acc->base + dst);
}

void esp_acc_program(struct esp_acc *acc, const void *access)
{
	const struct esp_acc_row *row = &acc->type->row;
	const u32 *words = esp_acc_words(access);
	u32 src = 0, dst = 0;
	unsigned int i;

	for (i = 0; i < row->words; i++) {
		const struct esp_acc_member *member = &row->member[i];

		switch (member->role) {
		case ESP_ACC_SOURCE:
			src = words[i];
			break;
		case ESP_ACC_DESTINATION:
			dst = words[i];
			break;
		case ESP_ACC_MULTICAST:
			/* Programs leave them undefined. */
			esp_acc_write(acc, member->offset, 0);
			break;
		default:
			esp_acc_write(acc, member->offset, words[i]);
		}
	}
	esp_acc_offsets(acc, src, dst);
}

void esp_acc_upgrade(const struct esp_acc_type *type, void *access)
{
	u32 *words = access + sizeof(struct esp_access);
	unsigned int i = type->row.words, old = type->row.old_words;

	/* from the end, where each member's place is behind its old one */
	while (i--) {
		if (type->row.member[i].role == ESP_ACC_MULTICAST)
			words[i] = 0;
		else
			words[i] = words[--old];
	}
}

/* Places of the rows. */
enum {
#define ESP_ACC(NAME, ...) NAME,
#include "events/espmon/accelerators.def"
};

static struct ida esp_acc_numbers[] = {
#define ESP_ACC(NAME, name, ...) IDA_INIT(name),
#include "events/espmon/accelerators.def"
};

static const struct esp_acc_type esp_acc_types[] = {
#define ESP_ACC(NAME, _name, device, _chunks, header, _unit, _behind, most, registers) { \
	.numbers = &esp_acc_numbers[NAME], \
	.access_cmd = ESP_ACC_ACCESS_CMD(ESP_##NAME##_WORDS), \
	.access_size = ESP_ACC_ACCESS_SIZE(ESP_##NAME##_WORDS), \
	.old_cmd = ESP_##NAME##_OLD_WORDS == ESP_##NAME##_WORDS ? 0 : \
		   ESP_ACC_ACCESS_CMD(ESP_##NAME##_OLD_WORDS), \
	.old_size = ESP_ACC_ACCESS_SIZE(ESP_##NAME##_OLD_WORDS), \
	.row = { \
		.name = #_name, .devid = ESP_##NAME##_DEVID, .chunks = (_chunks), \
		.unit = (_unit), .behind = (_behind), .sum_most = (most), \
		.words = ESP_##NAME##_WORDS, .old_words = ESP_##NAME##_OLD_WORDS, \
		.member = { registers }, \
	}, \
},
#define ESP_ACC_REG(name, _offset, _member, _role, _least, _most, _step, _weight) { \
	.offset = (_offset), .role = ESP_ACC_##_role, \
	.least = (_least), .most = (_most), .step = (_step), .weight = (_weight), \
},
#define ESP_ACC_OTHER(name, offset)
#define ESP_ACC_CONSTANT(name, offset, value)
#include "events/espmon/accelerators.def"
};

const struct esp_acc_type *esp_acc_type_find(const char *name, u32 devid)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(esp_acc_types); i++) {
		const struct esp_acc_row *row = &esp_acc_types[i].row;

		if (!strcmp(row->name, name) && row->devid == devid)
			return &esp_acc_types[i];
	}
	return NULL;
}
