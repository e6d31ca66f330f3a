/* SPDX-License-Identifier: MIT */
/* Counting semaphores; from -128 to 127. */
#ifndef DPU_CC_SEM_H
#define DPU_CC_SEM_H

#include <atomic_bit.h>

typedef struct sem_t {
	uint8_t wait_queue;
	int8_t count;
	int8_t initial_count;
	uint8_t *lock;
} sem_t;

#define SEMAPHORE_INIT(name, counter) \
	ATOMIC_BIT_INIT(semaphore_##name); \
	extern sem_t name; \
	sem_t name = { 255, (counter), (counter), &ATOMIC_BIT_GET(semaphore_##name) };

void sem_take(sem_t *sem);
void sem_give(sem_t *sem);

#endif
