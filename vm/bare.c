// SPDX-License-Identifier: GPL-2.0-only
/* mon-vm --bare-metal: runs an ESP program without an operating system. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vm/vm.h"

#define START	0x80000000ULL	/* start address of ESP's boot ROM and of QEMU's */
#define ROM_END	0x100000	/* below this address a device tree is part of the boot ROM */

/* Reads a file; it must be an ELF file for 64-bit RISC-V. */
struct elf {
	const char *path;
	const uint8_t *bytes;
	size_t size;
};

static const void *bytes_at(const struct elf *elf, uint64_t at, uint64_t size)
{
	if (at > elf->size || size > elf->size - at)
		fail("%s: the file is cut off", elf->path);
	return elf->bytes + at;
}

static struct elf elf_open(const char *path)
{
	struct elf elf = { .path = path };
	const Elf64_Ehdr *head;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		fail("--bare-metal %s: %s", path, strerror(errno));
	elf.size = st.st_size;
	elf.bytes = elf.size ? mmap(NULL, elf.size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	close(fd);
	head = (const Elf64_Ehdr *)elf.bytes;
	if (elf.bytes == MAP_FAILED || elf.size < sizeof(*head) ||
	    memcmp(head->e_ident, ELFMAG, SELFMAG) || head->e_ident[EI_CLASS] != ELFCLASS64 ||
	    head->e_machine != EM_RISCV)
		fail("--bare-metal %s: it is no ELF file of 64-bit RISC-V: give ESP's .exe, not its .bin", path);
	return elf;
}

/* The loaded bytes at an address; NULL: nothing is loaded there. */
static const void *loaded(const struct elf *elf, uint64_t addr, size_t size)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)elf->bytes;
	const Elf64_Phdr *p = bytes_at(elf, head->e_phoff, (uint64_t)head->e_phnum * sizeof(*p));

	for (int i = 0; i < head->e_phnum; i++) {
		if (p[i].p_type == PT_LOAD && addr >= p[i].p_paddr &&
		    addr - p[i].p_paddr + size <= p[i].p_filesz)
			return bytes_at(elf, p[i].p_offset + addr - p[i].p_paddr, size);
	}
	return NULL;
}

/* 0: there is no symbol of that name. */
static uint64_t symbol(const struct elf *elf, const char *name)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)elf->bytes;
	const Elf64_Shdr *s = bytes_at(elf, head->e_shoff, (uint64_t)head->e_shnum * sizeof(*s));

	for (int i = 0; i < head->e_shnum; i++) {
		const Elf64_Sym *sym;
		const char *names;

		if (s[i].sh_type != SHT_SYMTAB || s[i].sh_link >= head->e_shnum)
			continue;
		sym = bytes_at(elf, s[i].sh_offset, s[i].sh_size);
		names = bytes_at(elf, s[s[i].sh_link].sh_offset, s[s[i].sh_link].sh_size);
		for (size_t k = 0; k < s[i].sh_size / sizeof(*sym); k++) {
			size_t room = s[s[i].sh_link].sh_size;

			if (sym[k].st_shndx != SHN_UNDEF && sym[k].st_name < room &&
			    !strncmp(names + sym[k].st_name, name, room - sym[k].st_name))
				return sym[k].st_value;
		}
	}
	return 0;
}

/* Properties of espmon-soc that depend on the program. */
static void add_program(struct strv *words, const char *path)
{
	struct elf elf = elf_open(path);
	uint64_t at, dtb = 0, tohost = symbol(&elf, "tohost");
	const void *value;

	if (!loaded(&elf, START, 4))
		fail("--bare-metal %s: nothing of it is at 0x%llx, where it begins: link it there", path, START);
	at = ((const Elf64_Ehdr *)elf.bytes)->e_entry;
	if (at != START)
		fail("--bare-metal %s: its first instruction is at 0x%" PRIx64 ", but the boot ROM jumps to 0x%llx: "
		     "link without what precedes it (-Wl,--build-id=none)", path, at, START);
	/* ESP's libprobe keeps the address of the boot ROM's device tree in a variable */
	at = symbol(&elf, "dtb");
	value = at ? loaded(&elf, at, sizeof(dtb)) : NULL;
	if (value)
		memcpy(&dtb, value, sizeof(dtb));
	if (dtb && dtb < ROM_END)
		strv_add(words, "dtb=0x%" PRIx64, dtb);
	if (tohost)
		strv_add(words, "tohost=0x%" PRIx64, tohost);
	else
		fprintf(stderr, "mon-vm: %s has no symbol tohost, a store to which ends a run: it goes on "
			"until --timeout\n", path);
	munmap((void *)elf.bytes, elf.size);
}

