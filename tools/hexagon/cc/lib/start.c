/* SPDX-License-Identifier: MIT */
/* A program's start. */
#include <stdlib.h>
#include <unistd.h>

#include "system.h"

int main(int argc, char **argv, char **environment);

/* The kernel's stack: number of arguments, arguments, 0, environment, 0. r31 and r30 end the chain of frames. */
__asm__(".globl _start\n"
	".type _start, @function\n"
	"_start:\n"
	"	{ r0 = r29 }\n"
	"	{ r29 = and(r29,#-16) }\n"
	"	{ r31 = #0 }\n"
	"	{ r30 = #0 }\n"
	"	{ call __start }\n");

typedef void (*function_t)(void);
extern const function_t __init_array_start[], __init_array_end[] __attribute__((visibility("hidden")));

__attribute__((used, noreturn)) static void __start(long *stack)
{
	char **argv = (char **)(stack + 1);
	int argc = *stack;
	char room[__thread_size()];

	environ = argv + argc + 1;
	__set_self(__thread_place(room + sizeof(room)));
	for (const function_t *f = __init_array_start; f < __init_array_end; f++)
		(*f)();
	exit(main(argc, argv, environ));
}
