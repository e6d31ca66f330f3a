/* SPDX-License-Identifier: GPL-2.0-only */
/* hexagon-run without a guest: the program runs confined on this machine, and its counts are printed. */
#ifndef TOOLS_HEXAGON_RUN_HOST_H
#define TOOLS_HEXAGON_RUN_HOST_H

#include <stdbool.h>

struct run_options {
	const char *counters;	/* event names separated by commas, or NULL */
	const char *profile;	/* file to write a profile to, or NULL */
	const char *marks;	/* file to write the program's phases to, or NULL */
	bool metrics;		/* print the table of metrics */
	bool threads;		/* of each thread as well: counts; a part of the profile */
	unsigned int quantum;	/* packets of a software thread's turn; 0: usual */
	bool stalls;		/* threads wait */
	unsigned int version;	/* of the core */
	unsigned int timeout;	/* s; 0: none */
};

/* Prints each event of the core: its name, whether it is counted, and how or why not. */
int list_events(const struct run_options *options);

/* argv[0] is the program's file. Its exit status, 128 + signal, or 125 after a message. */
int run_on_host(const struct run_options *options, char **argv);

#endif
