/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Accelerators in processes of their own (mon_esp_link.h). */
#ifndef ESP_REMOTE_H
#define ESP_REMOTE_H

#include <sys/types.h>

#include "esp/mon_esp_acc.h"
#include "esp/mon_esp_link.h"
#include "esp/soc.h"

/* A process and the socket to it. */
struct esp_process {
	int fd;			/* -1: none */
	pid_t pid;
};

/* process.c: starts a process; false, and the reason. */
bool esp_process_start(struct esp_process *process, const char *file, bool confined, char *why,
		       size_t size);
/* Kills the process; tells how it had ended, if it had. */
void esp_process_end(struct esp_process *process, char *how, size_t size);

/* The instance behind a socket. */
struct esp_remote;
struct esp_remote *esp_remote_new(const struct mon_esp_acc_type *type);
void esp_remote_free(struct esp_remote *remote);
pid_t esp_remote_pid(const struct esp_remote *remote);
bool esp_remote_is(const struct mon_esp_acc_type *type);

/*
 * Handles the accelerators' messages; waits for one if wait is set. False: no message lets the
 * SoC's clock advance.
 */
bool esp_remotes_listen(struct esp_soc *soc, bool wait);

#endif
