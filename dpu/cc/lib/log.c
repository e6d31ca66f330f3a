// SPDX-License-Identifier: MIT
/*
 * The log: records in MRAM, one after the other. A record is a format that consists of conversions only (text
 * becomes %s), its NUL and the arguments, padded with zeroes to a multiple of 8 bytes. The host prints it.
 */
#include <stdarg.h>
#include <string.h>

#include "log.h"

ATOMIC_BIT_INIT(__stdout);

uint32_t __log_place(uint32_t size)
{
	uint32_t at = __stdout_buffer_state.write_pointer;

	if (at + size > __stdout_buffer_size) {
		at = 0;
		__stdout_buffer_state.has_wrapped = 1;
	}
	__stdout_buffer_state.write_pointer = at + size;
	return at;
}

/* A record that the compiler made; the arguments are still missing (record.c). */
struct log_record {
	uint16_t size, count;		/* of the record in bytes; of arguments */
	struct {
		uint8_t size, offset;
	} places[];
	/* The record follows, aligned to 8 bytes. */
};

/* Arguments are not aligned. */
static void log_put(uint8_t *p, uint32_t n)
{
	for (unsigned int i = 0; i < 4; i++, n >>= 8)
		p[i] = n;
}

static void put_arguments(const struct log_record *r, uint8_t *record, va_list *args)
{
	for (unsigned int i = 0; i < r->count; i++) {
		uint8_t *p = record + r->places[i].offset;

		if (r->places[i].size == 8) {
			uint64_t n = va_arg(*args, uint64_t);

			log_put(p, n);
			log_put(p + 4, n >> 32);
			continue;
		}
		if (r->places[i].size == 4)
			log_put(p, va_arg(*args, uint32_t));
		else
			*p = va_arg(*args, uint32_t);
	}
}

int __log_record(const struct log_record *r, ...)
{
	uint32_t copy[32] __dma_aligned, size = r->size, at;
	const uint32_t *from = (const void *)(((uintptr_t)(r->places + r->count) + 7) & ~7);
	va_list args;

	if (r->count) {
		for (unsigned int i = 0; i < size / 4; i++)
			copy[i] = from[i];
		va_start(args, r);
		put_arguments(r, (uint8_t *)copy, &args);
		va_end(args);
		from = copy;
	}
	if (size > __stdout_buffer_size)
		__asm__ volatile ("fault 5");
	ATOMIC_BIT_ACQUIRE(__stdout);
	at = __log_place(size);
	ATOMIC_BIT_RELEASE(__stdout);
	mram_write(from, __stdout_buffer + at, size);
	return 0;
}
