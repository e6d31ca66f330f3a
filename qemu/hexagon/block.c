/* SPDX-License-Identifier: GPL-2.0-only */
/* Blocks of packets: translation and execution. */
#include <stdlib.h>
#include <string.h>

#include "hexagon/packet.h"
#include "hexagon/profile.h"
#include "qemu/hexagon/plugin.h"
#include "qemu/compat.h"

/* Limit of repetitions of one block that are not added yet. */
#define MAX_REPEAT 256

static struct block *blocks;

/*
 * The end of a turn depends on where repetitions are added. A block can be retranslated at any time. That must not
 * move this place, so the new block continues with the repetitions that were left.
 */
static uint64_t limit_anew(const struct cpu *cpu, const struct block *block)
{
	return MAX_REPEAT - (block->pc == cpu->pc ? cpu->before : 0);
}

static void on_block(unsigned int cpu_index, void *data)
{
	struct cpu *cpu = &cpus[cpu_index];

	if (cpu->block != data || cpu->repeat == cpu->limit) {
		flush_cpu(cpu);
		if (cpu->count[HEXAGON_PACKETS] >= cpu->look)
			next_turn(cpu);
		cpu->limit = __builtin_expect(!cpu->block, 0) ? limit_anew(cpu, data) : MAX_REPEAT;
		cpu->block = data;
	}
	cpu->repeat++;
}

static void on_block_with_caches(unsigned int cpu, void *data)
{
	on_block(cpu, data);
	begin_block(&cpus[cpu], data);
}

/* Does the packet touch an instruction line that the packet before it does not? */
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
		.operation = packet->operation,
	};
	if (profile) {
		pthread_mutex_lock(&lock);
		place->cost = hexagon_profile_place(profile, place->pc);
		pthread_mutex_unlock(&lock);
	}
	if (enters_line(place))
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_fetch, QEMU_PLUGIN_CB_NO_REGS, place);
	if (place->operation.kind)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_operation, QEMU_PLUGIN_CB_R_REGS, place);
	qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
					 place);
}

/* Collects the sums of a block, and the kind of its last packet. */
static void decode_block(struct block *block, struct qemu_plugin_tb *tb, uint32_t add[HEXAGON_COUNTS])
{
	size_t n = qemu_plugin_tb_n_insns(tb);

	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		size_t size = qemu_plugin_insn_size(insn);
		uint32_t words[HEXAGON_PACKET_WORDS];
		struct hexagon_packet packet;

		block->end = qemu_plugin_insn_vaddr(insn) + size;
		if (size > sizeof(words))
			size = sizeof(words);
		mon_insn_bytes(insn, words, size);
		/* no valid packet: its execution faults, so it never commits */
		if (!hexagon_packet_decode(words, size / 4, &packet))
			continue;
		if (packet.add[HEXAGON_HVX_PACKETS] && !add[HEXAGON_HVX_PACKETS])
			block->first_vector = add[HEXAGON_PACKETS];
		for (int c = 0; c < HEXAGON_COUNTS; c++)
			add[c] += packet.add[c];
		block->loop_end = packet.loop_end;
		block->conditional = packet.add[HEXAGON_BIMODAL] > 0;
		if (caches)
			place_packet(&block->places[block->place_count++], insn, i, &packet);
	}
}

void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
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
	decode_block(block, tb, add);
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
void on_flush(qemu_plugin_id_t id)
{
	(void)id;
	for (unsigned int i = 0; i < HEXAGON_MAX_CPUS; i++) {
		struct cpu *cpu = &cpus[i];

		if (!cpu->block)
			continue;
		cpu->pc = cpu->block->pc;
		cpu->before = (cpu->repeat + MAX_REPEAT - cpu->limit) % MAX_REPEAT;
		flush_cpu(cpu);
		cpu->block = cpu->branch = NULL;
	}
	end_of_translations();
	pthread_mutex_lock(&lock);
	while (blocks) {
		struct block *block = blocks;

		blocks = block->next;
		free(block);
	}
	pthread_mutex_unlock(&lock);
}
