// SPDX-License-Identifier: GPL-2.0-only
/* usage: chain COUNT BATCHES: that many FFTs of 2048 points, each of which hands its output to the next one. */
#include <stdio.h>
#include <stdlib.h>

#include "fft_stratus.h"
#include "libesp.h"

#define MOST 3
#define LOG_LEN 11

int main(int argc, char **argv)
{
	struct fft_stratus_access access[MOST] = { 0 };
	esp_thread_info_t cfg[MOST] = { 0 };
	char name[MOST][32];
	int count, batches;
	void *buffer;

	if (argc != 3)
		return 2;
	count = atoi(argv[1]);
	batches = atoi(argv[2]);
	if (count < 1 || count > MOST)
		return 2;
	buffer = esp_alloc((size_t)batches * 2 * sizeof(int) << LOG_LEN);
	if (!buffer) {
		fprintf(stderr, "chain: %s\n", mon_error());
		return 1;
	}
	for (int i = 0; i < count; i++) {
		snprintf(name[i], sizeof(name[i]), "fft_stratus.%d", i);
		access[i].batch_size = batches;
		access[i].log_len = LOG_LEN;
		access[i].esp.p2p_store = i + 1 < count;
		access[i].esp.p2p_nsrcs = i > 0;
		if (i)
			snprintf(access[i].esp.p2p_srcs[0], sizeof(access[i].esp.p2p_srcs[0]), "%s", name[i - 1]);
		cfg[i] = (esp_thread_info_t){ .run = true, .devname = name[i], .hw_buf = buffer,
					      .ioctl_req = FFT_STRATUS_IOC_ACCESS, .esp_desc = &access[i].esp };
	}
	if (esp_run(cfg, count)) {
		fprintf(stderr, "chain: %s\n", mon_error());
		return 1;
	}
	esp_free(buffer);
	return 0;
}
