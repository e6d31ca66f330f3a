/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The article's metrics as a table. */
#include "libmon/hexagon/table.h"

static const char *const reasons[] = {
	[MON_HEXAGON_KNOWN] = NULL,
	[MON_HEXAGON_NOT_COUNTED] = "not counted",
	[MON_HEXAGON_UNDEFINED] = "nothing to divide by",
	[MON_HEXAGON_IMPOSSIBLE] = "not known: the counts contradict each other",
};

const char *hexagon_table_unknown(enum mon_hexagon_unknown unknown)
{
	return reasons[unknown];
}

static void show_line(FILE *out, const char *name, unsigned int n, const char *unit,
		      const struct mon_hexagon_value *value)
{
	char label[48];

	if (n)
		snprintf(label, sizeof(label), "%s[%u]", name, n);
	else
		snprintf(label, sizeof(label), "%s", name);
	if (value->unknown)
		fprintf(out, "%16s  %-24s (%s", "-", label, hexagon_table_unknown(value->unknown));
	else
		fprintf(out, "%16.3f  %-24s %s", value->value, label, unit);
	if (value->share > 0 && value->share < 1)
		fprintf(out, "%scounted %.0f %% of the time)", value->unknown ? "; " : " (",
			100 * value->share);
	else if (value->unknown)
		fputc(')', out);
	fputc('\n', out);
}

bool hexagon_table_visit(FILE *out, const struct mon_hexagon_core *core, uint64_t available,
			 const struct mon_hexagon_pass *passes, size_t npasses,
			 hexagon_table_show_t show)
{
	for (unsigned int metric = 0; metric < MON_HEXAGON_METRICS; metric++) {
		bool per_n = metric == MON_HEXAGON_NT_PCPP || metric == MON_HEXAGON_NT_LOAD;

		if (mon_hexagon_metric_counters(metric, core->threads) & ~available)
			continue;
		for (unsigned int n = 1; n <= (per_n ? core->threads : 1); n++) {
			struct mon_hexagon_value value;

			if (mon_hexagon_compute(core, metric, n, passes, npasses, &value) < 0)
				return false;
			show(out, mon_hexagon_metric_name(metric), per_n ? n : 0,
			     mon_hexagon_metric_unit(metric), &value);
		}
	}
	return true;
}

bool hexagon_table_print(FILE *out, const struct mon_hexagon_core *core, uint64_t available,
			 const struct mon_hexagon_pass *passes, size_t npasses)
{
	return hexagon_table_visit(out, core, available, passes, npasses, show_line);
}
