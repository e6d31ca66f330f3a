/* SPDX-License-Identifier: MIT */
/* Threads, and what they wait for: futexes. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/lock.h>
#include <time.h>
#include <unistd.h>

#include "system.h"

#define FUTEX_WAIT_PRIVATE 128
#define FUTEX_WAKE_PRIVATE 129
/* VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, PARENT_SETTID, CHILD_CLEARTID */
#define CLONE_FLAGS 0x350f00
#define STACK 0x10000

void __wait(unsigned int *word, unsigned int value)
{
	__system(SYS_FUTEX, (long)word, FUTEX_WAIT_PRIVATE, value, 0, 0, 0);
}

void __wake(unsigned int *word, int n)
{
	__system(SYS_FUTEX, (long)word, FUTEX_WAKE_PRIVATE, n, 0, 0, 0);
}

static int try_lock(int *lock)
{
	int free = 0;

	return __atomic_compare_exchange_n(lock, &free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void __lock(int *lock)
{
	if (try_lock(lock))
		return;
	while (__atomic_exchange_n(lock, 2, __ATOMIC_ACQUIRE))
		__wait((unsigned int *)lock, 2);
}

void __unlock(int *lock)
{
	if (__atomic_exchange_n(lock, 0, __ATOMIC_RELEASE) == 2)
		__wake((unsigned int *)lock, 1);
}

/* ---- a thread's variables */

/* ELF, as far as needed here: the segment of the initial values of _Thread_local variables. */
struct elf_head {
	unsigned char ident[16];
	uint16_t type, machine;
	uint32_t version, entry, segments_at, sections_at, flags;
	uint16_t size, segment_size, segments;
};
struct elf_segment {
	uint32_t type, offset, address, physical, file_size, size, flags, alignment;
};
#define ELF_TLS 7
extern const struct elf_head __ehdr_start __attribute__((visibility("hidden")));

#define SELF_ALIGNMENT 16

static const struct elf_segment *variables(void)
{
	const char *at = (const char *)&__ehdr_start + __ehdr_start.segments_at;

	for (unsigned int i = 0; i < __ehdr_start.segments; i++, at += __ehdr_start.segment_size)
		if (((const struct elf_segment *)at)->type == ELF_TLS)
			return (const struct elf_segment *)at;
	return NULL;
}

/* The linker puts variables at offsets below UGP: their size, rounded up to their alignment. */
static size_t variables_size(const struct elf_segment *v)
{
	return v ? (v->size + v->alignment - 1) & -v->alignment : 0;
}

static size_t alignment_of(const struct elf_segment *v)
{
	return v && v->alignment > SELF_ALIGNMENT ? v->alignment : SELF_ALIGNMENT;
}

size_t __thread_size(void)
{
	const struct elf_segment *v = variables();

	return variables_size(v) + sizeof(struct __pthread) + 2 * alignment_of(v);
}

struct __pthread *__thread_place(char *end)
{
	const struct elf_segment *v = variables();
	struct __pthread *self = (struct __pthread *)((uintptr_t)(end - sizeof(*self)) & -alignment_of(v));
	char *first = (char *)self - variables_size(v);

	memset(self, 0, sizeof(*self));
	if (v) {
		memcpy(first, (const void *)(uintptr_t)v->address, v->file_size);
		memset(first + v->file_size, 0, v->size - v->file_size);
	}
	return self;
}

/* ---- threads */

/* Detached ones, whose memory is freed when they have ended. */
static struct __pthread *detached;
static int list_lock;

pthread_t pthread_self(void)
{
	struct __pthread *self;

	__asm__ ("%0 = ugp" : "=r" (self));
	return self;
}

static void unmap(void *memory, size_t size)
{
	if (memory)
		__system(SYS_MUNMAP, (long)memory, size, 0, 0, 0, 0);
}

static void free_detached(void)
{
	__lock(&list_lock);
	for (struct __pthread **at = &detached; *at;) {
		struct __pthread *t = *at;

		if (__atomic_load_n(&t->tid, __ATOMIC_ACQUIRE)) {
			at = &t->next;
			continue;
		}
		*at = t->next;
		unmap(t->memory, t->size);
	}
	__unlock(&list_lock);
}

/* Starts at the top of its stack with itself in r7. */
__attribute__((used, noreturn)) static void thread_main(struct __pthread *self)
{
	__set_self(self);
	pthread_exit(self->run(self->arg));
}

/* start_thread(flags, stack, &tid, self, &tid): clone takes flags, stack, place of the number, variables, place to clear. */
long __start_thread(long flags, void *stack, int *set, struct __pthread *self, int *clear) __attribute__((visibility("hidden")));
__asm__(".text\n"
	".type __start_thread, @function\n"
	"__start_thread:\n"
	"	{ r7 = r3 }\n"
	"	{ r3 = r4 }\n"
	"	{ r4 = #0 }\n"
	"	{ r6 = #220 }\n"
	"	{ trap0(#1) }\n"
	"	{ p0 = cmp.eq(r0,#0) }\n"
	"	{ if (!p0) jumpr r31 }\n"
	"	{ r0 = r7 }\n"
	"	{ r30 = #0 }\n"
	"	{ call thread_main }\n");

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
	size_t size = attr && attr->size ? attr->size : STACK;
	char *memory = NULL, *stack = attr ? attr->stack : NULL;
	struct __pthread *self;

	free_detached();
	if (!stack) {
		size += __thread_size();
		/* not malloc(), which fills it with zeros: thousands of misses */
		memory = stack = (char *)__system(SYS_MMAP2, 0, size, 3, 0x22, -1, 0);
		if ((uintptr_t)memory > (uintptr_t)-4096)
			return EAGAIN;
	}
	if (size < __thread_size() + 512) {
		unmap(memory, size);
		return EINVAL;
	}
	self = __thread_place(stack + size);
	self->memory = memory;
	self->size = size;
	self->run = run;
	self->arg = arg;
	self->tid = 1;
	self->detached = attr && attr->detached;
	/* the stack is below its variables */
	stack = (char *)((uintptr_t)(stack + size - __thread_size()) & -16);
	if (self->detached) {
		__lock(&list_lock);
		self->next = detached;
		detached = self;
		__unlock(&list_lock);
	}
	if (__start_thread(CLONE_FLAGS, stack, &self->tid, self, &self->tid) < 0) {
		self->tid = 0;
		if (!self->detached)
			unmap(memory, size);
		return EAGAIN;
	}
	*thread = self;
	return 0;
}

static void wait_for(struct __pthread *thread)
{
	int tid;

	/* the kernel's wake is not a private one */
	while ((tid = __atomic_load_n(&thread->tid, __ATOMIC_ACQUIRE)))
		__system(SYS_FUTEX, (long)&thread->tid, 0, tid, 0, 0, 0);
}

int pthread_join(pthread_t thread, void **result)
{
	if (thread == pthread_self())
		return EDEADLK;
	if (thread->detached)
		return EINVAL;
	wait_for(thread);
	if (result)
		*result = thread->result;
	unmap(thread->memory, thread->size);
	return 0;
}

int pthread_detach(pthread_t thread)
{
	__lock(&list_lock);
	thread->detached = 1;
	thread->next = detached;
	detached = thread;
	__unlock(&list_lock);
	return 0;
}

int pthread_equal(pthread_t a, pthread_t b)
{
	return a == b;
}

/* What needs no end. */
int __destroy_nothing(void *p)
{
	(void)p;
	return 0;
}

int pthread_attr_init(pthread_attr_t *attr)
{
	*attr = (pthread_attr_t){ 0 };
	return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size)
{
	if (size < PTHREAD_STACK_MIN)
		return EINVAL;
	attr->size = size;
	return 0;
}

int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size)
{
	attr->stack = stack;
	attr->size = size;
	return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attr, int state)
{
	attr->detached = state;
	return 0;
}

