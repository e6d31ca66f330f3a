/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * LLC-coherent DMA: requests on plane 4, answers on plane 6, one pass of the LLC's engine for each
 * line.
 *
 * Transactions are served one after the other in order of arrival (llc_wrapper.vhd). The receiver
 * reads a packet and offers a read, or one line of a write, to the engine; the last flit of an
 * offer waits in the queue until the previous offer has been accepted.
 *
 * A line with private copies is taken back first. Sharers get INV_LLC and are not waited for. An
 * owner answers, and the pass is repeated, so such a line counts two hits.
 */
#include "esp/network.h"

/* Words from addr to the end of its line, at most left. */
static uint32_t in_line(const struct esp_soc *soc, uint32_t addr, uint32_t left)
{
	uint32_t n = soc->line_words - addr / soc->word % soc->line_words;

	return n < left ? n : left;
}

/* Words of the packet in the next flit. */
static uint32_t flit_words(const struct esp_soc *soc, const struct esp_packet *p)
{
	return p->words < soc->words_per_flit ? p->words : soc->words_per_flit;
}

/* Does the packet's next flit complete an offer to the engine? */
static bool completes(const struct esp_soc *soc, const struct esp_llc_state *llc,
		      const struct esp_packet *p, uint32_t flit)
{
	if (flit & ESP_FLIT_TAIL)
		return true;
	return p->type == ESP_MSG_DMA_WRITE && p->got >= 2 &&
	       llc->in_words + flit_words(soc, p) >= in_line(soc, llc->in_addr, UINT32_MAX);
}

bool esp_llc_dma_wants(const struct esp_soc *soc, unsigned int mem)
{
	const struct esp_llc_state *llc = &soc->llc[mem];
	uint32_t flit = esp_noc_peek(soc, ESP_PL_DMA4, soc->mem_tile[mem]);

	return flit && (llc->offer == ESP_LLC_NO_OFFER ||
			!completes(soc, llc, &soc->packet[ESP_FLIT_PACKET(flit)], flit));
}

/* Reads at most one flit of the next request. */
void esp_llc_dma_arrival(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	unsigned int tile = soc->mem_tile[mem];
	uint32_t flit = esp_noc_peek(soc, ESP_PL_DMA4, tile);
	struct esp_packet *p = &soc->packet[ESP_FLIT_PACKET(flit)];
	bool complete;

	if (!esp_llc_dma_wants(soc, mem))
		return;
	complete = completes(soc, llc, p, flit);
	esp_noc_pop(soc, ESP_PL_DMA4, tile);
	esp_mem_takes(soc, tile, ESP_PL_DMA4, 1);
	p->got++;
	if (p->got == 2) {
		llc->in_addr = p->addr;
		llc->in_words = 0;
	} else if (p->got > 2 && p->type == ESP_MSG_DMA_WRITE) {
		uint32_t words = flit_words(soc, p);

		p->words -= words;
		llc->in_words += words;
	}
	if (!complete)
		return;
	/* of a write that has no word there is nothing to offer */
	if (p->type == ESP_MSG_DMA_WRITE && !llc->in_words) {
		esp_noc_free(soc, p);
		return;
	}
	llc->offer = p->type == ESP_MSG_DMA_READ ? ESP_LLC_OFFERS_READ : ESP_LLC_OFFERS_WRITE;
	llc->offered = esp_packet_index(soc, p);
	llc->offer_addr = llc->in_addr;
	llc->offer_words = llc->in_words;
	llc->offer_last = flit & ESP_FLIT_TAIL;
	llc->in_addr += llc->in_words * soc->word;
	llc->in_words = 0;
}

bool esp_llc_dma_pending(const struct esp_soc *soc, unsigned int mem)
{
	const struct esp_llc_state *llc = &soc->llc[mem];

	return llc->offer != ESP_LLC_NO_OFFER || llc->reply;
}

/* Brings a line into state V; *l is invalid on a miss. False if the pass has to be repeated. */
static bool llc_dma_take(struct esp_soc *soc, unsigned int mem, uint32_t line,
			 struct esp_llc_line **l, uint64_t *cycles)
{
	struct esp_llc_set set = esp_llc_set(soc, mem, line);
	int way = cpu_tags_find(set.tag, set.ways, line);
	enum esp_llc_outcome outcome = esp_llc_way(soc, &esp_network, mem, set, true, &way, cycles);

	*l = &set.line[way];
	if (outcome != ESP_LLC_HIT)
		return outcome == ESP_LLC_MISS;
	switch ((*l)->state) {
	case ESP_LLC_S:
		esp_llc_lose_sharers(soc, &esp_network, mem, *l);
		(*l)->state = ESP_LLC_V;
		return true;
	case ESP_LLC_SD:
	case ESP_LLC_E:
	case ESP_LLC_M:
		return esp_llc_recall(soc, &esp_network, mem, *l);
	}
	return true;
}

