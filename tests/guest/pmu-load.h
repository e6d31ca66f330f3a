/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that runs FFTs all the time on an accelerator that may go away and come back.
 */
#ifndef TESTS_GUEST_PMU_LOAD_H
#define TESTS_GUEST_PMU_LOAD_H

#include <stdint.h>

struct load;

/*
 * On /dev/fft_stratus.N whenever that is there. cut is the error with which an FFT may end that the
 * device has cut off: ENODEV if it goes, EIO if it is reset.
 */
struct load *load_start(unsigned int n, int cut);
/* Until it has run one more FFT. */
void load_wait_running(struct load *load);
/* With the device gone: until it has closed what was open, so that the next one gets its names. */
void load_wait_away(struct load *load);
/* FFTs that ran to their end; those that were cut off, before the run, in it or after it. */
unsigned long load_done(const struct load *load);
unsigned long load_cut(const struct load *load);
/*
 * Ends it. The test fails, here or in the waits, if an FFT ended with another error than that, or
 * the device could not be opened for another reason than that there is none.
 */
void load_end(struct load *load);
void load_free(struct load *load);

#endif
