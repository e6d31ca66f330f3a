/* SPDX-License-Identifier: MIT */
/* Macros: text and concatenation of expanded arguments. */
#ifndef DPU_CC_MACRO_UTILS_H
#define DPU_CC_MACRO_UTILS_H

#define __STR_OF(x) #x
#define __STR(x) __STR_OF(x)
#define __CONCAT_OF(a, b) a##b
#define __CONCAT(a, b) __CONCAT_OF(a, b)

#endif
