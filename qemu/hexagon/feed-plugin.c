/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hexagon-feed.so: TCG plugin for qemu-hexagon (linux-user) that counts what each hardware thread
 * commits and publishes it in shared memory (feed.h).
 *
 *	qemu-hexagon -plugin hexagon-feed.so,feed=FEED[,threads=N][,...] PROGRAM
 *	qemu-hexagon -plugin hexagon-feed.so,fd=N[,threads=N][,...] PROGRAM
 *
 * With features=1 the caches are modelled, too: l1i=, l1d=, l2= SIZE:WAYS:LINE, vtcm=ADDRESS:SIZE. With
 * features=3 stalls as well: timing=L2:MEMORY:REDIRECT, in cycles.
 *
 * QEMU hands out one packet as one "instruction", and a translation block ends at each packet that
 * may change the flow. So every packet is decoded once, when its block is translated, and a block's
 * execution adds precomputed sums.
 *
 * A block that follows itself, as in every inner loop, only counts its repetitions; the sums are
 * added when another block comes, at a system call, and after MAX_REPEAT. So what is published of a
 * running thread is late by the last block and its repetitions, and a program that is killed or
 * crashes loses them. What ends by itself is exact.
 *
 * For the caches each access is noted with its clock; a full note book is handed over to be put into
 * order with those of the other threads (order.h).
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
#include "hexagon/order.h"
#include "hexagon/threads.h"

#define CACHE_LINE 64
#define DEFAULT_THREADS 6
#define DEFAULT_VERSION 69

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

/* Accesses that a thread notes before it hands them over, and for how many clocks at most. */
#define NOTES 4096
#define NOTE_CLOCKS 65536

/* Accesses of one packet, at most: a vector scatter of bytes. They are not torn apart. */
#define PACKET_NOTES 256

/* Accesses that may wait for slower threads, and how long a fast one then rests at most. */
#define WAITING_MAX (1 << 20)
#define REST_US 200
#define RESTS 10000

struct rare {
	uint32_t counter;
	uint32_t add;
};

/* Counters of two bits that predict a thread's conditional branches, by address. */
#define PREDICTIONS 1024
#define TAKEN 2		/* and more */

/* A packet as far as its accesses ask. */
struct place {
	uint32_t pc;
	uint16_t index;		/* in its block */
	uint8_t size;
	bool vector;		/* its accesses are the vector unit's, */
	bool scalar_load, scalar_store;	/* but not those of its scalar instructions */
	bool zero;		/* dczeroa */
};

struct block {
	uint64_t add[HOT_COUNTS];
	uint64_t pc;
	uint64_t end;		/* address after its last packet */
	bool loop_end;		/* its last packet carries an end-of-loop marker */
	bool conditional;	/* its last packet has a conditional branch */
	bool vector;
	unsigned int rare_count;
	struct rare rare[HEXAGON_MEMORY_COUNTS - HOT_COUNTS];
	struct block *next;
	struct place places[];
};

struct cpu {
	const struct block *block;	/* the last one, which has not been added yet */
	uint64_t repeat;		/* how often it ran */
	uint64_t *count;		/* in the feed */
	uint64_t end;			/* of the last block that was added; 0 at first */
	bool loop_end;
	bool vector;

	/* for the caches */
	unsigned int slot;		/* hardware thread */
	uint64_t clock;			/* of the first packet of the present block */
	uint64_t next_clock;		/* of the next one's */
	uint32_t line;			/* of instructions that was fetched last */
	const struct block *branch;	/* the block that ran last */
	uint8_t predictions[PREDICTIONS];
	struct hexagon_order_entry *notes;
	unsigned int noted;
} __attribute__((aligned(CACHE_LINE)));

static struct cpu cpus[HEXAGON_MAX_CPUS];
static struct block *blocks;
static struct hexagon_feed *feed;
static struct hexagon_threads threads;
static bool caches;		/* are modelled */
static bool stalls;		/* are, too */
static struct hexagon_memory_shape shape;
static struct hexagon_timing timing = {
	HEXAGON_L2_CYCLES, HEXAGON_MEMORY_CYCLES, HEXAGON_REDIRECT_CYCLES,
};
static struct hexagon_order order;
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

