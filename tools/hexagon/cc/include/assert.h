/* SPDX-License-Identifier: MIT */
/* No guard: each inclusion follows NDEBUG. */
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __assert_failed(#condition, __FILE__, __LINE__, __func__))
#endif
#ifndef static_assert
#define static_assert _Static_assert
#endif
_Noreturn void __assert_failed(const char *condition, const char *file, int line, const char *function);
