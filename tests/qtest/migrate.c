/* SPDX-License-Identifier: GPL-2.0-only */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/qtest/qtest.h"

/* Asks every 50 ms until the answer holds (or no longer holds) a word. */
static void wait_for(struct qtest *q, const char *query, const char *word, bool there)
{
	for (int i = 0; i < 100; i++) {
		char *reply = qtest_qmp(q, query);
		bool found = strstr(reply, word);

		ck_assert_msg(!strstr(reply, "\"failed\""), "%s", reply);
		free(reply);
		if (found == there)
			return;
		usleep(50000);
	}
	ck_abort_msg("QEMU still does not answer %s as expected", query);
}

struct qtest *qtest_migrate(struct qtest *q, const char *device)
{
	char path[] = "/tmp/mon-migrate-XXXXXX";
	char cmd[256];

	close(mkstemp(path));
	snprintf(cmd, sizeof(cmd),
		 "{\"execute\":\"migrate\",\"arguments\":{\"uri\":\"exec:cat > %s\"}}", path);
	free(qtest_qmp(q, cmd));
	wait_for(q, "{\"execute\":\"query-migrate\"}", "\"completed\"", true);
	qtest_stop(q);
	snprintf(cmd, sizeof(cmd), "exec:cat %s", path);
	q = qtest_start(device, "-incoming", cmd, NULL);
	wait_for(q, "{\"execute\":\"query-status\"}", "inmigrate", false);
	unlink(path);
	return q;
}
