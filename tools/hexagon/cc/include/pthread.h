/* SPDX-License-Identifier: MIT */
/* Threads of a Linux program; no cancellation, no scheduling, no sharing between processes. */
#ifndef PTHREAD_H
#define PTHREAD_H

#include <sched.h>
#include <stddef.h>
#include <time.h>

/* The function has another one's code. */
#define __SAME_AS(function) __asm__(#function)

int __destroy_nothing(void *p);

typedef struct __pthread *pthread_t;
typedef struct {
	size_t size;
	void *stack;
	int detached;
} pthread_attr_t;
typedef struct {
	int state;
	int kind;
	pthread_t owner;
	int count;
} pthread_mutex_t;
typedef struct {
	int kind;
} pthread_mutexattr_t;
typedef struct {
	unsigned int turn;
} pthread_cond_t;
typedef struct {
	unsigned int needed, arrived, turn;
	int lock;
} pthread_barrier_t;
typedef struct {
	unsigned int state;
} pthread_rwlock_t;
typedef int pthread_once_t;
typedef unsigned int pthread_key_t;
typedef void pthread_condattr_t;
typedef void pthread_barrierattr_t;
typedef void pthread_rwlockattr_t;

#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_DEFAULT 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_INITIALIZER { 0, 0, 0, 0 }
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER { 0, PTHREAD_MUTEX_RECURSIVE, 0, 0 }
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP PTHREAD_RECURSIVE_MUTEX_INITIALIZER
#define PTHREAD_RWLOCK_INITIALIZER { 0 }
#define PTHREAD_COND_INITIALIZER { 0 }
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_STACK_MIN 4096
#define PTHREAD_KEYS_MAX 32

int pthread_attr_init(pthread_attr_t *attr);
int pthread_attr_destroy(pthread_attr_t *attr) __SAME_AS(__destroy_nothing);
int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size);
int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size);
int pthread_attr_setdetachstate(pthread_attr_t *attr, int detached);

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg);
int pthread_join(pthread_t thread, void **result);
int pthread_detach(pthread_t thread);
int pthread_equal(pthread_t a, pthread_t b);
pthread_t pthread_self(void);
_Noreturn void pthread_exit(void *result);
int pthread_once(pthread_once_t *once, void (*function)(void));

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *));
int pthread_setspecific(pthread_key_t key, const void *value);
void *pthread_getspecific(pthread_key_t key);

int pthread_mutexattr_init(pthread_mutexattr_t *attr);
int pthread_mutexattr_destroy(pthread_mutexattr_t *attr) __SAME_AS(__destroy_nothing);
int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int kind);
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);

int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr);
int pthread_cond_destroy(pthread_cond_t *cond) __SAME_AS(__destroy_nothing);
int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);
int pthread_cond_signal(pthread_cond_t *cond);
int pthread_cond_broadcast(pthread_cond_t *cond);

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr, unsigned int n);
int pthread_barrier_destroy(pthread_barrier_t *barrier);
int pthread_barrier_wait(pthread_barrier_t *barrier);

#define pthread_rwlock_init(lock, attr) ((void)(attr), (lock)->state = 0)
#define pthread_rwlock_destroy(lock) __destroy_nothing(lock)
#define pthread_rwlock_rdlock(lock) __take_rwlock(lock, 0, 1)
#define pthread_rwlock_wrlock(lock) __take_rwlock(lock, 1, 1)
#define pthread_rwlock_tryrdlock(lock) __take_rwlock(lock, 0, 0)
#define pthread_rwlock_trywrlock(lock) __take_rwlock(lock, 1, 0)
int __take_rwlock(pthread_rwlock_t *lock, int write, int wait);
int pthread_rwlock_unlock(pthread_rwlock_t *lock);

#endif
