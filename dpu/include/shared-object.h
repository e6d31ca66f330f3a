/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* C text as code in this process, by the system's compiler and a cache in XDG_CACHE_HOME. */
#ifndef MON_MODELS_UPMEM_SHARED_OBJECT_H
#define MON_MODELS_UPMEM_SHARED_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>

#define PATH_SIZE 4096
#define SHARED_OBJECT_PROBLEM 512

struct shared_object_compiler {
	char path[PATH_SIZE];
	char about[PATH_SIZE + 256];	/* differs for another compiler, another version or other options */
};

/* LIBMON_DPU_CC or cc. False with a sentence in problem if there is none. */
bool shared_object_compiler(struct shared_object_compiler *compiler, char problem[SHARED_OBJECT_PROBLEM]);
/*
 * The shared object of a text, which must name the compiler: from the cache, or compiled now. A
 * damaged file of the cache is made anew. running is the compiler's process while it runs; you may
 * kill it. NULL with a sentence in problem.
 */
void *shared_object_open(const struct shared_object_compiler *compiler, const char *text, atomic_int *running,
			 char problem[SHARED_OBJECT_PROBLEM]);

#endif
