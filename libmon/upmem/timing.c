// SPDX-License-Identifier: LGPL-2.1-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/upmem/timing.h"

static const struct dpu_timing_option host_options[] = {
#define DPU_HOST(field, name, value, least, most) \
	{ name, offsetof(struct dpu_host_timing, field), least, most },
#include "libmon/upmem/host.def"
	{ NULL, 0, 0, 0 }
};

static const struct dpu_timing_option *find_option(const struct dpu_timing_option *o, const char *name)
{
	while (o->name && strcmp(o->name, name))
		o++;
	return o->name ? o : NULL;
}

/* pair: "name=value", which is cut in two */
static dpu_error_t set_parameter(char *pair, struct dpu_timing *model, struct dpu_host_timing *host)
{
	const struct dpu_timing_option *o;
	void *fields = model;
	char *text = strchr(pair, '=');
	uint64_t value;

	if (text)
		*text++ = '\0';
	o = find_option(dpu_timing_options, pair);
	if (!o) {
		o = find_option(host_options, pair);
		fields = host;
	}
	if (!o || !text)
		return dpu_failed(DPU_ERR_INVALID_PROFILE,
				  "LIBMON_DPU_TIMING: '%s' is no name=value of a parameter; see dpu(3)", pair);
	if (!mon_parse_u64(text, &value) || value < o->least || value > o->most)
		return dpu_failed(DPU_ERR_INVALID_PROFILE, "LIBMON_DPU_TIMING: %s=%s: use %u to %u", pair, text,
				  o->least, o->most);
	*(uint32_t *)((char *)fields + o->offset) = value;
	return DPU_OK;
}

dpu_error_t dpu_timing_parse(struct dpu_timing *model, struct dpu_host_timing *host)
{
	const char *text = secure_getenv("LIBMON_DPU_TIMING");
	char *copy, *pair, *rest = NULL, why[128];
	dpu_error_t error = DPU_OK;

	*model = dpu_timing_default;
	*host = (struct dpu_host_timing){
#define DPU_HOST(field, name, value, ...) .field = value,
#include "libmon/upmem/host.def"
	};
	if (!text)
		return DPU_OK;
	copy = strdup(text);
	if (!copy)
		return dpu_failed(DPU_ERR_SYSTEM, "out of memory");
	for (pair = strtok_r(copy, ",", &rest); pair && !error; pair = strtok_r(NULL, ",", &rest))
		error = set_parameter(pair, model, host);
	free(copy);
	if (!error && !dpu_timing_ok(model, why, sizeof(why)))
		error = dpu_failed(DPU_ERR_INVALID_PROFILE, "LIBMON_DPU_TIMING: %s", why);
	return error;
}

double dpu_host_launch(const struct dpu_host_timing *host, uint32_t ranks)
{
	return (host->launch_us + (double)host->launch_rank_us * ranks) * 1e-6;
}

/*
 * MB/s: each DPU of a rank adds what one DPU alone has, until the rank is at its limit. For MRAM each further rank adds
 * a part of the first one's rate. WRAM is accessed word by word through each rank's own control interface.
 */
static double transfer_rate(const struct dpu_host_timing *host, const struct dpu_host_transfer *x)
{
	double one = x->to ? host->serial_to : x->same ? host->copy_from : host->serial_from;
	double all = !x->to ? host->parallel_from : x->same ? host->broadcast : host->parallel_to;

	if (x->wram)
		return fmin((double)host->wram_serial * x->dpus, host->wram_parallel) / 1000 * x->ranks;
	return fmin(one * x->dpus, all) * (1 + host->rank_gain / 100.0 * (x->ranks - 1));
}

double dpu_host_transfer(const struct dpu_host_timing *host, const struct dpu_host_transfer *x)
{
	double us = host->transfer_us + (double)host->transfer_rank_us * x->ranks;

	if (!host->transfers)
		return 0;
	if (x->first_read)
		us += host->first_read_us;
	return (us + x->bytes / transfer_rate(host, x)) * 1e-6;
}
