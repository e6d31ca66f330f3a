/* SPDX-License-Identifier: MIT */
/* Sequential reads of MRAM, through a buffer of two pages in WRAM. */
#ifndef DPU_CC_SEQREAD_H
#define DPU_CC_SEQREAD_H

#include <mram.h>
#include <stdint.h>

/* Size of a page, a power of two from 32 to 1024; an element is at most as long. */
#ifndef SEQREAD_CACHE_SIZE
#define SEQREAD_CACHE_SIZE 256
#endif
_Static_assert(SEQREAD_CACHE_SIZE >= 32 && SEQREAD_CACHE_SIZE <= 1024 &&
	       (SEQREAD_CACHE_SIZE & (SEQREAD_CACHE_SIZE - 1)) == 0,
	       "SEQREAD_CACHE_SIZE: a power of two from 32 to 1024");

typedef uintptr_t seqreader_buffer_t;

typedef struct {
	seqreader_buffer_t wram_cache;
	uintptr_t mram_addr;		/* of the buffer's first byte */
} seqreader_t;

void *mem_alloc(uint32_t size);

static inline seqreader_buffer_t seqread_alloc(void)
{
	return (seqreader_buffer_t)mem_alloc(2 * SEQREAD_CACHE_SIZE);
}

/* Both pages. A function of its own, so that the check knows the transfers that may end past the data. */
static void __attribute__((noinline, unused)) seqread_load(seqreader_t *reader)
{
	mram_read((__mram_ptr void *)reader->mram_addr, (void *)reader->wram_cache, 2 * SEQREAD_CACHE_SIZE);
}

static inline void *seqread_seek(__mram_ptr void *mram_addr, seqreader_t *reader)
{
	uintptr_t address = (uintptr_t)mram_addr, offset = address & (SEQREAD_CACHE_SIZE - 1);

	if (reader->mram_addr != address - offset) {
		reader->mram_addr = address - offset;
		seqread_load(reader);
	}
	return (void *)(reader->wram_cache + offset);
}

/* Returns the address of the first element in WRAM. */
static inline void *seqread_init(seqreader_buffer_t cache, __mram_ptr void *mram_addr,
				 seqreader_t *reader)
{
	reader->wram_cache = cache;
	reader->mram_addr = ~(uintptr_t)0;
	return seqread_seek(mram_addr, reader);
}

/* The element inc bytes after ptr; inc is at most a page. */
static inline void *seqread_get(void *ptr, uint32_t inc, seqreader_t *reader)
{
	uintptr_t next = (uintptr_t)ptr + inc;

	if (next - reader->wram_cache >= SEQREAD_CACHE_SIZE) {
		next -= SEQREAD_CACHE_SIZE;
		reader->mram_addr += SEQREAD_CACHE_SIZE;
		seqread_load(reader);
	}
	return (void *)next;
}

/* The address in MRAM of the element at ptr. */
static inline __mram_ptr void *seqread_tell(void *ptr, seqreader_t *reader)
{
	return (__mram_ptr void *)(reader->mram_addr + ((uintptr_t)ptr - reader->wram_cache));
}

#endif
