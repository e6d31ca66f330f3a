// SPDX-License-Identifier: MIT
/* Memory functions; they use words where both addresses have the same alignment. */
#include <stdint.h>
#include <string.h>

typedef uint32_t __attribute__((may_alias)) word_t;

void *memcpy(void *to, const void *from, size_t size)
{
	uint8_t *d = to;
	const uint8_t *s = from;

	if (!(((uintptr_t)d | (uintptr_t)s) & 3)) {
		for (; size >= 16; size -= 16, d += 16, s += 16) {
			((word_t *)d)[0] = ((const word_t *)s)[0];
			((word_t *)d)[1] = ((const word_t *)s)[1];
			((word_t *)d)[2] = ((const word_t *)s)[2];
			((word_t *)d)[3] = ((const word_t *)s)[3];
		}
		for (; size >= 4; size -= 4, d += 4, s += 4)
			*(word_t *)d = *(const word_t *)s;
	}
	while (size--)
		*d++ = *s++;
	return to;
}

void *memmove(void *to, const void *from, size_t size)
{
	uint8_t *d = to;
	const uint8_t *s = from;

	if (d <= s || d >= s + size)
		return memcpy(to, from, size);
	while (size--)
		d[size] = s[size];
	return to;
}

void *memset(void *to, int value, size_t size)
{
	uint8_t *d = to;
	uint32_t word = (uint8_t)value * 0x01010101u;

	for (; size && ((uintptr_t)d & 3); size--)
		*d++ = value;
	for (; size >= 4; size -= 4, d += 4)
		*(word_t *)d = word;
	while (size--)
		*d++ = value;
	return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
	const uint8_t *x = a, *y = b;

	for (; size; size--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}
