// SPDX-License-Identifier: GPL-2.0-only
/*
 * A host program as UPMEM's SDK would have built it: with its own definition of the structures (the
 * ABI, not libmon's headers), and linked to a library whose SONAME is libdpu.so.2021.3. Usage:
 * prebuilt PROGRAM
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct set {
	int kind;	/* 0 ranks, 1 a DPU */
	union {
		struct {
			uint32_t nr_ranks;
			void **ranks;
		} list;
		void *dpu;
	};
};

struct rank_iterator {
	struct set *set;
	uint32_t count, next_idx;
	bool has_next;
	struct set next;
};

struct dpu_iterator {
	struct rank_iterator ranks;
	uint32_t count, next_idx;
	bool has_next;
	struct set next;
};

int dpu_alloc(uint32_t count, const char *profile, struct set *set);
int dpu_free(struct set set);
int dpu_load(struct set set, const char *path, void **program);
int dpu_launch(struct set set, int policy);
int dpu_get_nr_dpus(struct set set, uint32_t *count);
int dpu_copy_to(struct set set, const char *symbol, uint32_t offset, const void *data, size_t size);
int dpu_copy_from(struct set set, const char *symbol, uint32_t offset, void *data, size_t size);
int dpu_prepare_xfer(struct set set, void *data);
int dpu_push_xfer(struct set set, int direction, const char *symbol, uint32_t offset, size_t size,
		  int flags);
int dpu_log_read(struct set set, FILE *stream);
char *dpu_error_to_string(int error);
struct dpu_iterator dpu_set_dpu_iterator_from(struct set *set);
void dpu_set_dpu_iterator_next(struct dpu_iterator *iterator);

/* The SDK's DPU_ASSERT. */
static void must(int error)
{
	char *text;

	if (!error)
		return;
	text = dpu_error_to_string(error);
	fprintf(stderr, "DPU Error (%s)\n", text);
	free(text);
	exit(1);
}

#define EACH(it, set) struct dpu_iterator it = dpu_set_dpu_iterator_from(set); it.has_next; \
	dpu_set_dpu_iterator_next(&it)

int main(int argc, char *argv[])
{
	uint32_t count, in[3] = { 10, 20, 30 }, out = 0;
	struct set set;

	if (argc != 2)
		return 2;
	must(dpu_alloc(3, NULL, &set));
	must(dpu_get_nr_dpus(set, &count));
	must(dpu_load(set, argv[1], NULL));
	for (EACH(it, &set))
		must(dpu_prepare_xfer(it.next, &in[it.count]));
	must(dpu_push_xfer(set, 0, "in", 0, 4, 0));
	must(dpu_launch(set, 1));
	for (EACH(it, &set)) {
		must(dpu_copy_from(it.next, "out", 0, &out, 4));
		printf("%u of %u: %u\n", it.count, count, out);
		must(dpu_log_read(it.next, stdout));
	}
	out = 13;
	must(dpu_copy_to(set, "in", 0, &out, 4));
	fflush(stdout);
	must(dpu_launch(set, 1));
	must(dpu_free(set));
	return 0;
}
