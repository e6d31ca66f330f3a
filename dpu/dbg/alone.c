// SPDX-License-Identifier: GPL-2.0-only
/* Target: a program on a DPU of its own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/dbg/dbg.h"
#include "dpu/run/run.h"
#include "dpu/include/load.h"

static bool alone_start(struct dbg *d)
{
	const struct alone *alone = d->opaque;
	const struct dpu_arch *arch = choose_arch(d->path, d->program, alone->arch, 0);

	dpu_destroy(d->dpu);
	d->dpu = dpu_new(arch, NULL, 0, NULL);
	if (!d->dpu || !dpu_load_program(d->dpu, d->program)) {
		dpu_destroy(d->dpu);
		d->dpu = NULL;
		return wrong(d, "%s: does not fit the memories of %s", d->path, arch->name);
	}
	for (size_t i = 0; alone->sets[i]; i++)
		set_variable(d->dpu, 0, d->program, alone->sets[i]);
	for (size_t i = 0; alone->mrams[i]; i++)
		set_mram(d->dpu, 0, alone->mrams[i]);
	dpu_set_reference(d->dpu, true);
	return dpu_boot(d->dpu);
}

static void alone_ended(struct dbg *d)
{
	print_log(d->dpu, d->program);
}

static void alone_close(struct dbg *d)
{
	(void)d;
}

bool target_alone(struct dbg *d, struct alone *alone)
{
	static const struct target target = {
		.start = alone_start, .ended = alone_ended, .close = alone_close
	};
	struct dpu_program *program;
	enum dpu_program_error error = dpu_program_read(d->path, &program);

	if (error)
		die(d->path, errno ? strerror(errno) : dpu_program_error_text(error));
	d->opaque = alone;
	d->target = &target;
	take_program(d, program);
	return true;
}
