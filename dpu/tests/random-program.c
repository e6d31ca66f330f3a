// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "dpu/tests/random-program.h"

uint64_t random_number(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 8;
}

/*
 * A line of a program. Letters are replaced by a register (R), an even one (D), a constant (I), an
 * offset into the memory that all tasklets share (O), a word (W) or byte (Y) there, a label further
 * on (F) and a bit (B). r18 counts the rounds, r16 and r19 to r21 are addresses, so R and D are
 * below r16.
 */
static const char *const lines[] = {
	"add R, R, R", "add R, R, I", "addc R, R, R", "sub R, R, R", "subc R, R, R", "rsub R, R, R",
	"and R, R, R", "or R, R, I", "xor R, R, R", "nor R, R, R", "lsl R, R, 3", "lsr R, R, R",
	"asr R, R, 5", "rol R, R, R", "cao R, R", "clz R, R", "extsb R, R", "mul_ul_ul R, R, R",
	"mul_sh_sh R, R, R", "lsl_add R, R, R, 2", "rol_add R, R, R, 7", "move R, I", "move.s D, I",
	"add.u D, R, R", "sub R, R, R, ltu", "add R, R, R, c, F", "sub R, R, R, xleu, F",
	"and R, R, R, z, F", "jltu R, R, F", "jneq R, I, F", "lsr R, R, 1, so, F", "movd D, D",
	"swapd D, D", "mul_step D, R, D, 4, z, F", "div_step D, R, D, 2, false, F", "cmpb4 R, R, R", "nop",
	"lw R, r20, O", "lbu R, r20, O", "lhs R, r20, O", "ld D, r20, O", "lw.s D, r20, O",
	"sw r20, O, R", "sb r20, O, R", "sh r20, O, R", "sd r20, O, D", "sw r20, O, I", "sw_id r20, O, 64",
	"lw R, r21, O", "sw r21, O, R", "ld D, r21, O", "sd r21, O, D", "lw !big, R, r20, O",
	"ldma r21, r19, 0", "sdma r21, r19, 3", "ldma r20, r19, 1", "sdma r20, r19, 0",
	"acquire zero, B, nz, F", "release zero, B, nz, F", "time R", "read_run zero, 3, z, F",
};

static char *put_operand(char *end, char kind, uint64_t *seed, int line)
{
	uint64_t r = random_number(seed) >> 20;

	switch (kind) {
	case 'R':
		return end + sprintf(end, "r%d", (int)(r % 16));
	case 'D':
		return end + sprintf(end, "d%d", (int)(r % 8 * 2));
	case 'I':
		return end + sprintf(end, "%d", (int)(r % 100) - 50);
	case 'O':
		return end + sprintf(end, "%d", (int)(r % 8 * 8));
	case 'W':
		return end + sprintf(end, "%d", (int)(r % 16 * 4) - 8);
	case 'Y':
		return end + sprintf(end, "%d", (int)(r % 64));
	case 'F':
		return end + sprintf(end, "L%d", line + 1 + (int)(r % 4));
	default:
		return end + sprintf(end, "%d", 200 + (int)(r % 4));
	}
}

static char *put_operands(char *end, const char *p, uint64_t *seed, int line)
{
	end += sprintf(end, "L%d: ", line);
	for (; *p; p++) {
		if (strchr("RDIOWYFB", *p) && (p[-1] == ' '))
			end = put_operand(end, *p, seed, line);
		else
			*end++ = *p;
	}
	*end++ = '\n';
	*end = '\0';
	return end;
}

static char *put_line(char *end, uint64_t *seed, int line)
{
	const char *p = lines[(random_number(seed) >> 32) % (sizeof(lines) / sizeof(lines[0]))];

	return put_operands(end, p, seed, line);
}

#define LINES 60

void random_program(char *text, uint64_t seed)
{
	char *end = text;

	end += sprintf(end, ".section .dpu_host\n.align 8\nshared: .zero 64\nown: .zero 64 * 24\n.text\n"
		       "main: move r18, 20\nmove r20, shared\nlsl r21, id8, 3\nadd r21, r21, own\n"
		       "lsl r19, id, 10\nmove r0, %d << 1 | 1\ntime_cfg r0\n", (int)(1 + seed % 2));
	for (int i = 0; i < 8; i++)
		end += sprintf(end, "lsl r%d, id8, %d\n", i, i + 1);
	for (int i = 0; i < LINES; i++)
		end = put_line(end, &seed, i);
	for (int i = LINES; i < LINES + 4; i++)
		end += sprintf(end, "L%d: ", i);
	strcpy(end, "add r18, r18, -1, nz, L0\njump r23\n");
}

/*
 * Tasklets that work on memory of their own and sometimes on words that all of them use: such
 * tasklets run ahead and must be rolled back. Some of the words are only read.
 */
void random_private_program(char *text, uint64_t seed)
{
	static const char *const accesses[] = {
		"lw R, r21, O", "sw r21, O, R", "lbu R, r21, O", "sb r21, O, R", "ld D, r21, O",
		"sd r21, O, D",
		"lw R, r21, W", "sw r21, W, R", "lbs R, r21, Y", "sb r21, Y, R", "add r16, r21, W", "lw R, r16, W",
		"sw r16, W, R", "lhs R, r21, O", "lw R, r17, O", "ld D, r17, O", "sh r21, O, R", "ldma r21, r19, 3",
		"sdma r21, r19, 2", "lw R, r20, O", "sw r20, O, R", "add R, R, R", "xor R, R, R",
		"sub R, R, R", "jltu R, R, F",
	};
	unsigned int count = sizeof(accesses) / sizeof(accesses[0]);
	char *end = text;

	end += sprintf(end, ".section .dpu_host\n.align 8\nshared: .zero 64\ntable: .zero 64\n"
		       "own: .zero 64 * 24\n.text\n"
		       "main: move r18, 60\nmove r20, shared\nmove r17, table\nlsl r21, id8, 3\n"
		       "add r21, r21, own\nlsl r19, id, 10\n");
	for (int i = 0; i < 16; i++)
		end += sprintf(end, "lsl r%d, id8, %d\n", i, i % 16 + 1);
	end += sprintf(end, "move r16, r21\n");
	for (int i = 0; i < LINES; i++) {
		unsigned int n = random_number(&seed) >> 32;

		/* One in 32 accesses is to the words of all. */
		n = n % 32 ? n / 32 % (count - 6) : count - 6 + n / 32 % 6;
		if (random_number(&seed) >> 40 & 1)
			n = count - 4 + n % 4;
		end = put_operands(end, accesses[n], &seed, i);
	}
	for (int i = LINES; i < LINES + 4; i++)
		end += sprintf(end, "L%d: ", i);
	strcpy(end, "add r18, r18, -1, nz, L0\njump r23\n");
}
