/* SPDX-License-Identifier: MIT */
/* assert(): fault 3. Include it again after a change of NDEBUG. */
#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) ((expression) ? (void)0 : __assert_fault())
#ifndef DPU_CC_ASSERT_H
#define DPU_CC_ASSERT_H
static inline void __attribute__((unused)) __assert_fault(void)
{
	__asm__ volatile ("fault 3");
}
#endif
#endif
#ifndef static_assert
#define static_assert _Static_assert
#endif
