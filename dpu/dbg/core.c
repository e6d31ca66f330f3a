// SPDX-License-Identifier: GPL-2.0-only
/* Target: the core of a DPU that faulted. It cannot run. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "dpu/dbg/dbg.h"
#include "dpu/run/run.h"
#include "dpu/include/core.h"

static bool core_start(struct dbg *d)
{
	return wrong(d, "%s", d->target->why_not);
}

static void core_nothing(struct dbg *d)
{
	(void)d;
}

static bool is_core(int fd)
{
	char magic[8] = "";

	return pread(fd, magic, sizeof(magic), 0) == sizeof(magic) && !memcmp(magic, "DPUCORE", 8);
}

bool target_core(struct dbg *d, const char *path)
{
	static const struct target target = {
		.why_not = "a core can only be looked at", .start = core_start, .ended = core_nothing,
		.close = core_nothing,
	};
	struct dpu_program *program;
	const char *why;
	char text[256];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || !is_core(fd)) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	d->dpu = dpu_core_read(fd, &program, &why);
	close(fd);
	if (!d->dpu)
		die(path, why);
	d->target = &target;
	take_program(d, program);
	dpu_fault_text(d->dpu, text, sizeof(text));
	printf("Fault: %s\n", text);
	d->thread = dpu_fault(d->dpu)->thread;
	put_place(d, d->thread, true);
	return true;
}
