// SPDX-License-Identifier: GPL-2.0-only
/* Expressions that each stop shows. */
#include <stdlib.h>
#include <string.h>

#include "dpu/dbg/dbg.h"

/* "x value" is print/x value. */
static bool put_display(struct dbg *d, unsigned int number)
{
	char *copy = strdup(d->displays[number]), *space = copy ? strchr(copy, ' ') : NULL;
	bool ok = space;

	if (ok) {
		*space = '\0';
		printf("%u: ", number + 1);
		ok = command_print(d, copy, space + 1);
	}
	free(copy);
	return ok;
}

void put_displays(struct dbg *d)
{
	bool failed = d->failed;

	for (unsigned int i = 0; d->dpu && i < MAX_DISPLAYS; i++)
		if (d->displays[i])
			put_display(d, i);
	d->failed = failed;	/* a variable of another function is no mistake */
}

bool command_display(struct dbg *d, char *text)
{
	unsigned int number = 0;

	if (!*text) {
		put_displays(d);
		return true;
	}
	while (number < MAX_DISPLAYS && d->displays[number])
		number++;
	if (number == MAX_DISPLAYS)
		return wrong(d, "no more than %d expressions: undisplay some", MAX_DISPLAYS);
	if (asprintf(&d->displays[number], *text == '/' ? "%s" : " %s", *text == '/' ? text + 1 : text) < 0) {
		d->displays[number] = NULL;
		return wrong(d, "out of memory");
	}
	if (!d->dpu || put_display(d, number))
		return true;
	free(d->displays[number]);
	d->displays[number] = NULL;
	return false;
}

bool command_undisplay(struct dbg *d, char *text)
{
	uint64_t number = 0;

	if (*text && (!parse_number(text, &number) || !number || number > MAX_DISPLAYS || !d->displays[number - 1]))
		return wrong(d, "display shows no expression number %s", text);
	for (unsigned int i = 0; i < MAX_DISPLAYS; i++) {
		if (*text && i != number - 1)
			continue;
		free(d->displays[i]);
		d->displays[i] = NULL;
	}
	return true;
}
