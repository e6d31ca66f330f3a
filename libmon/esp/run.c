// SPDX-License-Identifier: LGPL-2.1-or-later
/* Runs accelerators through their device files. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libmon/esp/buffer.h"
#include "libmon/esp/report.h"
#include "libmon/include/mon.h"
#include "libmon/text.h"

/* Accelerators that one thread runs in order, and the first error. */
struct chain {
	esp_thread_info_t *cfg;
	unsigned int n;
	bool started;
	pthread_t thread;
	int error;
	char sentence[512];
};

static unsigned long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static int explain_run(const esp_thread_info_t *cfg, int error)
{
	switch (error) {
	case EBUSY:
		return mon_fail(error, "%s: a run of another user waits for its output", cfg->devname);
	case EINVAL:
		return mon_fail(error,
				"%s: refused: the parameters do not fit the accelerator or the buffer",
				cfg->devname);
	case ETIMEDOUT:
		return mon_fail(error,
				"%s: aborted, it ran for too long or an accelerator of p2p_srcs did not begin: see run_timeout_ms of the module esp_accel",
				cfg->devname);
	case ENODEV:
		return mon_fail(error, "%s: it or an accelerator of p2p_srcs is not there",
				cfg->devname);
	case ENOTTY:
		return mon_fail(error, "%s: is another kind of accelerator than ioctl_req is for",
				cfg->devname);
	case EOPNOTSUPP:
		return mon_fail(error, "%s: multicast is not supported", cfg->devname);
	default:
		return mon_fail(error, "%s: %s", cfg->devname, strerror(error));
	}
}

static int open_accelerator(esp_thread_info_t *cfg)
{
	char *path = mon_format("%s/%s", mon_esp_dev_root, cfg->devname);

	if (!path)
		return mon_fail(ENOMEM, "%s: out of memory", cfg->devname);
	cfg->fd = open(path, O_RDWR | O_CLOEXEC);
	if (cfg->fd < 0 && errno == ENOENT)
		mon_fail(ENOENT,
			 "%s not found: the SoC has no such accelerator or the module esp_accel is not loaded",
			 path);
	else if (cfg->fd < 0)
		mon_fail(errno, "%s: %s", path, strerror(errno));
	free(path);
	return cfg->fd < 0 ? -1 : 0;
}

/*
 * Tells the driver which devices this accelerator reads from (p2p). It leaves out those that the user may not open;
 * for them the driver waits for a run of the same user. ESP's own driver has no such ioctl and needs none.
 */
static void hand_over_sources(const esp_thread_info_t *cfg)
{
	const struct esp_access *access = cfg->esp_desc;
	struct esp_sources sources = { 0 };
	unsigned int i;

	for (i = 0; i < access->p2p_nsrcs && i < sizeof(sources.fd) / sizeof(*sources.fd); i++) {
		char *path = mon_format("%s/%.*s", mon_esp_dev_root, (int)sizeof(access->p2p_srcs[i]),
					access->p2p_srcs[i]);
		int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;

		free(path);
		if (fd >= 0)
			sources.fd[sources.n++] = fd;
	}
	if (sources.n)
		ioctl(cfg->fd, ESP_IOC_SOURCES, &sources);
	while (sources.n)
		close(sources.fd[--sources.n]);
}

static int run_one(esp_thread_info_t *cfg)
{
	unsigned long long start;
	int error = 0;

	cfg->hw_ns = 0;
	if (!cfg->run)
		return 0;
	if (!cfg->devname || !cfg->esp_desc)
		return mon_fail(EINVAL, "esp_run: an entry has no devname or no esp_desc");
	if (mon_esp_describe(cfg->hw_buf, cfg->esp_desc) || open_accelerator(cfg))
		return -1;
	cfg->esp_desc->run = true;
	hand_over_sources(cfg);
	start = now_ns();
	if (ioctl(cfg->fd, (unsigned long)(unsigned int)cfg->ioctl_req, cfg->esp_desc))
		error = errno;
	cfg->hw_ns = now_ns() - start;
	close(cfg->fd);
	cfg->fd = -1;
	return error ? explain_run(cfg, error) : 0;
}

static void *run_chain(void *arg)
{
	struct chain *chain = arg;
	unsigned int i;

	for (i = 0; i < chain->n; i++) {
		if (run_one(&chain->cfg[i])) {
			chain->error = errno;
			snprintf(chain->sentence, sizeof(chain->sentence), "%s", mon_error());
			break;
		}
	}
	return NULL;
}

/* Runs all chains concurrently, the first one in the caller's thread, and frees them. Returns the first error. */
static int run_chains(struct chain *chains, unsigned int n)
{
	unsigned int i;
	int error = 0;

	for (i = 1; i < n && !error; i++) {
		error = pthread_create(&chains[i].thread, NULL, run_chain, &chains[i]);
		chains[i].started = !error;
	}
	if (error)
		mon_fail(error, "esp_run: cannot start a thread: %s", strerror(error));
	else if (n)
		run_chain(&chains[0]);
	for (i = 1; i < n; i++)
		if (chains[i].started)
			pthread_join(chains[i].thread, NULL);
	for (i = 0; i < n && !error; i++) {
		error = chains[i].error;
		if (error)
			mon_fail(error, "%s", chains[i].sentence);
	}
	free(chains);
	if (error)
		mon_esp_report();
	return error ? -1 : 0;
}

static int no_memory(void)
{
	mon_fail(ENOMEM, "esp_run: out of memory");
	mon_esp_report();
	return -1;
}

static bool uses_p2p(const esp_thread_info_t *cfg)
{
	return cfg->esp_desc && (cfg->esp_desc->p2p_store || cfg->esp_desc->p2p_nsrcs);
}

int esp_run_parallel(esp_thread_info_t *cfg[], unsigned int nthreads, unsigned int *nacc)
{
	struct chain *chains;
	unsigned int i, j, n = 0, most = 1;

	for (i = 0; i < nthreads; i++)
		most += nacc[i] ? nacc[i] : 1;
	chains = calloc(most, sizeof(*chains));
	if (!chains)
		return no_memory();
	for (i = 0; i < nthreads; i++) {
		if (!nacc[i])
			continue;
		if (!uses_p2p(&cfg[i][0])) {
			chains[n].cfg = cfg[i];
			chains[n++].n = nacc[i];
			continue;
		}
		for (j = 0; j < nacc[i]; j++) {
			chains[n].cfg = &cfg[i][j];
			chains[n++].n = 1;
		}
	}
	return run_chains(chains, n);
}

int esp_run(esp_thread_info_t cfg[], unsigned int nacc)
{
	struct chain *chains = calloc(nacc + 1, sizeof(*chains));
	unsigned int i;

	if (!chains)
		return no_memory();
	for (i = 0; i < nacc; i++) {
		chains[i].cfg = &cfg[i];
		chains[i].n = 1;
	}
	return run_chains(chains, nacc);
}