static struct strv bare_args(const struct options *o, int report)
{
	struct strv v = { 0 }, words = { 0 };
	AUTO_FREE char *counters = NULL;

	strv_add(&v, "%s", o->arch->qemu);
	option(&v, "-machine", "%s", o->arch->machine);
	option(&v, "-cpu", "%s", o->arch->cpu);
	if (!strv_has(&o->qemu_args, "-accel"))
		option(&v, "-accel", "tcg");
	for (const char *const *word = (const char *const[]){ "-nodefaults", "-no-user-config",
							      "-no-reboot", "-display", "none", "-name", "mon-vm", "-bios", "none", NULL }; *word; word++)
		strv_add(&v, "%s", *word);
	option(&v, "-chardev", "stdio,id=apbuart,signal=off");
	option(&v, "-smp", "%s", o->smp);
	option(&v, "-m", "%s", o->mem);
	option(&v, "-kernel", "%s", o->bare_metal);
	strv_add(&words, "chardev=apbuart");
	strv_add(&words, "report=/proc/self/fd/%d", report);
	add_program(&words, o->bare_metal);
	if (o->counters) {
		counters = quote(o->counters);
		strv_add(&words, "counters=%s", counters);
	}
	devices_add(&v, o, false, &words);
	strv_free(&words);
	add_given(&v, o);
	return v;
}

static pid_t start(const struct options *o, int report)
{
	struct strv args = bare_args(o, report);
	pid_t pid;

	show_command(o, &args);
	pid = fork();
	if (pid < 0)
		fail("cannot fork: %s", strerror(errno));
	if (!pid) {
		int null = open("/dev/null", O_RDWR);
		sigset_t none;

		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		dup2(null, 0);
		execvp(args.item[0], args.item);
		fail("%s: %s: install %s", args.item[0], strerror(errno), o->arch->qemu_package);
	}
	strv_free(&args);
	return pid;
}

/* The program's exit status, or -1 if it has not ended; prints the counters. */
static int read_report(int report)
{
	FILE *f = fdopen(report, "r");
	char line[256], end[8];
	int status = -1, n;

	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%d %7s", &n, end) == 2 && !strcmp(end, "exit"))
			status = n;
		else
			fputs(line, stderr);
	}
	fclose(f);
	return status;
}

/* Waits until QEMU ends, a signal comes or the time limit is reached. Returns the signal, 0 or -1. */
static int wait_for(pid_t qemu, int timeout, const sigset_t *set)
{
	struct timespec now, end, left;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += timeout;
	for (;;) {
		siginfo_t info = { 0 };
		int sig;

		/* a child that ended before this point queues no SIGCHLD */
		if (!waitid(P_PID, qemu, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid)
			return 0;
		clock_gettime(CLOCK_MONOTONIC, &now);
		left = (struct timespec){ .tv_sec = timeout ? end.tv_sec - now.tv_sec : 60 };
		if (timeout && left.tv_sec <= 0)
			return -1;
		sig = sigtimedwait(set, NULL, &left);
		if (sig > 0 && sig != SIGCHLD)
			return sig;
	}
}

int run_bare(const struct options *o)
{
	int report = memfd_create("report", 0), status, ended, sig;
	sigset_t set;
	pid_t qemu;

	if (report < 0)
		fail("no file in memory: %s", strerror(errno));
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	qemu = start(o, report);
	sig = wait_for(qemu, o->timeout, &set);
	if (sig)
		kill(qemu, SIGTERM);	/* QEMU still prints the counters */
	waitpid(qemu, &status, 0);
	ended = read_report(report);
	if (sig > 0)
		return 128 + sig;
	if (sig < 0) {
		fprintf(stderr, "mon-vm: timeout: the program was ended after %d s (--timeout)\n", o->timeout);
		return VM_STATUS_TIMEOUT;
	}
	if (ended >= 0)
		return ended > 255 ? 255 : ended;
	if (WIFSIGNALED(status))
		fprintf(stderr, "mon-vm: QEMU was killed by signal %d (%s)\n", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		fprintf(stderr, "mon-vm: QEMU ended with status %d (the reason is above)\n",
			WEXITSTATUS(status));
	else
		fprintf(stderr, "mon-vm: the machine was switched off\n");
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : VM_STATUS_FAILED;
}
