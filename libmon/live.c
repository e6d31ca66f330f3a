// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a counter without a system call: /dev/<pmu> maps the kernel's 64-bit values and the
 * device's live registers, and perf's control page ties them to an event (mon_pmu_uapi.h). Where
 * anything of that is missing the caller uses read(2).
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "libmon/internal.h"
#include "events/espmon/regs.h"
#include "events/mon_pmu_uapi.h"

const char *mon_dev_root = "/dev";

/* Rounds after which a reader stops racing with the kernel and asks it. */
#define MAX_TRIES	100

/* The mappings of one PMU, shared by all that read its counters: they keep its module loaded. */
struct mapping {
	char *pmu;
	unsigned int users;
	const struct mon_pmu_value *values;
	const volatile uint32_t *regs;
	struct mon_pmu_info info;
	struct mapping *next;
};

struct mon_live {
	struct mapping *mapping;
	const struct perf_event_mmap_page *page;
	const struct mon_pmu_value *value;
	const volatile uint32_t *reg;	/* a pair: low, high */
	bool pair;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mapping *mappings;

static const void *map(int fd, size_t size, off_t offset)
{
	void *address = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, offset);

	return address == MAP_FAILED ? NULL : address;
}

static void mapping_free(struct mapping *m)
{
	if (m->values)
		munmap((void *)m->values, m->info.values_size);
	if (m->regs)
		munmap((void *)m->regs, m->info.regs_size);
	free(m->pmu);
	free(m);
}

static struct mapping *mapping_new(const char *pmu, int event_fd)
{
	struct mapping *m = calloc(1, sizeof(*m));
	char *path = mon_format("%s/%s", mon_dev_root, pmu);
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (m && fd >= 0 && !ioctl(fd, MON_PMU_IOC_INFO, &m->info) &&
	    !ioctl(fd, MON_PMU_IOC_ATTACH, event_fd)) {
		m->pmu = strdup(pmu);
		m->values = map(fd, m->info.values_size, MON_PMU_MAP_VALUES);
		m->regs = map(fd, m->info.regs_size, MON_PMU_MAP_REGS);
	}
	if (fd >= 0)
		close(fd);
	free(path);
	if (m && (!m->pmu || !m->values || !m->regs)) {
		mapping_free(m);
		m = NULL;
	}
	return m;
}

static struct mapping *mapping_get(const char *pmu, int event_fd)
{
	struct mapping *m;

	pthread_mutex_lock(&lock);
	for (m = mappings; m; m = m->next)
		if (!strcmp(m->pmu, pmu))
			break;
	if (!m) {
		m = mapping_new(pmu, event_fd);
		if (m) {
			m->next = mappings;
			mappings = m;
		}
	}
	if (m)
		m->users++;
	pthread_mutex_unlock(&lock);
	return m;
}

static void mapping_put(struct mapping *m)
{
	struct mapping **link;

	pthread_mutex_lock(&lock);
	if (!--m->users) {
		for (link = &mappings; *link != m; link = &(*link)->next)
			;
		*link = m->next;
		mapping_free(m);
	}
	pthread_mutex_unlock(&lock);
}

/*
 * Counter and register of an espmon event in one tile (pmu/espmon/ABI-espmon.txt). Sums over tiles and
 * other PMUs are left to read(2).
 */
static bool locate(const struct mon_pmu *pmu, uint64_t config, uint32_t *counter, uint32_t *word,
		   bool *pair)
{
	unsigned int event = MON_GET(ESPMON, event, config), tile = MON_GET(ESPMON, tile, config);
	unsigned int monitor = event;
	char *layout;
	bool old;

	if (strncmp(pmu->name, "espmon", 6) || !MON_GET(ESPMON, bytile, config))
		return false;
	*pair = event == ESPMON_acc_mem_cycles || event == ESPMON_acc_tot_cycles;
	*counter = tile * 64 + event;
	if (*pair) {
		monitor = event == ESPMON_acc_mem_cycles ? ESP_MON_ACC_MEM_LO : ESP_MON_ACC_TOT_LO;
		*counter = tile * 64 + ESP_NMON + (event & 1);
	} else if (event >= ESP_NMON) {
		return false;
	}
	layout = mon_pmu_read_file(pmu, "caps/layout");
	old = layout && !strcmp(layout, "2021");
	free(layout);
	if (old && monitor >= ESP_MON_ACC_INVOCATIONS)
		monitor--;
	*word = (tile * ESP_LIVE_STRIDE) / 4 + monitor;
	return true;
}

struct mon_live *mon_live_new(const struct mon_pmu *pmu, const struct mon_config *config,
			      int event_fd, const void *page)
{
	struct mon_live *live;
	struct mapping *m;
	uint32_t counter, word;
	bool pair;

	if (!page || !locate(pmu, config->word[0], &counter, &word, &pair))
		return NULL;
	m = mapping_get(pmu->name, event_fd);
	if (!m)
		return NULL;
	live = calloc(1, sizeof(*live));
	if (!live || counter >= m->info.counters || (word + 2) * 4 > m->info.regs_size) {
		mapping_put(m);
		free(live);
		return NULL;
	}
	live->mapping = m;
	live->page = page;
	live->value = m->values + counter;
	live->reg = m->regs + word;
	live->pair = pair;
	return live;
}

void mon_live_free(struct mon_live *live)
{
	if (live)
		mapping_put(live->mapping);
	free(live);
}

static uint64_t read_register(const struct mon_live *live)
{
	uint32_t low, high, again;

	if (!live->pair)
		return live->reg[0];
	high = live->reg[1];
	for (;;) {
		low = live->reg[0];
		again = live->reg[1];
		if (again == high)
			return (uint64_t)high << 32 | low;
		high = again;
	}
}

#define LOAD(member)	__atomic_load_n(&(member), __ATOMIC_RELAXED)

bool mon_live_read(const struct mon_live *live, uint64_t *count)
{
	const struct perf_event_mmap_page *page = live->page;
	const struct mon_pmu_value *value = live->value;
	uint32_t width = value->width;
	uint64_t mask, raw, acc, last;
	unsigned int try;

	if (width < 1 || width > 64)
		return false;
	mask = ~0ULL >> (64 - width);
	for (try = 0; try < MAX_TRIES; try++) {
		uint32_t page_seq = LOAD(page->lock), seq;
		int64_t offset;

		atomic_thread_fence(memory_order_acquire);
		if (!LOAD(page->index))
			return false;
		offset = LOAD(page->offset);
		seq = LOAD(value->seq);
		atomic_thread_fence(memory_order_acquire);
		acc = LOAD(value->acc);
		last = LOAD(value->last);
		raw = read_register(live);
		atomic_thread_fence(memory_order_acquire);
		if (!(seq & 1) && !(page_seq & 1) && LOAD(value->seq) == seq &&
		    LOAD(page->lock) == page_seq) {
			*count = offset + acc + ((raw - last) & mask);
			return true;
		}
	}
	return false;
}
