// SPDX-License-Identifier: GPL-2.0-only
/* Where the DPU stopped: frames, source lines, instructions. */
#include <stdlib.h>
#include <string.h>

#include "dpu/dbg/types.h"

#define STACK 22

void put_instruction(const struct dbg *d, unsigned int pc, const char *mark)
{
	char text[DPU_TEXT_SIZE] = "(illegal)";
	struct dpu_insn insn;

	if (dpu_decode(pc < DPU_IRAM_WORDS && d->dpu ? dpu_iram_word(d->dpu, pc) : 0, &insn))
		dpu_insn_text(&insn, DPU_TEXT_OBJDUMP, text);
	else if (!d->dpu && d->code[pc].encoding)
		dpu_insn_text(&d->code[pc], DPU_TEXT_OBJDUMP, text);
	printf("%s0x%08x", mark, DPU_IRAM_FLAG + 8 * pc);
	put_symbol(d, DPU_IRAM_FLAG + 8 * pc);
	printf(":\t%s\n", text);
}

/* One line of a file, without its end; NULL when there is none. */
static bool source_line(FILE *file, char **line, size_t *size)
{
	ssize_t n = getline(line, size, file);

	if (n <= 0)
		return false;
	if ((*line)[n - 1] == '\n')
		(*line)[n - 1] = '\0';
	return true;
}

bool put_source(const char *path, unsigned int first, unsigned int last)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;
	bool any = false;

	for (unsigned int n = 1; file && n <= last && source_line(file, &line, &size); n++) {
		if (n < first)
			continue;
		printf("%u\t%s\n", n, line);
		any = true;
	}
	free(line);
	if (file)
		fclose(file);
	return any;
}

bool put_line(struct dbg *d, unsigned int pc)
{
	unsigned int line = has_line(d, pc) ? d->lines[pc].number : 0;

	if (!line || !put_source(d->lines[pc].file, line, line))
		return false;
	d->list_file = d->lines[pc].file;
	d->list_line = line > 5 ? line - 5 : 1;
	return true;
}

void put_frame(struct dbg *d, const struct frame *frame, bool arguments)
{
	const struct dpu_program_symbol *s = function_at(d, frame->pc);
	struct line line;

	if (arguments && put_function(d, frame))
		return;
	printf("%s ()", s ? s->name : "?");
	line = has_line(d, frame->pc) ? line_in_function(d, frame->pc) : (struct line){ NULL, 0 };
	if (line.file)
		printf(" at %s:%u", base_of(line.file), line.number);
	else
		printf(" at 0x%08x", DPU_IRAM_FLAG + 8 * frame->pc);
}

void put_place(struct dbg *d, unsigned int thread, bool with_function)
{
	const struct frame frame = { dpu_pc(d->dpu, thread), dpu_register(d->dpu, thread, STACK) };

	d->frame = 0;
	if (with_function) {
		printf("tasklet %u, ", thread);
		put_frame(d, &frame, true);
		putchar('\n');
	}
	if (!put_line(d, frame.pc))
		put_instruction(d, frame.pc, "");
}

bool put_selected(struct dbg *d)
{
	struct frame frames[MAX_FRAMES];
	unsigned int count = find_frames(d, d->thread, frames);

	if (d->frame >= count)
		return wrong(d, "there is no frame %u: see backtrace", d->frame);
	printf("#%-2u ", d->frame);
	put_frame(d, &frames[d->frame], true);
	putchar('\n');
	if (!put_line(d, frames[d->frame].pc))
		put_instruction(d, frames[d->frame].pc, "");
	return true;
}

void put_backtrace(struct dbg *d, unsigned int thread)
{
	struct frame frames[MAX_FRAMES];
	unsigned int count = find_frames(d, thread, frames);
	const unsigned int selected_thread = d->thread, selected_frame = d->frame;

	d->thread = thread;
	for (unsigned int i = 0; i < count; i++) {
		d->frame = i;
		printf("#%-2u ", i);
		if (i && has_line(d, frames[i].pc))
			printf("0x%08x in ", DPU_IRAM_FLAG + 8 * frames[i].pc);
		put_frame(d, &frames[i], true);
		putchar('\n');
	}
	d->thread = selected_thread;
	d->frame = selected_frame;
}
