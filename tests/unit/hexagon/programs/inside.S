/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts itself by the services of the model (events/hexagon/services.h): selects committed_pkt_any and committed_insts, or
 * SELECTORS, marks a phase around 100 packets, and writes counters 0 and 1 and PCYCLE, four bytes each, to standard output.
 * A service is 6 packets of an instruction; it counts up to its last one, the trap.
 */
#ifndef SELECTORS
#define SELECTORS 0x2a03
#endif
#define READ 2
#define WRITE 3
#define MARK 4

	/* r3 is the value of WRITE */
	.macro service number, what, value=0
	{ r0 = #\number }
	{ r1 = ##answer }
	{ r2 = ##\what }
	{ r3 = ##\value }
	{ r6 = ##0x4d6f6e }
	{ trap0(#1) }
	.endm

	/* 3 packets of an instruction */
	.macro save at
	{ r4 = ##answer }
	{ r5 = memw(r4+#8) }
	{ memw(##result + \at) = r5 }
	.endm

	.text
	.globl	_start
	.p2align 6
_start:
	service WRITE, 52, SELECTORS
	service WRITE, 18, 0x240
	/* from here on it counts: 6 packets, 1, 1, 100 (of two instructions), 6, and 6 up to the first value */
	service MARK, phase
	{ r13 = #100 }
	{ loop0(.Lloop, r13) }
.Lloop:
	{ r12 = add(r12,#1)
	  nop }:endloop0
	service MARK, no_phase
	service READ, 48
	save 0
	service READ, 49
	save 4
	service READ, 30
	save 8
	{ r0 = #1 }
	{ r1 = ##result }
	{ r2 = #12 }
	{ r6 = #64 }
	{ trap0(#1) }
	{ r0 = #0
	  r6 = #94 }
	{ trap0(#1) }

	.section .rodata
phase:
	.asciz	"hot \"loop\""
no_phase:
	.asciz	""

	.bss
	.p2align 6
answer:
	.space	24
result:
	.space	12
