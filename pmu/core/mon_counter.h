/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arithmetic of counters that are narrower than 64 bits.
 */
#ifndef MON_COUNTER_H
#define MON_COUNTER_H

#include <linux/math64.h>
#include <linux/types.h>

/* All ones in the low width bits; width is 1 to 64. */
static inline u64 mon_counter_mask(unsigned int width)
{
	return ~0ULL >> (64 - width);
}

/* Counts between two readings that are less than one wrap apart. */
static inline u64 mon_counter_delta(u64 last, u64 now, u64 mask)
{
	return (now - last) & mask;
}

/* Nanoseconds in which a counter of this mask wraps at hz > 0 a second, at most 292 years. */
static inline u64 mon_counter_wrap_ns(u64 mask, u64 hz)
{
	u64 seconds, rest;

	seconds = div64_u64_rem(mask, hz, &rest);
	if (seconds >= (~0ULL >> 1) / 1000000000)
		return ~0ULL >> 1;
	/* rest < hz: so the product fits, up to 2^54 Hz */
	if (hz >> 34) {
		rest >>= 20;
		hz >>= 20;
	}
	return seconds * 1000000000 + div64_u64(rest * 1000000000, hz);
}

/* Is the last good reading more than a wrap ago? The clock may step back. */
static inline bool mon_counter_late(u64 good_ns, u64 now, u64 wrap_ns)
{
	return (s64)(now - good_ns) > (s64)wrap_ns;
}

/* The most that a counter of hz counts in ns, at most its wrap. The clock may step back. */
static inline u64 mon_counter_most(s64 ns, u64 hz)
{
	return ns > 0 ? mul_u64_u64_div_u64(ns, hz, 1000000000) : 0;
}

/*
 * A quarter of a wrap leaves room for a late poll. More than 10 s would save nothing, and below
 * 1 ms there would be little left of the CPU: then counts are lost, and late polls tell so.
 */
static inline u64 mon_counter_poll_ns(u64 wrap_ns)
{
	u64 ns = wrap_ns / 4;

	if (ns < 1000000)
		return 1000000;
	return ns < 10000000000ULL ? ns : 10000000000ULL;
}

#endif
