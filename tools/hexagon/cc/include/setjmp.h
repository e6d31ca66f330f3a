/* SPDX-License-Identifier: MIT */
#ifndef SETJMP_H
#define SETJMP_H

typedef long long jmp_buf[8];

int setjmp(jmp_buf at) __attribute__((__returns_twice__));
void longjmp(jmp_buf at, int value) __attribute__((__noreturn__));
#define setjmp setjmp

#endif
