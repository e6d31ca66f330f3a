/* SPDX-License-Identifier: GPL-2.0-only */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/elf_text.h"
#include "tools/hexagon/hexagon-profile.h"

/* Columns: costs of the feed's profile, and cycles, which are made of them. */
enum { CYCLES = HEXAGON_COSTS };

static const struct {
	const char *name, *text;
	unsigned int cost;
	bool stall;
} columns[] = {
	{ "Packets", "Packets committed", HEXAGON_COST_PACKETS, false },
	{ "Cycles", "Cycles of the thread (modelled)", CYCLES, false },
	{ "FetchStall", "Cycles that it waits for instructions", HEXAGON_COST_STALL + HEXAGON_STALL_FETCH,
	  true },
	{ "DataStall", "Cycles that it waits for data", HEXAGON_COST_STALL + HEXAGON_STALL_DATA, true },
	{ "VectorStall", "Cycles that it waits for vectors", HEXAGON_COST_STALL + HEXAGON_STALL_VECTOR,
	  true },
	{ "BranchStall", "Cycles after mispredicted branches",
	  HEXAGON_COST_STALL + HEXAGON_STALL_REDIRECT, true },
	{ "ShownStall", "Cycles of all these waits that no other thread hid", HEXAGON_COST_OPEN, true },
	{ "I1miss", "Misses of the L1 instruction cache", HEXAGON_COST_L1I_MISSES, false },
	{ "D1miss", "Misses of the L1 data cache", HEXAGON_COST_L1D_MISSES, false },
	{ "L2miss", "Misses of the L2", HEXAGON_COST_L2_MISSES, false },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* A packet, or a call from there, and what it cost some threads. */
struct entry {
	uint32_t pc, to;
	uint64_t times;
	uint64_t cost[HEXAGON_COSTS];
};

/* Rows of the profile. */
struct rows {
	unsigned int first, end;
};

static int by_pc(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return (x->pc > y->pc) - (x->pc < y->pc);
}

static uint64_t column_value(const struct hexagon_core *core, const uint64_t cost[HEXAGON_COSTS], unsigned int column)
{
	uint64_t cycles = core->cycles * cost[HEXAGON_COST_PACKETS];

	if (columns[column].cost != CYCLES)
		return cost[columns[column].cost];
	for (unsigned int cause = 0; cause < HEXAGON_STALLS; cause++)
		cycles += cost[HEXAGON_COST_STALL + cause];
	return cycles;
}

static void put_costs(FILE *out, const struct hexagon_core *core, const uint64_t cost[HEXAGON_COSTS])
{
	for (unsigned int i = 0; i < COLUMNS; i++)
		if (core->stalls || !columns[i].stall)
			fprintf(out, " %" PRIu64, column_value(core, cost, i));
	fputc('\n', out);
}

static void put_head(FILE *out, const char *program, const struct hexagon_core *core)
{
	fprintf(out, "# callgrind format\nversion: 1\ncreator: hexagon-run\ncmd: %s\n", program);
	for (unsigned int i = 0; i < COLUMNS; i++)
		if (core->stalls || !columns[i].stall)
			fprintf(out, "event: %s : %s\n", columns[i].name, columns[i].text);
}

static void put_part_head(FILE *out, const char *program, const struct hexagon_core *core)
{
	fputs("positions: instr line\nevents:", out);
	for (unsigned int i = 0; i < COLUMNS; i++)
		if (core->stalls || !columns[i].stall)
			fprintf(out, " %s", columns[i].name);
	fprintf(out, "\n\nob=%s\n", program);
}

static void add_costs(uint64_t sum[HEXAGON_COSTS], const uint64_t cost[HEXAGON_COSTS])
{
	for (unsigned int c = 0; c < HEXAGON_COSTS; c++)
		sum[c] += cost[c];
}

static void add_place(struct entry *entry, const struct hexagon_profile *profile, uint32_t place, struct rows rows)
{
	*entry = (struct entry){ .pc = place ? profile->place[place].pc : 0 };
	for (unsigned int row = rows.first; row < rows.end; row++)
		add_costs(entry->cost, profile->row[row].place[place]);
}

/* The places in use, by address, and their sum in total. The place that packets share comes last. */
static size_t gather(const struct hexagon_profile *profile, struct rows rows, struct entry *list, uint64_t total[HEXAGON_COSTS])
{
	size_t n = 0;

	for (uint32_t i = 1; i < HEXAGON_PROFILE_PLACES; i++) {
		if (!profile->place[i].used)
			continue;
		add_place(&list[n], profile, i, rows);
		n += list[n].cost[HEXAGON_COST_PACKETS] > 0;
	}
	qsort(list, n, sizeof(list[0]), by_pc);
	add_place(&list[n], profile, 0, rows);
	memset(total, 0, HEXAGON_COSTS * sizeof(total[0]));
	for (size_t i = 0; i <= n; i++)
		add_costs(total, list[i].cost);
	return n;
}

/* The calls that these threads did, by address. */
static size_t gather_calls(const struct hexagon_profile *profile, struct rows rows, struct entry *list)
{
	/* the program could write there */
	uint32_t calls = profile->calls < HEXAGON_PROFILE_CALLS ? profile->calls : HEXAGON_PROFILE_CALLS;
	size_t n = 0;

	for (uint32_t i = 0; i < calls; i++) {
		list[n] = (struct entry){ .pc = profile->call[i].from, .to = profile->call[i].to };
		for (unsigned int row = rows.first; row < rows.end; row++) {
			list[n].times += profile->row[row].call[i].times;
			add_costs(list[n].cost, profile->row[row].call[i].cost);
		}
		n += list[n].times > 0;
	}
	qsort(list, n, sizeof(*list), by_pc);
	return n;
}

/* With the position of the call its costs, from there to the return. */
static void put_call(FILE *out, const struct hexagon_core *core, struct elf_text *text, const struct entry *call)
{
	struct elf_place from = elf_text_find(text, call->pc), to = elf_text_find(text, call->to);

	fprintf(out, "cfi=%s\ncfn=%s\ncalls=%" PRIu64 " 0x%" PRIx32 " %u\n0x%" PRIx32 " %u", to.file, to.function, call->times,
		call->to, to.line, call->pc, from.line);
	put_costs(out, core, call->cost);
}

/* What the threads of some rows did; list and calls have room for all. */
static void put_part(FILE *out, const struct hexagon_core *core, const struct hexagon_profile *profile, struct rows rows,
		     struct elf_text *text, struct entry *list, struct entry *calls)
{
	uint64_t total[HEXAGON_COSTS];
	size_t n = gather(profile, rows, list, total), call_count = gather_calls(profile, rows, calls), call = 0;
	struct elf_place last = { "", "", 0 };

	for (size_t i = 0; i < n; i++) {
		struct elf_place place = elf_text_find(text, list[i].pc);

		if (strcmp(last.function, place.function) || strcmp(last.file, place.file))
			fprintf(out, "fl=%s\nfn=%s\n", place.file, place.function);
		last = place;
		fprintf(out, "0x%" PRIx32 " %u", list[i].pc, place.line);
		put_costs(out, core, list[i].cost);
		while (call < call_count && calls[call].pc < list[i].pc)
			call++;
		for (; call < call_count && calls[call].pc == list[i].pc; call++)
			put_call(out, core, text, &calls[call]);
	}
	if (list[n].cost[HEXAGON_COST_PACKETS]) {
		fputs("fl=???\nfn=(further packets)\n0x0 0", out);
		put_costs(out, core, list[n].cost);
	}
	fputs("totals:", out);
	put_costs(out, core, total);
}

bool hexagon_profile_write(FILE *out, const char *program, const struct hexagon_core *core,
			   const struct hexagon_profile *profile, unsigned int threads, bool apart)
{
	struct entry *list = calloc(HEXAGON_PROFILE_PLACES, sizeof(*list));
	struct entry *calls = calloc(HEXAGON_PROFILE_CALLS + 1, sizeof(*calls));
	struct elf_text *text = list && calls ? elf_text_open(program) : NULL;

	if (text) {
		put_head(out, program, core);
		for (unsigned int i = 0; i < (apart ? threads : 1); i++) {
			if (apart)
				fprintf(out, "\npart: %u\nthread: %u\n", i + 1, i);
			put_part_head(out, program, core);
			put_part(out, core, profile, (struct rows){ i, apart ? i + 1 : threads }, text, list, calls);
		}
		elf_text_close(text);
	}
	free(calls);
	free(list);
	return text != NULL;
}
