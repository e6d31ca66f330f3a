/* SPDX-License-Identifier: MIT */
/* The log's memory, which stdio.h's functions share. */
#include <atomic_bit.h>
#include <attributes.h>
#include <mram.h>
#include <stdint.h>

extern __mram_ptr uint8_t __stdout_buffer[];
extern const volatile uint32_t __stdout_buffer_size;
extern struct {
	uint32_t write_pointer, has_wrapped;
} __stdout_buffer_state;

/* Held while a record gets its place. */
ATOMIC_BIT_EXTERN(__stdout);

/* The place of the next bytes, at most __stdout_buffer_size of them. */
uint32_t __log_place(uint32_t size);
