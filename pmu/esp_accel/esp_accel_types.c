// SPDX-License-Identifier: GPL-2.0-only
/*
 * The accelerators that esp_accel knows. Another one is one more entry of the table: its name, its
 * ioctl and what its registers want.
 */
#include <linux/errno.h>
#include <linux/idr.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "events/espmon/dummy_stratus.h"
#include "events/espmon/fft_stratus.h"
#include "events/espmon/sort_stratus.h"
#include "events/espmon/vitdodec_stratus.h"

#include "esp_accel.h"

/* fft_stratus asserts log_len < 12: its local memory has 8192 words. */
#define FFT_LOG_LEN_MAX	11
#define FFT_WORD_BYTES	4	/* fx32 */

/* Are size bytes at both offsets inside of a buffer of that many bytes? */
static int esp_acc_check_range(const struct esp_acc *acc, u64 size, u32 src, u32 dst, u64 bytes)
{
	u32 beat = acc->soc->hw->dma_noc_width / 8;

	if (size > bytes || src > bytes - size || dst > bytes - size)
		return -EINVAL;
	/* DMA moves whole beats; an offset inside of one would mix up neighbours. */
	return src % beat || dst % beat ? -EINVAL : 0;
}

static int fft_stratus_check(const struct esp_acc *acc, const void *access, u64 bytes)
{
	const struct fft_stratus_access *fft = access;

	if (!fft->batch_size || fft->log_len > FFT_LOG_LEN_MAX)
		return -EINVAL;
	return esp_acc_check_range(acc,
				   (u64)fft->batch_size * (2 * FFT_WORD_BYTES) << fft->log_len,
				   fft->src_offset, fft->dst_offset, bytes);
}

static void fft_stratus_program(struct esp_acc *acc, const void *access)
{
	const struct fft_stratus_access *fft = access;

	esp_acc_write(acc, ESP_FFT_BATCH_SIZE, fft->batch_size);
	esp_acc_write(acc, ESP_FFT_LOG_LEN, fft->log_len);
	esp_acc_write(acc, ESP_FFT_DO_BITREV, fft->do_bitrev);
	esp_acc_offsets(acc, fft->src_offset, fft->dst_offset);
}

#define DUMMY_WORD_BYTES	8

/* Its counter of tokens is signed (dummy.hpp). */
static int dummy_stratus_check(const struct esp_acc *acc, const void *access, u64 bytes)
{
	const struct dummy_stratus_access *dummy = access;
	u64 words = (u64)dummy->tokens * dummy->batch;

	if (!words || dummy->tokens > S32_MAX || words > bytes / DUMMY_WORD_BYTES)
		return -EINVAL;
	return esp_acc_check_range(acc, words * DUMMY_WORD_BYTES, dummy->src_offset,
				   dummy->dst_offset, bytes);
}

static void dummy_stratus_program(struct esp_acc *acc, const void *access)
{
	const struct dummy_stratus_access *dummy = access;

	esp_acc_write(acc, ESP_DUMMY_TOKENS, dummy->tokens);
	esp_acc_write(acc, ESP_DUMMY_BATCH, dummy->batch);
	/* Only a multicast uses them, which is refused; programs leave them undefined. */
	esp_acc_write(acc, ESP_DUMMY_SOURCE, 0);
	esp_acc_write(acc, ESP_DUMMY_NDESTS, 0);
	esp_acc_offsets(acc, dummy->src_offset, dummy->dst_offset);
}

static void dummy_stratus_upgrade(void *access)
{
	const struct dummy_stratus_access_2024 *old = access;
	u32 src_offset = old->src_offset, dst_offset = old->dst_offset;
	struct dummy_stratus_access *dummy = access;

	dummy->source = 0;
	dummy->ndests = 0;
	dummy->src_offset = src_offset;
	dummy->dst_offset = dst_offset;
}

#define SORT_SIZE_MIN	32	/* and each size is a multiple of it (sort.xml) */
#define SORT_SIZE_MAX	1024
#define SORT_BATCH_MAX	1024
#define SORT_WORD_BYTES	4

static int sort_stratus_check(const struct esp_acc *acc, const void *access, u64 bytes)
{
	const struct sort_stratus_access *sort = access;

	if (!sort->size || sort->size % SORT_SIZE_MIN || sort->size > SORT_SIZE_MAX ||
	    !sort->batch || sort->batch > SORT_BATCH_MAX)
		return -EINVAL;
	return esp_acc_check_range(acc, (u64)sort->size * sort->batch * SORT_WORD_BYTES, 0, 0,
				   bytes);
}

