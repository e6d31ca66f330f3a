// SPDX-License-Identifier: GPL-2.0-only
/* mon-vm without a guest: module order, the kernel image's header, QEMU's command line. */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "vm/vm.h"
#include "tests/main.h"	/* after vm.h: Check makes a macro of fail() */

static char dir[] = "/tmp/test-vm-XXXXXX";

static char *write_file(const char *name, const void *data, size_t size)
{
	char *path = format("%s/%s", dir, name);
	FILE *f = fopen(path, "wb");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(data, 1, size, f), size);
	ck_assert_int_eq(fclose(f), 0);
	return path;
}

static bool prepare(void)
{
	char vm[sizeof(dir) + 4];

	if (!mkdtemp(dir))
		return false;
	/* the unpacked kernel of a build tree */
	snprintf(vm, sizeof(vm), "%s/vm", dir);
	return !mkdir(vm, 0755);
}

static void clean(void)
{
	char command[sizeof(dir) + 8];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

SUITE("mon-vm", .teardown_once = clean, .prepare = prepare);

/* modprobe(8) gives the right order of a module's dependencies. */
LOOP_TEST(modules_come_in_modprobes_order, 0, 4)
{
	static const char *const names[] = { "virtio_pci", "9p", "9pnet_virtio", "overlay" };
	const char *name = names[_i];
	char *command = format("/sbin/modprobe --show-depends -S %s %s", KERNEL_RELEASE, name);
	struct strv files = { 0 };
	char line[512];
	size_t n = 0, lines = 0;
	FILE *f = popen(command, "r");

	modules_resolve(&files, "/lib/modules", KERNEL_RELEASE, name);
	for (; fgets(line, sizeof(line), f); lines++) {
		line[strcspn(line, " \n")] = 0;	/* "insmod PATH " or "builtin NAME" */
		if (!strcmp(line, "builtin"))
			continue;
		line[strlen(line) + 1 + strcspn(line + strlen(line) + 1, " \n")] = 0;
		ck_assert_uint_lt(n, files.n);
		ck_assert_str_eq(files.item[n++], line + strlen(line) + 1);
	}
	ck_assert_int_eq(pclose(f), 0);
	/* some kernels have some of them built in; modprobe says so */
	ck_assert_uint_gt(lines, 0);
	ck_assert_uint_eq(n, files.n);
	strv_free(&files);
	free(command);
}

TEST(a_shared_need_is_loaded_once)
{
	struct strv files = { 0 };
	size_t n;

	modules_resolve(&files, "/lib/modules", KERNEL_RELEASE, "9p");
	n = files.n;
	modules_resolve(&files, "/lib/modules", KERNEL_RELEASE, "9p");
	ck_assert_uint_eq(files.n, n);
	for (size_t i = 0; i < files.n; i++) {
		for (size_t k = 0; k < i; k++)
			ck_assert_str_ne(files.item[i], files.item[k]);
	}
	strv_free(&files);
}

EXIT_TEST(an_unknown_module_ends_the_program, VM_STATUS_FAILED)
{
	struct strv files = { 0 };

	modules_resolve(&files, "/lib/modules", KERNEL_RELEASE, "no_such_module");
}

EXIT_TEST(an_unknown_release_ends_the_program, VM_STATUS_FAILED)
{
	struct strv files = { 0 };

	modules_resolve(&files, "/lib/modules", "0.0.0-none", "9p");
}

/*
 * The boot protocol: "HdrS" at 0x202, and at 0x20e the offset, less 0x200, of a string whose first
 * word is the release.
 */
TEST(the_release_stands_in_the_image)
{
	static unsigned char image[0x2000];
	char *path, *release;

	memcpy(image + 0x202, "HdrS", 4);
	image[0x20e] = 0x00;
	image[0x20f] = 0x10;	/* 0x1000 + 0x200 */
	strcpy((char *)image + 0x1200, "6.1.0-99-test (someone@somewhere) #1");
	path = write_file("image", image, sizeof(image));
	release = kernel_release(path);
	ck_assert_str_eq(release, "6.1.0-99-test");
	free(release);
	image[0x202] = 'X';
	free(path);
	path = write_file("image", image, sizeof(image));
	ck_assert_ptr_null(kernel_release(path));
	free(path);
	path = write_file("image", image, 100);
	ck_assert_ptr_null(kernel_release(path));
	free(path);
}

EXIT_TEST(a_missing_image_ends_the_program, VM_STATUS_FAILED)
{
	kernel_release("/nonexistent/vmlinuz");
}

/* An image from which no ELF file can be had is booted as it is. */
LOOP_TEST(what_cannot_be_unpacked_boots_as_it_is, 0, 4)
{
	static unsigned char image[0x4000];
	struct options o = { .release = "test", .places = { .build = dir } };
	char *path, *boots;
	/* payload offsets after the end of the image, and to data that is not compressed */
	static const unsigned int cases[][2] = { { 0xffffff00, 0x100 }, { 0x100, 0xffffff00 },
						 { 0x100, 8 }, { 0x100, 0x1000 } };

	memcpy(image + 0x202, "HdrS", 4);
	memcpy(image + 0x248, &cases[_i][0], 4);
	memcpy(image + 0x24c, &cases[_i][1], 4);
	path = write_file("image", image, sizeof(image));
	o.kernel = path;
	boots = vmlinux_get(&o);
	ck_assert_str_eq(boots, path);
	free(boots);
	free(path);
}

/* A kernel image whose payload is the smallest ELF file with a PVH entry, compressed by gzip. */
static char *packed_image(void)
{
	static unsigned char image[0x3000], elf[0x800];
	const Elf64_Ehdr head = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64 }, .e_phoff = 64, .e_phnum = 1 };
	const Elf64_Phdr segment = { .p_type = PT_NOTE, .p_offset = 256, .p_filesz = 20 };
	const Elf64_Nhdr note = { .n_namesz = 4, .n_descsz = 4, .n_type = 18 };
	uint32_t size = sizeof(elf), packed, at = 0x1000 - 5 * 512;	/* after five sectors of setup */
	char *path, *command;
	FILE *f;

	memcpy(elf, &head, sizeof(head));
	memcpy(elf + 64, &segment, sizeof(segment));
	memcpy(elf + 256, &note, sizeof(note));
	memcpy(elf + 256 + sizeof(note), "Xen", 4);
	path = write_file("elf", elf, sizeof(elf));
	command = format("gzip -c %s", path);
	f = popen(command, "r");
	packed = fread(image + 0x1000, 1, 0x1000, f);
	ck_assert_int_eq(pclose(f), 0);
	memcpy(image + 0x1000 + packed, &size, 4);
	packed += 4;
	memcpy(image + 0x202, "HdrS", 4);
	memcpy(image + 0x248, &at, 4);
	memcpy(image + 0x24c, &packed, 4);
	free(command);
	free(path);
	return write_file("packed", image, sizeof(image));
}

