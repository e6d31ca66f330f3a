/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reader of .esp_config files.
 *
 * ESP's own reader expects one item a line in a fixed order, so it rejects files of other releases. This reader
 * goes by the keys. A missing key gets ESP's default. Both spellings of CONFIG_ are accepted (some releases write
 * CONGIG_). A line that says nothing about what the model has is passed over with a note, because ESP's reader takes it,
 * too. Values beyond the menus of ESP's generator get a note. TILE lines of releases before 2024 have three more clock fields; two signs reveal them: a
 * CONFIG_VF_POINTS line, or numbers where later releases have a design point.
 */
#include "models/esp/esp_config.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE	256
#define MAX_TOKENS	32
#define MAX_DIM		16	/* coordinates have four bits */

struct reader {
	struct esp_design *design;
	const char *name;
	unsigned int line;
	char *err;
	size_t err_len;
	bool has_arch, old_format;
	unsigned int more_notes;
	struct {
		char text[MAX_LINE];
		unsigned int row, col, line;
	} *tiles;
	unsigned int ntiles;
};

static void put_message(const struct reader *r, unsigned int line, char *to, size_t size, const char *fmt, va_list ap)
{
	char text[2 * MAX_LINE];
	size_t n = 0;

	vsnprintf(text, sizeof(text), fmt, ap);
	if (size)
		n = line ? snprintf(to, size, "%s:%u: ", r->name, line) : snprintf(to, size, "%s: ", r->name);
	/* what a file holds gives no orders to a terminal */
	for (const char *p = text; *p && n < size; p++)
		n += snprintf(to + n, size - n, (unsigned char)*p < ' ' || *p == 127 ? "\\%03o" : "%c", (unsigned char)*p);
}

static __attribute__((format(printf, 3, 4)))
int fail(struct reader *r, unsigned int line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_message(r, line, r->err, r->err_len, fmt, ap);
	va_end(ap);
	return -1;
}

/* Of the current line; the file is read further. */
static __attribute__((format(printf, 2, 3)))
void note(struct reader *r, const char *fmt, ...)
{
	struct esp_design *d = r->design;
	va_list ap;

	if (d->nnotes == ESP_MAX_NOTES) {
		r->more_notes++;
		return;
	}
	va_start(ap, fmt);
	put_message(r, r->line, d->notes[d->nnotes++], sizeof(d->notes[0]), fmt, ap);
	va_end(ap);
}

static int config_number(struct reader *r, const char *key, const char *text, unsigned int min,
			 unsigned int max, unsigned int *value)
{
	unsigned long v;
	char *end;

	errno = 0;
	v = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || errno || *end)
		return fail(r, r->line, "%s: '%s' is not a number", key, text);
	if (v < min || v > max)
		return fail(r, r->line, "%s: %s is not between %u and %u", key, text, min, max);
	*value = v;
	return 0;
}

static int power_of_two(struct reader *r, const char *key, const char *text, unsigned int min,
			unsigned int max, unsigned int *value)
{
	if (config_number(r, key, text, min, max, value))
		return -1;
	if (*value & (*value - 1))
		return fail(r, r->line, "%s: %s is not a power of two", key, text);
	return 0;
}

/* Splits at single spaces, as ESP does: two spaces in a row are an empty field. */
static unsigned int config_split(char *text, char **tokens)
{
	unsigned int n = 0;

	while (n < MAX_TOKENS) {
		tokens[n++] = text;
		text = strchr(text, ' ');
		if (!text)
			break;
		*text++ = '\0';
	}
	return n;
}

/* The type of a key's value, the member that stores it, and what ESP's generator offers (esp_creator.py, NoCConfiguration.py). */
struct field {
	enum { ONE, POWER_OF_TWO } kind;
	unsigned int min, max;
	size_t at;		/* an unsigned int of struct esp_design */
	unsigned int menu_min, menu_max;	/* 0: all */
};

struct key {
	const char *name;
	enum { NUMBERS, SWITCH, ARCH, OLD_FORMAT } kind;
	unsigned int nfields;
	struct field fields[4];
	size_t at;		/* SWITCH: a bool */
};

#define IN(member)	offsetof(struct esp_design, member)
#define SETS(member)	{ POWER_OF_TWO, 1, 1 << 16, IN(member), 32, 8192 }
#define WAYS(member, least, most) { POWER_OF_TWO, 1, 32, IN(member), least, most }

