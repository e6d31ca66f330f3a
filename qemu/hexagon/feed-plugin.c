/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hexagon-feed.so: TCG plugin for qemu-hexagon (linux-user) that counts what each hardware thread
 * commits and publishes it in shared memory (feed.h).
 *
 *	qemu-hexagon -plugin hexagon-feed.so,feed=FEED[,threads=N] PROGRAM
 *	qemu-hexagon -plugin hexagon-feed.so,fd=N[,threads=N] PROGRAM
 *
 * QEMU hands out one packet as one "instruction", and a translation block ends at each packet that
 * may change the flow. So every packet is decoded once, when its block is translated, and a block's
 * execution adds precomputed sums.
 *
 * A block that follows itself, as in every inner loop, only counts its repetitions; the sums are
 * added when another block comes, at a system call, and after MAX_REPEAT. So what is published of a
 * running thread is late by the last block and its repetitions, and a program that is killed or
 * crashes loses them. What ends by itself is exact.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <qemu-plugin.h>

#include "hexagon/feed.h"
#include "hexagon/threads.h"

#define CACHE_LINE 64
#define DEFAULT_THREADS 6

/* Repetitions of one block that may be kept back. */
#define MAX_REPEAT 256

/* The first counters move in almost every block, in one go; the others are listed if they move. */
#define HOT_COUNTS 8

/* Of Hexagon Linux. */
#define SYS_EXIT 93
#define SYS_EXIT_GROUP 94

/* Exit status of a program that the model cannot represent. */
#define EXIT_UNSUPPORTED 126

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

struct rare {
	uint32_t counter;
	uint32_t add;
};

struct block {
	uint64_t add[HOT_COUNTS];
	uint64_t pc;
	uint64_t end;		/* address after its last packet */
	bool loop_end;		/* its last packet carries an end-of-loop marker */
	bool vector;
	unsigned int rare_count;
	struct rare rare[HEXAGON_COUNTS - HOT_COUNTS];
	struct block *next;
};

struct cpu {
	const struct block *block;	/* the last one, which has not been added yet */
	uint64_t repeat;		/* how often it ran */
	uint64_t *count;		/* in the feed */
	uint64_t end;			/* of the last block that was added; 0 at first */
	bool loop_end;
	bool vector;
} __attribute__((aligned(CACHE_LINE)));

static struct cpu cpus[HEXAGON_MAX_CPUS];
static struct block *blocks;
static struct hexagon_feed *feed;
static struct hexagon_threads threads;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool forked;		/* a forked child is another program: it is not counted */
static __thread unsigned int calling_cpu;	/* the vCPU whose system call this host thread is in */

/* Adds what the last block did. */
static void flush_cpu(struct cpu *cpu)
{
	const struct block *block = cpu->block;
	uint64_t repeat = cpu->repeat;
	uint64_t *count = cpu->count;

	if (!repeat)
		return;
	for (unsigned int i = 0; i < HOT_COUNTS; i++)
		count[i] += repeat * block->add[i];
	for (unsigned int i = 0; i < block->rare_count; i++)
		count[block->rare[i].counter] += repeat * block->rare[i].add;
	if (cpu->end != block->pc && cpu->end) {
		count[HEXAGON_CHANGED_FLOW]++;
		count[HEXAGON_ENDLOOP] += cpu->loop_end;
	}
	/* from its end to its beginning, as often as it ran again */
	count[HEXAGON_CHANGED_FLOW] += repeat - 1;
	if (block->loop_end)
		count[HEXAGON_ENDLOOP] += repeat - 1;
	if (cpu->vector || block->vector) {
		cpu->vector = true;
		count[HEXAGON_VECTOR_PACKETS] += repeat * block->add[HEXAGON_PACKETS];
	}
	cpu->end = block->end;
	cpu->loop_end = block->loop_end;
	cpu->repeat = 0;
}

static void on_block(unsigned int cpu_index, void *data)
{
	struct cpu *cpu = &cpus[cpu_index];

	if (cpu->block != data || cpu->repeat == MAX_REPEAT) {
		flush_cpu(cpu);
		cpu->block = data;
	}
	cpu->repeat++;
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	struct block *block = calloc(1, sizeof(*block));
	uint32_t add[HEXAGON_COUNTS] = { 0 };

	(void)id;
	if (!block)
		abort();
	feed->began = 1;
	block->pc = qemu_plugin_tb_vaddr(tb);
	block->end = block->pc;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		size_t size = qemu_plugin_insn_size(insn);
		uint32_t words[HEXAGON_PACKET_WORDS];
		struct hexagon_packet packet;

		block->end = qemu_plugin_insn_vaddr(insn) + size;
		if (size > sizeof(words))
			size = sizeof(words);
		memcpy(words, qemu_plugin_insn_data(insn), size);
		/* not a packet: executing it faults, so it never commits */
		if (!hexagon_packet_decode(words, size / 4, &packet))
			continue;
		for (int c = 0; c < HEXAGON_COUNTS; c++)
			add[c] += packet.add[c];
		block->loop_end = packet.loop_end;
	}
	for (unsigned int c = 0; c < HEXAGON_COUNTS; c++) {
		if (c < HOT_COUNTS)
			block->add[c] = add[c];
		else if (add[c])
			block->rare[block->rare_count++] = (struct rare){ c, add[c] };
	}
	block->vector = add[HEXAGON_HVX_PACKETS] > 0;
	pthread_mutex_lock(&lock);
	block->next = blocks;
	blocks = block;
	pthread_mutex_unlock(&lock);
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, block);
}

