// SPDX-License-Identifier: GPL-2.0-only
/* The machine: QEMU's command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm/proto.h"
#include "vm/vm.h"

/* The default set; the first one may stand at ESP's own addresses instead (espmon-soc). */
static const char *const all_devices[] = {
#define MON_SYSTEM(name, pmu, prefix, vendor, product, device, ...) device,
#include "events/systems.def"
#undef MON_SYSTEM
};

/* Where the ports stand: above the slots that QEMU gives to what names none. */
#define FIRST_SLOT 0x10
#define FUNCTIONS 8

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* QEMU's option syntax takes a doubled comma for one in a value. */
char *quote(const char *s)
{
	char *out = format("%s%s", s, s), *p = out; /* room for the worst case */

	for (; *s; s++) {
		*p++ = *s;
		if (*s == ',')
			*p++ = ',';
	}
	*p = 0;
	return out;
}

/* "espmon" for the first device of that type, "espmon-2" for the next: what QMP calls it. */
static char *device_id(const struct strv *specs, size_t index)
{
	const char *spec = specs->item[index];
	size_t len = strcspn(spec, ",");
	int nth = 1;

	for (size_t i = 0; i < index; i++) {
		if (!strncmp(specs->item[i], spec, len) &&
		    (!specs->item[i][len] || specs->item[i][len] == ','))
			nth++;
	}
	return nth == 1 ? format("%.*s", (int)len, spec) : format("%.*s-%d", (int)len, spec, nth);
}

/* A device that is no PCI function stands where its hardware stands, and stays there. */
static bool is_fixed(const char *spec)
{
	static const char name[] = "espmon-soc";

	return strcspn(spec, ",") == strlen(name) && !strncmp(spec, name, strlen(name));
}

/* Each PCI device behind a port of its own, because that is what makes hot-unplug possible; eight ports a slot. */
static void add_device(struct strv *v, const struct options *o, const struct strv *specs, size_t n,
		       bool hexagon)
{
	const char *spec = specs->item[n];
	char *id = device_id(specs, n), *soc = quote(o->soc ? o->soc : "");
	bool give_id = !strstr(spec, ",id=");
	bool give_soc = o->soc && !strncmp(spec, "espmon", 6) && !strstr(spec, ",soc=");
	char *profile = quote(o->upmem_profile ? o->upmem_profile : "");
	bool give_profile = o->upmem_profile && !strncmp(spec, "upmem-rank", 10);
	/* one connection, so the first core has it */
	bool host = hexagon && !strcmp(id, "hexagon-pmu") && !strstr(spec, ",chardev=");

	size_t port = 0;
	char *bus;

	for (size_t i = 0; i < n; i++)
		port += !is_fixed(specs->item[i]);
	bus = is_fixed(spec) ? format("%s", "") : format(",bus=mon-port%zu", port + 1);
	if (*bus) {
		strv_add(v, "-device");
		strv_add(v, "pcie-root-port,id=mon-port%zu,chassis=%zu,slot=%zu,multifunction=on,addr=0x%zx.%zu",
			 port + 1, port + 1, port + 1, FIRST_SLOT + port / FUNCTIONS, port % FUNCTIONS);
	}
	strv_add(v, "-device");
	strv_add(v, "%s%s%s%s%s%s%s%s%s%s%s", spec, bus, give_id ? ",id=" : "", give_id ? id : "",
		 give_soc ? ",soc=" : "", give_soc ? soc : "", host ? ",chardev=hexagon-host" : "",
		 give_profile ? ",profile=" : "", give_profile ? profile : "", give_profile ? "/" : "",
		 give_profile ? id : "");
	free(bus);
	free(profile);
	free(id);
	free(soc);
}

static void add_devices(struct strv *v, const struct options *o, bool hexagon)
{
	struct strv all = { 0 };
	const struct strv *specs = o->devices.n ? &o->devices : &all;
	char *plugin;

	if (strv_has(&o->devices, "none"))
		return;
	if (!exists(o->places.plugin))
		fail("%s not found: run make, or pass --device none", o->places.plugin);
	strv_add(v, "-plugin");
	plugin = quote(o->places.plugin);
	strv_add(v, "%s%s%s%s", plugin, o->cpu ? ",cpu=on" : "", o->plugin_args ? "," : "",
		 o->plugin_args ? o->plugin_args : "");
	free(plugin);
	for (size_t i = 0; i < COUNT(all_devices); i++)
		strv_add(&all, "%s%s", all_devices[i], !i && o->esp ? "-soc" : "");
	for (size_t i = 0; i < specs->n; i++)
		add_device(v, o, specs, i, hexagon);
	strv_free(&all);
}

