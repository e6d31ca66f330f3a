/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program without a system on an ESP SoC: finds an FFT in the boot ROM's device tree, transforms an
 * impulse, whose transform is 1 everywhere, and says over the APBUART whether it came out.
 *
 *	riscv64-linux-gnu-gcc -O2 -mcmodel=medany -ffreestanding -nostdlib -static \
 *		-Wl,--build-id=none -T esp.ld -o fft.elf fft.c
 *	mon-vm --arch riscv64 --esp --bare-metal fft.elf --counters espmon/ddr_accesses/
 */
#include <stdint.h>

#define UART		0x60000100
#define UART_STATUS	(UART + 4)
#define UART_EMPTY	4	/* the transmitter */
#define ACCELERATOR(n)	(0x60010000 + 0x200 * (n))
#define CMD		0x00
#define STATUS		0x04
#define STATUS_DONE	2
#define STATUS_ERROR	4
#define DEVID		0x08
#define DEVID_FFT	0x00eb0059
#define PT_ADDRESS	0x0c
#define PT_NCHUNK	0x10
#define PT_SHIFT	0x14
#define COHERENCE	0x20
#define BATCH_SIZE	0x40
#define LOG_LEN		0x44
#define DO_BITREV	0x48
#define POINTS_LOG	7
#define ONE		(1 << 20)	/* 12.20 */

/* Where ESP's boot ROM has the tree: mon-vm puts it there. */
volatile uintptr_t dtb = 0x10800;
volatile uint64_t tohost __attribute__((section(".tohost")));

static int32_t points[2 << POINTS_LOG] __attribute__((aligned(64)));
static uint64_t table[1] __attribute__((aligned(64)));

__asm__(".section .text.start\n"
	".globl _start\n"
	"_start:\n"
	"	csrr t0, mhartid\n"
	"1:	bnez t0, 1b\n"		/* one processor is enough */
	"	la sp, stack_top\n"
	"	call main\n"
	"	slli a0, a0, 1\n"
	"	ori a0, a0, 1\n"
	"	la t0, tohost\n"
	"	sd a0, 0(t0)\n"
	"2:	j 2b\n"
	".text\n");

static uint32_t in32(uintptr_t address)
{
	return *(volatile uint32_t *)address;
}

static void out32(uintptr_t address, uint32_t value)
{
	*(volatile uint32_t *)address = value;
}

static void print(const char *text)
{
	for (; *text; text++) {
		while (!(in32(UART_STATUS) & UART_EMPTY))
			;
		out32(UART, *text);
	}
}

/* The tree's bytes have this string, or not. */
static int tree_has(const char *name)
{
	const uint8_t *tree = (const uint8_t *)dtb;
	uint32_t size = tree[4] << 24 | tree[5] << 16 | tree[6] << 8 | tree[7], i, k;

	if (tree[0] != 0xd0 || tree[1] != 0x0d || tree[2] != 0xfe || tree[3] != 0xed)
		return 0;
	for (i = 0; i < size; i++) {
		for (k = 0; name[k] && i + k < size && tree[i + k] == (uint8_t)name[k]; k++)
			;
		if (!name[k])
			return 1;
	}
	return 0;
}

static void run(uintptr_t fft)
{
	out32(fft + PT_ADDRESS, (uintptr_t)table);
	out32(fft + PT_NCHUNK, 1);
	out32(fft + PT_SHIFT, 20);
	out32(fft + COHERENCE, 0);
	out32(fft + BATCH_SIZE, 1);
	out32(fft + LOG_LEN, POINTS_LOG);
	out32(fft + DO_BITREV, 1);
	__asm__ volatile ("fence" ::: "memory");
	out32(fft + CMD, 1);
	while (!(in32(fft + STATUS) & STATUS_DONE))
		;
	__asm__ volatile ("fence" ::: "memory");
}

int main(void)
{
	uintptr_t fft = ACCELERATOR(0);
	int i, errors = 0;

	if (!tree_has("sld,fft_stratus") || in32(fft + DEVID) != DEVID_FFT) {
		print("there is no FFT\n");
		return 2;
	}
	points[0] = ONE;
	table[0] = (uintptr_t)points;
	run(fft);
	if (in32(fft + STATUS) & STATUS_ERROR) {
		print("the run failed\n");
		return 3;
	}
	out32(fft + CMD, 0);
	for (i = 0; i < 1 << POINTS_LOG; i++)
		errors += points[2 * i] != ONE || points[2 * i + 1] != 0;
	print(errors ? "wrong\n" : "all 128 points are 1\n");
	return errors != 0;
}
