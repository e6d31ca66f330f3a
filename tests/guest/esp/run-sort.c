// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sorts vectors of floats on ESP's accelerator SORT_STRATUS, through libesp.h as ESP's programs do:
 * run-sort [SIZE [BATCH]].
 */
#include <stdio.h>
#include <stdlib.h>

#include "libesp.h"
#include "mon.h"
#include "sort_stratus.h"

#include "events/esp/accelerators.h"

_Static_assert(37 * ESP_SORT_LEN_STEP > ESP_SORT_LEN_MOST, "a size is a multiple of 37");

/* Whether each vector rises, and still has the numbers that it had. */
static int check(const float *buf, unsigned int size, unsigned int batch)
{
	unsigned int b, i;
	float sum;

	for (b = 0; b < batch; b++, buf += size) {
		for (i = 1, sum = buf[0]; i < size; sum += buf[i++])
			if (buf[i - 1] > buf[i])
				return 1;
		/* 0 to size - 1, moved by b */
		if (sum != size * (size - 1) / 2.0f + b * size)
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct sort_stratus_access access = {
		.esp = { .coherence = ACC_COH_NONE },
		.size = argc > 1 ? strtoul(argv[1], NULL, 10) : 64,
		.batch = argc > 2 ? strtoul(argv[2], NULL, 10) : 1,
	};
	unsigned int size = access.size, batch = access.batch, i, wrong;
	float *buf;
	esp_thread_info_t cfg = {
		.run = true,
		.devname = (char[]){ "sort_stratus.0" },
		.ioctl_req = SORT_STRATUS_IOC_ACCESS,
		.esp_desc = &access.esp,
	};

	if (!size || !batch) {
		fprintf(stderr, "usage: run-sort [SIZE [BATCH]]\n"
			"Sorts BATCH vectors (default: 1) of SIZE floats (default: 64; a multiple of %d up to %d).\n",
			ESP_SORT_LEN_STEP, ESP_SORT_LEN_MOST);
		return 1;
	}
	buf = esp_alloc((size_t)size * batch * sizeof(*buf));
	if (!buf) {
		fprintf(stderr, "run-sort: %u vectors of %u: %s\n", batch, size, mon_error());
		return 1;
	}
	cfg.hw_buf = buf;
	/* each number once: the smallest size that is a multiple of 37 is 37 * STEP, which is more than MOST */
	for (i = 0; i < size * batch; i++)
		buf[i] = i % size * 37 % size + i / size;
	if (esp_run(&cfg, 1)) {
		fprintf(stderr, "run-sort: %s\n", mon_error());
		return 1;
	}
	wrong = check(buf, size, batch);
	printf("sort_stratus.0: %u vectors of %u floats, %llu ns: %s\n", batch, size, cfg.hw_ns,
	       wrong ? "FAILED" : "sorted");
	esp_free(buf);
	return wrong;
}
