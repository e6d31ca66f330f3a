// SPDX-License-Identifier: GPL-2.0-only
// Mutexes, barriers and semaphores for DPU programs. Arguments in r0, r8 to r13 are scratch; the
// return address is r23.

// A mutex is an atomic bit: give its number (the address of a variable in .atomic) in r0.
	.text
	.globl mutex_lock
mutex_lock:
	acquire r0, 0, nz, .		// nz: it was taken
	jump r23
	.globl mutex_unlock
mutex_unlock:
	release r0, 0, nz, .+1
	jump r23

// barrier_wait(r0): {word waiting, word round, word participants, word mutex}. The last tasklet to
// come starts the next round, which the others watch.
	.globl barrier_wait
barrier_wait:
	lw r8, r0, 12
	acquire r8, 0, nz, .
	lw r9, r0, 4
	lw r10, r0, 0
	lw r11, r0, 8
	add r10, r10, 1
	jeq r10, r11, 2f
	sw r0, 0, r10
	release r8, 0, nz, .+1
1:	lw r10, r0, 4
	jeq r10, r9, 1b
	jump r23
2:	sw r0, 0, 0
	add r9, r9, 1
	sw r0, 4, r9
	release r8, 0, nz, .+1
	jump r23

// sem_take(r0), sem_give(r0): {word count, word mutex}.
	.globl sem_take
sem_take:
	lw r8, r0, 4
1:	acquire r8, 0, nz, .
	lw r9, r0, 0
	jgts r9, 0, 2f
	release r8, 0, nz, .+1
	jump 1b
2:	add r9, r9, -1
	sw r0, 0, r9
	release r8, 0, nz, .+1
	jump r23
	.globl sem_give
sem_give:
	lw r8, r0, 4
	acquire r8, 0, nz, .
	lw r9, r0, 0
	add r9, r9, 1
	sw r0, 0, r9
	release r8, 0, nz, .+1
	jump r23