static const struct key keys[] = {
	{ .name = "CPU_ARCH", .kind = ARCH },
	{ .name = "CONFIG_HAS_SG", .kind = SWITCH, .at = IN(scatter_gather) },
	{ .name = "CONFIG_CACHE_EN", .kind = SWITCH, .at = IN(caches) },
	{ .name = "CONFIG_CACHE_RTL", .kind = SWITCH, .at = IN(cache_rtl) },
	{ .name = "CONFIG_CACHE_SPANDEX", .kind = SWITCH, .at = IN(spandex) },
	{ .name = "CONFIG_JTAG_EN", .kind = SWITCH, .at = IN(jtag) },
	{ .name = "CONFIG_HAS_DVFS", .kind = SWITCH, .at = IN(dvfs) },
	{ .name = "CONFIG_MULTICAST_NOC_EN", .kind = SWITCH, .at = IN(multicast) },
	{ "CONFIG_MAX_MCAST_DESTS", NUMBERS, 1, { { .max = 256, .at = IN(multicast_dests) } }, 0 },
	{ "CONFIG_MAX_MULTICAST_DESTS", NUMBERS, 1, { { .max = 256, .at = IN(multicast_dests) } }, 0 },
	{ "CONFIG_NOC_ROWS", NUMBERS, 1, { { ONE, 1, MAX_DIM, IN(rows), 0, 0 } }, 0 },
	{ "CONFIG_NOC_COLS", NUMBERS, 1, { { ONE, 1, MAX_DIM, IN(cols), 0, 0 } }, 0 },
	{ "CONFIG_COH_NOC_WIDTH", NUMBERS, 1,
	  { { POWER_OF_TWO, 32, 1024, IN(coh_noc_width), 0, 0 } }, 0 },
	{ "CONFIG_DMA_NOC_WIDTH", NUMBERS, 1,
	  { { POWER_OF_TWO, 32, 1024, IN(dma_noc_width), 0, 0 } }, 0 },
	{ "CONFIG_QUEUE_SIZE", NUMBERS, 1, { { ONE, 1, 64, IN(queue_size), 2, 17 } }, 0 },
	{ "CONFIG_CPU_CACHES", NUMBERS, 4,
	  { SETS(l2_sets), WAYS(l2_ways, 2, 8), SETS(llc_sets), WAYS(llc_ways, 4, 16) }, 0 },
	{ "CONFIG_ACC_CACHES", NUMBERS, 2, { SETS(acc_l2_sets), WAYS(acc_l2_ways, 2, 8) }, 0 },
	{ "CONFIG_CACHE_LINE_SIZE", NUMBERS, 1, { { POWER_OF_TWO, 64, 1024, IN(line_bits), 128, 512 } }, 0 },
	{ "CONFIG_SLM_KBYTES", NUMBERS, 1, { { ONE, 0, 1 << 20, IN(slm_kbytes), 64, 4096 } }, 0 },
	{ "CONFIG_MEM_LINK_WIDTH", NUMBERS, 1, { { ONE, 0, 1 << 16, IN(mem_link_width), 32, 512 } }, 0 },
	{ .name = "CONFIG_VF_POINTS", .kind = OLD_FORMAT },
};

/* Beginnings of keys that say nothing about what the model has: clocks, links, pins, the MMI64 monitor. */
static const char *const without_effect[] = {
	"CONFIG_CLK_STR", "CONFIG_DSU_", "CONFIG_ETH_EN", "CONFIG_IOLINK_", "CONFIG_MON_", "CONFIG_PRC_EN", "CONFIG_SLM_MBYTES",
	"CONFIG_SVGA_EN", "CONFIG_SYNC_EN", "NCPU_TILE", "POWER_",
};

static int config_numbers(struct reader *r, const struct key *key, char *value)
{
	char *tokens[MAX_TOKENS], *base = (char *)r->design;
	unsigned int i;

	/* The rest of the line is one number. */
	tokens[0] = value;
	if (key->nfields > 1 && config_split(value, tokens) != key->nfields)
		return fail(r, r->line, "%s: %u numbers expected", key->name, key->nfields);
	for (i = 0; i < key->nfields; i++) {
		const struct field *f = &key->fields[i];
		int (*read)(struct reader *, const char *, const char *, unsigned int, unsigned int,
			    unsigned int *) = f->kind == POWER_OF_TWO ? power_of_two :
					      config_number;
		unsigned int v;

		if (read(r, key->name, tokens[i], f->min, f->max, &v))
			return -1;
		memcpy(base + f->at, &v, sizeof(v));
		if (f->menu_max && (v < f->menu_min || v > f->menu_max)) {
			note(r, "%s: %u: ESP's generator has %u to %u", key->name, v, f->menu_min, f->menu_max);
			r->design->beyond_menus = true;
		}
	}
	return 0;
}

