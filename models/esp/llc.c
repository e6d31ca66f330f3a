/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Last-level cache of a memory tile: inclusive directory of the private caches.
 *
 * The engine makes one pass at a time. A pass looks its line up, counts one pulse (hit unless it
 * needs a free way or an eviction), changes the state and sends the protocol's messages. If an
 * owner has to give a line back first (recall), the engine waits for the answer and repeats the
 * pass.
 *
 * Flits are counted at the RTL's strobes: MEM_COH_REQ and MEM_COH_RSP_RCV when they are read from
 * the receive queues, MEM_COH_FWD and MEM_COH_RSP_SND when they are written to the send queues.
 */
#include "esp/network.h"

#include <string.h>

static void llc_wake(struct esp_soc *soc, unsigned int mem, uint64_t cycle)
{
	esp_wake(soc, ESP_AGENT(soc->mem_tile[mem], ESP_AG_LLC), cycle);
}

void esp_llc_response(struct esp_soc *soc, unsigned int mem, struct esp_packet *p)
{
	struct esp_message_of_line m = esp_message_in(p);

	esp_mem_takes(soc, soc->mem_tile[mem], ESP_PL_RSP, p->nflits);
	esp_llc_answered(soc, mem, &m);
	llc_wake(soc, mem, soc->st->now + 1);
	esp_noc_free(soc, p);
}

/* For the NoC: the LLC takes requests as they come while none waits. */
bool esp_llc_reads(struct esp_soc *soc, unsigned int mem, uint32_t flits)
{
	esp_mem_takes(soc, soc->mem_tile[mem], ESP_PL_REQ, flits);
	return !soc->llc[mem].request && !esp_noc_peek(soc, ESP_PL_REQ, soc->mem_tile[mem]);
}

static void take_request(struct esp_soc *soc, unsigned int mem, uint32_t packet)
{
	soc->llc[mem].request = packet;
	esp_probe_request(soc, mem);
}

void esp_llc_request(struct esp_soc *soc, unsigned int mem, struct esp_packet *p)
{
	take_request(soc, mem, esp_packet_index(soc, p));
	llc_wake(soc, mem, soc->st->now);
}

/* Reads at most one flit of the next L2 request. */
static void read_request(struct esp_soc *soc, unsigned int mem)
{
	unsigned int tile = soc->mem_tile[mem];
	uint32_t flit;

	if (soc->llc[mem].request)
		return;
	flit = esp_noc_peek(soc, ESP_PL_REQ, tile);
	if (!flit)
		return;
	esp_noc_pop(soc, ESP_PL_REQ, tile);
	esp_mem_takes(soc, tile, ESP_PL_REQ, 1);
	if (flit & ESP_FLIT_TAIL)
		take_request(soc, mem, ESP_FLIT_PACKET(flit));
}

/* Caches disabled: the processor's words on planes 1 and 3. */
static uint64_t llc_uncached(struct esp_soc *soc, unsigned int mem, const struct esp_packet *p)
{
	unsigned int tile = soc->mem_tile[mem];
	uint64_t cycles = esp_ddr_burst(soc, mem, p->words,
					p->type == ESP_MSG_STORE ? ESP_BEAT_CPU_WRITE : ESP_BEAT_CPU);
	struct esp_packet *reply;

	if (p->type == ESP_MSG_STORE) {
		soc->st->uncached[soc->design.tiles[p->src].id]--;
		return cycles;
	}
	reply = esp_noc_packet(soc, ESP_PL_RSP, ESP_MSG_WORDS, tile, p->src, 1 + p->words);
	esp_mem_gives(soc, tile, ESP_PL_RSP, 1 + p->words);
	esp_noc_send(soc, reply, 1 + p->words, cycles);
	return cycles;
}

/* A request that met pending data is stalled until they are there. */
static bool request_ready(const struct esp_soc *soc, unsigned int mem)
{
	const struct esp_llc_state *llc = &soc->llc[mem];
	const struct esp_llc_line *l;

	if (!llc->request || !llc->stalled)
		return llc->request;
	l = esp_llc_lookup(soc, mem, soc->packet[llc->request].addr);
	return !l || l->state != ESP_LLC_SD;
}

static bool llc_serve(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	struct esp_packet *p = &soc->packet[llc->request];
	struct esp_message_of_line m = esp_message_in(p), reply = { .type = ESP_MSG_NONE };
	uint64_t cycles = 0;
	bool done = true;

	if (!request_ready(soc, mem))
		return false;
	llc->stalled = false;
	switch (p->type) {
	case ESP_MSG_GETS:
	case ESP_MSG_GETS_I:
	case ESP_MSG_GETM:
		done = esp_llc_get(soc, &esp_network, mem, &m, &reply, &cycles);
		break;
	case ESP_MSG_PUTS:
	case ESP_MSG_PUTM:
		done = esp_llc_put(soc, &esp_network, mem, &m, &reply, &cycles);
		break;
	default:
		cycles = llc_uncached(soc, mem, p);
	}
	llc->busy = soc->st->now + ESP_T_LLC + cycles;
	if (done) {
		if (reply.type != ESP_MSG_NONE)
			esp_network_respond(soc, mem, m.cache, &reply, cycles);
		llc->request = 0;
		esp_noc_free(soc, p);
	}
	return true;
}

