// SPDX-License-Identifier: GPL-2.0-only
/* A program's architecture and log. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "dpu/include/dpu_log.h"
#include "dpu/run/run.h"

const struct dpu_arch *choose_arch(const char *path, const struct dpu_program *program,
				   const struct dpu_arch *arch, unsigned int tasklets)
{
	if (!arch)
		arch = dpu_arch_find(program->arch);
	if (!arch)	/* SDKs until about 2023 have only this one */
		arch = &dpu_archs[DPU_ARCH_V1A];
	if (program->tasklets > arch->threads && !tasklets) {
		char why[80];

		snprintf(why, sizeof(why), "%" PRIu32 " tasklets, but %s has %u; see --tasklets",
			 program->tasklets, arch->name, arch->threads);
		die(path, why);
	}
	if (tasklets > arch->threads)
		die("--tasklets", "more than the architecture has");
	return arch;
}

void print_log(struct dpu *dpu, const struct dpu_program *program)
{
	const struct dpu_program_symbol *buffer = dpu_program_symbol(program, "__stdout_buffer");
	const struct dpu_program_symbol *state = dpu_program_symbol(program, "__stdout_buffer_state");
	uint32_t words[2], offset;
	uint8_t *log;

	if (!buffer || !state || !dpu_read(dpu, DPU_WRAM, state->value, words, 8) || !words[0])
		return;
	if (words[1])
		fprintf(stderr, "%s: the log is longer than its buffer; its beginning is lost\n", program_invocation_short_name);
	words[0] &= ~7u;
	log = malloc(words[0]);
	if (dpu_address(buffer->value, &offset) != DPU_MRAM || !log ||
	    !dpu_read(dpu, DPU_MRAM, offset, log, words[0]))
		die("log", "__stdout_buffer_state points outside MRAM");
	if (!dpu_log_print(log, words[0], stdout))
		fprintf(stderr, "%s: the log holds a record that is no printf record\n", program_invocation_short_name);
	free(log);
}
