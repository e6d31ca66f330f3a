// SPDX-License-Identifier: MIT
/* MRAM at any address (mram_unaligned.h). */
#include <defs.h>
#include <mram_unaligned.h>
#include <string.h>

#define LOCKS 2048

VMUTEX_INIT(__mram_word_locks, LOCKS, 1)

static uint64_t words[NR_THREADS];

void *__mram_word_take(uintptr_t address)
{
	uint64_t *word = &words[me()];

	vmutex_lock(&__mram_word_locks, (address >> 3) & (LOCKS - 1));
	mram_read((__mram_ptr void *)(address & ~7u), word, 8);
	return (uint8_t *)word + (address & 7);
}

void __mram_word_give(uintptr_t address)
{
	mram_write(&words[me()], (__mram_ptr void *)(address & ~7u), 8);
	vmutex_unlock(&__mram_word_locks, (address >> 3) & (LOCKS - 1));
}

void *mram_read_unaligned(const __mram_ptr void *from, void *buffer, unsigned int nb_of_bytes)
{
	uintptr_t address = (uintptr_t)from, start = address & ~7u;
	uint32_t left = (address + nb_of_bytes - start + 7) & ~7u;
	uint8_t *to = buffer;

	/* 2048 bytes that begin within a word are 2056. */
	for (uint32_t n; left; left -= n, start += n, to += n) {
		n = left < MRAM_MAX_TRANSFER ? left : MRAM_MAX_TRANSFER;
		mram_read((__mram_ptr void *)start, to, n);
	}
	return (uint8_t *)buffer + (address & 7);
}

/* Bytes within one word. */
static __noinline void write_part(const uint8_t *from, uintptr_t to, uint32_t size)
{
	memcpy(__mram_word_take(to), from, size);
	__mram_word_give(to);
}

void mram_write_unaligned(const void *from, __mram_ptr void *to, unsigned int nb_of_bytes)
{
	uintptr_t address = (uintptr_t)to;
	const uint8_t *p = from;
	uint32_t n = -address & 7;

	if (((uintptr_t)from ^ address) & 7)
		__asm__ volatile ("fault 8");
	if (n > nb_of_bytes)
		n = nb_of_bytes;
	if (n)
		write_part(p, address, n);
	address += n;
	p += n;
	nb_of_bytes -= n;
	n = nb_of_bytes & ~7u;
	if (n)
		mram_write(p, (__mram_ptr void *)address, n);
	if (nb_of_bytes & 7)
		write_part(p + n, address + n, nb_of_bytes & 7);
}