/* Hands over what was noted before a clock; a thread that is far ahead of others rests. */
static void hand_over(struct cpu *cpu, uint64_t clock)
{
	size_t waiting;

	pthread_mutex_lock(&lock);
	waiting = hexagon_order_add(&order, cpu->slot, cpu->notes, cpu->noted, clock);
	cpu->noted = 0;
	for (int i = 0; i < RESTS && waiting > WAITING_MAX; i++) {
		pthread_mutex_unlock(&lock);
		usleep(REST_US);
		pthread_mutex_lock(&lock);
		waiting = hexagon_order_add(&order, cpu->slot, NULL, 0, clock);
	}
	/* the others are not coming: a system call holds them up that is not known to wait */
	if (waiting > WAITING_MAX) {
		hexagon_order_finish(&order);
		feed->slips++;
	}
	pthread_mutex_unlock(&lock);
}

static void note(struct cpu *cpu, unsigned int access, uint64_t clock, uint32_t address)
{
	if (cpu->noted >= NOTES && (cpu->notes[cpu->noted - 1].clock != clock ||
				    cpu->noted == NOTES + PACKET_NOTES))
		hand_over(cpu, clock);
	cpu->notes[cpu->noted++] = (struct hexagon_order_entry){ clock, address, access };
}

/* The conditional branch at the end of a block has gone to pc. */
static void predict(struct cpu *cpu, const struct block *block, uint64_t pc)
{
	uint8_t *prediction = &cpu->predictions[(block->end - 4) / 4 % PREDICTIONS];
	bool taken = pc != block->end;

	if ((*prediction >= TAKEN) != taken)
		note(cpu, HEXAGON_ORDER_REDIRECT, cpu->clock, 0);
	if (taken)
		*prediction += *prediction < 3;
	else
		*prediction -= *prediction > 0;
}

static void on_block_with_caches(unsigned int cpu_index, void *data)
{
	struct cpu *cpu = &cpus[cpu_index];
	const struct block *block = data;

	on_block(cpu_index, data);
	if (forked)
		return;
	cpu->clock = cpu->next_clock;
	cpu->next_clock += block->add[HEXAGON_PACKETS];
	if (cpu->noted && cpu->clock - cpu->notes[0].clock > NOTE_CLOCKS)
		hand_over(cpu, cpu->clock);
	if (stalls) {
		if (cpu->branch && cpu->branch->conditional)
			predict(cpu, cpu->branch, block->pc);
		cpu->branch = block;
	}
	if (!cpu->noted)
		hexagon_order_horizon(&order, cpu->slot, cpu->clock);
}

static void on_fetch(unsigned int cpu_index, void *data)
{
	struct cpu *cpu = &cpus[cpu_index];
	const struct place *place = data;
	unsigned int shift = order.memory.l1i.shift;
	uint32_t last = (place->pc + place->size - 1) >> shift;

	if (forked)
		return;
	for (uint32_t line = place->pc >> shift; line <= last; line++) {
		if (line == cpu->line)
			continue;
		cpu->line = line;
		note(cpu, HEXAGON_FETCH, cpu->clock + place->index, line << shift);
	}
}

/* The vector unit's and dczeroa's accesses come in pieces. */
static bool is_piece(const struct cpu *cpu, enum hexagon_access access, uint64_t clock,
		     uint32_t address, unsigned int shift)
{
	for (unsigned int i = cpu->noted; i && cpu->notes[i - 1].clock == clock; i--)
		if (cpu->notes[i - 1].access == access &&
		    cpu->notes[i - 1].address >> shift == address >> shift)
			return true;
	return false;
}

