// SPDX-License-Identifier: MIT
/* Blocks of one size: those that are free are a list. */
#include <alloc.h>
#include <atomic_bit.h>
#include <stdint.h>

struct block {
	struct block *next;
};

ATOMIC_BIT_INIT(__fsb);

fsb_allocator_t fsb_alloc(unsigned int block_size, unsigned int nb_of_blocks)
{
	struct block **head = mem_alloc(8);
	uint8_t *blocks;

	block_size = (block_size + 7) & ~7u;
	blocks = mem_alloc(block_size * nb_of_blocks);
	*head = NULL;
	while (nb_of_blocks--) {
		struct block *b = (struct block *)(blocks + nb_of_blocks * block_size);

		b->next = *head;
		*head = b;
	}
	return head;
}

void *fsb_get(fsb_allocator_t allocator)
{
	struct block **head = allocator, *b;

	ATOMIC_BIT_ACQUIRE(__fsb);
	b = *head;
	if (b)
		*head = b->next;
	ATOMIC_BIT_RELEASE(__fsb);
	return b;
}

void fsb_free(fsb_allocator_t allocator, void *block)
{
	struct block **head = allocator, *b = block;

	if (!b)
		return;
	ATOMIC_BIT_ACQUIRE(__fsb);
	b->next = *head;
	*head = b;
	ATOMIC_BIT_RELEASE(__fsb);
}