/* All translations are gone, and no vCPU is running. */
static void on_flush(qemu_plugin_id_t id)
{
	(void)id;
	for (unsigned int i = 0; i < HEXAGON_MAX_CPUS; i++)
		if (cpus[i].count)
			flush_cpu(&cpus[i]);
	pthread_mutex_lock(&lock);
	while (blocks) {
		struct block *block = blocks;

		blocks = block->next;
		free(block);
	}
	pthread_mutex_unlock(&lock);
}

static void on_cpu(qemu_plugin_id_t id, unsigned int cpu)
{
	static bool first_seen;
	int slot;

	(void)id;
	if (forked)
		return;
	pthread_mutex_lock(&lock);
	slot = hexagon_threads_create(&threads, cpu, first_seen ? calling_cpu : cpu);
	first_seen = true;
	pthread_mutex_unlock(&lock);
	if (slot < 0) {
		fprintf(stderr,
			"hexagon-feed: the program starts a thread too many: the modelled core has %u "
			"hardware threads, and a thread keeps its own until it exits\n",
			feed->threads);
		_exit(EXIT_UNSUPPORTED);
	}
	cpus[cpu] = (struct cpu){ .count = feed->thread[slot].count };
}

static void on_syscall(qemu_plugin_id_t id, unsigned int cpu, int64_t number, uint64_t a1,
		       uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7,
		       uint64_t a8)
{
	const uint64_t args[5] = { a1, a2, a3, a4, a5 };

	(void)id, (void)a6, (void)a7, (void)a8;
	if (forked)
		return;
	calling_cpu = cpu;
	if (number == SYS_EXIT || number == SYS_EXIT_GROUP)
		feed->exited = 1;
	flush_cpu(&cpus[cpu]);
	pthread_mutex_lock(&lock);
	hexagon_threads_syscall(&threads, cpu, number, args);
	pthread_mutex_unlock(&lock);
}

static void on_return(qemu_plugin_id_t id, unsigned int cpu, int64_t number, int64_t result)
{
	(void)id;
	if (forked)
		return;
	pthread_mutex_lock(&lock);
	hexagon_threads_return(&threads, cpu, number, result);
	pthread_mutex_unlock(&lock);
}

static void in_forked_child(void)
{
	static uint64_t nowhere[HEXAGON_FEED_COUNTS];

	forked = true;
	pthread_mutex_init(&lock, NULL);
	for (unsigned int i = 0; i < HEXAGON_MAX_CPUS; i++)
		cpus[i].count = nowhere;
}

static int complain(const char *what, const char *why)
{
	fprintf(stderr, "hexagon-feed: %s: %s\n", what, why);
	return -1;
}

static int map_feed(const char *file, int fd, unsigned int hardware_threads)
{
	struct stat st;

	if (file)
		fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return complain(file, strerror(errno));
	if ((file && ftruncate(fd, sizeof(*feed)) < 0) || fstat(fd, &st) < 0)
		return complain(file ? file : "fd", strerror(errno));
	if ((uint64_t)st.st_size < sizeof(*feed))
		return complain("fd", "smaller than a feed: make it with hexagon-host of this build");
	feed = mmap(NULL, sizeof(*feed), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	/* the program must not find a descriptor that it did not open */
	close(fd);
	if (feed == MAP_FAILED)
		return complain("mmap", strerror(errno));
	hexagon_feed_init(feed, hardware_threads);
	hexagon_threads_init(&threads, feed);
	return 0;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv)
{
	unsigned int hardware_threads = DEFAULT_THREADS;
	const char *file = NULL;
	int fd = -1;

	if (strcmp(info->target_name, "hexagon") != 0 || info->system_emulation)
		return complain(info->target_name, "not supported: use qemu-hexagon");
	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "feed=", 5) == 0)
			file = argv[i] + 5;
		else if (strncmp(argv[i], "fd=", 3) == 0)
			fd = atoi(argv[i] + 3);
		else if (strncmp(argv[i], "threads=", 8) == 0)
			hardware_threads = atoi(argv[i] + 8);
		else
			return complain(argv[i], "unknown argument: feed=, fd= and threads= are known");
	}
	if (!file && fd < 0)
		return complain("no feed", "give feed=FILE or fd=NUMBER");
	if (hardware_threads < 1 || hardware_threads > HEXAGON_MAX_THREADS)
		return complain("threads", "a core has 1 to 8 hardware threads");
	if (map_feed(file, fd, hardware_threads) < 0)
		return -1;

	pthread_atfork(NULL, NULL, in_forked_child);
	qemu_plugin_register_vcpu_init_cb(id, on_cpu);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_flush_cb(id, on_flush);
	qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, on_return);
	return 0;
}
