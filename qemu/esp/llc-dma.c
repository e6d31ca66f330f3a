/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * LLC-coherent DMA: requests on plane 4, answers on plane 6, one pass of the LLC's engine a line.
 *
 * A line with private copies is taken back first: sharers get INV_LLC and are not waited for, an
 * owner answers and the pass is made again, so that such a line counts two hits.
 *
 * A read and a write can be under way at the same time: requests never wait for answers.
 */
#include "esp/cache.h"

static uint32_t line_of(const struct esp_soc *soc, uint32_t addr)
{
	return addr >> soc->line_shift;
}

/* Words from addr to the end of its line, at most left. */
static uint32_t in_line(const struct esp_soc *soc, uint32_t addr, uint32_t left)
{
	uint32_t n = soc->line_words - addr / soc->word % soc->line_words;

	return n < left ? n : left;
}

static uint32_t write_needs(const struct esp_soc *soc, const struct esp_llc_state *llc)
{
	return in_line(soc, llc->write_addr, llc->write_have + soc->packet[llc->write].words);
}

static void queue_read(struct esp_soc *soc, struct esp_llc_state *llc, struct esp_packet *p)
{
	uint32_t index = esp_packet_index(soc, p);

	p->next = 0;
	if (llc->reads_last)
		soc->packet[llc->reads_last].next = index;
	else
		llc->reads = index;
	llc->reads_last = index;
}

/* A write's data wait in the queue while the line before them is complete and not yet written. */
bool esp_llc_dma_wants(const struct esp_soc *soc, unsigned int mem)
{
	const struct esp_llc_state *llc = &soc->llc[mem];
	uint32_t flit = esp_noc_peek(soc, ESP_PL_DMA4, soc->mem_tile[mem]);
	uint32_t index = ESP_FLIT_PACKET(flit);

	if (!flit)
		return false;
	if (soc->packet[index].type != ESP_MSG_DMA_WRITE || !llc->write)
		return true;
	return llc->write == index && llc->write_have < write_needs(soc, llc);
}

/* Reads at most one flit of the next request. */
void esp_llc_dma_arrival(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	unsigned int tile = soc->mem_tile[mem];
	uint32_t flit = esp_noc_peek(soc, ESP_PL_DMA4, tile), index = ESP_FLIT_PACKET(flit);
	struct esp_packet *p = &soc->packet[index];

	if (!esp_llc_dma_wants(soc, mem))
		return;
	esp_noc_pop(soc, ESP_PL_DMA4, tile);
	esp_count(soc, tile, ESP_MON_COH_DMA_REQ, 1);
	p->got++;
	if (p->type == ESP_MSG_DMA_READ) {
		if (flit & ESP_FLIT_TAIL)
			queue_read(soc, llc, p);
	} else if (p->got == 2) {
		llc->write = index;
		llc->write_addr = p->addr;
		llc->write_have = 0;
		llc->write_ended = false;
	} else if (p->got > 2) {
		uint32_t words = p->words < soc->words_per_flit ? p->words : soc->words_per_flit;

		p->words -= words;
		llc->write_have += words;
		llc->write_ended = flit & ESP_FLIT_TAIL;
	}
}

static bool write_ready(const struct esp_soc *soc, const struct esp_llc_state *llc)
{
	return llc->write && llc->write_have && llc->write_have >= write_needs(soc, llc);
}

bool esp_llc_dma_pending(const struct esp_soc *soc, unsigned int mem)
{
	const struct esp_llc_state *llc = &soc->llc[mem];

	return llc->reads || llc->reply || write_ready(soc, llc);
}

/*
 * Brings a line into V; *l is invalid on a miss. False if the pass ends here and is made again:
 * then *busy says whether it took the engine's time.
 */
static bool take(struct esp_soc *soc, unsigned int mem, uint32_t line, struct esp_llc_line **l,
		 uint64_t *cycles, bool *busy)
{
	*busy = true;
	switch (esp_llc_way(soc, mem, line, l, cycles)) {
	case ESP_LLC_BLOCKED:
		*busy = false;
		return false;
	case ESP_LLC_RECALL:
		return false;
	case ESP_LLC_MISS:
		return true;
	case ESP_LLC_HIT:
		break;
	}
	switch ((*l)->state) {
	case ESP_LLC_S:
		esp_llc_invalidate_sharers(soc, mem, *l);
		(*l)->state = ESP_LLC_V;
		return true;
	case ESP_LLC_SD:
		esp_llc_invalidate_sharers(soc, mem, *l);
		esp_llc_recall(soc, mem, *l);
		return false;
	case ESP_LLC_E:
	case ESP_LLC_M:
		esp_llc_recall(soc, mem, *l);
		return false;
	}
	return true;
}

