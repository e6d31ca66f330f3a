// SPDX-License-Identifier: GPL-2.0-only
/* An emulated accelerator transforms 128 points of two 32-bit integers each. */
#include <stdio.h>

#include <libesp.h>
#include <fft_stratus.h>

int main(void)
{
	struct fft_stratus_access fft = { .esp.coherence = ACC_COH_NONE, .batch_size = 1, .log_len = 7, .do_bitrev = 1 };
	char name[] = "fft_stratus.0";
	esp_thread_info_t run = { .run = true, .devname = name, .ioctl_req = FFT_STRATUS_IOC_ACCESS, .esp_desc = &fft.esp };

	run.hw_buf = esp_alloc(128 * 2 * sizeof(int));
	if (!run.hw_buf)
		return 1;
	esp_run(&run, 1);
	printf("%s: %llu ns\n", run.devname, run.hw_ns);
	esp_free(run.hw_buf);
	return 0;
}
