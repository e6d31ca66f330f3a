// SPDX-License-Identifier: GPL-2.0-only
/* usage: together MB/S BYTES: the four agents read so much each, at the same time. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "examples/mrfld/mrfld-agents.h"
#include "mon.h"

#define WINDOW (256u << 10)
#define AGENTS 4

/* Waits until "start" is closed by the parent, when all are ready. */
static int move(unsigned int agent, double rate, unsigned long long bytes, int start, int ready)
{
	struct mrfld_agent_move job = { .agent = agent, .request = 64, .rate = rate * 1000, .bytes = bytes };
	struct mrfld_agents *agents = mrfld_agents_new(WINDOW);
	int error;
	char byte;

	close(ready);
	if (!agents || read(start, &byte, 1) < 0 || mrfld_agents_move(agents, &job)) {
		fprintf(stderr, "together: %s\n", mon_error());
		return 1;
	}
	error = job.moved != bytes;
	mrfld_agents_free(agents);
	return error;
}

int main(int argc, char **argv)
{
	int start[2], ready[2], wrong = 0, status;
	char byte;

	if (argc != 3 || pipe(start) || pipe(ready))
		return 2;
	for (unsigned int i = 0; i < AGENTS; i++) {
		if (fork())
			continue;
		close(start[1]);
		return move(i, atof(argv[1]), strtoull(argv[2], NULL, 0), start[0], ready[1]);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) < 0)
		return 2;
	close(start[1]);
	while (wait(&status) > 0)
		wrong |= status;
	return wrong != 0;
}
