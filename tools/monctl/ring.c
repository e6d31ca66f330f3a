// SPDX-License-Identifier: GPL-2.0-only
/* perf's buffers: mapped, attached to events, drained. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "tools/monctl/monctl.h"
#include "tools/monctl/ring.h"

struct ring {
	int cpu;
	int fd;				/* the event that it was mapped with */
	struct perf_event_mmap_page *page;
	const unsigned char *data;
};

struct rings {
	size_t bytes;
	struct ring *ring;
	struct pollfd *poll;
	size_t count;
	unsigned char *copy;		/* a record that goes over the buffer's end is put together here */
};

struct rings *rings_new(size_t bytes)
{
	struct rings *rings = calloc(1, sizeof(*rings));

	if (rings) {
		rings->bytes = bytes;
		rings->copy = malloc(bytes);
	}
	if (rings && rings->copy)
		return rings;
	free(rings);
	mon_fail(ENOMEM, "buffers: out of memory");
	return NULL;
}

void rings_free(struct rings *rings)
{
	if (!rings)
		return;
	for (size_t i = 0; i < rings->count; i++)
		munmap(rings->ring[i].page, rings->bytes + sysconf(_SC_PAGESIZE));
	free(rings->ring);
	free(rings->poll);
	free(rings->copy);
	free(rings);
}

static struct ring *add_ring(struct rings *rings)
{
	struct ring *ring = reallocarray(rings->ring, rings->count + 1, sizeof(*ring));
	struct pollfd *poll = reallocarray(rings->poll, rings->count + 1, sizeof(*poll));

	if (ring)
		rings->ring = ring;
	if (poll)
		rings->poll = poll;
	return ring && poll ? &ring[rings->count] : NULL;
}

static int map_ring(struct rings *rings, int event_fd, int cpu)
{
	size_t page_size = sysconf(_SC_PAGESIZE);
	struct ring *ring = add_ring(rings);
	void *page;

	if (!ring)
		return mon_fail(ENOMEM, "buffers: out of memory");
	page = mmap(NULL, rings->bytes + page_size, PROT_READ | PROT_WRITE, MAP_SHARED, event_fd, 0);
	if (page == MAP_FAILED)
		return mon_fail(errno,
				"a buffer of %zu KiB for a processor's samples: %s: raise kernel.perf_event_mlock_kb or run as root",
				rings->bytes / 1024, strerror(errno));
	*ring = (struct ring){
		.cpu = cpu, .fd = event_fd, .page = page,
		.data = (const unsigned char *)page + page_size,
	};
	rings->poll[rings->count] = (struct pollfd){ .fd = event_fd, .events = POLLIN };
	rings->count++;
	return 0;
}

int rings_attach(struct rings *rings, int event_fd, int cpu)
{
	for (size_t i = 0; i < rings->count; i++) {
		if (rings->ring[i].cpu != cpu)
			continue;
		if (ioctl(event_fd, PERF_EVENT_IOC_SET_OUTPUT, rings->ring[i].fd) < 0)
			return mon_fail(errno, "two events in one buffer: %s", strerror(errno));
		return 0;
	}
	return map_ring(rings, event_fd, cpu);
}

void rings_wait(struct rings *rings, int milliseconds)
{
	poll(rings->poll, rings->count, milliseconds);
}

static int drain_ring(struct rings *rings, struct ring *ring, ring_sink sink, void *arg)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	size_t size = head - tail, start = tail & (rings->bytes - 1);
	const unsigned char *records = ring->data + start;
	int ret;

	if (!size)
		return 0;
	if (start + size > rings->bytes) {
		size_t first = rings->bytes - start;

		memcpy(rings->copy, records, first);
		memcpy(rings->copy + first, ring->data, size - first);
		records = rings->copy;
	}
	ret = sink(arg, records, size);
	__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
	return ret;
}

int rings_drain(struct rings *rings, ring_sink sink, void *arg)
{
	int ret = 0;

	for (size_t i = 0; i < rings->count && !ret; i++)
		ret = drain_ring(rings, &rings->ring[i], sink, arg);
	return ret;
}
