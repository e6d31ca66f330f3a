// SPDX-License-Identifier: GPL-2.0-only
/*
 * Links of a mesh that stalled. A counter by direction tells in how many cycles a router's output holds a flit, be it on
 * its way or stalled. Each flit takes one cycle, and routes go along the row first: so no more flits cross a link than
 * the tiles injected whose routes can cross it, and the cycles beyond these were stalls.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/base/metric-files.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/answer/verdict-internal.h"

#define MOST_LINKS_NAMED 6
/* Groups of links that a sentence names; the rest is counted. */
#define MOST_GROUPS 4

/* The index of a place, or the number of a link. */
struct placed {
	double value;
	int place;
};

static const struct direction {
	const char *suffix, *name;
	int down, right;
} directions[] = {
	{ "_n", "north", -1, 0 }, { "_s", "south", 1, 0 }, { "_w", "west", 0, -1 }, { "_e", "east", 0, 1 },
};

struct mesh {
	const struct rule *rule;
	const struct rec_pmu *pmu;
	const struct metric_counts *counts;
	double *flits;			/* by place */
};

/* The number of a link: of its place and its direction. */
static size_t link_number(size_t place, size_t direction)
{
	return place * COUNT_OF(directions) + direction;
}

static const struct rec_place *link_place(const struct mesh *mesh, size_t link)
{
	return &mesh->pmu->place[link / COUNT_OF(directions)];
}

static const struct direction *link_direction(size_t link)
{
	return &directions[link % COUNT_OF(directions)];
}

/* Do flits from there, to any place, come through the place at the link's beginning on their way in its direction? */
static bool can_cross(const struct mesh *mesh, const struct rec_place *from, size_t link)
{
	const struct rec_place *at = link_place(mesh, link);
	const struct direction *d = link_direction(link);

	if (d->right)
		return from->row == at->row && (at->column - from->column) * d->right >= 0;
	return (at->row - from->row) * d->down >= 0;
}

/* Per cent of the cycles with a flit that were stalls, at least: a whole number not above it. NaN: not known. */
static double stalled(const struct mesh *mesh, size_t link)
{
	char *event = format_text("%s%s", mesh->rule->event, link_direction(link)->suffix);
	double held = mesh->counts->count(mesh->counts->arg, event, link / COUNT_OF(directions)), flits = 0;

	free(event);
	for (size_t i = 0; i < mesh->pmu->nplaces; i++)
		if (can_cross(mesh, &mesh->pmu->place[i], link))
			flits += mesh->flits[i];
	return held > 0 && link_place(mesh, link)->row >= 0 ? floor(100 * (held - flits) / held) : NAN;
}

/* "the links east of tile 3 and north of tile 5" */
static char *links_text(const struct mesh *mesh, const struct placed *first, size_t count)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (count > MOST_LINKS_NAMED)
		return format_text("%zu links", count);
	out = text_open(&text, &size);
	fprintf(out, "the link%s ", count > 1 ? "s" : "");
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%s of %s %u", !i ? "" : i + 1 < count ? ", " : " and ",
			link_direction(first[i].place)->name, mesh->pmu->noun, link_place(mesh, first[i].place)->number);
	text_close(out);
	return text;
}

/* For qsort(): the largest value first. */
static int compare_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return (x->place > y->place) - (x->place < y->place);
}

/* The first ones of the same value. */
static size_t group_size(const struct placed *placed, size_t count)
{
	size_t n = 1;

	while (n < count && placed[n].value == placed->value)
		n++;
	return n;
}

/* The sentence of the first group, then what the others have. NULL: a value in it is not known. */
static char *groups_sentence(const struct mesh *mesh, struct placed *placed, size_t count)
{
	const struct rule *rule = mesh->rule;
	size_t n = group_size(placed, count), at = n, groups = 1, size;
	char *places, *value = value_text(placed->value, rule->unit);
	char *head, *text = NULL;
	FILE *out;

	places = links_text(mesh, placed, n);
	head = fill(rule->say, (const struct words[]){ { "links", places }, { "its", n > 1 ? "their" : "its" },
						       { "value", value }, { 0 } }, mesh->counts, -1);
	free(places);
	free(value);
	if (!head)
		return NULL;
	out = text_open(&text, &size);
	fputs(head, out);
	free(head);
	for (; at < count && groups < MOST_GROUPS; at += n, groups++) {
		n = group_size(placed + at, count - at);
		value = value_text(placed[at].value, rule->unit);
		/* the last group takes all that is left */
		if (groups + 1 == MOST_GROUPS && at + n < count) {
			fprintf(out, ", the other %zu at most %s", count - at, value);
			free(value);
			break;
		}
		places = links_text(mesh, placed + at, n);
		fprintf(out, ", %s: %s", places, value);
		free(places);
		free(value);
	}
	fputc('.', out);
	text_close(out);
	return text;
}

