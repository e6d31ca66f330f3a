// SPDX-License-Identifier: GPL-2.0-only
/* mon-vm --hexagon-dir: starts hexagon-host, the host's end of the hexagon-pmu device. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm/vm.h"

int hexagon_start(const struct options *o)
{
	int link[2], status;
	sigset_t none;
	pid_t pid;

	if (!o->hexagon_dir)
		return -1;
	if (!exists(o->places.hexagon_host))
		fail("%s not found: run make, or make install", o->places.hexagon_host);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, link))
		fail("no sockets for hexagon-host: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		fail("cannot fork: %s", strerror(errno));
	if (!pid) {
		char *fd = format("%d", link[1]);

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		fcntl(link[1], F_SETFD, 0);
		execl(o->places.hexagon_host, "hexagon-host", "--background", "--fd", fd, "--",
		      o->hexagon_dir, (char *)NULL);
		fail("%s: %s", o->places.hexagon_host, strerror(errno));
	}
	close(link[1]);
	/* hexagon-host goes to the background when it is ready; before that it reports errors */
	if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
		fail("--hexagon-dir %s: hexagon-host did not start", o->hexagon_dir);
	return link[0];
}
