/* SPDX-License-Identifier: GPL-2.0-only */
#include <inttypes.h>
#include <string.h>

#include "events/hexagon/services.h"
#include "hexagon/feed.h"
#include "mon.h"
#include "tools/hexagon/hexagon-marks.h"

#define LINE_MAX_SIZE 256

static FILE *file;
static double per_us;	/* cycles */
static bool first;
static char line[LINE_MAX_SIZE];
static size_t filled;
static struct {
	bool open;
	char phase[HEXAGON_MARK_MAX + 1];
} threads[HEXAGON_SOFTWARE_ROWS];

void hexagon_marks_begin(FILE *out, uint64_t clock_hz)
{
	file = out;
	per_us = clock_hz / 1e6;
	first = true;
	if (file)
		fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", file);
}

static void put_string(const char *text)
{
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', file);
		fputc(*text, file);
	}
	fputc('"', file);
}

static void put_event(char kind, unsigned int thread, uint64_t cycle, const char *phase)
{
	fprintf(file, "%s\n{\"ph\":\"%c\",\"pid\":1,\"tid\":%u,\"ts\":%.4f,\"args\":{\"cycle\":%" PRIu64 "},\"name\":",
		first ? "" : ",", kind, thread, cycle / per_us, cycle);
	put_string(phase);
	fputc('}', file);
	first = false;
}

static void end_phase(unsigned int thread, uint64_t cycle)
{
	if (threads[thread].open && file)
		put_event('E', thread, cycle, threads[thread].phase);
	threads[thread].open = false;
}

/* The program could write to the pipe, too, so a line that is none is dropped. */
static void take_line(void)
{
	unsigned int thread;
	uint64_t cycle;
	int at = 0;

	if (sscanf(line, "%" SCNu64 " %u %n", &cycle, &thread, &at) != 2 || !at || thread >= HEXAGON_SOFTWARE_ROWS ||
	    strlen(line + at) > HEXAGON_MARK_MAX)
		return;
	for (const char *c = line + at; *c; c++)
		if ((unsigned char)*c < ' ')
			return;
	mon_mark(line + at);
	end_phase(thread, cycle);
	threads[thread].open = line[at] != '\0';
	strcpy(threads[thread].phase, line + at);
	if (threads[thread].open && file)
		put_event('B', thread, cycle, threads[thread].phase);
}

void hexagon_marks_add(const char *data, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (data[i] != '\n') {
			if (filled < sizeof(line) - 1)
				line[filled++] = data[i];
			continue;
		}
		line[filled] = '\0';
		filled = 0;
		take_line();
	}
}

bool hexagon_marks_end(uint64_t cycle)
{
	bool written;

	for (unsigned int i = 0; i < HEXAGON_SOFTWARE_ROWS; i++)
		end_phase(i, cycle);
	if (!file)
		return true;
	fputs("\n]}\n", file);
	written = !ferror(file);
	written = fclose(file) == 0 && written;
	file = NULL;
	return written;
}
