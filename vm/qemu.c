// SPDX-License-Identifier: GPL-2.0-only
/* QEMU's command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/proto.h"
#include "vm/vm.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void add_share(struct strv *v, const char *name, const char *path)
{
	AUTO_FREE char *quoted = quote(path);

	option(v, "-fsdev", "local,id=%s,path=%s,security_model=none,multidevs=remap,readonly=on", name, quoted);
	option(v, "-device", "virtio-9p-pci,fsdev=%s,mount_tag=%s,disable-legacy=on", name, name);
}

static void add_shares(struct strv *v, const struct options *o)
{
	size_t share = 0;

	add_share(v, "root", o->places.root);
	for (size_t i = 0; i < o->nlayers; i++) {
		for (size_t k = 0; k < o->layers[i].folders.n; k++) {
			AUTO_FREE char *name = format(VM_SHARE_NAME, share++);

			add_share(v, name, o->layers[i].folders.item[k]);
		}
	}
}

void show_command(const struct options *o, const struct strv *args)
{
	for (size_t i = 0; o->verbose && i < args->n; i++)
		fprintf(stderr, "%s%s%s", i ? " " : "mon-vm: ", args->item[i], i + 1 < args->n ? "" : "\n");
}

/* Debian's "+b3)" at the end: the same source was built once more. */
static void cut_rebuild(char *version)
{
	char *mark = strrchr(version, '+');

	if (mark && mark[1] == 'b' && !strcmp(mark + 2 + strspn(mark + 2, "0123456789"), ")"))
		strcpy(mark, ")");
}

/* An emulator that is not there or does not start is what the start itself reports. */
void check_version(const struct options *o)
{
	static const char mark[] = "mon-qemu for ";
	AUTO_FREE char *command = format("%s --version 2>/dev/null", o->arch->qemu), *object = NULL, *built = NULL;
	char running[256] = "", *named;
	FILE *f = popen(command, "r");
	size_t size;

	if (!f || !fgets(running, sizeof(running), f))
		running[0] = 0;
	if (f)
		pclose(f);
	running[strcspn(running, "\n")] = 0;
	f = fopen(o->places.plugin, "re");
	if (!running[0] || !f)
		return;
	object = read_all(f, &size);
	fclose(f);
	named = memmem(object, size, mark, sizeof(mark) - 1);
	built = format("%s", named ? named + sizeof(mark) - 1 : "a QEMU that it does not name");
	cut_rebuild(running);
	cut_rebuild(built);
	if (strcmp(running, built) != 0)
		fail("%s is %s, but %s was built for %s: %s", o->arch->qemu, running, o->places.plugin, built,
		     o->places.build ? "run make" : "install the package mon-vm that belongs to this QEMU");
}

void add_given(struct strv *v, const struct options *o)
{
	AUTO_FREE char *qmp = o->qmp ? quote(o->qmp) : NULL;

	if (qmp)
		option(v, "-qmp", "unix:%s,server=on,wait=off", qmp);
	for (size_t i = 0; i < o->qemu_args.n; i++)
		strv_add(v, "%s", o->qemu_args.item[i]);
}

struct strv qemu_args(const struct options *o, int port, int console, int initramfs,
		      int hexagon)
{
	static const char *const fixed[] = {
		"-nodefaults", "-no-user-config", "-no-reboot", "-display", "none",
		"-name", "mon-vm",
		"-device", "virtio-serial-pci,disable-legacy=on",
		"-device", "virtserialport,chardev=port,name=mon-vm",
	};
	struct strv v = { 0 };
	AUTO_FREE char *kernel = vmlinux_get(o), *append = format("%s", o->arch->append);
	unsigned long khz = tsc_khz(o);

	strv_add(&v, "%s", o->arch->qemu);
	option(&v, "-machine", "%s", o->arch->machine);
	option(&v, "-cpu", "%s", o->arch->cpu);
	if (*o->arch->firmware && !strv_has(&o->qemu_args, "-bios")) {
		option(&v, "-bios", "%s%s", o->places.root, o->arch->firmware);
	}
	option(&v, "-chardev", "socket,id=port,fd=%d", port);
	option(&v, "-chardev", "socket,id=console,fd=%d", console);
	for (size_t i = 0; i < COUNT(fixed); i++)
		strv_add(&v, "%s", fixed[i]);
	add_shares(&v, o);
	/*
	 * With a thread for each processor QEMU loses accesses to devices, or aborts, while another processor changes
	 * the memory map (a PCI device goes or comes; 10.0 does so), and before 8.1 changes of the kernel's code.
	 * QEMU uses the first -accel option: the user's, if there is one.
	 */
	if (!strv_has(&o->qemu_args, "-accel"))
		option(&v, "-accel", "%s", o->kvm ? "kvm" : o->threads ? "tcg" : "tcg,thread=single");
	option(&v, "-serial", "chardev:console");
	option(&v, "-smp", "%s", o->smp);
	option(&v, "-m", "%s", o->mem);
	option(&v, "-kernel", "%s", kernel);
	option(&v, "-initrd", "/proc/self/fd/%d", initramfs);
	if (khz)
		extend(&append, " tsc_early_khz=%lu", khz);
	for (size_t i = 0; i < o->append.n; i++)
		extend(&append, " %s", o->append.item[i]);
	/*
	 * On a busy host a virtual processor may stop for long, which is no lockup of the guest, so the
	 * watchdogs wait longer. The kernel's self-tests of ciphers are off because they take 0.3 s.
	 */
	option(&v, "-append",
	       "console=ttyS0 quiet panic=-1 oops=panic audit=0 cryptomgr.notests rcupdate.rcu_cpu_stall_timeout=120 "
	       "sysctl.kernel.watchdog_thresh=60 %s", append);
	if (hexagon >= 0) {
		option(&v, "-chardev", "socket,id=hexagon-host,fd=%d", hexagon);
	}
	devices_add(&v, o, hexagon >= 0, NULL);
	outside_add(&v, o);
	add_given(&v, o);
	return v;
}
