// SPDX-License-Identifier: LGPL-2.1-or-later
/* Format fields of a PMU, and the terms that set them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/internal.h"

static unsigned int width_of(const struct mon_bits *bits)
{
	return bits->last - bits->first + 1;
}

static uint64_t mask_of(unsigned int width)
{
	return width >= 64 ? UINT64_MAX : (1ULL << width) - 1;
}

/* "config1:0-7,32-35" */
static bool parse_bits(struct mon_field *field, const char *text)
{
	unsigned int width = 0;
	const char *p;
	int n;

	if (strncmp(text, "config", 6))
		return false;
	p = text + 6;
	field->word = *p == '1' || *p == '2' ? *p++ - '0' : 0;
	for (field->nbits = 0; field->nbits < MON_ARRAY_SIZE(field->bits);) {
		struct mon_bits *bits = &field->bits[field->nbits];

		if (*p != (field->nbits ? ',' : ':'))
			return false;
		p++;
		if (sscanf(p, "%u-%u%n", &bits->first, &bits->last, &n) != 2) {
			if (sscanf(p, "%u%n", &bits->first, &n) != 1)
				return false;
			bits->last = bits->first;
		}
		if (bits->first > bits->last || bits->last > 63)
			return false;
		width += width_of(bits);
		field->nbits++;
		p += n;
		if (!*p) {
			field->max = mask_of(width);
			return true;
		}
	}
	return false;
}

static bool is_place_field(const struct mon_pmu *pmu, const struct mon_field *field)
{
	return pmu->nplaces && !strcmp(field->name, pmu->topology->field);
}

int mon_fields_read(struct mon_pmu *pmu)
{
	char *dir, **names;
	size_t count, i;

	if (mon_pmu_list(pmu, "format", &dir, &names, &count))
		return -1;
	pmu->fields = calloc(count + 1, sizeof(*pmu->fields));
	for (i = 0; pmu->fields && i < count; i++) {
		char *path = mon_format("%s/%s", dir, names[i]);
		char *text = path ? mon_read_text(path) : NULL;
		struct mon_field *field = &pmu->fields[pmu->nfields];

		/* Skip a format that this version does not understand, as perf does. */
		if (text && parse_bits(field, text)) {
			field->name = names[i];
			field->text = text;
			names[i] = NULL;
			text = NULL;
			if (is_place_field(pmu, field))
				field->max = pmu->nplaces - 1 + pmu->topology->first;
			pmu->nfields++;
		}
		free(text);
		free(path);
	}
	mon_names_free(names, count);
	free(dir);
	return pmu->fields ? 0 : -1;
}

void mon_fields_free(struct mon_pmu *pmu)
{
	while (pmu->nfields) {
		free(pmu->fields[--pmu->nfields].name);
		free(pmu->fields[pmu->nfields].text);
	}
	free(pmu->fields);
}

static void put_bits(struct mon_config *config, const struct mon_field *field, uint64_t value)
{
	uint64_t *word = &config->word[field->word];
	size_t i;

	for (i = 0; i < field->nbits; i++) {
		const struct mon_bits *bits = &field->bits[i];
		uint64_t mask = mask_of(width_of(bits));

		*word &= ~(mask << bits->first);
		*word |= (value & mask) << bits->first;
		value = width_of(bits) == 64 ? 0 : value >> width_of(bits);
	}
}

static uint64_t get_bits(const struct mon_config *config, const struct mon_field *field)
{
	uint64_t value = 0;
	size_t i;

	for (i = field->nbits; i--;) {
		const struct mon_bits *bits = &field->bits[i];
		uint64_t part = config->word[field->word] >> bits->first & mask_of(width_of(bits));

		value = width_of(bits) == 64 ? part : value << width_of(bits) | part;
	}
	return value;
}

static const struct mon_field *find_field(const struct mon_pmu *pmu, const char *name)
{
	size_t i;

	for (i = 0; i < pmu->nfields; i++)
		if (!strcmp(pmu->fields[i].name, name))
			return &pmu->fields[i];
	return NULL;
}

/* for the message: "espmon has tiles 0 to 5" */
static int no_such_place(const struct mon_pmu *pmu, const char *context)
{
	const struct mon_topology *rule = pmu->topology;

	if (!rule->first)
		return mon_fail(EINVAL, "%s: %s has %ss 0 to %zu", context, pmu->name, rule->noun,
				pmu->nplaces - 1);
	return mon_fail(EINVAL, "%s: %s has %ss 0 to %zu: %s is 0 for all, or %u more than the number",
			context, pmu->name, rule->noun, pmu->nplaces - 1, rule->field, rule->first);
}

