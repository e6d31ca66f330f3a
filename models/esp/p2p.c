/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Point to point: a consumer sends its request to a producer instead of memory, and the producer's
 * store answers it.
 *
 * Request: header and length; answer: header and data. They travel like DMA: on plane 6 and back on
 * 4 in modes none and full, on plane 4 and back on 6 in the coherent ones. Sources take turns. A
 * store that is longer than a request waits for the next one. One that is shorter ends both runs.
 *
 * A multicast (release 2025.1) is a store that waits for MCAST + 1 requests and answers all of them
 * with one packet, whose header names all destinations; its length is that of the last request.
 * With bit PACKET in MCAST the data of an answer come in packets of SIZE + 1 flits.
 */
#include "esp/internal.h"

#include <stdio.h>
#include <string.h>

enum { P2P_SRC = 1 << 2, P2P_DST = 1 << 3, P2P_FIRST = 4 };

/* A transfer's own "user" overrides the register (esp_acc_dma.vhd, sample_rd and sample_wr). */
bool esp_p2p_has(const struct esp_soc *soc, unsigned int acc)
{
	const struct esp_acc_state *a = &soc->acc[acc];
	uint32_t bit = a->dma_kind == ESP_DMA_LOAD ? P2P_SRC : P2P_DST;

	return a->dma_kind != ESP_DMA_PT && (a->dma_user || a->regs[ESP_ACC_P2P / 4] & bit);
}

#define YX_ENTRIES	36u	/* of the table of tiles, four a register */

/* Tile of the source whose turn it is, or of the transfer's own; ESP_NONE: that tile has no accelerator. */
static unsigned int p2p_source(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];
	uint32_t reg = a->regs[ESP_ACC_P2P / 4], bits = esp_yx_width(soc), mask = (1u << bits) - 1;
	unsigned int n = a->p2p_turn++ % ((reg & 3) + 1), at = P2P_FIRST + 2 * bits * n, x, y, tile;

	if (a->dma_user) {
		n = a->dma_user % YX_ENTRIES;
		reg = a->regs[(ESP_ACC_YX + n / 4 * 4) / 4];
		at = 2 * bits * (n % 4);
	}
	/* The register does not hold all fields of a fourth source. */
	x = at < 32 ? reg >> at & mask : 0;
	y = at + bits < 32 ? reg >> (at + bits) & mask : 0;
	tile = y * soc->design.cols + x;
	if (x >= soc->design.cols || y >= soc->design.rows ||
	    soc->design.tiles[tile].kind != ESP_TILE_ACC ||
	    !soc->kernel[soc->design.tiles[tile].id]) {
		esp_guest_error(soc,
				"accelerator %u: no accelerator at row %u, column %u to read from",
				acc, y, x);
		return ESP_NONE;
	}
	return tile;
}

void esp_p2p_load(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];
	unsigned int mode = esp_dma_mode(soc, acc), tile = p2p_source(soc, acc);
	unsigned int plane =
		mode == ESP_COH_NONE || mode == ESP_COH_FULL ? ESP_PL_DMA6 : ESP_PL_DMA4;
	struct esp_packet *p;

	a->dma = ESP_DMA_P2P_LOAD;
	a->p2p_filled = a->p2p_got = 0;
	if (tile == ESP_NONE) {
		memset(esp_acc_data(soc, acc), 0, a->dma_bytes);
		a->p2p_got = a->dma_bytes;
		esp_wake(soc, ESP_AGENT(soc->acc_tile[acc], ESP_AG_ACC), soc->st->now + 1);
		return;
	}
	esp_acc_transaction(soc, acc, 0, a->dma_bytes, tile);
	p = esp_noc_packet(soc, plane, ESP_MSG_P2P_REQ, soc->acc_tile[acc], tile, 2);
	p->words = a->dma_bytes / soc->word;
	p->ticket = a->ticket;
	esp_noc_send(soc, p, 2, ESP_T_FIFO);
}

static void p2p_append(struct esp_soc *soc, struct esp_acc_state *a, uint32_t index)
{
	soc->packet[index].next = 0;
	if (a->p2p_last)
		soc->packet[a->p2p_last].next = index;
	else
		a->p2p_first = index;
	a->p2p_last = index;
}