static void on_access(unsigned int cpu_index, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
	struct cpu *cpu = &cpus[cpu_index];
	const struct place *place = data;
	bool store = qemu_plugin_mem_is_store(info);
	uint64_t clock = cpu->clock + place->index;
	enum hexagon_access access = store ? HEXAGON_STORE : HEXAGON_LOAD;
	unsigned int shift = order.memory.l1d.shift;

	if (forked)
		return;
	if (place->vector && !(store ? place->scalar_store : place->scalar_load)) {
		access = store ? HEXAGON_VECTOR_STORE : HEXAGON_VECTOR_LOAD;
		shift = order.memory.l2.shift;
	} else if (place->zero && store) {
		access = HEXAGON_ZERO;
	} else {
		note(cpu, access, clock, address);
		return;
	}
	if (!is_piece(cpu, access, clock, address, shift))
		note(cpu, access, clock, address);
}

/* Has the packet an instruction line that the one before it has not? */
static bool enters_line(const struct place *place)
{
	unsigned int shift = order.memory.l1i.shift;

	return !place->index || (place->pc + place->size - 1) >> shift != (place->pc - 1) >> shift;
}

static void place_packet(struct place *place, struct qemu_plugin_insn *insn, unsigned int index,
			 const struct hexagon_packet *packet)
{
	*place = (struct place){
		.pc = qemu_plugin_insn_vaddr(insn),
		.index = index,
		.size = qemu_plugin_insn_size(insn),
		.vector = packet->add[HEXAGON_HVX_INSTS] > 0,
		.scalar_load = packet->add[HEXAGON_LOADS] > 0 || packet->add[HEXAGON_MEMOPS] > 0,
		.scalar_store = packet->add[HEXAGON_STORES] > 0 || packet->add[HEXAGON_MEMOPS] > 0,
		.zero = packet->add[HEXAGON_DCZERO] > 0,
	};
	if (enters_line(place))
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_fetch, QEMU_PLUGIN_CB_NO_REGS, place);
	qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
					 place);
}

/* After a transition: which threads run now, and from which clock on. */
static void update_order(void)
{
	const struct hexagon_model *model = &feed->model[feed->sequence & 1];

	for (unsigned int i = 0; i < feed->threads; i++) {
		bool runs = model->thread[i].state == HEXAGON_RUNNING;
		uint64_t packets = feed->thread[i].count[HEXAGON_PACKETS];

		if (runs && !order.thread[i].running)
			hexagon_order_start(&order, i, hexagon_model_clock(model, i, packets));
		else if (!runs && order.thread[i].running)
			hexagon_order_stop(&order, i);
	}
}

/* A thread begins to run, or goes on. */
static void set_clock(struct cpu *cpu)
{
	const struct hexagon_model *model = &feed->model[feed->sequence & 1];

	cpu->next_clock = hexagon_model_clock(model, cpu->slot, cpu->count[HEXAGON_PACKETS]);
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	struct block *block = calloc(1, sizeof(*block) + (caches ? n * sizeof(struct place) : 0));
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
		block->conditional = packet.add[HEXAGON_BIMODAL] > 0;
		if (caches)
			place_packet(&block->places[i], insn, i, &packet);
	}
	for (unsigned int c = 0; c < HEXAGON_MEMORY_COUNTS; c++) {
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
	qemu_plugin_register_vcpu_tb_exec_cb(tb, caches ? on_block_with_caches : on_block,
					     QEMU_PLUGIN_CB_NO_REGS, block);
}

