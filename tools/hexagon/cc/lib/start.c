/* SPDX-License-Identifier: MIT */
/* A program's start and end, and its threads' variables. */
#include <stdlib.h>
#include <string.h>
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

static char **environment;

#define MAX_ATEXIT 32
static void (*at_exit[MAX_ATEXIT])(void);
static int at_exits, exit_lock;

int atexit(void (*function)(void))
{
	int full;

	__lock(&exit_lock);
	full = at_exits == MAX_ATEXIT;
	if (!full)
		at_exit[at_exits++] = function;
	__unlock(&exit_lock);
	return full;
}

typedef void (*function_t)(void);
extern const function_t __init_array_start[], __init_array_end[] __attribute__((visibility("hidden")));
extern const function_t __fini_array_start[], __fini_array_end[] __attribute__((visibility("hidden")));

void exit(int status)
{
	while (at_exits)
		at_exit[--at_exits]();
	for (const function_t *f = __fini_array_end; f > __fini_array_start;)
		(*--f)();
	_Exit(status);
}

void _Exit(int status)
{
	for (;;)
		__system(SYS_EXIT_GROUP, status, 0, 0, 0, 0, 0);
}

void _exit(int status)
{
	_Exit(status);
}

void abort(void)
{
	/* SIGABRT */
	__system(SYS_KILL, __system(SYS_GETPID, 0, 0, 0, 0, 0, 0), 6, 0, 0, 0, 0);
	_Exit(134);
}

char *getenv(const char *name)
{
	size_t n = strlen(name);

	for (char **e = environment; e && *e; e++)
		if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
			return *e + n + 1;
	return NULL;
}

__attribute__((used, noreturn)) static void __start(long *stack)
{
	char **argv = (char **)(stack + 1);
	int argc = *stack;
	char room[__thread_size()];

	environment = argv + argc + 1;
	__set_self(__thread_place(room + sizeof(room)));
	for (const function_t *f = __init_array_start; f < __init_array_end; f++)
		(*f)();
	exit(main(argc, argv, environment));
}