static off_t size_of(const char *path)
{
	struct stat st;

	return lstat(path, &st) || !S_ISREG(st.st_mode) ? -1 : st.st_size;
}

/* What the cache of kernels holds beforehand, and whether its copy is booted. */
enum { CACHE_MADE, CACHE_OPEN, CACHE_LINK, CACHE_FOREIGN, CACHE_RELATIVE, CACHE_NO_HOME, CACHE_CUT, CACHE_LINKED_COPY,
       CACHE_OTHERS_COPY, CACHE_CASES };

LOOP_TEST(a_kept_kernel_is_the_users_own_and_whole, 0, CACHE_CASES)
{
	char *image = packed_image(), *cache = format("%s/cache%d", dir, _i), *folder = format("%s/libmon", cache);
	char *copy = format("%s/vmlinux-test", folder), *elsewhere = format("%s/elsewhere", cache), *boots;
	struct options o = { .release = "test", .kernel = image };
	const bool kept = _i == CACHE_MADE || _i >= CACHE_CUT;
	const bool root = !geteuid();

	ck_assert_int_eq(mkdir(cache, 0700), 0);
	ck_assert_int_eq(mkdir(elsewhere, 0700), 0);
	ck_assert_int_eq(_i == CACHE_LINK ? symlink(elsewhere, folder) : mkdir(folder, 0700), 0);
	setenv("XDG_CACHE_HOME", _i == CACHE_RELATIVE ? "relative" : cache, 1);
	unsetenv("HOME");
	if (_i == CACHE_NO_HOME)
		unsetenv("XDG_CACHE_HOME");
	if (kept) {
		boots = vmlinux_get(&o);
		ck_assert_str_eq(boots, copy);
		free(boots);
	}
	if (_i == CACHE_OPEN)
		ck_assert_int_eq(chmod(folder, 0777), 0);
	if (_i == CACHE_FOREIGN && root)	/* as root alone */
		ck_assert_int_eq(chown(folder, 12345, 12345), 0);
	if (_i == CACHE_OTHERS_COPY && root)
		ck_assert_int_eq(chown(copy, 12345, 12345), 0);
	if (_i == CACHE_CUT) {
		struct stat st;

		ck_assert_int_eq(stat(copy, &st), 0);
		ck_assert_int_eq(truncate(copy, 1000), 0);
		utimensat(AT_FDCWD, copy, (struct timespec[2]){ st.st_mtim, st.st_mtim }, 0);
	}
	if (_i == CACHE_LINKED_COPY) {
		char *moved = format("%s/copy", elsewhere);

		ck_assert_int_eq(rename(copy, moved), 0);
		ck_assert_int_eq(symlink(moved, copy), 0);
		free(moved);
	}
	boots = vmlinux_get(&o);
	ck_assert_str_eq(boots, kept || (_i == CACHE_FOREIGN && !root) ? copy : image);
	if (kept) {
		struct stat st;

		ck_assert_int_eq(size_of(copy), 0x800);
		ck_assert_int_eq(stat(copy, &st), 0);
		ck_assert_uint_eq(st.st_uid, geteuid());
	}
	ck_assert_int_eq(access("relative", F_OK), -1);
	free(boots);
	free(elsewhere);
	free(copy);
	free(folder);
	free(cache);
	free(image);
}