/* All translations are gone, and no vCPU is running. */
static void on_flush(qemu_plugin_id_t id)
{
	(void)id;
	for (unsigned int i = 0; i < HEXAGON_MAX_CPUS; i++)
		if (cpus[i].count) {
			flush_cpu(&cpus[i]);
			cpus[i].branch = NULL;
		}
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
	if (slot >= 0 && caches)
		update_order();
	pthread_mutex_unlock(&lock);
	if (slot < 0) {
		fprintf(stderr,
			"hexagon-feed: the program starts a thread too many: the modelled core has %u "
			"hardware threads, and a thread keeps its own until it exits\n",
			feed->threads);
		_exit(EXIT_UNSUPPORTED);
	}
	cpus[cpu] = (struct cpu){ .count = feed->thread[slot].count, .slot = slot, .line = UINT32_MAX };
	if (caches) {
		cpus[cpu].notes = malloc((NOTES + PACKET_NOTES) * sizeof(cpus[cpu].notes[0]));
		if (!cpus[cpu].notes)
			abort();
		set_clock(&cpus[cpu]);
	}
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
	if (caches)
		hand_over(&cpus[cpu], cpus[cpu].next_clock);
	pthread_mutex_lock(&lock);
	hexagon_threads_syscall(&threads, cpu, number, args);
	if (caches)
		update_order();
	if (caches && number == SYS_EXIT_GROUP)
		hexagon_order_finish(&order);
	pthread_mutex_unlock(&lock);
	if (caches && number == SYS_EXIT) {
		free(cpus[cpu].notes);
		cpus[cpu].notes = NULL;
	}
}

static void on_return(qemu_plugin_id_t id, unsigned int cpu, int64_t number, int64_t result)
{
	(void)id;
	if (forked)
		return;
	pthread_mutex_lock(&lock);
	hexagon_threads_return(&threads, cpu, number, result);
	if (caches) {
		update_order();
		set_clock(&cpus[cpu]);
	}
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
	if (caches && !hexagon_order_init(&order, feed, &shape))
		return complain("caches", hexagon_memory_check(&shape) ?: strerror(errno));
	if (stalls)
		order.timing = timing;
	return 0;
}

static bool parse_features(const char *text)
{
	unsigned int features = atoi(text);

	stalls = features & HEXAGON_FEATURE_TIMING;
	caches = stalls || features & HEXAGON_FEATURE_MEMORY;
	return true;
}

static bool parse_cache(const char *text, struct hexagon_cache_shape *cache)
{
	return sscanf(text, "%u:%u:%u", &cache->size, &cache->ways, &cache->line) == 3;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv)
{
	unsigned int hardware_threads = DEFAULT_THREADS;
	const char *file = NULL;
	bool good = true;
	int fd = -1;

	hexagon_memory_usual(&shape, DEFAULT_VERSION);
	if (strcmp(info->target_name, "hexagon") != 0 || info->system_emulation)
		return complain(info->target_name, "not supported: use qemu-hexagon");
	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "feed=", 5) == 0)
			file = argv[i] + 5;
		else if (strncmp(argv[i], "fd=", 3) == 0)
			fd = atoi(argv[i] + 3);
		else if (strncmp(argv[i], "threads=", 8) == 0)
			hardware_threads = atoi(argv[i] + 8);
		else if (strncmp(argv[i], "features=", 9) == 0)
			good = parse_features(argv[i] + 9);
		else if (strncmp(argv[i], "timing=", 7) == 0)
			good = sscanf(argv[i] + 7, "%u:%u:%u", &timing.l2, &timing.memory,
				      &timing.redirect) == 3;
		else if (strncmp(argv[i], "l1i=", 4) == 0)
			good = parse_cache(argv[i] + 4, &shape.l1i);
		else if (strncmp(argv[i], "l1d=", 4) == 0)
			good = parse_cache(argv[i] + 4, &shape.l1d);
		else if (strncmp(argv[i], "l2=", 3) == 0)
			good = parse_cache(argv[i] + 3, &shape.l2);
		else if (strncmp(argv[i], "vtcm=", 5) == 0)
			good = sscanf(argv[i] + 5, "%u:%u", &shape.vtcm, &shape.vtcm_size) == 2;
		else
			good = false;
		if (!good)
			return complain(argv[i], "feed=FILE, fd=N, threads=N, features=N, l1i=, l1d=, "
					"l2=SIZE:WAYS:LINE, vtcm=ADDRESS:SIZE and timing=L2:MEMORY:REDIRECT "
					"are known");
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
