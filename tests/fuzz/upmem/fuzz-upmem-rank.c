// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rank's command interface as a hostile guest uses it: DMA with addresses around every border,
 * launches, halts and copies in any order, code of the fuzzer's, counters, and saved state that was
 * tampered with. Guest memory is 4 KiB on the heap; the sanitizers find accesses outside of it or
 * of the device's memories, and a transfer that succeeds is checked here, too.
 *
 * With libFuzzer this is the target alone; otherwise DRIVER adds a main() that makes inputs from a
 * seed: fuzz-upmem-rank [STEPS [SEED]]
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/upmem/regs.h"
#include "upmem/rank.h"
#include "tests/unit/upmem/bus.h"

#define GUEST_SIZE 4096u
#define GUEST_BUS 0x1000u
#define DPUS 2u

static struct bus guest = { .size = GUEST_SIZE, .base = GUEST_BUS };

/* The rest of the input; zeros follow after its end. */
struct input {
	const uint8_t *data;
	size_t size;
};

static uint64_t take(struct input *in, size_t bytes)
{
	uint64_t value = 0;
	size_t n = in->size < bytes ? in->size : bytes;

	memcpy(&value, in->data, n);
	in->data += n;
	in->size -= n;
	return value;
}

static uint32_t get(struct upmem_rank *rank, uint32_t offset)
{
	return upmem_rank_read(rank, offset, 4);
}

static void put(struct upmem_rank *rank, uint32_t offset, uint32_t value)
{
	upmem_rank_write(rank, offset, value, 4);
}

/* Most numbers are near a border; the last choice is any number. */
static uint32_t pick_address(struct input *in, const struct dpu_arch *arch)
{
	const uint32_t borders[] = {
		0, arch->wram_size, DPU_WRAM_SIZE, UPMEM_MRAM_MARK, UPMEM_MRAM_MARK + UPMEM_MRAM_SIZE,
		UPMEM_IRAM_MARK, UPMEM_IRAM_MARK + arch->iram_words * 8,
		UPMEM_IRAM_MARK + DPU_IRAM_WORDS * 8, UPMEM_STATE_MARK, UPMEM_STATE_MARK + dpu_save_size()
	};
	uint8_t how = take(in, 1);

	if (how % 16 > 7)
		return take(in, 4);
	return borders[(how ^ how >> 4) % (sizeof(borders) / sizeof(*borders))] + (int8_t)take(in, 1) * (how & 0x80 ? 1 : 8);
}

static uint32_t pick_length(struct input *in)
{
	uint8_t how = take(in, 1);

	return how < 0xf0 ? how * (how & 1 ? 4u : 64u) : (uint32_t)take(in, 4);
}

static uint64_t pick_bus(struct input *in)
{
	uint8_t how = take(in, 1);

	if (how < 0x80)
		return GUEST_BUS + how * 8;
	if (how < 0xf0)
		return GUEST_BUS + GUEST_SIZE - (how - 0x80u) * 8;
	return take(in, 8);
}

/* True if an accepted transfer is inside guest memory and the DPU's memory. */
static void check_transfer(const struct dpu_arch *arch, uint32_t dpu, uint32_t direction,
			   uint64_t bus, uint32_t address, uint32_t length)
{
	const struct {
		uint32_t mark, size;
	} memories[] = {
		{ UPMEM_IRAM_MARK, arch->iram_words * 8 },
		{ UPMEM_STATE_MARK, (dpu_save_size() + 7) / 8 * 8 },
		{ UPMEM_MRAM_MARK, UPMEM_MRAM_SIZE },
		{ 0, arch->wram_size },
	};
	unsigned int m = 0;
	uint32_t offset, size;

	while ((address & memories[m].mark) != memories[m].mark)
		m++;
	offset = address - memories[m].mark;
	size = memories[m].size;
	if (dpu >= DPUS || (direction != UPMEM_DMA_TO_DPU && direction != UPMEM_DMA_FROM_DPU) ||
	    (memories[m].mark == UPMEM_STATE_MARK && direction != UPMEM_DMA_FROM_DPU) ||
	    (uint64_t)offset + length > size || (length && !bus_holds(&guest, bus, length)))
		abort();
}

static void transfer(struct upmem_rank *rank, const struct dpu_arch *arch, struct input *in)
{
	uint32_t dpu = take(in, 1), direction, address, length, status;
	uint64_t bus = pick_bus(in);

	direction = dpu >> 4 & 3;
	dpu = dpu & 0x80 ? (uint32_t)take(in, 4) : dpu & 3;
	address = pick_address(in, arch);
	length = pick_length(in);
	status = rank_dma(rank, dpu, direction, bus, address, length);
	if (status > UPMEM_DMA_COMMAND)
		abort();
	if (status == UPMEM_DMA_OK)
		check_transfer(arch, dpu, direction, bus, address, length);
}

/* Words of the input become the code of a DPU, from its beginning. */
static void load_code(struct upmem_rank *rank, struct input *in)
{
	uint32_t head = take(in, 1), words = head >> 1 & 31;

	for (uint32_t i = 0; i < words; i++) {
		uint64_t word = take(in, 6);

		memcpy(guest.memory + 8 * i, &word, 8);
	}
	put(rank, UPMEM_DMA_BUS_LO, GUEST_BUS);
	put(rank, UPMEM_DMA_BUS_HI, 0);
	put(rank, UPMEM_DMA_ADDRESS, UPMEM_IRAM_MARK);
	put(rank, UPMEM_DMA_LENGTH, words * 8);
	put(rank, UPMEM_DMA_DPU, head & 1);
	put(rank, UPMEM_DMA_CONTROL, UPMEM_DMA_TO_DPU);
}

