// SPDX-License-Identifier: GPL-2.0-only
/* Begins and ends of runs, and the runs. */
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/record/mark.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/record/phase.h"

const struct rec_mark_kind *mark_kind_find(const struct recording *rec, size_t attr)
{
	for (size_t i = 0; i < rec->nmark_kinds; i++)
		if (rec->mark_kind[i].attr == attr)
			return &rec->mark_kind[i];
	return NULL;
}

static uint32_t get_u32(const unsigned char *raw, const struct rec_field *field)
{
	uint32_t value;

	memcpy(&value, raw + field->offset, sizeof(value));
	return value;
}

static char *get_text(const unsigned char *raw, const struct rec_field *field)
{
	char *text = format_text("%.*s", (int)field->size, (const char *)raw + field->offset);

	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == '\177')
			*c = '?';
	return text;
}

static bool is_inside(const struct rec_field *field, size_t size)
{
	return field->offset <= size && field->size <= size - field->offset;
}

bool mark_points_add(struct mark_points *points, const struct perfdata_sample *sample,
		     const struct rec_mark_kind *kind)
{
	const unsigned char *raw = (const void *)(sample + 1);
	size_t room = sample->header.size - sizeof(*sample);
	uint32_t size;

	if (room < sizeof(size))
		return false;
	memcpy(&size, raw, sizeof(size));
	raw += sizeof(size);
	if (size > room - sizeof(size) || !is_inside(&kind->device, size) ||
	    !is_inside(&kind->place, size) || !is_inside(&kind->pid, size) ||
	    !is_inside(&kind->user, size) || !is_inside(&kind->about, size))
		return false;
	points->item = grow(points->item, points->count, sizeof(*points->item));
	points->item[points->count++] = (struct mark_point){
		.is_begin = kind->is_begin,
		.mark = {
			.system = kind->system, .device = get_text(raw, &kind->device),
			.user = get_text(raw, &kind->user), .about = get_text(raw, &kind->about),
			.place = (int)get_u32(raw, &kind->place),
			.pid = get_u32(raw, &kind->pid), .begin = sample->time,
		},
	};
	return true;
}

bool mark_is_phase(const struct rec_mark *mark)
{
	return !strcmp(mark->system, PHASE_SYSTEM);
}

static void begin_mark(struct recording *rec, const struct rec_mark *mark)
{
	rec->mark = grow(rec->mark, rec->nmarks, sizeof(*rec->mark));
	rec->mark[rec->nmarks++] = *mark;
}

/* Returns 1 + the index of the device's run that has not ended; 0: there is none. */
static size_t find_running(const struct recording *rec, const struct rec_mark *mark)
{
	size_t i = rec->nmarks;

	while (i && (strcmp(rec->mark[i - 1].device, mark->device) ||
		     strcmp(rec->mark[i - 1].system, mark->system)))
		i--;
	return i && !rec->mark[i - 1].end ? i : 0;
}

/* Ends a program's phase where the next one begins. A phase without a name ends the last one. */
static void change_phase(struct recording *rec, struct rec_mark *mark)
{
	size_t i = find_running(rec, mark);

	if (i)
		rec->mark[i - 1].end = mark->begin;
	if (*mark->user)
		begin_mark(rec, mark);
	else
		mark_free(mark);
}

/* Ends the device's last run. A run that began before the recording begins with it. */
static void end_mark(struct recording *rec, struct rec_mark *mark)
{
	uint64_t time = mark->begin;
	size_t i = find_running(rec, mark);

	if (!i) {
		mark->begin = rec->start;
		begin_mark(rec, mark);
		i = rec->nmarks;
	} else {
		mark_free(mark);
	}
	rec->mark[i - 1].end = time;
}

static int compare_point(const void *a, const void *b)
{
	const struct mark_point *x = a, *y = b;

	return (x->mark.begin > y->mark.begin) - (x->mark.begin < y->mark.begin);
}

void mark_points_pair(struct mark_points *points, struct recording *rec)
{
	size_t i;

	if (points->count)
		qsort(points->item, points->count, sizeof(*points->item), compare_point);
	for (i = 0; i < points->count; i++) {
		if (mark_is_phase(&points->item[i].mark))
			change_phase(rec, &points->item[i].mark);
		else if (points->item[i].is_begin)
			begin_mark(rec, &points->item[i].mark);
		else
			end_mark(rec, &points->item[i].mark);
	}
	free(points->item);
	*points = (struct mark_points){ 0 };
}

void mark_points_free(struct mark_points *points)
{
	while (points->count)
		mark_free(&points->item[--points->count].mark);
	free(points->item);
}
