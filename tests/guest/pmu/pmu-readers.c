// SPDX-License-Identifier: GPL-2.0-only
#include "tests/guest/pmu/pmu-readers.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/guest/pmu/pmu.h"

struct reader {
	struct readers *all;
	int single, group;
	pthread_t thread;
};

struct readers {
	atomic_bool stop;
	atomic_ulong reads, refused;
	unsigned int n;
	struct reader reader[];
};

/*
 * No count may ever go back. Reads of a group fail with ENODEV while the device is away, and with
 * EIO after that, because the counts meanwhile are unknown. Single events keep their counts,
 * because the kernel's read(2) of one cannot fail.
 */
static void *read_all(void *arg)
{
	struct reader *r = arg;
	uint64_t last[3] = { 0 }, n[2];
	unsigned int k;
	int err;

	while (!atomic_load(&r->all->stop)) {
		struct reading one;

		err = event_try_read(r->single, &one);
		if (err || one.count < last[0])
			return "read(2) of an event";
		last[0] = one.count;
		err = group_try_read(r->group, n, 2);
		if (err && err != ENODEV && err != EIO)
			return "read(2) of a group";
		for (k = 0; !err && k < 2; k++) {
			if (n[k] < last[1 + k])
				return "a member of a group went back";
			last[1 + k] = n[k];
		}
		atomic_fetch_add(err ? &r->all->refused : &r->all->reads, 1);
	}
	return NULL;
}

struct readers *readers_start(unsigned int n)
{
	struct readers *readers = calloc(1, sizeof(*readers) + n * sizeof(readers->reader[0]));
	unsigned int i;

	ck_assert_ptr_nonnull(readers);
	readers->n = n;
	for (i = 0; i < n; i++) {
		struct reader *r = &readers->reader[i];

		r->all = readers;
		r->single = event_open(CYCLES | BYTILE(1));
		r->group = event_open_on(PMU, CYCLES, -1, PERF_FORMAT_GROUP);
		event_open_on(PMU, INJECTS_P5, r->group, PERF_FORMAT_GROUP);
		ck_assert_int_eq(pthread_create(&r->thread, NULL, read_all, r), 0);
	}
	return readers;
}

unsigned long readers_end(struct readers *readers)
{
	unsigned long refused;
	unsigned int i;

	atomic_store(&readers->stop, true);
	for (i = 0; i < readers->n; i++) {
		struct reader *r = &readers->reader[i];
		void *failure;

		ck_assert_int_eq(pthread_join(r->thread, &failure), 0);
		ck_assert_msg(!failure, "a reader failed: %s", (char *)failure);
		close(r->single);
	}
	ck_assert_uint_gt(readers->reads, 0);
	refused = readers->refused;
	free(readers);
	return refused;
}
