// SPDX-License-Identifier: GPL-2.0-only
/* /dev/dpu_rankN, and what its errors mean. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "libmon/dpu/dpu.h"

static int device_open(uint32_t id)
{
	char *path = mon_format("/dev/dpu_rank%u", id);
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	int error = errno;

	free(path);
	errno = error;
	return fd;
}

static int device_ioctl(int fd, unsigned long request, void *arg)
{
	return ioctl(fd, request, arg);
}

static const struct dpu_device_ops kernel_device = { device_open, device_ioctl, close };
const struct dpu_device_ops *dpu_device = &kernel_device;

dpu_error_t dpu_failed(dpu_error_t error, const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	mon_fail(EINVAL, "%s", text);
	return error;
}

dpu_error_t dpu_device_error(const struct dpu_rank_t *rank, const char *what)
{
	int error = errno;

	mon_fail(error, "dpu_rank%u: %s: %s", rank->id, what, strerror(error));
	switch (error) {
	case ENOMEM:
		return DPU_ERR_SYSTEM;
	case EBUSY:
		return DPU_ERR_MRAM_BUSY;
	default:
		return DPU_ERR_DRIVER;
	}
}
