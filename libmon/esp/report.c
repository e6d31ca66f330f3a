// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Prints errors on standard error.
 *
 * Programs written for ESP's library ignore return values, because that library ends the program or returns
 * nothing.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/esp/report.h"
#include "libmon/include/mon.h"

/* Number of messages that are remembered. A program with more kinds of failure sees some of them again. */
#define MAX_SENTENCES 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *sentences[MAX_SENTENCES];
static size_t next_sentence;

/* Call with the lock held. */
static bool is_new(const char *sentence)
{
	char **slot = &sentences[next_sentence % MAX_SENTENCES];
	size_t i;

	for (i = 0; i < MAX_SENTENCES; i++)
		if (sentences[i] && !strcmp(sentences[i], sentence))
			return false;
	free(*slot);
	*slot = strdup(sentence);
	next_sentence++;
	return true;
}

void mon_esp_report(void)
{
	const char *quiet = secure_getenv("LIBMON_QUIET");
	int error = errno;

	if (quiet && !strcmp(quiet, "1"))
		return;
	pthread_mutex_lock(&lock);
	if (is_new(mon_error()))
		fprintf(stderr, "libmon-esp: %s\n", mon_error());
	pthread_mutex_unlock(&lock);
	errno = error;
}