static void begin_read(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	struct esp_packet *p = &soc->packet[llc->reads], *reply;
	unsigned int tile = soc->mem_tile[mem];

	llc->reads = p->next;
	if (!llc->reads)
		llc->reads_last = 0;
	llc->read_addr = p->addr;
	llc->read_left = p->words;
	llc->read_words = llc->read_flits = llc->read_pending = 0;
	reply = esp_noc_packet(soc, ESP_PL_DMA6, ESP_MSG_DMA_DATA, tile, p->src,
			       1 + (p->words + soc->words_per_flit - 1) / soc->words_per_flit);
	reply->words = p->words;
	reply->ticket = p->ticket;
	llc->reply = esp_packet_index(soc, reply);
	esp_noc_free(soc, p);
	esp_count(soc, tile, ESP_MON_COH_DMA_RSP, 1);
	esp_noc_send(soc, reply, 1, ESP_T_LLC);
}

bool esp_llc_dma_read(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	uint32_t line, words, flits;
	struct esp_packet *reply;
	struct esp_llc_line *l;
	uint64_t cycles = 0;
	bool busy;

	if (!llc->reply && llc->reads)
		begin_read(soc, mem);
	if (!llc->reply || llc->read_pending)
		return false;
	reply = &soc->packet[llc->reply];
	if (reply->ready - reply->sent >= ESP_TILE_QUEUE)
		return false;
	line = line_of(soc, llc->read_addr);
	if (!take(soc, mem, line, &l, &cycles, &busy)) {
		if (busy)
			llc->busy = soc->st->now + ESP_T_LLC;
		return busy;
	}
	if (l->state == ESP_LLC_I) {
		cycles += esp_llc_fill(soc, mem, l, line);
		l->state = ESP_LLC_V;
	}
	if (soc->probe.dma_read)
		soc->probe.dma_read(soc->probe.opaque, reply->dst, line, l->stamp);
	words = in_line(soc, llc->read_addr, llc->read_left);
	llc->read_addr += words * soc->word;
	llc->read_left -= words;
	llc->read_words += words;
	/* A flit leaves when it is full, the last one at the end. */
	flits = llc->read_left ? llc->read_words / soc->words_per_flit : reply->nflits - 1;
	llc->read_pending = flits - llc->read_flits;
	llc->read_flits = flits;
	llc->busy = soc->st->now + ESP_T_LLC + cycles;
	return true;
}

void esp_llc_dma_reply(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	struct esp_packet *reply = &soc->packet[llc->reply];

	if (!llc->reply || !llc->read_pending)
		return;
	esp_count(soc, soc->mem_tile[mem], ESP_MON_COH_DMA_RSP, llc->read_pending);
	if (!llc->read_left)
		llc->reply = 0;
	esp_noc_more(soc, reply, llc->read_pending);
	llc->read_pending = 0;
}

bool esp_llc_dma_write(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	struct esp_packet *p = &soc->packet[llc->write];
	uint32_t line, words;
	struct esp_llc_line *l;
	uint64_t cycles = 0, old;
	bool busy;

	if (!write_ready(soc, llc))
		return false;
	line = line_of(soc, llc->write_addr);
	if (!take(soc, mem, line, &l, &cycles, &busy)) {
		if (busy)
			llc->busy = soc->st->now + ESP_T_LLC;
		return busy;
	}
	words = write_needs(soc, llc);
	if (l->state == ESP_LLC_I) {
		if (words < soc->line_words)
			cycles += esp_llc_fill(soc, mem, l, line);
		else
			esp_llc_set_line(soc, l, line);
		l->state = ESP_LLC_V;
	}
	old = words < soc->line_words ? l->stamp : ESP_WHOLE_LINE;
	l->dirty = true;
	l->stamp = ++soc->st->stamp;
	if (soc->probe.dma_write)
		soc->probe.dma_write(soc->probe.opaque, p->src, line, old, l->stamp);
	llc->write_addr += words * soc->word;
	llc->write_have -= words;
	llc->busy = soc->st->now + ESP_T_LLC + cycles;
	if (llc->write_ended && !llc->write_have) {
		llc->write = 0;
		esp_noc_free(soc, p);
	}
	return true;
}
