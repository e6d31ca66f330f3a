/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A DPU in a file: its state and its program, for a later or another process. Files are for hosts
 * of one kind and one version of the model. Parts of MRAM that are 0 are holes.
 */
#ifndef MON_MODELS_UPMEM_CORE_H
#define MON_MODELS_UPMEM_CORE_H

#include "dpu/include/model.h"
#include "dpu/include/dpu_program.h"

/*
 * A debugger that executes one DPU of a host program sets this variable to SOCKET,FILE,RANK,DPU, two file descriptors
 * and two numbers. At a launch of that DPU the host writes the DPU into FILE and a byte to SOCKET, and waits for a byte
 * from there: then the DPU as it ended is in FILE.
 */
#define DPU_DEBUG_VARIABLE "LIBMON_DPU_DEBUG"

/* Replaces the file's contents. False with errno. */
bool dpu_core_write(int fd, const struct dpu *dpu, const struct dpu_program *program);
/* A new DPU and its program. NULL: why says what is wrong with the file. */
struct dpu *dpu_core_read(int fd, struct dpu_program **program, const char **why);
/* Loads the state of a DPU of the same kind. False if the file has none. */
bool dpu_core_restore(int fd, struct dpu *dpu);

#endif
