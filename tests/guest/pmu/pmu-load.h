/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that runs FFTs all the time on an accelerator that may disappear and return.
 */
#ifndef TESTS_GUEST_PMU_LOAD_H
#define TESTS_GUEST_PMU_LOAD_H

#include <stdint.h>

struct load;

/*
 * On /dev/fft_stratus.1 whenever that exists, so many batches a run. cut is the permitted error of an
 * interrupted run: ENODEV if the device is removed, EIO if it is reset.
 */
struct load *load_start(unsigned int batches, int cut);
/* Until it has run one more FFT. */
void load_wait_running(struct load *load);
/*
 * After the device was removed: waits until the thread has closed its file, so that the next device
 * gets the same names.
 */
void load_wait_away(struct load *load);
/* FFTs that completed; those that were interrupted, before the run, in it or after it. */
unsigned long load_done(const struct load *load);
unsigned long load_cut(const struct load *load);
/*
 * Ends it. The test fails, here or in the waits, if an FFT ended with another error than that, or
 * the device could not be opened for another reason than that there is none.
 */
void load_end(struct load *load);
void load_free(struct load *load);

#endif
