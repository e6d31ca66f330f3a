/* SPDX-License-Identifier: MIT */
/* A number for each tasklet. The library's functions do not set it. */
#ifndef DPU_CC_ERRNO_H
#define DPU_CC_ERRNO_H

#include <defs.h>

#define ENOENT 2
#define EIO 5
#define EAGAIN 11
#define ENOMEM 12
#define EFAULT 14
#define EBUSY 16
#define EINVAL 22
#define EDOM 33
#define ERANGE 34

extern int __errno_of[];
#define errno (__errno_of[me()])

#endif
