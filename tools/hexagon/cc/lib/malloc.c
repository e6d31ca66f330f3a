/* SPDX-License-Identifier: MIT */
/* Memory: one list of free pieces in the order of addresses, in which neighbours are joined. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "system.h"

#define UNIT 16		/* alignment, and size of a head */
#define CHUNK (1 << 20)	/* least number of bytes that are asked of the system */
#define MOST 0x40000000

/* Before each piece. */
struct piece {
	size_t size;		/* with the head */
	struct piece *next;	/* of the list, if it is free */
	size_t reserved[2];
};

_Static_assert(sizeof(struct piece) == UNIT, "a head is one unit");

static struct piece *list;
static int lock;

static struct piece *after(struct piece *p)
{
	return (struct piece *)((char *)p + p->size);
}

static void put(struct piece *p)
{
	struct piece *before = NULL, *next = list;

	while (next && next < p) {
		before = next;
		next = next->next;
	}
	p->next = next;
	if (next && after(p) == next) {
		p->size += next->size;
		p->next = next->next;
	}
	if (!before) {
		list = p;
		return;
	}
	before->next = p;
	if (after(before) == p) {
		before->size += p->size;
		before->next = p->next;
	}
}

static int grow(size_t size)
{
	long at;

	size = size < CHUNK ? CHUNK : (size + 0xffff) & ~(size_t)0xffff;
	/* readable and writable, private and anonymous */
	at = __system(SYS_MMAP2, 0, size, 3, 0x22, -1, 0);
	if ((unsigned long)at >= -4095ul)
		return -1;
	((struct piece *)at)->size = size;
	put((struct piece *)at);
	return 0;
}

/* Bytes of a free piece before the place of an aligned one. */
static size_t gap_of(const struct piece *p, size_t alignment)
{
	return -((uintptr_t)p + UNIT) & (alignment - 1);
}

/* Cuts the wanted piece out of the first free one that has room for it. */
static struct piece *take(size_t size, size_t alignment)
{
	for (struct piece **at = &list; *at; at = &(*at)->next) {
		struct piece *p = *at, *next = p->next;
		size_t gap = gap_of(p, alignment), left;

		if (p->size < size + gap)
			continue;
		left = p->size - size - gap;
		if (gap) {
			p->size = gap;
			at = &p->next;
			p = after(p);
		}
		p->size = size + left;
		if (left > UNIT) {
			p->size = size;
			after(p)->size = left;
			after(p)->next = next;
			next = after(p);
		}
		*at = next;
		return p;
	}
	return NULL;
}

static void *allocate(size_t size, size_t alignment)
{
	struct piece *p;

	if (size > MOST || alignment > MOST) {
		errno = ENOMEM;
		return NULL;
	}
	size = ((size ? size : 1) + 2 * UNIT - 1) & ~(size_t)(UNIT - 1);
	alignment = alignment < UNIT ? UNIT : alignment;
	__lock(&lock);
	p = take(size, alignment);
	if (!p && grow(size + alignment) == 0)
		p = take(size, alignment);
	__unlock(&lock);
	if (!p)
		errno = ENOMEM;
	return p ? (char *)p + UNIT : NULL;
}

static struct piece *piece_of(void *p)
{
	return (struct piece *)((char *)p - UNIT);
}

void *malloc(size_t size)
{
	return allocate(size, UNIT);
}

void free(void *p)
{
	if (!p)
		return;
	__lock(&lock);
	put(piece_of(p));
	__unlock(&lock);
}

void *calloc(size_t n, size_t size)
{
	size_t all;
	void *p;

	if (__builtin_mul_overflow(n, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	p = malloc(all);
	return p ? memset(p, 0, all) : NULL;
}

void *realloc(void *old, size_t size)
{
	size_t room = old ? piece_of(old)->size - UNIT : 0;
	void *p;

	if (old && size && size <= room && size >= room / 2)
		return old;
	p = malloc(size);
	if (!p)
		return NULL;
	if (old)
		memcpy(p, old, size < room ? size : room);
	free(old);
	return p;
}

void *aligned_alloc(size_t alignment, size_t size)
{
	if (alignment & (alignment - 1)) {
		errno = EINVAL;
		return NULL;
	}
	return allocate(size, alignment);
}

void *memalign(size_t alignment, size_t size)
{
	return aligned_alloc(alignment, size);
}

int posix_memalign(void **p, size_t alignment, size_t size)
{
	if (!alignment || alignment % sizeof(void *) || alignment & (alignment - 1))
		return EINVAL;
	*p = allocate(size, alignment);
	return *p ? 0 : ENOMEM;
}
