/* SPDX-License-Identifier: MIT */
#error "qurt_pipe.h: there are no pipes of QuRT; use qurt_sem.h and qurt_mutex.h"
