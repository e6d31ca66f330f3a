// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Windows: the instructions that each thread has executed ahead of its turns.
 *
 * In a window a thread may read and write WRAM as long as no other thread can observe it: each
 * granule of 8 bytes has marks of the windows that last read and wrote it. A window ends before an
 * access to a granule that another open window has written, and before a write to one that another
 * has read.
 *
 * A mark is a window's number and thread; it means nothing once the window is over.
 */
#include <string.h>

#include "dpu/sim/dpu-internal.h"

#define MAX_NUMBER ((DPU_MARK_SHARED >> DPU_MARK_BITS) - 1)

static unsigned int thread_index(const struct dpu *dpu, const struct dpu_thread *t)
{
	return t - dpu->threads;
}

/* The thread whose window left this mark, if it is open. */
static struct dpu_thread *mark_owner(struct dpu *dpu, uint32_t mark)
{
	struct dpu_thread *t = &dpu->threads[mark & DPU_MARK_THREAD];

	return t->credit && t->window == mark ? t : NULL;
}

static uint32_t new_mark(struct dpu *dpu, const struct dpu_thread *t)
{
	return ++dpu->ahead.number << DPU_MARK_BITS | thread_index(dpu, t);
}

uint32_t dpu_mark_shared(const struct dpu *dpu)
{
	return DPU_MARK_SHARED | dpu->ahead.number << DPU_MARK_BITS | DPU_MARK_THREAD;
}

#define LOOK_AGAIN 16	/* windows */

/* It only grows, so it may be some windows old. */
static void find_oldest(struct dpu *dpu)
{
	uint32_t oldest = dpu->ahead.number << DPU_MARK_BITS;

	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++) {
		const struct dpu_thread *t = &dpu->threads[i];

		if (t->credit && t->window < oldest)
			oldest = t->window;
	}
	dpu->ahead.oldest = oldest;
}

/* True if a window that has read a granule, other than the thread's own, is open. */
static bool shared_by_others(const struct dpu *dpu, uint32_t mark, const struct dpu_thread *self)
{
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++) {
		const struct dpu_thread *t = &dpu->threads[i];

		if (t != self && t->credit && t->window <= (mark & ~DPU_MARK_SHARED))
			return true;
	}
	return false;
}

bool dpu_window_read(struct dpu *dpu, struct dpu_thread *t, uint32_t granule)
{
	uint32_t *reader = &dpu->ahead.readers[granule], writer = dpu->ahead.writers[granule];

	if (dpu->ahead.settling)
		return true;
	if (writer != t->window && mark_owner(dpu, writer))
		return false;
	if (*reader & DPU_MARK_SHARED || mark_owner(dpu, *reader))
		*reader = dpu_mark_shared(dpu);
	else
		*reader = t->window;
	return true;
}

bool dpu_window_write(struct dpu *dpu, struct dpu_thread *t, uint32_t granule)
{
	uint32_t *writer = &dpu->ahead.writers[granule], reader = dpu->ahead.readers[granule];
	struct dpu_window *w = &dpu->ahead.windows[thread_index(dpu, t)];

	if (dpu->ahead.settling)
		return true;
	if (w->changed == DPU_CHANGES || mark_owner(dpu, *writer))
		return false;
	if (reader & DPU_MARK_SHARED ? shared_by_others(dpu, reader, t) :
	    reader != t->window && mark_owner(dpu, reader))
		return false;
	*writer = t->window;
	w->changes[w->changed].granule = granule;
	memcpy(&w->changes[w->changed++].old, dpu->wram + 8 * granule, 8);
	return true;
}

/* Of four granules; marks are below 2^31. */
typedef int32_t four_marks __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint64_t two_words __attribute__((vector_size(16)));

/* Is a mark a thread's own, or of a closed window? */
static inline bool harmless_mark(uint32_t m, uint32_t own, uint32_t oldest)
{
	return (m & DPU_MARK_THREAD) == own || (m & ~DPU_MARK_SHARED) < oldest;
}

static inline four_marks harmless(const uint32_t *marks, int32_t own, int32_t oldest)
{
	const four_marks m = *(const four_marks *)marks;

	return ((m & DPU_MARK_THREAD) == own) | ((m & ~DPU_MARK_SHARED) < oldest);
}

