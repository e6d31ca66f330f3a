// SPDX-License-Identifier: GPL-2.0-only
/* Breakpoints and watchpoints. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/dbg/dbg.h"

static void mark_stops(struct dbg *d)
{
	memset(d->marked, 0, sizeof(d->marked));
	for (unsigned int i = 0; i < MAX_STOPS; i++)
		for (unsigned int p = 0; d->stops[i].number && p < d->stops[i].places; p++)
			d->marked[d->stops[i].pc[p]] = true;
}

static struct stop *new_stop(struct dbg *d, const char *text)
{
	for (unsigned int i = 0; i < MAX_STOPS; i++) {
		struct stop *s = &d->stops[i];

		if (s->number)
			continue;
		*s = (struct stop){ .number = ++d->last_number, .thread = NO_THREAD, .text = strdup(text) };
		return s;
	}
	wrong(d, "no more than %d breakpoints and watchpoints: delete some", MAX_STOPS);
	return NULL;
}

static void free_stop(struct stop *s)
{
	free(s->text);
	*s = (struct stop){ 0 };
}

/* "LOCATION thread N", of which the second part is cut off. */
static bool take_thread(struct dbg *d, char *text, unsigned int *thread)
{
	char *word = strstr(text, " thread ");
	uint64_t number;

	if (!word)
		word = strstr(text, " tasklet ");
	*thread = NO_THREAD;
	if (!word)
		return true;
	if (!parse_number(strchr(word + 1, ' ') + 1, &number) || number >= DPU_MAX_THREADS)
		return wrong(d, "tasklets have the numbers 0 to %d", DPU_MAX_THREADS - 1);
	*thread = number;
	while (word > text && isspace((unsigned char)word[-1]))
		word--;
	*word = '\0';
	return true;
}

static void put_places(struct dbg *d, const struct stop *s)
{
	for (unsigned int i = 0; i < s->places; i++) {
		const struct frame frame = { s->pc[i], 0 };

		printf("%s0x%08x in ", i ? ", " : "", DPU_IRAM_FLAG + 8 * s->pc[i]);
		put_frame(d, &frame, false);
	}
}

bool add_break(struct dbg *d, char *text, bool temporary)
{
	unsigned int pc[DPU_MAX_THREADS], places, thread;
	struct stop *s;

	if (!take_thread(d, text, &thread))
		return false;
	if (!*text && d->dpu) {
		pc[0] = dpu_pc(d->dpu, d->thread);
		places = 1;
	} else {
		places = find_places(d, text, pc);
	}
	s = places ? new_stop(d, text) : NULL;
	if (!s)
		return false;
	s->temporary = temporary;
	s->thread = thread;
	s->places = places;
	memcpy(s->pc, pc, places * sizeof(pc[0]));
	mark_stops(d);
	printf("%s %u at ", temporary ? "Temporary breakpoint" : "Breakpoint", s->number);
	put_places(d, s);
	putchar('\n');
	return true;
}

static void look(const struct dbg *d, struct stop *s, uint8_t bytes[MAX_WATCHED])
{
	uint32_t offset;
	enum dpu_memory memory = dpu_address(s->address, &offset);

	memset(bytes, 0, MAX_WATCHED);
	if (d->dpu)
		dpu_peek(d->dpu, memory, offset, bytes, s->size);
}

bool add_watch(struct dbg *d, char *text)
{
	char probe[MAX_WATCHED];
	struct thing thing;
	enum dpu_memory memory;
	struct stop *s;
	uint32_t offset;

	if (!find_object(d, text, &thing))
		return false;
	if (thing.is_value || !thing.size || thing.size > MAX_WATCHED)
		return wrong(d, "watch takes a variable of 1 to %d bytes, an element or *ADDRESS (4 bytes)", MAX_WATCHED);
	memory = dpu_address(thing.address, &offset);
	if (memory == DPU_IRAM || (d->dpu && !dpu_peek(d->dpu, memory, offset, probe, thing.size)))
		return wrong(d, "0x%08x is neither in WRAM nor in MRAM", thing.address);
	s = new_stop(d, text);
	if (!s)
		return false;
	s->watch = true;
	s->address = thing.address;
	s->size = thing.size;
	look(d, s, s->old);
	printf("Watchpoint %u: %s\n", s->number, s->text);
	return true;
}

