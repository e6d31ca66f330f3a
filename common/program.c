// SPDX-License-Identifier: GPL-2.0-only
/*
 * What all programs of libmon have in common: --version, and an error if standard output could not be written.
 *
 * A program needs only this file among its sources. argp offers --version if it finds the hook.
 */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

static void program_version(FILE *out, struct argp_state *state)
{
	(void)state;
	fprintf(out, "%s (libmon) %s\n", program_invocation_short_name, PACKAGE_VERSION);
}

/* A program that failed keeps its status; one that says by argp_err_exit_status how it fails gets that one. */
static void program_ends(int status, void *unused)
{
	int failed = argp_err_exit_status == EX_USAGE ? EXIT_FAILURE : argp_err_exit_status;
	int error = ferror(stdout) ? EIO : 0;

	(void)unused;
	if (fflush(stdout))
		error = errno;
	/* a network's file system may have kept an error until now; a program may have closed it itself */
	if (close(STDOUT_FILENO) && errno != EBADF)
		error = errno;
	if (error)
		fprintf(stderr, "%s: standard output: %s: not all of it is written\n", program_invocation_short_name,
			strerror(error));
	if ((error || ferror(stderr)) && !status)
		_exit(failed);
}

static __attribute__((constructor)) void program_begins(void)
{
	/* libtool's name of a program in the build tree */
	if (!strncmp(program_invocation_short_name, "lt-", 3))
		program_invocation_short_name += 3;
	argp_program_version_hook = program_version;
	on_exit(program_ends, NULL);
}
