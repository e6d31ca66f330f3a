// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replaces long by long long.
 *
 * A DPU's long has 64 bits. On each target of clang that otherwise fits it has 32, so this pass changes types,
 * numbers (5L), names of builtins, and printf's formats, which the compiler compares with the arguments; %ld and
 * %lld print the same.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/cc/token.h"

enum kind { NAME, NUMBER, STRING, OTHER, DIRECTIVE };

struct token {
	const char *text;
	size_t length;
	enum kind kind;
	bool widened;			/* a long without another type word */
	bool removed;
};

struct tokens {
	struct token *all;
	size_t count, space;
};

static bool token_is(const struct token *t, const char *text)
{
	return strlen(text) == t->length && !memcmp(t->text, text, t->length);
}

static bool name_start(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

static bool name_part(char c)
{
	return name_start(c) || isdigit((unsigned char)c);
}

/* Length of the token at p; white space and comments are not tokens. */
static size_t token_length(const char *p, enum kind *kind)
{
	size_t n = 1;

	if (name_start(*p)) {
		*kind = NAME;
		while (name_part(p[n]))
			n++;
	} else if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
		*kind = NUMBER;
		while (name_part(p[n]) || p[n] == '.' ||
		       ((p[n] == '+' || p[n] == '-') && strchr("eEpP", p[n - 1])))
			n++;
	} else if (*p == '"' || *p == '\'') {
		*kind = *p == '"' ? STRING : OTHER;
		while (p[n] && p[n] != *p && p[n] != '\n')
			n += p[n] == '\\' && p[n + 1] ? 2 : 1;
		n += p[n] == *p;
	} else {
		*kind = OTHER;
	}
	return n;
}

static const char *skip_blank(const char *p, bool *line_start)
{
	for (;;) {
		if (p[0] == '/' && p[1] == '*' && strstr(p + 2, "*/")) {
			p = strstr(p + 2, "*/") + 2;
		} else if (p[0] == '/' && p[1] == '/') {
			p += strcspn(p, "\n");
		} else if (isspace((unsigned char)*p)) {
			*line_start |= *p == '\n';
			p++;
		} else {
			return p;
		}
	}
}

static void tokenize(const char *p, struct tokens *tokens)
{
	bool line_start = true;

	for (p = skip_blank(p, &line_start); *p; p = skip_blank(p, &line_start)) {
		struct token t = { .text = p, .kind = DIRECTIVE };

		t.length = *p == '#' && line_start ? strcspn(p, "\n") : token_length(p, &t.kind);
		line_start = false;
		tokens->all = cc_grow(tokens->all, tokens->count, &tokens->space, sizeof(t));
		tokens->all[tokens->count++] = t;
		p += t.length;
	}
}

/* Words that can be in one type with long. */
static bool specifier(const struct token *t)
{
	static const char *const words[] = {
		"long", "int", "unsigned", "signed", "__signed__", "__signed", "double", "const", "volatile",
		"__const", "__const__", "__volatile__", "static", "extern", "register", "inline", "__inline",
		"__inline__", "typedef", "restrict", "_Atomic", "_Complex", "_Thread_local", "__thread"
	};

	if (t->kind == DIRECTIVE)
		return true;
	for (size_t i = 0; t->kind == NAME && i < sizeof(words) / sizeof(words[0]); i++)
		if (token_is(t, words[i]))
			return true;
	return false;
}

/* Doubles the first long of each type that has one and no double. */
static void widen_types(struct tokens *tokens)
{
	for (size_t i = 0; i < tokens->count; i++) {
		struct token *found = NULL;
		unsigned int count = 0;
		bool real = false;

		for (; i < tokens->count && specifier(&tokens->all[i]); i++) {
			if (token_is(&tokens->all[i], "long")) {
				found = &tokens->all[i];
				count++;
			}
			real |= token_is(&tokens->all[i], "double");
		}
		if (count == 1 && !real)
			found->widened = true;
	}
}

/* End of the parenthesis that opens at i; the last token if none closes it. */
static size_t closing(const struct tokens *tokens, size_t i)
{
	int depth = 0;

	for (; i < tokens->count; i++) {
		if (strchr("([{", *tokens->all[i].text) && tokens->all[i].kind == OTHER)
			depth++;
		else if (strchr(")]}", *tokens->all[i].text) && tokens->all[i].kind == OTHER && !--depth)
			return i;
	}
	return tokens->count ? tokens->count - 1 : 0;
}

/* The meaning of a type, independent of the order of its words; pointers and the like are compared as text. */
static void type_name(const struct tokens *tokens, size_t from, size_t to, struct cc_text *name)
{
	unsigned int longs = 0;
	bool is_unsigned = false;

	for (size_t i = from; i < to; i++) {
		const struct token *t = &tokens->all[i];

		longs += token_is(t, "long") + t->widened;
		is_unsigned |= token_is(t, "unsigned");
	}
	if (longs == 2)
		cc_text_printf(name, "%u%d ", longs, is_unsigned);
	for (size_t i = from; i < to; i++) {
		const struct token *t = &tokens->all[i];

		if (longs == 2 && (token_is(t, "long") || token_is(t, "unsigned") || token_is(t, "int") ||
				   token_is(t, "signed")))
			continue;
		cc_text_add(name, t->text, t->length);
		cc_text_add(name, " ", 1);
	}
}

/*
 * _Generic may list long and long long, which are one type now. Removes the second of two equal types and its
 * expression.
 */