char *mesh_sentence(const struct rule *rule, const struct rec_pmu *pmu, const struct metric_counts *counts)
{
	struct mesh mesh = { rule, pmu, counts, zeros(pmu->nplaces, sizeof(*mesh.flits)) };
	struct placed *placed = zeros(pmu->nplaces * COUNT_OF(directions), sizeof(*placed));
	char *text = NULL;
	size_t n = 0, i;

	for (i = 0; i < pmu->nplaces; i++)
		mesh.flits[i] = counts->count(counts->arg, rule->flits, i);
	for (i = 0; i < link_number(pmu->nplaces, 0); i++) {
		double value = stalled(&mesh, i);

		if (value > 0 && formula_value(rule->when, counts, i / COUNT_OF(directions), value) > 0)
			placed[n++] = (struct placed){ value, i };
	}
	qsort(placed, n, sizeof(*placed), compare_placed);
	if (n)
		text = groups_sentence(&mesh, placed, n);
	free(placed);
	free(mesh.flits);
	return text;
}

/* Flits of all places that can cross a link. */
static struct form crossing_form(struct counts_view *view, const struct mesh *mesh, size_t link)
{
	const struct formula flits = { .op = FORMULA_EVENT, .event = mesh->rule->flits };
	struct form form = { .is_known = true };

	for (size_t i = 0; i < mesh->pmu->nplaces; i++) {
		struct form own;

		if (!can_cross(mesh, &mesh->pmu->place[i], link))
			continue;
		own = counts_form(view, &flits, i);
		form_add(&form, &own, 1);
		form_free(&own);
	}
	return form;
}

/* Is there a place at the other end? A router at the edge has no link. */
static bool leads_somewhere(const struct mesh *mesh, size_t link)
{
	const struct rec_place *at = link_place(mesh, link);
	const struct direction *d = link_direction(link);

	for (size_t i = 0; at->row >= 0 && i < mesh->pmu->nplaces; i++)
		if (mesh->pmu->place[i].row == at->row + d->down && mesh->pmu->place[i].column == at->column + d->right)
			return true;
	return false;
}

static void put_link(FILE *out, struct counts_view *view, const struct mesh *mesh, size_t link, const char **comma)
{
	char *event = format_text("%s%s", mesh->rule->event, link_direction(link)->suffix);
	const struct formula held_of = { .op = FORMULA_EVENT, .event = event };
	struct form held = counts_form(view, &held_of, link / COUNT_OF(directions)), crossing, stalled = { .is_known = true };

	if (held.is_known && leads_somewhere(mesh, link)) {
		crossing = crossing_form(view, mesh, link);
		form_add(&stalled, &held, 1);
		form_add(&stalled, &crossing, -1);
		form_free(&crossing);
		fputs(*comma, out);
		json_print(out, "{\"pmu\":%zu,\"place\":%u,\"direction\":%s,\"plane\":%s,\"held\":", view->pmu,
			   link_place(mesh, link)->number, link_direction(link)->suffix + 1,
			   mesh->rule->event + strlen(mesh->rule->event) - 1);
		form_print_json(&held, out);
		fputs(",\"stalled\":", out);
		form_print_json(&stalled, out);
		fputc('}', out);
		*comma = ",\n";
	}
	form_free(&held);
	form_free(&stalled);
	free(event);
}

void links_print_json(const struct counts *counts, FILE *out)
{
	const struct metric_set *set = metrics();
	const char *comma = "";

	fputs("\"links\":[", out);
	for (size_t i = 0; i < counts->rec->npmus; i++) {
		struct counts_view view;

		counts_view_init(&view, counts, i);
		for (size_t k = 0; k < set->nrules; k++) {
			struct mesh mesh = { &set->rule[k], &counts->rec->pmu[i], &view.values, NULL };

			for (size_t link = 0; set->rule[k].event && !strcmp(set->rule[k].kind, mesh.pmu->kind) &&
			     link < link_number(mesh.pmu->nplaces, 0); link++)
				put_link(out, &view, &mesh, link, &comma);
		}
		counts_view_free(&view);
	}
	fputc(']', out);
}
