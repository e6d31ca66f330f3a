// SPDX-License-Identifier: GPL-2.0-only
/* mon-vm: runs one command in a guest with the emulated devices. Options and places. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm/vm.h"

enum {
	OPT_SOC = 256, OPT_SMP, OPT_MEM, OPT_KERNEL, OPT_TIMEOUT, OPT_QEMU_ARG, OPT_QMP,
	OPT_KERNEL_LOG, OPT_APPEND, OPT_NO_MODULES, OPT_MODULES_DIR, OPT_MODULE_PARAM, OPT_ENV,
	OPT_PLUGIN_ARGS, OPT_HEXAGON_DIR, OPT_CPU, OPT_THREADS, OPT_ARCH, OPT_ESP, OPT_SHARE, OPT_UPMEM_PROFILE,
	OPT_ACCEL, OPT_OUTPUT, OPT_FORWARD, OPT_SILENCE, OPT_ACCELERATOR,
	OPT_BARE_METAL, OPT_COUNTERS,
};

static const struct argp_option argp_options[] = {
	{ "device", 'd', "SPEC", 0,
	  "Emulated device with its properties, as in QEMU's -device (repeatable; \"none\": no device; "
	  "default: one of each kind)", 0 },
	{ "soc", OPT_SOC, "FILE", 0, "ESP design (.esp_config) of the espmon device", 0 },
	{ "accelerator", OPT_ACCELERATOR, "NAME=FILE", 0,
	  "Accelerator tiles of that name run FILE, made by mon-esp-acc (repeatable)", 0 },
	{ "esp", OPT_ESP, NULL, 0,
	  "The ESP SoC is at ESP's own addresses, with a device tree, instead of on PCI "
	  "(--arch riscv64)", 0 },
	{ "bare-metal", OPT_BARE_METAL, "FILE", 0,
	  "Instead of COMMAND: run FILE, an ELF program without a system, on the ESP SoC (--arch riscv64 --esp)", 0 },
	{ "counters", OPT_COUNTERS, "EVENT[,...]", 0,
	  "With --bare-metal: print what these events counted, such as espmon/ddr_accesses/", 0 },
	{ "hexagon-dir", OPT_HEXAGON_DIR, "DIR", 0,
	  "Folder of Hexagon programs that the guest may run on the hexagon-pmu device", 0 },
	{ "upmem-profile", OPT_UPMEM_PROFILE, "DIR", 0,
	  "Write what the instructions of DPU programs cost to DIR at the end; see dpu-run(1)", 0 },
	{ "cpu", OPT_CPU, NULL, 0,
	  "The guest's own memory accesses drive the counters of espmon and mrfld-visa while an "
	  "event that they can change is open", 0 },
	{ "interactive", 'i', NULL, 0, "COMMAND (default: a shell) runs on this terminal", 0 },
	{ "timeout", OPT_TIMEOUT, "S", 0,
	  "End the guest after S seconds (default: 300, none with -i; 0: never)", 0 },
	{ "silence", OPT_SILENCE, "S", 0,
	  "Say that the guest hangs after S seconds without a sign of life (default: 30; 0: never)", 0 },
	{ "env", 'e', "VAR=VALUE", 0, "Environment of COMMAND (repeatable)", 0 },
	{ "output", OPT_OUTPUT, "DIR", 0, "What COMMAND writes to DIR stays there", 0 },
	{ "forward", OPT_FORWARD, "PORT", 0,
	  "A TCP port of the guest is that of this machine's 127.0.0.1, too (repeatable)", 0 },
	{ "arch", OPT_ARCH, "NAME", 0,
	  "Architecture of the guest: x86_64 (default); riscv64 or arm64 after `make riscv64' or `make arm64'", 1 },
	{ "share", OPT_SHARE, "DIR", 0,
	  "The guest of another architecture sees this folder, too (repeatable)", 1 },
	{ "smp", OPT_SMP, "N", 0, "Processors (default: 2; 1 with --bare-metal)", 1 },
	{ "threads", OPT_THREADS, NULL, 0,
	  "A host thread for each processor, with which the guest may hang or QEMU abort", 1 },
	{ "accel", OPT_ACCEL, "NAME", 0,
	  "What runs the guest's own code: tcg (default), or kvm, which is experimental", 1 },
	{ "mem", OPT_MEM, "SIZE", 0, "Memory (default: 1G)", 1 },
	{ "kernel", OPT_KERNEL, "FILE", 0,
	  "Kernel image (default: the newest that the modules were built for)", 1 },
	{ "modules-dir", OPT_MODULES_DIR, "DIR", 0,
	  "Folder with the kernel's own modules, under its release (default: /lib/modules)", 1 },
	{ "append", OPT_APPEND, "ARGS", 0, "More kernel command line (repeatable)", 1 },
	{ "no-modules", OPT_NO_MODULES, NULL, 0, "Do not load libmon's kernel modules", 1 },
	{ "module-param", OPT_MODULE_PARAM, "MODULE.PARAM=VALUE", 0,
	  "Parameter for one of libmon's modules (repeatable)", 1 },
	{ "kernel-log", OPT_KERNEL_LOG, "FILE", 0, "Write the kernel's messages to FILE", 2 },
	{ "qmp", OPT_QMP, "SOCKET", 0, "Offer QEMU's monitor protocol at this path", 2 },
	{ "qemu-arg", OPT_QEMU_ARG, "ARG", 0, "One more argument for QEMU (repeatable)", 2 },
	{ "plugin-args", OPT_PLUGIN_ARGS, "NAME=VALUE[,...]", 0, "Arguments for mon-qemu.so", 2 },
	{ "verbose", 'v', NULL, 0, "Show QEMU's command line", 2 },
	{ 0 },
};

static int seconds(const char *option, const char *arg)
{
	char *end;
	long n = strtol(arg, &end, 10);

	if (end == arg || *end || n < 0 || n > INT_MAX)
		fail("%s %s: give a number of seconds, or 0 for none", option, arg);
	return n;
}

/* Options that only set a field of struct options. */
static const struct field {
	int key;
	enum { FLAG, TEXT, LIST } kind;
	size_t offset;
} fields[] = {
#define FIELD(option, type, name) { option, type, offsetof(struct options, name) }
	FIELD('d', LIST, devices),
	FIELD('i', FLAG, interactive),
	FIELD('v', FLAG, verbose),
	FIELD(OPT_SOC, TEXT, soc),
	FIELD(OPT_BARE_METAL, TEXT, bare_metal),
	FIELD(OPT_COUNTERS, TEXT, counters),
	FIELD(OPT_THREADS, FLAG, threads),
	FIELD(OPT_CPU, FLAG, cpu),
	FIELD(OPT_ESP, FLAG, esp),
	FIELD(OPT_SHARE, LIST, shares),
	FIELD(OPT_ACCELERATOR, LIST, accelerators),
	FIELD(OPT_HEXAGON_DIR, TEXT, hexagon_dir),
	FIELD(OPT_SMP, TEXT, smp),
	FIELD(OPT_MEM, TEXT, mem),
	FIELD(OPT_KERNEL, TEXT, kernel),
	FIELD(OPT_APPEND, LIST, append),
	FIELD(OPT_MODULES_DIR, TEXT, modules_dir),
	FIELD(OPT_NO_MODULES, FLAG, no_modules),
	FIELD(OPT_KERNEL_LOG, TEXT, kernel_log),
	FIELD(OPT_QMP, TEXT, qmp),
	FIELD(OPT_QEMU_ARG, LIST, qemu_args),
	FIELD(OPT_PLUGIN_ARGS, TEXT, plugin_args),
#undef FIELD
};