bool delete_stops(struct dbg *d, const char *text)
{
	uint64_t number = 0;
	bool any = !*text;

	if (*text && !parse_number(text, &number))
		return wrong(d, "delete takes a number of info breakpoints, or nothing for all");
	for (unsigned int i = 0; i < MAX_STOPS; i++) {
		if (!d->stops[i].number || (*text && d->stops[i].number != number))
			continue;
		free_stop(&d->stops[i]);
		any = true;
	}
	mark_stops(d);
	return any || wrong(d, "no breakpoint number %s", text);
}

void put_stops(struct dbg *d)
{
	bool any = false;

	for (unsigned int i = 0; i < MAX_STOPS; i++) {
		const struct stop *s = &d->stops[i];

		if (!s->number)
			continue;
		any = true;
		printf("%-3u %-10s ", s->number, s->watch ? "watchpoint" : "breakpoint");
		if (s->watch)
			printf("%s (%u bytes at 0x%08x)", s->text, s->size, s->address);
		else
			put_places(d, s);
		if (s->thread != NO_THREAD)
			printf(", tasklet %u only", s->thread);
		printf(s->hits ? ", hit %llu times\n" : "\n", (unsigned long long)s->hits);
	}
	if (!any)
		puts("No breakpoints or watchpoints.");
}

void renew_stops(struct dbg *d)
{
	for (unsigned int i = 0; i < MAX_STOPS; i++) {
		struct stop *s = &d->stops[i];
		struct thing thing;

		if (!s->number)
			continue;
		if (s->watch ? find_object(d, s->text, &thing) :
		    (s->places = find_places(d, s->text, s->pc)) > 0) {
			s->address = s->watch ? thing.address : 0;
			continue;
		}
		printf("%s %u is not in this program and is deleted.\n", s->watch ? "Watchpoint" : "Breakpoint", s->number);
		free_stop(s);
	}
	mark_stops(d);
}

struct stop *stop_at(struct dbg *d, unsigned int thread, unsigned int pc)
{
	if (!d->marked[pc])
		return NULL;
	for (unsigned int i = 0; i < MAX_STOPS; i++) {
		struct stop *s = &d->stops[i];

		if (!s->number || (s->thread != NO_THREAD && s->thread != thread))
			continue;
		for (unsigned int p = 0; p < s->places; p++)
			if (s->pc[p] == pc)
				return s;
	}
	return NULL;
}

void watch_begin(struct dbg *d)
{
	for (unsigned int i = 0; i < MAX_STOPS; i++)
		if (d->stops[i].watch)
			look(d, &d->stops[i], d->stops[i].old);
}

struct stop *watch_changed(struct dbg *d)
{
	uint8_t now[MAX_WATCHED];

	for (unsigned int i = 0; i < MAX_STOPS; i++) {
		if (!d->stops[i].watch)
			continue;
		look(d, &d->stops[i], now);
		if (memcmp(now, d->stops[i].old, d->stops[i].size))
			return &d->stops[i];
	}
	return NULL;
}

static void put_bytes(const struct stop *s, const uint8_t *bytes)
{
	uint32_t step = s->size == 8 ? 8 : s->size % 4 ? 1 : 4;

	for (uint32_t i = 0; i < s->size; i += step) {
		uint64_t value = 0;

		memcpy(&value, bytes + i, step);
		printf("%s%llu", i ? ", " : "", (unsigned long long)value);
	}
	putchar('\n');
}

void put_change(struct dbg *d, struct stop *s)
{
	uint8_t now[MAX_WATCHED];

	look(d, s, now);
	printf("Watchpoint %u: %s\nOld value = ", s->number, s->text);
	put_bytes(s, s->old);
	printf("New value = ");
	put_bytes(s, now);
	memcpy(s->old, now, sizeof(now));
}
