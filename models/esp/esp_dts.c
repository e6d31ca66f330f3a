// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes the device tree of an ESP SoC as source text. */
#include <inttypes.h>
#include <string.h>

#include "models/esp/esp_tree.h"

struct text {
	FILE *file;
	bool open;	/* where a node's text goes */
};

static void end_node(struct text *t)
{
	if (t->open)
		fputs("\t\t};\n", t->file);
	t->open = false;
}

static void dts_node(void *opaque, const char *name, uint64_t at)
{
	struct text *t = opaque;

	end_node(t);
	fprintf(t->file, "\t\t%s@%" PRIx64 " {\n", name, at);
	t->open = true;
}

static void dts_cells(void *opaque, const char *property, const uint32_t *cells, unsigned int n)
{
	struct text *t = opaque;
	unsigned int i;

	fprintf(t->file, "\t\t\t%s = <", property);
	for (i = 0; i < n; i++)
		fprintf(t->file, cells[i] < 65536 ? "%s%" PRIu32 : "%s0x%" PRIx32, i ? " " : "",
			cells[i]);
	fputs(">;\n", t->file);
}

static void dts_strings(void *opaque, const char *property, const char *list, size_t size)
{
	struct text *t = opaque;
	const char *text;

	fprintf(t->file, "\t\t\t%s = ", property);
	for (text = list; text < list + size; text += strlen(text) + 1)
		fprintf(t->file, "%s\"%s\"", text == list ? "" : ", ", text);
	fputs(";\n", t->file);
}

static void dts_interrupts(void *opaque, const uint32_t *irqs, unsigned int n)
{
	struct text *t = opaque;

	fputs("\t\t\tinterrupt-parent = <&PLIC0>;\n", t->file);
	dts_cells(t, "interrupts", irqs, n);
}

static void dts_phandles(void *opaque, const char *property, const char *list, size_t size)
{
	struct text *t = opaque;
	const char *text;

	fprintf(t->file, "\t\t\t%s = <", property);
	for (text = list; text < list + size; text += strlen(text) + 1)
		fprintf(t->file, "%s&{/soc/%s}", text == list ? "" : " ", text);
	fputs(">;\n", t->file);
}

/* The node is in front of all others. */
static void dts_clock(void *opaque, uint32_t hz)
{
	struct text *t = opaque;

	(void)hz;
	fputs("\t\t\tclocks = <&esp_clock>;\n", t->file);
}

static void dts_pool(void *opaque)
{
	struct text *t = opaque;

	fputs("\t\t\tmemory-region = <&accelerator_reserved>;\n", t->file);
}

void esp_tree_print(FILE *file, const struct esp_design *design, const struct esp_tree *tree)
{
	static const struct esp_tree_ops ops = {
		dts_node, dts_cells, dts_strings, dts_interrupts, dts_phandles, dts_clock, dts_pool,
	};
	struct text t = { .file = file };
	unsigned int i;

	fprintf(file, "/ {\n\tesp_clock: clock-esp {\n\t\tcompatible = \"fixed-clock\";\n"
		"\t\t#clock-cells = <0>;\n\t\tclock-frequency = <%" PRIu32 ">;\n\t};\n\n", tree->clock_hz);
	fputs("\tsoc {\n\t\t#address-cells = <2>;\n\t\t#size-cells = <2>;\n", file);
	for (i = 0; i < esp_tree_nodes(design); i++)
		esp_tree_node(design, tree, i, &ops, &t);
	end_node(&t);
	fputs("\t};\n};\n", file);
}