static void add_share(struct strv *v, const char *name, const char *path)
{
	char *quoted = quote(path);

	strv_add(v, "-fsdev");
	strv_add(v, "local,id=%s,path=%s,security_model=none,multidevs=remap,readonly=on", name, quoted);
	strv_add(v, "-device");
	strv_add(v, "virtio-9p-pci,fsdev=%s,mount_tag=%s,disable-legacy=on", name, name);
	free(quoted);
}

static void add_shares(struct strv *v, const struct options *o)
{
	size_t share = 0;

	add_share(v, "root", o->places.root);
	for (size_t i = 0; i < o->nlayers; i++) {
		for (size_t k = 0; k < o->layers[i].folders.n; k++) {
			char *name = format(VM_SHARE_NAME, share++);

			add_share(v, name, o->layers[i].folders.item[k]);
			free(name);
		}
	}
}

/* Each with a space in front. */
static char *words(const struct strv *v)
{
	char *all = format("%s", "");

	for (size_t i = 0; i < v->n; i++) {
		char *longer = format("%s %s", all, v->item[i]);

		free(all);
		all = longer;
	}
	return all;
}

/*
 * QEMU before 8.1 can miss that a guest changes its kernel's code, as tracing does, while another virtual
 * processor translates it in a thread of its own; the guest hangs then.
 */
static bool misses_code_changes(const char *qemu)
{
	char *command = format("%s --version", qemu);
	FILE *pipe = popen(command, "re");
	int major = 0, minor = 0;

	if (pipe) {
		if (fscanf(pipe, "QEMU emulator version %d.%d", &major, &minor) != 2)
			major = 0;
		pclose(pipe);
	}
	free(command);
	return major < 8 || (major == 8 && minor < 1);
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
	char *kernel = vmlinux_get(o), *append = words(&o->append), *clock, *qmp;
	unsigned long khz = tsc_khz(o);

	strv_add(&v, "%s", o->arch->qemu);
	strv_add(&v, "-machine");
	strv_add(&v, "%s", o->arch->machine);
	strv_add(&v, "-cpu");
	strv_add(&v, "%s", o->arch->cpu);
	if (*o->arch->firmware && !strv_has(&o->qemu_args, "-bios")) {
		strv_add(&v, "-bios");
		strv_add(&v, "%s%s", o->places.root, o->arch->firmware);
	}
	strv_add(&v, "-chardev");
	strv_add(&v, "socket,id=port,fd=%d", port);
	strv_add(&v, "-chardev");
	strv_add(&v, "socket,id=console,fd=%d", console);
	for (size_t i = 0; i < COUNT(fixed); i++)
		strv_add(&v, "%s", fixed[i]);
	add_shares(&v, o);
	/* QEMU takes the first of several */
	if (!strv_has(&o->qemu_args, "-accel")) {
		strv_add(&v, "-accel");
		strv_add(&v, "%s", o->threads || !misses_code_changes(o->arch->qemu) ?
			 "tcg" : "tcg,thread=single");
	}
	strv_add(&v, "-serial");
	strv_add(&v, "chardev:console");
	strv_add(&v, "-smp");
	strv_add(&v, "%s", o->smp);
	strv_add(&v, "-m");
	strv_add(&v, "%s", o->mem);
	strv_add(&v, "-kernel");
	strv_add(&v, "%s", kernel);
	strv_add(&v, "-initrd");
	strv_add(&v, "/proc/self/fd/%d", initramfs);
	clock = khz ? format(" tsc_early_khz=%lu", khz) : format("%s", "");
	strv_add(&v, "-append");
	/*
	 * A busy host may hold a virtual processor up for long: that is no lockup of the guest's. The kernel's
	 * tests of its ciphers take a third of a second.
	 */
	strv_add(&v,
		 "console=ttyS0 quiet panic=-1 oops=panic audit=0 cryptomgr.notests rcupdate.rcu_cpu_stall_timeout=120 "
		 "sysctl.kernel.watchdog_thresh=60 %s%s%s", o->arch->append, clock, append);
	free(clock);
	free(append);
	if (hexagon >= 0) {
		strv_add(&v, "-chardev");
		strv_add(&v, "socket,id=hexagon-host,fd=%d", hexagon);
	}
	add_devices(&v, o, hexagon >= 0);
	outside_add(&v, o);
	if (o->qmp) {
		qmp = quote(o->qmp);
		strv_add(&v, "-qmp");
		strv_add(&v, "unix:%s,server=on,wait=off", qmp);
		free(qmp);
	}
	for (size_t i = 0; i < o->qemu_args.n; i++)
		strv_add(&v, "%s", o->qemu_args.item[i]);
	free(kernel);
	return v;
}
