/* SPDX-License-Identifier: MIT */
/* QuRT's threads and what they wait for, on threads of Linux; and the PMU. */
#ifndef QURT_H
#define QURT_H

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#define QURT_EOK 0
#define QURT_EFATAL (-1)
#define QURT_EINVALID 4
#define QURT_EFAILED 12
#define QURT_ENOTALLOWED 13
#define QURT_ENOTHREAD 22

/* ---- threads */

#define QURT_THREAD_ATTR_NAME_MAXLEN 16
#define QURT_THREAD_ATTR_PRIORITY_DEFAULT 254

typedef unsigned int qurt_thread_t;
typedef struct {
	char name[QURT_THREAD_ATTR_NAME_MAXLEN];
	unsigned short priority;	/* kept, without effect */
	unsigned int stack_size;
	void *stack_addr;
} qurt_thread_attr_t;

void qurt_thread_attr_init(qurt_thread_attr_t *attr);
void qurt_thread_attr_set_name(qurt_thread_attr_t *attr, const char *name);
void qurt_thread_attr_set_priority(qurt_thread_attr_t *attr, unsigned short priority);
void qurt_thread_attr_set_stack_addr(qurt_thread_attr_t *attr, void *stack);
void qurt_thread_attr_set_stack_size(qurt_thread_attr_t *attr, unsigned int size);
int qurt_thread_create(qurt_thread_t *id, qurt_thread_attr_t *attr, void (*entry)(void *), void *arg);
void qurt_thread_exit(int status) __SAME_AS(pthread_exit);
qurt_thread_t qurt_thread_get_id(void);
int qurt_thread_join(qurt_thread_t id, int *status);

/* ---- mutexes, semaphores, conditions, barriers */

typedef pthread_mutex_t qurt_mutex_t;
#define QURT_MUTEX_INIT PTHREAD_MUTEX_INITIALIZER
void qurt_mutex_init(qurt_mutex_t *mutex);
void qurt_mutex_destroy(qurt_mutex_t *mutex) __SAME_AS(pthread_mutex_destroy);
void qurt_mutex_lock(qurt_mutex_t *mutex) __SAME_AS(pthread_mutex_lock);
int qurt_mutex_try_lock(qurt_mutex_t *mutex);
void qurt_mutex_unlock(qurt_mutex_t *mutex) __SAME_AS(pthread_mutex_unlock);
/* A thread may lock this kind several times. */
void qurt_rmutex_init(qurt_mutex_t *mutex);
void qurt_rmutex_destroy(qurt_mutex_t *mutex) __SAME_AS(pthread_mutex_destroy);
void qurt_rmutex_lock(qurt_mutex_t *mutex) __SAME_AS(pthread_mutex_lock);
int qurt_rmutex_try_lock(qurt_mutex_t *mutex) __SAME_AS(qurt_mutex_try_lock);
void qurt_rmutex_unlock(qurt_mutex_t *mutex) __SAME_AS(pthread_mutex_unlock);

typedef sem_t qurt_sem_t;
void qurt_sem_init(qurt_sem_t *sem);
void qurt_sem_init_val(qurt_sem_t *sem, unsigned short value);
void qurt_sem_destroy(qurt_sem_t *sem) __SAME_AS(__destroy_nothing);
int qurt_sem_up(qurt_sem_t *sem) __SAME_AS(sem_post);
int qurt_sem_add(qurt_sem_t *sem, unsigned int n);
int qurt_sem_down(qurt_sem_t *sem) __SAME_AS(sem_wait);
int qurt_sem_try_down(qurt_sem_t *sem);

typedef pthread_cond_t qurt_cond_t;
void qurt_cond_init(qurt_cond_t *cond);
void qurt_cond_destroy(qurt_cond_t *cond) __SAME_AS(__destroy_nothing);
void qurt_cond_wait(qurt_cond_t *cond, qurt_mutex_t *mutex) __SAME_AS(pthread_cond_wait);
void qurt_cond_signal(qurt_cond_t *cond) __SAME_AS(pthread_cond_signal);
void qurt_cond_broadcast(qurt_cond_t *cond) __SAME_AS(pthread_cond_broadcast);

typedef pthread_barrier_t qurt_barrier_t;
#define QURT_BARRIER_SERIAL_THREAD 1
#define QURT_BARRIER_OTHER 0
int qurt_barrier_init(qurt_barrier_t *barrier, unsigned int n);
int qurt_barrier_destroy(qurt_barrier_t *barrier) __SAME_AS(pthread_barrier_destroy);
int qurt_barrier_wait(qurt_barrier_t *barrier);

