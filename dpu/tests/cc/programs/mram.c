// SPDX-License-Identifier: GPL-2.0-only
/* MRAM: variables that C reads and writes directly, and transfers. */
#include <attributes.h>
#include <mram.h>
#include <seqread.h>

#include "program.h"

struct record {
	uint8_t small;
	uint16_t half;
	uint32_t word;
	uint64_t wide;
	float real;
};

struct __attribute__((packed)) tight {
	uint8_t a;
	uint32_t b;
	uint64_t c;
	uint16_t d;
};

__mram uint8_t bytes[20] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
__mram_noinit int16_t halves[20];
__mram uint32_t words[64];
__mram_noinit uint64_t wides[64];
__mram double reals[4] = { 1.5, -2.5 };
__mram struct record records[4];
__mram_noinit struct tight tights[5];
int32_t *__mram_noinit pointers[4];
__mram_ptr uint32_t *in_wram = &words[3];

PROGRAM(mram_bytes)
{
	for (int i = 0; i < 20; i++)
		bytes[OPAQUE(i)] += i * 3;
	hash = 1;
	for (int i = 0; i < 20; i++)
		mix(bytes[i]);
	printf("%08x %d\n", hash, bytes[19]);
}

PROGRAM(mram_halves)
{
	for (int i = 0; i < 20; i++)
		halves[i] = i * -1000;
	halves[3]++;
	printf("%d %d %d\n", halves[3], halves[19], halves[OPAQUE(4)] + halves[5]);
}

PROGRAM(mram_words)
{
	for (int i = 0; i < 64; i++)
		words[i] = i * i;
	words[5] ^= words[6];
	words[7] = words[OPAQUE(8)]--;
	printf("%u %u %u\n", words[5], words[7], words[8]);
}

PROGRAM(mram_wides)
{
	for (int i = 0; i < 64; i++)
		wides[i] = (uint64_t)i << 35;
	wides[1] += wides[OPAQUE(2)];
	wides[3] *= 5;
	printf("%lx %lx\n", (unsigned long)wides[1], (unsigned long)wides[3]);
}

PROGRAM(mram_reals)
{
	reals[2] = reals[0] * reals[1];
	reals[3] = -reals[OPAQUE(2)];
	printf("%f %f\n", reals[2], reals[3]);
}

PROGRAM(mram_structs)
{
	struct record r = { 1, 2, 3, 4, 5.5f }, back;

	records[1] = r;
	records[2] = records[1];
	records[2].half += 100;
	records[2].wide <<= 40;
	back = records[OPAQUE(2)];
	printf("%d %d %u %lx %f %d\n", back.small, back.half, back.word, (unsigned long)back.wide,
	       (double)back.real, records[1].half);
}

PROGRAM(mram_packed)
{
	for (int i = 0; i < 5; i++) {
		tights[i].a = i;
		tights[i].b = 0x11111111 * i;
		tights[i].c = 0x123456789abcdef0 + i;
		tights[i].d = 60000 + i;
	}
	hash = 1;
	for (int i = 0; i < 5; i++) {
		mix(tights[i].a);
		mix(tights[i].b);
		mix64(tights[i].c);
		mix(tights[i].d);
	}
	printf("%08x\n", hash);
}

PROGRAM(mram_pointers)
{
	__mram_ptr uint32_t *p = in_wram, *q = &words[60];
	static int32_t x = 77;

	*p++ = 5;
	p[0] = 6;
	pointers[2] = &x;
	printf("%d %u %u %d %d\n", (int)(q - p), words[3], words[4], *pointers[2], p != q);
}

PROGRAM(mram_blocks)
{
	uint32_t buffer[16] __dma_aligned;

	for (int i = 0; i < 64; i++)
		words[i] = i + 100;
	mram_read(&words[8], buffer, sizeof(buffer));
	for (int i = 0; i < 16; i++)
		buffer[i] *= 3;
	mram_write(buffer, &words[24], OPAQUE(40u));
	hash = 1;
	for (int i = 0; i < 64; i++)
		mix(words[i]);
	printf("%08x\n", hash);
}

PROGRAM(mram_constant_blocks)
{
	uint64_t buffer[32] __dma_aligned;

	for (int i = 0; i < 32; i++)
		buffer[i] = i * 0x0102030405;
	mram_write(buffer, wides, 256);
	mram_write(buffer, &wides[32], 8);
	memset(buffer, 0, sizeof(buffer));
	mram_read(&wides[16], buffer, 128);
	printf("%lx %lx %lx\n", (unsigned long)buffer[0], (unsigned long)buffer[15], (unsigned long)buffer[16]);
}

PROGRAM(mram_copies)
{
	uint8_t buffer[100];

	for (int i = 0; i < 64; i++)
		words[i] = i * 0x01010101;
	for (int i = 0; i < 25; i++)
		((uint32_t *)(void *)buffer)[i] = words[i + 3];
	hash = 1;
	for (int i = 0; i < 100; i++)
		mix(buffer[i]);
	for (int i = 0; i < 20; i++)
		words[i + 1] = words[i + 30];
	for (int i = 0; i < 64; i++)
		mix(words[i]);
	printf("%08x\n", hash);
}

PROGRAM(sequential_reader)
{
	seqreader_t reader;
	seqreader_buffer_t buffer = seqread_alloc();
	uint32_t *p;

	for (int i = 0; i < 64; i++)
		wides[i] = i * 0x100000003;
	p = seqread_init(buffer, &wides[3], &reader);
	hash = 1;
	for (int i = 0; i < 120; i++) {
		mix(*p);
		p = seqread_get(p, sizeof(*p), &reader);
	}
	printf("%08x %d\n", hash, (int)((__mram_ptr uint8_t *)seqread_tell(p, &reader) - (__mram_ptr uint8_t *)wides));
	p = seqread_seek(&wides[40], &reader);
	printf("%u\n", *p);
}

int main(void)
{
	RUN(mram_bytes);
	RUN(mram_halves);
	RUN(mram_words);
	RUN(mram_wides);
	RUN(mram_reals);
	RUN(mram_structs);
	RUN(mram_packed);
	RUN(mram_pointers);
	RUN(mram_blocks);
	RUN(mram_constant_blocks);
	RUN(mram_copies);
	RUN(sequential_reader);
	return 0;
}
