// SPDX-License-Identifier: LGPL-2.1-or-later
/* Buffers for accelerators, from /dev/contig_alloc: esp_alloc() and contig_alloc(). */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libmon/esp/buffer.h"
#include "libmon/esp/report.h"
#include "libmon/esp/include/contig.h"
#include "libmon/text.h"

const char *mon_esp_dev_root = "/dev";

/* What a contig_handle_t points to. */
struct contig_handle_struct {
	void *map;
	size_t bytes;
	contig_khandle_t khandle;
	enum contig_alloc_policy policy;
	int most_allocated;
	struct contig_handle_struct *next;
};

/* The handles belong to the open file, so it stays open after the first allocation. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static contig_handle_t buffers;
static int contig_fd = -1;
static unsigned long chunk_log;
static pid_t opener;

/* Call with the lock held. After a fork the child does not own the parent's handles. */
static int open_contig(void)
{
	char *path;

	if (contig_fd >= 0 && opener == getpid())
		return 0;
	path = mon_format("%s/contig_alloc", mon_esp_dev_root);
	if (!path)
		return mon_fail(ENOMEM, "esp_alloc: out of memory");
	contig_fd = open(path, O_RDWR | O_CLOEXEC);
	if (contig_fd < 0 && errno == ENOENT)
		mon_fail(ENOENT, "%s not found: load the module esp_accel (and espmon)", path);
	else if (contig_fd < 0)
		mon_fail(errno, "%s: %s", path, strerror(errno));
	free(path);
	if (contig_fd < 0)
		return -1;
	if (ioctl(contig_fd, CONTIG_IOC_CHUNK_LOG, &chunk_log)) {
		mon_fail(errno, "contig_alloc: cannot ask for the chunk size: %s", strerror(errno));
		close(contig_fd);
		contig_fd = -1;
		return -1;
	}
	opener = getpid();
	return 0;
}

static int buffer_allocate(contig_handle_t buffer, const struct contig_alloc_params *params,
			   size_t size)
{
	size_t n = (size >> chunk_log) + !!(size & ((1UL << chunk_log) - 1));
	struct contig_alloc_req req = { .params = *params, .size = size, .n_max = n };

	req.arr = calloc(n ? n : 1, sizeof(*req.arr));
	if (!req.arr)
		return mon_fail(ENOMEM, "esp_alloc: out of memory");
	if (ioctl(contig_fd, CONTIG_IOC_ALLOC, &req)) {
		mon_fail(errno, errno == ENOMEM ?
			 "esp_alloc: no %zu chunks of %lu bytes free: free buffers, or reserve memory and pass pool= to esp_accel" :
			 "esp_alloc: %zu chunks of %lu bytes refused: size or policy is not valid",
			 n, 1UL << chunk_log);
		free(req.arr);
		return -1;
	}
	buffer->khandle = req.khandle;
	buffer->bytes = (size_t)req.n << chunk_log;
	buffer->policy = params->policy;
	buffer->most_allocated = req.most_allocated;
	buffer->map = mmap(NULL, buffer->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, contig_fd,
			   req.arr[0]);
	if (buffer->map == MAP_FAILED) {
		mon_fail(errno, "esp_alloc: cannot map %zu bytes: %s", buffer->bytes,
			 strerror(errno));
		ioctl(contig_fd, CONTIG_IOC_FREE, &req.khandle);
		free(req.arr);
		return -1;
	}
	free(req.arr);
	return 0;
}

static contig_handle_t buffer_new(const struct contig_alloc_params *params, size_t size)
{
	contig_handle_t buffer = calloc(1, sizeof(*buffer));
	int ret;

	if (!buffer) {
		mon_fail(ENOMEM, "esp_alloc: out of memory");
		mon_esp_report();
		return NULL;
	}
	pthread_mutex_lock(&lock);
	ret = open_contig();
	if (!ret)
		ret = buffer_allocate(buffer, params, size);
	if (!ret) {
		buffer->next = buffers;
		buffers = buffer;
	}
	pthread_mutex_unlock(&lock);
	if (!ret)
		return buffer;
	mon_esp_report();
	free(buffer);
	return NULL;
}

