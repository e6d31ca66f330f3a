/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A SoC with accelerators in processes of their own, two of a kind. Mode none, 64-bit words: a read of n words is 3 flits and
 * 1 + n, a write 3 + n.
 */
#ifndef REMOTE_RIG_H
#define REMOTE_RIG_H

#include <sys/types.h>

#include "tests/unit/esp/bench.h"

#include "esp/internal.h"
#include "esp/remote.h"

#define ACC		1	/* tiles */
#define MEM		2
#define BUFFER		(MEM_BASE + (1u << 20))
#define SILENCE_MS	400	/* where a process is silent, by the clock below */

/* The same work in C, SystemC and Verilog; numbers are 64 bits wide in C, 32 elsewhere. */
struct variant {
	const char *name, *file;
	uint32_t addend, output;	/* registers */
	bool halves;
};
#define NVARIANTS	3
#define VADD_SC		1
#define VADD_V		2
#define NONSENSE	3
#define GAPLESS		4
#define OVERRUN		5
#define PORTS		6
#define VADD_LATE	7
#define SHAPES		8

extern struct bench rig;
extern struct mon_esp_acc_type *type;
extern bool caches;
extern const struct variant *variant;
extern unsigned int silence;

/*
 * The clock of the model's waits, while the test holds it: a busy host is no silence. It moves with a wait in which
 * no message came, and where the test says so.
 */
extern bool clock_held;
extern uint64_t clock_ms;
extern unsigned int polls;

/* Set-up and tear-down of each test. */
void setup(void);
void teardown(void);

void open_variant_as(unsigned int number, bool confined);
void open_variant(unsigned int number);
/* With the clock held. */
void open_silent(unsigned int number);
uint32_t buffer(unsigned int acc);
void start_words(unsigned int acc, uint32_t words, uint32_t addend, uint32_t output);
/* 64-bit words plus an addend, from word 0 of its buffer on to word 4096 on. */
void start(unsigned int acc, uint32_t words, uint32_t addend);
void is_right(unsigned int acc, uint32_t words, uint32_t addend);
/* Its run fails with this reason. */
void fails(unsigned int acc, const char *why);
pid_t pid_of_first(void);
/* Until the process of the first accelerator has made no progress for as long as it may. */
void wait_for_failure(void);

#endif
