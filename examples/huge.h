/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory in 2 MiB pages, so that the low 21 bits of addresses are those of the hardware. */
#ifndef HUGE_H
#define HUGE_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

/* Zeroed; ends the program with a reason if there is no such memory. */
static inline void *huge_alloc(const char *program, size_t bytes)
{
	size_t len = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_POPULATE, -1, 0);

	if (p != MAP_FAILED)
		return p;
	fprintf(stderr, "%s: %zu bytes in huge pages: none free: echo %zu >/proc/sys/vm/nr_hugepages\n",
		program, bytes, len / HUGE_PAGE);
	exit(1);
}

#endif
