// SPDX-License-Identifier: GPL-2.0-only
/* The recorder's side of events/marks.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "events/marks.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/record/phase.h"

/* An identifier that no event of the kernel has. */
#define PHASE_ID UINT64_MAX

/* The fields of a run that recording.h needs, as in a module's run_begin. perf wants whole words, with the size first. */
struct phase_record {
	struct perfdata_sample sample;
	uint32_t size;
	struct phase_fields {
		char device[64];	/* "esp-fft (42)" */
		char user[64];		/* the phase */
		uint32_t place, pid, padding;
	} fields;
};

_Static_assert(sizeof(struct phase_record) % 8 == 0, "whole words");

void phases_open(struct phases *p)
{
	char *path;

	*p = (struct phases){ .fd = memfd_create("monctl-marks", MFD_CLOEXEC) };
	if (p->fd < 0 || ftruncate(p->fd, sizeof(*p->ring)))
		die("no memory for phases of programs: %s", strerror(errno));
	p->ring = mmap(NULL, sizeof(*p->ring), PROT_READ | PROT_WRITE, MAP_SHARED, p->fd, 0);
	if (p->ring == MAP_FAILED)
		die("no memory for phases of programs: %s", strerror(errno));
	/* allocate all pages now: a program must not wait for one */
	memset(p->ring, 0, sizeof(*p->ring));
	p->ring->magic = MON_MARKS_MAGIC;
	path = format_text("/proc/%d/fd/%d", (int)getpid(), p->fd);
	if (setenv(MON_MARKS_VARIABLE, path, 1))
		die("out of memory");
	free(path);
}

void phases_close(struct phases *p)
{
	unsetenv(MON_MARKS_VARIABLE);
	munmap(p->ring, sizeof(*p->ring));
	close(p->fd);
}

enum taken {
	TAKEN, UNFINISHED, OVERWRITTEN,
};

/* Copies a mark if the slot has its number before and after the copy: the writer may be overwriting it. */
static enum taken take_slot(const struct phases *p, struct mon_mark_slot *copy)
{
	const struct mon_mark_slot *slot = &p->ring->slot[p->next % MON_MARKS_SLOTS];
	uint64_t turn = __atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE);

	if (turn <= p->next)
		return UNFINISHED;
	memcpy(copy, slot, sizeof(*copy));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (turn != p->next + 1 || __atomic_load_n(&slot->turn, __ATOMIC_RELAXED) != turn)
		return OVERWRITTEN;
	return TAKEN;
}

static int hand_over(const struct mon_mark_slot *slot, record_sink sink, void *arg)
{
	struct phase_record record = {
		.sample = {
			.header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER, .size = sizeof(record) },
			.id = PHASE_ID, .pid = slot->pid, .tid = slot->pid, .time = slot->time,
		},
		.size = sizeof(record.fields),
		.fields = { .place = -1, .pid = slot->pid },
	};

	snprintf(record.fields.device, sizeof(record.fields.device), "%.*s (%u)",
		 (int)strnlen(slot->program.text, sizeof(slot->program)), slot->program.text, slot->pid);
	memcpy(record.fields.user, slot->phase, sizeof(slot->phase));
	return sink(arg, &record, sizeof(record));
}

int phases_drain(struct phases *p, bool is_last, record_sink sink, void *arg)
{
	uint64_t end = __atomic_load_n(&p->ring->next, __ATOMIC_ACQUIRE);
	struct mon_mark_slot slot;
	int ret = 0;

	if (end - p->next > MON_MARKS_SLOTS) {
		p->lost += end - p->next - MON_MARKS_SLOTS;
		p->next = end - MON_MARKS_SLOTS;
	}
	for (; !ret && p->next != end; p->next++) {
		switch (take_slot(p, &slot)) {
		case UNFINISHED:
			if (!is_last)
				return 0;
			p->lost++;
			break;
		case OVERWRITTEN:
			p->lost++;
			break;
		case TAKEN:
			p->taken++;
			ret = hand_over(&slot, sink, arg);
			break;
		}
	}
	return ret;
}

uint64_t phases_transfer_ns(struct phases *p)
{
	return p->ring ? __atomic_exchange_n(&p->ring->transfer_ns, 0, __ATOMIC_RELAXED) : 0;
}

struct perfdata_event phases_event(void)
{
	static uint64_t id = PHASE_ID;

	return (struct perfdata_event){
		.name = PHASE_SYSTEM, .ids = &id, .nids = 1,
		.attr = {
			.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_BPF_OUTPUT,
			.size = sizeof(struct perf_event_attr), .sample_period = 1,
			.sample_type = PERFDATA_MARK_SAMPLE, .sample_id_all = 1,
		},
	};
}

void phases_describe(size_t attr, FILE *out)
{
	fprintf(out, "mark\t%zu\t" PHASE_SYSTEM "\tbegin\t%zu:%zu\t%zu\t%zu\t%zu:%zu\n", attr,
		offsetof(struct phase_fields, device), sizeof(((struct phase_fields *)0)->device),
		offsetof(struct phase_fields, place), offsetof(struct phase_fields, pid),
		offsetof(struct phase_fields, user), sizeof(((struct phase_fields *)0)->user));
}