static int architecture(struct reader *r, const char *value)
{
	static const char *const names[] = {
		[ESP_ARCH_ARIANE] = "ariane", [ESP_ARCH_LEON3] = "leon3", [ESP_ARCH_IBEX] = "ibex",
	};
	unsigned int i;

	r->has_arch = true;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(value, names[i])) {
			r->design->arch = i;
			return 0;
		}
	}
	return fail(r, r->line, "CPU_ARCH: '%s' is none of ariane, leon3, ibex", value);
}

static int setting(struct reader *r, const char *name, char *value)
{
	const struct key *key;
	unsigned int i;
	bool on;

	for (key = keys; key < keys + sizeof(keys) / sizeof(*keys); key++) {
		if (strcmp(name, key->name))
			continue;
		/* what is not set keeps its default */
		if (key->kind != SWITCH && !strcmp(value, "n"))
			return 0;
		switch (key->kind) {
		case NUMBERS:
			return config_numbers(r, key, value);
		case SWITCH:
			on = *value == 'y';
			if (!on && strcmp(value, "n"))
				note(r, "%s: '%s' counts as off, as in ESP", name, value);
			memcpy((char *)r->design + key->at, &on, sizeof(on));
			return 0;
		case ARCH:
			return architecture(r, value);
		case OLD_FORMAT:
			r->old_format = true;
			return 0;
		}
	}
	for (i = 0; i < sizeof(without_effect) / sizeof(*without_effect); i++)
		if (!strncmp(name, without_effect[i], strlen(without_effect[i])))
			return 0;
	if (strcmp(value, "n"))
		note(r, "'%s' is not known and has no effect here", name);
	return 0;
}

static int tile_line(struct reader *r, const char *key, const char *value)
{
	unsigned int row, col;
	int end = 0;

	if (sscanf(key, "TILE_%u_%u%n", &row, &col, &end) != 2 || key[end])
		return fail(r, r->line, "'%s' is not of the form TILE_<row>_<column>", key);
	if (r->ntiles == ESP_MAX_TILES)
		return fail(r, r->line, "more than %u tiles", ESP_MAX_TILES);
	snprintf(r->tiles[r->ntiles].text, MAX_LINE, "%s", value);
	r->tiles[r->ntiles].row = row;
	r->tiles[r->ntiles].col = col;
	r->tiles[r->ntiles].line = r->line;
	r->ntiles++;
	return 0;
}

static int config_copy(struct reader *r, char *to, size_t size, const char *from, const char *what)
{
	if (strlen(from) >= size)
		return fail(r, r->line, "%s '%s' is longer than %zu characters", what, from,
			    size - 1);
	strcpy(to, from);
	return 0;
}

static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

static int accelerator(struct reader *r, struct esp_tile *tile, char **tokens, unsigned int n)
{
	/* Old: clock region, PLL, clock buffer, then design point, L2, vendor. New: design point,
	 * L2, DVFS, vendor.
	 */
	bool old = r->old_format || (n > 8 && is_number(tokens[3]));
	unsigned int first = old ? 6 : 3, vendor = first + (old ? 2 : 3);
	unsigned int has_l2, bits;
	const char *width;

	if (n <= vendor)
		return fail(r, r->line, "accelerator %s: %u fields, at least %u expected",
			    tile->name, n, vendor + 1);
	if (config_copy(r, tile->design_point, sizeof(tile->design_point), tokens[first],
			"design point") ||
	    config_number(r, "has_l2", tokens[first + 1], 0, 1, &has_l2) ||
	    config_copy(r, tile->vendor, sizeof(tile->vendor), tokens[vendor], "vendor"))
		return -1;
	tile->has_l2 = has_l2;
	/* ESP's flow ends a design point with the width that it was made for */
	width = strstr(tile->design_point, "dma");
	if (!strcmp(tile->vendor, "sld") && width && sscanf(width, "dma%u", &bits) == 1 &&
	    bits != r->design->dma_noc_width)
		return fail(r, r->line, "accelerator %s: design point %s needs a DMA NoC of %u bits, this one has %u (CONFIG_DMA_NOC_WIDTH)",
			    tile->name, tile->design_point, bits, r->design->dma_noc_width);
	return 0;
}

