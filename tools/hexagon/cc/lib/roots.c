/* SPDX-License-Identifier: MIT */
/* Clang's names for functions of math.h that it takes for instructions of the core. */
#define OTHER_NAME(name, function) \
	__asm__(".globl " #name "\n.type " #name ", @function\n" #name ": { jump " #function " }\n");

OTHER_NAME(__hexagon_sqrtdf2, sqrt)
OTHER_NAME(__hexagon_fast2_sqrtdf2, sqrt)
OTHER_NAME(__hexagon_sqrtf, sqrtf)
OTHER_NAME(__hexagon_fast2_sqrtf, sqrtf)
OTHER_NAME(__hexagon_mindf3, fmin)
OTHER_NAME(__hexagon_maxdf3, fmax)
