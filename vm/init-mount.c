// SPDX-License-Identifier: GPL-2.0-only
/* Mounts the guest's file systems: the host's files, layers over them, and the kernel's own. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vm/init.h"
#include "vm/proto.h"

void mount_at(const char *type, const char *dir, unsigned long flags, const char *data)
{
	mkdir(dir, 0755);
	if (mount(type, dir, type, flags, data))
		die("cannot mount %s on %s: %s", type, dir, strerror(errno));
}

static void mount_share(const char *tag, const char *dir)
{
	mkdir(dir, 0755);
	if (mount(tag, dir, "9p", MS_RDONLY, "trans=virtio,version=9p2000.L,msize=512000,cache=loose"))
		die("cannot mount the host's files (%s): %s", tag, strerror(errno));
}

static void make_folders(char *path)
{
	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = 0;
		mkdir(path, 0755);
		*p = '/';
	}
	mkdir(path, 0755);
}

/* TAG[:TAG...]=PATH */
static void mount_layer(char *layer, int n)
{
	char *at = strchr(layer, '='), *save, *tag, path[4096], dirs[1024] = "", options[2048];

	if (!at)
		die("%s: no '=' in layer=%s", VM_CONFIG, layer);
	*at++ = 0;
	for (tag = strtok_r(layer, ":", &save); tag; tag = strtok_r(NULL, ":", &save)) {
		size_t len = strlen(dirs);

		snprintf(dirs + len, sizeof(dirs) - len, "%s/%s", len ? ":" : "", tag);
		mount_share(tag, strrchr(dirs, '/'));
	}
	snprintf(path, sizeof(path), "/rw/upper-%d", n);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "/rw/work-%d", n);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "/root%s", at);
	make_folders(path);
	snprintf(options, sizeof(options), "lowerdir=%s,upperdir=/rw/upper-%d,workdir=/rw/work-%d", dirs,
		 n, n);
	if (mount("overlay", path, "overlay", 0, options))
		die("cannot mount %s: %s", at, strerror(errno));
}

/*
 * The root is the host's file system below a layer in memory: programs may write anywhere, and the
 * host never sees it. Folders that describe a running system (/run, /dev, ...) are the guest's own.
 */
void mount_root(char *const *layers, int n, char *output)
{
	mount_share("root", "/host");
	mount_at("tmpfs", "/rw", 0, "mode=0755");
	mkdir("/rw/upper", 0755);
	mkdir("/rw/work", 0755);
	mkdir("/root", 0755);
	if (mount("overlay", "/root", "overlay", 0,
		  "lowerdir=/host,upperdir=/rw/upper,workdir=/rw/work"))
		die("cannot mount the overlay: %s", strerror(errno));
	for (int i = 0; i < n; i++)
		mount_layer(layers[i], i);
	mount_at("tmpfs", "/root/run", MS_NOSUID | MS_NODEV, "mode=0755");
	mkdir("/root/run/lock", 01777);
	if (mount("/proc", "/root/proc", NULL, MS_MOVE, NULL) ||
	    mount("/sys", "/root/sys", NULL, MS_MOVE, NULL) ||
	    mount("/dev", "/root/dev", NULL, MS_MOVE, NULL))
		die("cannot move /proc, /sys and /dev: %s", strerror(errno));
	if (chdir("/root") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot("."))
		die("cannot enter the root file system: %s", strerror(errno));
	mount_at("tmpfs", "/dev/shm", MS_NOSUID | MS_NODEV, "mode=1777");
	mount_at("devpts", "/dev/pts", MS_NOSUID | MS_NOEXEC, "ptmxmode=0666,mode=0620,gid=5");
	mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
	mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	mount("cgroup2", "/sys/fs/cgroup", "cgroup2", 0, NULL);
	if (output)
		make_folders(output);
	if (output && mount(VM_OUTPUT_TAG, output, "9p", 0,
			    "trans=virtio,version=9p2000.L,msize=512000,cache=mmap"))
		die("cannot mount the host's %s: %s", output, strerror(errno));
	unlink("/dev/ptmx");
	if (symlink("pts/ptmx", "/dev/ptmx") || symlink("/proc/self/fd", "/dev/fd") ||
	    symlink("fd/0", "/dev/stdin") || symlink("fd/1", "/dev/stdout") ||
	    symlink("fd/2", "/dev/stderr"))
		die("cannot complete /dev: %s", strerror(errno));
}