/* A day after its last use, a copy without an image in /boot goes when another one is made. */
TEST(old_kernels_go)
{
	char *image = packed_image(), *cache = format("%s/old", dir), *folder = format("%s/libmon", cache);
	char *old = format("%s/vmlinux-0.0.1", folder), *fresh = format("%s/vmlinux-0.0.2", folder), *boots;
	const struct timespec times[2] = { { .tv_sec = time(NULL) - 25 * 3600 }, { .tv_sec = time(NULL) - 25 * 3600 } };
	struct options o = { .release = "test", .kernel = image };

	ck_assert_int_eq(mkdir(cache, 0700), 0);
	ck_assert_int_eq(mkdir(folder, 0700), 0);
	free(write_file("old/libmon/vmlinux-0.0.1", "x", 1));
	free(write_file("old/libmon/vmlinux-0.0.2", "x", 1));
	ck_assert_int_eq(utimensat(AT_FDCWD, old, times, 0), 0);
	setenv("XDG_CACHE_HOME", cache, 1);
	boots = vmlinux_get(&o);
	ck_assert_int_eq(size_of(boots), 0x800);
	ck_assert_int_eq(size_of(old), -1);
	ck_assert_int_eq(size_of(fresh), 1);
	free(boots);
	free(fresh);
	free(old);
	free(folder);
	free(cache);
	free(image);
}

/* A kernel boots as it is, and the user learns why each boot is slower, if nothing unpacks it. */
TEST(the_missing_unpacker_is_named)
{
	char *image = packed_image(), *cache = format("%s/unpacker", dir), *log = format("%s/said", dir), *boots;
	struct options o = { .release = "test", .kernel = image };
	char said[200] = "";
	FILE *f;

	setenv("XDG_CACHE_HOME", cache, 1);
	setenv("PATH", dir, 1);
	ck_assert_int_eq(mkdir(cache, 0700), 0);
	ck_assert_ptr_nonnull(freopen(log, "w", stderr));
	boots = vmlinux_get(&o);
	fflush(stderr);
	ck_assert_str_eq(boots, image);
	f = fopen(log, "r");
	ck_assert_ptr_nonnull(fgets(said, sizeof(said), f));
	fclose(f);
	ck_assert_msg(strstr(said, "gzip not found") && strstr(said, "install gzip"), "%s", said);
	free(boots);
	free(log);
	free(cache);
	free(image);
}

/* QEMU's arguments for a set of devices, and those after each -device. */
struct line {
	struct options o;
	struct strv args, devices;
};

static void values_of(struct strv *found, const struct strv *args, const char *key)
{
	for (size_t i = 0; i + 1 < args->n; i++) {
		if (!strcmp(args->item[i], key))
			strv_add(found, "%s", args->item[i + 1]);
	}
}

