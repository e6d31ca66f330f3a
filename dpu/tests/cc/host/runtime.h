/* SPDX-License-Identifier: GPL-2.0-only */
/* The DPU's runtime for a host: tasklets are threads, MRAM is memory. All of its headers include this. */
#ifndef HOST_RUNTIME_H
#define HOST_RUNTIME_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef NR_TASKLETS
#define NR_TASKLETS 1
#endif

#define __mram
#define __mram_noinit
#define __mram_ptr
#define __host
#define __dma_aligned __attribute__((aligned(8)))

extern __thread unsigned int tasklet;
#define me() tasklet

#define mram_read(from, to, size) memcpy(to, from, size)
#define mram_write(from, to, size) memcpy(to, from, size)

typedef struct {
	char *at;
} seqreader_t;
typedef int seqreader_buffer_t;
#define seqread_alloc() 0
#define seqread_init(buffer, address, reader) ((void)(buffer), (void)(reader), (void *)(address))
#define seqread_seek(address, reader) ((void)(reader), (void *)(address))
#define seqread_get(p, size, reader) ((void)(reader), (void *)((char *)(p) + (size)))
#define seqread_tell(p, reader) ((void)(reader), (void *)(p))

typedef pthread_mutex_t *mutex_id_t;
#define MUTEX_INIT(name) \
	static pthread_mutex_t mutex_##name = PTHREAD_MUTEX_INITIALIZER; \
	static pthread_mutex_t *const name = &mutex_##name
#define mutex_lock(m) pthread_mutex_lock(m)
#define mutex_unlock(m) pthread_mutex_unlock(m)
#define mutex_trylock(m) (!pthread_mutex_trylock(m))
#define MUTEX_POOL_INIT(name, size) \
	static pthread_mutex_t pool_##name = PTHREAD_MUTEX_INITIALIZER; \
	static pthread_mutex_t *const name = &pool_##name
#define mutex_pool_lock(pool, n) pthread_mutex_lock(*(pool))
#define mutex_pool_unlock(pool, n) pthread_mutex_unlock(*(pool))

#define BARRIER_INIT(name, count) static pthread_barrier_t name; BEFORE(pthread_barrier_init(&name, NULL, count), name)
#define barrier_wait(b) pthread_barrier_wait(b)
#define SEMAPHORE_INIT(name, count) static sem_t name; BEFORE(sem_init(&name, 0, count), name)
#define BEFORE(statement, name) \
	static void __attribute__((constructor)) init_##name(void) { statement; }
#define sem_take(s) sem_wait(s)
#define sem_give(s) sem_post(s)

void handshake_wait_for(unsigned int who);
void handshake_notify(void);

#define mem_alloc(size) malloc(size)
#define buddy_init(size) ((void)0)
/* An area of 4096 bytes is full after the one block of this size. */
void *buddy_alloc(size_t size);
void buddy_free(void *p);
#define buddy_realloc(p, size) realloc(p, size)

typedef struct pool {
	void *blocks[8];
	int count;
} *fsb_allocator_t;
fsb_allocator_t fsb_alloc(unsigned int size, unsigned int count);
void *fsb_get(fsb_allocator_t pool);
void fsb_free(fsb_allocator_t pool, void *block);

#endif
