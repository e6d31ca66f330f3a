/* SPDX-License-Identifier: MIT */
/*
 * pfmlib_sysfs_unc.c: uncore PMUs that Linux describes in sysfs and no CPU model implies
 *
 * The PMU is there when its folder in sysfs is, whatever the CPU. One PMU may have several event
 * tables, one a hardware version: then the file identifier in that folder chooses.
 */
#include <sys/types.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pfmlib_priv.h"
#include "pfmlib_perf_event_priv.h"
#include "pfmlib_sysfs_unc_priv.h"

#define SYSFS_DEVICES	"/sys/bus/event_source/devices"

/*
 * First line of a file in the PMU's folder. Returns its length, or -1 if there is no such file.
 */
static int
read_line(pfmlib_pmu_t *pmu, const char *file, char *line, size_t size)
{
	char path[PATH_MAX];
	FILE *fp;
	int len;

	len = snprintf(path, sizeof(path), SYSFS_DEVICES "/%s/%s", pmu->perf_name, file);
	if (len < 0 || len >= (int)sizeof(path))
		return -1;

	fp = fopen(path, "r");
	if (!fp)
		return -1;
	if (!fgets(line, size, fp))
		line[0] = '\0';
	fclose(fp);

	line[strcspn(line, "\n")] = '\0';
	return strlen(line);
}

/*
 * Type of the PMU, which the kernel assigns when the driver loads. 0 is PERF_TYPE_HARDWARE: an
 * event would silently count something else, so it is never returned.
 */
static int
read_type(pfmlib_pmu_t *pmu)
{
	char line[32], *end;
	long type;

	if (read_line(pmu, "type", line, sizeof(line)) <= 0)
		return PFM_ERR_NOTSUPP;

	type = strtol(line, &end, 10);
	if (*end || type <= 0 || type > INT_MAX)
		return PFM_ERR_NOTSUPP;
	return type;
}

int
pfm_sysfs_unc_detect(void *this)
{
	const pfm_sysfs_unc_table_t *table = this_sysfs_unc(this);
	char line[64];

	if (read_type(this) < 0)
		return PFM_ERR_NOTSUPP;
	if (!table->identifier)
		return PFM_SUCCESS;
	if (read_line(this, "identifier", line, sizeof(line)) < 0)
		return PFM_ERR_NOTSUPP;
	return strcasecmp(line, table->identifier) ? PFM_ERR_NOTSUPP : PFM_SUCCESS;
}

int
pfm_sysfs_unc_event_is_valid(void *this, int idx)
{
	const pfm_sysfs_unc_table_t *table = this_sysfs_unc(this);

	if (idx < 0 || idx >= table->num_events)
		return 0;
	return !table->version || (table->version & table->events[idx].versions);
}

int
pfm_sysfs_unc_get_event_next(void *this, int idx)
{
	while (++idx < this_sysfs_unc(this)->num_events)
		if (pfm_sysfs_unc_event_is_valid(this, idx))
			return idx;
	return -1;
}

int
pfm_sysfs_unc_get_event_first(void *this)
{
	return pfm_sysfs_unc_get_event_next(this, -1);
}

unsigned int
pfm_sysfs_unc_get_event_nattrs(void *this, int idx)
{
	return __builtin_popcount(this_sysfs_unc(this)->events[idx].attrs);
}

int
pfm_sysfs_unc_get_event_info(void *this, int idx, pfm_event_info_t *info)
{
	const pfm_sysfs_unc_event_t *event = this_sysfs_unc(this)->events + idx;
	pfmlib_pmu_t *pmu = this;

	info->name  = event->name;
	info->desc  = event->desc;
	info->code  = event->code;
	info->equiv = NULL;
	info->idx   = idx; /* private index */
	info->pmu   = pmu->pmu;
	info->is_precise = 0;
	info->support_hw_smpl = 0;
	info->nattrs = pfm_sysfs_unc_get_event_nattrs(this, idx);

	return PFM_SUCCESS;
}

/*
 * attr_idx counts the attributes of this event alone; info->idx is the one of the table.
 */
int
pfm_sysfs_unc_get_event_attr_info(void *this, int idx, int attr_idx, pfmlib_event_attr_info_t *info)
{
	const pfm_sysfs_unc_event_t *event = this_sysfs_unc(this)->events + idx;
	pfmlib_pmu_t *pmu = this;
	int i;

	for (i = 0; pmu->atdesc && pmu->atdesc[i].name; i++) {
		if (!(event->attrs & PFM_SYSFS_UNC_ATTR(i)) || attr_idx--)
			continue;

		info->name = pmu->atdesc[i].name;
		info->desc = pmu->atdesc[i].desc;
		info->type = pmu->atdesc[i].type;
		info->code = i;
		info->idx  = i;
		info->equiv = NULL;
		info->ctrl = PFM_ATTR_CTRL_PMU;
		info->is_dfl = 0;
		info->is_precise = 0;
		info->is_speculative = 0;
		info->support_hw_smpl = 0;
		info->dfl_val64 = 0;
		return PFM_SUCCESS;
	}
	return PFM_ERR_ATTR;
}

/*
 * An attribute that adds no bit is left out of the canonical string, so that one config has one
 * name: chain=0 and no chain are the same event, tile=0 and no tile are not.
 */
