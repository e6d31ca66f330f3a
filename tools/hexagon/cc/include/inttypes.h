/* SPDX-License-Identifier: MIT */
#ifndef INTTYPES_H
#define INTTYPES_H

#include <stdint.h>

#define PRIu64 "llu"
#define PRIx64 "llx"
#define PRIX64 "llX"
#define PRId64 "lld"
#define PRIi64 "lli"
#define PRIuPTR "u"
#define PRIxPTR "x"
#define PRIu32 "u"
#define PRIx32 "x"
#define PRIX32 "X"
#define PRId32 "d"
#define PRIi32 "i"
#define PRIu16 "u"
#define PRId16 "d"
#define PRIu8 "u"
#define PRId8 "d"

#endif
