// SPDX-License-Identifier: GPL-2.0-only
/* hexagon-stat: monctl stat --preset profile under a name of its own. */
#include <locale.h>
#include <stdlib.h>

#include "tools/monctl/monctl.h"

int main(int argc, char **argv)
{
	char **args = calloc(argc + 3, sizeof(*args));

	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	if (!args)
		die("out of memory");
	args[0] = "stat";
	args[1] = "--preset";
	args[2] = "profile";
	for (int i = 1; i < argc; i++)
		args[i + 2] = argv[i];
	set_command_name("stat");
	return cmd_stat(argc + 2, args);
}