/* 0: not called; 1: being called; 2: waited for; 3: done */
int pthread_once(pthread_once_t *once, void (*function)(void))
{
	int state = 0;

	if (__atomic_compare_exchange_n(once, &state, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
		function();
		if (__atomic_exchange_n(once, 3, __ATOMIC_RELEASE) == 2)
			__wake((unsigned int *)once, INT_MAX);
		return 0;
	}
	while (state != 3) {
		if (state == 1)
			__atomic_compare_exchange_n(once, &state, 2, 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE);
		else
			__wait((unsigned int *)once, 2);
		state = __atomic_load_n(once, __ATOMIC_ACQUIRE);
	}
	return 0;
}

/* ---- values of threads */

static void nothing(void *value)
{
	(void)value;
}

static void (*destroyers[PTHREAD_KEYS_MAX])(void *);
static unsigned int keys;

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
	unsigned int n = __atomic_fetch_add(&keys, 1, __ATOMIC_RELAXED);

	if (n >= PTHREAD_KEYS_MAX)
		return EAGAIN;
	destroyers[n] = destroy ? destroy : nothing;
	*key = n;
	return 0;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
	if (key >= PTHREAD_KEYS_MAX)
		return EINVAL;
	pthread_self()->values[key] = (void *)value;
	return 0;
}

