// SPDX-License-Identifier: LGPL-2.1-or-later
/* The log that a DPU program leaves in MRAM. */
#include <stdlib.h>

#include "libmon/upmem/internal.h"
#include "libmon/upmem/include/dpu_management.h"
#include "dpu/include/dpu_log.h"

/* Where the next record goes, and whether the buffer has been full before. */
struct log_state {
	uint32_t write_pointer;
	uint32_t has_wrapped;
};

static dpu_error_t read_log(struct dpu_t *dpu, uint32_t address, uint32_t size, FILE *stream)
{
	uint8_t *log = malloc(size);
	dpu_error_t error;

	if (!log)
		return dpu_failed(DPU_ERR_SYSTEM, "out of memory");
	error = dpu_transfer(dpu, UPMEM_FROM_DPU, address, log, size);
	if (!error && !dpu_log_print(log, size, stream))
		error = dpu_failed(DPU_ERR_LOG_FORMAT, "the log of DPU %u holds no printf record",
				   dpu->index);
	free(log);
	return error;
}

dpu_error_t dpulog_read_for_dpu(struct dpu_t *dpu, FILE *stream)
{
	const struct dpu_program_symbol *buffer, *state_symbol;
	struct log_state state;
	uint32_t offset;
	dpu_error_t error;

	if (!dpu->program)
		return dpu_failed(DPU_ERR_NO_PROGRAM_LOADED, "DPU %u has no program: call dpu_load",
				  dpu->index);
	buffer = dpu_program_symbol(dpu->program->elf, "__stdout_buffer");
	state_symbol = dpu_program_symbol(dpu->program->elf, "__stdout_buffer_state");
	if (!buffer || !state_symbol || dpu_address(buffer->value, &offset) != DPU_MRAM)
		return dpu_failed(DPU_ERR_LOG_CONTEXT_MISSING,
				  "the program has no log: it does not use printf");
	dpu_jobs_wait(dpu->rank);
	error = dpu_transfer(dpu, UPMEM_FROM_DPU, state_symbol->value, &state, sizeof(state));
	if (error)
		return error;
	state.write_pointer &= ~7u;
	if (state.write_pointer > DPU_MRAM_SIZE - offset)
		return dpu_failed(DPU_ERR_LOG_FORMAT, "the log's write pointer %u leaves MRAM",
				  state.write_pointer);
	fprintf(stream, "=== DPU#0x%x ===\n", dpu_get_id(dpu));
	if (state.write_pointer)
		error = read_log(dpu, buffer->value, state.write_pointer, stream);
	if (!error && state.has_wrapped)
		error = dpu_failed(DPU_ERR_LOG_BUFFER_TOO_SMALL,
				   "the log was longer than its buffer; its beginning is lost");
	return error;
}

dpu_error_t dpu_log_read(struct dpu_set_t set, FILE *stream)
{
	if (set.kind != DPU_SET_DPU)
		return dpu_failed(DPU_ERR_INVALID_DPU_SET, "dpu_log_read takes one DPU: use DPU_FOREACH");
	return dpulog_read_for_dpu(set.dpu, stream);
}
