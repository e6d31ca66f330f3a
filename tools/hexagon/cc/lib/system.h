/* SPDX-License-Identifier: MIT */
/* Linux on Hexagon, and what the files of the library share. */
#ifndef DSP_SYSTEM_H
#define DSP_SYSTEM_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define SYS_UNLINKAT 35
#define SYS_OPENAT 56
#define SYS_CLOSE 57
#define SYS_LLSEEK 62
#define SYS_READ 63
#define SYS_WRITE 64
#define SYS_EXIT 93
#define SYS_EXIT_GROUP 94
#define SYS_FUTEX 98
#define SYS_NANOSLEEP 101
#define SYS_YIELD 124
#define SYS_KILL 129
#define SYS_GETPID 172
#define SYS_BRK 214
#define SYS_MUNMAP 215
#define SYS_CLONE 220
#define SYS_MMAP2 222
#define AT_LINUX_CWD (-100)

/* A system call is trap0(#1) in a packet of its own: number in r6, arguments in r0-r5, result in r0. */
static inline long __system(long number, long a, long b, long c, long d, long e, long f)
{
	register long r0 __asm__("r0") = a;
	register long r1 __asm__("r1") = b;
	register long r2 __asm__("r2") = c;
	register long r3 __asm__("r3") = d;
	register long r4 __asm__("r4") = e;
	register long r5 __asm__("r5") = f;
	register long r6 __asm__("r6") = number;

	__asm__ volatile ("trap0(#1)" : "+r" (r0) : "r" (r1), "r" (r2), "r" (r3), "r" (r4), "r" (r5), "r" (r6) : "memory");
	return r0;
}

/* What a thread has, in the register UGP; its _Thread_local variables are before it. */
struct __pthread {
	int tid;		/* the kernel clears it when the thread ends, and wakes who waits for it */
	int detached;
	void *(*run)(void *);
	void *arg, *result;
	void *memory;		/* to be unmapped with it, or NULL */
	size_t size;
	struct __pthread *next;	/* in the list of detached ones */
	void *values[PTHREAD_KEYS_MAX];
};

/* Makes room before `end`, and the thread's variables in it. */
struct __pthread *__thread_place(char *end);
/* Bytes that it needs at most. */
size_t __thread_size(void);
static inline void __set_self(struct __pthread *thread)
{
	__asm__ volatile ("ugp = %0" : : "r" (thread));
}

/* A lock: 0 free, 1 held, 2 held and waited for. */
void __lock(int *lock);
void __unlock(int *lock);
/* Sleeps while the word has this value; wakes n. */
void __wait(unsigned int *word, unsigned int value);
void __wake(unsigned int *word, int n);

/* events/hexagon/services.h */
struct hexagon_service;
int __service(int number, struct hexagon_service *service, long a, long b);

#endif