void esp_p2p_request(struct esp_soc *soc, unsigned int acc, struct esp_packet *p)
{
	struct esp_acc_state *a = &soc->acc[acc];
	uint32_t index = esp_packet_index(soc, p);

	p->not_before = soc->st->now + ESP_T_FIFO;
	p2p_append(soc, a, index);
	esp_wake(soc, ESP_AGENT(soc->acc_tile[acc], ESP_AG_ACC), p->not_before);
}

static void drop_first(struct esp_soc *soc, struct esp_acc_state *a)
{
	struct esp_packet *p = &soc->packet[a->p2p_first];

	a->p2p_first = p->next;
	if (!a->p2p_first)
		a->p2p_last = 0;
	esp_noc_free(soc, p);
}

void esp_p2p_drop(struct esp_soc *soc, unsigned int acc)
{
	while (soc->acc[acc].p2p_first)
		drop_first(soc, &soc->acc[acc]);
}

/* Does the sender of a request still wait for the answer? */
static bool p2p_waits(const struct esp_soc *soc, const struct esp_packet *p)
{
	const struct esp_acc_state *to = &soc->acc[soc->design.tiles[p->src].id];

	return to->ticket == p->ticket && to->dma == ESP_DMA_P2P_LOAD;
}

/* Drops the requests whose senders do not wait any more. */
static void p2p_drop_stale(struct esp_soc *soc, struct esp_acc_state *a)
{
	uint32_t index = a->p2p_first, next;

	a->p2p_first = a->p2p_last = 0;
	for (; index; index = next) {
		struct esp_packet *p = &soc->packet[index];

		next = p->next;
		if (p2p_waits(soc, p))
			p2p_append(soc, a, index);
		else
			esp_noc_free(soc, p);
	}
}

/*
 * The consumer cannot read before the last flit has arrived, so its buffer takes the data now. The
 * length of a multicast is that of the last request: another consumer that asked for less loses the rest.
 */
static void hand_over(struct esp_soc *soc, unsigned int acc, struct esp_packet *request,
		      const struct esp_packet *answer)
{
	uint32_t words = answer->words;
	unsigned int consumer = soc->design.tiles[request->src].id;
	struct esp_acc_state *a = &soc->acc[acc], *to = &soc->acc[consumer];
	uint32_t taken = words < request->words ? words : request->words;

	memcpy(esp_acc_data(soc, consumer) + to->p2p_filled,
	       esp_acc_data(soc, acc) + a->dma_moved, taken * soc->word);
	esp_acc_transaction(soc, acc, 0, taken * soc->word, request->src);
	to->p2p_filled += taken * soc->word;
	request->words -= taken;
}

bool esp_p2p_is_answer(const struct esp_soc *soc, unsigned int acc, const struct esp_packet *p)
{
	const struct esp_acc_state *a = &soc->acc[acc];
	unsigned int i;

	if (a->dma != ESP_DMA_P2P_LOAD)
		return false;
	for (i = 0; i < p->more; i++)
		if (p->dsts[i] == soc->acc_tile[acc])
			return p->tickets[i] == (uint16_t)a->ticket;
	return p->ticket == a->ticket;
}

/* Consumers of the next packet; 0 if one of them has not sent its request. */
static unsigned int p2p_consumers(struct esp_soc *soc, const struct esp_acc_state *a)
{
	unsigned int wanted = 1, n = 0;
	uint32_t index;

	if (soc->design.multicast && a->dma_user)
		wanted = a->dma_user;
	else if (soc->design.multicast)
		wanted += a->regs[ESP_ACC_MCAST / 4] & ESP_ACC_MCAST_DESTS;
	if (wanted > soc->design.multicast_dests && wanted > 1)
		wanted = soc->design.multicast_dests;
	if (wanted > ESP_MAX_DESTS)
		wanted = ESP_MAX_DESTS;
	for (index = a->p2p_first; index && n < wanted; index = soc->packet[index].next) {
		uint64_t seen = soc->packet[index].not_before;

		if (seen > soc->st->now) {
			esp_wake(soc, ESP_AGENT(soc->packet[index].dst, ESP_AG_ACC), seen);
			break;
		}
		n++;
	}
	return n == wanted ? n : 0;
}

static uint32_t asked_by(const struct esp_soc *soc, uint32_t request)
{
	return soc->acc[soc->design.tiles[soc->packet[request].src].id].dma_bytes;
}

