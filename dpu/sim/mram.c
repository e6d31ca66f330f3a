// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The MRAM of DPUs, in pieces that get memory when they are written.
 *
 * All DPUs of the process take their pieces from the same regions, one after the other, so that huge pages are full
 * whichever parts of its MRAM a program uses. Each DPU adds a region of its MRAM's size: there is always a piece left.
 */
#include <pthread.h>
#include <string.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "dpu/sim/dpu-internal.h"

#define SIZE DPU_MRAM_PIECE
#define MASK (SIZE - 1)

/* A piece that was given back; the rest of it is as it was. */
struct piece {
	struct piece *next;
};

static struct {
	pthread_mutex_t lock;
	uint8_t **regions;
	unsigned int count, dpus;	/* regions are never fewer than DPUs */
	size_t fresh;			/* pieces of the regions that were used; the others are zero */
	size_t pieces;			/* that DPUs have */
	struct piece *back;
} store = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* With the lock, as the next two. */
static bool add_region(void)
{
	uint8_t **regions = realloc(store.regions, (store.count + 1) * sizeof(*regions)), *start;

	if (!regions)
		return false;
	store.regions = regions;
	start = mmap(NULL, DPU_MRAM_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (start == MAP_FAILED)
		return false;
	madvise(start, DPU_MRAM_SIZE, MADV_HUGEPAGE);
	regions[store.count++] = start;
	return true;
}

static void free_regions(void)
{
	for (unsigned int i = 0; i < store.count; i++)
		munmap(store.regions[i], DPU_MRAM_SIZE);
	free(store.regions);
	store.regions = NULL;
	store.count = 0;
}

static void give_back(struct dpu *dpu)
{
	for (unsigned int i = 0; i < DPU_MRAM_PIECES; i++) {
		struct piece *piece = (struct piece *)dpu->mram[i];

		if (!piece)
			continue;
		piece->next = store.back;
		store.back = piece;
		store.pieces--;
		dpu->mram[i] = NULL;
	}
	if (store.pieces)
		return;
	for (unsigned int i = 0; i < store.count; i++)
		madvise(store.regions[i], DPU_MRAM_SIZE, MADV_DONTNEED);
	store.fresh = 0;
	store.back = NULL;
}

/* A piece of zeros. */
static uint8_t *new_piece(void)
{
	struct piece *piece;
	uint8_t *bytes = NULL;

	pthread_mutex_lock(&store.lock);
	store.pieces++;
	piece = store.back;
	if (piece) {
		store.back = piece->next;
	} else {
		bytes = store.regions[store.fresh / DPU_MRAM_PIECES] + store.fresh % DPU_MRAM_PIECES * SIZE;
		store.fresh++;
	}
	pthread_mutex_unlock(&store.lock);
	return piece ? memset(piece, 0, SIZE) : bytes;
}

bool dpu_mram_new(struct dpu *dpu, uint8_t *own)
{
	bool ok;

	for (unsigned int i = 0; own && i < DPU_MRAM_PIECES; i++)
		dpu->mram[i] = own + i * SIZE;
	dpu->mram_owned = !own;
	if (own)
		return true;
	pthread_mutex_lock(&store.lock);
	ok = store.dpus < store.count || add_region();
	store.dpus += ok;
	pthread_mutex_unlock(&store.lock);
	return ok;
}

void dpu_mram_free(struct dpu *dpu)
{
	if (!dpu->mram_owned)
		return;
	pthread_mutex_lock(&store.lock);
	give_back(dpu);
	if (!--store.dpus)
		free_regions();
	pthread_mutex_unlock(&store.lock);
}

void dpu_mram_clear(struct dpu *dpu)
{
	if (!dpu->mram_owned)
		return;
	pthread_mutex_lock(&store.lock);
	give_back(dpu);
	pthread_mutex_unlock(&store.lock);
}

/* The bytes from an offset to the end of its piece, or length. */
static inline uint32_t in_piece(uint32_t offset, uint32_t length)
{
	uint32_t left = SIZE - (offset & MASK);

	return length < left ? length : left;
}

void dpu_mram_read(const struct dpu *dpu, uint32_t offset, void *data, uint32_t length)
{
	for (uint32_t n; length; offset += n, length -= n, data = (uint8_t *)data + n) {
		const uint8_t *piece = dpu->mram[offset / SIZE];

		n = in_piece(offset, length);
		if (piece)
			memcpy(data, piece + (offset & MASK), n);
		else
			memset(data, 0, n);
	}
}

void dpu_mram_write(struct dpu *dpu, uint32_t offset, const void *data, uint32_t length)
{
	for (uint32_t n; length; offset += n, length -= n, data = (const uint8_t *)data + n) {
		uint8_t **piece = &dpu->mram[offset / SIZE];

		n = in_piece(offset, length);
		if (!*piece)
			*piece = new_piece();
		memcpy(*piece + (offset & MASK), data, n);
	}
}
