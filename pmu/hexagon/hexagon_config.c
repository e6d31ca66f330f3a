// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "hexagon_config.h"

/* Only the main table says which events obey the thread filter. */
static const struct {
	u16 code;
	u8 versions;
	bool maskable;
} hexagon_traits[] = {
#define MON_EVENT(name, config, places, variants, ...)	\
	{ .code = (config), .versions = (variants), .maskable = (places) & HEXAGON_ON_THREAD },
#define HEXAGON_V65_EVENT(...)
#include "events/hexagon/events.def"
#undef HEXAGON_V65_EVENT
#undef MON_EVENT
};

static bool hexagon_has(const struct hexagon_id *id, unsigned int code)
{
	return code < HEXAGON_EVENT_CODES && (id->events[code / 32] >> code % 32 & 1);
}

static bool hexagon_maskable(const struct hexagon_id *id, unsigned int code)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hexagon_traits); i++)
		if (hexagon_traits[i].code == code)
			return hexagon_traits[i].maskable &&
			       (hexagon_traits[i].versions & hexagon_variant(id->core));
	return false;
}

int hexagon_config_check(const struct hexagon_id *id, u64 config)
{
	unsigned int code = FIELD_GET(HEXAGON_CONFIG_EVENT, config);

	if (config & ~HEXAGON_CONFIG_ALL || !hexagon_has(id, code))
		return -EINVAL;
	if (FIELD_GET(HEXAGON_CONFIG_STID, config) && !hexagon_maskable(id, code))
		return -EINVAL;
	return 0;
}

int hexagon_alloc_find(const struct hexagon_alloc *alloc, u32 config)
{
	int i;

	for (i = 0; i < HEXAGON_COUNTERS; i++)
		if (alloc->users[i] && alloc->config[i] == config)
			return i;
	return -1;
}

/* The free counter that suits best, or -1: that with this configuration, then one with none. */
static int hexagon_free(const struct hexagon_alloc *alloc, u32 config)
{
	int i, best = -1;

	for (i = HEXAGON_COUNTERS - 1; i >= 0; i--) {
		if (alloc->users[i])
			continue;
		if (alloc->config[i] == config)
			return i;
		if (best < 0 || !alloc->config[i] || alloc->config[best])
			best = i;
	}
	return best;
}

int hexagon_alloc_claim(struct hexagon_alloc *alloc, u32 config)
{
	int i = hexagon_alloc_find(alloc, config);

	if (i < 0)
		i = hexagon_free(alloc, config);
	if (i < 0)
		return -ENOSPC;
	alloc->config[i] = config;
	alloc->users[i]++;
	return 0;
}

void hexagon_alloc_release(struct hexagon_alloc *alloc, u32 config)
{
	int i = hexagon_alloc_find(alloc, config);

	if (i >= 0)
		alloc->users[i]--;
}

void hexagon_alloc_forget(struct hexagon_alloc *alloc, unsigned int counter)
{
	if (!alloc->users[counter])
		alloc->config[counter] = 0;
}