static int tile(struct reader *r, unsigned int i, bool *seen)
{
	static const struct {
		const char *name;
		enum esp_tile_kind kind;
	} kinds[] = {
		{ "cpu", ESP_TILE_CPU }, { "misc", ESP_TILE_IO }, { "mem", ESP_TILE_MEM },
		{ "slm", ESP_TILE_SLM }, { "acc", ESP_TILE_ACC }, { "empty", ESP_TILE_EMPTY },
	};
	struct esp_design *d = r->design;
	unsigned int row = r->tiles[i].row, col = r->tiles[i].col, id, n, k;
	char *tokens[MAX_TOKENS];
	struct esp_tile *t;

	r->line = r->tiles[i].line;
	if (row >= d->rows || col >= d->cols)
		return fail(r, r->line, "tile %u,%u lies outside the %ux%u design", row, col,
			    d->rows, d->cols);
	if (seen[row * d->cols + col])
		return fail(r, r->line, "tile %u,%u given twice", row, col);
	seen[row * d->cols + col] = true;
	t = &d->tiles[row * d->cols + col];
	n = config_split(r->tiles[i].text, tokens);
	if (n < 3)
		return fail(r, r->line, "tile %u,%u: number, type and name expected", row, col);
	if (config_number(r, "tile number", tokens[0], 0, ESP_MAX_TILES - 1, &id))
		return -1;
	if (id != row * d->cols + col)
		return fail(r, r->line, "tile %u,%u has number %u instead of %u", row, col, id,
			    row * d->cols + col);
	for (k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
		if (!strcmp(tokens[1], kinds[k].name))
			break;
	}
	if (k == sizeof(kinds) / sizeof(*kinds))
		return fail(r, r->line, "tile type '%s' is none of cpu, misc, mem, slm, acc, empty",
			    tokens[1]);
	t->kind = kinds[k].kind;
	if (config_copy(r, t->name, sizeof(t->name), tokens[2], "tile name"))
		return -1;
	if (t->kind == ESP_TILE_ACC)
		return accelerator(r, t, tokens, n);
	if (t->kind == ESP_TILE_SLM) {
		k = r->old_format ? 6 : 3;
		t->has_ddr = n > k && !strcmp(tokens[k], "1");
	}
	return 0;
}

/* Numbers the tiles of each kind in row-major order. */
static void enumerate(struct esp_design *d)
{
	unsigned int t, *count, dummy;

	d->ncpu = d->nmem = d->nslm = d->nacc = 0;
	for (t = 0; t < d->rows * d->cols; t++) {
		dummy = 0;
		switch (d->tiles[t].kind) {
		case ESP_TILE_CPU:
			count = &d->ncpu;
			break;
		case ESP_TILE_MEM:
			count = &d->nmem;
			break;
		case ESP_TILE_SLM:
			count = &d->nslm;
			break;
		case ESP_TILE_ACC:
			count = &d->nacc;
			break;
		default:
			count = &dummy;
		}
		d->tiles[t].id = (*count)++;
	}
}

static int config_finish(struct reader *r)
{
	struct esp_design *d = r->design;
	bool seen[ESP_MAX_TILES] = { false };
	const char *refusal;
	unsigned int i;

	if (!r->has_arch)
		return fail(r, 0, "CPU_ARCH is missing");
	if (!d->rows || !d->cols)
		return fail(r, 0, "CONFIG_NOC_ROWS or CONFIG_NOC_COLS is missing");
	/* The fixed widths of releases that have no key for them. */
	if (!d->coh_noc_width)
		d->coh_noc_width = esp_design_arch_bits(d);
	if (!d->dma_noc_width)
		d->dma_noc_width = esp_design_arch_bits(d);
	for (i = 0; i < r->ntiles; i++) {
		if (tile(r, i, seen))
			return -1;
	}
	for (i = 0; i < d->rows * d->cols; i++) {
		if (!seen[i])
			return fail(r, 0, "line TILE_%u_%u is missing", i / d->cols, i % d->cols);
	}
	enumerate(d);
	refusal = esp_design_refusal(d);
	return refusal ? fail(r, 0, "%s", refusal) : 0;
}

static void defaults(struct esp_design *d)
{
	memset(d, 0, sizeof(*d));
	d->arch = ESP_ARCH_ARIANE;
	d->scatter_gather = true;
	d->cache_rtl = true;
	d->queue_size = 4;
	d->l2_sets = d->acc_l2_sets = 512;
	d->l2_ways = d->acc_l2_ways = 4;
	d->llc_sets = 1024;
	d->llc_ways = 16;
	d->line_bits = 128;
	d->slm_kbytes = 256;
}

