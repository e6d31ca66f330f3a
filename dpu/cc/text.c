// SPDX-License-Identifier: GPL-2.0-only
/* Texts that grow, and strings that live as long as the compilation. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/cc/text.h"

void *cc_realloc(void *old, size_t size)
{
	void *memory = realloc(old, size);

	if (!memory) {
		fputs("dpu-cc: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return memory;
}

void *cc_grow(void *array, size_t count, size_t *space, size_t size)
{
	if (count < *space)
		return array;
	*space = *space ? *space * 2 : 64;
	return cc_realloc(array, *space * size);
}

static void text_reserve(struct cc_text *text, size_t size)
{
	if (text->size + size + 1 <= text->space)
		return;
	text->space = (text->size + size + 1) * 2;
	text->bytes = cc_realloc(text->bytes, text->space);
}

void cc_text_add(struct cc_text *text, const char *bytes, size_t size)
{
	text_reserve(text, size);
	memcpy(text->bytes + text->size, bytes, size);
	text->size += size;
	text->bytes[text->size] = '\0';
}

void cc_text_printf(struct cc_text *text, const char *format, ...)
{
	va_list args, again;
	int n;

	va_start(args, format);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	if (n > 0) {
		text_reserve(text, n);
		vsnprintf(text->bytes + text->size, n + 1, format, again);
		text->size += n;
	}
	va_end(again);
	va_end(args);
}

void cc_text_free(struct cc_text *text)
{
	free(text->bytes);
	*text = (struct cc_text){ NULL, 0, 0 };
}

char *cc_pool_space(struct cc_pool *pool, size_t size)
{
	char *space = cc_realloc(NULL, size);

	*space = '\0';
	pool->strings = cc_grow(pool->strings, pool->count, &pool->space, sizeof(space));
	pool->strings[pool->count++] = space;
	return space;
}

const char *cc_pool_string(struct cc_pool *pool, const char *bytes, size_t size)
{
	char *copy = cc_pool_space(pool, size + 1);

	memcpy(copy, bytes, size);
	copy[size] = '\0';
	return copy;
}

void cc_pool_free(struct cc_pool *pool)
{
	for (size_t i = 0; i < pool->count; i++)
		free(pool->strings[i]);
	free(pool->strings);
	*pool = (struct cc_pool){ NULL, 0, 0 };
}

bool cc_starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

bool cc_ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n > m && !strcmp(text + n - m, end);
}

bool cc_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

size_t cc_operand_length(const char *p)
{
	size_t n = 0;
	int depth = 0;
	bool quoted = false;

	for (; p[n] && p[n] != '\n'; n++) {
		if (p[n] == '"')
			quoted = !quoted;
		if (quoted)
			continue;
		if (strchr("([{<", p[n]))
			depth++;
		else if (strchr(")]}>", p[n]))
			depth--;
		else if (p[n] == ',' && !depth)
			break;
	}
	return n;
}
