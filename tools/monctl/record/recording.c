// SPDX-License-Identifier: GPL-2.0-only
/* Recordings: the description, and sums. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/base/monctl.h"
#include "tools/monctl/record/recording.h"
#include "tools/monctl/record/recording-internal.h"
#include "tools/monctl/record/recording-source.h"

void mark_free(struct rec_mark *mark)
{
	free(mark->device);
	free(mark->user);
	free(mark->about);
}

/* Splits a line into words; missing words are "". */
#define MAX_WORDS 10

struct line {
	char *word[MAX_WORDS];
};

static struct line split_line(char *text)
{
	struct line line;

	for (size_t i = 0; i < MAX_WORDS; i++) {
		line.word[i] = text ? text : "";
		/* the last word is the rest of the line */
		text = text && i + 1 < MAX_WORDS ? strchr(text, '\t') : NULL;
		if (text)
			*text++ = '\0';
	}
	return line;
}

static uint64_t recording_number(const char *text)
{
	return strtoull(text, NULL, 10);
}

/* The name without the number of an instance. */
static char *kind_of(const char *name)
{
	const char *end = strrchr(name, '_');

	if (end && end[1] && !end[1 + strspn(end + 1, "0123456789")])
		return format_text("%.*s", (int)(end - name), name);
	return format_text("%s", name);
}

static bool parse_pmu(struct recording *rec, const struct line *line)
{
	rec->pmu = grow(rec->pmu, rec->npmus, sizeof(*rec->pmu));
	rec->pmu[rec->npmus++] = (struct rec_pmu){
		.name = line->word[1], .noun = line->word[2], .kind = kind_of(line->word[1]),
		.clock_hz = recording_number(line->word[3]),
	};
	return *line->word[1];
}

static bool parse_place(struct recording *rec, const struct line *line)
{
	struct rec_pmu *pmu = rec->npmus ? &rec->pmu[rec->npmus - 1] : NULL;

	if (!pmu)
		return false;
	pmu->place = grow(pmu->place, pmu->nplaces, sizeof(*pmu->place));
	pmu->place[pmu->nplaces++] = (struct rec_place){
		.number = recording_number(line->word[1]), .kind = line->word[2],
		.name = line->word[3],
		.device = line->word[4], .row = atoi(line->word[5]), .column = atoi(line->word[6]),
	};
	return true;
}

static bool parse_absent(struct recording *rec, const struct line *line)
{
	struct rec_pmu *pmu = rec->npmus ? &rec->pmu[rec->npmus - 1] : NULL;

	if (!pmu)
		return false;
	pmu->absent = grow(pmu->absent, pmu->nabsent, sizeof(*pmu->absent));
	pmu->absent[pmu->nabsent++] = line->word[1];
	return true;
}

static bool parse_counter(struct recording *rec, const struct line *line)
{
	if (!rec->npmus)
		return false;
	rec->counter = grow(rec->counter, rec->ncounters, sizeof(*rec->counter));
	rec->counter[rec->ncounters++] = (struct rec_counter){
		.attr = recording_number(line->word[1]), .pmu = rec->npmus - 1,
		.event = line->word[2],
		.place = atoi(line->word[3]), .unit = line->word[4],
		.scale = strtod(line->word[5], NULL), .description = line->word[6],
		.terms = *line->word[7] ? line->word[7] : line->word[2],
		.places = recording_number(line->word[8]), .series = SIZE_MAX,
	};
	return *line->word[2];
}

static bool parse_field(const char *text, struct rec_field *field)
{
	return sscanf(text, "%u:%u", &field->offset, &field->size) == 2 && field->size &&
	       field->size <= 64 && field->offset < 65536;
}

static bool parse_mark(struct recording *rec, const struct line *line)
{
	struct rec_mark_kind kind = {
		.attr = recording_number(line->word[1]), .system = line->word[2],
		.is_begin = !strcmp(line->word[3], "begin"),
		.place = { recording_number(line->word[5]), 4 },
		.pid = { recording_number(line->word[6]), 4 },
	};

	if (!parse_field(line->word[4], &kind.device) || !parse_field(line->word[7], &kind.user) ||
	    (*line->word[8] && !parse_field(line->word[8], &kind.about)))
		return false;
	rec->mark_kind = grow(rec->mark_kind, rec->nmark_kinds, sizeof(*rec->mark_kind));
	rec->mark_kind[rec->nmark_kinds++] = kind;
	return true;
}

