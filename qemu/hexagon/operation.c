/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions for caches that access no memory, such as dcfetch and l2fetch. QEMU has no callback with their
 * address. It is computed from the registers that the packet names, which are read before the packet writes any.
 */
#include <stdio.h>

#include "qemu/hexagon/plugin.h"

static void ask_for_registers(void)
{
	static bool said;

	if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		fprintf(stderr, "hexagon-feed: the address of a prefetch is not known, and it does nothing: give the "
			"plugin operations=1\n");
}

/* The rectangle of an l2fetch. */
struct box {
	uint32_t start;
	uint32_t width, height, stride;	/* bytes, rows, bytes from one row to the next */
	bool columns;	/* by column and not by row */
};

/* Notes line number n of a row. Returns false if the row has no such line. */
static bool note_line(struct cpu *cpu, const struct place *place, const struct box *box, uint32_t row,
		      uint32_t n, uint32_t *last)
{
	uint32_t size = model.memory.shape.l2.line;
	uint32_t start = box->start + row * box->stride;
	uint32_t line = (start & -size) + n * size;

	if (n > ((start & (size - 1)) + box->width - 1) / size)
		return false;
	/* where two rows share a line it is asked for once */
	if (line != *last)
		note(cpu, HEXAGON_L2_PREFETCH, place->cost, cpu->packet + place->index, line);
	*last = line;
	return true;
}

/* All lines at once. One with more lines than the L2 has ends there. */
static void note_box(struct cpu *cpu, const struct place *place, const struct box *box)
{
	const struct hexagon_cache_shape *l2 = &model.memory.shape.l2;
	/* rows that are asked for together, column by column */
	uint32_t together = box->columns ? box->height : 1;
	uint32_t left = l2->size / l2->line;
	uint32_t last = 1;	/* no line's address */

	for (uint32_t first = 0; first < box->height; first += together) {
		bool more = true;

		for (uint32_t n = 0; more; n++) {
			more = false;
			for (uint32_t row = first; row < first + together; row++) {
				uint32_t before = last;

				more |= note_line(cpu, place, box, row, n, &last);
				if (last != before && !--left)
					return;
			}
		}
	}
}

static void note_l2fetch(struct cpu *cpu, const struct place *place, struct box box)
{
	/* a stop */
	if (!box.width || !box.height || !box.stride)
		return;
	note(cpu, HEXAGON_TIME_L2FETCH, place->cost, cpu->packet + place->index, box.start);
	note_box(cpu, place, &box);
}

static void note_operation(struct cpu *cpu, const struct place *place, uint32_t rs, const uint32_t rt[2])
{
	uint64_t packet = cpu->packet + place->index;

	switch (place->operation.kind) {
	case HEXAGON_OP_DCFETCH:
		note(cpu, HEXAGON_PREFETCH, place->cost, packet, rs + place->operation.offset);
		break;
	case HEXAGON_OP_L2FETCH:
		note_l2fetch(cpu, place, (struct box){
			.start = rs, .width = rt[0] >> 8 & 0xff, .height = rt[0] & 0xff,
			.stride = rt[0] >> 16,
		});
		break;
	case HEXAGON_OP_L2FETCH_WIDE:
		note_l2fetch(cpu, place, (struct box){
			.start = rs, .width = rt[0] >> 16, .height = rt[0] & 0xffff,
			.stride = rt[1] & 0xffff, .columns = rt[1] >> 16 & 1,
		});
		break;
	case HEXAGON_OP_DCCLEAN:
		note(cpu, HEXAGON_CLEAN, place->cost, packet, rs);
		break;
	case HEXAGON_OP_DCINVALIDATE:
		note(cpu, HEXAGON_DROP, place->cost, packet, rs);
		break;
	case HEXAGON_OP_ICINVALIDATE:
		note(cpu, HEXAGON_DROP_CODE, place->cost, packet, rs);
		break;
	}
}

void on_operation(unsigned int cpu_index, void *data)
{
	const struct place *place = data;
	const struct hexagon_operation *operation = &place->operation;
	uint32_t rs, rt[2];

	if (forked)
		return;
	if ((place->index && !MON_REGISTERS_ANYWHERE) || !mon_hexagon_register(cpu_index, operation->rs, &rs) ||
	    !mon_hexagon_register(cpu_index, operation->rt, &rt[0]) ||
	    !mon_hexagon_register(cpu_index, operation->rt | 1, &rt[1])) {
		ask_for_registers();
		return;
	}
	note_operation(&cpus[cpu_index], place, rs, rt);
}
