// SPDX-License-Identifier: GPL-2.0-only
/* Each tasklet says who it is; dpu-run and dpu_log_read() print it. */
#include <defs.h>
#include <stdio.h>

int main(void)
{
	printf("hello from tasklet %u\n", me());
	return 0;
}
