/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* By which pipe a vector unit executes an instruction, as the HVXPIPE events name them. */
#ifndef HEXAGON_VECTOR_H
#define HEXAGON_VECTOR_H

#include <stdint.h>

enum hexagon_pipe {
	HEXAGON_PIPE_NONE,	/* memory, histograms, moves to a scalar register */
	HEXAGON_PIPE_ALU,
	HEXAGON_PIPE_MULTIPLY,
	HEXAGON_PIPE_SHIFT,
	HEXAGON_PIPE_PERMUTE,
};

/* Of a word that is no duplex. */
enum hexagon_pipe hexagon_vector_pipe(uint32_t word);

#endif