int
pfm_sysfs_unc_get_encoding(void *this, pfmlib_event_desc_t *e)
{
	const pfm_sysfs_unc_table_t *table = this_sysfs_unc(this);
	pfmlib_pmu_t *pmu = this;
	uint64_t config = table->events[e->event].code;
	int i;

	pfmlib_sort_attr(e);
	evt_strcat(e->fstr, "%s", table->events[e->event].name);

	for (i = 0; i < e->nattrs; i++) {
		const pfm_sysfs_unc_field_t *field;
		pfmlib_event_attr_info_t *a = attr(e, i);
		uint64_t value = e->attrs[i].ival, bits;

		if (a->ctrl != PFM_ATTR_CTRL_PMU)
			continue;

		field = table->fields + a->idx;
		if (value >> field->width)
			return PFM_ERR_ATTR_VAL;

		bits = value << field->lo | field->set;
		if (!bits)
			continue;
		config |= bits;
		evt_strcat(e->fstr, ":%s=%"PRIu64, pmu->atdesc[a->idx].name, value);
	}

	e->codes[0] = config;
	e->count = 1;
	__pfm_vbprintf("[%s=0x%"PRIx64"] %s\n", pmu->name, config, e->fstr);

	return PFM_SUCCESS;
}

/*
 * Names must be one word in an event string and in sysfs, and no attribute may change the code.
 */
static int
check_event(pfmlib_pmu_t *pmu, int idx, FILE *fp)
{
	const pfm_sysfs_unc_table_t *table = this_sysfs_unc(pmu);
	const pfm_sysfs_unc_event_t *event = table->events + idx;
	const char *p;
	int i, errors = 0;

	if (!event->name || !event->name[0] || !event->desc || !event->desc[0]) {
		fprintf(fp, "pmu: %s event%d: no name or description\n", pmu->name, idx);
		return 1;
	}

	for (p = event->name; islower((unsigned char)*p) || isdigit((unsigned char)*p) || *p == '_';)
		p++;
	if (*p) {
		fprintf(fp, "pmu: %s event%d: %s: bad name\n", pmu->name, idx, event->name);
		errors++;
	}

	for (i = 0; pmu->atdesc && pmu->atdesc[i].name; i++) {
		const pfm_sysfs_unc_field_t *field = table->fields + i;
		uint64_t bits = ((UINT64_C(1) << field->width) - 1) << field->lo | field->set;

		if (event->code & bits) {
			fprintf(fp, "pmu: %s event%d: %s: code overlaps attribute %s\n",
				pmu->name, idx, event->name, pmu->atdesc[i].name);
			errors++;
		}
	}
	if (event->attrs >> i) {
		fprintf(fp, "pmu: %s event%d: %s: unknown attribute\n", pmu->name, idx, event->name);
		errors++;
	}

	i = idx;
	while ((i = pfm_sysfs_unc_get_event_next(pmu, i)) != -1) {
		if (!strcmp(event->name, table->events[i].name)) {
			fprintf(fp, "pmu: %s events %d,%d: both are %s\n",
				pmu->name, idx, i, event->name);
			errors++;
		}
	}
	return errors;
}

int
pfm_sysfs_unc_validate_table(void *this, FILE *fp)
{
	pfmlib_pmu_t *pmu = this;
	int i, n = 0, errors = 0;

	for (i = pfm_sysfs_unc_get_event_first(this); i != -1;
	     i = pfm_sysfs_unc_get_event_next(this, i), n++)
		errors += check_event(pmu, i, fp);

	if (n != pmu->pme_count) {
		fprintf(fp, "pmu: %s: %d events, but pme_count is %d\n", pmu->name, n, pmu->pme_count);
		errors++;
	}
	return errors ? PFM_ERR_INVAL : PFM_SUCCESS;
}

int
pfm_sysfs_unc_get_perf_encoding(void *this, pfmlib_event_desc_t *e)
{
	struct perf_event_attr *attr = e->os_data;
	int ret, type;

	ret = pfm_sysfs_unc_get_encoding(this, e);
	if (ret != PFM_SUCCESS)
		return ret;

	/* at each encoding: the driver may have been loaded again, with another type */
	type = read_type(this);
	if (type < 0)
		return type;

	attr->type = type;
	attr->config = e->codes[0];
	attr->exclude_hv = 0;
	attr->exclude_kernel = 0;
	attr->exclude_user = 0;

	return PFM_SUCCESS;
}

/*
 * Of the attributes of perf_events only those make sense that say where and how to count:
 * cpu, pinned, excl.
 */
void
pfm_sysfs_unc_perf_validate_pattrs(void *this, pfmlib_event_desc_t *e)
{
	int i;

	for (i = e->npattrs - 1; i >= 0; i--) {
		if (e->pattrs[i].ctrl != PFM_ATTR_CTRL_PERF_EVENT)
			continue;

		switch (e->pattrs[i].idx) {
		case PERF_ATTR_U:
		case PERF_ATTR_K:
		case PERF_ATTR_H:
		case PERF_ATTR_MG:
		case PERF_ATTR_MH:
		case PERF_ATTR_PE:
		case PERF_ATTR_FR:
		case PERF_ATTR_PR:
		case PERF_ATTR_HWS:
			pfmlib_compact_pattrs(e, i);
			break;
		}
	}
}
