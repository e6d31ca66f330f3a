/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every operation on a type (T, named N), on all pairs of numbers that are near its limits, powers of
 * two and arbitrary ones.
 */
#include "program.h"

#define PASTE_(a, b) a##_##b
#define PASTE(a, b) PASTE_(a, b)
#define OP(name) PASTE(name, N)

#define MIN ((T)((T)-1 < 0 ? (uint64_t)1 << (8 * sizeof(T) - 1) : 0))
#define MAX ((T) ~MIN)
#define BITS (8 * sizeof(T))

static const T values[] = {
	0, 1, 2, 3, 7, 10, 100, 127, (T)128, (T)255, (T)256, (T)1000, (T)32767, (T)32768, (T)65535, (T)65536,
	(T)123456789, (T)0x7fffffff, (T)0x80000000, (T)0xffffffff, (T)0x123456789abcdef, MIN, (T)(MIN + 1), MAX,
	(T)(MAX - 1), (T)-1, (T)-2, (T)-7, (T)-100, (T)-1000
};

static inline __attribute__((always_inline)) void pairs(uint64_t (*operation)(T a, T b))
{
	hash = 1;
	for (unsigned int i = 0; i < COUNT(values); i++)
		for (unsigned int j = 0; j < COUNT(values); j++)
			mix64(operation(values[i], values[j]));
	printf("%08x\n", hash);
}

#define OPERATION(name, expression) \
	static uint64_t __attribute__((noinline)) OP(op_##name)(T a, T b) { (void)b; return (expression); } \
	PROGRAM(OP(name)) { pairs(OP(op_##name)); }

OPERATION(add, (T)(a + b))
OPERATION(subtract, (T)(a - b))
OPERATION(multiply, (T)((uint64_t)a * (uint64_t)b))
OPERATION(divide, b == 0 || (a == MIN && b == (T)-1) ? 0 : (T)(a / b))
OPERATION(remainder, b == 0 || (a == MIN && b == (T)-1) ? 0 : (T)(a % b))
OPERATION(left, (T)((uint64_t)a << ((unsigned int)b % BITS)))
OPERATION(right, (T)(a >> ((unsigned int)b % BITS)))
OPERATION(logic, (T)((a & b) ^ (a | ~b)) + (uint64_t)(T)(a & ~b) * 3)
OPERATION(compare, (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5)
OPERATION(branch, a < b ? 3 : a == b ? 5 : a > (T)(b / 2) ? 7 : 9)
OPERATION(unary, (uint64_t)(T)-a + (T) ~a + !a + (a ? 2 : 0))
OPERATION(convert, (uint64_t)(int8_t)a ^ (uint64_t)(uint8_t)b << 3 ^ (uint64_t)(int16_t)a << 5 ^
	  (uint64_t)(uint16_t)b << 7 ^ (uint64_t)(int32_t)a << 11 ^ (uint64_t)(uint32_t)b << 13)
OPERATION(constants, (uint64_t)(T)(a * 10) + (T)(a / 10) * 3 + (T)(a % 7) * 5 + (T)(a / 8) * 7 +
	  (T)(a % 16) * 11 + (T)(a * 255) + (T)(a / 1000) + (T)(b * 12345) + (T)(b / 3))

int main(void)
{
	RUN(OP(add));
	RUN(OP(subtract));
	RUN(OP(multiply));
	RUN(OP(divide));
	RUN(OP(remainder));
	RUN(OP(left));
	RUN(OP(right));
	RUN(OP(logic));
	RUN(OP(compare));
	RUN(OP(branch));
	RUN(OP(unary));
	RUN(OP(convert));
	RUN(OP(constants));
	return 0;
}