static void sort_stratus_program(struct esp_acc *acc, const void *access)
{
	const struct sort_stratus_access *sort = access;

	esp_acc_write(acc, ESP_SORT_LEN, sort->size);
	esp_acc_write(acc, ESP_SORT_BATCH, sort->batch);
	esp_acc_offsets(acc, 0, 0);
}

/* Input and output have fixed sizes (vitdodec.cpp), here in whole words of 64 bits. */
#define VITDODEC_INPUT		24856
#define VITDODEC_OUTPUT		18592
#define VITDODEC_SYMBOLS	24780
#define VITDODEC_TRACEBACK_MAX	11

static int vitdodec_stratus_check(const struct esp_acc *acc, const void *access, u64 bytes)
{
	const struct vitdodec_stratus_access *vit = access;
	int err;

	/* a block of 8 bits is 16 symbols, but the first, which has 12 */
	if (!vit->ntraceback || vit->ntraceback > VITDODEC_TRACEBACK_MAX ||
	    vit->data_bits > VITDODEC_OUTPUT ||
	    16 * (DIV_ROUND_UP(vit->data_bits, 8) + vit->ntraceback) - 4 > VITDODEC_SYMBOLS)
		return -EINVAL;
	err = esp_acc_check_range(acc, VITDODEC_INPUT, vit->src_offset, 0, bytes);
	return err ?: esp_acc_check_range(acc, VITDODEC_INPUT + VITDODEC_OUTPUT, 0,
					  vit->dst_offset, bytes);
}

static void vitdodec_stratus_program(struct esp_acc *acc, const void *access)
{
	const struct vitdodec_stratus_access *vit = access;

	esp_acc_write(acc, ESP_VITDODEC_CBPS, vit->cbps);
	esp_acc_write(acc, ESP_VITDODEC_NTRACEBACK, vit->ntraceback);
	esp_acc_write(acc, ESP_VITDODEC_DATA_BITS, vit->data_bits);
	esp_acc_offsets(acc, vit->src_offset, vit->dst_offset);
}

static DEFINE_IDA(fft_stratus_numbers);
static DEFINE_IDA(dummy_stratus_numbers);
static DEFINE_IDA(sort_stratus_numbers);
static DEFINE_IDA(vitdodec_stratus_numbers);

static const struct esp_acc_type esp_acc_types[] = {
	{
		.name = "fft_stratus",
		.numbers = &fft_stratus_numbers,
		.devid = ESP_FFT_DEVID,
		.access_cmd = FFT_STRATUS_IOC_ACCESS,
		.access_size = sizeof(struct fft_stratus_access),
		.check = fft_stratus_check,
		.program = fft_stratus_program,
	},
	{
		.name = "dummy_stratus",
		.numbers = &dummy_stratus_numbers,
		.devid = ESP_DUMMY_DEVID,
		.access_cmd = DUMMY_STRATUS_IOC_ACCESS,
		.access_size = sizeof(struct dummy_stratus_access),
		.old_cmd = DUMMY_STRATUS_IOC_ACCESS_2024,
		.old_size = sizeof(struct dummy_stratus_access_2024),
		.upgrade = dummy_stratus_upgrade,
		.check = dummy_stratus_check,
		.program = dummy_stratus_program,
	},
	{
		.name = "sort_stratus",
		.numbers = &sort_stratus_numbers,
		.devid = ESP_SORT_DEVID,
		.access_cmd = SORT_STRATUS_IOC_ACCESS,
		.access_size = sizeof(struct sort_stratus_access),
		.check = sort_stratus_check,
		.program = sort_stratus_program,
	},
	{
		.name = "vitdodec_stratus",
		.numbers = &vitdodec_stratus_numbers,
		.devid = ESP_VITDODEC_DEVID,
		.access_cmd = VITDODEC_STRATUS_IOC_ACCESS,
		.access_size = sizeof(struct vitdodec_stratus_access),
		.check = vitdodec_stratus_check,
		.program = vitdodec_stratus_program,
	},
};

const struct esp_acc_type *esp_acc_type_find(const char *name, u32 devid)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(esp_acc_types); i++) {
		if (!strcmp(esp_acc_types[i].name, name) && esp_acc_types[i].devid == devid)
			return &esp_acc_types[i];
	}
	return NULL;
}