static bool parse_line(struct recording *rec, char *text)
{
	struct line line = split_line(text);
	const char *key = line.word[0];

	if (!strcmp(key, "pmu"))
		return parse_pmu(rec, &line);
	if (!strcmp(key, "place"))
		return parse_place(rec, &line);
	if (!strcmp(key, "absent"))
		return parse_absent(rec, &line);
	if (!strcmp(key, "counter"))
		return parse_counter(rec, &line);
	for (size_t i = 0; !strcmp(key, "gone") && i < rec->npmus; i++)
		rec->pmu[i].is_gone |= !strcmp(rec->pmu[i].name, line.word[1]);
	if (!strcmp(key, "mark"))
		return parse_mark(rec, &line);
	if (!strcmp(key, "command"))
		rec->command = line.word[1];
	else if (!strcmp(key, "machine"))
		rec->machine = line.word[1];
	else if (!strcmp(key, "start"))
		rec->start = recording_number(line.word[1]),
		rec->realtime = recording_number(line.word[2]);
	else if (!strcmp(key, "stop"))
		rec->stop = recording_number(line.word[1]);
	else if (!strcmp(key, "interval"))
		rec->interval = recording_number(line.word[1]);
	else if (!strcmp(key, "transfers"))
		rec->transfer_ns = recording_number(line.word[1]);
	return true;	/* a later version may write more */
}

struct recording *recording_parse(const char *text, size_t size, const char *path)
{
	static const char head[] = "monctl\t1\n";
	struct recording *rec = zeros(1, sizeof(*rec));
	char *line, *save = NULL;
	unsigned int n = 1;

	rec->text = format_text("%.*s", (int)size, text);
	rec->command = "";
	if (strncmp(rec->text, head, strlen(head))) {
		mon_fail(EINVAL, "%s: its description is of another version of monctl", path);
		recording_free(rec);
		return NULL;
	}
	for (line = strtok_r(rec->text, "\n", &save); line; line = strtok_r(NULL, "\n", &save), n++) {
		if (parse_line(rec, line))
			continue;
		mon_fail(EINVAL, "%s: damaged: line %u of its description", path, n);
		recording_free(rec);
		return NULL;
	}
	return rec;
}

void recording_free(struct recording *rec)
{
	size_t i;

	if (!rec)
		return;
	for (i = 0; i < rec->npmus; i++) {
		free(rec->pmu[i].kind);
		free(rec->pmu[i].place);
		free(rec->pmu[i].absent);
	}
	for (i = 0; i < rec->nseries; i++) {
		free(rec->series[i].first);
		free(rec->series[i].counter);
	}
	for (i = 0; i < rec->nmarks; i++) {
		mark_free(&rec->mark[i]);
	}
	free(rec->cut_reason);
	free(rec->pmu);
	free(rec->gap);
	free(rec->counter);
	free(rec->series);
	free(rec->mark);
	free(rec->mark_kind);
	free(rec->text);
	source_free(rec->source);
	free(rec);
}

char *recording_counter_name(const struct recording *rec, const struct rec_counter *counter)
{
	const struct rec_pmu *pmu = &rec->pmu[counter->pmu];

	if (counter->place < 0)
		return format_text("%s/%s/", pmu->name, counter->event);
	return format_text("%s/%s,%s=%d/", pmu->name, counter->event, pmu->noun, counter->place);
}

size_t recording_rows(const struct recording *rec)
{
	uint64_t length = rec->stop - rec->start;

	if (!rec->interval || length <= rec->interval)
		return 1;
	return (length + rec->interval - 1) / rec->interval;
}

size_t recording_place(const struct rec_pmu *pmu, int number)
{
	size_t i = 0;

	while (i < pmu->nplaces && (int)pmu->place[i].number != number)
		i++;
	return i;
}

static const struct rec_series *series_of(const struct recording *rec,
					  const struct rec_counter *counter)
{
	return counter->series < rec->nseries ? &rec->series[counter->series] : NULL;
}

double recording_share(const struct recording *rec, const struct rec_counter *counter)
{
	const struct rec_series *s = series_of(rec, counter);

	return s ? s->share : 1;
}

/* Keeps the runs that overlap with the time, and crops them. */
static void crop_marks(struct recording *rec)
{
	size_t kept = 0;

	for (size_t i = 0; i < rec->nmarks; i++) {
		struct rec_mark *mark = &rec->mark[i];

		if (mark->begin >= rec->stop || mark->end <= rec->start) {
			mark_free(mark);
			continue;
		}
		mark->begin = mark->begin < rec->start ? rec->start : mark->begin;
		mark->end = mark->end > rec->stop ? rec->stop : mark->end;
		rec->mark[kept++] = *mark;
	}
	rec->nmarks = kept;
}

bool recording_crop(struct recording *rec, uint64_t from, uint64_t to)
{
	uint64_t length = rec->stop - rec->start;

	if (to > length)
		to = length;
	if (from >= to)
		return false;
	rec->stop = rec->start + to;
	rec->start += from;
	rec->realtime += from;
	rec->samples = (double)rec->samples * (to - from) / length;
	rec->is_part = true;
	crop_marks(rec);
	return true;
}

uint64_t recording_total(const struct recording *rec, const struct rec_counter *counter)
{
	const struct rec_series *s = series_of(rec, counter);

	return s ? s->last[counter->member] - s->first[counter->member] : 0;
}
