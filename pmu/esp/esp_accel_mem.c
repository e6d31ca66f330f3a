// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chunks of accelerator buffers: where they come from and on which memory tile they lie.
 *
 * A SoC's memory is split evenly and contiguously over its memory tiles, so the bus address of a
 * chunk decides which tile serves it. In reserved pools (module parameter, device tree) chunks lie
 * where the policies say. The page allocator knows nothing of tiles.
 */
#include <linux/align.h>
#include <linux/bitmap.h>
#include <linux/dma-mapping.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "esp_accel.h"

#define MAX_POOLS	ESP_MAX_MEMS

static unsigned int chunk_log = 20;
module_param(chunk_log, uint, 0444);
MODULE_PARM_DESC(chunk_log, "log2 of the bytes of a chunk, 12 to 22 (default 20)");

static char *pool;
module_param_hw(pool, charp, iomem, 0444);
MODULE_PARM_DESC(pool, "reserved memory for buffers, ADDRESS+SIZE[,ADDRESS+SIZE...]");

unsigned long esp_chunk_log;

/* Reserved memory; esp_soc.mem_lock does not cover it because all SoCs share it. */
static struct esp_pool {
	phys_addr_t base;
	void *map;
	unsigned int nchunks;
	unsigned long *used;
	bool requested; /* in /proc/iomem; what the device tree reserves is there already */
} pools[MAX_POOLS];

static unsigned int npools;
static DEFINE_MUTEX(pool_lock);

static size_t chunk_bytes(void)
{
	return 1UL << esp_chunk_log;
}

static int esp_pool_add_locked(phys_addr_t base, u64 size, bool of_tree)
{
	struct esp_pool *p;
	unsigned int i;

	for (i = 0; i < npools; i++)
		if (of_tree && pools[i].base == base &&
		    (u64)pools[i].nchunks << esp_chunk_log == size)
			return 0;
	if (npools == MAX_POOLS) {
		pr_err("esp_accel: pool: more than %u pools\n", MAX_POOLS);
		return -EINVAL;
	}
	if (base & (chunk_bytes() - 1) || !size || size & (chunk_bytes() - 1) ||
	    base + size > BIT_ULL(32)) {
		pr_err("esp_accel: pool %pap+0x%llx: must be whole chunks below 4 GiB\n",
		       &base, size);
		return -EINVAL;
	}
	if (!of_tree && region_intersects(base, size, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) !=
	    REGION_DISJOINT) {
		pr_err("esp_accel: pool %pap+0x%llx: is memory of the kernel: reserve it, on x86 with memmap=SIZE$ADDRESS\n",
		       &base, size);
		return -EBUSY;
	}
	if (!of_tree && !request_mem_region(base, size, "esp_accel pool")) {
		pr_err("esp_accel: pool %pap+0x%llx: has an owner, see /proc/iomem\n", &base, size);
		return -EBUSY;
	}

	p = &pools[npools];
	p->base = base;
	p->nchunks = size >> esp_chunk_log;
	p->used = bitmap_zalloc(p->nchunks, GFP_KERNEL);
	p->map = p->used ? memremap(base, size, MEMREMAP_WB) : NULL;
	if (!p->map) {
		bitmap_free(p->used);
		if (!of_tree)
			release_mem_region(base, size);
		return -ENOMEM;
	}
	p->requested = !of_tree;
	npools++;
	return 0;
}

/*
 * Memory that the device tree reserves for accelerators, as much of it as is whole chunks. It stays
 * a pool until the module goes, because chunks may outlive their device.
 */
int esp_pool_add_reserved(phys_addr_t first, phys_addr_t end)
{
	phys_addr_t base = ALIGN(first, chunk_bytes()), top = ALIGN_DOWN(end, chunk_bytes());
	int ret;

	mutex_lock(&pool_lock);
	ret = esp_pool_add_locked(base, top > base ? top - base : 0, true);
	mutex_unlock(&pool_lock);
	return ret;
}

int esp_pools_init(void)
{
	char *next = pool;
	int ret;

	if (chunk_log < 12 || chunk_log > 22) {
		pr_err("esp_accel: chunk_log=%u: must be 12 to 22\n", chunk_log);
		return -EINVAL;
	}
	esp_chunk_log = max_t(unsigned int, chunk_log, PAGE_SHIFT);

	while (next && *next) {
		u64 base = memparse(next, &next), size = 0;

		if (*next == '+')
			size = memparse(next + 1, &next);
		if (*next == ',')
			next++;
		else if (*next)
			size = 0;
		ret = esp_pool_add_locked(base, size, false);
		if (ret) {
			esp_pools_exit();
			return ret;
		}
	}
	return 0;
}