static void line_make(struct line *l, const char *device1, const char *device2)
{
	l->o.kernel = write_file("empty", "", 0);
	if (!l->o.arch)
		l->o.arch = arch_native();
	l->o.release = "test";
	l->o.smp = "2";
	l->o.mem = "1G";
	l->o.places.build = dir;
	if (!l->o.places.root)
		l->o.places.root = "/";
	l->o.places.plugin = write_file("plugin,1.so", "", 0);
	if (device1)
		strv_add(&l->o.devices, "%s", device1);
	if (device2)
		strv_add(&l->o.devices, "%s", device2);
	l->args = qemu_args(&l->o, 3, 4, 5, -1);
	values_of(&l->devices, &l->args, "-device");
}

static void line_free(struct line *l)
{
	free(l->o.kernel);
	free(l->o.places.plugin);
	for (size_t i = 0; i < l->o.nlayers; i++) {
		free(l->o.layers[i].at);
		strv_free(&l->o.layers[i].folders);
	}
	free(l->o.layers);
	strv_free(&l->o.shares);
	strv_free(&l->o.devices);
	strv_free(&l->args);
	strv_free(&l->devices);
}

static bool has_part(const struct strv *v, const char *part)
{
	for (size_t i = 0; i < v->n; i++) {
		if (strstr(v->item[i], part))
			return true;
	}
	return false;
}

TEST(each_device_has_a_port_and_an_id)
{
	struct line l = { 0 };

	line_make(&l, "espmon", "espmon,preset=5");
	ck_assert(has_part(&l.devices, "pcie-root-port,id=mon-port1,"));
	ck_assert(has_part(&l.devices, "pcie-root-port,id=mon-port2,"));
	ck_assert(strv_has(&l.devices, "espmon,bus=mon-port1,id=espmon"));
	ck_assert(strv_has(&l.devices, "espmon,preset=5,bus=mon-port2,id=espmon-2"));
	line_free(&l);
}

TEST(an_id_of_the_user_stays)
{
	struct line l = { 0 };

	line_make(&l, "espmon,id=mine", NULL);
	ck_assert(strv_has(&l.devices, "espmon,id=mine,bus=mon-port1"));
	line_free(&l);
}

/* QEMU wants a comma in a value doubled. */
TEST(commas_in_file_names_are_doubled)
{
	struct line l = { .o.soc = "a,b.esp_config" };
	struct strv plugins = { 0 };

	line_make(&l, "espmon", "upmem-rank");
	ck_assert(strv_has(&l.devices, "espmon,bus=mon-port1,id=espmon,soc=a,,b.esp_config"));
	/* only the ESP device gets the design */
	ck_assert(strv_has(&l.devices, "upmem-rank,bus=mon-port2,id=upmem-rank"));
	values_of(&plugins, &l.args, "-plugin");
	ck_assert_uint_eq(plugins.n, 1);
	ck_assert_ptr_nonnull(strstr(plugins.item[0], "plugin,,1.so"));
	strv_free(&plugins);
	line_free(&l);
}

TEST(accesses_are_an_argument_of_the_plugin)
{
	struct line l = { .o.cpu = true, .o.plugin_args = "fetch=on" };
	struct line off = { 0 };

	line_make(&l, "espmon", NULL);
	ck_assert(has_part(&l.args, "plugin,,1.so,cpu=on,fetch=on"));
	line_free(&l);
	line_make(&off, "espmon", NULL);
	ck_assert(!has_part(&off.args, ",cpu="));
	line_free(&off);
}

TEST(none_means_no_device_and_no_plugin)
{
	struct line l = { 0 };

	line_make(&l, "none", NULL);
	ck_assert(!has_part(&l.devices, "pcie-root-port"));
	ck_assert(!strv_has(&l.args, "-plugin"));
	line_free(&l);
}

TEST(the_default_is_one_of_each)
{
	struct line l = { 0 };

	line_make(&l, NULL, NULL);
	ck_assert(has_part(&l.devices, "espmon,bus="));
	ck_assert(has_part(&l.devices, "mrfld-visa,bus="));
	ck_assert(has_part(&l.devices, "upmem-rank,bus="));
	ck_assert(has_part(&l.devices, "hexagon-pmu,bus="));
	line_free(&l);
}

TEST(the_host_is_shared_read_only)
{
	struct line l = { 0 };
	struct strv shares = { 0 };

	line_make(&l, "none", NULL);
	values_of(&shares, &l.args, "-fsdev");
	ck_assert_uint_eq(shares.n, 1);
	ck_assert_ptr_nonnull(strstr(shares.item[0], ",readonly=on"));
	strv_free(&shares);
	line_free(&l);
}

