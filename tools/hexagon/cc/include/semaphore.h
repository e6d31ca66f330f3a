/* SPDX-License-Identifier: MIT */
#ifndef SEMAPHORE_H
#define SEMAPHORE_H

#include <pthread.h>

typedef struct {
	unsigned int value;
} sem_t;

int sem_init(sem_t *sem, int shared, unsigned int value);
int sem_destroy(sem_t *sem) __SAME_AS(__destroy_nothing);
int sem_post(sem_t *sem);
int sem_trywait(sem_t *sem);
int sem_wait(sem_t *sem);

#endif
