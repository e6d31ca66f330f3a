// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes log records at compile time.
 *
 * A printf() or puts() of a known text becomes a call of the library's __log_record(): the record is made here, and
 * the DPU only fills in the arguments (lib/log.c). The host prints it like the records that printf() makes at run
 * time (dpu/program/dpu_log.c).
 */
#include <string.h>

#include "dpu/cc/ir.h"

#define MAX_RECORD 128		/* of a tasklet's stack */
#define MAX_SPEC 16
#define MAX_ARGUMENTS 32

struct record {
	struct cc_text format, arguments;
	struct {
		size_t offset;		/* in arguments */
		unsigned int size;
	} places[MAX_ARGUMENTS];
	unsigned int count;
};

/* Skips one of the characters. */
static const char *skip_some(const char *p, const char *characters)
{
	return p + strspn(p, characters);
}

static bool add_argument(struct record *r, unsigned int size)
{
	static const char zeroes[8];

	if (r->count == MAX_ARGUMENTS)
		return false;
	r->places[r->count].offset = r->arguments.size;
	r->places[r->count++].size = size;
	cc_text_add(&r->arguments, zeroes, size);
	return true;
}

/* Skips a conversion from its %. NULL if its argument's size or text is not known. */
static const char *add_conversion(struct record *r, const char *p)
{
	const char *flags = p, *length = skip_some(p + 1, "-+ #0123456789.");
	const char *kind = skip_some(length, "lhzjtL");
	bool integer = *kind && strchr("diuxXo", *kind);
	bool is_long = memchr(length, 'l', kind - length) || memchr(length, 'j', kind - length);
	unsigned int size = *kind && strchr("eEfFgG", *kind) ? 8 : *kind == 'c' ? 1 : 4;

	if (length - flags > MAX_SPEC || !*kind || !strchr("diuxXoceEfFgGp", *kind))
		return NULL;
	cc_text_add(&r->format, flags, length - flags);
	if (*kind == 'p')
		cc_text_add(&r->format, "#x", 2);
	else if (integer && is_long)
		cc_text_printf(&r->format, "l%c", *kind);
	else
		cc_text_add(&r->format, kind, 1);
	return add_argument(r, integer && is_long ? 8 : size) ? kind + 1 : NULL;
}

/* The text becomes an argument. */
static void add_text(struct record *r, const char *text, size_t length)
{
	cc_text_add(&r->format, "%s", 2);
	cc_text_add(&r->arguments, text, length);
	cc_text_add(&r->arguments, "", 1);
}

static bool record_parse(struct record *r, const char *format)
{
	while (*format) {
		size_t length = strcspn(format, "%");

		if (*format == '%' && format[1] != '%') {
			format = add_conversion(r, format);
			if (!format)
				return false;
			continue;
		}
		if (!length) {		/* %% */
			format++;
			length = 1 + strcspn(format + 1, "%");
		}
		add_text(r, format, length);
		format += length;
	}
	return true;
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789ABCDEFabcdef";
	const char *p = c ? strchr(digits, c) : NULL;

	return !p ? -1 : p - digits < 16 ? p - digits : p - digits - 6;
}

/* Decodes c"...", in which \XX is a byte; false unless it is one string with its NUL at the end. */
static bool record_unescape(const char *p, struct cc_text *text)
{
	while (*p && *p != '"' && *p != '\n') {
		char c = *p++;

		if (c == '\\' && *p == '\\') {
			p++;
		} else if (c == '\\') {
			if (hex_digit(p[0]) < 0 || hex_digit(p[1]) < 0)
				return false;
			c = hex_digit(p[0]) << 4 | hex_digit(p[1]);
			p += 2;
		}
		cc_text_add(text, &c, 1);
	}
	return *p == '"' && text->size && strlen(text->bytes) + 1 == text->size;
}

/* The text of a constant, "@NAME = private ... constant [N x i8] c"...". */
static bool find_constant(const char *ir, const char *name, size_t length, struct cc_text *text)
{
	for (const char *p = ir; p; p = strchr(p, '\n')) {
		const char *end, *start;

		p += *p == '\n';
		if (strncmp(p, name, length) || !cc_starts_with(p + length, " = "))
			continue;
		p += length + 3;
		end = p + strcspn(p, "\n");
		start = strstr(p, "constant [");
		if ((!cc_starts_with(p, "private ") && !cc_starts_with(p, "internal ")) ||
		    !start || start > end)
			return false;
		start = strstr(start, "] c\"");
		return start && start < end && record_unescape(start + 4, text);
	}
	return false;
}

/*
 * The first argument if it is the start of a constant: "ptr ... @NAME" or "i8* ... getelementptr inbounds ([N x
 * i8], [N x i8]* @NAME, i32 0, i32 0)". Returns its end.
 */