static void merge_choices(struct tokens *tokens, size_t open)
{
	size_t end = closing(tokens, open), start = 0;
	struct cc_text seen = { NULL, 0, 0 };
	int depth = 0;

	cc_text_add(&seen, "\n", 1);
	for (size_t i = open; i <= end; i++) {
		const struct token *t = &tokens->all[i];
		struct cc_text name = { NULL, 0, 0 };
		size_t colon;

		if (t->kind == OTHER && strchr("([{", *t->text))
			depth++;
		if (t->kind == OTHER && strchr(")]}", *t->text))
			depth--;
		if (i != end && (depth != 1 || *t->text != ','))
			continue;
		/* From the comma at start to the one at i. */
		for (colon = start; start && colon < i && *tokens->all[colon].text != ':'; colon++)
			;
		if (start && colon < i) {
			cc_text_add(&name, "\n", 1);
			type_name(tokens, start + 1, colon, &name);
			cc_text_add(&name, "\n", 1);
			if (strstr(seen.bytes, name.bytes))
				for (size_t k = start; k < i; k++)
					tokens->all[k].removed = true;
			cc_text_add(&seen, name.bytes, name.size);
			cc_text_free(&name);
		}
		start = i;
	}
	cc_text_free(&seen);
}

/* Builtins for long, by name. */
static const char *wide_builtin(const struct token *t)
{
	static const char *const names[][2] = {
		{ "__builtin_clzl", "__builtin_clzll" }, { "__builtin_ctzl", "__builtin_ctzll" },
		{ "__builtin_clrsbl", "__builtin_clrsbll" }, { "__builtin_ffsl", "__builtin_ffsll" },
		{ "__builtin_parityl", "__builtin_parityll" },
		{ "__builtin_popcountl", "__builtin_popcountll" }, { "__builtin_labs", "__builtin_llabs" },
		{ "__builtin_saddl_overflow", "__builtin_saddll_overflow" },
		{ "__builtin_ssubl_overflow", "__builtin_ssubll_overflow" },
		{ "__builtin_smull_overflow", "__builtin_smulll_overflow" },
		{ "__builtin_uaddl_overflow", "__builtin_uaddll_overflow" },
		{ "__builtin_usubl_overflow", "__builtin_usubll_overflow" },
		{ "__builtin_umull_overflow", "__builtin_umulll_overflow" },
		{ "__builtin_addcl", "__builtin_addcll" }, { "__builtin_subcl", "__builtin_subcll" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (token_is(t, names[i][0]))
			return names[i][1];
	return NULL;
}

/* Gives an integer with one L a second one. */
static void add_number(const struct token *t, struct cc_text *out)
{
	bool hex = t->length > 1 && (t->text[1] == 'x' || t->text[1] == 'X');
	unsigned int longs = 0;
	bool real = false;

	for (size_t i = 0; i < t->length; i++) {
		longs += t->text[i] == 'l' || t->text[i] == 'L';
		real |= strchr(hex ? ".pP" : ".eE", t->text[i]) != NULL;
	}
	cc_text_add(out, t->text, t->length);
	if (longs != 1 || real)
		return;
	/* 5LU equals 5UL. */
	for (size_t i = t->length; i-- > 0;) {
		if (t->text[i] != 'l' && t->text[i] != 'L')
			continue;
		out->size -= t->length - i - 1;
		cc_text_add(out, &t->text[i], 1);
		cc_text_add(out, t->text + i + 1, t->length - i - 1);
		return;
	}
}

static void add_format(const struct token *t, struct cc_text *out)
{
	const char *p = t->text, *end = t->text + t->length;

	while (p < end) {
		const char *start = p;

		if (*p++ != '%') {
			cc_text_add(out, start, 1);
			continue;
		}
		while (p < end && *p && strchr("-+ #0123456789.*", *p))
			p++;
		cc_text_add(out, start, p - start);
		if (p + 1 < end && p[0] == 'l' && p[1] && strchr("diouxX", p[1]))
			cc_text_add(out, "l", 1);
		else if (p < end && *p == '%')
			cc_text_add(out, p++, 1);
	}
}

static void write_token(const struct tokens *tokens, size_t i, bool format, struct cc_text *out)
{
	const struct token *t = &tokens->all[i];
	const char *builtin = t->kind == NAME ? wide_builtin(t) : NULL;

	if (t->widened)
		cc_text_add(out, "long long", strlen("long long"));
	else if (builtin)
		cc_text_add(out, builtin, strlen(builtin));
	else if (t->kind == NUMBER)
		add_number(t, out);
	else if (format)
		add_format(t, out);
	else
		cc_text_add(out, t->text, t->length);
}

void cc_widen_long(const char *source, struct cc_text *out)
{
	struct tokens tokens = { NULL, 0, 0 };
	const char *p = source;
	bool format = false;

	tokenize(source, &tokens);
	widen_types(&tokens);
	for (size_t i = 0; i + 1 < tokens.count; i++)
		if (token_is(&tokens.all[i], "_Generic"))
			merge_choices(&tokens, i + 1);
	for (size_t i = 0; i < tokens.count; i++) {
		const struct token *t = &tokens.all[i];

		/* The first argument of printf(), if it is a string in one or more pieces. */
		format = t->kind == STRING && i >= 2 &&
			 (format || (token_is(&tokens.all[i - 2], "printf") && *tokens.all[i - 1].text == '('));
		cc_text_add(out, p, t->text - p);
		if (!t->removed)
			write_token(&tokens, i, format, out);
		p = t->text + t->length;
	}
	cc_text_add(out, p, strlen(p));
	free(tokens.all);
}