/* The frequency on the kernel's command line, kHz. */
static unsigned long clock_of(const struct line *l)
{
	struct strv append = { 0 };
	unsigned long khz = 0;
	const char *at;

	values_of(&append, &l->args, "-append");
	ck_assert_uint_eq(append.n, 1);
	at = strstr(append.item[0], " tsc_early_khz=");
	if (at)
		khz = strtoul(strchr(at, '=') + 1, NULL, 10);
	strv_free(&append);
	return khz;
}

TEST(the_guest_knows_its_clock)
{
	const struct timespec wait = { .tv_nsec = 50000000 };
	struct line l = { 0 }, counted = { 0 }, foreign = { .o.arch = arch_find("riscv64") };
	struct timespec from, to;
	uint64_t ticks, khz;

	line_make(&l, "none", NULL);
	clock_gettime(CLOCK_MONOTONIC, &from);
	ticks = __builtin_ia32_rdtsc();
	nanosleep(&wait, NULL);
	ticks = __builtin_ia32_rdtsc() - ticks;
	clock_gettime(CLOCK_MONOTONIC, &to);
	khz = ticks * 1000000 / ((to.tv_sec - from.tv_sec) * 1000000000ll + to.tv_nsec - from.tv_nsec);
	ck_assert_uint_gt(clock_of(&l), khz / 10 * 9);
	ck_assert_uint_lt(clock_of(&l), khz / 10 * 11);
	strv_add(&counted.o.qemu_args, "-icount");
	line_make(&counted, "none", NULL);
	ck_assert_uint_eq(clock_of(&counted), 1000000);
	line_make(&foreign, "none", NULL);
	ck_assert_uint_eq(clock_of(&foreign), 0);
	strv_free(&counted.o.qemu_args);
	line_free(&foreign);
	line_free(&counted);
	line_free(&l);
}

static void make_file(const char *fmt, const char *release)
{
	char *name = format(fmt, release), *path = format("%s/%s", dir, name);

	for (char *slash = path + strlen(dir) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = 0;
		mkdir(path, 0755);
	}
	free(write_file(name, "", 0));
	free(path);
	free(name);
}

/* 6.9 is older than 6.10; 6.12 has no modules of libmon, 6.11's are DKMS's, compressed. */
TEST(the_newest_kernel_with_our_modules_boots)
{
	static const char *const releases[] = { "6.9.0-1-amd64", "6.12.0-1-amd64", "6.11.0-1-amd64", "6.10.0-1-amd64" };
	struct options o = { .arch = arch_native(), .modules_dir = format("%s/modules", dir),
			     .places = { .modules = format("%s/own", dir) } };
	char *boot = format("%s/boot", dir), *release, *path;

	ck_assert_ptr_null(release_newest(&o, boot));
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++)
		make_file("boot/vmlinuz-%s", releases[i]);
	make_file("boot/initrd.img-%s", "9.0.0-1-amd64");
	ck_assert_ptr_null(release_newest(&o, boot));
	make_file("own/%s/mon_pmu.ko", releases[0]);
	make_file("own/%s/mon_pmu.ko", releases[3]);
	release = release_newest(&o, boot);
	ck_assert_str_eq(release, releases[3]);
	free(release);
	make_file("modules/%s/updates/dkms/mon_pmu.ko.xz", releases[2]);
	release = release_newest(&o, boot);
	ck_assert_str_eq(release, releases[2]);
	free(release);
	path = format("%s/%s/updates/dkms", o.modules_dir, releases[2]);
	release = own_module(path, "mon_pmu");
	ck_assert_str_eq(release + strlen(path), "/mon_pmu.ko.xz");
	ck_assert_ptr_null(own_module(path, "espmon"));
	free(release);
	free(path);
	o.no_modules = true;
	release = release_newest(&o, boot);
	ck_assert_str_eq(release, releases[1]);
	free(release);
	free(boot);
	free(o.modules_dir);
	free(o.places.modules);
}

/* The columns of vm/arch.def are complete. */
TEST(an_architecture_has_its_own_column)
{
	ck_assert_str_eq(arch_native()->name, "x86_64");
	ck_assert_str_eq(arch_native()->qemu, "qemu-system-x86_64");
	ck_assert_str_eq(arch_find("riscv64")->qemu, "qemu-system-riscv64");
	ck_assert_str_eq(arch_find("riscv64")->triplet, "riscv64-linux-gnu");
	ck_assert_str_eq(arch_find("arm64")->qemu, "qemu-system-aarch64");
	ck_assert_str_eq(arch_find("arm64")->triplet, "aarch64-linux-gnu");
}