void esp_pools_exit(void)
{
	while (npools) {
		struct esp_pool *p = &pools[--npools];

		memunmap(p->map);
		bitmap_free(p->used);
		if (p->requested)
			release_mem_region(p->base,
					   (resource_size_t)p->nchunks << esp_chunk_log);
	}
}

/* Memory tile of a bus address, -1 if it is not memory of the SoC. */
static int esp_node_of(const struct esp_soc_dev *hw, dma_addr_t dma)
{
	u64 offset = dma - hw->mem_base;

	if (!hw->mem_size)
		return 0;
	if (dma < hw->mem_base || offset + chunk_bytes() > hw->mem_size)
		return -1;
	return div64_u64(offset, div64_u64(hw->mem_size, hw->nmem));
}

/*
 * Reserved memory may have no struct page. Only coherent DMA uses pools, so no cache maintenance
 * needs the kernel's map of their memory.
 */
static int esp_chunk_map(struct esp_soc_dev *hw, struct esp_chunk *chunk)
{
	unsigned long pfn = PHYS_PFN(chunk->phys);

	if (pfn_valid(pfn))
		chunk->dma = dma_map_page(hw->dev, pfn_to_page(pfn), 0, chunk_bytes(),
					  DMA_BIDIRECTIONAL);
	else
		chunk->dma = dma_map_resource(hw->dev, chunk->phys, chunk_bytes(),
					      DMA_BIDIRECTIONAL, 0);
	return dma_mapping_error(hw->dev, chunk->dma) ? -ENOMEM : 0;
}

static void esp_chunk_unmap(struct esp_soc_dev *hw, struct esp_chunk *chunk)
{
	if (chunk->map)
		dma_free_coherent(hw->dev, chunk_bytes(), chunk->map, chunk->dma);
	else if (pfn_valid(PHYS_PFN(chunk->phys)))
		dma_unmap_page(hw->dev, chunk->dma, chunk_bytes(), DMA_BIDIRECTIONAL);
	else
		dma_unmap_resource(hw->dev, chunk->dma, chunk_bytes(), DMA_BIDIRECTIONAL, 0);
}

static void esp_pool_give(const struct esp_chunk *chunk)
{
	unsigned int i;

	mutex_lock(&pool_lock);
	for (i = 0; i < npools; i++) {
		struct esp_pool *p = &pools[i];
		phys_addr_t offset = chunk->phys - p->base;

		if (chunk->phys >= p->base && offset >> esp_chunk_log < p->nchunks)
			__clear_bit(offset >> esp_chunk_log, p->used);
	}
	mutex_unlock(&pool_lock);
}

/*
 * The memory tiles on which buffers can lie; their number is at least 1. Without pools these are
 * all, else those that a pool lies on, in part at least. As in ESP's driver the first that can
 * serve is number 0 of the policies.
 */
static unsigned int esp_pool_tiles(const struct esp_soc *soc, u8 *tiles)
{
	DECLARE_BITMAP(covered, ESP_MAX_MEMS) = {};
	unsigned int i, k, n = 0;
	int tile;

	mutex_lock(&pool_lock);
	for (i = 0; i < npools && !soc->hw->noncoherent; i++)
		for (k = 0; k < pools[i].nchunks; k++) {
			tile = esp_node_of(soc->hw, pools[i].base + ((u64)k << esp_chunk_log));
			if (tile >= 0 && tile < soc->hw->nmem)
				__set_bit(tile, covered);
		}
	mutex_unlock(&pool_lock);
	if (bitmap_empty(covered, ESP_MAX_MEMS))
		bitmap_fill(covered, soc->hw->nmem);
	for_each_set_bit(i, covered, soc->hw->nmem)
		tiles[n++] = i;
	return n;
}

/* Bus addresses of reserved memory are those of the processor, and decide the tile. */
static bool esp_pool_take(struct esp_soc *soc, unsigned int node, struct esp_chunk *chunk)
{
	unsigned int i, k;
	int at;

	mutex_lock(&pool_lock);
	for (i = 0; i < npools; i++) {
		struct esp_pool *p = &pools[i];

		for_each_clear_bit(k, p->used, p->nchunks) {
			phys_addr_t phys = p->base + ((phys_addr_t)k << esp_chunk_log);

			at = esp_node_of(soc->hw, phys);
			if (at != (int)node)
				continue;
			__set_bit(k, p->used);
			mutex_unlock(&pool_lock);
			memset(p->map + ((size_t)k << esp_chunk_log), 0, chunk_bytes());
			*chunk = (struct esp_chunk){ .phys = phys, .node = at };
			if (!esp_chunk_map(soc->hw, chunk)) {
				if (esp_node_of(soc->hw, chunk->dma) == at)
					return true;
				esp_chunk_unmap(soc->hw, chunk);
			}
			esp_pool_give(chunk);
			return false;
		}
	}
	mutex_unlock(&pool_lock);
	return false;
}

