// SPDX-License-Identifier: GPL-2.0-only
/*
 * Headers and builtins of DPU sources that UPMEM's page does not use; the expected lines are in
 * sources.sh.
 */
#include <assert.h>
#undef NDEBUG
#include <assert.h>
#include <barrier.h>
#include <built_ins.h>
#include <defs.h>
#include <dpuruntime.h>
#include <errno.h>
#include <macro_utils.h>
#include <memmram_utils.h>
#include <mram_unaligned.h>
#include <mutex.h>
#include <mutex_pool.h>
#include <perfcounter.h>
#include <profiling.h>
#include <sem.h>
#include <stdio.h>
#include <vmutex.h>

BARRIER_INIT(first, NR_TASKLETS)
BARRIER_INIT(last, NR_TASKLETS);
MUTEX_INIT(with);
MUTEX_INIT(without)
ATOMIC_BIT_INIT(many)[4];
_Static_assert(__CONCAT(NR_TASK, LETS) == 4 && sizeof(__STR(NR_TASKLETS)) == 2, "macros");
MUTEX_POOL_INIT(pool, 8)
MUTEX_POOL_INIT(pool2, 8);
VMUTEX_INIT(locks, 64, 4)
VMUTEX_INIT(locks2, 64, 1);
SEMAPHORE_INIT(one, 1)
SEMAPHORE_INIT(two, 2);
PROFILING_INIT(part)

static __used int kept = 5;
int __weak given(void)
{
	return 7;
}

__mram_noinit uint8_t text[64];
int total;

static void plus(int *value, void *args)
{
	*value += (int)(uintptr_t)args;
}

static void set_bits(uint8_t *value, void *args)
{
	*value |= (uint8_t)(uintptr_t)args;
}

static void printer(void)
{
	uint8_t buffer[64] __dma_aligned, *p;
	uint32_t x, y, low, high;
	uint64_t pair = 1000;

	__builtin_mul_sl_ul_rrr(x, -3, 5);
	__builtin_mul_ul_ul_rrr(y, 200, 0);
	printf("products %d %u\n", x, y);
	__builtin_mul_sl_ul_rrr(low, -2, 0x1234);
	__builtin_mul_sl_sh_rrr(high, -2, 0x1234);
	printf("by halves %d\n", low + (high << 8));
	__builtin_cao_rr(x, 0xff00ff);
	__builtin_clz_rr(y, 1);
	printf("bits %u %u\n", x, y);
	__builtin_lsl_add_rrri(x, 5, 3, "4");
	__builtin_lsr_rri(y, 256, "4");
	printf("shifts %u %u\n", x, y);
	__builtin_sub_rrrc(x, 3, 5, "ltu");
	__builtin_rsub_rrr(y, 3, 10);
	printf("differences %u %u\n", x, y);
	__builtin_div_step_rrri(pair, 7, pair, "7");
	printf("division's step %lx\n", pair);
	__builtin_nop_();
	__builtin_sw_rir(buffer, "8", 0);
	__builtin_sh_rir(buffer, "10", 77);
	__builtin_lw_rri(x, buffer, "8");
	printf("memory %x\n", x);

	p = mram_read_unaligned(text + 11, buffer, 13);
	printf("read %d %d %d %d\n", p[1], p[6], p[9], p[12]);
	for (int i = 0; i < 16; i++)
		buffer[i] = 100 + i;
	mram_write_unaligned(buffer + 3, text + 35, 10);
	printf("written %d %d %d %d\n", text[34], text[35], text[44], text[45]);
	/* A number as the address in MRAM */
	mram_read((__mram_ptr void *)0, buffer, 8);
	mram_write(buffer, (__mram_ptr void *)0, 8);
	printf("%d %d %u %d\n", total, part.count[0] > 0, (unsigned int)DMA_ALIGNED(13), given() + kept + errno);
	/* The clobbered register is not that of x or y. */
	y = x;
	__asm__ volatile ("move r0, 1\n\tmove r1, 2\n\tmove r2, 3\n\tmove r3, 4\n\tmove r4, 5\n\tmove r8, 6"
			  : : : "r0", "r1", "r2", "r3", "r4", "r8");
	printf("kept %d\n", x == y && y == 0x4d0000);
}

int main(void)
{
	if (me() == 0) {
		profiling_init();
		perfcounter_config(COUNT_SAME, false);
		for (int i = 0; i < 64; i++)
			text[i] = 0;
	}
	barrier_wait(&first);
	profiling_start(&part);
	for (int i = 0; i < 10; i++) {
		vmutex_lock(&locks, 13);
		total++;
		vmutex_unlock(&locks, 13);
	}
	mram_update_int_atomic(&text[12], plus, (void *)3);
	mram_write_byte_atomic(&text[17 + me()], 'a' + me());
	mram_update_byte_atomic(&text[23], set_bits, (void *)(uintptr_t)(1 << me()));
	profiling_stop(&part);
	barrier_wait(&last);
	if (me() == 0)
		printer();
	return 0;
}
