// SPDX-License-Identifier: GPL-2.0-only
/*
 * The frequency of the guest's time stamp counter (TSC).
 *
 * mon-vm passes it to the guest's kernel. A guest that calibrates the TSC against a timer interrupt gets it wrong
 * on a busy host.
 */
#include <stdint.h>
#include <time.h>

#include "vm/vm.h"

#if defined(__x86_64__)
#include <x86intrin.h>

struct instant {
	uint64_t ns, ticks;
};

/* Reads both clocks at one instant: takes several readings and keeps the one with the shortest interruption. */
static struct instant read_clocks(void)
{
	struct instant best = { 0 };
	uint64_t shortest = UINT64_MAX;

	for (int i = 0; i < 8; i++) {
		uint64_t before = __rdtsc(), after;
		struct timespec t;

		clock_gettime(CLOCK_MONOTONIC, &t);
		after = __rdtsc();
		if (after - before >= shortest)
			continue;
		shortest = after - before;
		best.ns = t.tv_sec * 1000000000ull + t.tv_nsec;
		best.ticks = before + shortest / 2;
	}
	return best;
}

/* TCG reads the host's TSC. */
static unsigned long measured_khz(void)
{
	const struct timespec wait = { .tv_nsec = 10000000 };
	struct instant from = read_clocks(), to;

	nanosleep(&wait, NULL);
	to = read_clocks();
	return to.ns > from.ns ? (to.ticks - from.ticks) * 1000000 / (to.ns - from.ns) : 0;
}
#else
static unsigned long measured_khz(void)
{
	return 0;
}
#endif

unsigned long tsc_khz(const struct options *o)
{
	if (o->arch != arch_native() || o->kvm)
		return 0;
	/* with -icount the TSC counts the nanoseconds of the virtual clock */
	return strv_has(&o->qemu_args, "-icount") ? 1000000 : measured_khz();
}
