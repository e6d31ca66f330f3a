// SPDX-License-Identifier: MIT
/*
 * The buddy allocator: splits blocks in halves until one fits, and joins two free halves. One byte
 * for each 32 bytes of the area holds the size of the block that begins there.
 */
#include <alloc.h>
#include <atomic_bit.h>
#include <buddy_alloc.h>
#include <stdint.h>
#include <string.h>

#define UNIT_SHIFT 5
#define MAX_ORDER 10			/* 32 << 10 is 32768 */
#define IN_USE 0x80
#define NO_BLOCK 0x7f

ATOMIC_BIT_INIT(__buddy);

static uint8_t *area;
static uint8_t *order_of;
static uint32_t units;

void buddy_init(size_t size_of_heap)
{
	uint32_t order = 0;

	while (order < MAX_ORDER && (2u << (UNIT_SHIFT + order)) <= size_of_heap)
		order++;
	units = 1u << order;
	area = mem_alloc(units << UNIT_SHIFT);
	order_of = mem_alloc(units);
	buddy_reset();
}

void buddy_reset(void)
{
	memset(order_of, NO_BLOCK, units);
	order_of[0] = 31 - __builtin_clz(units);
}

static uint32_t order_for(size_t size)
{
	uint32_t order = 0;

	while (order <= MAX_ORDER && (1u << (UNIT_SHIFT + order)) < size)
		order++;
	return order;
}

/* The smallest free block that is large enough; `units` if there is none. */
static uint32_t find(uint32_t order)
{
	uint32_t best = units, best_order = NO_BLOCK;

	for (uint32_t i = 0; i < units; i += 1u << (order_of[i] & ~IN_USE)) {
		uint32_t o = order_of[i];

		if (o < IN_USE && o >= order && o < best_order) {
			best = i;
			best_order = o;
		}
	}
	return best;
}

static void *allocate(size_t size)
{
	uint32_t order = order_for(size), i = find(order);

	if (i == units)
		return NULL;
	while (order_of[i] > order) {
		uint32_t half = --order_of[i];

		order_of[i + (1u << half)] = half;
	}
	order_of[i] |= IN_USE;
	return area + (i << UNIT_SHIFT);
}

static void release(void *pointer)
{
	uint32_t i = ((uint8_t *)pointer - area) >> UNIT_SHIFT, order = order_of[i] & ~IN_USE;

	while ((1u << order) < units) {
		uint32_t other = i ^ (1u << order);

		if (order_of[other] != order)
			break;
		order_of[i | other] = NO_BLOCK;
		i &= other;
		order++;
	}
	order_of[i] = order;
}

void *buddy_alloc(size_t size)
{
	void *block;

	ATOMIC_BIT_ACQUIRE(__buddy);
	block = size ? allocate(size) : NULL;
	ATOMIC_BIT_RELEASE(__buddy);
	return block;
}

void buddy_free(void *pointer)
{
	if (!pointer)
		return;
	ATOMIC_BIT_ACQUIRE(__buddy);
	release(pointer);
	ATOMIC_BIT_RELEASE(__buddy);
}

void *buddy_realloc(void *pointer, size_t size)
{
	size_t old;
	void *block;

	if (!pointer)
		return buddy_alloc(size);
	if (!size) {
		buddy_free(pointer);
		return NULL;
	}
	old = 1u << (UNIT_SHIFT + (order_of[((uint8_t *)pointer - area) >> UNIT_SHIFT] & ~IN_USE));
	if (size <= old)
		return pointer;
	block = buddy_alloc(size);
	if (!block)
		return NULL;
	memcpy(block, pointer, old);
	buddy_free(pointer);
	return block;
}
