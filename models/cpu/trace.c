/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes recorded accesses to a file. */
#include "cpu/trace.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cpu_trace {
	pthread_mutex_t lock;
	FILE *file;	/* NULL: closed */
	bool failed;
};

struct cpu_trace *cpu_trace_create(const char *path)
{
	struct cpu_trace *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->file = fopen(path, "wb");
	if (!t->file) {
		int err = errno;

		free(t);
		errno = err;
		return NULL;
	}
	setvbuf(t->file, NULL, _IOFBF, 1 << 20);
	pthread_mutex_init(&t->lock, NULL);
	return t;
}

void cpu_trace_add(struct cpu_trace *t, unsigned int vcpu, enum cpu_access what, uint64_t addr)
{
	uint64_t word = cpu_trace_word(vcpu, what, addr);

	pthread_mutex_lock(&t->lock);
	if (t->file && !t->failed && fwrite_unlocked(&word, sizeof(word), 1, t->file) != 1) {
		t->failed = true;
		fprintf(stderr, "mon-qemu: the trace ends here: %s\n", strerror(errno));
	}
	pthread_mutex_unlock(&t->lock);
}

/* Virtual CPUs may still run when the emulator exits, so the structure is not freed. */
void cpu_trace_close(struct cpu_trace *t)
{
	pthread_mutex_lock(&t->lock);
	if (t->file && fclose(t->file) && !t->failed)
		fprintf(stderr, "mon-qemu: the trace is not complete: %s\n", strerror(errno));
	t->file = NULL;
	pthread_mutex_unlock(&t->lock);
}