static const char *parse_constant(const char *p, const char **name, size_t *name_length, bool *opaque)
{
	static const char address[] = "getelementptr inbounds ([";
	const char *at = strpbrk(p, "@\n"), *typed, *comma, *end;

	if (!at || *at != '@')
		return NULL;
	*opaque = cc_starts_with(p, "ptr ");
	typed = memmem(p, at - p, address, strlen(address));
	comma = memchr(p, ',', at - p);
	end = at + 1;
	while (cc_name_char(*end))
		end++;
	*name = at;
	*name_length = end - at;
	if (*opaque)
		return !comma && !memchr(p, '[', at - p) && (*end == ',' || *end == ')') ? end : NULL;
	if (!cc_starts_with(p, "i8* ") || !typed || comma < typed ||
	    (!cc_starts_with(end, ", i32 0, i32 0)") && !cc_starts_with(end, ", i64 0, i64 0)")))
		return NULL;
	return end + strlen(", i32 0, i32 0)");
}

static void put_byte(struct cc_text *out, unsigned int byte)
{
	cc_text_printf(out, "\\%02X", byte & 255);
}

/* struct log_record of lib/log.c. Returns its size, or 0 if the record is too large. */
static size_t write_constant(const struct record *r, struct cc_text *out)
{
	size_t used = r->format.size + 1 + r->arguments.size, size = (used + 7) & ~(size_t)7;
	size_t header = 4 + 2 * r->count, padded = (header + 7) & ~(size_t)7;

	if (size > MAX_RECORD)
		return 0;
	put_byte(out, size);
	put_byte(out, size >> 8);
	put_byte(out, r->count);
	put_byte(out, r->count >> 8);
	for (unsigned int i = 0; i < r->count; i++) {
		size_t offset = r->format.size + 1 + r->places[i].offset;

		put_byte(out, r->places[i].size);
		put_byte(out, offset);
	}
	for (size_t i = header; i < padded; i++)
		put_byte(out, 0);
	for (size_t i = 0; i < r->format.size; i++)
		put_byte(out, r->format.bytes[i]);
	put_byte(out, 0);
	for (size_t i = 0; i < r->arguments.size; i++)
		put_byte(out, r->arguments.bytes[i]);
	for (size_t i = used; i < size; i++)
		put_byte(out, 0);
	return padded + size;
}

/* The constant of a call; its size, or 0. */
static size_t make_constant(const char *text, bool line, struct cc_text *out)
{
	struct record r = { .count = 0 };
	size_t size = 0;

	if (line) {
		add_text(&r, text, strlen(text));
		add_text(&r, "\n", 1);
		size = write_constant(&r, out);
	} else if (record_parse(&r, text)) {
		size = write_constant(&r, out);
	}
	cc_text_free(&r.format);
	cc_text_free(&r.arguments);
	return size;
}

const char *cc_ir_record(const char *ir, const char *line, struct cc_records *records, struct cc_text *out)
{
	const char *call = strstr(line, "call "), *function = strstr(line, " @printf("), *first, *end, *name;
	struct cc_text text = { NULL, 0, 0 }, constant = { NULL, 0, 0 };
	bool puts = false, opaque;
	size_t name_length, size = 0;

	if (!function) {
		function = strstr(line, " @puts(");
		puts = true;
	}
	if (!call || !function || function < call || strchr(line, '"') || strstr(line, " byval("))
		return NULL;
	first = strchr(function, '(') + 1;
	end = parse_constant(first, &name, &name_length, &opaque);
	if (end && find_constant(ir, name, name_length, &text))
		size = make_constant(text.bytes, puts, &constant);
	if (size) {
		const char *byte = opaque ? "ptr" : "i8*";

		cc_text_printf(&records->constants, "@__log.%u = private unnamed_addr constant [%zu x i8] "
			       "c\"%s\", align 8\n", records->count, size, constant.bytes);
		cc_text_add(out, line, call - line);
		cc_text_printf(out, "call i32 (%s, ...) @__log_record(", byte);
		if (opaque)
			cc_text_printf(out, "ptr @__log.%u", records->count);
		else
			cc_text_printf(out, "i8* getelementptr inbounds ([%zu x i8], [%zu x i8]* @__log.%u, "
				       "i32 0, i32 0)", size, size, records->count);
		records->opaque = opaque;
		records->count++;
	}
	cc_text_free(&text);
	cc_text_free(&constant);
	return size ? end : NULL;
}

void cc_ir_records_end(struct cc_records *records, struct cc_text *out)
{
	if (records->count)
		cc_text_printf(out, "\n%s\ndeclare i32 @__log_record(%s, ...)\n", records->constants.bytes,
			       records->opaque ? "ptr" : "i8*");
	cc_text_free(&records->constants);
}
