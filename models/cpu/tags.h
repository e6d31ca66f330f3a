/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Search in the tags of one set of a cache. */
#ifndef CPU_TAGS_H
#define CPU_TAGS_H

#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>

/* One bit a way, of four and of sixteen. */
static inline unsigned int cpu_tags_match4(const uint32_t *tag, __m128i line)
{
	__m128i equal = _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)tag), line);

	return _mm_movemask_ps(_mm_castsi128_ps(equal));
}

static inline unsigned int cpu_tags_match16(const uint32_t *tag, __m128i line)
{
	const __m128i *four = (const __m128i *)tag;
	__m128i low = _mm_packs_epi32(_mm_cmpeq_epi32(_mm_loadu_si128(four), line),
				      _mm_cmpeq_epi32(_mm_loadu_si128(four + 1), line));
	__m128i high = _mm_packs_epi32(_mm_cmpeq_epi32(_mm_loadu_si128(four + 2), line),
				       _mm_cmpeq_epi32(_mm_loadu_si128(four + 3), line));

	return _mm_movemask_epi8(_mm_packs_epi16(low, high));
}
#endif

/* First way whose tag is this, or -1; quick for the usual 4, 8 and 16 ways. */
static inline int cpu_tags_find(const uint32_t *tag, unsigned int ways, uint32_t line)
{
	unsigned int way;

#ifdef __SSE2__
	const __m128i lines = _mm_set1_epi32(line);
	unsigned int found;

	if (ways == 16) {
		found = cpu_tags_match16(tag, lines);
		return found ? __builtin_ctz(found) : -1;
	}
	if (ways == 8) {
		found = cpu_tags_match4(tag, lines) | cpu_tags_match4(tag + 4, lines) << 4;
		return found ? __builtin_ctz(found) : -1;
	}
	if (ways == 4) {
		found = cpu_tags_match4(tag, lines);
		return found ? __builtin_ctz(found) : -1;
	}
#endif
	for (way = 0; way < ways; way++) {
		if (tag[way] == line)
			return way;
	}
	return -1;
}

#endif
