/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Windows of memory: an array of page addresses in memory maps a contiguous range, like a graphics
 * translation table. Reads of the table do not count as traffic.
 */
#include <string.h>

#include "mrfld/model.h"

void mrfld_pages_set(struct mrfld_pages *pages, bool high, uint32_t value)
{
	if (high)
		pages->table = (uint32_t)pages->table | (uint64_t)value << 32;
	else
		pages->table = (pages->table & ~0xffffffffull) | value;
	pages->index = MRFLD_NEVER;
}

bool mrfld_pages_find(struct mrfld_soc *soc, struct mrfld_pages *pages, uint64_t offset,
		      uint64_t *addr)
{
	uint64_t index = offset / MRFLD_PAGE;
	uint8_t entry[8];

	if (index != pages->index) {
		if (!soc->ops.mem_read(soc->opaque, pages->table + index * 8, entry, sizeof(entry)))
			return false;
		pages->addr = 0;
		for (unsigned int i = 0; i < 8; i++)
			pages->addr |= (uint64_t)entry[i] << 8 * i;
		if (pages->addr % MRFLD_PAGE)
			return false;
		pages->index = index;
	}
	*addr = pages->addr + offset % MRFLD_PAGE;
	return true;
}

bool mrfld_pages_sum(struct mrfld_soc *soc, struct mrfld_pages *pages, uint64_t offset,
		     uint32_t len, uint64_t *sum)
{
	uint32_t words[MRFLD_PAGE / 4];
	uint64_t addr;

	while (len) {
		uint32_t step = MRFLD_PAGE - offset % MRFLD_PAGE;

		if (step > len)
			step = len;
		if (!mrfld_pages_find(soc, pages, offset, &addr) ||
		    !soc->ops.mem_read(soc->opaque, addr, words, step))
			return false;
		for (uint32_t i = 0; i < step / 4; i++)
			*sum += words[i];
		offset += step;
		len -= step;
	}
	return true;
}
