/* SPDX-License-Identifier: GPL-2.0-only */
/* Texts that grow, and strings that live as long as the compilation. */
#ifndef MON_DPU_CC_TEXT_H
#define MON_DPU_CC_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct cc_text {
	char *bytes;			/* NUL-terminated after the first addition */
	size_t size, space;
};

void cc_text_add(struct cc_text *text, const char *bytes, size_t size);
void cc_text_printf(struct cc_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cc_text_free(struct cc_text *text);

/* Strings that are freed together. */
struct cc_pool {
	char **strings;
	size_t count, space;
};

char *cc_pool_space(struct cc_pool *pool, size_t size);
const char *cc_pool_string(struct cc_pool *pool, const char *bytes, size_t size);
void cc_pool_free(struct cc_pool *pool);

/* realloc() that exits when memory is exhausted. */
void *cc_realloc(void *old, size_t size);
/* Makes room for another element. */
void *cc_grow(void *array, size_t count, size_t *space, size_t size);

bool cc_starts_with(const char *text, const char *prefix);
/* Is it a name of this ending, and more than the ending? */
bool cc_ends_with(const char *text, const char *end);
/* Is it a character of an assembler name? */
bool cc_name_char(char c);

/* Length of an IR operand: up to the next comma outside brackets, or the end of the line. */
size_t cc_operand_length(const char *p);

#endif
