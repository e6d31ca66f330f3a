/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory tile: the proxy of non-coherent DMA (requests on plane 6, answers on plane 4) and the bus
 * of the DDR controller.
 *
 * One beat a cycle on the bus. Counts: MEM_DMA_REQ a flit read from the receive queue, MEM_DMA_RSP
 * a flit written to the send queue, DDR_WORD_TRANSFER a beat, including BUSY beats: the send queue
 * of a read that has begun is full, or the next data flit of a write that has begun is not there.
 *
 * Reads and writes advance independently, so that requests always leave the network and can never
 * wait in a circle with answers.
 */
#include "esp/internal.h"

uint64_t esp_ddr_burst(struct esp_soc *soc, unsigned int mem, unsigned int words, enum esp_beat why)
{
	struct esp_mem_state *m = &soc->mem[mem];
	uint64_t now = soc->st->now, start = m->ddr_free > now ? m->ddr_free : now;

	m->ddr_free = start + words;
	m->beats[why] += words;
	esp_count(soc, soc->mem_tile[mem], ESP_MON_DDR, words);
	return start - now + words + (why == ESP_BEAT_WRITE_BACK ? 0 : ESP_T_DDR);
}

static void queue_read(struct esp_soc *soc, struct esp_mem_state *m, struct esp_packet *p)
{
	uint32_t index = esp_packet_index(soc, p);

	p->next = 0;
	if (m->reads_last)
		soc->packet[m->reads_last].next = index;
	else
		m->reads = index;
	m->reads_last = index;
}

/* Takes at most one flit; returns true if it used the bus. */
static bool request(struct esp_soc *soc, unsigned int tile, struct esp_mem_state *m)
{
	uint32_t flit = esp_noc_peek(soc, ESP_PL_DMA6, tile);
	struct esp_packet *p = &soc->packet[ESP_FLIT_PACKET(flit)];
	bool data;

	if (!flit)
		return false;
	data = p->type == ESP_MSG_DMA_WRITE && p->got >= 3;
	if (data && soc->st->now < m->ddr_free)
		return false;
	esp_noc_pop(soc, ESP_PL_DMA6, tile);
	esp_count(soc, tile, ESP_MON_DMA_REQ, 1);
	p->got++;
	if (data) {
		uint32_t words = soc->words_per_flit;

		if (words > p->words)
			words = p->words;
		p->words -= words;
		esp_count(soc, tile, ESP_MON_DDR, words);
		m->beats[ESP_BEAT_DMA] += words;
		m->ddr_free = soc->st->now + words;
		m->write_beats = !(flit & ESP_FLIT_TAIL);
	}
	if (flit & ESP_FLIT_TAIL) {
		if (p->type == ESP_MSG_DMA_READ)
			queue_read(soc, m, p);
		else
			esp_noc_free(soc, p);
	}
	return data;
}

static void begin_read(struct esp_soc *soc, unsigned int tile, struct esp_mem_state *m)
{
	struct esp_packet *p = &soc->packet[m->reads], *reply;
	uint32_t next = p->next;

	reply = esp_noc_packet(soc, ESP_PL_DMA4, ESP_MSG_DMA_DATA, tile, p->src,
			       1 + (p->words + soc->words_per_flit - 1) / soc->words_per_flit);
	reply->words = p->words;
	reply->ticket = p->ticket;
	m->reply = esp_packet_index(soc, reply);
	m->read_done = 0;
	m->read_from = (m->ddr_free > soc->st->now ? m->ddr_free : soc->st->now) + ESP_T_DDR;
	esp_noc_free(soc, p);
	m->reads = next;
	if (!next)
		m->reads_last = 0;
	esp_noc_send(soc, reply, 1, 0);
	esp_count(soc, tile, ESP_MON_DMA_RSP, 1);
}

/* A beat of the current read, true if it used the bus. */
static bool read_beat(struct esp_soc *soc, unsigned int tile, struct esp_mem_state *m, bool bus)
{
	struct esp_packet *reply = &soc->packet[m->reply];

	if (soc->st->now < m->read_from || !bus || soc->st->now < m->ddr_free)
		return false;
	m->ddr_free = soc->st->now + 1;
	esp_count(soc, tile, ESP_MON_DDR, 1);
	if (reply->ready - reply->sent >= ESP_TILE_QUEUE) {
		m->beats[ESP_BEAT_BUSY]++;
		return true;
	}
	m->beats[ESP_BEAT_DMA]++;
	m->read_done++;
	if (m->read_done % soc->words_per_flit == 0 || m->read_done == reply->words) {
		esp_count(soc, tile, ESP_MON_DMA_RSP, 1);
		if (m->read_done == reply->words)
			m->reply = 0;
		esp_noc_more(soc, reply, 1);
	}
	return true;
}

void esp_mem_step(struct esp_soc *soc, unsigned int mem)
{
	struct esp_mem_state *m = &soc->mem[mem];
	unsigned int tile = soc->mem_tile[mem];
	uint64_t now = soc->st->now, next = ESP_NEVER;
	bool bus = true;

	if (m->stepped == now && now) {
		esp_wake(soc, ESP_AGENT(tile, ESP_AG_MEM), now + 1);
		return;
	}
	m->stepped = now;
	if (request(soc, tile, m))
		bus = false;
	if (!m->reply && m->reads)
		begin_read(soc, tile, m);
	if (m->reply) {
		if (read_beat(soc, tile, m, bus))
			bus = false;
		next = m->read_from > now ? m->read_from : now + 1;
	}
	if (m->write_beats && bus && now >= m->ddr_free && !esp_noc_peek(soc, ESP_PL_DMA6, tile)) {
		esp_count(soc, tile, ESP_MON_DDR, 1);
		m->beats[ESP_BEAT_BUSY]++;
		m->ddr_free = now + 1;
	}
	if (m->write_beats || m->reads || esp_noc_peek(soc, ESP_PL_DMA6, tile))
		next = now + 1;
	if (next != ESP_NEVER)
		esp_wake(soc, ESP_AGENT(tile, ESP_AG_MEM), next);
}
