/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/mrfld/rig.h"

static bool inside(uint64_t addr, size_t len)
{
	return addr <= RIG_MEM && len <= RIG_MEM - addr;
}

static bool mem_read(void *opaque, uint64_t addr, void *buf, size_t len)
{
	struct rig *rig = opaque;

	if (!inside(addr, len))
		return false;
	memcpy(buf, rig->mem + addr, len);
	return true;
}

static bool mem_write(void *opaque, uint64_t addr, const void *buf, size_t len)
{
	struct rig *rig = opaque;

	if (!inside(addr, len))
		return false;
	memcpy(rig->mem + addr, buf, len);
	return true;
}

static uint64_t delay(void *opaque, uint32_t us)
{
	struct rig *rig = opaque;

	rig->delayed_us += us;
	return mrfld_soc_now(rig->soc) + us * 1000ull;
}

static void guest_error(void *opaque, const char *message)
{
	struct rig *rig = opaque;

	ck_assert_ptr_nonnull(message);
	rig->errors++;
}

static const struct mrfld_ops ops = {
	.mem_read = mem_read,
	.mem_write = mem_write,
	.delay = delay,
	.guest_error = guest_error,
};

struct rig *rig_new(const struct mrfld_params *params)
{
	struct rig *rig = calloc(1, sizeof(*rig));
	struct mrfld_params defaults;
	char err[100];

	ck_assert_ptr_nonnull(rig);
	rig->mem = calloc(1, RIG_MEM);
	ck_assert_ptr_nonnull(rig->mem);
	mrfld_params_init(&defaults);
	rig->soc = mrfld_soc_new(params ? params : &defaults, &ops, rig, err, sizeof(err));
	ck_assert_ptr_nonnull(rig->soc);
	rig_table(rig, RIG_MEM - RIG_WINDOW);
	return rig;
}

void rig_free(struct rig *rig)
{
	mrfld_soc_free(rig->soc);
	free(rig->mem);
	free(rig);
}

static void address(struct rig *rig, uint32_t port, uint32_t opcode, uint32_t offset)
{
	if (offset & ~0xffu)
		mrfld_bus_write(rig->soc, MRFLD_CFG_MCRX, offset & ~0xffu);
	mrfld_bus_write(rig->soc, MRFLD_CFG_MCR,
			opcode << 24 | port << 16 | (offset & 0xff) << 8 | MRFLD_MCR_ENABLES);
}

uint32_t rig_mbi_read(struct rig *rig, uint32_t port, uint32_t opcode, uint32_t offset)
{
	address(rig, port, opcode, offset);
	return mrfld_bus_read(rig->soc, MRFLD_CFG_MDR);
}

void rig_mbi_write(struct rig *rig, uint32_t port, uint32_t opcode, uint32_t offset,
		   uint32_t value)
{
	mrfld_bus_write(rig->soc, MRFLD_CFG_MDR, value);
	address(rig, port, opcode, offset);
}

void rig_command(struct rig *rig, unsigned int counter, uint32_t opcode)
{
	rig_mbi_write(rig, MRFLD_PORT, MRFLD_WRITE, MRFLD_SLICE(counter, MRFLD_COMMAND),
		      opcode << MRFLD_OP_SHIFT);
}

void rig_group(struct rig *rig, uint32_t group)
{
	for (unsigned int i = 0; i < MRFLD_NCOUNTERS; i++)
		rig_command(rig, i, MRFLD_OP_RESET);
	rig_mbi_write(rig, MRFLD_PORT, MRFLD_WRITE, MRFLD_SELECT, group);
	for (unsigned int i = 0; i < MRFLD_NCOUNTERS; i++)
		rig_command(rig, i, MRFLD_OP_RESTART);
}

uint32_t rig_sample(struct rig *rig, unsigned int counter)
{
	rig_command(rig, counter, MRFLD_OP_SAMPLE);
	return rig_mbi_read(rig, MRFLD_PORT, MRFLD_READ, MRFLD_SLICE(counter, MRFLD_DATA));
}

void rig_table(struct rig *rig, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes / RIG_PAGE; i++) {
		uint64_t page = RIG_WINDOW + (uint64_t)i * RIG_PAGE;

		memcpy(rig->mem + RIG_TABLE + 8 * i, &page, 8);
	}
}

void rig_start(struct rig *rig, const struct job *job)
{
	unsigned int a = job->agent;
	uint32_t size = job->size == 64 ? MRFLD_SIZE_64 :
			job->size == 32 ? MRFLD_SIZE_32 : MRFLD_SIZE_PARTIAL;

	mrfld_bar_write(rig->soc, MRFLD_ENGINE(a, MRFLD_ENG_RATE), job->rate ? job->rate : 100000);
	mrfld_bar_write(rig->soc, MRFLD_ENGINE(a, MRFLD_ENG_SEED), job->seed);
	mrfld_bar_write(rig->soc, MRFLD_ENGINE(a, MRFLD_ENG_TABLE_LO), RIG_TABLE);
	mrfld_bar_write(rig->soc, MRFLD_ENGINE(a, MRFLD_ENG_TABLE_HI), 0);
	mrfld_bar_write(rig->soc, MRFLD_ENGINE(a, MRFLD_ENG_WINDOW),
			job->window ? job->window : RIG_PAGE * 16);
	mrfld_bar_write(rig->soc, MRFLD_ENGINE(a, MRFLD_ENG_TOTAL_LO), (uint32_t)job->bytes);
	mrfld_bar_write(rig->soc, MRFLD_ENGINE(a, MRFLD_ENG_TOTAL_HI), job->bytes >> 32);
	mrfld_bar_write(rig->soc, MRFLD_ENGINE(a, MRFLD_ENG_CTRL),
			MRFLD_CTRL_START | (job->write ? MRFLD_CTRL_WRITE : 0) |
			(job->snoop ? MRFLD_CTRL_SNOOP : 0) | size << MRFLD_CTRL_SIZE_SHIFT |
			job->size << MRFLD_CTRL_PAYLOAD_SHIFT);
}

uint32_t rig_engine(struct rig *rig, unsigned int agent, uint32_t reg)
{
	return mrfld_bar_read(rig->soc, MRFLD_ENGINE(agent, reg));
}

void rig_run(struct rig *rig)
{
	uint64_t next;

	while ((next = mrfld_soc_next_event(rig->soc)) != UINT64_MAX)
		mrfld_soc_advance(rig->soc, next);
}

void rig_pass(struct rig *rig, uint64_t ns)
{
	mrfld_soc_advance(rig->soc, mrfld_soc_now(rig->soc) + ns);
}

void rig_job(struct rig *rig, const struct job *job)
{
	rig_start(rig, job);
	rig_run(rig);
	ck_assert_uint_eq(rig_engine(rig, job->agent, MRFLD_ENG_STATUS), MRFLD_STATUS_DONE);
	ck_assert_uint_eq(rig_engine(rig, job->agent, MRFLD_ENG_DONE_LO), (uint32_t)job->bytes);
}
