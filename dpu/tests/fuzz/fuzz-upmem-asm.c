// SPDX-License-Identifier: GPL-2.0-only
/* The assembler: any text either assembles to a program that opens, or is refused with a reason. */
#include <stdlib.h>
#include <string.h>

#include "dpu/as/asm.h"
#include "dpu/include/dpu_program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct dpu_asm_options options = {
		.arch = &dpu_archs[DPU_ARCH_V1B], .tasklets = 1, .no_runtime = true
	};
	struct dpu_asm_source source = { "fuzz", NULL };
	char *text = malloc(size + 1), error[DPU_ASM_ERROR_SIZE] = "";
	struct dpu_program *program;
	void *image;

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	source.text = text;
	if (!dpu_assemble(&source, 1, &options, &image, &size, error)) {
		if (!*error)
			abort();
	} else {
		if (dpu_program_open(image, size, &program) == DPU_PROGRAM_OK)
			dpu_program_close(program);
		free(image);
	}
	free(text);
	return 0;
}
