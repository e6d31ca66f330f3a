// SPDX-License-Identifier: GPL-2.0-only
/* Whether the guest is alive. Its init sends a message every second; any other message counts as well. */
#include <stdio.h>
#include <unistd.h>

#include "vm/vm.h"

/* Under KVM a guest needs about a second to start. */
#define BORN_MS 10000

void alive_boots(struct alive *a, long long now)
{
	if (!a->begun) {
		a->begun = now;
		a->shows = isatty(STDERR_FILENO);
	}
	if (a->shows)
		fprintf(stderr, "\rmon-vm: the guest boots: %lld s ", (now - a->begun) / 1000);
}

void alive_booted(struct alive *a)
{
	if (a->shows)
		fputs("\r\033[K", stderr);
	a->shows = false;
}

bool alive_heard(struct alive *a, long long now)
{
	bool returns = a->hangs;

	alive_booted(a);
	if (returns)
		fprintf(stderr, "mon-vm: the guest goes on after %lld s\n", (now - a->heard) / 1000);
	a->heard = now;
	a->hangs = false;
	return returns;
}

bool alive_check(struct alive *a, long long now, const char *kernel_log)
{
	if (!a->limit || !a->heard || a->hangs || now - a->heard < a->limit)
		return false;
	a->hangs = true;
	fprintf(stderr, "mon-vm: the guest hangs: nothing from it for %lld s; kernel log: %s; waiting until it "
		"goes on or --timeout ends it\n", (now - a->heard) / 1000, kernel_log);
	return true;
}

bool alive_is_idle(struct alive *a, long long now, long long worked, bool ready)
{
	if (a->heard)
		return false;
	if (!a->moved || ready || worked - a->worked >= ALIVE_IDLE_MS / 20) {
		a->moved = now;
		a->worked = worked;
	}
	return now - a->moved >= ALIVE_IDLE_MS;
}

bool alive_is_lost(const struct alive *a, long long now)
{
	return a->born && !a->heard && now - a->born >= BORN_MS;
}
