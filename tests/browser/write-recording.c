// SPDX-License-Identifier: GPL-2.0-only
/* Writes the recording of tests/unit/monctl/fixture.h and prints its name, for tests that look at its page. */
#include <stdio.h>

#include "tests/unit/monctl/fixture.h"

int main(void)
{
	return printf("%s\n", fixture_write()) < 0;
}
