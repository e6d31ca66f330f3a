#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# dpu-run --check: programs with one error each, by kind, and correct programs, which have no finding. The table of
# dpu/docs/upmem-check.md has the sums.
. "${srcdir:-.}/tests/guest/lib.sh"
[ -e examples/upmem/c/bfs-16.dpu ] || { echo "no clang: DPU programs in C were not built"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
head -c 65536 /dev/zero >"$tmp/zeroes"
declare -A planted found
kinds=() correct=0

# Rows: KIND@NAME@TEXT@DECLARATIONS@STATEMENTS, of main of 8 tasklets, in line 17. TEXT is what a finding matches, NOT what
# the check does not find (dpu/docs/upmem-check.md, Limits), or nothing in a correct program. The host has written 64 KiB of
# MRAM, but for the variables of the kind "unwritten".
while IFS='@' read -r kind name text declarations statements; do
	[ "$kind" ] || continue
	printf '#include <%s.h>\n' alloc barrier buddy_alloc defs fsb_allocator handshake mram mutex sem stdint string seqread >"$tmp/p.c"
	printf '%s\n' "$declarations" 'volatile uint32_t result, count = 16, many = 4096, size;' 'int main(void)' '{' \
		"$statements" '	return 0;' '}' >>"$tmp/p.c"
	warning=$(./dpu-cc -g -O2 -DNR_TASKLETS=8 -DSTACK_SIZE_DEFAULT=512 "$tmp/p.c" -o "$tmp/p.dpu" 2>&1) ||
		{ echo "not ok: $name: $warning"; exit 1; }
	mram=(--mram=0=@"$tmp/zeroes")
	[ "$kind" = unwritten ] && mram=()
	out=$(timeout 60 ./dpu-run --check --limit=200000 "${mram[@]}" "$tmp/p.dpu" 2>&1 >/dev/null)
	if [ "$kind" = correct ]; then
		is "$name: no finding" "$out" ""
		correct=$((correct + 1))
		continue
	fi
	line=17
	[[ $declarations = *inline* ]] && line=13
	[ "${planted[$kind]}" ] || kinds+=("$kind")
	planted[$kind]=$((planted[$kind] + 1))
	if [ "$text" = NOT ]; then
		is "$name: is not found" "$out" ""
		continue
	fi
	found[$kind]=$((found[$kind] + 1))
	[[ $text = warning* ]] && out="warning $warning"
	like "$name" "$out" "$text"
	[[ $text = fault* || $text = warning* ]] || like "$name: its line" "$out" "p\.c:$line "
done <<'END'
bounds@an array, into the next variable@write of .* leaves cells \(64 bytes@int cells[16], after[4];@if (!me()) for (int i = 0; i <= count; i++) cells[i] = i;
bounds@an array, read behind its end@read of .* leaves cells \(64 bytes@int cells[16], after[4];@if (!me()) { for (int i = 0; i < 16; i++) cells[i] = i; for (int i = 0; i <= count; i++) result += cells[i]; }
bounds@an array, before its start@write of .* leaves cells \(64 bytes@int before[4], cells[16];@if (!me()) for (int i = count - 1; i >= -1; i--) cells[i] = i;
bounds@an array with fewer elements than tasklets@write of .* leaves few \(16 bytes@int few[4], after[4];@few[me()] = 1;
bounds@a row of a matrix, in steps@write of .* leaves grid \(128 bytes@int grid[8][4], after[4];@if (me() == 7) for (int i = 0; i <= count / 2; i++) grid[i][3] = i;
bounds@a string that is too long@write of .* leaves word \(12 bytes@char word[12], other[12]; const char *volatile text = "longer than twelve";@if (!me()) strcpy(word, text);
bounds@memset of too many bytes@write of .* leaves word \(12 bytes@char word[12], other[12];@if (!me()) memset(word, 1, count);
bounds@memcpy of too many bytes@read of .* leaves word \(20 bytes@char word[20] = "nineteen characters", other[64];@if (!me()) memcpy(other, word, 2 * count);
bounds@beyond 64 KiB of WRAM@fault.*WRAM address 0x10000@@if (!me()) for (uint32_t a = 0xff00 + 16 * count; a <= 0x10000; a += 4) result = *(volatile uint32_t *)a;
bounds@a word at an odd address@fault.*must be a multiple of 4@char cells[16];@if (!me()) *(volatile uint32_t *)(cells + 15 - count / 16 * 2) = 1;
bounds@an array, by the first access@write of .* leaves cells \(64 bytes@int cells[16], after[4];@if (!me()) cells[count] = 1;
bounds@an array, read by the first access@read of .* leaves cells \(64 bytes@int cells[16], after[4];@if (!me()) { for (int i = 0; i < 16; i++) cells[i] = i; result = cells[count + 1]; }
bounds@a loop of eight steps that is unrolled@write of .* leaves eight \(28 bytes@int eight[7], after[4];@if (!me()) for (int i = 0; i < 8; i++) eight[i] = count * i;
bounds@a copy loop@write of .* leaves word \(16 bytes@char word[16], text[24] = "twenty-one characters";@if (!me()) for (int i = 0; i < count + 4; i++) word[i] = text[i];
bounds@memcpy of a constant length@write of .* leaves word \(16 bytes@char word[16], after[16], text[24] = "twenty-one characters";@if (!me()) memcpy(word, text, 24);
bounds@memcpy, by a few bytes@write of .* leaves word \(16 bytes@char word[16], after[16], text[24] = "twenty-one characters";@if (!me()) memcpy(word, text, count + 4);
bounds@memmove inside an array@write of .* leaves word \(24 bytes@char word[24] = "twenty-one characters", after[16];@if (!me()) memmove(word + 12, word, count);
bounds@strcat@write of .* leaves word \(12 bytes@char word[12] = "seven c", after[16]; const char *volatile text = "five.";@if (!me()) strcat(word, text);
bounds@strncpy@write of .* leaves word \(12 bytes@char word[12], after[16]; const char *volatile text = "five.";@if (!me()) strncpy(word, text, count);
bounds@strlen of a text without its end@read of .* leaves word \(8 bytes@char word[8] = "12345678", after[8] = "abc";@if (!me()) result = strlen(word);
locals@an array, behind its end@write of .* leaves a local variable \(64 bytes@@int cells[16]; if (!me()) { for (int i = 0; i <= count; i++) cells[i] = i; for (int i = 0; i < count; i++) result += cells[i]; }
locals@an array, read behind its end@read of .* leaves a local variable \(32 bytes@@int cells[8]; if (!me()) { for (int i = 0; i < 8; i++) cells[i] = i * count; for (int i = 0; i <= count / 2; i++) result += cells[i]; }
locals@an array, filled by a function@write of .* leaves a local variable \(32 bytes@static void __attribute__((noinline)) fill(int *a, int n) { for (int i = 0; i < n; i++) a[i] = i; }@int a[8], b[8]; if (!me()) { fill(a, count); fill(b, 8); result = a[count / 4] + b[count / 4]; }
locals@an array of a function that is inlined@write of .* leaves a local variable \(16 bytes@static inline int of(int n) { int a[4]; for (int i = 0; i < n; i++) a[i] = i; return a[n / 2]; }@if (!me()) result = of(count / 3);
locals@a structure's array@write of .* leaves a local variable \(16 bytes@struct pair { int number; int values[3]; };@struct pair p = { 0, { 0 } }; if (!me()) { for (int i = 0; i < count / 4; i++) p.values[i] = i; result = p.values[count / 8] + p.number; }
locals@a transfer to an array@write of .* leaves a local variable \(64 bytes@__mram_noinit uint64_t far[64];@__dma_aligned uint64_t block[8]; if (!me()) { mram_read(far, block, 8 * count); result = block[count / 4]; }
locals@an array, by the first access@write of .* leaves a local variable \(64 bytes@@int cells[16]; if (!me()) { cells[count] = 1; for (int i = 0; i < 4; i++) cells[i * count / 16] = i; result = cells[count / 8]; }
locals@memset of too many bytes@write of .* leaves a local variable \(12 bytes@@char word[12], *volatile p = word; if (!me()) { memset(word, 1, count); result = p[count / 2]; }
heap@a block, into the next block@write of .* leaves a block of the heap \(64 bytes@@if (!me()) { int *a = mem_alloc(64), *b = mem_alloc(8); for (int i = 0; i <= count; i++) a[i] = b[0] = i; }
heap@a block behind a pointer in memory@write of .* leaves a block of the heap \(12 bytes@struct item { struct item *next; int values[2]; } *item;@if (!me()) { item = mem_alloc(12); item->next = mem_alloc(12); for (int i = 0; i < count / 5; i++) item->next->values[i] = i; }
heap@the next block of an allocator@write of .* leaves a block of the heap \(24 bytes@@if (!me()) { fsb_allocator_t f = fsb_alloc(24, 2); int *a = fsb_get(f), *b = fsb_get(f); for (int i = 0; i < count; i++) (a < b ? a : b)[i] = i; }
heap@the next block of the buddy allocator@write of .* leaves a block of the heap \(40 bytes@@if (!me()) { buddy_init(1024); int *a = buddy_alloc(40); for (int i = 0; i < count; i++) a[i] = i; }
heap@a block after mem_reset@which mem_reset or a free has given back@@if (!me()) { volatile int *a = mem_alloc(64); a[1] = 5; mem_reset(); result = a[1]; }
heap@a block after mem_reset, which another block has got@NOT@@if (!me()) { volatile int *a = mem_alloc(64), *b; mem_reset(); b = mem_alloc(64); b[1] = 1; a[1] = 5; result = b[1]; }
heap@a block after fsb_free@which mem_reset or a free has given back@@if (!me()) { fsb_allocator_t f = fsb_alloc(32, 4); volatile int *a = fsb_get(f); a[4] = 5; fsb_free(f, (void *)a); result = a[4]; }
heap@a block, given back twice@free of .* given back@@if (!me()) { fsb_allocator_t f = fsb_alloc(32, 4); volatile int *a = fsb_get(f); a[4] = 5; fsb_free(f, (void *)a); fsb_free(f, (void *)a); }
heap@a block after buddy_free@which mem_reset or a free has given back@@if (!me()) { buddy_init(1024); volatile int *a = buddy_alloc(64); a[4] = 5; buddy_free((void *)a); result = a[8]; }
heap@a transfer to a block after mem_reset@which mem_reset or a free has given back@__mram_noinit uint64_t far[64];@if (!me()) { uint64_t *a = mem_alloc(64); mem_reset(); mram_read(far, a, 64); }
heap@a block, by the first access@write of .* leaves a block of the heap \(64 bytes at WRAM 0x[0-9a-f]+, allocated at .*p\.c:17@@if (!me()) { int *a = mem_alloc(64); mem_alloc(64); a[count] = 1; }
heap@memcpy of too many bytes@write of .* leaves a block of the heap \(32 bytes@char text[40] = "thirty-nine characters and no more chars";@if (!me()) { char *a = mem_alloc(32); mem_alloc(32); memcpy(a, text, 2 * count + 8); }
heap@a transfer of too many bytes@write of .* leaves a block of the heap \(64 bytes@__mram_noinit uint64_t far[64];@if (!me()) { uint64_t *a = mem_alloc(64); mem_alloc(64); mram_read(far, a, 8 * count); result = a[1]; }
DMA@past the end of a WRAM buffer@write of .* leaves block \(64 bytes@__mram_noinit uint64_t far[64]; __dma_aligned uint64_t block[8], next[8];@if (!me()) mram_read(far, block, 8 * count);
DMA@from behind a WRAM buffer@read of .* leaves block \(64 bytes@__mram_noinit uint64_t far[64]; __dma_aligned uint64_t block[8], next[8];@if (!me()) { memset(block, 0, 64); memset(next, 0, 64); mram_write(block, far, 8 * count); }
DMA@an MRAM address that is no multiple of 8@DMA with MRAM address 0x[0-9a-f]+, which is no multiple of 8@__mram_noinit uint8_t far[64]; __dma_aligned uint8_t block[64];@if (!me()) mram_read(far + 4, block, 8);
DMA@a WRAM address that is no multiple of 8@DMA with WRAM address 0x[0-9a-f]+, which is no multiple of 8@__mram_noinit uint8_t far[64]; __dma_aligned uint8_t block[64];@if (!me()) mram_read(far, block + 4, 8);
DMA@4096 bytes@DMA of 4096 bytes: must be 8 to 2048@__mram_noinit uint8_t far[4096]; __dma_aligned uint8_t block[4096];@if (!me()) mram_read(far, block, many);
DMA@4096 bytes, a constant@warning.*4096@__mram_noinit uint8_t far[4096]; __dma_aligned uint8_t block[4096];@if (!me()) mram_read(far, block, 4096);
DMA@a length that is no multiple of 8@DMA of 20 bytes: must be 8 to 2048@__mram_noinit uint8_t far[64]; __dma_aligned uint8_t block[64];@if (!me()) mram_read(far, block, count + 4);
DMA@no bytes at all@DMA of 0 bytes: must be 8 to 2048@__mram_noinit uint8_t far[64]; __dma_aligned uint8_t block[64];@if (!me()) mram_read(far, block, size);
DMA@beyond the end of MRAM@DMA of 64 bytes leaves its memory@__dma_aligned uint8_t block[64];@if (!me()) mram_write(memset(block, 0, 64), (__mram_ptr void *)(DPU_MRAM_HEAP_POINTER + (64 << 20) - 8), 64);
DMA@past the end of an MRAM variable@write of .* leaves far \(128 bytes@__mram_noinit uint64_t far[16], next[16]; __dma_aligned uint64_t block[16];@if (!me()) { memset(block, 0, 128); mram_write(block, &far[8], 8 * count); }
DMA@from behind an MRAM variable@read of .* leaves far \(128 bytes@__mram_noinit uint64_t far[16], next[16]; __dma_aligned uint64_t block[16];@if (!me()) mram_read(&far[count - 8], block, 128);
races@on an array@race on sums@uint32_t sums[4];@for (uint32_t i = 0; i < 4; i++) sums[i] += me();
races@a missing barrier@race on squares@uint32_t squares[8];@squares[me()] = me() * me(); if (!me()) for (int i = 0; i < 8; i++) result += squares[i];
races@two mutexes for one variable@race on sum@MUTEX_INIT(even); MUTEX_INIT(odd); uint32_t sum;@mutex_id_t mine = me() & 1 ? odd : even; mutex_lock(mine); sum++; mutex_unlock(mine);
races@a mutex that only some take@race on sum@MUTEX_INIT(guard); uint32_t sum;@if (me() & 1) { mutex_lock(guard); sum++; mutex_unlock(guard); } else sum++;
races@in MRAM@race on last@__mram_noinit uint64_t last;@__dma_aligned uint64_t mine = me(); mram_write(&mine, &last, 8);
races@transfers that overlap in MRAM@race on far@__mram_noinit uint64_t far[64]; __dma_aligned uint64_t block[8][2];@block[me()][0] = block[me()][1] = me(); mram_write(block[me()], &far[me()], 16);
races@a buffer that another tasklet fills by DMA@race on block@__mram_noinit uint64_t far[64]; __dma_aligned uint64_t block[8];@if (!me()) mram_read(far, block, 64); else if (me() == 3) result = block[1];
races@a barrier of its own for each half@race on totals@BARRIER_INIT(low, 4); BARRIER_INIT(high, 4); uint32_t totals[8];@totals[me()] = me(); barrier_wait(me() < 4 ? &low : &high); if (me() == 5) result = totals[2];
locks@unlock without lock@unlocks mutex guard, which nobody has@MUTEX_INIT(guard);@if (me() == 2) mutex_unlock(guard);
locks@unlock of another tasklet's mutex@unlocks mutex guard, which another tasklet has@MUTEX_INIT(guard); BARRIER_INIT(all, 8);@if (!me()) mutex_lock(guard); barrier_wait(&all); if (me() == 1) mutex_unlock(guard);
locks@a mutex of a tasklet that has returned@has returned with mutex guard@MUTEX_INIT(guard);@mutex_lock(guard); result++; if (me() != 2) mutex_unlock(guard);
locks@a barrier for one too many@deadlock: tasklets 0-7 wait for ever in barrier_wait for all@BARRIER_INIT(all, 9);@barrier_wait(&all);
locks@a semaphore that nobody gives@deadlock: tasklet 2 waits for ever in sem_take for ready@SEMAPHORE_INIT(ready, 0);@if (me() == 2) sem_take(&ready);
locks@a tasklet that does not notify@deadlock: tasklet 0 waits for ever in handshake_wait_for for tasklet 1@@if (!me()) handshake_wait_for(1);
locks@two mutexes in two orders@deadlock: tasklet [01] waits for ever for mutex (one|two), at .*p\.c:17 .*, which tasklet [01] locked at .*p\.c:17 @MUTEX_INIT(one); MUTEX_INIT(two);@if (me() < 2) { mutex_lock(me() ? two : one); for (int i = 0; i < count; i++) __asm__ volatile("nop"); mutex_lock(me() ? one : two); result++; mutex_unlock(one); mutex_unlock(two); }
locks@a mutex, locked twice@deadlock: tasklet 3 waits for ever for mutex guard, at .*p\.c:17 .*, which tasklet 3 locked at .*p\.c:17 @MUTEX_INIT(guard);@if (me() == 3) { mutex_lock(guard); result++; mutex_lock(guard); }
locks@a mutex, held over a barrier@deadlock: tasklets 1-7 wait for ever for mutex guard, at .*p\.c:17 .*, which tasklet 0 locked at .*p\.c:17 @MUTEX_INIT(guard); BARRIER_INIT(all, 8);@mutex_lock(guard); result++; barrier_wait(&all); mutex_unlock(guard);
locks@two mutexes in two orders, while others go on@deadlock: tasklet [01] waits for ever for mutex (one|two), at .*p\.c:17 @MUTEX_INIT(one); MUTEX_INIT(two);@if (me() < 2) { mutex_lock(me() ? two : one); for (int i = 0; i < count; i++) __asm__ volatile("nop"); mutex_lock(me() ? one : two); mutex_unlock(one); mutex_unlock(two); } else while (count) ;
stack@a local array that is too large@stack of tasklet 0 overflowed@@volatile uint32_t local[160]; if (!me()) { for (int i = 0; i < 160; i++) local[i] = i; result = local[count]; }
stack@recursion that is too deep@stack of tasklet 0 overflowed@static int __attribute__((noinline)) fill(uint32_t n) { volatile uint32_t a[20]; for (uint32_t i = 0; i < 20; i++) a[i] = n; return n ? fill(n - 1) + (int)a[3] : (int)a[0]; }@if (!me()) result = fill(8);
stack@an array of a variable length, into the next stack@stack of tasklet 2 overflowed at .*: main and what it calls need at least 1[12][0-9]{2} bytes@@if (me() == 2) { uint32_t a[count * 18], *volatile p = a; for (uint32_t i = 0; i < 18; i++) a[i] = i; result = p[count]; }
stack@an array of a variable length, below WRAM@stack of tasklet 0 overflowed at .*: main and what it calls need at least 2[45][0-9]{2} bytes@@if (!me()) { uint32_t a[count * 38], *volatile p = a; for (uint32_t i = 0; i < 18; i++) a[i] = i; result = p[count]; }
pointers@a write through NULL@write through a NULL pointer \(4 bytes@int *volatile none;@if (!me()) *none = 1;
pointers@a member of a NULL structure@read through a NULL pointer \(4 bytes at WRAM 0xc@struct item { int values[3], last; } *volatile none;@if (!me()) result = none->last;
pointers@the length of a NULL text@read through a NULL pointer \(1 bytes@char *volatile none;@if (!me()) result = strlen(none);
pointers@the address of an MRAM variable in WRAM@the address of far \(128 bytes at MRAM 0x[0-9a-f]+\) is used as one in WRAM@__mram_noinit uint32_t far[32];@if (!me()) result = ((uint32_t *)(uintptr_t)far)[count / 8];
pointers@the heap of MRAM in WRAM@the address of .* is used as one in WRAM@@if (!me()) ((uint32_t *)(uintptr_t)DPU_MRAM_HEAP_POINTER)[count] = 1;
pointers@a transfer with its addresses swapped@the address of (far|block) \(64 bytes at (MRAM|WRAM) 0x[0-9a-f]+\) is used as one in (MRAM|WRAM)@__mram_noinit uint64_t far[8]; __dma_aligned uint64_t block[8];@if (!me()) mram_read((__mram_ptr void *)(uintptr_t)block, (void *)(uintptr_t)far, 64);
pointers@a local variable of a function that has returned@read of the stack of tasklet 0 \(4 bytes .*, from a function that has returned@int *__attribute__((weak)) cells(int n) { int a[8]; for (int i = 0; i < n; i++) a[i] = i; int *volatile p = a; return p; }@if (!me()) { int *volatile p = cells(count / 2); result = p[count / 8]; }
unwritten@a local array@read of .*, which nobody wrote@@volatile uint32_t local[4]; if (!me()) { local[0] = 1; result = local[3] + local[0]; }
unwritten@a block of the heap@read of .*, which nobody wrote@@if (!me()) { volatile uint32_t *a = mem_alloc(64); a[0] = 1; result = a[15]; }
unwritten@MRAM@which came from MRAM that nobody wrote@__mram_noinit uint32_t far[16]; __dma_aligned uint32_t block[16];@if (!me()) { mram_read(far, block, 64); result = block[2]; }
unwritten@a variable in a register@NOT@@uint32_t sum; if (!me()) { for (uint32_t i = 0; i < count; i++) sum += i; result = sum; }
correct@a mutex@@MUTEX_INIT(guard); uint32_t sum;@for (int i = 0; i < 10; i++) { mutex_lock(guard); sum += me(); mutex_unlock(guard); }
correct@a pool of mutexes, by address@@MUTEX_INIT(low); MUTEX_INIT(high); uint32_t sums[2];@for (uint32_t i = 0; i < 10; i++) { mutex_id_t mine = i & 1 ? high : low; mutex_lock(mine); sums[i & 1] += me(); mutex_unlock(mine); }
correct@mutex_trylock until it succeeds@@MUTEX_INIT(guard); uint32_t sum;@while (!mutex_trylock(guard)) ; sum++; mutex_unlock(guard);
correct@a barrier between phases@@BARRIER_INIT(all, 8); uint32_t squares[8];@squares[me()] = me() * me(); barrier_wait(&all); if (!me()) for (int i = 0; i < 8; i++) result += squares[i];
correct@a barrier in a loop@@BARRIER_INIT(all, 8); uint32_t turn[8];@for (uint32_t i = 0; i < 5; i++) { turn[me()] = i; barrier_wait(&all); if (turn[(me() + 1) % 8] != i) result = 1; barrier_wait(&all); }
correct@a tree of sums@@BARRIER_INIT(all, 8); uint32_t sums[8];@sums[me()] = me(); for (uint32_t d = 1; d < 8; d *= 2) { barrier_wait(&all); if (!(me() % (2 * d))) sums[me()] += sums[me() + d]; }
correct@a semaphore@@SEMAPHORE_INIT(ready, 0); uint32_t value;@if (!me()) { value = 5; sem_give(&ready); } else if (me() == 1) { sem_take(&ready); result = value; }
correct@a chain of handshakes@@uint32_t value;@if (me()) handshake_wait_for(me() - 1); value += me(); if (me() < 7) handshake_notify();
correct@a flag that is polled@@volatile uint32_t flag; uint32_t value;@if (!me()) { value = 7; flag = 1; } else if (me() == 4) { while (!flag) ; result = value; }
correct@bytes of one word, each of its tasklet@@uint8_t bytes[8];@for (int i = 0; i < 10; i++) bytes[me()] += i;
correct@blocks of MRAM, each of its tasklet@@__mram_noinit uint64_t far[128]; __dma_aligned uint64_t block[8][8];@for (uint32_t i = me(); i < 16; i += 8) { mram_read(&far[8 * i], block[me()], 64); for (int k = 0; k < 8; k++) block[me()][k]++; mram_write(block[me()], &far[8 * i], 64); }
correct@2048 bytes by one transfer@@__mram_noinit uint64_t far[256]; __dma_aligned uint64_t block[256];@if (!me()) { mram_read(far, block, 2048); result = block[255]; }
correct@words of MRAM, one after the other@@__mram_noinit uint32_t far[64];@if (!me()) for (uint32_t i = 0; i < 64; i++) { far[i] = i; result += far[i]; }
correct@a reader of MRAM in sequence@@__mram_noinit uint32_t far[256];@if (!me()) { seqreader_t s; uint32_t *p = seqread_init(seqread_alloc(), far, &s); for (int i = 0; i < 256; i++) { result += *p; p = seqread_get(p, sizeof(*p), &s); } }
correct@all of an array, in both directions@@int cells[16];@if (!me()) { for (int *p = cells; p < cells + 16; p++) *p = 1; for (int *p = cells + 16; p-- > cells;) result += *p; }
correct@one variable after the other, by one loop@@int before[4], cells[16], after[4];@if (!me()) { int *all[] = { before, after, cells }; for (int k = 0; k < 3; k++) for (int i = 0; i < 4; i++) all[k][i] = i; result = before[3]; }
correct@variables that are copied into each other@@char from[24] = "twenty-three characters", to[24];@if (!me()) { memcpy(to, from, 24); strcpy(from, to); result = strlen(from); }
correct@structures with holes@@struct hole { uint8_t small; uint64_t large; } from, to;@if (!me()) { struct hole h; h.small = 1; h.large = count; from = h; memcpy(&to, &from, sizeof(to)); result = to.large; }
correct@an array of arrays, as one@@int grid[8][4];@if (!me()) { int *p = grid[0]; for (int i = 0; i < 2 * count; i++) p[i] = i; }
correct@a linked list in the heap@@struct item { struct item *next; int value; } *first;@if (!me()) { for (int i = 0; i < count; i++) { struct item *new = mem_alloc(sizeof(*new)); new->next = first; new->value = i; first = new; } for (struct item *i = first; i; i = i->next) result += i->value; }
correct@blocks side by side, by one function@@@if (!me()) { char *a = mem_alloc(16), *b = mem_alloc(16); memset(a, 1, 16); memset(b, 2, 16); memcpy(a, b, 16); result = a[15]; }
correct@a block, given back and taken again@@@if (!me()) { int *a = mem_alloc(64); for (int i = 0; i < count; i++) a[i] = i; mem_reset(); a = mem_alloc(128); for (int i = 0; i < 2 * count; i++) a[i] = i; result = a[9]; }
correct@a block of the buddy allocator that grows@@@if (!me()) { buddy_init(1024); char *a = buddy_alloc(100); memset(a, 1, 100); a = buddy_realloc(a, 200); memset(a, 2, 200); result = a[199]; buddy_free(a); }
correct@blocks of an allocator, used again@@@if (!me()) { fsb_allocator_t f = fsb_alloc(32, 2); for (int i = 0; i < 10; i++) { volatile int *a = fsb_get(f); a[0] = i; a[7] = i; result += a[7]; fsb_free(f, (void *)a); } }
correct@each tasklet's block of the heap@@@uint32_t *a = mem_alloc(64); for (int i = 0; i < count; i++) a[i] = me(); if (a[15] != me()) result = 1;
correct@a local array of each tasklet@@@uint32_t local[16]; for (uint32_t i = 0; i < count; i++) local[i] = me() + i; uint32_t sum = 0; for (uint32_t i = 0; i < count; i++) sum += local[i]; if (sum != 120 + 16 * me()) result = 1;
correct@a local array, filled by a function@@static void __attribute__((noinline)) fill(uint32_t *a, uint32_t n) { for (uint32_t i = 0; i < n; i++) a[i] = i; }@uint32_t a[8], b[12]; fill(a, 8); fill(b, 12); if (a[7] + b[11] != 18) result = 1;
correct@recursion in its stack@@static uint32_t __attribute__((noinline)) sum(uint32_t n) { volatile uint32_t a[4]; for (uint32_t i = 0; i < 4; i++) a[i] = n; return n ? sum(n - 1) + a[3] : a[0]; }@if (sum(4) != 10) result = 1;
correct@a sort of an array in place@@uint32_t keys[16];@if (!me()) { for (uint32_t i = 0; i < 16; i++) keys[i] = i * 7 % 16; for (int i = 1; i < 16; i++) for (int k = i; k && keys[k - 1] > keys[k]; k--) { uint32_t t = keys[k]; keys[k] = keys[k - 1]; keys[k - 1] = t; } result = keys[15]; }
correct@a transfer of the bytes of a block, rounded up to 8@@__mram_noinit uint64_t far[8];@if (!me()) { char *a = mem_alloc(12); mram_read(far, a, 16); result = a[11]; }
correct@arrays of functions that share a place on the stack@@static uint32_t __attribute__((noinline)) sum(uint32_t *a, uint32_t n) { uint32_t s = 0; for (uint32_t i = 0; i < n; i++) s += a[i] = i; return s; } static uint32_t __attribute__((noinline)) small(void) { uint32_t a[4]; return sum(a, 4) + a[3]; } static uint32_t __attribute__((noinline)) large(void) { uint32_t a[16]; return sum(a, 16) + a[3]; }@if (small() + large() + small() + large() != 264) result = 1;
correct@an array of a variable length@@static uint32_t __attribute__((noinline)) last(uint32_t *a, uint32_t n) { for (uint32_t i = 0; i < n; i++) a[i] = i; return a[n - 1]; }@uint32_t fixed[4]; for (uint32_t n = 1; n < 12; n += 5) { uint32_t a[n]; if (last(a, n) + last(fixed, 4) != n + 2) result = 1; }
correct@a local array for a transfer@@__mram_noinit uint64_t far[64];@__dma_aligned uint64_t block[8]; mram_read(&far[8 * me()], block, 64); uint64_t sum = 0; for (uint32_t i = 0; i < count / 2; i++) sum += block[i]; if (sum) result = 1;
END
table=$(for kind in "${kinds[@]}"; do
	echo "| $kind | ${planted[$kind]} | ${found[$kind]} |"
done; echo "| correct programs | $correct | 0 |")
is "the table of the page" "$(sed -n '/^| kind | programs | found |/,/^$/p' "${srcdir:-.}/dpu/docs/upmem-check.md" | sed 1,2d)" "$table"
summary
