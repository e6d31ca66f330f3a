/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that read events of espmon in every possible way while the test acts on the PMU.
 */
#ifndef TESTS_GUEST_PMU_READERS_H
#define TESTS_GUEST_PMU_READERS_H

struct readers;

/* n threads, each with an event, a group and a mapping of its own. */
struct readers *readers_start(unsigned int n);
/*
 * Ends them. The test fails if a count went back, or if a reading failed in another way than ENODEV of
 * a group. Returns how often that was.
 */
unsigned long readers_end(struct readers *readers);

#endif