/* "KEY = value", "#KEY is not set" (its value is n), or nothing. */
static int config_line(struct reader *r, char *text)
{
	char *key = text, *value, *end, no[] = "n";

	end = text + strlen(text);
	while (end > text && strchr(" \t\r", end[-1]))
		*--end = '\0';
	while (*key == ' ' || *key == '\t')
		key++;
	if (!*key)
		return 0;
	if (*key == '#') {
		key++;
		value = strstr(key, " is not set");
		if (!value || strncmp(key, "CON", 3))
			return 0;
		*value = '\0';
		value = no;
	} else {
		value = strchr(key, '=');
		if (!value) {
			note(r, "'%s' is not of the form KEY = value and has no effect here", key);
			return 0;
		}
		end = value++;
		while (end > key && end[-1] == ' ')
			end--;
		*end = '\0';
		while (*value == ' ')
			value++;
	}
	if (!strncmp(key, "CONGIG_", 7))
		key[3] = 'F';
	if (!strncmp(key, "TILE_", 5))
		return tile_line(r, key, value);
	return setting(r, key, value);
}

int esp_design_parse(const char *text, size_t len, const char *name, struct esp_design *design,
		     char *err, size_t err_len)
{
	struct reader r = { .design = design, .name = name, .err = err, .err_len = err_len };
	const char *at = text, *stop = text + len, *end;
	char buf[MAX_LINE * 4];
	int ret = -1;

	defaults(design);
	r.tiles = calloc(ESP_MAX_TILES, sizeof(*r.tiles));
	if (!r.tiles)
		return fail(&r, 1, "out of memory");
	for (; at < stop; at = end + 1) {
		end = memchr(at, '\n', stop - at);
		if (!end)
			end = stop;
		r.line++;
		if (memchr(at, '\0', end - at)) {
			fail(&r, r.line, "not a text file");
			goto out;
		}
		if (end - at >= (long)sizeof(buf) || (end - at >= MAX_LINE && !strncmp(at, "TILE_", 5))) {
			fail(&r, r.line, "line longer than %u characters", MAX_LINE - 1);
			goto out;
		}
		memcpy(buf, at, end - at);
		buf[end - at] = '\0';
		if (config_line(&r, buf))
			goto out;
	}
	ret = config_finish(&r);
	r.line = 0;
	if (r.more_notes) {
		design->nnotes--;
		note(&r, "%u more lines have no effect here or are beyond ESP's menus", r.more_notes + 1);
	}
out:
	free(r.tiles);
	return ret;
}

int esp_design_read(const char *path, struct esp_design *design, char *err, size_t err_len)
{
	struct reader r = { .name = path, .err = err, .err_len = err_len };
	const size_t max = 1 << 20;
	char *text;
	size_t len;
	FILE *f;
	int ret;

	f = fopen(path, "r");
	if (!f)
		return fail(&r, 0, "%s", strerror(errno));
	text = malloc(max);
	if (!text) {
		fclose(f);
		return fail(&r, 0, "out of memory");
	}
	len = fread(text, 1, max, f);
	if (ferror(f))
		ret = fail(&r, 0, "%s", strerror(errno));
	else if (len == max)
		ret = fail(&r, 0, "longer than 1 MiB, not an .esp_config file");
	else
		ret = esp_design_parse(text, len, path, design, err, err_len);
	free(text);
	fclose(f);
	return ret;
}

bool esp_design_third_party(const struct esp_design *design)
{
	unsigned int t;

	for (t = 0; t < design->rows * design->cols; t++)
		if (design->tiles[t].kind == ESP_TILE_ACC && strcmp(design->tiles[t].vendor, "sld"))
			return true;
	return false;
}

void esp_design_default(struct esp_design *d)
{
	static const enum esp_tile_kind kinds[] = {
		ESP_TILE_ACC, ESP_TILE_CPU, ESP_TILE_MEM, ESP_TILE_ACC, ESP_TILE_ACC, ESP_TILE_IO,
	};
	unsigned int t;

	defaults(d);
	d->rows = 3;
	d->cols = 2;
	d->caches = true;
	d->coh_noc_width = 64;
	d->dma_noc_width = 64;
	for (t = 0; t < 6; t++) {
		struct esp_tile *tile = &d->tiles[t];

		tile->kind = kinds[t];
		strcpy(tile->name, kinds[t] == ESP_TILE_CPU ? "cpu" :
		       kinds[t] == ESP_TILE_MEM ? "mem" :
		       kinds[t] == ESP_TILE_IO ? "IO" : "FFT_STRATUS");
		if (kinds[t] == ESP_TILE_ACC) {
			strcpy(tile->design_point, "basic_fx32_dma64");
			strcpy(tile->vendor, "sld");
		}
	}
	d->tiles[0].has_l2 = true;
	enumerate(d);
}
