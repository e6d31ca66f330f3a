/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory tile: the proxy of non-coherent DMA (requests on plane 6, answers on plane 4) and the bus
 * of the DDR controller.
 *
 * The bus moves one beat a cycle. Counts: MEM_DMA_REQ a flit read from the receive queue;
 * MEM_DMA_RSP a flit written to the send queue; DDR_WORD_TRANSFER a beat, BUSY beats included: a
 * read has begun and the send queue is full, or a write has begun and its next data flit is
 * missing.
 *
 * The proxy serves one transaction after the other in order of arrival, reads and writes alike
 * (noc2ahbmst.vhd). Requests after a read wait in the queue, and then on the links, until the last
 * word of the answer is in the send queue.
 */
#include "esp/internal.h"

uint64_t esp_ddr_burst(struct esp_soc *soc, unsigned int mem, unsigned int words, enum esp_beat why)
{
	struct esp_mem_state *m = &soc->mem[mem];
	uint64_t now = soc->st->now, start = m->ddr_free > now ? m->ddr_free : now;

	m->ddr_free = start + words;
	esp_mem_words(soc, mem, why, words);
	return start - now + words + (why == ESP_BEAT_WRITE_BACK ? 0 : ESP_T_DDR);
}

static void begin_read(struct esp_soc *soc, unsigned int tile, struct esp_mem_state *m,
		       const struct esp_packet *p)
{
	struct esp_packet *reply;

	reply = esp_noc_packet(soc, ESP_PL_DMA4, ESP_MSG_DMA_DATA, tile, p->src,
			       1 + (p->words + soc->words_per_flit - 1) / soc->words_per_flit);
	reply->words = p->words;
	reply->ticket = p->ticket;
	m->reply = esp_packet_index(soc, reply);
	m->read_done = 0;
	m->read_from = (m->ddr_free > soc->st->now ? m->ddr_free : soc->st->now) + ESP_T_BUS;
	m->busy_until = 0;
	m->last_word = false;
	esp_noc_send(soc, reply, 1, 0);
	esp_mem_gives(soc, tile, ESP_PL_DMA4, 1);
}

/* A data flit of a write. */
static void write_beats(struct esp_soc *soc, unsigned int mem, struct esp_packet *p)
{
	uint32_t words = p->words < soc->words_per_flit ? p->words : soc->words_per_flit;

	p->words -= words;
	esp_mem_words(soc, mem, ESP_BEAT_DMA_WRITE, words);
	soc->mem[mem].ddr_free = soc->st->now + words;
}

/* A read begins if four places of the send queue are free (dma_rd_request), or nothing in it moves any more. */
static bool may_read(const struct esp_soc *soc, unsigned int tile)
{
	const struct esp_packet *first = &soc->packet[esp_router(soc, ESP_PL_DMA4, tile)->first];

	return esp_noc_queued(soc, ESP_PL_DMA4, tile, true) <= ESP_TILE_QUEUE + ESP_MEM_TX - 4 ||
	       soc->st->now > first->not_before + ESP_T_STUCK;
}

/* One flit of the packet at the head of the queue. */
static void take_flit(struct esp_soc *soc, unsigned int mem, uint32_t flit)
{
	struct esp_mem_state *m = &soc->mem[mem];
	unsigned int tile = soc->mem_tile[mem];
	struct esp_packet *p = &soc->packet[ESP_FLIT_PACKET(flit)];
	bool tail = flit & ESP_FLIT_TAIL;

	if (p->type == ESP_MSG_DMA_READ && tail && !may_read(soc, tile))
		return;
	if (p->type == ESP_MSG_DMA_WRITE && p->got >= 3) {
		if (soc->st->now < m->ddr_free)
			return;
		write_beats(soc, mem, p);
		m->writing = !tail;
		if (tail)
			m->next = soc->st->now + ESP_T_WRITTEN;
	}
	esp_noc_pop(soc, ESP_PL_DMA6, tile);
	esp_mem_takes(soc, tile, ESP_PL_DMA6, 1);
	p->got++;
	if (!tail)
		return;
	if (p->type == ESP_MSG_DMA_READ)
		begin_read(soc, tile, m, p);
	esp_noc_free(soc, p);
}

