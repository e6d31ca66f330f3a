/* SPDX-License-Identifier: MIT */
/* What picolibc asks of a system: the end of a program, files, memory; and setjmp(), which picolibc 1.8.10 does not have. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "system.h"

/* picolibc's functions of atexit(); not there in a program that does not call it */
extern void __call_exitprocs(int status, void *param) __attribute__((weak));

typedef void (*function_t)(void);
extern const function_t __fini_array_start[], __fini_array_end[] __attribute__((visibility("hidden")));

void exit(int status)
{
	if (__call_exitprocs)
		__call_exitprocs(status, NULL);
	for (const function_t *f = __fini_array_end; f > __fini_array_start;)
		(*--f)();
	_exit(status);
}

void _exit(int status)
{
	for (;;)
		__system(SYS_EXIT_GROUP, status, 0, 0, 0, 0, 0);
}

void abort(void)
{
	/* SIGABRT */
	__system(SYS_KILL, __system(SYS_GETPID, 0, 0, 0, 0, 0, 0), 6, 0, 0, 0, 0);
	_exit(134);
}

/* picolibc's numbers of errors are Linux's up to ERANGE; files have no others. */
static long result(long n)
{
	if (n >= 0)
		return n;
	errno = -n;
	return -1;
}

ssize_t read(int fd, void *data, size_t size)
{
	return result(__system(SYS_READ, fd, (long)data, size, 0, 0, 0));
}

ssize_t write(int fd, const void *data, size_t size)
{
	return result(__system(SYS_WRITE, fd, (long)data, size, 0, 0, 0));
}

int close(int fd)
{
	return result(__system(SYS_CLOSE, fd, 0, 0, 0, 0, 0));
}

int unlink(const char *path)
{
	return result(__system(SYS_UNLINKAT, AT_LINUX_CWD, (long)path, 0, 0, 0, 0));
}

int open(const char *path, int flags, ...)
{
	static const struct {
		int here, there;
	} bits[] = { { O_WRONLY, 1 }, { O_RDWR, 2 }, { O_CREAT, 0100 }, { O_EXCL, 0200 }, { O_TRUNC, 01000 }, { O_APPEND, 02000 } };
	int there = 0, mode;
	va_list args;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, int) : 0;
	va_end(args);
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		there |= flags & bits[i].here ? bits[i].there : 0;
	return result(__system(SYS_OPENAT, AT_LINUX_CWD, (long)path, there, mode, 0, 0));
}

off_t lseek(int fd, off_t offset, int from)
{
	long long at = 0;
	long error = __system(SYS_LLSEEK, fd, (long)((long long)offset >> 32), (long)offset, (long)&at, from, 0);

	return error ? result(error) : at;
}

/* The heap grows by steps, so that few allocations are system calls. malloc() calls with its lock. */
#define HEAP_STEP 0x10000

void *sbrk(ptrdiff_t size)
{
	static char *top, *end;
	char *old;

	if (!top)
		top = end = (char *)__system(SYS_BRK, 0, 0, 0, 0, 0, 0);
	if (size > end - top) {
		char *wanted = (char *)(((uintptr_t)top + size + HEAP_STEP - 1) & -HEAP_STEP);

		if (size > INTPTR_MAX - HEAP_STEP || (char *)__system(SYS_BRK, (long)wanted, 0, 0, 0, 0, 0) != wanted) {
			errno = ENOMEM;
			return (void *)-1;
		}
		end = wanted;
	}
	old = top;
	top += size;
	return old;
}

/* r16 to r27, r29 (stack), r30 (frame), r31 (return): what a function has to keep */
__asm__(".text\n"
	".globl setjmp\n"
	".type setjmp, @function\n"
	"setjmp:\n"
	"	{ memd(r0+#0) = r17:16\n	  memd(r0+#8) = r19:18 }\n"
	"	{ memd(r0+#16) = r21:20\n	  memd(r0+#24) = r23:22 }\n"
	"	{ memd(r0+#32) = r25:24\n	  memd(r0+#40) = r27:26 }\n"
	"	{ memw(r0+#48) = r29\n	  memd(r0+#56) = r31:30 }\n"
	"	{ r0 = #0\n	  jumpr r31 }\n"
	".globl longjmp\n"
	".type longjmp, @function\n"
	"longjmp:\n"
	"	{ r17:16 = memd(r0+#0)\n	  r19:18 = memd(r0+#8) }\n"
	"	{ r21:20 = memd(r0+#16)\n	  r23:22 = memd(r0+#24) }\n"
	"	{ r25:24 = memd(r0+#32)\n	  r27:26 = memd(r0+#40) }\n"
	"	{ r29 = memw(r0+#48)\n	  r31:30 = memd(r0+#56) }\n"
	"	{ p0 = cmp.eq(r1,#0) }\n"
	"	{ r0 = mux(p0,#1,r1)\n	  jumpr r31 }\n");
