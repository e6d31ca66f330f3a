// SPDX-License-Identifier: MIT
/* The heap: a pointer that only grows (heap.s). */
#include <alloc.h>
#include <atomic_bit.h>
#include <stdint.h>

extern uint8_t *__sys_heap_pointer;
extern uint8_t *const __sys_heap_start;
extern uint8_t __sys_heap_bit;

#ifdef __dpu_v1A__
#define WRAM_SIZE 65536
#else
#define WRAM_SIZE 63488
#endif

void *mem_alloc(size_t size)
{
	uint8_t *block;

	__atomic_bit_acquire(&__sys_heap_bit);
	block = (uint8_t *)(((uintptr_t)__sys_heap_pointer + 7) & ~7u);
	if (size > WRAM_SIZE - (uintptr_t)block)
		__asm__ volatile ("fault 1");
	__sys_heap_pointer = block + size;
	__atomic_bit_release(&__sys_heap_bit);
	return block;
}

void *mem_reset(void)
{
	__atomic_bit_acquire(&__sys_heap_bit);
	__sys_heap_pointer = __sys_heap_start;
	__atomic_bit_release(&__sys_heap_bit);
	return __sys_heap_start;
}
