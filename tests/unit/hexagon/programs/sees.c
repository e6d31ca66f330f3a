/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a program can see and do: sees WORD... Each word is a letter and what to try; prints the error's number, or 0, in a line.
 *
 * rFILE reads a byte, wFILE opens for writing, mFOLDER makes it, kPID sends no signal, cPORT connects to 127.0.0.1, uNAME to an
 * abstract socket. lFOLDER prints names, v the number of variables of the environment, h how many descriptors are
 * sockets or folders, d how many are to be had.
 */
#include "examples/hexagon/linux.h"

#define SYS_DUP 23
#define SYS_MKDIRAT 34
#define SYS_FCHDIR 50
#define SYS_OPENAT 56
#define SYS_CLOSE 57
#define SYS_GETDENTS64 61
#define SYS_READ 63
#define SYS_KILL 129
#define SYS_SOCKET 198
#define SYS_CONNECT 203
#define SYS_GETSOCKNAME 204
#define HERE (-100)
#define READ 0
#define WRITE 01
#define CREATE 0100
#define FOLDER 0200000
#define MANY 100	/* more descriptors than a program may have */
#define UNIX 1
#define INET 2
#define STREAM 1

static long number_of(const char *text)
{
	long n = 0;

	while (*text)
		n = 10 * n + *text++ - '0';
	return n;
}

static long try_read(const char *file)
{
	long fd = syscall4(SYS_OPENAT, HERE, (long)file, READ, 0), got;
	char byte;

	if (fd < 0)
		return fd;
	got = syscall4(SYS_READ, fd, (long)&byte, 1, 0);
	syscall4(SYS_CLOSE, fd, 0, 0, 0);
	return got < 0 ? got : 0;
}

static long try_write(const char *file)
{
	long fd = syscall4(SYS_OPENAT, HERE, (long)file, WRITE | CREATE, 0600);

	return fd < 0 ? fd : syscall4(SYS_CLOSE, fd, 0, 0, 0);
}

static long try_connect(const void *address, long size, int family)
{
	long fd = syscall4(SYS_SOCKET, family, STREAM, 0, 0), result;

	if (fd < 0)
		return fd;
	result = syscall4(SYS_CONNECT, fd, (long)address, size, 0);
	syscall4(SYS_CLOSE, fd, 0, 0, 0);
	return result;
}

static long try_port(long port)
{
	const unsigned char address[16] = { INET, 0, port >> 8, port, 127, 0, 0, 1 };

	return try_connect(address, sizeof(address), INET);
}

static long try_socket(const char *name)
{
	static char address[110] = { UNIX };	/* and then a byte of 0 */
	long n = 3;

	for (; *name; n++)
		address[n] = *name++;
	return try_connect(address, n, UNIX);
}

static void list(const char *folder)
{
	long fd = syscall4(SYS_OPENAT, HERE, (long)folder, READ | FOLDER, 0), n;
	static char entries[4096] __attribute__((aligned(8)));

	while ((n = syscall4(SYS_GETDENTS64, fd, (long)entries, sizeof(entries), 0)) > 0)
		for (long at = 0; at < n; at += *(unsigned short *)(entries + at + 16)) {
			if (entries[at + 19] == '.')
				continue;
			write_text(entries + at + 19);
			write_text("\n");
		}
}

static long inherited(void)
{
	long n = 0, size = 0;

	for (long fd = 0; fd < MANY; fd++)
		n += !syscall4(SYS_GETSOCKNAME, fd, (long)&size, (long)&size, 0) || !syscall4(SYS_FCHDIR, fd, 0, 0, 0);
	return n;
}

static long descriptors(void)
{
	long fd = 0, last = 0;

	while (fd >= 0 && last < MANY) {
		last = fd;
		fd = syscall4(SYS_DUP, 0, 0, 0, 0);
	}
	return last + 1;
}

int main(void)
{
	/* above the frame: number of arguments, arguments, 0, environment, 0 */
	char **stack = (char **)__builtin_frame_address(0) + 2;
	long n = (long)stack[0], variables = 0;

	while (stack[n + 2 + variables])
		variables++;
	for (char **word = stack + 2; *word; word++) {
		const char *rest = *word + 1;
		long result = 0;

		switch (**word) {
		case 'r':
			result = try_read(rest);
			break;
		case 'w':
			result = try_write(rest);
			break;
		case 'm':
			result = syscall4(SYS_MKDIRAT, HERE, (long)rest, 0700, 0);
			break;
		case 'k':
			result = syscall4(SYS_KILL, number_of(rest), 0, 0, 0);
			break;
		case 'c':
			result = try_port(number_of(rest));
			break;
		case 'u':
			result = try_socket(rest);
			break;
		case 'v':
			result = -variables;
			break;
		case 'h':
			result = -inherited();
			break;
		case 'd':
			result = -descriptors();
			break;
		case 'l':
			list(rest);
			continue;
		}
		write_number("", -result);
	}
	return 0;
}
