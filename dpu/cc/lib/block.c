// SPDX-License-Identifier: MIT
/* Copies from, to and in MRAM; they replace memcpy, memmove and memset (ir.c). */
#include <mram.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define PIECE 64

/* Reads the words of MRAM around the next bytes, as many as fit the buffer; returns the number of bytes. */
static uint32_t around(uintptr_t mram, uint32_t size, uint32_t *offset, uint32_t *length)
{
	*offset = mram & 7;
	if (size > PIECE - *offset)
		size = PIECE - *offset;
	*length = (*offset + size + 7) & ~7u;
	return size;
}

void __mram_from_wram_32(uint8_t *to, uintptr_t from, uint32_t size, bool is_volatile)
{
	uint8_t piece[PIECE] __dma_aligned;

	(void)is_volatile;
	while (size) {
		uint32_t offset, length, n = around(from, size, &offset, &length);

		mram_read((__mram_ptr void *)(from - offset), piece, length);
		memcpy(to, piece + offset, n);
		to += n;
		from += n;
		size -= n;
	}
}

void __mram_to_wram_32(uintptr_t to, const uint8_t *from, uint32_t size, bool is_volatile)
{
	uint8_t piece[PIECE] __dma_aligned;

	(void)is_volatile;
	while (size) {
		uint32_t offset, length, n = around(to, size, &offset, &length);

		if (length != n)
			mram_read((__mram_ptr void *)(to - offset), piece, length);
		memcpy(piece + offset, from, n);
		mram_write(piece, (__mram_ptr void *)(to - offset), length);
		to += n;
		from += n;
		size -= n;
	}
}

static void mram_to_mram(uintptr_t to, uintptr_t from, uint32_t size)
{
	uint8_t piece[PIECE];

	/* Overlapping ranges: copies from the end if the target is after the source. */
	while (size) {
		uint32_t n = size < PIECE ? size : PIECE;
		uint32_t at = to > from ? size - n : 0;

		__mram_from_wram_32(piece, from + at, n, false);
		__mram_to_wram_32(to + at, piece, n, false);
		if (!at) {
			to += n;
			from += n;
		}
		size -= n;
	}
}

void __mram_to_mram_32(uintptr_t to, uintptr_t from, uint32_t size, bool is_volatile)
{
	(void)is_volatile;
	if (to > from) {
		mram_to_mram(to, from, size);
		return;
	}
	while (size) {
		uint32_t n = size < PIECE ? size : PIECE;

		mram_to_mram(to, from, n);
		to += n;
		from += n;
		size -= n;
	}
}

void __mram_set_wram_32(uintptr_t to, uint8_t value, uint32_t size, bool is_volatile)
{
	uint8_t piece[PIECE];

	(void)is_volatile;
	memset(piece, value, sizeof(piece));
	while (size) {
		uint32_t n = size < PIECE ? size : PIECE;

		__mram_to_wram_32(to, piece, n, false);
		to += n;
		size -= n;
	}
}

void __mram_from_wram_64(uint8_t *to, uintptr_t from, uint64_t size, bool is_volatile)
{
	__mram_from_wram_32(to, from, size, is_volatile);
}

void __mram_to_wram_64(uintptr_t to, const uint8_t *from, uint64_t size, bool is_volatile)
{
	__mram_to_wram_32(to, from, size, is_volatile);
}

void __mram_to_mram_64(uintptr_t to, uintptr_t from, uint64_t size, bool is_volatile)
{
	__mram_to_mram_32(to, from, size, is_volatile);
}

void __mram_set_wram_64(uintptr_t to, uint8_t value, uint64_t size, bool is_volatile)
{
	__mram_set_wram_32(to, value, size, is_volatile);
}
