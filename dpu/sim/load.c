// SPDX-License-Identifier: LGPL-2.1-or-later
#include <string.h>

#include "dpu/include/load.h"

#define CHUNK 4096

static bool load_segment(struct dpu *dpu, const struct dpu_segment *s)
{
	uint8_t chunk[CHUNK];
	uint32_t offset, done = 0;
	enum dpu_memory memory = dpu_address(s->address, &offset);
	uint32_t align = memory == DPU_WRAM ? 4 : 8;

	while (done < s->size) {
		uint32_t n = s->size - done < CHUNK ? s->size - done : CHUNK;
		uint32_t from_file = s->file_size > done ? s->file_size - done : 0;

		memset(chunk, 0, sizeof(chunk));
		memcpy(chunk, s->data + done, from_file < n ? from_file : n);
		if (!dpu_write(dpu, memory, offset + done, chunk, (n + align - 1) & -align))
			return false;
		done += n;
	}
	return true;
}

bool dpu_load_program(struct dpu *dpu, const struct dpu_program *program)
{
	const struct dpu_program_symbol *clocks = dpu_program_symbol(program, "CLOCKS_PER_SEC");
	uint32_t clock = dpu_clock(dpu);

	for (size_t i = 0; i < program->segment_count; i++)
		if (!load_segment(dpu, &program->segments[i]))
			return false;
	return !clocks || dpu_write(dpu, DPU_WRAM, clocks->value, &clock, sizeof(clock));
}
