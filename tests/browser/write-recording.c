// SPDX-License-Identifier: GPL-2.0-only
/* Writes the recording of tests/unit/monctl/fixture.h and prints its name, for tests that look at its page. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/monctl/fixture.h"

int main(void)
{
	char *path = fixture_write();
	bool failed = puts(path) < 0;

	free(path);
	return failed;
}
