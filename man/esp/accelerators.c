/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints what esp_accel(4) says of each row of accelerators.def. */
#include <stdio.h>

#include "events/esp/accelerators.h"

static const struct esp_acc_row rows[] = {
#include "events/esp/rows.def"
};

/* The names of each row's members, in its order. */
static const char *const names[][ESP_ACC_MEMBERS_MAX] = {
#define ESP_ACC(NAME, name, device, chunks, header, unit, behind, most, load, store, registers) { registers },
#define ESP_ACC_REG(name, offset, member, ...) #member,
#define ESP_ACC_OTHER(name, offset)
#define ESP_ACC_CONSTANT(name, offset, value) "",
#include "events/esp/accelerators.def"
};

static void print_limits(const struct esp_acc_member *m, const char *name)
{
	if (m->role > ESP_ACC_SHIFT || (!m->least && !m->most))
		return;
	printf(".br\n\\fI%s\\fP: ", name);
	if (m->most)
		printf("%u to %u", m->least, m->most);
	else
		printf("at least %u", m->least);
	if (m->step)
		printf(", a multiple of %u", m->step);
	puts(".");
}

static void print_size(const struct esp_acc_row *row, const char *const *name)
{
	unsigned int i;

	printf("Reads %u", row->unit);
	for (i = 0; i < row->members; i++) {
		if (row->member[i].role == ESP_ACC_TIMES)
			printf(" * \\fI%s\\fP", name[i]);
		else if (row->member[i].role == ESP_ACC_SHIFT)
			printf(" * 2^\\fI%s\\fP", name[i]);
	}
	if (row->behind)
		printf(" bytes and writes %u after as many.\n", row->behind);
	else
		puts(" bytes and writes as many.");
}

static void print_sum(const struct esp_acc_row *row, const char *const *name)
{
	const char *plus = ".br\n";
	unsigned int i;

	for (i = 0; i < row->members; i++) {
		if (!row->member[i].weight)
			continue;
		fputs(plus, stdout);
		if (row->member[i].weight > 1)
			printf("%u * ", row->member[i].weight);
		printf("\\fI%s\\fP", name[i]);
		plus = " + ";
	}
	if (row->sum_most)
		printf(": at most %u.\n", row->sum_most);
}

int main(void)
{
	size_t row;
	unsigned int i;

	for (row = 0; row < sizeof(rows) / sizeof(*rows); row++) {
		printf(".TP\n.I /dev/%s.N\n", rows[row].name);
		print_size(&rows[row], names[row]);
		for (i = 0; i < rows[row].members; i++)
			print_limits(&rows[row].member[i], names[row][i]);
		print_sum(&rows[row], names[row]);
	}
	return 0;
}