/*
 * A byte of a saved state: of the rank's, which comes first, of a DPU's threads, of the numbers at a
 * DPU's end, or anywhere.
 */
static size_t pick_byte(struct input *in, size_t size)
{
	size_t dpu = dpu_save_size(), rank = size - DPUS * dpu;
	uint8_t how = take(in, 1);
	size_t base = rank + (how >> 7) * dpu, at = take(in, 2);

	switch (how % 4) {
	case 0:
		return at % rank;
	case 1:
		return base + at % 4096;
	case 2:
		return base + dpu - 1 - at % 512;
	default:
		return (at << 2 | how >> 5) % size;
	}
}

/* A stream from another host, with some of its bytes changed, alone or eight together. */
static void tamper(struct upmem_rank *rank, struct input *in)
{
	size_t size = upmem_rank_save_size(rank), cut = take(in, 1) == 0xff;
	uint8_t *state = malloc(size);
	unsigned int changes = take(in, 1) % 9;

	if (!state)
		abort();
	upmem_rank_pause(rank);
	upmem_rank_save(rank, state);
	while (changes--) {
		size_t at = pick_byte(in, size);
		uint8_t value = take(in, 1);

		memset(state + at, value, value & 1 && size - at >= 8 ? 8 : 1);
	}
	upmem_rank_load(rank, state, size - cut);
	upmem_rank_resume(rank);
	free(state);
}

/* Lets DPUs run for some time, not for ever. */
static void let_run(struct upmem_rank *rank, unsigned int turns)
{
	while (turns-- && (get(rank, UPMEM_RUNNING_LO) || get(rank, UPMEM_RUNNING_HI)))
		sched_yield();
}

static unsigned long long steps;

/* A saved state is 128 MiB, which a long run cannot write in each twelfth step. */
#ifdef DRIVER
#define TAMPER_EVERY	65536
#else
#define TAMPER_EVERY	1
#endif

static void step(struct upmem_rank *rank, const struct dpu_arch *arch, struct input *in)
{
	static unsigned int tampered;
	uint32_t where;

	steps++;
	switch (take(in, 1) % 12) {
	case 0:
	case 1:
	case 2:
		transfer(rank, arch, in);
		break;
	case 3:
		load_code(rank, in);
		break;
	case 4:
		put(rank, UPMEM_LAUNCH_LO, take(in, 1));
		break;
	case 5:
		put(rank, UPMEM_HALT_LO, take(in, 1));
		break;
	case 6:
		let_run(rank, take(in, 1) % 16);
		break;
	case 7:
		where = UPMEM_DPU(take(in, 1) % (DPUS + 1));
		upmem_rank_write(rank, where + UPMEM_PMC_ENABLE + take(in, 1) % 6, take(in, 1), 1);
		upmem_rank_write(rank, where + UPMEM_PMC_READ, UPMEM_PMC_READ_SELECT, 1);
		upmem_rank_read(rank, where + UPMEM_PMC_READ, 1);
		break;
	case 8:
		where = take(in, 3) % (UPMEM_BAR_SIZE + 64);
		upmem_rank_read(rank, where, where & 1 ? 1 : 4);
		break;
	case 9:
		where = take(in, 3) % (UPMEM_BAR_SIZE + 64);
		upmem_rank_write(rank, where, take(in, 4), where & 1 ? 1 : 4);
		break;
	case 10:
		if (++tampered % TAMPER_EVERY == 0)
			tamper(rank, in);
		break;
	default:
		put(rank, take(in, 1) & 1 ? UPMEM_RESET : UPMEM_LATCH, take(in, 1));
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct upmem_rank *ranks[2];
	struct input in = { data, size };
	unsigned int arch = take(&in, 1) & 1;
	const struct upmem_rank_config config = {
		.arch = &dpu_archs[arch], .dpus = DPUS, .threads = 2, .timing = dpu_timing_default,
		.bus_read = bus_read, .bus_write = bus_write, .opaque = &guest,
	};

	if (!guest.memory)
		guest.memory = malloc(GUEST_SIZE);
	if (!ranks[arch])
		ranks[arch] = upmem_rank_new(&config);
	if (!guest.memory || !ranks[arch])
		abort();
	memset(guest.memory, 0, GUEST_SIZE);
	while (in.size)
		step(ranks[arch], &dpu_archs[arch], &in);
	upmem_rank_reset(ranks[arch]);
	return 0;
}

#ifdef DRIVER
int main(int argc, char **argv)
{
	unsigned long long wanted = argc > 1 ? strtoull(argv[1], NULL, 0) : 200000;
	uint64_t x = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	static uint8_t input[4096];
	size_t i;

	while (steps < wanted) {
		for (i = 0; i < sizeof(input); i++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			input[i] = x >> 56;
		}
		LLVMFuzzerTestOneInput(input, sizeof(input));
	}
	printf("fuzz-upmem-rank: %llu steps\n", steps);
	return 0;
}
#endif
