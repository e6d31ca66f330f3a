/* SPDX-License-Identifier: MIT */
/* Barriers: tasklets stop until the last one arrives. */
#ifndef DPU_CC_BARRIER_H
#define DPU_CC_BARRIER_H

#include <atomic_bit.h>

typedef struct barrier_t {
	uint8_t wait_queue, count, initial_count, last;
	uint8_t *lock;
} barrier_t;

#define BARRIER_INIT(name, counter) \
	ATOMIC_BIT_INIT(barrier_##name); \
	extern barrier_t name; \
	barrier_t name = { 255, (counter), (counter), 0, &ATOMIC_BIT_GET(barrier_##name) };

void barrier_wait(barrier_t *barrier);

#endif