/* Unlinks, unmaps and frees the buffer with this handle or address. */
static bool buffer_free(const void *key)
{
	contig_handle_t *link, buffer = NULL;

	pthread_mutex_lock(&lock);
	for (link = &buffers; *link; link = &(*link)->next) {
		if (*link == key || (*link)->map == key) {
			buffer = *link;
			*link = buffer->next;
			break;
		}
	}
	if (buffer) {
		munmap(buffer->map, buffer->bytes);
		if (opener == getpid())
			ioctl(contig_fd, CONTIG_IOC_FREE, &buffer->khandle);
	}
	pthread_mutex_unlock(&lock);
	free(buffer);
	return buffer;
}

void *esp_alloc_policy(struct contig_alloc_params params, size_t size)
{
	contig_handle_t buffer = buffer_new(&params, size);

	return buffer ? buffer->map : NULL;
}

void *esp_alloc(size_t size)
{
	struct contig_alloc_params params = { .policy = CONTIG_ALLOC_PREFERRED };

	return esp_alloc_policy(params, size);
}

int esp_free(void *buf)
{
	if (!buf || buffer_free(buf))
		return 0;
	mon_fail(EINVAL, "esp_free: %p is not a buffer of esp_alloc", buf);
	mon_esp_report();
	return -1;
}

int mon_esp_describe(const void *buf, struct esp_access *access)
{
	contig_handle_t buffer;

	pthread_mutex_lock(&lock);
	for (buffer = buffers; buffer; buffer = buffer->next) {
		if (buffer->map != buf)
			continue;
		access->contig = buffer->khandle;
		access->ddr_node = buffer->most_allocated;
		access->alloc_policy = buffer->policy;
		break;
	}
	pthread_mutex_unlock(&lock);
	if (!buffer)
		return mon_fail(EINVAL, "esp_run: hw_buf %p is not a buffer of esp_alloc", buf);
	return 0;
}

void *contig_alloc_policy(struct contig_alloc_params params, unsigned long size,
			  contig_handle_t *handle)
{
	contig_handle_t buffer = buffer_new(&params, size);

	if (!buffer)
		return NULL;
	*handle = buffer;
	return buffer->map;
}

void *contig_alloc(unsigned long size, contig_handle_t *handle)
{
	struct contig_alloc_params params = { .policy = CONTIG_ALLOC_PREFERRED };

	return contig_alloc_policy(params, size, handle);
}

void contig_free(contig_handle_t handle)
{
	if (!handle || buffer_free(handle))
		return;
	mon_fail(EINVAL, "contig_free: %p is not a handle of contig_alloc", (void *)handle);
	mon_esp_report();
}

contig_khandle_t contig_to_khandle(contig_handle_t handle)
{
	return handle->khandle;
}

int contig_to_most_allocated(contig_handle_t handle)
{
	return handle->most_allocated;
}

static bool is_inside(const char *what, contig_handle_t handle, unsigned long offset,
		      unsigned long size)
{
	if (offset <= handle->bytes && size <= handle->bytes - offset)
		return true;
	mon_fail(EINVAL, "%s: %lu bytes at %lu: the buffer has %zu", what, size, offset,
		 handle->bytes);
	mon_esp_report();
	return false;
}

void contig_copy_to(contig_handle_t handle, unsigned long offset, void *from, unsigned long size)
{
	if (is_inside("contig_copy_to", handle, offset, size))
		memcpy((char *)handle->map + offset, from, size);
}

void contig_copy_from(void *to, contig_handle_t handle, unsigned long offset, unsigned long size)
{
	if (is_inside("contig_copy_from", handle, offset, size))
		memcpy(to, (const char *)handle->map + offset, size);
	else
		memset(to, 0, size);
}
