#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# dpu-run --check: planted errors are found, correct programs have no finding,
# and counts do not change.
. "${srcdir:-.}/tests/guest/lib.sh"
ex=examples/upmem
[ -e $ex/c/bfs-16.dpu ] || { echo "no clang: DPU programs in C were not built"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# program NAME: the C on standard input, for 4 tasklets
program()
{
	cat >"$tmp/$1.c"
	./dpu-cc -g -O2 -DNR_TASKLETS=4 -DSTACK_SIZE_DEFAULT=256 "$tmp/$1.c" -o "$tmp/$1.dpu" || exit 1
}

checked()
{
	timeout 60 ./dpu-run --check "$@" 2>&1 >/dev/null
}

# finds NAME LINES TEXT: as many findings, of which one matches
finds()
{
	local text

	text=$(checked "$tmp/$1.dpu")
	is "$1: findings" "$(grep -c check: <<<"$text")" "$2"
	like "$1" "$text" "$3"
}

program race <<'END'
#include <defs.h>
#include <stdint.h>
uint32_t sum;
int main(void)
{
	for (int i = 0; i < 10; i++)
		sum += me();
	return 0;
}
END
# the load with another's store, and two stores: line 7 and line 7
text=$(checked "$tmp/race.dpu")
like "race" "$text" 'check: race on sum \(4 bytes at WRAM 0x[0-9a-f]+\): tasklet [0-3] (reads|writes) at [^ ]*race.c:[67] \(main\+0x[0-9a-f]+\), tasklet [0-3] (read|wrote) at [^ ]*race.c:[67] \('
fails "race: exit status" ./dpu-run --check "$tmp/race.dpu" 2>/dev/null

program handover <<'END'
#include <barrier.h>
#include <defs.h>
#include <stdint.h>
BARRIER_INIT(all, NR_TASKLETS);
uint32_t squares[NR_TASKLETS], total;
int main(void)
{
	squares[me()] = me() * me();
	if (me() != 3)
		barrier_wait(&all);
	if (!me())
		for (int i = 0; i < NR_TASKLETS; i++)
			total += squares[i];
	return 0;
}
END
# a barrier of four with three tasklets: they wait for ever, and read nothing
finds handover 1 'deadlock: tasklets 0-2 wait for ever in barrier_wait for all, called at [^ ]*handover.c:10 \('
fails "a deadlock: exit status" ./dpu-run --check "$tmp/handover.dpu" 2>/dev/null

program toosoon <<'END'
#include <barrier.h>
#include <defs.h>
#include <stdint.h>
BARRIER_INIT(all, NR_TASKLETS);
uint32_t squares[NR_TASKLETS], total;
int main(void)
{
	squares[me()] = me() * me();
	if (!me())
		for (int i = 0; i < NR_TASKLETS; i++)
			total += squares[i];
	barrier_wait(&all);
	return 0;
}
END
text=$(checked "$tmp/toosoon.dpu")
like "read before the barrier" "$text" 'race on squares(\+[0-9]+)? \(.*toosoon.c:8 .*toosoon.c:11'

program mrace <<'END'
#include <defs.h>
#include <mram.h>
#include <stdint.h>
__mram_noinit uint64_t last;
int main(void)
{
	__dma_aligned uint64_t mine = me();
	mram_write(&mine, &last, 8);
	return 0;
}
END
finds mrace 1 'race on last \(8 bytes at MRAM 0x[0-9a-f]+\): tasklet [0-3] writes at [^ ]*mrace.c:8 \(main\+'

program wronglock <<'END'
#include <defs.h>
#include <mutex.h>
#include <stdint.h>
MUTEX_INIT(even);
MUTEX_INIT(odd);
uint32_t count;
int main(void)
{
	mutex_id_t mine = me() & 1 ? odd : even;
	mutex_lock(mine);
	count++;
	mutex_unlock(mine);
	return 0;
}
END
like "two mutexes for one variable" "$(checked "$tmp/wronglock.dpu")" 'race on count .*wronglock.c:11'

program waits <<'END'
#include <defs.h>
#include <handshake.h>
#include <sem.h>
SEMAPHORE_INIT(ready, 0);
int main(void)
{
	if (!me())
		handshake_wait_for(1);
	if (me() == 2)
		sem_take(&ready);
	return 0;
}
END
text=$(checked "$tmp/waits.dpu")
like "nobody notifies" "$text" 'deadlock: tasklet 0 waits for ever in handshake_wait_for for tasklet 1, called at [^ ]*waits.c:8 '
like "nobody gives" "$text" 'deadlock: tasklet 2 waits for ever in sem_take for ready, called at [^ ]*waits.c:10 '

program held <<'END'
#include <defs.h>
#include <mutex.h>
MUTEX_INIT(guard);
int count;
int main(void)
{
	mutex_lock(guard);
	count++;
	if (me() != 2)
		mutex_unlock(guard);
	return 0;
}
END
# A page of seqread is read where the program loads from it, not as a whole.
cat >"$tmp/pages.c" <<'END'
#include <defs.h>
#include <mram.h>
#include <seqread.h>
__mram uint32_t numbers[512] = { 1 };
__dma_aligned uint32_t two[2] = { 5, 6 };
uint32_t sum;
int main(void)
{
	seqreader_t reader;
	uint32_t *p;

	if (me()) {
		mram_write(two, &numbers[AT], sizeof(two));
		return 0;
	}
	p = seqread_init(seqread_alloc(), numbers, &reader);
	for (int i = 0; i < 8; i++) {
		sum += *p;
		p = seqread_get(p, sizeof(*p), &reader);
	}
	return 0;
}
END
ok "pages: apart" ./dpu-cc -g -O2 -DNR_TASKLETS=2 -DAT=200 -o "$tmp/pages.dpu" "$tmp/pages.c"
is "a write behind what a tasklet reads of a page" "$(checked "$tmp/pages.dpu")" ""
ok "pages: together" ./dpu-cc -g -O2 -DNR_TASKLETS=2 -DAT=4 -o "$tmp/pages.dpu" "$tmp/pages.c"
finds pages 1 'race on numbers.16 .* tasklet [01] [a-z]+ at .*pages\.c:(13|18) .*, tasklet [01] [a-z]+ at .*pages\.c:(13|18) '
# A launch that does not end: each tasklet, what it waits for or where it is
cat >"$tmp/still.c" <<'END'
#include <barrier.h>
#include <defs.h>
#include <mutex.h>
#include <vmutex.h>
MUTEX_INIT(m);
BARRIER_INIT(all, NR_TASKLETS);
VMUTEX_INIT(v, 8, 1);
volatile int go;
int main(void)
{
	if (me() == 0) {
		mutex_lock(m);
		vmutex_lock(&v, 3);
		while (!go)
			;
	}
	if (me() == 1)
		mutex_lock(m);
	if (me() == 2)
		vmutex_lock(&v, 3);
	if (me() == 3)
		while (!mutex_trylock(m))
			;
	barrier_wait(&all);
	return 0;
}
END
ok "a program that does not end" ./dpu-cc -g -O2 -DNR_TASKLETS=6 -o "$tmp/still.dpu" "$tmp/still.c"
for limit in 300000 300001 300007; do
	is "what its tasklets do at $limit" "$(checked --limit=$limit "$tmp/still.dpu" 2>&1 | sed -nE 's/ \(main[^)]*\)//g; s|[^ ]*/||g; s/.*still running: //p')" \
'tasklet 1 waits for mutex m, at still.c:18, which tasklet 0 locked at still.c:12
tasklet 0 at still.c:14
tasklet 2 at still.c:20
tasklet 3 at still.c:22
tasklets 4-5 wait in barrier_wait for all, called at still.c:24'
done
like "a mutex of a tasklet that has returned" "$(checked --limit=100000 "$tmp/held.dpu")" \
	'tasklet 2 has returned with mutex guard, which it locked at [^ ]*held.c:7 '

program unlock <<'END'
#include <barrier.h>
#include <defs.h>
#include <mutex.h>
MUTEX_INIT(guard);
BARRIER_INIT(all, NR_TASKLETS);
int main(void)
{
	if (!me())
		mutex_lock(guard);
	barrier_wait(&all);
	if (me() == 1)
		mutex_unlock(guard);
	barrier_wait(&all);
	if (me() == 2)
		mutex_unlock(guard);
	return 0;
}
END
text=$(checked "$tmp/unlock.dpu")
like "another tasklet's mutex" "$text" \
	'tasklet 1 unlocks mutex guard, which another tasklet has, at [^ ]*unlock.c:12 .*; tasklet 0 locked it at [^ ]*unlock.c:9 '
like "nobody's mutex" "$text" 'tasklet 2 unlocks mutex guard, which nobody has, at [^ ]*unlock.c:15 '

# heap NAME LINES TEXT: main of tasklet 0 on standard input, from line 10 on
heap()
{
	{
		printf '#include <alloc.h>\n#include <defs.h>\n#include <mram.h>\n#include <stdint.h>\n'
		printf '__mram_noinit uint64_t far[64];\nvolatile uint32_t result;\nint main(void)\n{\n\tif (me()) return 0;\n'
		cat
		printf '\treturn 0;\n}\n'
	} | program "$1"
	finds "$@"
}
heap reset 1 'read of a block of the heap(\+[0-9]+)? \(4 bytes at WRAM 0x[0-9a-f]+, allocated at [^ ]*:10 \(main\+0x[0-9a-f]+\)\), which mem_reset or a free has given back: tasklet 0 at [^ ]*reset.c:13 ' <<'END'
	volatile uint32_t *p = mem_alloc(64), *q;
	p[1] = 5;
	mem_reset();
	result = p[1];
	q = mem_alloc(64);
	q[1] = 6;
	result = q[1];
END
heap transfer 1 'write of a block of the heap(\+[0-9]+)? \(64 bytes at WRAM 0x[0-9a-f]+, allocated at [^ ]*:10 \(main\+0x[0-9a-f]+\)\), which mem_reset or a free has given back: tasklet 0 at [^ ]*transfer.c:12 ' <<'END'
	uint64_t *p = mem_alloc(64);
	mem_reset();
	mram_read(far, p, 64);
END
heap fsb 2 'read of a block of the heap.*which mem_reset or a free has given back: tasklet 0 at [^ ]*fsb.c:15 ' <<'END'
	fsb_allocator_t a = fsb_alloc(32, 4);
	volatile uint32_t *p = fsb_get(a), *q = fsb_get(a);
	p[4] = q[4] = 5;
	result = q[4];
	fsb_free(a, (void *)p);
	result = p[4];
	fsb_free(a, (void *)q);
	fsb_free(a, (void *)q);
END
like "freed twice" "$(checked "$tmp/fsb.dpu")" 'free of a block of the heap \(32 bytes .* tasklet 0 at [^ ]*fsb.c:17 '
heap buddy 1 'write of a block of the heap.*given back: tasklet 0 at [^ ]*buddy.c:16 ' <<'END'
	buddy_init(1024);
	volatile uint32_t *p = buddy_alloc(64), *q = buddy_alloc(40);
	p[4] = q[4] = 5;
	buddy_free((void *)p);
	result = q[4];
	/* another block may have it by now */
	p[8] = 3;
	q = buddy_alloc(64);
	q[3] = 1;
	result = q[3];
END

program deep <<'END'
#include <defs.h>
#include <stdint.h>
static int __attribute__((noinline)) fill(uint32_t n)
{
	volatile uint32_t local[20];
	for (uint32_t i = 0; i < 20; i++)
		local[i] = n + i;
	return n ? fill(n - 1) + (int)local[3] : (int)local[0];
}
int result[NR_TASKLETS];
int main(void)
{
	result[me()] = me() == 1 ? fill(4) : 0;
	return 0;
}
END
# main calls fill, which calls itself 4 times; dpu-cc counts a recursive function once
own()
{
	./dpu-objdump --stack "$1" | awk -v name="$2," '$3 == name { print $2 }'
}
need=$(($(own "$tmp/deep.dpu" main) + 5 * $(own "$tmp/deep.dpu" fill)))
text=$(checked "$tmp/deep.dpu")
like "a stack that is too small" "$(head -n 1 <<<"$text")" \
	"check: stack of tasklet 1 overflowed at [^ ]*deep.c:[0-9]+ \(fill\+0x[0-9a-f]+\): main and what it calls need at least $need bytes of stack, a tasklet has 256;.* there is recursion"
like "what follows from it" "$(sed -n 2p <<<"$text")" 'check: the findings below came after a stack had overflowed'
like "comes last" "$(sed 1,2d <<<"$text")" 'race on '
./dpu-cc -g -O2 -DNR_TASKLETS=4 -DSTACK_SIZE_DEFAULT=$(((need + 15) / 16 * 16)) "$tmp/deep.c" -o "$tmp/deep.dpu"
is "and so much is enough" "$(checked "$tmp/deep.dpu")" ""

# No tasklet's stack holds the frame of main: all overflow at the same place, its first access to the frame.
cat >"$tmp/wide.c" <<'END'
#include <defs.h>
#include <stdint.h>
uint64_t result[NR_TASKLETS];
static void __attribute__((noinline)) fill(volatile uint32_t *local)
{
	for (uint32_t i = 0; i < 64; i++)
		local[i] = i;
}
int main(void)
{
	volatile uint32_t local[64];
	fill(local);
	result[me()] = local[me()] + *(volatile uint32_t *)0x332b;
	return 0;
}
END
warning=$(./dpu-cc -g -O2 -DNR_TASKLETS=4 -DSTACK_SIZE_DEFAULT=256 "$tmp/wide.c" -o "$tmp/wide.dpu" 2>&1)
need=${warning#dpu-cc: warning: }
like "dpu-cc warns" "$need" '^main and what it calls need [0-9]+ bytes of stack, a tasklet has 256; give them with '
text=$(checked "$tmp/wide.dpu")
is "all stacks in one line, in the words of dpu-cc" "$(head -n 1 <<<"$text" | sed 's/ [^ ]*wide.c:[0-9]*/ wide.c/')" \
	"dpu-run: check: stack of tasklets 0-3 overflowed at wide.c (main+0x8): $need"
like "a fault after it" "$(tail -n 1 <<<"$text")" \
	'accesses WRAM address 0x332b, which must be a multiple of 4, at .*, tasklet [0-3], after the stack of tasklet 0 had overflowed$'
is "a fault without the check" "$(./dpu-run "$tmp/wide.dpu" 2>&1 | tail -n 1)" \
	"dpu-run: $tmp/wide.dpu: a stack may have overflowed: $need"

# An endless program that is interrupted: what it has found and counted so far is printed.
program endless <<'END'
#include <defs.h>
#include <stdint.h>
uint32_t sum;
volatile uint32_t never;
int main(void)
{
	sum += me();
	while (!never)
		;
	return 0;
}
END
# interrupted SIGNAL OPTION...: after a second of CPU time, much more than the instructions up to the loop take. The limit,
# minutes on any machine, ends it if the signal does not.
interrupted()
{
	local signal=$1 job ticks

	shift
	./dpu-run --limit=1000000000000 "$@" "$tmp/endless.dpu" >"$tmp/endless" 2>&1 &
	job=$!
	while ticks=$(cut -d' ' -f14 "/proc/$job/stat") && ((ticks < $(getconf CLK_TCK))); do
		sleep 0.1
	done
	kill "-$signal" $job
	wait $job
	status=$?
}
interrupted INT --check
like "the findings until SIGINT" "$(cat "$tmp/endless")" 'check: race on sum .*endless.c:7'
like "and that it was interrupted" "$(tail -n 1 "$tmp/endless")" ': interrupted: still running$'
is "the signal ends dpu-run" "$status" $((128 + 2))
interrupted TERM --profile="$tmp/endless.profile" --counters
like "the profile until SIGTERM" "$(cat "$tmp/endless.profile")" 'fn=main'
like "and the counters" "$(cat "$tmp/endless")" ' dpu_instructions'
is "the signal ends dpu-run, too" "$status" $((128 + 15))

program unwritten <<'END'
#include <alloc.h>
#include <defs.h>
#include <stdint.h>
uint32_t result;
int main(void)
{
	if (!me()) {
		uint32_t *numbers = mem_alloc(64);
		for (int i = 0; i < 15; i++)
			numbers[i] = i;
		result = numbers[15];
	}
	return 0;
}
END
finds unwritten 1 'read of a block of the heap(\+[0-9]+)? \(4 bytes at WRAM 0x[0-9a-f]+, allocated at [^ ]*unwritten.c:8 .*\), which nobody wrote: tasklet 0 at [^ ]*unwritten.c:11 \(main\+'

program mram <<'END'
#include <defs.h>
#include <mram.h>
#include <stdint.h>
__mram_noinit uint32_t input[16];
uint32_t result;
int main(void)
{
	__dma_aligned uint32_t block[16];
	if (!me()) {
		mram_read(input, block, sizeof(block));
		result = block[2];
	}
	return 0;
}
END
finds mram 1 'bytes at WRAM 0x[0-9a-f]+\), which came from MRAM that nobody wrote: tasklet 0 at [^ ]*mram.c:11'
printf '%064d' 7 >"$tmp/input"
is "nothing once the host has written it" "$(checked --set input=@"$tmp/input" "$tmp/mram.dpu")" ""

program misaligned <<'END'
#include <defs.h>
#include <mram.h>
#include <stdint.h>
__mram_noinit uint8_t area[64];
__dma_aligned uint8_t buffer[64];
int main(void)
{
	if (!me()) {
		mram_write(buffer + 4, area, 8);
		mram_write(buffer, area + 12, 8);
	}
	return 0;
}
END
text=$(checked "$tmp/misaligned.dpu")
like "misaligned in WRAM" "$text" 'DMA with WRAM address 0x[0-9a-f]+, which is no multiple of 8 and is rounded down: tasklet 0 at [^ ]*misaligned.c:9 \(main\+'
like "misaligned in MRAM" "$text" 'DMA with MRAM address 0x[0-9a-f]+, which is .*misaligned.c:10 \(main\+'

program length <<'END'
#include <defs.h>
#include <mram.h>
#include <stdint.h>
__mram_noinit uint8_t area[8192];
__dma_aligned uint8_t buffer[4096];
__host uint32_t n = 4096;
int main(void)
{
	if (!me())
		mram_write(buffer, area, n);
	return 0;
}
END
finds length 1 'DMA of 4096 bytes: must be 8 to 2048, a multiple of 8: tasklet 0 at [^ ]*length.c:10 \(main\+'
is "2048 bytes are right" "$(checked --set n=2048 "$tmp/length.dpu")" ""

program range <<'END'
#include <defs.h>
#include <mram.h>
#include <stdint.h>
__dma_aligned uint8_t buffer[64];
int main(void)
{
	if (!me())
		mram_write(buffer, (__mram_ptr void *)(DPU_MRAM_HEAP_POINTER + (64 << 20) - 8), 64);
	return 0;
}
END
like "out of range" "$(checked "$tmp/range.dpu")" 'DMA of 64 bytes leaves its memory, at MRAM 0x[0-9a-f]+: tasklet 0 at [^ ]*range.c:8 \(main\+'

# UPMEM's library reads the byte behind a new block, and its barrier a word that another tasklet writes; with other names
# both are errors
program own <<'END'
#include <alloc.h>
#include <defs.h>
#include <stdint.h>
volatile uint32_t result, queue;
uint8_t __attribute__((noinline)) mem_alloc_nolock(volatile uint8_t *end)
{
	return end[-1];
}
void __attribute__((noinline)) barrier_wait(void)
{
	queue++;
}
int main(void)
{
	if (!me())
		result = mem_alloc_nolock((uint8_t *)mem_alloc(64) + 64);
	barrier_wait();
	return 0;
}
END
is "UPMEM's library: no finding" "$(checked "$tmp/own.dpu")" ""
sed 's/mem_alloc_nolock/probe/; s/barrier_wait/join/' "$tmp/own.c" | program others
finds others 3 'race on queue .*\(join\+'
like "others: a read" "$(checked "$tmp/others.dpu")" 'read of a block of the heap.*\(probe\+'

# Correct programs: mutex, handshake, semaphore, a flag that is polled, stop and resume by barriers.
program order <<'END'
#include <barrier.h>
#include <defs.h>
#include <handshake.h>
#include <mutex.h>
#include <sem.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
BARRIER_INIT(all, NR_TASKLETS);
MUTEX_INIT(guard);
SEMAPHORE_INIT(ready, 0);
volatile uint32_t flag;
uint32_t under_mutex, by_handshake, by_semaphore, by_flag, by_barrier[NR_TASKLETS];
struct hole { uint8_t small; uint64_t large; } from, to;
int main(void)
{
	for (int i = 0; i < 20; i++) {
		mutex_lock(guard);
		under_mutex++;
		mutex_unlock(guard);
	}
	if (me() == 0) {
		by_handshake = 1;
		handshake_notify();
		by_semaphore = 2;
		sem_give(&ready);
		by_flag = 3;
		flag = 1;
	} else if (me() == 1) {
		handshake_wait_for(0);
		by_handshake++;
	} else if (me() == 2) {
		sem_take(&ready);
		by_semaphore++;
	} else {
		while (!flag)
			;
		by_flag++;
	}
	for (uint32_t round = 0; round < 3; round++) {
		by_barrier[me()] = round;
		barrier_wait(&all);
		if (by_barrier[(me() + 1) % NR_TASKLETS] != round)
			printf("wrong\n");
		barrier_wait(&all);
	}
	printf("tasklet %u\n", me());
	if (!me()) {
		from.small = 1;
		from.large = 2;
		memcpy(&to, &from, sizeof(to));
	}
	return 0;
}
END
is "all ways to order: no finding" "$(checked "$tmp/order.dpu")" ""
is "and the counts are those without" "$(./dpu-run -c --check "$tmp/order.dpu" 2>&1)" \
	"$(./dpu-run -c "$tmp/order.dpu" 2>&1)"
for name in page-kernel frequency both hello; do
	is "$name: no finding" "$(checked $ex/$name.dpu)" ""
done
for name in frequency both; do
	is "$name in C: no finding" "$(checked $ex/c/$name-1.dpu)" ""
done
is "hello in C: no finding" "$(checked $ex/c/hello-16.dpu)" ""
summary