static void begin_read(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	struct esp_packet *p = &soc->packet[llc->offered], *reply;
	unsigned int tile = soc->mem_tile[mem];

	llc->offer = ESP_LLC_NO_OFFER;
	llc->read_addr = p->addr;
	llc->read_left = p->words;
	llc->read_words = llc->read_flits = llc->read_pending = 0;
	reply = esp_noc_packet(soc, ESP_PL_DMA6, ESP_MSG_DMA_DATA, tile, p->src,
			       1 + (p->words + soc->words_per_flit - 1) / soc->words_per_flit);
	reply->words = p->words;
	reply->ticket = p->ticket;
	llc->reply = esp_packet_index(soc, reply);
	esp_noc_free(soc, p);
	esp_mem_gives(soc, tile, ESP_PL_DMA6, 1);
	esp_noc_send(soc, reply, 1, ESP_T_LLC);
}

static bool read_line(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	struct esp_packet *reply = &soc->packet[llc->reply];
	uint32_t line = llc->read_addr >> soc->line_shift, words, flits;
	struct esp_llc_line *l;
	uint64_t cycles = 0;

	if (llc->read_pending || !esp_noc_has_room(soc, reply, ESP_TILE_QUEUE))
		return false;
	llc->again = !llc_dma_take(soc, mem, line, &l, &cycles);
	if (llc->again) {
		llc->busy = soc->st->now + ESP_T_LLC;
		return true;
	}
	if (l->state == ESP_LLC_I) {
		cycles += esp_llc_fill(soc, &esp_network, mem, l, line);
		l->state = ESP_LLC_V;
	}
	esp_probe_dma_read(soc, reply->dst, line, l->stamp);
	words = in_line(soc, llc->read_addr, llc->read_left);
	llc->read_addr += words * soc->word;
	llc->read_left -= words;
	llc->read_words += words;
	/* A flit leaves when it is full; the last one at the end. */
	flits = llc->read_left ? llc->read_words / soc->words_per_flit : reply->nflits - 1;
	llc->read_pending = flits - llc->read_flits;
	llc->read_flits = flits;
	llc->busy = soc->st->now + ESP_T_LLC + cycles;
	return true;
}

static bool write_line(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	struct esp_packet *p = &soc->packet[llc->offered];
	uint32_t line = llc->offer_addr >> soc->line_shift;
	uint32_t words = in_line(soc, llc->offer_addr, llc->offer_words);
	struct esp_llc_line *l;
	uint64_t cycles = 0, old;

	llc->writing = true;
	llc->again = !llc_dma_take(soc, mem, line, &l, &cycles);
	if (llc->again) {
		llc->busy = soc->st->now + ESP_T_LLC;
		return true;
	}
	if (l->state == ESP_LLC_I) {
		if (words < soc->line_words)
			cycles += esp_llc_fill(soc, &esp_network, mem, l, line);
		else
			esp_llc_set_line(soc, l, line);
		l->state = ESP_LLC_V;
	}
	old = words < soc->line_words ? l->stamp : ESP_WHOLE_LINE;
	l->dirty = true;
	l->stamp = ++soc->st->stamp;
	esp_probe_dma_write(soc, p->src, line, old, l->stamp);
	llc->offer_addr += words * soc->word;
	llc->offer_words -= words;
	llc->busy = soc->st->now + ESP_T_LLC + cycles;
	/* A flit that is wider than a line makes several offers. */
	if (llc->offer_words)
		return true;
	llc->offer = ESP_LLC_NO_OFFER;
	if (llc->offer_last) {
		llc->writing = false;
		esp_noc_free(soc, p);
	}
	return true;
}

/* While an L2's request waits for pending data, no new transaction begins. */
bool esp_llc_dma_pass(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];

	if (llc->reply)
		return read_line(soc, mem);
	if (llc->offer == ESP_LLC_NO_OFFER || (llc->stalled && !llc->writing))
		return false;
	if (llc->offer == ESP_LLC_OFFERS_WRITE)
		return write_line(soc, mem);
	begin_read(soc, mem);
	return read_line(soc, mem);
}

bool esp_llc_dma_active(const struct esp_soc *soc, unsigned int mem)
{
	return soc->llc[mem].reply || soc->llc[mem].writing;
}

void esp_llc_dma_reply(struct esp_soc *soc, unsigned int mem)
{
	struct esp_llc_state *llc = &soc->llc[mem];
	struct esp_packet *reply = &soc->packet[llc->reply];

	if (!llc->reply || !llc->read_pending)
		return;
	esp_mem_gives(soc, soc->mem_tile[mem], ESP_PL_DMA6, llc->read_pending);
	if (!llc->read_left)
		llc->reply = 0;
	esp_noc_more(soc, reply, llc->read_pending);
	llc->read_pending = 0;
}
