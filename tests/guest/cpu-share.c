// SPDX-License-Identifier: GPL-2.0-only
/* usage: cpu-share ROUNDS: two processes on two processors add to words of the same lines, 256 lines in turn. */
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <sys/mman.h>

#define LINES 256
#define WORDS_A_LINE 16

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 0;
	volatile unsigned long *words = mmap(NULL, LINES * WORDS_A_LINE * sizeof(*words), PROT_READ | PROT_WRITE,
					     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int number = fork() > 0;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(number, &set);
	if (words == MAP_FAILED || sched_setaffinity(0, sizeof(set), &set))
		return 1;
	for (long i = 0; i < rounds; i++)
		for (int line = 0; line < LINES; line++)
			words[line * WORDS_A_LINE + number]++;
	return number ? (wait(NULL), 0) : 0;
}
