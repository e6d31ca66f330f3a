// SPDX-License-Identifier: GPL-2.0-only
/* The loader of DPU programs: any file; what opens is loaded, run for a while, and its log read. */
#include <stdio.h>
#include <stdlib.h>

#include "qemu/upmem/load.h"
#include "qemu/upmem/log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct dpu *dpu;
	static FILE *null;
	struct dpu_program *program;
	uint8_t log[256];

	if (!dpu)
		dpu = dpu_new(&dpu_archs[DPU_ARCH_V1A], NULL, 0, NULL);
	if (!null)
		null = fopen("/dev/null", "w");
	if (!dpu || !null)
		abort();
	dpu_log_print(data, size, null);
	if (dpu_program_open(data, size, &program))
		return 0;
	dpu_reset(dpu);
	if (dpu_load_program(dpu, program)) {
		dpu_boot(dpu);
		dpu_run(dpu, 20000);
		dpu_halt(dpu);
		if (dpu_read(dpu, DPU_MRAM, 0, log, sizeof(log)))
			dpu_log_print(log, sizeof(log), null);
	}
	dpu_program_close(program);
	return 0;
}