EXIT_TEST(an_unknown_architecture_ends_the_program, VM_STATUS_FAILED)
{
	arch_find("vax");
}

TEST(a_foreign_guest_sees_the_guests_programs_on_top)
{
	struct line l = { 0 };
	struct strv shares = { 0 };

	l.o.arch = arch_find("riscv64");
	l.o.places = (struct places){ .build = "/b", .cross = "/b/build/riscv64", .root = dir };
	strv_add(&l.o.shares, "/");
	strv_add(&l.o.shares, "/usr");
	ck_assert_int_eq(chdir("/usr"), 0);
	layers_find(&l.o);
	/* the build tree, and the root; /usr and the working directory are below that */
	ck_assert_uint_eq(l.o.nlayers, 2);
	ck_assert_str_eq(l.o.layers[0].at, "/b");
	ck_assert_str_eq(l.o.layers[0].folders.item[0], "/b/build/riscv64");
	ck_assert_str_eq(l.o.layers[0].folders.item[1], "/b");
	ck_assert_str_eq(l.o.layers[1].at, "/");
	line_make(&l, "none", NULL);
	values_of(&shares, &l.args, "-fsdev");
	ck_assert_uint_eq(shares.n, 4);	/* and the guest's root */
	for (size_t i = 0; i < shares.n; i++)
		ck_assert_ptr_nonnull(strstr(shares.item[i], ",readonly=on"));
	strv_free(&shares);
	line_free(&l);
}

TEST(a_native_guest_needs_no_layers)
{
	struct options o = { .arch = arch_native() };

	layers_find(&o);
	ck_assert_uint_eq(o.nlayers, 0);
}

/* An image that is not compressed contains linux_banner of init/version.c. */
TEST(the_release_stands_in_the_banner)
{
	static char image[0x3000];
	char *path, *release;

	strcpy(image + 0x2345, "Linux version 6.12.1-test (someone@somewhere) (gcc) #1 SMP");
	path = write_file("image", image, sizeof(image));
	release = kernel_release(path);
	ck_assert_str_eq(release, "6.12.1-test");
	free(release);
	free(path);
}

/* The limit of silence begins with the first output: a kernel may take long to boot. */
TEST(silence_is_told_once_and_its_end_too)
{
	struct alive a = { .limit = 30000 }, never = { 0 };

	ck_assert(!alive_check(&a, 100000, "log"));
	ck_assert(!alive_heard(&a, 100000));
	ck_assert(!alive_check(&a, 129999, "log"));
	ck_assert(alive_check(&a, 130000, "log"));
	ck_assert(!alive_check(&a, 200000, "log"));
	ck_assert(alive_heard(&a, 200000));
	ck_assert(!alive_heard(&a, 201000));
	ck_assert(!alive_check(&a, 230999, "log"));
	ck_assert(alive_check(&a, 231000, "log"));
	/*
	 * without a start time there is no limit; with one the guest has 10 s until its first
	 * output
	 */
	ck_assert(!alive_is_lost(&never, 1000000));
	never.born = 1000;
	ck_assert(!alive_is_lost(&never, 10999));
	ck_assert(alive_is_lost(&never, 11000));
	alive_heard(&never, 10999);
	ck_assert(!alive_is_lost(&never, 1000000));

	alive_heard(&never, 1);
	ck_assert(!alive_check(&never, 1000000000, "log"));
}

/* A boot takes all that it gets; 5 % of ALIVE_IDLE_MS are 750 ms. */
TEST(a_boot_that_does_nothing_is_over)
{
	struct alive a = { 0 };

	ck_assert(!alive_is_idle(&a, 1000, 0, false));
	ck_assert(!alive_is_idle(&a, 15999, 749, false));
	ck_assert(alive_is_idle(&a, 16000, 749, false));
	ck_assert(!alive_is_idle(&a, 16000, 750, false));
	ck_assert(!alive_is_idle(&a, 30999, 1499, false));
	ck_assert(alive_is_idle(&a, 31000, 1499, false));
	/* one that waits for a processor of a busy host */
	ck_assert(!alive_is_idle(&a, 31000, 1499, true));
	ck_assert(!alive_is_idle(&a, 45999, 1499, false));
	ck_assert(alive_is_idle(&a, 46000, 1499, false));
	alive_heard(&a, 46000);
	ck_assert(!alive_is_idle(&a, 100000, 1499, false));
}
