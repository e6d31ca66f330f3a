/* SPDX-License-Identifier: GPL-2.0-only */
/* accelerate WORDS: HOUSE_STRATUS adds 7 to each of some words; checks the result. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "house_stratus.h"
#include "libesp.h"
#include "mon.h"

int main(int argc, char **argv)
{
	unsigned int words = argc > 1 ? strtoul(argv[1], NULL, 0) : 1, i;
	struct house_stratus_access access = { .words = words, .addend = 7 };
	uint64_t *buf = esp_alloc(words * sizeof(*buf));
	esp_thread_info_t cfg = {
		.run = true,
		.devname = (char[]){ "house_stratus.0" },
		.ioctl_req = HOUSE_STRATUS_IOC_ACCESS,
		.esp_desc = &access.esp,
		.hw_buf = buf,
	};

	for (i = 0; buf && i < words; i++)
		buf[i] = 1000 * i;
	if (!buf || esp_run(&cfg, 1)) {
		printf("%s\n", mon_error());
		return 1;
	}
	for (i = 0; i < words; i++)
		if (buf[i] != 1000 * i + 7)
			return 1;
	printf("added\n");
	return 0;
}