/*
 * The proxy looks at its queue with each flit: if exactly three places are free, the bus has the address of one more word,
 * and then is BUSY until three are free again, which takes two cycles more (dma_send_busy, dma_wait_busy). The last three
 * words are under way by then.
 */
static bool is_busy(struct esp_soc *soc, unsigned int mem, const struct esp_packet *reply)
{
	struct esp_mem_state *m = &soc->mem[mem];
	unsigned int room = ESP_TILE_QUEUE + ESP_MEM_TX - 3, flit = soc->words_per_flit, queued;
	uint64_t now = soc->st->now;

	if (m->last_word) {
		m->last_word = false;
		m->busy_until = ESP_NEVER;
		return false;
	}
	/* the usual case: nothing stops the answer, and nothing is before it */
	if (m->busy_until <= now && reply->sent && reply->ready - reply->sent + ESP_T_FIFO < room)
		return false;
	queued = esp_noc_queued(soc, ESP_PL_DMA4, soc->mem_tile[mem], true);
	if (m->busy_until == ESP_NEVER && (queued <= room || now > reply->not_before + ESP_T_STUCK))
		m->busy_until = now + 2;
	if (m->busy_until > now)
		return true;
	m->last_word = queued >= room && reply->words - m->read_done > 3 && (m->read_done + 1) % flit == flit - 1;
	return false;
}

/* A beat of the current read. */
static void read_beat(struct esp_soc *soc, unsigned int mem)
{
	struct esp_mem_state *m = &soc->mem[mem];
	struct esp_packet *reply = &soc->packet[m->reply];

	if (soc->st->now < m->read_from || soc->st->now < m->ddr_free)
		return;
	m->ddr_free = soc->st->now + 1;
	if (is_busy(soc, mem, reply)) {
		esp_mem_words(soc, mem, ESP_BEAT_BUSY, 1);
		return;
	}
	esp_mem_words(soc, mem, ESP_BEAT_DMA, 1);
	m->read_done++;
	if (m->read_done % soc->words_per_flit && m->read_done != reply->words)
		return;
	esp_mem_gives(soc, soc->mem_tile[mem], ESP_PL_DMA4, 1);
	/* the first data come later, the others follow without a gap */
	if (reply->ready == 1)
		reply->not_before = soc->st->now + ESP_T_FIFO;
	if (m->read_done == reply->words)
		m->reply = 0;
	esp_noc_more(soc, reply, 1);
}

/* The next data of the current write are missing. */
static void busy_beat(struct esp_soc *soc, unsigned int mem)
{
	struct esp_mem_state *m = &soc->mem[mem];

	if (!m->writing || soc->st->now < m->ddr_free)
		return;
	esp_mem_words(soc, mem, ESP_BEAT_BUSY, 1);
	m->ddr_free = soc->st->now + 1;
}

void esp_mem_step(struct esp_soc *soc, unsigned int mem)
{
	struct esp_mem_state *m = &soc->mem[mem];
	unsigned int tile = soc->mem_tile[mem], agent = ESP_AGENT(tile, ESP_AG_MEM);
	uint64_t now = soc->st->now;
	uint32_t flit;

	if (m->stepped == now && now) {
		esp_wake(soc, agent, now + 1);
		return;
	}
	m->stepped = now;
	if (m->next > now) {
		esp_wake(soc, agent, m->next);
		return;
	}
	flit = esp_noc_peek(soc, ESP_PL_DMA6, tile);
	if (m->reply)
		read_beat(soc, mem);
	else if (flit)
		take_flit(soc, mem, flit);
	else
		busy_beat(soc, mem);
	if (m->reply)
		esp_wake(soc, agent, m->read_from > now ? m->read_from : now + 1);
	else if (m->writing || esp_router(soc, ESP_PL_DMA6, tile)->rx.count)
		esp_wake(soc, agent, now + 1);
}