/**
 * struct esp_search - chunks for one buffer
 * @tiles:	memory tiles that serve
 * @ntiles:	their number
 */
struct esp_search {
	u8 tiles[ESP_MAX_MEMS];
	unsigned int ntiles;
};

/* Where the processor sees such memory only the DMA API knows. */
static int esp_reserved_alloc(struct esp_soc_dev *hw, struct esp_chunk *chunk)
{
	*chunk = (struct esp_chunk){};
	chunk->map = dma_alloc_coherent(hw->dev, chunk_bytes(), &chunk->dma,
					GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	return chunk->map ? 0 : -ENOMEM;
}

static int esp_kernel_alloc(struct esp_soc_dev *hw, struct esp_chunk *chunk)
{
	gfp_t gfp = GFP_USER | __GFP_ZERO | __GFP_NOWARN | __GFP_NORETRY | __GFP_ACCOUNT;

	chunk->map = NULL;
	chunk->page = alloc_pages(gfp | __GFP_DMA32, esp_chunk_log - PAGE_SHIFT);
	if (!chunk->page)
		return -ENOMEM;
	chunk->phys = page_to_phys(chunk->page);
	if (!esp_chunk_map(hw, chunk))
		return 0;
	__free_pages(chunk->page, esp_chunk_log - PAGE_SHIFT);
	return -ENOMEM;
}

static int esp_page_alloc(struct esp_soc *soc, struct esp_chunk *chunk)
{
	struct esp_soc_dev *hw = soc->hw;
	int err = hw->reserved ? esp_reserved_alloc(hw, chunk) : esp_kernel_alloc(hw, chunk), node;

	if (err)
		return err;
	node = esp_node_of(hw, chunk->dma);
	if (node < 0 || node >= hw->nmem) {
		esp_chunk_unmap(hw, chunk);
		if (chunk->page)
			__free_pages(chunk->page, esp_chunk_log - PAGE_SHIFT);
		return -ENOMEM;
	}
	chunk->node = node;
	return 0;
}

static int esp_chunk_alloc(struct esp_soc *soc, unsigned int node, struct esp_chunk *chunk)
{
	if (npools && !soc->hw->noncoherent)
		return esp_pool_take(soc, node, chunk) ? 0 : -ENOMEM;
	return esp_page_alloc(soc, chunk);
}

static unsigned int esp_used(const struct esp_soc *soc, const struct esp_search *search,
			     unsigned int i)
{
	return atomic_read(&soc->used[search->tiles[i]]);
}

/*
 * Index of the tile with the fewest chunks in use, the first one handicapped by threshold; all
 * equal: the first that may serve.
 */
static unsigned int esp_least_loaded(const struct esp_soc *soc, const struct esp_search *search,
				     unsigned int threshold)
{
	unsigned int best = search->ntiles > 1 ? 1 : 0, i;

	for (i = 2; i < search->ntiles; i++)
		if (esp_used(soc, search, i) < esp_used(soc, search, best))
			best = i;
	if ((u64)esp_used(soc, search, 0) + threshold < esp_used(soc, search, best))
		best = 0;
	return best;
}

/* Index of a tile. For a tile that does not serve it is the one that ESP's driver takes. */
static unsigned int esp_preferred(const struct esp_search *search, unsigned int node)
{
	unsigned int i;

	for (i = 0; i < search->ntiles; i++)
		if (search->tiles[i] == node)
			return i;
	return node % search->ntiles;
}

static int esp_chunk_by_policy(struct esp_soc *soc, const struct esp_search *search,
			       const struct contig_alloc_params *params, unsigned int index,
			       unsigned int first, struct esp_chunk *chunk)
{
	unsigned int n = search->ntiles, at = first, tried;
	int ret = -ENOMEM;

	switch (params->policy) {
	case CONTIG_ALLOC_LEAST_LOADED:
		return esp_chunk_alloc(soc, search->tiles[at], chunk);
	case CONTIG_ALLOC_BALANCED:
		at += index / params->pol.balanced.cluster_size;
		return esp_chunk_alloc(soc, search->tiles[at % n], chunk);
	default:
		for (tried = 0; tried < n && ret; tried++, at++)
			ret = esp_chunk_alloc(soc, search->tiles[at % n], chunk);
		return ret;
	}
}

/* Index of the first chunk's tile. */
static int esp_first(const struct esp_soc *soc, const struct esp_search *search,
		     const struct contig_alloc_params *params)
{
	switch (params->policy) {
	case CONTIG_ALLOC_PREFERRED:
		if (params->pol.first.ddr_node < 0 || params->pol.first.ddr_node >= soc->hw->nmem)
			return -EINVAL;
		return esp_preferred(search, params->pol.first.ddr_node);
	case CONTIG_ALLOC_LEAST_LOADED:
		return esp_least_loaded(soc, search, params->pol.lloaded.threshold);
	case CONTIG_ALLOC_BALANCED:
		if (!params->pol.balanced.cluster_size)
			return -EINVAL;
		return esp_least_loaded(soc, search, params->pol.balanced.threshold);
	default:
		return -EINVAL;
	}
}

static int esp_most_allocated(const struct esp_soc *soc, const struct esp_contig *contig)
{
	unsigned int count[ESP_MAX_MEMS] = {};
	unsigned int i, best = 0;

	for (i = 0; i < contig->n; i++)
		count[contig->chunk[i].node]++;
	for (i = 1; i < soc->hw->nmem; i++)
		if (count[i] > count[best])
			best = i;
	return best;
}

/* Fills contig->chunk[0..n), which may take seconds; call inside the gate. */
int esp_chunks_alloc(struct esp_soc *soc, const struct contig_alloc_params *params,
		     struct esp_contig *contig)
{
	struct esp_search search = {};
	unsigned int wanted = contig->n;
	int first, ret = 0;

	search.ntiles = esp_pool_tiles(soc, search.tiles);
	first = esp_first(soc, &search, params);
	if (first < 0) {
		contig->n = 0;
		return first;
	}
	for (contig->n = 0; contig->n < wanted; contig->n++) {
		struct esp_chunk *chunk = &contig->chunk[contig->n];

		/* a device that goes, and a task that is killed, wait for one chunk */
		ret = fatal_signal_pending(current) ? -EINTR : esp_soc_shut(soc);
		ret = ret ?: esp_chunk_by_policy(soc, &search, params, contig->n, first, chunk);
		if (ret)
			break;
		atomic_inc(&soc->used[chunk->node]);
	}
	contig->most_allocated = esp_most_allocated(soc, contig);
	return ret;
}

/* A buffer may have thousands, so others get mem_lock in between; the device may go then. */
void esp_chunks_free(struct esp_contig *contig)
{
	struct esp_soc *soc = contig->soc;
	struct esp_chunk *chunk;

	while (contig->n) {
		mutex_lock(&soc->mem_lock);
		chunk = &contig->chunk[--contig->n];
		if (!contig->unmapped)
			esp_chunk_unmap(soc->hw, chunk);
		mutex_unlock(&soc->mem_lock);
		atomic_dec(&soc->used[chunk->node]);
		if (chunk->page)
			__free_pages(chunk->page, esp_chunk_log - PAGE_SHIFT);
		else if (!chunk->map)
			esp_pool_give(chunk);
	}
}

/*
 * The hardware goes away, the memory stays as long as it is mapped. Memory of the DMA API can be
 * given back only through the device; a buffer that outlives the device loses it. Call with
 * mem_lock held.
 */
void esp_chunks_unmap(struct esp_contig *contig)
{
	unsigned int i;

	for (i = 0; i < contig->n; i++)
		if (!contig->chunk[i].map)
			esp_chunk_unmap(contig->soc->hw, &contig->chunk[i]);
	contig->unmapped = true;
}

/* For SoCs whose DMA does not see the processor's caches; does nothing on others. */
void esp_contig_sync(struct esp_contig *contig, bool for_device)
{
	struct device *dev = contig->soc->hw->dev;
	unsigned int i;

	for (i = 0; i < contig->n; i++) {
		if (!contig->chunk[i].page)
			continue;
		if (for_device)
			dma_sync_single_for_device(dev, contig->chunk[i].dma, chunk_bytes(),
						   DMA_BIDIRECTIONAL);
		else
			dma_sync_single_for_cpu(dev, contig->chunk[i].dma, chunk_bytes(),
						DMA_BIDIRECTIONAL);
	}
}
