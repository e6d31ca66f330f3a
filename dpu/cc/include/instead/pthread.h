/* SPDX-License-Identifier: MIT */
#error "pthread.h: tasklets are not started by programs; use barrier.h, mutex.h, sem.h and handshake.h"