void *pthread_getspecific(pthread_key_t key)
{
	return key < PTHREAD_KEYS_MAX ? pthread_self()->values[key] : NULL;
}

void pthread_exit(void *result)
{
	struct __pthread *self = pthread_self();

	for (int i = 0; i < PTHREAD_KEYS_MAX; i++) {
		void *value = self->values[i];

		self->values[i] = NULL;
		if (value)
			destroyers[i](value);
	}
	self->result = result;
	for (;;)
		__system(SYS_EXIT, 0, 0, 0, 0, 0, 0);
}

/* ---- mutexes */

int pthread_mutexattr_init(pthread_mutexattr_t *attr)
{
	attr->kind = PTHREAD_MUTEX_NORMAL;
	return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int kind)
{
	attr->kind = kind;
	return 0;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr)
{
	*mutex = (pthread_mutex_t){ .kind = attr ? attr->kind : PTHREAD_MUTEX_NORMAL };
	return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	return mutex->state ? EBUSY : 0;
}

/* The calling thread holds it: 0 if it may once more. */
static int lock_again(pthread_mutex_t *mutex, int error)
{
	if (mutex->kind != PTHREAD_MUTEX_RECURSIVE)
		return error;
	mutex->count++;
	return 0;
}

static int is_own(const pthread_mutex_t *mutex)
{
	return __atomic_load_n(&mutex->owner, __ATOMIC_RELAXED) == pthread_self();
}

static void own(pthread_mutex_t *mutex, pthread_t self)
{
	__atomic_store_n(&mutex->owner, self, __ATOMIC_RELAXED);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	if (mutex->kind != PTHREAD_MUTEX_NORMAL && is_own(mutex))
		return lock_again(mutex, EDEADLK);
	__lock(&mutex->state);
	own(mutex, pthread_self());
	return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	if (mutex->kind != PTHREAD_MUTEX_NORMAL && is_own(mutex))
		return lock_again(mutex, EBUSY);
	if (!try_lock(&mutex->state))
		return EBUSY;
	own(mutex, pthread_self());
	return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	if (mutex->kind != PTHREAD_MUTEX_NORMAL && !is_own(mutex))
		return EPERM;
	if (mutex->count) {
		mutex->count--;
		return 0;
	}
	own(mutex, NULL);
	__unlock(&mutex->state);
	return 0;
}

/* ---- picolibc's locks: one for the library, one for each file */

struct __lock {
	pthread_mutex_t mutex;
};
struct __lock __lock___libc_recursive_mutex = { PTHREAD_RECURSIVE_MUTEX_INITIALIZER };

void __retarget_lock_init_recursive(_LOCK_T *lock)
{
	*lock = malloc(sizeof(**lock));
	if (!*lock)
		abort();
	(*lock)->mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER;
}

void __retarget_lock_close_recursive(_LOCK_T lock)
{
	free(lock);
}

void __retarget_lock_acquire_recursive(_LOCK_T lock)
{
	pthread_mutex_lock(&lock->mutex);
}

void __retarget_lock_release_recursive(_LOCK_T lock)
{
	pthread_mutex_unlock(&lock->mutex);
}

/* ---- locks of many readers or one writer: the number of readers, or WRITER */

#define WRITER UINT_MAX

