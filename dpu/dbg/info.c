// SPDX-License-Identifier: GPL-2.0-only
/* Tables: tasklets, registers, locks, functions, variables, counters. */
#include <stdlib.h>
#include <string.h>

#include "dpu/dbg/dbg.h"
#include "dpu/run/run.h"

static void put_tasklets(struct dbg *d)
{
	for (unsigned int i = 0; i < dpu_arch(d->dpu)->threads; i++) {
		const struct frame frame = { dpu_pc(d->dpu, i), 0 };
		char text[WAIT_TEXT];
		bool idle;

		wait_text(d, i, text);
		idle = !strcmp(text, "not started");
		if (idle && i != d->thread)
			continue;
		printf("%c %-3u ", i == d->thread ? '*' : ' ', i);
		if (idle || !strcmp(text, "ended")) {
			puts(text);
			continue;
		}
		put_frame(d, &frame, false);
		printf(": %s\n", text);
	}
}

static void put_locks(struct dbg *d)
{
	bool any = false;

	for (unsigned int bit = 0; bit < DPU_ATOMIC_BITS; bit++) {
		const struct dpu_program_symbol *s = variable_at(d, DPU_ELF_ATOMIC + bit);

		if (!dpu_atomic_taken(d->dpu, bit))
			continue;
		any = true;
		printf("%-3u %s: taken", bit, s ? s->name : "(no name)");
		if (d->holder[bit])
			printf(" by tasklet %d", d->holder[bit] - 1);
		putchar('\n');
	}
	if (!any)
		puts("No atomic bit is taken.");
}

/* In the table {size, address} UPMEM's stacks grow up from the address, dpu-cc's down from it. */
static bool put_stacks(struct dbg *d)
{
	const struct dpu_program_symbol *table = dpu_program_symbol(d->program, "__sys_thread_stack_table_ptr");
	const struct dpu_program_symbol *stacks = dpu_program_symbol(d->program, "__sys_stacks");
	uint32_t entry[2];
	bool down = false;

	if (!table)
		return wrong(d, "the program has no table of stacks");
	for (unsigned int i = 0; i < dpu_arch(d->dpu)->threads; i++) {
		uint32_t sp = dpu_register(d->dpu, i, 22), used;

		if (!dpu_peek(d->dpu, DPU_WRAM, table->value + 8 * i, entry, sizeof(entry)))
			break;
		down |= !i && stacks && entry[1] > stacks->value;
		if (!entry[0] || !is_under_way(d, i))
			continue;
		used = !sp ? 0 : down ? entry[1] - sp : sp - entry[1];
		printf("tasklet %-2u 0x%04x to 0x%04x, $sp 0x%04x: %u of %u bytes%s\n", i, entry[1] - (down ? entry[0] : 0),
		       entry[1] + (down ? 0 : entry[0]), sp, used, entry[0], used > entry[0] ? ", too many" : "");
	}
	return true;
}

static void put_counters(struct dbg *d)
{
	struct dpu_totals t;

	dpu_totals(d->dpu, &t);
	printf("instructions %llu\ncycles %llu (modelled)\nldma %llu, %llu words\nsdma %llu, %llu words\n",
	       (unsigned long long)t.instructions, (unsigned long long)t.cycles, (unsigned long long)t.ldma,
	       (unsigned long long)t.read_words, (unsigned long long)t.sdma, (unsigned long long)t.write_words);
}

static int by_name(const void *a, const void *b)
{
	const struct dpu_program_symbol *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static void put_names(struct dbg *d, bool functions)
{
	const struct dpu_program_symbol **list = calloc(d->program->symbol_count + 1, sizeof(list[0]));
	size_t count = 0;

	for (size_t i = 0; list && i < d->program->symbol_count; i++) {
		const struct dpu_program_symbol *s = &d->program->symbols[i];

		if (!s->absolute && s->function == functions && (functions || s->size))
			list[count++] = s;
	}
	if (count)
		qsort(list, count, sizeof(list[0]), by_name);
	for (size_t i = 0; i < count; i++)
		printf("0x%08x %6u  %s\n", list[i]->value, list[i]->size, list[i]->name);
	free(list);
}

static void put_target(struct dbg *d)
{
	static const char *const states[] = {
		[DPU_IDLE] = "not running", [DPU_RUNNING] = "running", [DPU_FAULT] = "fault"
	};
	char text[256];

	printf("%s: %s, %.0f MHz, %s, cycle %llu\n", d->path, dpu_arch(d->dpu)->name, dpu_clock(d->dpu) / 1e6,
	       states[dpu_state(d->dpu)], (unsigned long long)dpu_cycle(d->dpu));
	if (dpu_state(d->dpu) != DPU_FAULT)
		return;
	dpu_fault_text(d->dpu, text, sizeof(text));
	puts(text);
}

static bool put_symbol_of(struct dbg *d, const char *text)
{
	struct thing thing;

	if (!find_thing(d, text, &thing))
		return false;
	printf("0x%08x", thing.address);
	put_symbol(d, thing.address);
	putchar('\n');
	return true;
}

static bool is_word(const char *text, const char *word, size_t least)
{
	return strlen(text) >= least && !strncmp(word, text, strlen(text));
}

bool command_info(struct dbg *d, char *text)
{
	char *rest = text + strcspn(text, " ");

	if (*rest)
		*rest++ = '\0';
	if (is_word(text, "breakpoints", 1) || is_word(text, "watchpoints", 1)) {
		put_stops(d);
		return true;
	}
	if (!d->program)
		return wrong(d, "no program yet");
	if (is_word(text, "functions", 1) || is_word(text, "variables", 1)) {
		put_names(d, *text == 'f');
		return true;
	}
	if (is_word(text, "symbol", 2))
		return put_symbol_of(d, rest);
	if (!d->dpu)
		return wrong(d, "nothing runs: use run or start");
	if (is_word(text, "tasklets", 1) || is_word(text, "threads", 2))
		put_tasklets(d);
	else if (is_word(text, "registers", 1))
		put_registers(d, rest);
	else if (is_word(text, "locals", 3) || is_word(text, "args", 2))
		return put_locals(d, *text == 'a');
	else if (is_word(text, "locks", 3))
		put_locks(d);
	else if (is_word(text, "counters", 1))
		put_counters(d);
	else if (is_word(text, "stacks", 2))
		return put_stacks(d);
	else if (is_word(text, "log", 3))
		print_log(d->dpu, d->program);
	else if (is_word(text, "program", 1))
		put_target(d);
	else
		return wrong(d, "info breakpoints, tasklets, registers, locals, args, stacks, locks, counters, log, program, "
			     "functions, variables or symbol ADDRESS");
	return true;
}
