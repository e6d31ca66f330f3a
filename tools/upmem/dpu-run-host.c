// SPDX-License-Identifier: GPL-2.0-only
/* dpu-run-host, which dpu-run --host runs: a host program with libmon-dpu's simulator, in modelled time. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dpu/include/blocks.h"
#include "dpu/include/shared-object.h"

struct host {
	bool verbose;
	const char *report, *clock;
	char **command;
};

enum { KEY_REPORT = 256, KEY_CLOCK };

static const struct argp_option options[] = {
	{ "report", KEY_REPORT, "FILE", 0,
	  "Write the summary to FILE, as JSON or CSV if its name ends in .json or .csv (default: standard error)", 0 },
	{ "clock", KEY_CLOCK, "modelled|dpus|real", 0,
	  "What the program's clocks show: its own computing and the modelled time of DPUs and transfers (default), "
	  "the modelled time alone, or the time of this machine", 0 },
	{ "verbose", 'v', 0, 0, "Say whether DPU programs are compiled for this machine", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct host *h = state->input;

	switch (key) {
	case KEY_REPORT:
		h->report = arg;
		break;
	case KEY_CLOCK:
		if (strcmp(arg, "modelled") && strcmp(arg, "dpus") && strcmp(arg, "real"))
			argp_error(state, "clock '%s': must be modelled, dpus or real", arg);
		h->clock = arg;
		break;
	case 'v':
		h->verbose = true;
		break;
	case ARGP_KEY_ARGS:
		h->command = state->argv + state->next;
		break;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no host program");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static void die(const char *what, const char *why) __attribute__((noreturn));
static void die(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, why);
	exit(EXIT_FAILURE);
}

/* upmem-sdk of the build tree that this program is in; installed, it is in that folder. */
static char *sdk_folder(void)
{
	static char folder[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", folder, sizeof(folder) - sizeof("/upmem-sdk/libdpu.so"));

	if (n < 0)
		die("/proc/self/exe", strerror(errno));
	folder[n] = '\0';
	strcpy(folder, dirname(folder));
	n = strlen(folder);
	strcat(folder, "/upmem-sdk");
	if (access(folder, X_OK))
		folder[n] = '\0';
	return folder;
}

static void put_before(const char *name, const char *folder, const char *file)
{
	const char *old = getenv(name);
	char *value;

	if (asprintf(&value, "%s/%s%s%s", folder, file, old && *old ? ":" : "", old && *old ? old : "") < 0 ||
	    setenv(name, value, 1))
		die(name, strerror(errno));
	free(value);
}

static bool find_in_path(const char *name, char path[PATH_MAX])
{
	const char *dirs = getenv("PATH");

	if (strchr(name, '/'))
		return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
	while (dirs && *dirs) {
		int length = strcspn(dirs, ":");

		if (snprintf(path, PATH_MAX, "%.*s/%s", length, dirs, name) < PATH_MAX && !access(path, X_OK))
			return true;
		dirs += length + (dirs[length] == ':');
	}
	return false;
}

/* Does code read the processor's time-stamp counter (rdtsc, rdtscp)? */
static bool has_rdtsc(Elf *elf, const GElf_Phdr *header)
{
	size_t size;
	const char *image = elf_rawfile(elf, &size);

	if (!image || header->p_type != PT_LOAD || !(header->p_flags & PF_X) || header->p_offset > size ||
	    header->p_filesz > size - header->p_offset)
		return false;
	return memmem(image + header->p_offset, header->p_filesz, "\x0f\x31", 2) ||
	       memmem(image + header->p_offset, header->p_filesz, "\x0f\x01\xf9", 3);
}

/* Programs whose clocks cannot be replaced. */
static void check_program(const char *name)
{
	char path[PATH_MAX];
	int fd = find_in_path(name, path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	bool interpreter = false, counter = false;
	GElf_Ehdr file;
	GElf_Phdr header;
	size_t count = 0;
	Elf *elf;

	if (fd < 0)
		die(name, strerror(errno ? errno : ENOENT));
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!elf || !gelf_getehdr(elf, &file) || elf_getphdrnum(elf, &count))
		count = 0;	/* a script, for example */
	for (size_t i = 0; i < count && gelf_getphdr(elf, i, &header); i++) {
		interpreter |= header.p_type == PT_INTERP;
		counter |= (file.e_machine == EM_X86_64 || file.e_machine == EM_386) && has_rdtsc(elf, &header);
	}
	elf_end(elf);
	close(fd);
	if (count && !interpreter)
		die(name, "a static program: it has its own copy of the SDK's library and of the clocks. Link it dynamically");
	if (counter)
		fprintf(stderr, "dpu-run: %s: reads the time-stamp counter, as it seems, which shows real "
			"time\n", name);
}

/* What the library will do, which says nothing itself. */
static void say_blocks(void)
{
	char problem[SHARED_OBJECT_PROBLEM] = "LIBMON_DPU_BLOCKS=off";
	struct shared_object_compiler compiler;
	enum dpu_blocks blocks = DPU_BLOCKS_ON;

	if (dpu_blocks_environment(&blocks) && blocks != DPU_BLOCKS_OFF && shared_object_compiler(&compiler, problem))
		fprintf(stderr, "dpu-run: DPU programs that run long are compiled with %s\n", compiler.path);
	else
		fprintf(stderr, "dpu-run: DPU programs are interpreted: %s\n", problem);
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		options, parse, "--host PROGRAM [ARGUMENT...]",
		"Runs a host program with the simulator. Its clocks show modelled time, and a summary follows.",
		NULL, NULL, NULL
	};
	struct host h = { .clock = "modelled" };
	const char *folder = sdk_folder();

	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &h);
	if (strcmp(h.clock, "real"))
		check_program(h.command[0]);
	if (h.verbose)
		say_blocks();
	put_before("LD_LIBRARY_PATH", folder, "");
	put_before("PYTHONPATH", folder, "python");
	if (strcmp(h.clock, "real"))
		put_before("LD_PRELOAD", folder, "libmon-dpu-clock.so");
	if (setenv("LIBMON_DPU_CLOCK", h.clock, 1) || setenv("LIBMON_DPU_BACKEND", "simulator", 1) ||
	    setenv("LIBMON_DPU_REPORT", h.report ? h.report : "summary", !!h.report))
		die("environment", strerror(errno));
	execvp(h.command[0], h.command);
	die(h.command[0], strerror(errno));
}
