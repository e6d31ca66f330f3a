// SPDX-License-Identifier: GPL-2.0-only
/*
 * The translator of dpu-cc: any text is translated or refused with a reason, as assembly for RISC-V
 * and as LLVM's intermediate code. The assembler accepts or refuses the translation.
 */
#include <stdlib.h>
#include <string.h>

#include "dpu/as/asm.h"
#include "dpu/cc/insn.h"
#include "dpu/cc/ir.h"
#include "dpu/cc/token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void assemble(const char *text)
{
	const struct dpu_asm_options options = {
		.arch = &dpu_archs[DPU_ARCH_V1B], .tasklets = 1, .no_runtime = true
	};
	struct dpu_asm_source source = { "fuzz", text };
	char error[DPU_ASM_ERROR_SIZE] = "";
	void *image;
	size_t size;

	if (dpu_assemble(&source, 1, &options, &image, &size, error))
		free(image);
	else if (!*error)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cc_text ir = { NULL, 0, 0 }, lowered = { NULL, 0, 0 }, places = { NULL, 0, 0 }, wide = { NULL, 0, 0 };
	char *text = malloc(size + 1), error[CC_ERROR_SIZE] = "", *translated;

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	translated = cc_translate("fuzz", text, error);
	if (translated)
		assemble(translated);
	else if (!*error)
		abort();
	free(translated);
	cc_text_add(&ir, "", 0);
	cc_ir_retarget(text, &ir);
	cc_text_add(&lowered, "", 0);
	cc_text_add(&places, "", 0);
	cc_ir_lower(ir.bytes, 14, true, &lowered);
	cc_ir_variables(lowered.bytes, &places);
	cc_text_free(&ir);
	cc_ir_lines(places.bytes, "/usr/include", &ir);
	cc_text_free(&places);
	cc_text_free(&ir);
	cc_text_free(&lowered);
	cc_widen_long(text, &wide);
	cc_text_free(&wide);
	free(text);
	return 0;
}
