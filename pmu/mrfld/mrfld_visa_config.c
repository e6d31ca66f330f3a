// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "mrfld_visa_config.h"

static const u16 mrfld_configs[] = {
#define MON_EVENT(name, config, ...) (config),
#include "events/mrfld/events.def"
#undef MON_EVENT
};

int mrfld_config_check(u64 config)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mrfld_configs); i++)
		if (mrfld_configs[i] == config)
			return 0;
	return -EINVAL;
}

unsigned int mrfld_group(u64 config)
{
	return FIELD_GET(MRFLD_CONFIG_GROUP, config);
}

unsigned int mrfld_group_size(unsigned int group)
{
	unsigned int i, n = 0;

	for (i = 0; i < ARRAY_SIZE(mrfld_configs); i++)
		n += mrfld_group(mrfld_configs[i]) == group;
	return n;
}

unsigned int mrfld_counter(u64 config)
{
	return mrfld_group(config) * MRFLD_NCOUNTERS + FIELD_GET(MRFLD_CONFIG_COUNTER, config);
}

/* DRAM, its rest, and the requests of module 0. */
bool mrfld_counter_wants(unsigned int counter)
{
	switch (counter / MRFLD_NCOUNTERS) {
	case 1:		/* Memory_DDR_BW */
	case 2:		/* DDR_Self_Refresh */
	case 4:		/* Module0_BW */
		return true;
	case 3:		/* All_Reqs: its first counter is mod0_reqs */
		return counter % MRFLD_NCOUNTERS == 0;
	default:
		return false;
	}
}

int mrfld_alloc_claim(struct mrfld_alloc *alloc, u64 config)
{
	unsigned int group = mrfld_group(config);

	if (!group)
		return 0;
	if (alloc->users && alloc->group != group)
		return -ENOSPC;
	alloc->group = group;
	alloc->users++;
	return 0;
}

void mrfld_alloc_release(struct mrfld_alloc *alloc, u64 config)
{
	if (mrfld_group(config))
		alloc->users--;
}
