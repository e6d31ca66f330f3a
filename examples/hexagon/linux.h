/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The little of Linux that a freestanding Hexagon program needs: start, system calls, threads.
 * A system call is trap0(#1) in a packet of its own: number in r6, arguments in r0-r5, result in r0.
 */
#ifndef EXAMPLES_HEXAGON_LINUX_H
#define EXAMPLES_HEXAGON_LINUX_H

#define SYS_WRITE 64
#define SYS_EXIT 93
#define SYS_EXIT_GROUP 94
#define SYS_FUTEX 98

#define FUTEX_WAIT 0

int main(void);

/* The kernel gives a stack; r31 and r30 end the chain of frames. */
__asm__(".globl _start\n"
	"_start:\n"
	"	{ r30 = #0 }\n"
	"	{ call main }\n"
	"	{ r6 = #94 }\n"
	"	{ trap0(#1) }\n");

static inline long syscall4(long number, long a, long b, long c, long d)
{
	register long r0 __asm__("r0") = a;
	register long r1 __asm__("r1") = b;
	register long r2 __asm__("r2") = c;
	register long r3 __asm__("r3") = d;
	register long r6 __asm__("r6") = number;

	__asm__ volatile ("trap0(#1)" : "+r" (r0) : "r" (r1), "r" (r2), "r" (r3), "r" (r6) : "memory");
	return r0;
}

static inline void write_text(const char *text)
{
	long length = 0;

	while (text[length])
		length++;
	syscall4(SYS_WRITE, 1, (long)text, length, 0);
}

static inline void write_number(const char *before, unsigned int number)
{
	char digits[12];
	char *p = digits + sizeof(digits);

	*--p = 0;
	*--p = '\n';
	do
		*--p = '0' + number % 10;
	while (number /= 10);
	write_text(before);
	write_text(p);
}

#endif
