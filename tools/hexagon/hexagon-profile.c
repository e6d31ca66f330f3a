/* SPDX-License-Identifier: GPL-2.0-only */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "formats/elf_text.h"
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

static int by_pc(const void *a, const void *b)
{
	const struct hexagon_profile_place *x = a, *y = b;

	return (x->pc > y->pc) - (x->pc < y->pc);
}

static uint64_t column_value(const struct hexagon_core *core, const struct hexagon_profile_place *place,
			     unsigned int column)
{
	uint64_t cycles = core->cycles * place->cost[HEXAGON_COST_PACKETS];

	if (columns[column].cost != CYCLES)
		return place->cost[columns[column].cost];
	for (unsigned int cause = 0; cause < HEXAGON_STALLS; cause++)
		cycles += place->cost[HEXAGON_COST_STALL + cause];
	return cycles;
}

static void put_costs(FILE *out, const struct hexagon_core *core,
		      const struct hexagon_profile_place *place)
{
	for (unsigned int i = 0; i < COLUMNS; i++)
		if (core->stalls || !columns[i].stall)
			fprintf(out, " %" PRIu64, column_value(core, place, i));
	fputc('\n', out);
}

static void put_head(FILE *out, const char *program, const struct hexagon_core *core)
{
	fprintf(out, "# callgrind format\nversion: 1\ncreator: hexagon-run\ncmd: %s\npositions: instr line\n",
		program);
	for (unsigned int i = 0; i < COLUMNS; i++)
		if (core->stalls || !columns[i].stall)
			fprintf(out, "event: %s : %s\n", columns[i].name, columns[i].text);
	fputs("events:", out);
	for (unsigned int i = 0; i < COLUMNS; i++)
		if (core->stalls || !columns[i].stall)
			fprintf(out, " %s", columns[i].name);
	fprintf(out, "\n\nob=%s\n", program);
}

/* The places in use, by address, and their sum in *total. The place that packets share comes last. */
static size_t gather(const struct hexagon_profile *profile, struct hexagon_profile_place *list,
		     struct hexagon_profile_place *total)
{
	size_t n = 0;

	for (uint32_t i = 1; i < HEXAGON_PROFILE_PLACES; i++)
		if (profile->place[i].cost[HEXAGON_COST_PACKETS])
			list[n++] = profile->place[i];
	qsort(list, n, sizeof(list[0]), by_pc);
	list[n] = profile->place[0];
	list[n].pc = 0;
	memset(total, 0, sizeof(*total));
	for (size_t i = 0; i <= n; i++)
		for (unsigned int c = 0; c < HEXAGON_COSTS; c++)
			total->cost[c] += list[i].cost[c];
	return n;
}

static int by_from(const void *a, const void *b)
{
	const struct hexagon_profile_call *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/* The calls by address, and their number; NULL without memory. */
static struct hexagon_profile_call *gather_calls(const struct hexagon_profile *profile, size_t *n)
{
	struct hexagon_profile_call *list;

	/* the program could write there */
	*n = profile->calls < HEXAGON_PROFILE_CALLS ? profile->calls : HEXAGON_PROFILE_CALLS;
	list = malloc((*n + 1) * sizeof(*list));
	if (list) {
		memcpy(list, profile->call, *n * sizeof(*list));
		qsort(list, *n, sizeof(*list), by_from);
	}
	return list;
}

/* With the position of the call its costs, from there to the return. */
static void put_call(FILE *out, const struct hexagon_core *core, struct elf_text *text, const struct hexagon_profile_call *call)
{
	struct elf_place from = elf_text_find(text, call->from), to = elf_text_find(text, call->to);
	struct hexagon_profile_place sum = { 0 };

	memcpy(sum.cost, call->cost, sizeof(sum.cost));
	fprintf(out, "cfi=%s\ncfn=%s\ncalls=%" PRIu64 " 0x%" PRIx32 " %u\n0x%" PRIx32 " %u", to.file, to.function, call->times,
		call->to, to.line, call->from, from.line);
	put_costs(out, core, &sum);
}

bool hexagon_profile_write(FILE *out, const char *program, const struct hexagon_core *core,
			   const struct hexagon_profile *profile)
{
	struct hexagon_profile_place *list = calloc(HEXAGON_PROFILE_PLACES, sizeof(*list)), total;
	size_t n, call_count, call = 0;
	struct elf_text *text = list ? elf_text_open(program) : NULL;
	struct hexagon_profile_call *calls = text ? gather_calls(profile, &call_count) : NULL;
	struct elf_place last = { "", "", 0 };

	if (!calls) {
		if (text)
			elf_text_close(text);
		free(list);
		return false;
	}
	n = gather(profile, list, &total);
	put_head(out, program, core);
	for (size_t i = 0; i < n; i++) {
		struct elf_place place = elf_text_find(text, list[i].pc);

		if (strcmp(last.function, place.function) || strcmp(last.file, place.file))
			fprintf(out, "fl=%s\nfn=%s\n", place.file, place.function);
		last = place;
		fprintf(out, "0x%" PRIx32 " %u", list[i].pc, place.line);
		put_costs(out, core, &list[i]);
		while (call < call_count && calls[call].from < list[i].pc)
			call++;
		for (; call < call_count && calls[call].from == list[i].pc; call++)
			put_call(out, core, text, &calls[call]);
	}
	if (list[n].cost[HEXAGON_COST_PACKETS]) {
		fputs("fl=???\nfn=(further packets)\n0x0 0", out);
		put_costs(out, core, &list[n]);
	}
	fputs("totals:", out);
	put_costs(out, core, &total);
	elf_text_close(text);
	free(calls);
	free(list);
	return true;
}
