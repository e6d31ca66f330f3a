// SPDX-License-Identifier: LGPL-2.1-or-later
/* /dev/dpu_rankN, and what its errors mean. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "libmon/upmem/internal.h"

static int device_open(uint32_t id, const struct dpu_want *want)
{
	char *path = mon_format("/dev/dpu_rank%u", id);
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	int error = errno;

	(void)want;
	free(path);
	errno = error;
	return fd;
}

static int device_ioctl(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg);
}

static const struct dpu_device_ops kernel_device = {
	.open = device_open, .ioctl = device_ioctl, .close = close,
};
const struct dpu_device_ops *dpu_device = &kernel_device;

dpu_error_t dpu_device_error(const struct dpu_rank_t *rank, const char *what)
{
	int error = errno;

	mon_fail(error, "dpu_rank%u: %s: %s", rank->id, what, strerror(error));
	return dpu_explained(error == ENOMEM ? DPU_ERR_SYSTEM :
			     error == EBUSY ? DPU_ERR_MRAM_BUSY : DPU_ERR_DRIVER);
}

dpu_error_t dpu_transfer(struct dpu_t *dpu, uint32_t direction, uint32_t address, void *buffer,
			 uint32_t length)
{
	struct upmem_copy copy = {
		.dpu = dpu->index,
		.direction = direction,
		.address = address,
		.length = length,
		.buffer = (uintptr_t)buffer,
	};

	if (dpu->rank->device->ioctl(dpu->rank->fd, UPMEM_IOC_COPY, &copy))
		return dpu_device_error(dpu->rank, "copy");
	return DPU_OK;
}
