// SPDX-License-Identifier: GPL-2.0-only
#include <check.h>
#include <errno.h>
#include <string.h>

/* Internal header of libmon's host library, for the functions that reach the device. */
#include "libmon/upmem/internal.h"
#undef DPU_FOREACH

#include "events/upmem/regs.h"
#include "tests/unit/upmem/fake.h"
#include "upmem/rank.h"

#define MAX_RANKS 4
#define FIRST_FD 1000

static struct {
	struct upmem_rank *rank;
	bool open;
} ranks[MAX_RANKS];
static unsigned int rank_count;
static const struct dpu_device_ops *kernel;

static int refuse(int error)
{
	errno = error;
	return -1;
}

static int fake_open(uint32_t id, const struct dpu_want *want)
{
	(void)want;
	if (id >= rank_count)
		return refuse(ENOENT);
	if (ranks[id].open)
		return refuse(EBUSY);
	ranks[id].open = true;
	return FIRST_FD + id;
}

static int fake_close(int fd)
{
	upmem_rank_write(ranks[fd - FIRST_FD].rank, UPMEM_RESET, 1, 4);
	ranks[fd - FIRST_FD].open = false;
	return 0;
}

static int fake_ioctl(int fd, unsigned long request, void *arg)
{
	struct upmem_info *info = arg;
	int result = dpu_modelled_ioctl(ranks[fd - FIRST_FD].rank, request, arg);

	if (request == UPMEM_IOC_INFO)
		strcpy(info->pmu, "upmem_that_is_not_there");
	return result;
}

static const struct dpu_device_ops fake = { .open = fake_open, .ioctl = fake_ioctl, .close = fake_close };

void fake_begin(unsigned int count, unsigned int dpus, enum dpu_arch_id arch)
{
	const struct upmem_rank_config config = {
		.arch = &dpu_archs[arch], .dpus = dpus, .threads = 2, .timing = dpu_timing_default,
		.bus_read = dpu_own_read, .bus_write = dpu_own_write,
	};

	ck_assert_uint_le(count, MAX_RANKS);
	rank_count = count;
	for (unsigned int i = 0; i < count; i++) {
		ranks[i].rank = upmem_rank_new(&config);
		ranks[i].open = false;
		ck_assert_ptr_nonnull(ranks[i].rank);
	}
	kernel = dpu_device;
	dpu_device = &fake;
}

void fake_end(void)
{
	for (unsigned int i = 0; i < rank_count; i++)
		upmem_rank_free(ranks[i].rank);
	rank_count = 0;
	dpu_device = kernel;
}

unsigned int fake_open_ranks(void)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < rank_count; i++)
		n += ranks[i].open;
	return n;
}
