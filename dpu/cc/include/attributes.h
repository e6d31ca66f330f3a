/* SPDX-License-Identifier: MIT */
/* Memory of variables: attributes. */
#ifndef DPU_CC_ATTRIBUTES_H
#define DPU_CC_ATTRIBUTES_H

#define __mram_ptr __attribute__((address_space(255)))
#define __mram __mram_ptr __attribute__((section(".mram"), aligned(8), used))
#define __mram_noinit __mram_ptr __attribute__((section(".mram.noinit"), aligned(8), used))
#define __mram_keep __mram
#define __mram_noinit_keep __mram_noinit
#define __host __attribute__((section(".dpu_host"), used))
#define __dma_aligned __attribute__((aligned(8)))
#define __atomic_bit __attribute__((section(".atomic"), used))
#define __lower_data(name) __attribute__((section(".data." name)))
#define __section(name) __attribute__((section(name)))
#define __aligned(bytes) __attribute__((aligned(bytes)))
#define __noinline __attribute__((noinline))
#define __used __attribute__((used))
#define __weak __attribute__((weak))

#endif