/*
 * A store ends only when its count meets its own length and the last request's (esp_acc_dma.vhd:1123-1153). If that
 * does not divide the store, it never does, or the count is too low afterwards and a later store goes out without a
 * request. A consumer of the same packet that asked for more waits for ever.
 */
static bool lengths_fit(struct esp_soc *soc, unsigned int acc, unsigned int n)
{
	uint32_t stored = soc->acc[acc].dma_bytes, last = 0, most = 0, index = soc->acc[acc].p2p_first;
	unsigned int i;

	for (i = 0; i < n; i++, index = soc->packet[index].next) {
		last = asked_by(soc, index);
		most = last > most ? last : most;
	}
	return !last || (most == last && !(stored % last));
}

static void end_run(struct esp_soc *soc, unsigned int acc, const char *why)
{
	esp_acc_fault(soc, acc, why);
	soc->acc[acc].dma = ESP_DMA_REFUSED;
	esp_wake(soc, ESP_AGENT(soc->acc_tile[acc], ESP_AG_ACC), soc->st->now + 1);
}

/* Of a store whose length does not fit, and of its consumers, one would hang. */
static void refuse(struct esp_soc *soc, unsigned int acc, unsigned int n)
{
	uint32_t index = soc->acc[acc].p2p_first;
	char why[160];

	for (; n; n--, index = soc->packet[index].next) {
		snprintf(why, sizeof(why), "a store of %u bytes meets a request of %u: requests have to be equal and divide "
			 "the store, or hardware hangs", soc->acc[acc].dma_bytes, asked_by(soc, index));
		end_run(soc, soc->design.tiles[soc->packet[index].src].id, why);
	}
	end_run(soc, acc, why);
}

void esp_p2p_store(struct esp_soc *soc, unsigned int acc, uint32_t bytes)
{
	struct esp_acc_state *a = &soc->acc[acc];
	uint32_t words = bytes / soc->word;
	uint32_t mcast = a->regs[ESP_ACC_MCAST / 4];
	/* flits of data in a packet, less one */
	uint32_t packet = (mcast / (ESP_ACC_MCAST_SIZE & -ESP_ACC_MCAST_SIZE) % 16 + 1) *
			  soc->words_per_flit;
	struct esp_packet *request, *p;
	unsigned int n, i;

	p2p_drop_stale(soc, a);
	n = p2p_consumers(soc, a);
	if (!n)
		return;
	request = &soc->packet[a->p2p_first];
	if (!lengths_fit(soc, acc, n)) {
		refuse(soc, acc, n);
		return;
	}
	for (i = 1, p = request; i < n; i++)
		p = &soc->packet[p->next];
	if (words > p->words)
		words = p->words;
	if (mcast & ESP_ACC_MCAST_PACKET && words > packet)
		words = packet;
	a->dma_now = words * soc->word;
	p = esp_noc_packet(soc, request->plane == ESP_PL_DMA6 ? ESP_PL_DMA4 : ESP_PL_DMA6,
			   ESP_MSG_P2P_DATA, soc->acc_tile[acc], request->src,
			   1 + (words + soc->words_per_flit - 1) / soc->words_per_flit);
	p->words = words;
	p->ticket = request->ticket;
	hand_over(soc, acc, request, p);
	for (i = 1; i < n; i++) {
		request = &soc->packet[request->next];
		p->dsts[p->more] = request->src;
		p->tickets[p->more++] = request->ticket;
		hand_over(soc, acc, request, p);
	}
	p->left = p->more;
	p->notify = a->ticket;
	esp_acc_gives(soc, acc, p, 1);
	a->dma = ESP_DMA_WAIT;
	a->dma_answered = false;
	a->p2p_sending = true;
	esp_noc_send(soc, p, p->nflits, ESP_T_FIFO);
	esp_noc_tell(soc, p->plane, p->src);
	a->p2p_more = mcast & ESP_ACC_MCAST_PACKET && request->words && a->dma_moved + a->dma_now < a->dma_bytes;
	for (; n && a->p2p_first && !soc->packet[a->p2p_first].words; n--)
		drop_first(soc, a);
}

void esp_p2p_continue(struct esp_soc *soc, unsigned int acc)
{
	const struct esp_acc_state *a = &soc->acc[acc];

	if (a->p2p_more)
		esp_p2p_store(soc, acc, a->dma_bytes - a->dma_moved);
}