int __take_rwlock(pthread_rwlock_t *lock, int write, int wait)
{
	for (;;) {
		unsigned int state = __atomic_load_n(&lock->state, __ATOMIC_RELAXED);

		if (write ? state == 0 : state < WRITER - 1) {
			if (__atomic_compare_exchange_n(&lock->state, &state, write ? WRITER : state + 1, 0, __ATOMIC_ACQUIRE,
							__ATOMIC_RELAXED))
				return 0;
		} else if (wait) {
			__wait(&lock->state, state);
		} else {
			return EBUSY;
		}
	}
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	if (__atomic_load_n(&lock->state, __ATOMIC_RELAXED) == WRITER)
		__atomic_store_n(&lock->state, 0, __ATOMIC_RELEASE);
	else if (__atomic_sub_fetch(&lock->state, 1, __ATOMIC_RELEASE))
		return 0;
	__wake(&lock->state, INT_MAX);
	return 0;
}

/* ---- conditions, barriers, semaphores */

int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr)
{
	(void)attr;
	cond->turn = 0;
	return 0;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	unsigned int turn = __atomic_load_n(&cond->turn, __ATOMIC_RELAXED);
	int count = mutex->count;

	mutex->count = 0;
	pthread_mutex_unlock(mutex);
	__wait(&cond->turn, turn);
	pthread_mutex_lock(mutex);
	mutex->count = count;
	return 0;
}

static int wake_waiters(pthread_cond_t *cond, int n)
{
	__atomic_fetch_add(&cond->turn, 1, __ATOMIC_RELAXED);
	__wake(&cond->turn, n);
	return 0;
}

int pthread_cond_signal(pthread_cond_t *cond)
{
	return wake_waiters(cond, 1);
}

int pthread_cond_broadcast(pthread_cond_t *cond)
{
	return wake_waiters(cond, INT_MAX);
}

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr, unsigned int n)
{
	(void)attr;
	if (!n)
		return EINVAL;
	*barrier = (pthread_barrier_t){ .needed = n };
	return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
	/* until those that were woken have left it */
	__lock(&barrier->lock);
	__unlock(&barrier->lock);
	return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	unsigned int turn;

	__lock(&barrier->lock);
	turn = barrier->turn;
	if (++barrier->arrived == barrier->needed) {
		barrier->arrived = 0;
		__atomic_store_n(&barrier->turn, turn + 1, __ATOMIC_RELEASE);
		__unlock(&barrier->lock);
		__wake(&barrier->turn, INT_MAX);
		return PTHREAD_BARRIER_SERIAL_THREAD;
	}
	__unlock(&barrier->lock);
	while (__atomic_load_n(&barrier->turn, __ATOMIC_ACQUIRE) == turn)
		__wait(&barrier->turn, turn);
	return 0;
}

int sem_init(sem_t *sem, int shared, unsigned int value)
{
	(void)shared;
	sem->value = value;
	return 0;
}

int sem_post(sem_t *sem)
{
	__atomic_fetch_add(&sem->value, 1, __ATOMIC_RELEASE);
	__wake(&sem->value, 1);
	return 0;
}

int sem_trywait(sem_t *sem)
{
	unsigned int value = __atomic_load_n(&sem->value, __ATOMIC_RELAXED);

	while (value)
		if (__atomic_compare_exchange_n(&sem->value, &value, value - 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return 0;
	errno = EAGAIN;
	return -1;
}

int sem_wait(sem_t *sem)
{
	while (sem_trywait(sem) < 0)
		__wait(&sem->value, 0);
	return 0;
}

int sched_yield(void)
{
	return __system(SYS_YIELD, 0, 0, 0, 0, 0, 0);
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
	/* the system's times have 32 bits */
	int32_t wanted[2] = { time->tv_sec, time->tv_nsec }, rest[2] = { 0, 0 };
	long error = __system(SYS_NANOSLEEP, (long)wanted, (long)rest, 0, 0, 0, 0);

	if (left)
		*left = (struct timespec){ rest[0], rest[1] };
	if (!error)
		return 0;
	errno = -error;
	return -1;
}

int usleep(useconds_t us)
{
	struct timespec time = { us / 1000000, us % 1000000 * 1000 };

	return nanosleep(&time, NULL);
}

unsigned int sleep(unsigned int seconds)
{
	struct timespec time = { seconds, 0 };

	nanosleep(&time, &time);
	return time.tv_sec;
}
