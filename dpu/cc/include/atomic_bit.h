/* SPDX-License-Identifier: MIT */
/* The DPU's 256 atomic bits. An atomic bit's address is its number. */
#ifndef DPU_CC_ATOMIC_BIT_H
#define DPU_CC_ATOMIC_BIT_H

#include <attributes.h>
#include <stdint.h>

#define ATOMIC_BIT_GET(name) atomic_bit_##name
/* No semicolon at its end, unlike MUTEX_INIT and others, because sources add [N]. */
#define ATOMIC_BIT_INIT(name) uint8_t __atomic_bit ATOMIC_BIT_GET(name)
#define ATOMIC_BIT_EXTERN(name) extern __attribute__((section(".atomic"))) uint8_t ATOMIC_BIT_GET(name)

static inline void __atomic_bit_acquire(const uint8_t *bit)
{
	__asm__ volatile ("acquire %0, 0, nz, ." : : "r" (bit) : "memory");
}

static inline void __atomic_bit_release(const uint8_t *bit)
{
	__asm__ volatile ("release %0, 0, nz, .+1" : : "r" (bit) : "memory");
}

#define ATOMIC_BIT_ACQUIRE(name) __atomic_bit_acquire(&ATOMIC_BIT_GET(name))
#define ATOMIC_BIT_RELEASE(name) __atomic_bit_release(&ATOMIC_BIT_GET(name))

#endif
