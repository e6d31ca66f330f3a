/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Six equal threads (or THREADS), main being one of them: each does the same work on its own data. The
 * others are joined through the futex that the kernel clears and wakes when a thread exits. With
 * MAIN_TIMES main does so many times the work and needs no join: all others have ended by then. So
 * what it does depends on nothing but the model, and counts repeat to the last packet.
 */
#include "examples/hexagon/linux.h"

#ifndef THREADS
#define THREADS 6
#endif
#define STACK 4096
#ifndef MAIN_TIMES
#define MAIN_TIMES 1
#endif
#ifndef ITERATIONS
#define ITERATIONS 2000000
#endif

/* VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, PARENT_SETTID, CHILD_CLEARTID */
#define CLONE_FLAGS (0x50f00 | 0x00100000 | 0x00200000)

static struct {
	volatile int tid;
	volatile unsigned int result;
	char stack[STACK] __attribute__((aligned(16)));
} threads[THREADS];

/* One step of a linear congruential generator an iteration: nothing that a compiler can shorten. */
static unsigned int work(unsigned int seed)
{
	for (int i = 0; i < ITERATIONS; i++) {
		seed = seed * 1664525 + 1013904223;
		__asm__ volatile ("" : "+r" (seed));
	}
	return seed;
}

__attribute__((used, noreturn)) static void thread_main(int index)
{
	threads[index].result = work(7);
	syscall4(SYS_EXIT, 0, 0, 0, 0);
	__builtin_unreachable();
}

/* start_thread(flags, stack top, &tid, &tid, index): the child finds the index in r7. */
long start_thread(long flags, void *top, volatile int *settid, volatile int *cleartid, int index);
__asm__(".text\n"
	".type start_thread, @function\n"
	"start_thread:\n"
	"	{ r7 = r4 }\n"
	"	{ r4 = #0 }\n"
	"	{ r6 = #220 }\n"
	"	{ trap0(#1) }\n"
	"	{ p0 = cmp.eq(r0,#0) }\n"
	"	{ if (!p0) jumpr r31 }\n"
	"	{ r0 = r7 }\n"
	"	{ call thread_main }\n");

int main(void)
{
	for (int i = 1; i < THREADS; i++) {
		threads[i].tid = -1;
		/* flags, stack, parent_tid, child_tid: the order of the generic system call table */
		if (start_thread(CLONE_FLAGS, threads[i].stack + STACK, &threads[i].tid,
				 &threads[i].tid, i) < 0) {
			write_text("clone failed\n");
			return 1;
		}
	}
	for (int i = 0; i < MAIN_TIMES; i++)
		threads[0].result = work(7);
	for (int i = 1; i < THREADS; i++) {
		int tid;

		while (MAIN_TIMES == 1 && (tid = threads[i].tid) != 0)
			syscall4(SYS_FUTEX, (long)&threads[i].tid, FUTEX_WAIT, tid, 0);
		if (threads[i].result != threads[0].result)
			return 1;
	}
	write_text("the threads agree\n");
	return 0;
}
