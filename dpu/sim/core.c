// SPDX-License-Identifier: LGPL-2.1-or-later
/* A DPU in a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dpu/include/core.h"
#include "dpu/include/debug.h"

#define PAGE 4096
#define MAX_PROGRAM (256u << 20)

struct core_header {
	char magic[8];
	uint64_t state_size;		/* changes with the model */
	uint64_t program_size;
	uint32_t chip_id, clock;
	struct dpu_timing timing;
};

static const char magic[8] = "DPUCORE";

/* Header, state, program; then MRAM from a page's start on. */
static off_t mram_start(const struct core_header *h)
{
	off_t end = sizeof(*h) + h->state_size + h->program_size;

	return (end + PAGE - 1) / PAGE * PAGE;
}

static bool put_at(int fd, const void *data, size_t size, off_t offset)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = pwrite(fd, (const char *)data + done, size - done, offset + done);

		if (n < 0 && errno != EINTR)
			return false;
		done += n > 0 ? n : 0;
	}
	return true;
}

static bool get_at(int fd, void *data, size_t size, off_t offset)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = pread(fd, (char *)data + done, size - done, offset + done);

		if (!n || (n < 0 && errno != EINTR))
			return false;
		done += n > 0 ? n : 0;
	}
	return true;
}

static bool put_mram(int fd, const struct dpu *dpu, off_t start)
{
	static const char zero[PAGE];
	char page[PAGE];

	for (uint32_t at = 0; at < DPU_MRAM_SIZE; at += PAGE) {
		dpu_peek(dpu, DPU_MRAM, at, page, PAGE);
		if (memcmp(page, zero, PAGE) && !put_at(fd, page, PAGE, start + at))
			return false;
	}
	return true;
}

/* Writes only bytes that differ, so that unused pages stay holes. */
static bool get_mram(int fd, struct dpu *dpu, off_t start)
{
	char page[PAGE], old[PAGE];

	for (uint32_t at = 0; at < DPU_MRAM_SIZE; at += PAGE) {
		if (!get_at(fd, page, PAGE, start + at))
			return false;
		dpu_peek(dpu, DPU_MRAM, at, old, PAGE);
		if (memcmp(page, old, PAGE))
			dpu_poke(dpu, DPU_MRAM, at, page, PAGE);
	}
	return true;
}

bool dpu_core_write(int fd, const struct dpu *dpu, const struct dpu_program *program)
{
	struct core_header h = {
		.state_size = dpu_save_size(), .program_size = program->image_size,
		.chip_id = dpu_arch(dpu)->chip_id, .clock = dpu_clock(dpu), .timing = *dpu_timing(dpu),
	};
	void *state = malloc(h.state_size);
	bool ok;

	if (!state)
		return false;
	memcpy(h.magic, magic, sizeof(magic));
	dpu_save(dpu, state);
	ok = !ftruncate(fd, 0) && !ftruncate(fd, mram_start(&h) + DPU_MRAM_SIZE) &&
	     put_at(fd, &h, sizeof(h), 0) && put_at(fd, state, h.state_size, sizeof(h)) &&
	     put_at(fd, program->image, h.program_size, sizeof(h) + h.state_size) &&
	     put_mram(fd, dpu, mram_start(&h));
	free(state);
	return ok;
}

static const char *get_header(int fd, struct core_header *h)
{
	if (!get_at(fd, h, sizeof(*h), 0) || memcmp(h->magic, magic, sizeof(magic)))
		return "not the core of a DPU";
	if (h->state_size != dpu_save_size() || h->program_size > MAX_PROGRAM)
		return "the core of another version's DPU: run the program again";
	return NULL;
}

/* The header is followed by a state of this DPU and its MRAM. */
static bool get_state(int fd, const struct core_header *h, struct dpu *dpu)
{
	void *state = malloc(h->state_size);
	bool ok = state && get_at(fd, state, h->state_size, sizeof(*h)) && dpu_restore(dpu, state) &&
		  get_mram(fd, dpu, mram_start(h));

	free(state);
	return ok;
}

bool dpu_core_restore(int fd, struct dpu *dpu)
{
	struct core_header h;

	return !get_header(fd, &h) && h.chip_id == dpu_arch(dpu)->chip_id && get_state(fd, &h, dpu);
}

static struct dpu_program *get_program(int fd, const struct core_header *h)
{
	struct dpu_program *program = NULL;
	void *image = malloc(h->program_size + 1);

	if (image && get_at(fd, image, h->program_size, sizeof(*h) + h->state_size) &&
	    dpu_program_open(image, h->program_size, &program))
		program = NULL;
	free(image);
	return program;
}

static struct dpu *new_dpu(const struct core_header *h)
{
	char text[128];

	for (int i = DPU_ARCH_V1A; i <= DPU_ARCH_V1B; i++)
		if (dpu_archs[i].chip_id == h->chip_id && dpu_timing_ok(&h->timing, text, sizeof(text)))
			return dpu_new(&dpu_archs[i], &h->timing, h->clock, NULL);
	return NULL;
}

struct dpu *dpu_core_read(int fd, struct dpu_program **program, const char **why)
{
	struct core_header h;
	struct dpu *dpu;

	*why = get_header(fd, &h);
	if (*why)
		return NULL;
	*why = "damaged, or out of memory";
	*program = get_program(fd, &h);
	dpu = *program ? new_dpu(&h) : NULL;
	if (dpu && get_state(fd, &h, dpu))
		return dpu;
	dpu_destroy(dpu);
	dpu_program_close(*program);
	return NULL;
}
