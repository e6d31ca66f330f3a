// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a profile and the environment ask for. */
#include <stdlib.h>
#include <string.h>

#include "libmon/upmem/internal.h"

static bool parse_backend(const char *value, enum dpu_backend *backend)
{
	if (!strcmp(value, "simulator"))
		*backend = DPU_BACKEND_SIMULATOR;
	else if (!strcmp(value, "hw"))
		*backend = DPU_BACKEND_HW;
	else
		return false;
	return true;
}

static bool parse_chip(const char *value, struct dpu_profile *profile)
{
	uint64_t chip;

	if (!strcmp(value, "v1A") || !strcmp(value, "v1B"))
		chip = value[2] == 'B' ? DPU_CHIP_ID_V1B : vD;
	else if (!mon_parse_u64(value, &chip))
		return false;
	profile->want.any_chip = false;
	profile->want.v1b = chip >= DPU_CHIP_ID_V1B;
	return true;
}

/* Keys of the SDK's profiles; most of them say how to reach hardware that is not here. */
static bool parse_pair(const char *key, const char *value, struct dpu_profile *profile)
{
	static const char *const keys[] = {
		"nrThreadsPerRank", "nrThreadPerRank", "regionMode", "rankPath", "dpuNumber",
		"nrJobsPerRank", "disableMuxSwitch", "mramAccessByDpuOnly",
		"cycleAccurate", "ignoreVersion", "ignoreVpd", "enableProfiling", "symbolsFile"
	};

	if (!strcmp(key, "chipId"))
		return parse_chip(value, profile);
	if (!strcmp(key, "backend"))
		return parse_backend(value, &profile->backend);
	if (!strcmp(key, "sgXferEnable")) {
		profile->sg_enabled = !strcmp(value, "true");
		return profile->sg_enabled || !strcmp(value, "false");
	}
	if (!strcmp(key, "sgXferMaxBlocksPerDpu"))
		return mon_parse_u64(value, &profile->sg_blocks) && profile->sg_blocks &&
		       profile->sg_blocks <= UINT32_MAX;
	for (size_t i = 0; i < MON_ARRAY_SIZE(keys); i++)
		if (!strcmp(key, keys[i]))
			return *value;
	return false;
}

static dpu_error_t parse_text(const char *text, struct dpu_profile *profile)
{
	char *copy, *pair, *rest = NULL;
	dpu_error_t error = DPU_OK;

	copy = strdup(text);
	if (!copy)
		return dpu_failed(DPU_ERR_SYSTEM, "out of memory");
	for (pair = strtok_r(copy, ",", &rest); pair; pair = strtok_r(NULL, ",", &rest)) {
		char *value;

		pair += strspn(pair, " ");
		value = strchr(pair, '=');
		if (value)
			*value++ = '\0';
		if (!value || !parse_pair(pair, value, profile)) {
			error = dpu_failed(DPU_ERR_INVALID_PROFILE,
					   "profile \"%s\": '%s' is no key=value that this library knows; "
					   "see dpu(3)", text, pair);
			break;
		}
	}
	free(copy);
	return error;
}

dpu_error_t dpu_profile_parse(const char *text, struct dpu_profile *profile)
{
	const char *backend = secure_getenv("LIBMON_DPU_BACKEND");
	dpu_error_t error;

	*profile = (struct dpu_profile){ .want.any_chip = true };
	if (!text)
		text = secure_getenv("UPMEM_PROFILE");
	error = text ? parse_text(text, profile) : DPU_OK;
	if (!error && backend && !parse_backend(backend, &profile->backend))
		error = dpu_failed(DPU_ERR_INVALID_PROFILE,
				   "LIBMON_DPU_BACKEND=%s: must be simulator or hw", backend);
	return error;
}

bool dpu_env_set(const char *name)
{
	const char *text = secure_getenv(name);

	return text && *text && strcmp(text, "0");
}

dpu_error_t dpu_env_number(const char *name, uint32_t most, uint32_t fallback, uint32_t *number)
{
	const char *text = secure_getenv(name);
	uint64_t value = fallback;

	if (text && (!mon_parse_u64(text, &value) || !value || value > most))
		return dpu_failed(DPU_ERR_INVALID_PROFILE, "%s=%s: must be a number of 1 to %u", name, text,
				  most);
	*number = value;
	return DPU_OK;
}
