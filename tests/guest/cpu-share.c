// SPDX-License-Identifier: GPL-2.0-only
/*
 * usage: cpu-share ROUNDS: two processes on two processors take turns in adding to words of the same lines. They take
 * turns so that each line changes its cache in each of them, however fast the host is.
 */
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <sys/mman.h>

/* half of an L2 of 32 KiB, in at most its four ways whatever the pages are: lines of 16 bytes */
#define LINES 1024
#define WORDS_A_LINE 2

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 0;
	volatile unsigned long *words = mmap(NULL, (LINES + 1) * WORDS_A_LINE * sizeof(*words), PROT_READ | PROT_WRITE,
					     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned long *turn = (unsigned long *)words + LINES * WORDS_A_LINE;
	int number = fork() > 0;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(number, &set);
	if (words == MAP_FAILED || sched_setaffinity(0, sizeof(set), &set))
		return 1;
	for (long i = 0; i < rounds; i++) {
		while (__atomic_load_n(turn, __ATOMIC_ACQUIRE) % 2 != (unsigned long)number) {
#ifdef __x86_64__
			/* an emulator that has one thread for all processors goes to the next one */
			__builtin_ia32_pause();
#endif
		}
		for (int line = 0; line < LINES; line++)
			words[line * WORDS_A_LINE + number]++;
		__atomic_add_fetch(turn, 1, __ATOMIC_RELEASE);
	}
	return number ? (wait(NULL), 0) : 0;
}
