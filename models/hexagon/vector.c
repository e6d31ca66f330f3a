/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Vector instructions by bits 26:21, then 13, then 7:5 of their word, as the encodings in the Hexagon HVX
 * Programmer's Reference Manual have them: A, M, S and P are the pipes, a space none, or no instruction.
 */
#include "hexagon/vector.h"

#define COMPUTE 0x3	/* bits 31:27 */

/* Here bits 17:16 tell instructions with one source apart. */
#define IS_UNARY(major) (((major) & 0x39) == 0x30)

/* vand of a vector and a register, into a predicate: bits 3:2 tell it from vsetq, which is in the same place. */
#define VANDVRT(word) (((word) >> 2 & 3) == 2)

static const char pipes[64][2][9] = {
	[0x00 ... 0x07] = { "SSSPP  S", "    SS  " },
	[0x08 ... 0x0a] = { "MMMMMMMM", "MMMMMMMM" },
	[0x0b] = { "MPMMMSSS", "MMSMMSMM" },
	[0x0c] = { "SSSS MMM", "MMMMMMMS" },
	[0x0d] = { "MM* MMMM", " M  MSM " },
	[0x0e] = { "MMM     ", "        " },
	[0x0f] = { "        ", " PP     " },
	[0x10 ... 0x13] = { "AAAAAAAA", "AAAAAAAA" },
	[0x14] = { "        ", "       S" },
	[0x15] = { "        ", "       P" },
	[0x18 ... 0x1f] = { "PPSSSSSS", "SP PPPPP" },
	[0x20] = { "MMMMMMMM", "MMMMMMMM" },
	[0x21] = { "MMMMMAAA", "MMMMMMMM" },
	[0x22] = { "AAAAAAAA", "M   MM  " },
	[0x23] = { "AAAAAAAA", "        " },
	[0x24] = { "AAAAAAAA", "AAAAAA  " },
	[0x25] = { "AAMMMMMM", "AAAAAAAA" },
	[0x26] = { "MMMMAAAA", "PPPPPPPP" },
	[0x27] = { "AAAAAAAM", "PPPPPPPP" },
	[0x2c] = { "        ", "AAAA   A" },
	[0x2d] = { "        ", "AAAAAAAA" },
	[0x31] = { "PPPPPPPP", "PPPPPPPP" },
	[0x33] = { "PPPPPPPP", "PPPPPPPP" },
	[0x35] = { "AAAAAAM ", "AAAAAAAA" },
	[0x37] = { "        ", "AAAAAAAA" },
	[0x38] = { "AAAAAAAA", "SSAAAAA " },
	[0x39] = { "APAPAAAP", "        " },
	[0x3a] = { "MAAAAAAA", "        " },
	[0x3b] = { "MAAASSSS", "        " },
	[0x3c] = { "AA      ", "        " },
	[0x3d] = { "SSSSSSAA", "        " },
	[0x3e] = { "MMPPAPPP", "        " },
	[0x3f] = { "PPPSSM M", "        " },
};

static const char unary[4][2][9] = {
	{ "AAAAA PP", "PP      " },
	{ "PPPPAA P", "AAAAAAAA" },
	{ "PAAAASSS", "AAAA    " },
	{ "A   SS  ", "AAS    A" },
};

enum hexagon_pipe hexagon_vector_pipe(uint32_t word)
{
	uint32_t major = word >> 21 & 63, bit13 = word >> 13 & 1, minor = word >> 5 & 7;

	if (word >> 27 != COMPUTE)
		return HEXAGON_PIPE_NONE;
	switch (IS_UNARY(major) ? unary[word >> 16 & 3][bit13][minor] : pipes[major][bit13][minor]) {
	case 'A':
		return HEXAGON_PIPE_ALU;
	case 'M':
		return HEXAGON_PIPE_MULTIPLY;
	case 'S':
		return HEXAGON_PIPE_SHIFT;
	case 'P':
		return HEXAGON_PIPE_PERMUTE;
	case '*':
		return VANDVRT(word) ? HEXAGON_PIPE_MULTIPLY : HEXAGON_PIPE_PERMUTE;
	}
	return HEXAGON_PIPE_NONE;
}