int mon_pmu_check_place(const struct mon_pmu *pmu, const struct mon_config *config,
			const char *context)
{
	const struct mon_field *field, *select;
	const struct mon_topology *rule;
	uint64_t value;

	if (!pmu->nplaces)
		return 0;
	rule = pmu->topology;
	field = find_field(pmu, rule->field);
	if (!field)
		return 0;
	value = get_bits(config, field);
	if (value > field->max)
		return no_such_place(pmu, context);
	select = find_field(pmu, rule->select);
	if (value && select && !get_bits(config, select))
		return mon_fail(EINVAL, "%s: %s=%llu counts only with %s: write %s,%s=%llu", context,
				rule->field, (unsigned long long)value, rule->select, rule->select,
				rule->field, (unsigned long long)value);
	return 0;
}

static int set_field(const struct mon_pmu *pmu, const struct mon_field *field, uint64_t value,
		     const char *context, struct mon_config *config)
{
	if (value > field->max && is_place_field(pmu, field))
		return no_such_place(pmu, context);
	if (value > field->max)
		return mon_fail(EINVAL, "%s: %s=%#llx: at most %#llx", context, field->name,
				(unsigned long long)value, (unsigned long long)field->max);
	put_bits(config, field, value);
	return 0;
}

static int parse_term(const struct mon_pmu *pmu, char *term, const char *context,
		      struct mon_config *config, const struct mon_event **event)
{
	static const char *const words[] = { "config", "config1", "config2" };
	char *value_text = strchr(term, '=');
	const struct mon_field *field;
	const struct mon_event *named;
	uint64_t value = 1;
	size_t i;

	if (value_text)
		*value_text++ = '\0';
	if (value_text && !strcmp(term, "name"))
		return mon_fail(EINVAL, "%s: name=%s: leave it out: only perf gives events names of their own", context, value_text);
	if (value_text && !mon_parse_u64(value_text, &value))
		return mon_fail(EINVAL, "%s: %s=%s: not a number", context, term, value_text);
	for (i = 0; i < MON_ARRAY_SIZE(words); i++) {
		if (value_text && !strcmp(term, words[i])) {
			config->word[i] = value;
			return 0;
		}
	}
	field = find_field(pmu, term);
	if (field)
		return set_field(pmu, field, value, context, config);
	if (value_text)
		return mon_fail(EINVAL, "%s: no format %s: see %s/format", context, term, pmu->path);
	if (!event)
		return mon_fail(EINVAL, "%s: %s: no such format", context, term);
	named = mon_pmu_find_event(pmu, term);
	if (!named)
		return -1;
	for (i = 0; i < MON_ARRAY_SIZE(config->word); i++)
		config->word[i] |= named->config.word[i];
	*event = named;
	return 0;
}

int mon_pmu_parse_terms(const struct mon_pmu *pmu, const char *terms, const char *context,
			struct mon_config *config, const struct mon_event **event)
{
	char *copy = strdup(terms), *save = NULL, *term;
	int ret = 0;

	if (!copy)
		return mon_fail(ENOMEM, "%s: out of memory", context);
	if (*terms == ',' || strstr(terms, ",,") || (*terms && terms[strlen(terms) - 1] == ','))
		ret = mon_fail(EINVAL, "%s: a comma with nothing before or after it", context);
	for (term = strtok_r(copy, ",", &save); term && !ret; term = strtok_r(NULL, ",", &save))
		ret = parse_term(pmu, term, context, config, event);
	free(copy);
	return ret ? ret : mon_pmu_check_place(pmu, config, context);
}

size_t mon_pmu_get_field_count(const struct mon_pmu *pmu)
{
	return pmu->nfields;
}

const struct mon_field *mon_pmu_get_field(const struct mon_pmu *pmu, size_t index)
{
	return index < pmu->nfields ? &pmu->fields[index] : NULL;
}

const struct mon_field *mon_pmu_find_field(const struct mon_pmu *pmu, const char *name)
{
	const struct mon_field *field = find_field(pmu, name);

	if (!field)
		mon_fail(ENOENT, "%s: no format %s: see %s/format", pmu->name, name, pmu->path);
	return field;
}

const char *mon_field_get_name(const struct mon_field *field)
{
	return field->name;
}

const char *mon_field_get_bits(const struct mon_field *field)
{
	return field->text;
}

uint64_t mon_field_get_max(const struct mon_field *field)
{
	return field->max;
}
