/* SPDX-License-Identifier: MIT */
/* The log's memory, which the functions of stdio.h share. */
#include <atomic_bit.h>
#include <attributes.h>
#include <mram.h>
#include <stdint.h>

extern __mram_ptr uint8_t __stdout_buffer[];
extern const volatile uint32_t __stdout_buffer_size;
extern struct {
	uint32_t write_pointer, has_wrapped;
} __stdout_buffer_state;

/* Held while a record is appended. */
ATOMIC_BIT_EXTERN(__stdout);

/* Reserves the next size bytes, at most __stdout_buffer_size; returns their place. */
uint32_t __log_place(uint32_t size);
