// SPDX-License-Identifier: GPL-2.0-only
/* Counters that are read again and again, with the last readings kept. */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/describe.h"
#include "tools/monctl/export.h"
#include "tools/monctl/live.h"
#include "tools/monctl/page.h"

struct live {
	pthread_mutex_t lock;		/* what follows, but for rec and sel */
	const struct selection *sel;
	struct recording *rec;		/* the description */
	uint64_t interval;
	struct groups *groups;
	struct reading *before, *now;
	double *total;			/* of each counter */
	uint64_t *bin;			/* LIVE_BINS times all counters, a ring */
	uint64_t next;
};

static struct recording *live_describe(const struct selection *sel, uint64_t interval)
{
	struct recording *rec;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		die("out of memory");
	describe_head(out, NULL);
	fprintf(out, "interval\t%" PRIu64 "\n", interval);
	describe_selection(out, sel, NULL);
	if (fclose(out))
		die("out of memory");
	rec = recording_parse(text, size, "live");
	if (!rec)
		die_mon();
	free(text);
	return rec;
}

struct live *live_new(const struct selection *sel, uint64_t interval)
{
	struct live *live = calloc(1, sizeof(*live));

	if (!live)
		die("out of memory");
	pthread_mutex_init(&live->lock, NULL);
	live->sel = sel;
	live->interval = interval;
	live->rec = live_describe(sel, interval);
	live->groups = groups_open(sel);
	live->before = calloc(sel->count, sizeof(*live->before));
	live->now = calloc(sel->count, sizeof(*live->now));
	live->total = calloc(sel->count, sizeof(*live->total));
	live->bin = calloc(sel->count * LIVE_BINS, sizeof(*live->bin));
	if (!live->before || !live->now || !live->total || !live->bin)
		die("out of memory");
	groups_enable(live->groups);
	return live;
}

void live_free(struct live *live)
{
	groups_free(live->groups);
	recording_free(live->rec);
	free(live->before);
	free(live->now);
	free(live->total);
	free(live->bin);
	pthread_mutex_destroy(&live->lock);
	free(live);
}

void live_measure(struct live *live)
{
	size_t count = live->sel->count, i;
	uint64_t *bin;

	groups_read(live->groups, live->now);
	pthread_mutex_lock(&live->lock);
	bin = live->bin + live->next % LIVE_BINS * count;
	for (i = 0; i < count; i++) {
		double counted = reading_count(&live->before[i], &live->now[i]);

		live->total[i] += counted;
		bin[i] = counted;
	}
	live->next++;
	pthread_mutex_unlock(&live->lock);
	memcpy(live->before, live->now, count * sizeof(*live->now));
}

uint64_t live_next(struct live *live)
{
	uint64_t next;

	pthread_mutex_lock(&live->lock);
	next = live->next;
	pthread_mutex_unlock(&live->lock);
	return next;
}

/* Oldest first; bins from before the start are 0. */
static void get_bins(const struct page *page, const struct rec_counter *counter, uint64_t *bin)
{
	const struct live *live = page->arg;
	size_t index = counter - live->rec->counter;

	for (size_t b = 0; b < LIVE_BINS; b++)
		bin[b] = live->bin[(live->next + b) % LIVE_BINS * live->sel->count + index];
}

static FILE *open_text(char **text, size_t *size)
{
	FILE *out = open_memstream(text, size);

	if (!out)
		die("out of memory");
	return out;
}

char *live_page(struct live *live, size_t *size)
{
	struct page page = {
		.rec = live->rec, .bins = LIVE_BINS, .bin_ns = live->interval, .is_live = true,
		.get_bins = get_bins, .arg = live,
	};
	char *text;
	FILE *out = open_text(&text, size);

	pthread_mutex_lock(&live->lock);
	page.next = live->next;
	page_write(&page, out);
	pthread_mutex_unlock(&live->lock);
	fclose(out);
	return text;
}

static char *make_metrics(struct live *live, bool is_plain, size_t *size)
{
	size_t count = live->sel->count, i;
	double *value = calloc(count, sizeof(*value));
	char *text;
	FILE *out = open_text(&text, size);

	if (!value)
		die("out of memory");
	pthread_mutex_lock(&live->lock);
	for (i = 0; i < count; i++)
		value[i] = live->total[i] * counter_scale(&live->sel->counter[i]);
	pthread_mutex_unlock(&live->lock);
	openmetrics_now(live->rec, value, is_plain, out);
	fclose(out);
	free(value);
	return text;
}

char *live_metrics(struct live *live, size_t *size)
{
	return make_metrics(live, false, size);
}

char *live_plain_metrics(struct live *live, size_t *size)
{
	return make_metrics(live, true, size);
}

char *live_data(struct live *live, uint64_t after, size_t *size)
{
	size_t count = live->sel->count, i;
	char *text;
	FILE *out = open_text(&text, size);

	pthread_mutex_lock(&live->lock);
	if (after > live->next)
		after = live->next;
	if (live->next - after > LIVE_BINS)
		after = live->next - LIVE_BINS;
	fprintf(out, "{\"next\":%" PRIu64 ",\"bins\":[", live->next);
	for (uint64_t b = after; b < live->next; b++) {
		const uint64_t *bin = live->bin + b % LIVE_BINS * count;

		fprintf(out, "%s[", b > after ? "," : "");
		for (i = 0; i < count; i++)
			fprintf(out, "%s%" PRIu64, i ? "," : "", bin[i]);
		fputc(']', out);
	}
	fprintf(out, "]}\n");
	pthread_mutex_unlock(&live->lock);
	fclose(out);
	return text;
}
