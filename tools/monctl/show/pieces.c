// SPDX-License-Identifier: GPL-2.0-only
/* Writes the pieces of a recording. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/monctl/base/monctl.h"
#include "tools/monctl/show/page.h"
#include "tools/monctl/show/pieces.h"

static uint64_t bin_ns_of(const struct recording *rec, size_t level)
{
	uint64_t ns = rec->interval;

	while (level--)
		ns *= PIECE_FACTOR;
	return ns;
}

size_t pieces_levels(const struct recording *rec, uint64_t page_bin_ns)
{
	size_t levels = 0;

	while (rec->interval && bin_ns_of(rec, levels) < page_bin_ns)
		levels++;
	return levels;
}

/* A level that is being built: PIECE_BINS bins of each counter, counter by counter. */
struct level {
	uint64_t *bin;
	size_t used;			/* of each counter */
	size_t number;			/* of the piece */
};

struct pieces {
	const struct recording *rec;
	const char *folder;
	struct level *level;
	size_t levels;
	uint64_t bytes;
};

static void write_piece(struct pieces *p, size_t level)
{
	struct level *l = &p->level[level];
	char *path = format_text("%s/%zu-%zu.js", p->folder, level, l->number);
	FILE *out = fopen(path, "we");

	if (!out)
		die("%s: cannot write: %s", path, strerror(errno));
	fprintf(out, "takePiece(%zu,%zu,[", level, l->number);
	for (size_t i = 0; i < p->rec->ncounters; i++) {
		fputs(i ? ",\n[" : "[", out);
		page_put_bins(out, l->bin + i * PIECE_BINS, l->used, false);
		fputc(']', out);
	}
	fputs("]);\n", out);
	p->bytes += ftell(out);
	if (ferror(out) | fclose(out))
		die("%s: cannot write: is the disk full?", path);
	free(path);
	l->number++;
	l->used = 0;
}

/* Adds bins of each counter to a level, and sums of PIECE_FACTOR bins to the next level. */
static void add_bins(struct pieces *p, size_t level, const uint64_t *bin, size_t stride, size_t count)
{
	struct level *l = &p->level[level];
	size_t sums = (count + PIECE_FACTOR - 1) / PIECE_FACTOR;
	uint64_t *sum;

	for (size_t i = 0; i < p->rec->ncounters; i++)
		memcpy(l->bin + i * PIECE_BINS + l->used, bin + i * stride, count * sizeof(*bin));
	l->used += count;
	if (level + 1 < p->levels) {
		sum = calloc(p->rec->ncounters * sums + 1, sizeof(*sum));
		if (!sum)
			die("out of memory");
		for (size_t i = 0; i < p->rec->ncounters; i++)
			for (size_t b = 0; b < count; b++)
				sum[i * sums + b / PIECE_FACTOR] += bin[i * stride + b];
		add_bins(p, level + 1, sum, sums, sums);
		free(sum);
	}
	if (l->used == PIECE_BINS)
		write_piece(p, level);
}

/* Adds the bins of all counters in the order of the recording. */
static void add_stretch(struct pieces *p, size_t first, size_t count)
{
	const struct recording *rec = p->rec;
	struct rec_table *table = rec_table_new(rec, first * rec->interval, rec->interval, PIECE_BINS);

	/* the rows of this few bins are in memory together */
	add_bins(p, 0, rec_table_row(table, rec->counter), PIECE_BINS, count);
	rec_table_free(table);
}

uint64_t pieces_write(const struct recording *rec, size_t levels, const char *folder)
{
	struct pieces p = { .rec = rec, .folder = folder, .levels = levels };
	size_t rows = recording_rows(rec);

	if (mkdir(folder, 0777) && errno != EEXIST)
		die("%s: cannot create: %s", folder, strerror(errno));
	p.level = calloc(levels + 1, sizeof(*p.level));
	for (size_t i = 0; p.level && i < levels; i++) {
		p.level[i].bin = calloc(rec->ncounters * PIECE_BINS + 1, sizeof(uint64_t));
		if (!p.level[i].bin)
			die("out of memory");
	}
	if (!p.level)
		die("out of memory");
	for (size_t first = 0; levels && first < rows; first += PIECE_BINS) {
		add_stretch(&p, first, rows - first < PIECE_BINS ? rows - first : PIECE_BINS);
		progress("writing pieces", (double)(first + PIECE_BINS) / rows);
	}
	for (size_t i = 0; i < levels; i++) {
		if (p.level[i].used)
			write_piece(&p, i);
		free(p.level[i].bin);
	}
	free(p.level);
	return p.bytes;
}