static bool field_set(struct options *o, int key, char *arg)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		void *field = (char *)o + fields[i].offset;

		if (fields[i].key != key)
			continue;
		switch (fields[i].kind) {
		case FLAG:
			*(bool *)field = true;
			break;
		case TEXT:
			*(char **)field = arg;
			break;
		case LIST:
			strv_add(field, "%s", arg);
			break;
		}
		return true;
	}
	return false;
}

static error_t vm_parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	if (field_set(o, key, arg))
		return 0;
	switch (key) {
	case OPT_UPMEM_PROFILE:
		o->upmem_profile = realpath(arg, NULL);
		if (!o->upmem_profile)
			fail("--upmem-profile %s: %s", arg, strerror(errno));
		return 0;
	case OPT_ARCH:
		o->arch = arch_find(arg);
		return 0;
	case OPT_ACCEL:
		o->kvm = !strcmp(arg, "kvm");
		if (!o->kvm && strcmp(arg, "tcg"))
			fail("--accel %s: there are tcg (default) and kvm", arg);
		return 0;
	case OPT_TIMEOUT:
		o->timeout = seconds("--timeout", arg);
		return 0;
	case OPT_SILENCE:
		o->silence = seconds("--silence", arg);
		return 0;
	case 'e':
		if (!strchr(arg, '=') || *arg == '=')
			fail("--env %s: give VAR=VALUE", arg);
		strv_add(&o->env, "%s", arg);
		return 0;
	case OPT_OUTPUT:
		o->output = output_find(arg);
		return 0;
	case OPT_FORWARD:
		forward_add(o, arg);
		return 0;
	case OPT_MODULE_PARAM:
		if (!strchr(arg, '.') || !strchr(arg, '='))
			fail("--module-param %s: give MODULE.PARAM=VALUE", arg);
		strv_add(&o->module_params, "%s", arg);
		return 0;
	case ARGP_KEY_ARGS:
		o->command = state->argv + state->next;
		state->next = state->argc;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* `make ARCH` puts these files below the build tree. */
static void find_foreign_places(struct places *p, const struct arch *arch, bool bare)
{
	if (!p->build)
		fail("--arch %s: its guest is made in libmon's build tree: run that one's mon-vm",
		     arch->name);
	p->cross = format("%s/build/%s", p->build, arch->name);
	p->root = format("%s/build/guest-%s/root", p->build, arch->name);
	p->init = format("%s/vm/mon-vm-init", p->cross);
	p->plugin = format("%s/qemu/mon-qemu-%s.so", p->build, arch->name);
	p->modules = format("%s/build/pmu", p->cross);
	if (bare) {	/* a part that only the emulator needs */
		if (!exists(p->plugin))
			fail("--arch %s: %s not found: run make qemu/mon-qemu-%s.so", arch->name, p->plugin,
			     arch->name);
	} else if (!exists(p->root) || !exists(p->init)) {
		fail("--arch %s: %s not found: run make %s", arch->name,
		     exists(p->root) ? p->init : p->root, arch->name);
	}
}

/* The folder of this program is the build tree if it holds vm/init. */
static void find_places(struct places *p, const struct arch *arch, bool bare)
{
	char self[PATH_MAX] = "";
	char *init;

	p->root = format("%s", "/");

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		fail("/proc/self/exe: %s", strerror(errno));
	*strrchr(self, '/') = 0;
	p->programs = format("%s", self);
	init = format("%s/vm/mon-vm-init", self);
	if (exists(init)) {
		p->build = format("%s", self);
		p->init = init;
		p->plugin = format("%s/qemu/mon-qemu.so", self);
		p->hexagon_host = format("%s/hexagon-host", self);
		p->libraries = format("%s/.libs", self);
		p->sdk = format("%s/upmem-sdk", self);
		p->python = format("%s/libmon/python", self);
		p->modules = format("%s/build/pmu", self);
	} else {
		free(init);
		p->init = format("%s/mon-vm-init", PKGLIBEXECDIR);
		p->plugin = format("%s/mon-qemu.so", PKGLIBEXECDIR);
		p->hexagon_host = format("%s/hexagon-host", self);
		p->libraries = format("%s", LIBDIR);
		p->sdk = format("%s", UPMEM_SDK_DIR);
		p->python = format("%s/python", PKGDATADIR);
		p->modules = format("%s/modules", PKGLIBEXECDIR);
	}
	if (arch != arch_native())
		find_foreign_places(p, arch, bare);
	if (!bare && !exists(p->init))
		fail("%s not found: run make, or make install", p->init);
}

/* QEMU takes 0 for its own default. */
#define LEAST_MB 128	/* below this a kernel of Debian halts without a word */

static void check_machine(const struct options *o)
{
	char *end;
	double mb = strtod(o->mem, &end);

	if (end != o->mem && strlen(end) <= 1) {
		mb *= strchr("kK", *end) && *end ? 1 / 1024. : strchr("gG", *end) && *end ? 1024 : strchr("tT", *end) && *end ? 1048576 : 1;
		if (mb <= 0 || (mb < LEAST_MB && !o->bare_metal))
			fail("--mem %s: the guest needs memory: give %d M or more", o->mem, LEAST_MB);
	}
	if (strtol(o->smp, &end, 10) <= 0 && end != o->smp)
		fail("--smp %s: give a number of processors, 1 or more", o->smp);
}

static void options_parse(struct options *o, int argc, char **argv)
{
	static const struct argp argp = {
		argp_options, vm_parse, "[--] COMMAND [ARG...]\n--interactive [COMMAND [ARG...]]\n--bare-metal FILE",
		"Run COMMAND in a Linux guest whose emulated devices have performance counters. The guest "
		"sees this machine's files; what it writes is gone when COMMAND ends. COMMAND's output "
		"and exit status pass through.\v"
		"Exit status: that of COMMAND, 128+N if signal N ended it, 126 or 127 if it cannot run, "
		"124 at a timeout, 125 if the guest fails.", NULL, NULL, NULL,
	};
	static char *shell[] = { "/bin/bash", "-i", NULL };

	*o = (struct options){ .mem = "1G", .arch = arch_native(), .timeout = -1,
			       .silence = 30 };
	argp_err_exit_status = VM_STATUS_FAILED;
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, o);
	if (!o->smp)
		o->smp = o->bare_metal ? "1" : "2";
	check_machine(o);
	if (o->bare_metal && (o->command || o->interactive || !o->esp))
		fail("--bare-metal %s: it runs on the ESP SoC instead of a command: pass --arch riscv64 --esp, "
		     "no command and no --interactive", o->bare_metal);
	if (o->counters && !o->bare_metal)
		fail("--counters is for --bare-metal: in a guest use perf stat -e");
	if (!o->command && o->interactive)
		o->command = shell;
	if (!o->command && !o->bare_metal)
		fail("no command: give -- COMMAND [ARG...], or --interactive for a shell");
	if (o->timeout < 0)
		o->timeout = o->interactive ? 0 : 300;
	if (o->esp && strcmp(o->arch->kernel_arch, "riscv"))
		fail("--esp: a SoC of ESP has RISC-V processors: pass --arch riscv64, too");
	if (o->soc && !exists(o->soc))
		fail("%s: %s", o->soc, strerror(errno));
	if (o->kvm && o->arch != arch_native())
		fail("--accel kvm: this machine's processor cannot run a guest of %s: leave it out", o->arch->name);
	if (o->kvm && o->cpu)
		fail("--cpu counts the accesses of code that QEMU translates: leave --accel kvm out");
	find_places(&o->places, o->arch, o->bare_metal);
	if (o->bare_metal)
		return;
	kernel_find(o);
	layers_find(o);
}

int main(int argc, char **argv)
{
	struct options o;
	int fd;

	/* occupy closed standard streams, so that no socket of ours becomes one */
	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd < 3);
	close(fd);
	options_parse(&o, argc, argv);
	return o.bare_metal ? run_bare(&o) : run(&o);
}