/* ---- signals: 32 bits; a wait ends when any of the mask's is set, or all */

#define QURT_SIGNAL_ATTR_WAIT_ANY 0
#define QURT_SIGNAL_ATTR_WAIT_ALL 1

typedef struct {
	unsigned int signals;
} qurt_signal_t;
typedef qurt_signal_t qurt_anysignal_t;
void qurt_signal_init(qurt_signal_t *signal);
void qurt_signal_destroy(qurt_signal_t *signal) __SAME_AS(__destroy_nothing);
void qurt_signal_set(qurt_signal_t *signal, unsigned int mask);
void qurt_signal_clear(qurt_signal_t *signal, unsigned int mask);
unsigned int qurt_signal_get(qurt_signal_t *signal);
unsigned int qurt_signal_wait(qurt_signal_t *signal, unsigned int mask, unsigned int attribute);
unsigned int qurt_signal_wait_any(qurt_signal_t *signal, unsigned int mask);
unsigned int qurt_signal_wait_all(qurt_signal_t *signal, unsigned int mask);
void qurt_anysignal_init(qurt_anysignal_t *signal) __SAME_AS(qurt_signal_init);
void qurt_anysignal_destroy(qurt_anysignal_t *signal) __SAME_AS(__destroy_nothing);
unsigned int qurt_anysignal_set(qurt_anysignal_t *signal, unsigned int mask);
unsigned int qurt_anysignal_clear(qurt_anysignal_t *signal, unsigned int mask);
unsigned int qurt_anysignal_get(qurt_anysignal_t *signal) __SAME_AS(qurt_signal_get);
unsigned int qurt_anysignal_wait(qurt_anysignal_t *signal, unsigned int mask) __SAME_AS(qurt_signal_wait_any);

/* ---- time, vector contexts */

unsigned long long qurt_get_core_pcycles(void);
unsigned long long qurt_sysclock_get_hw_ticks(void);
int qurt_timer_sleep(unsigned long long us);
#define qurt_timer_get_ticks() qurt_sysclock_get_hw_ticks()
#define QURT_TIMER_TIMETICK_FROM_US(us) ((us) * 192ull / 10)
#define QURT_TIMER_TIMETICK_TO_US(ticks) ((ticks) * 10ull / 192)

/* The model gives a thread a vector context with its first vector packet, so these have nothing to do. */
#define QURT_HVX_MODE_64B 0
#define QURT_HVX_MODE_128B 1
int qurt_hvx_lock(int mode);
int qurt_hvx_unlock(void);
int qurt_hvx_get_mode(void);

/* ---- memory */

typedef unsigned int qurt_addr_t, qurt_size_t;
typedef enum {
	QURT_MEM_ICACHE, QURT_MEM_DCACHE
} qurt_mem_cache_type_t;
typedef enum {
	QURT_MEM_CACHE_FLUSH, QURT_MEM_CACHE_INVALIDATE, QURT_MEM_CACHE_FLUSH_INVALIDATE, QURT_MEM_CACHE_FLUSH_ALL,
	QURT_MEM_CACHE_FLUSH_INVALIDATE_ALL,
} qurt_mem_cache_op_t;
/* Cleans and invalidates the lines; QURT_EINVALID for all lines, which a program cannot do. */
int qurt_mem_cache_clean(qurt_addr_t at, qurt_size_t size, qurt_mem_cache_op_t operation, qurt_mem_cache_type_t type);
#define qurt_malloc(size) malloc(size)
#define qurt_calloc(n, size) calloc(n, size)
#define qurt_realloc(p, size) realloc(p, size)
#define qurt_free(p) free(p)

/* Sleeps while the word has this value; wakes n threads. */
int qurt_futex_wait(void *word, int value);
int qurt_futex_wake(void *word, int n);

/* ---- the PMU's registers: the program has a bank of its own */

#define QURT_PMUCNT0 0
#define QURT_PMUCNT1 1
#define QURT_PMUCNT2 2
#define QURT_PMUCNT3 3
#define QURT_PMUCFG 4
#define QURT_PMUEVTCFG 5
#define QURT_PMUCNT4 6
#define QURT_PMUCNT5 7
#define QURT_PMUCNT6 8
#define QURT_PMUCNT7 9
#define QURT_PMUEVTCFG1 10
#define QURT_PMUSTID0 11
#define QURT_PMUSTID1 12

/* All counters count from now on, or none. */
void qurt_pmu_enable(int enable);
void qurt_pmu_set(int reg, unsigned int value);
unsigned int qurt_pmu_get(int reg);
/* The counters 0 to 7, one after the other. */
void qurt_pmu_get_pmucnt(void *values);

#endif