/* From a granule on, up to end and the next four. */
static inline bool all_harmless(const uint32_t *marks, uint32_t granule, uint32_t end, int32_t own, int32_t oldest)
{
	four_marks all = harmless(marks + granule, own, oldest);
	two_words both;

	while ((granule += 4) < end)
		all &= harmless(marks + granule, own, oldest);
	both = (two_words)all;
	return (both[0] & both[1]) == UINT64_MAX;
}

bool dpu_window_harmless(const struct dpu *dpu, unsigned int thread, uint32_t address, uint32_t size, bool write)
{
	const uint32_t granule = address / 8, end = (address + size - 1) / 8 + 1;
	const struct dpu_ahead *a = &dpu->ahead;
	const int32_t own = thread;

	return !a->on || (all_harmless(a->writers, granule, end, own, a->oldest) &&
			  (!write || all_harmless(a->readers, granule, end, own, a->oldest)));
}

/* The first granule before end with a mark of another thread that may be of an open window. */
static uint32_t next_marked(const struct dpu_ahead *a, uint32_t own, uint32_t granule, uint32_t end, bool write)
{
	for (; granule < end; granule++)
		if (!harmless_mark(a->writers[granule], own, a->oldest) ||
		    (write && !harmless_mark(a->readers[granule], own, a->oldest)))
			break;
	return granule;
}

enum dpu_conflict dpu_window_conflict(struct dpu *dpu, const struct dpu_thread *self, uint32_t *granule, uint32_t end,
				      bool write, struct dpu_thread **t)
{
	const uint32_t own = thread_index(dpu, self);
	struct dpu_ahead *a = &dpu->ahead;

	while ((*granule = next_marked(a, own, *granule, end, write)) < end) {
		uint32_t reader = a->readers[*granule], writer = a->writers[*granule];

		*t = (writer & DPU_MARK_THREAD) == own ? NULL : mark_owner(dpu, writer);
		if (*t)
			return DPU_CONFLICT_ONE;
		if (write && reader & DPU_MARK_SHARED) {
			if (shared_by_others(dpu, reader, NULL))
				return DPU_CONFLICT_ALL;
			a->readers[*granule] = 0;
		} else if (write && (reader & DPU_MARK_THREAD) != own) {
			*t = mark_owner(dpu, reader);
			if (*t)
				return DPU_CONFLICT_ONE;
		}
		++*granule;
	}
	return DPU_CONFLICT_NONE;
}

struct dpu_window *dpu_window_open(struct dpu *dpu, struct dpu_thread *t)
{
	struct dpu_window *w = &dpu->ahead.windows[thread_index(dpu, t)];

	memcpy(w->r, t->r, sizeof(w->r));
	w->result = t->result;
	w->carry = t->carry;
	w->at = t->at;
	w->changed = 0;
	t->window = new_mark(dpu, t);
	if (!(dpu->ahead.number % LOOK_AGAIN))
		find_oldest(dpu);
	return w;
}

uint32_t dpu_window_undo(struct dpu *dpu, struct dpu_thread *t)
{
	struct dpu_window *w = &dpu->ahead.windows[thread_index(dpu, t)];
	uint32_t turns = w->length - t->credit;

	while (w->changed--)
		memcpy(dpu->wram + 8 * w->changes[w->changed].granule, &w->changes[w->changed].old, 8);
	w->changed = 0;
	memcpy(t->r, w->r, sizeof(w->r));
	t->result = w->result;
	t->carry = w->carry;
	t->at = w->at;
	t->credit = 0;
	t->window = new_mark(dpu, t);
	return turns;
}

bool dpu_windows_exhausted(const struct dpu *dpu)
{
	return dpu->ahead.number > MAX_NUMBER / 2;
}

void dpu_windows_forget(struct dpu *dpu)
{
	memset(dpu->ahead.readers, 0, sizeof(dpu->ahead.readers));
	memset(dpu->ahead.writers, 0, sizeof(dpu->ahead.writers));
	dpu->ahead.number = dpu->ahead.oldest = 0;
}
