/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * papi-count EVENT COMMAND [ARG...]: what PAPI counts while COMMAND runs, for example
 *
 *	LD_LIBRARY_PATH=build/libpfm4/lib papi-count espmon::ddr_accesses:cpu=0 esp-fft
 *
 * An uncore event is counted on the whole system, so it needs a CPU (":cpu=0") and the right to do so.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <papi.h>

static void check(int code, const char *what)
{
	if (code == PAPI_OK)
		return;
	fprintf(stderr, "papi-count: %s: %s\n", what, PAPI_strerror(code));
	exit(EXIT_FAILURE);
}

static int run(char **command)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0) {
		perror("papi-count");
		exit(EXIT_FAILURE);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	int set = PAPI_NULL, version, status;
	long long count;

	if (argc < 3) {
		fprintf(stderr, "usage: papi-count EVENT COMMAND [ARG...]\n");
		return 2;
	}
	version = PAPI_library_init(PAPI_VER_CURRENT);
	check(version == PAPI_VER_CURRENT ? PAPI_OK : version, "PAPI_library_init");
	check(PAPI_create_eventset(&set), "PAPI_create_eventset");
	check(PAPI_add_named_event(set, argv[1]), argv[1]);
	check(PAPI_start(set), "PAPI_start");
	status = run(argv + 2);
	check(PAPI_stop(set, &count), "PAPI_stop");
	printf("%lld %s\n", count, argv[1]);
	return status;
}
