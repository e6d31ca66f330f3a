/* SPDX-License-Identifier: GPL-2.0-only */
/* What a program asks of the model by events/hexagon/services.h. All with the lock held, by the thread at the frontier. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "events/hexagon/services.h"
#include "hexagon/host.h"
#include "hexagon/pmu.h"
#include "qemu/hexagon/plugin.h"

/* A line of the pipe of marks: two numbers, a phase, and what is between them. */
#define MARK_LINE (HEXAGON_MARK_MAX + 48)

struct hexagon_core core;
uint32_t clock_hz = HEXAGON_USUAL_HZ;
int marks = -1;

static struct hexagon_pmu pmu;

uint64_t utimer(uint64_t clock)
{
	return (unsigned __int128)clock * HEXAGON_UTIMER_HZ / clock_hz;
}

/* The features that this run counts. */
static uint32_t present(void)
{
	return (caches ? HEXAGON_FEATURE_MEMORY : 0) | (stalls ? HEXAGON_FEATURE_TIMING : 0) |
	       (profile ? HEXAGON_FEATURE_PROFILE : 0);
}

static void find_name(void *data, const char *name, unsigned int code)
{
	const char **found = data;

	if (hexagon_pmu_selects(&pmu, &core, code) && !*found &&
	    (!hexagon_event_supplied(&core, code) || hexagon_event_features(&core, code) & ~present()))
		*found = name;
}

/* Says once of each event that the program selects and this run does not count. */
static void check_events(void)
{
	static const char *last;
	const char *name = NULL;

	hexagon_events_list(&core, find_name, &name);
	if (!name || name == last)
		return;
	last = name;
	fprintf(stderr, "hexagon-feed: the program selects %s, which this run does not count: open it from outside, too "
		"(hexagon-run --counters %s; events of stalls need --stalls), or see hexagon-run --list\n", name, name);
}

static bool access_register(uint64_t number, bool write, uint32_t value, uint64_t *answer)
{
	unsigned int offset = HEXAGON_SREG(number);

	if (number >= HEXAGON_ID / 4)
		return false;
	if (!write) {
		*answer = hexagon_pmu_read(&pmu, &core, &model.totals, offset);
		return true;
	}
	hexagon_pmu_write(&pmu, &core, &model.totals, offset, value);
	if (offset == HEXAGON_SYSCFG && value & HEXAGON_SYSCFG_PM)
		check_events();
	return true;
}

/* Only this writes to the pipe, a line at a time; a reader that is gone ends the marks. */
static bool mark(unsigned int cpu, uint64_t address)
{
	char line[MARK_LINE], phase[HEXAGON_MARK_MAX + 1] = "";
	int row = hexagon_threads_row(&threads, cpu), n;

	for (unsigned int i = 0; i < HEXAGON_MARK_MAX; i++) {
		if (!guest_read(address + i, &phase[i], 1))
			return false;
		if (!phase[i])
			break;
		/* it is a line of text */
		if ((unsigned char)phase[i] < ' ')
			phase[i] = ' ';
	}
	if (marks < 0)
		return true;
	n = snprintf(line, sizeof(line), "%" PRIu64 " %d %s\n", model.now, row, phase);
	while (write(marks, line, n) < 0 && errno == EINTR)
		;
	return true;
}

void serve(unsigned int cpu, const uint64_t args[5])
{
	struct hexagon_service service = { .done = 1 };
	uint64_t value = 0;

	switch (args[0]) {
	case HEXAGON_SERVICE_CLOCK:
		service.value[0] = model.now;
		service.value[1] = utimer(model.now);
		break;
	case HEXAGON_SERVICE_READ:
	case HEXAGON_SERVICE_WRITE:
		service.done = access_register(args[2], args[0] == HEXAGON_SERVICE_WRITE, args[3], &value);
		service.value[0] = value;
		break;
	case HEXAGON_SERVICE_MARK:
		service.done = mark(cpu, args[2]);
		break;
	default:
		service.done = 0;
	}
	guest_write(args[1], &service, sizeof(service));
}