/*
 * Flush: dirty lines without a private copy go to DDR, data lines are dropped. Reset drops all
 * lines without a private copy. Lines with one stay, because their owners would wait for forwards
 * that were never sent.
 */
static bool llc_control(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	size_t i, n = (size_t)soc->design.llc_sets * soc->design.llc_ways;
	struct esp_llc_line *l = &soc->llc_line[mem * n];
	uint64_t cycles = soc->design.llc_sets;

	if ((!llc->flush && !llc->reset) || esp_llc_dma_active(soc, mem))
		return false;
	for (i = 0; i < n; i++) {
		if (l[i].state != ESP_LLC_V)
			continue;
		if (llc->flush) {
			if (l[i].dirty)
				cycles += soc->line_words;
			esp_llc_write_back(soc, &esp_network, mem, &l[i]);
		}
		if (llc->reset || !l[i].instruction || llc->command & ESP_CACHE_CMD_FLUSH_I)
			esp_llc_drop(soc, &l[i]);
	}
	if (llc->reset)
		memset(&soc->llc_turn[(size_t)mem * soc->design.llc_sets], 0, soc->design.llc_sets);
	llc->done = llc->flush;
	llc->flush = llc->reset = false;
	llc->busy = soc->st->now + cycles;
	return true;
}

/* Room in the send queues, so that messages of a pass do not accumulate. */
static bool room(const struct esp_soc *soc, unsigned int tile)
{
	const struct esp_router *fwd = esp_router(soc, ESP_PL_FWD, tile);
	uint32_t p = fwd->first;
	unsigned int n;

	for (n = 0; p && n < ESP_TILE_QUEUE; n++)
		p = soc->packet[p].next;
	return !p;
}

/* Receivers take one flit a cycle. */
static void llc_receive(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];

	if (llc->stepped >= soc->st->now)
		return;
	llc->stepped = soc->st->now;
	read_request(soc, mem);
	esp_llc_dma_arrival(soc, mem);
}

static bool receivers_want(const struct esp_soc *soc, unsigned int mem)
{
	return (!soc->llc[mem].request && esp_noc_peek(soc, ESP_PL_REQ, soc->mem_tile[mem])) ||
	       esp_llc_dma_wants(soc, mem);
}

/*
 * Requests of L2s go before lines of DMA, but after a line of DMA that was recalled: the LLC takes only responses
 * meanwhile, and then finishes that line (llc_input_decoder.sv:103-118).
 */
static void llc_pass(struct esp_soc *soc, unsigned int mem)
{
	if (soc->llc[mem].waiting || !room(soc, soc->mem_tile[mem]))
		return;
	if (!soc->llc[mem].again && (llc_control(soc, mem) || llc_serve(soc, mem)))
		return;
	esp_llc_dma_pass(soc, mem);
}

/* Wakes an engine that waits for this response. */
static bool engine_wants(const struct esp_soc *soc, unsigned int mem)
{
	const struct esp_llc_state *llc = &soc->llc[mem];

	return !llc->waiting && (llc->flush || llc->reset || request_ready(soc, mem) ||
				 esp_llc_dma_pending(soc, mem));
}

void esp_llc_step(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	uint64_t now = soc->st->now;

	llc_receive(soc, mem);
	if (now >= llc->busy) {
		esp_llc_dma_reply(soc, mem);
		llc_pass(soc, mem);
	}
	if (receivers_want(soc, mem))
		llc_wake(soc, mem, now + 1);
	else if (engine_wants(soc, mem))
		llc_wake(soc, mem, llc->busy > now ? llc->busy : now + 1);
}

uint32_t esp_llc_read(struct esp_soc *soc, unsigned int mem, uint32_t reg)
{
	const struct esp_llc_state *llc = &soc->llc[mem];

	if (reg == ESP_CACHE_CMD)
		return llc->command;
	if (reg == ESP_CACHE_STATUS)
		return llc->done && soc->st->now >= llc->busy ? ESP_CACHE_STATUS_DONE : 0;
	return 0;
}

void esp_llc_write(struct esp_soc *soc, unsigned int mem, uint32_t reg, uint32_t value)
{
	struct esp_llc_state *llc = &soc->llc[mem];

	if (reg != ESP_CACHE_CMD)
		return;
	llc->command = value & (ESP_CACHE_CMD_RESET | ESP_CACHE_CMD_FLUSH | ESP_CACHE_CMD_FLUSH_I);
	llc->flush |= value & ESP_CACHE_CMD_FLUSH;
	llc->reset |= value & ESP_CACHE_CMD_RESET;
	if (!(value & ESP_CACHE_CMD_FLUSH))
		llc->done = false;
	llc_wake(soc, mem, soc->st->now + 1);
}
