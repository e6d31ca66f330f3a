// SPDX-License-Identifier: GPL-2.0-only
/* QEMU's arguments for access between guest and host: a writable folder, forwarded ports. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vm/proto.h"
#include "vm/vm.h"

char *output_find(const char *dir)
{
	char *path = realpath(dir, NULL);
	struct stat st;

	if (!path || stat(path, &st))
		fail("--output %s: %s: make the folder first", dir, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		fail("--output %s: not a folder", dir);
	if (access(path, W_OK | X_OK))
		fail("--output %s: %s", dir, strerror(errno));
	return path;
}

void forward_add(struct options *o, const char *port)
{
	char *end;
	long number = strtol(port, &end, 10);

	if (end == port || *end || number < 1 || number > 65535)
		fail("--forward %s: give a port, 1 to 65535", port);
	strv_add(&o->forwards, "%ld", number);
}

/* restrict=on: the guest reaches no network; only the forwarded ports lead in. */
static void add_network(struct strv *v, const struct options *o)
{
	AUTO_FREE char *rules = NULL;

	for (size_t i = 0; i < o->forwards.n; i++)
		extend(&rules, ",hostfwd=tcp:127.0.0.1:%s-" VM_ADDRESS ":%s", o->forwards.item[i], o->forwards.item[i]);
	option(v, "-netdev", "user,id=outside,restrict=on%s", rules);
	option(v, "-device", "virtio-net-pci,netdev=outside,romfile=,disable-legacy=on");
}

void outside_add(struct strv *v, const struct options *o)
{
	AUTO_FREE char *path = NULL;

	if (o->output) {
		path = quote(o->output);
		option(v, "-fsdev", "local,id=" VM_OUTPUT_TAG ",path=%s,security_model=none,multidevs=remap",
		       path);
		option(v, "-device", "virtio-9p-pci,fsdev=" VM_OUTPUT_TAG ",mount_tag=" VM_OUTPUT_TAG
		       ",disable-legacy=on");
	}
	if (o->forwards.n)
		add_network(v, o);
}
