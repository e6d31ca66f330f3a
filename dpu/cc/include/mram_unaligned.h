/* SPDX-License-Identifier: MIT */
/* MRAM at any address, and atomic updates of less than 8 bytes. */
#ifndef DPU_CC_MRAM_UNALIGNED_H
#define DPU_CC_MRAM_UNALIGNED_H

#include <mram.h>
#include <vmutex.h>

/* The buffer has nb_of_bytes + 16 bytes; returns the address of the first byte in it. */
void *mram_read_unaligned(const __mram_ptr void *from, void *buffer, unsigned int nb_of_bytes);
/* Both addresses must be equal modulo 8, else fault 8. */
void mram_write_unaligned(const void *from, __mram_ptr void *to, unsigned int nb_of_bytes);

/* Locks the 8 bytes around an address and reads them; returns the address's place in WRAM. */
void *__mram_word_take(uintptr_t address);
/* Writes them back and unlocks them. */
void __mram_word_give(uintptr_t address);

#define __MRAM_WORD(dest, change) \
	do { \
		uintptr_t __mram_word = (uintptr_t)(dest); \
		void *__mram_at = __mram_word_take(__mram_word); \
\
		change; \
		__mram_word_give(__mram_word); \
	} while (0)

/* update_func(int *value, args) changes the value in place. */
#define mram_update_int_atomic(dest, update_func, args) \
	__MRAM_WORD(dest, (*update_func)((int *)__mram_at, args))
#define mram_write_int_atomic(dest, val) __MRAM_WORD(dest, *(int *)__mram_at = (val))
#define mram_update_byte_atomic(dest, update_func, args) \
	__MRAM_WORD(dest, (*update_func)((uint8_t *)__mram_at, args))
#define mram_write_byte_atomic(dest, val) __MRAM_WORD(dest, *(uint8_t *)__mram_at = (val))

#endif
