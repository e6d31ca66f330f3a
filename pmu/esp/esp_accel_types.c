// SPDX-License-Identifier: GPL-2.0-only
/*
 * The accelerators that esp_accel knows: the rows of accelerators.def, and what the hardware's
 * description tells of others.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/slab.h>
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

int esp_acc_check(const struct esp_acc *acc, const void *access, u64 bytes)
{
	const struct esp_acc_row *row = acc->type->row;
	const u32 *word = access + sizeof(struct esp_access);
	u64 size = row->unit, sum = 0;
	u32 src = 0, dst = 0;
	unsigned int i;
	int err;

	/* without a page table nothing would keep unknown transfers inside of the buffer */
	if (!row->unit && !acc->nchunk_max)
		return -EOPNOTSUPP;
	for (i = 0; i < row->members; i++) {
		const struct esp_acc_member *member = &row->member[i];
		bool over = false;
		u32 value;

		if (member->role == ESP_ACC_FIXED)
			continue;
		value = *word++;
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
	const struct esp_acc_row *row = acc->type->row;
	const u32 *word = access + sizeof(struct esp_access);
	u32 src = 0, dst = 0;
	unsigned int i;

	for (i = 0; i < row->members; i++) {
		const struct esp_acc_member *member = &row->member[i];

		switch (member->role) {
		case ESP_ACC_FIXED:
			break;
		case ESP_ACC_SOURCE:
			src = *word++;
			break;
		case ESP_ACC_DESTINATION:
			dst = *word++;
			break;
		case ESP_ACC_MULTICAST:
			/* Programs leave them undefined. */
			esp_acc_write(acc, member->offset, 0);
			word++;
			break;
		default:
			esp_acc_write(acc, member->offset, *word++);
		}
	}
	esp_acc_offsets(acc, src, dst);
}

static const struct esp_acc_row esp_acc_rows[] = {
#include "events/esp/rows.def"
};

static const struct esp_acc_type esp_acc_types[] = {
#define ESP_ACC(NAME, ...) { \
	.row = &esp_acc_rows[ESP_ROW_##NAME], \
	.access_cmd = ESP_ACC_ACCESS_CMD(ESP_##NAME##_WORDS), \
	.access_size = ESP_ACC_ACCESS_SIZE(ESP_##NAME##_WORDS), \
},
#include "events/esp/accelerators.def"
};

/*
 * An accelerator that is no row: its access structure has a word for each register, in their order,
 * which the ioctl's number tells, and two offsets after it (mon-esp-acc header writes it). Nothing
 * is known of its transfers, which its page table keeps inside of its buffer.
 */
struct esp_acc_told {
	struct esp_acc_type type;
	struct esp_acc_row row;
};

static bool esp_acc_is(const struct esp_acc_row *row, const struct esp_acc_info *info)
{
	return !strcmp(row->name, info->name) && (ESP_ACC_SLD | row->device) == info->devid;
}

static const struct esp_acc_type *esp_acc_told(const struct esp_acc_info *info)
{
	struct esp_acc_told *told;
	struct esp_acc_row *row;
	unsigned int i;

	if (!info->params || info->params > ESP_ACC_MEMBERS_MAX - 2)
		return NULL;
	told = kzalloc(sizeof(*told), GFP_KERNEL);
	if (!told)
		return ERR_PTR(-ENOMEM);
	row = &told->row;
	strscpy(row->name, info->name, sizeof(row->name));
	row->device = info->devid & 0xffff;
	row->members = info->params + 2;
	for (i = 0; i < info->params; i++)
		row->member[i].offset = ESP_ACC_USER + 4 * i;
	row->member[i].offset = ESP_ACC_SRC_OFFSET;
	row->member[i++].role = ESP_ACC_SOURCE;
	row->member[i].offset = ESP_ACC_DST_OFFSET;
	row->member[i].role = ESP_ACC_DESTINATION;
	told->type.row = row;
	told->type.access_cmd = ESP_ACC_ACCESS_CMD(row->members) | info->order;
	told->type.access_size = ESP_ACC_ACCESS_SIZE(row->members);
	return &told->type;
}

const struct esp_acc_type *esp_acc_type_get(const struct esp_acc_info *info)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(esp_acc_types); i++) {
		if (esp_acc_is(&esp_acc_rows[i], info))
			return &esp_acc_types[i];
	}
	return esp_acc_told(info);
}

void esp_acc_type_put(const struct esp_acc_type *type)
{
	if (type < esp_acc_types || type >= esp_acc_types + ARRAY_SIZE(esp_acc_types))
		kfree(container_of(type, struct esp_acc_told, type));
}
