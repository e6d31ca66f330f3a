// SPDX-License-Identifier: MIT
// Barriers and semaphores. A tasklet that waits stops, and another one resumes it; resume repeats until
// the other one has stopped. The waiting tasklets form a list: its head, and the next of each in a
// table. A semaphore's head is the one that came last, and 255 ends its list.
	.data
	.balign 8
__sys_wait_next:
	.zero 24
	.size __sys_wait_next, 24

	.text
// barrier_wait(r0 = {u8 head, count, participants, tail; u32 atomic bit at 4}): the head came first and goes on first, so
// that a chain of handshakes, which begins with it, can run while others still compute. 255: nobody waits.
	.globl barrier_wait
	.type barrier_wait, @function
barrier_wait:
	lw r1, r0, 4
	acquire r1, 0, nz, .
	lbu r2, r0, 0
	lbu r3, r0, 1
	add r3, r3, -1, z, 3f
	sb r0, 1, r3
	move r3, id
	jeq r2, 255, 1f
	lbu r2, r0, 3
	sb r2, __sys_wait_next, r3
	jump 2f
1:	sb r0, 0, r3
2:	sb r0, 3, r3
	release r1, 0, nz, .+1
	stop true, .+1
	jump r23
3:	lbu r3, r0, 2
	sb r0, 1, r3
	jeq r2, 255, 5f
	move r3, 255
	sb r0, 0, r3
	lbu r4, r0, 3
4:	move r3, r2
	lbu r2, r2, __sys_wait_next
	resume r3, 0, nz, .
	jneq r3, r4, 4b
5:	release r1, 0, nz, .+1
	jump r23
	.size barrier_wait, . - barrier_wait

// sem_take(r0 = {u8 head; s8 count at 1; u32 atomic bit at 4}): a negative count is the number of waiting tasklets.
	.globl sem_take
	.type sem_take, @function
sem_take:
	lw r1, r0, 4
	acquire r1, 0, nz, .
	lbs r3, r0, 1
	add r3, r3, -1
	sb r0, 1, r3
	jlts r3, 0, 1f
	release r1, 0, nz, .+1
	jump r23
1:	lbu r2, r0, 0
	sb id, __sys_wait_next, r2
	move r2, id
	sb r0, 0, r2
	release r1, 0, nz, .+1
	stop true, .+1
	jump r23
	.size sem_take, . - sem_take

	.globl sem_give
	.type sem_give, @function
sem_give:
	lw r1, r0, 4
	acquire r1, 0, nz, .
	lbs r3, r0, 1
	add r3, r3, 1
	sb r0, 1, r3
	jgts r3, 0, 1f
	lbu r2, r0, 0			// the head: the one that came last
	lbu r3, r2, __sys_wait_next
	sb r0, 0, r3
	resume r2, 0, nz, .
1:	release r1, 0, nz, .+1
	jump r23
	.size sem_give, . - sem_give
