// SPDX-License-Identifier: GPL-2.0-only
/* The guest's end of the port to mon-vm, and how init reports a fatal error. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/reboot.h>
#include <time.h>
#include <unistd.h>

#include "vm/init.h"

int port = -1, kmsg = -1;

void send_frame(enum vm_frame_type type, const void *data, size_t len)
{
	static char buf[sizeof(struct vm_frame) + VM_FRAME_MAX];
	struct vm_frame head = { type, len };
	size_t done = 0;

	memcpy(buf, &head, sizeof(head));
	memcpy(buf + sizeof(head), data, len);
	len += sizeof(head);
	while (done < len) {
		ssize_t n = write(port, buf + done, len - done);

		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return;
		if (n > 0)
			done += n;
	}
}

void power_off(void)
{
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

void die(const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (port >= 0)
		send_frame(VM_ERROR, text, strlen(text));
	else
		dprintf(2, "mon-vm-init: %s\n", text);
	power_off();
}

/* virtio_console numbers ports (/dev/vportNpM) in the order of discovery, so search by name. */
static int find_port(void)
{
	DIR *dir = opendir("/sys/class/virtio-ports");
	struct dirent *e;
	int found = -1;

	while (dir && found < 0 && (e = readdir(dir))) {
		char path[300], name[32] = "";
		int fd;

		snprintf(path, sizeof(path), "/sys/class/virtio-ports/%s/name", e->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (read(fd, name, sizeof(name) - 1) < 0)
			name[0] = 0;
		close(fd);
		if (strcmp(name, VM_PORT_NAME "\n"))
			continue;
		snprintf(path, sizeof(path), "/dev/%s", e->d_name);
		found = open(path, O_RDWR | O_CLOEXEC);
	}
	if (dir)
		closedir(dir);
	return found;
}

void open_port(void)
{
	const struct timespec tick = { .tv_nsec = 2000000 };
	int tries;

	for (tries = 0; tries < 5000 && port < 0; tries++) {
		port = find_port();
		if (port < 0)
			nanosleep(&tick, NULL);
	}
	if (port < 0)
		die("no virtio-serial port named %s", VM_PORT_NAME);
	kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}
