// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads an accelerator's XML. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/esp/esp_xml.h"

#define MOST	(1 << 20)	/* bytes of a file */

struct reader {
	const char *file;
	char *text, *at;
	char *err;
	size_t err_len;
};

static int fail(const struct reader *r, const char *what)
{
	unsigned int line = 1;
	const char *p;

	for (p = r->text; p < r->at; p++)
		line += *p == '\n';
	snprintf(r->err, r->err_len, "%s:%u: %s", r->file, line, what);
	return -1;
}

/* The text of the next tag without brackets, ended by NUL; NULL at the end. Skips comments. */
static char *next_tag(struct reader *r)
{
	for (;;) {
		char *open = strchr(r->at, '<'), *close, quote = 0;

		if (!open)
			return NULL;
		if (!strncmp(open, "<!--", 4)) {
			close = strstr(open, "-->");
			if (!close)
				return NULL;
			r->at = close + 3;
			continue;
		}
		for (close = open; *close && (quote || *close != '>'); close++) {
			if (quote ? *close == quote : *close == '"' || *close == '\'')
				quote = quote ? 0 : *close;
		}
		if (!*close)
			return NULL;
		*close = 0;
		r->at = close + 1;
		return open + 1;
	}
}

static int is_element(const char *tag, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(tag, name, len) && (isspace((unsigned char)tag[len]) || tag[len] == '/' || !tag[len]);
}

/* The value of an attribute; 0: the tag does not have it. */
static int attribute(const char *tag, const char *name, char *value, size_t size)
{
	size_t len = strlen(name);
	const char *p = tag;

	value[0] = 0;
	while (*p) {
		const char *word, *end;
		size_t n;

		while (*p && !isspace((unsigned char)*p))
			p++;
		while (isspace((unsigned char)*p))
			p++;
		word = p;
		p += strcspn(p, "= \t\r\n");
		n = p - word;
		p += strspn(p, " \t\r\n");
		if (*p != '=')
			continue;
		p++;
		p += strspn(p, " \t\r\n");
		if (*p != '"' && *p != '\'')
			continue;
		end = strchr(p + 1, *p);
		if (!end)
			return 0;
		if (n == len && !strncmp(word, name, len)) {
			snprintf(value, size, "%.*s", (int)(end - p - 1), p + 1);
			return 1;
		}
		p = end + 1;
	}
	return 0;
}

/* The name becomes part of C code and file names, so it must be an identifier. */
static int is_name(const char *name)
{
	const char *p;

	for (p = name; *p; p++) {
		if (!isalnum((unsigned char)*p) && *p != '_')
			return 0;
	}
	return *name && !isdigit((unsigned char)*name);
}

/* The text becomes part of a comment. */
static void make_comment_safe(char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || *text == '*' || *text == '\\')
			*text = ' ';
	}
}

static int take_param(struct reader *r, struct esp_xml *acc, const char *tag)
{
	struct esp_xml_param *param = &acc->param[acc->nparams];
	char value[32], *end;
	unsigned int i;

	if (acc->nparams == ESP_XML_PARAMS)
		return fail(r, "more than 48 parameters, the registers that a socket has");
	if (!attribute(tag, "name", param->name, sizeof(param->name)) || !is_name(param->name))
		return fail(r, "a parameter needs a name of letters, digits and _");
	for (i = 0; i < acc->nparams; i++) {
		if (!strcmp(acc->param[i].name, param->name))
			return fail(r, "two parameters have this name");
	}
	attribute(tag, "desc", param->desc, sizeof(param->desc));
	make_comment_safe(param->desc);
	param->fixed = attribute(tag, "value", value, sizeof(value));
	if (param->fixed) {
		errno = 0;
		param->value = strtoul(value, &end, 0);
		if (end == value || *end || errno)
			return fail(r, "value is no number");
	}
	acc->nparams++;
	return 0;
}

/* What ESP's flow appends to an accelerator's name in designs, drivers and device files (accgen.sh). */
static const char *flow_suffix(const char *tool)
{
	static const struct {
		const char *tool, *suffix;
	} flows[] = {
		{ "stratus_hls", "_stratus" }, { "vivado_hls", "_vivado" }, { "hls4ml", "_hls4ml" },
		{ "catapult_hls_cxx", "_catapult" }, { "catapult_hls_sysc", "_catapult" }, { "rtl", "_rtl" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(flows) / sizeof(flows[0]); i++) {
		if (!strcmp(tool, flows[i].tool))
			return flows[i].suffix;
	}
	return "";
}

static int take_accelerator(struct reader *r, struct esp_xml *acc, const char *tag)
{
	char number[32], tool[32];
	size_t len;

	if (!attribute(tag, "name", acc->name, sizeof(acc->name)) || !is_name(acc->name))
		return fail(r, "the accelerator needs a name of letters, digits and _");
	attribute(tag, "hls_tool", tool, sizeof(tool));
	len = strlen(acc->name);
	snprintf(acc->name + len, sizeof(acc->name) - len, "%s", flow_suffix(tool));
	attribute(tag, "desc", acc->desc, sizeof(acc->desc));
	make_comment_safe(acc->desc);
	if (attribute(tag, "device_id", number, sizeof(number)))
		acc->device = strtoul(number, NULL, 16);
	if (attribute(tag, "data_size", number, sizeof(number)))
		acc->chunks = strtoul(number, NULL, 10);
	acc->chunks = acc->chunks ? acc->chunks : 4;
	return 0;
}

static int read_text(struct reader *r, struct esp_xml *acc)
{
	int inside = 0;
	char *tag;

	while ((tag = next_tag(r))) {
		if (is_element(tag, "accelerator")) {
			inside = 1;
			if (take_accelerator(r, acc, tag) < 0)
				return -1;
		} else if (is_element(tag, "/accelerator")) {
			return 0;
		} else if (inside && is_element(tag, "param") && take_param(r, acc, tag) < 0) {
			return -1;
		}
	}
	return fail(r, inside ? "<accelerator> does not end" : "no <accelerator>: give the XML of an accelerator");
}

int esp_xml_read(const char *file, struct esp_xml *acc, char *err, size_t err_len)
{
	struct reader r = { .file = file, .err = err, .err_len = err_len };
	FILE *f = fopen(file, "re");
	size_t n;
	int ret;

	memset(acc, 0, sizeof(*acc));
	if (!f) {
		snprintf(err, err_len, "%s: %s", file, strerror(errno));
		return -1;
	}
	r.text = calloc(1, MOST + 1);
	n = r.text ? fread(r.text, 1, MOST, f) : 0;
	fclose(f);
	if (!r.text || n == MOST) {
		snprintf(err, err_len, "%s: the file is too large", file);
		free(r.text);
		return -1;
	}
	r.at = r.text;
	ret = read_text(&r, acc);
	free(r.text);
	return ret;
}
