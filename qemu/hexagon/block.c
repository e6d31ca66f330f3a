/* SPDX-License-Identifier: GPL-2.0-only */
/* Blocks of packets: translation and execution. */
#include <stdlib.h>
#include <string.h>

#include "hexagon/packet.h"
#include "hexagon/profile.h"
#include "qemu/hexagon/plugin.h"

/* Limit of repetitions of one block that are not added yet. */
#define MAX_REPEAT 256

/* Of all translations so far. None is freed: threads may have handed over executions of it that are not done yet. */
static uint32_t blocks, room;

/*
 * How often a block may run before it is added: not beyond the end of the slice, so that this is where it is however
 * often a block is translated.
 */
static uint64_t limit_of(const struct cpu *cpu, const struct block *block)
{
	uint64_t length = block->counts.add[HEXAGON_PACKETS], left = cpu->until - cpu->packets;

	if ((stalls && several) || block->effects.pauses || (profile && block->counts.add[HEXAGON_FLOW]))
		return 1;
	if (!length || cpu->until <= cpu->packets || left <= length)
		return 1;
	left = (left + length - 1) / length;
	if (several && only_waits(&block->effects))
		return left < SPIN_ROUNDS ? left : SPIN_ROUNDS;
	return left < MAX_REPEAT ? left : MAX_REPEAT;
}

static __attribute__((noinline)) void enter_block(struct cpu *cpu, struct block *block)
{
	uint64_t repeat = cpu->repeat;

	flush_cpu(cpu);
	if (several)
		follow_loops(cpu, block, repeat);
	if (cpu->packets >= cpu->until)
		end_slice(cpu);
	cpu->limit = limit_of(cpu, block);
	cpu->block = block;
	if (__builtin_expect(block->counts.vector && !cpu->vector_noted, 0)) {
		cpu->vector_noted = true;
		cpu->vector_packet = cpu->packets + block->counts.first_vector;
	}
	cpu->repeat = 1;
}

/* Inner loops pass here only: it has no registers to save. */
static void on_block(unsigned int cpu_index, void *data)
{
	struct cpu *cpu = &cpus[cpu_index];

	if (__builtin_expect(cpu->block == data && cpu->repeat != cpu->limit, 1))
		cpu->repeat++;
	else
		enter_block(cpu, data);
}

static void on_block_with_caches(unsigned int cpu, void *data)
{
	on_block(cpu, data);
	begin_block(&cpus[cpu], data);
	if (profile)
		follow_calls(&cpus[cpu], data);
}

static void on_block_with_stalls(unsigned int cpu, void *data)
{
	end_branch(&cpus[cpu], data);
	on_block_with_caches(cpu, data);
}

/* Does the packet touch an instruction line that the packet before it does not? */
static bool enters_line(const struct place *place)
{
	unsigned int shift = model.memory.l1i.shift;

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
		.loads_pair = packet->loads_pair,
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

		block->last = qemu_plugin_insn_vaddr(insn);
		block->end = block->last + size;
		block->calls = false;
		if (size > sizeof(words))
			size = sizeof(words);
		mon_insn_bytes(insn, words, size);
		/* no valid packet: its execution faults, so it never commits */
		if (!hexagon_packet_decode(words, size / 4, &packet))
			continue;
		if (packet.add[HEXAGON_HVX_PACKETS] && !add[HEXAGON_HVX_PACKETS])
			block->counts.first_vector = add[HEXAGON_PACKETS];
		for (int c = 0; c < HEXAGON_COUNTS; c++)
			add[c] += packet.add[c];
		add_effects(&block->effects, &(struct effects){
			.loads = packet.add[HEXAGON_LOADS] > 0, .stores = packet.stores, .pauses = packet.pauses,
			.writes = packet.writes, .addresses = packet.addresses,
		});
		block->counts.loop_end = packet.loop_end;
		block->calls = packet.calls;
		if (packet.reads_clock)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_clock, QEMU_PLUGIN_CB_RW_REGS, i ? NULL : block);
		block->conditional = packet.add[HEXAGON_BIMODAL] > 0;
		if (caches)
			place_packet(&block->places[block->place_count++], insn, i, &packet);
	}
}

/* Gives a block its number, by which the model of time finds it. */
static void number_block(struct block *block)
{
	pthread_mutex_lock(&lock);
	if (blocks == room) {
		room = room ? 2 * room : 1024;
		model.blocks = realloc(model.blocks, room * sizeof(model.blocks[0]));
		if (!model.blocks)
			abort();
	}
	block->number = blocks;
	model.blocks[blocks++] = &block->counts;
	pthread_mutex_unlock(&lock);
}

static void list_places(struct block *block)
{
	block->counts.place = calloc(block->place_count + 1, sizeof(uint32_t));
	if (!block->counts.place)
		abort();
	for (unsigned int i = 0; i < block->place_count; i++)
		block->counts.place[i] = block->places[i].cost;
	block->counts.places = block->place_count;
}

void on_translate(MON_ID_FIRST struct qemu_plugin_tb *tb MON_POINTER_LAST)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	struct block *block = calloc(1, sizeof(*block) + (caches ? n * sizeof(struct place) : 0));
	uint32_t add[HEXAGON_COUNTS] = { 0 };

	if (!block)
		abort();
	feed->began = 1;
	guest_learn(qemu_plugin_tb_get_insn(tb, 0));
	block->pc = qemu_plugin_tb_vaddr(tb);
	block->end = block->pc;
	block->call.number = -1;
	decode_block(block, tb, add);
	hexagon_block_init(&block->counts, add);
	if (profile)
		list_places(block);
	number_block(block);
	qemu_plugin_register_vcpu_tb_exec_cb(tb, stalls ? on_block_with_stalls : caches ? on_block_with_caches : on_block,
					     QEMU_PLUGIN_CB_NO_REGS, block);
}

/* All translations are gone, and no vCPU is running. */
void on_flush(MON_FLUSHED)
{
	pthread_mutex_lock(&lock);
	set_loose(false);
	pthread_mutex_unlock(&lock);
}
