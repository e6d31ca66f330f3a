// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "dpu/as/asm.h"
#include "tests/unit/upmem/api.h"

struct dpu_set_t api_set;
void *api_image;
size_t api_image_size;

const char api_program[] =
	".section .dpu_host\n.align 8\n.globl in\nin: .long 0\n.size in, 4\n"
	".globl out\nout: .long 0\n.size out, 4\n.data\nprivate: .long 0\n.size private, 4\n"
	".section .mram\n.align 8\n.globl data\ndata: .zero 64\n.size data, 64\n.text\n"
	"main: lw r0, zero, in\n jeq r0, 13, 1f\n add r0, r0, 1\n sw zero, out, r0\n jump r23\n"
	"1: fault 3\n";

void api_assemble(const char *text, unsigned int tasklets, enum dpu_arch_id arch)
{
	static const char *const dirs[] = { UPMEM_EXAMPLES };
	const struct dpu_asm_source source = { "test", text };
	const struct dpu_asm_options options = {
		.arch = &dpu_archs[arch], .tasklets = tasklets, .stack_size = 64, .include_dirs = dirs,
		.include_count = 1,
	};
	char error[DPU_ASM_ERROR_SIZE];

	free(api_image);
	api_image = NULL;
	ck_assert_msg(dpu_assemble(&source, 1, &options, &api_image, &api_image_size, error), "%s",
		      error);
}

void api_setup(void)
{
	fake_begin(2, 4, DPU_ARCH_V1B);
	api_assemble(api_program, 2, DPU_ARCH_V1B);
	ck_assert_int_eq(dpu_alloc(6, NULL, &api_set), DPU_OK);
}

void api_teardown(void)
{
	ck_assert_int_eq(dpu_free(api_set), DPU_OK);
	ck_assert_uint_eq(fake_open_ranks(), 0);
	fake_end();
	free(api_image);
	api_image = NULL;
}

void api_load(void)
{
	ck_assert_msg(dpu_load_from_memory(api_set, api_image, api_image_size, NULL) == DPU_OK, "%s",
		      mon_error());
}
