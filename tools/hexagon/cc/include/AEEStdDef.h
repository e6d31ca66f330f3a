/* SPDX-License-Identifier: MIT */
#ifndef AEE_STD_DEF_H
#define AEE_STD_DEF_H

#include <stdint.h>

typedef uint8_t uint8, byte, boolean;
typedef uint16_t uint16;
typedef uint32_t uint32;
typedef uint64_t uint64;
typedef int8_t int8;
typedef int16_t int16;
typedef int32_t int32;
typedef int64_t int64;
#ifndef TRUE
#define TRUE 1
#define FALSE 0
#endif

#endif
