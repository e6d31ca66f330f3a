// SPDX-License-Identifier: LGPL-2.1-or-later
/* Words for dpu_error_t, as far as they are published the SDK's, and the sentence of a failure. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/upmem/internal.h"

static const char *const texts[] = {
	[DPU_OK] = "success",
	[DPU_ERR_INTERNAL] = "internal error",
	[DPU_ERR_SYSTEM] = "system error",
	[DPU_ERR_DRIVER] = "driver error",
	[DPU_ERR_ALLOCATION] = "dpu allocation error",
	[DPU_ERR_INVALID_DPU_SET] = "invalid action for this dpu set",
	[DPU_ERR_INVALID_THREAD_ID] = "invalid thread id",
	[DPU_ERR_INVALID_NOTIFY_ID] = "invalid notify id",
	[DPU_ERR_INVALID_WRAM_ACCESS] = "invalid wram access",
	[DPU_ERR_INVALID_IRAM_ACCESS] = "invalid iram access",
	[DPU_ERR_INVALID_MRAM_ACCESS] = "invalid mram access",
	[DPU_ERR_INVALID_SYMBOL_ACCESS] = "invalid memory symbol access",
	[DPU_ERR_MRAM_BUSY] = "mram is busy",
	[DPU_ERR_TRANSFER_ALREADY_SET] = "dpu transfer is already set",
	[DPU_ERR_INVALID_PARALLEL_MEMORY_TRANSFER] = "invalid parallel memory transfer",
	[DPU_ERR_WRAM_FIFO_FULL] = "wram fifo is full",
	[DPU_ERR_NO_PROGRAM_LOADED] = "no program is loaded in the dpu",
	[DPU_ERR_DIFFERENT_DPU_PROGRAMS] = "the dpus of the set have different programs",
	[DPU_ERR_CORRUPTED_MEMORY] = "memory is corrupted",
	[DPU_ERR_DPU_DISABLED] = "dpu is disabled",
	[DPU_ERR_DPU_ALREADY_RUNNING] = "dpu is already running",
	[DPU_ERR_INVALID_MEMORY_TRANSFER] = "invalid memory transfer",
	[DPU_ERR_INVALID_LAUNCH_POLICY] = "invalid launch policy",
	[DPU_ERR_DPU_FAULT] = "dpu is in fault",
	[DPU_ERR_ELF_INVALID_FILE] = "invalid ELF file",
	[DPU_ERR_ELF_NO_SUCH_FILE] = "no such ELF file",
	[DPU_ERR_ELF_NO_SUCH_SECTION] = "no such ELF section",
	[DPU_ERR_TIMEOUT] = "result timeout",
	[DPU_ERR_INVALID_PROFILE] = "invalid profile",
	[DPU_ERR_UNKNOWN_SYMBOL] = "undefined symbol",
	[DPU_ERR_LOG_FORMAT] = "logging format error",
	[DPU_ERR_LOG_CONTEXT_MISSING] = "logging context missing",
	[DPU_ERR_LOG_BUFFER_TOO_SMALL] = "logging buffer too small",
	[DPU_ERR_VPD_INVALID_FILE] = "invalid VPD file",
	[DPU_ERR_VPD_NO_REPAIR] = "no repair in the VPD",
	[DPU_ERR_NO_THREAD_PER_RANK] = "no thread per rank",
	[DPU_ERR_INVALID_BUFFER_SIZE] = "invalid buffer size",
	[DPU_ERR_NONBLOCKING_SYNC_CALLBACK] = "a nonblocking callback must be asynchronous",
	[DPU_ERR_TOO_MANY_TASKLETS] = "the program has too many tasklets for the dpu",
	[DPU_ERR_SG_TOO_MANY_BLOCKS] = "too many blocks in a scatter-gather transfer",
	[DPU_ERR_SG_LENGTH_MISMATCH] = "lengths of a scatter-gather transfer do not match",
	[DPU_ERR_SG_NOT_ACTIVATED] = "scatter-gather transfers are not activated",
	[DPU_ERR_SG_NOT_MRAM_SYMBOL] = "a scatter-gather transfer needs an mram symbol",
};

static _Thread_local struct {
	dpu_error_t error;
	char sentence[DPU_SENTENCE_SIZE];
} last;

dpu_error_t dpu_explained(dpu_error_t error)
{
	last.error = error;
	snprintf(last.sentence, sizeof(last.sentence), "%s", mon_error());
	return error;
}

dpu_error_t dpu_failed(dpu_error_t error, const char *format, ...)
{
	char text[DPU_SENTENCE_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	mon_fail(EINVAL, "%s", text);
	return dpu_explained(error);
}

const char *dpu_sentence(dpu_error_t error)
{
	return error && error == last.error ? last.sentence : "";
}

/* Programs print this and nothing else, so it says what went wrong, too. */
char *dpu_error_to_string(dpu_error_t status)
{
	unsigned int flag = (unsigned int)DPU_ERR_ASYNC_JOBS, error = (unsigned int)status & ~flag;
	const char *text = error < MON_ARRAY_SIZE(texts) ? texts[error] : "unknown error";
	const char *sentence = dpu_sentence(status);

	return mon_format("%s%s%s%s", (unsigned int)status & flag ? "asynchronous job: " : "", text,
			  *sentence ? ": " : "", sentence);
}
