/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * DMA engine of an accelerator's socket: makes one transaction of each contiguous chunk of a
 * transfer, translated by the page table in the TLB.
 *
 * Guest memory is read when the last flit of the answer arrives and written when the last flit of
 * the request has left, one access a transaction. So an aborted transfer has moved whole
 * transactions.
 */
#include "esp/cache.h"

#include <stdio.h>
#include <string.h>

#include "esp/kernel.h"

/* Not before the accelerator has taken what has come. */
static void dma_wake(struct esp_soc *soc, unsigned int acc)
{
	uint64_t taken = soc->acc[acc].dma_taken / ESP_PACE_ONE, now = soc->st->now;

	esp_wake(soc, ESP_AGENT(soc->acc_tile[acc], ESP_AG_ACC), taken > now ? taken : now);
}

/* Of the transfer that begins. A page table and a store's requests are the socket's own. */
static void set_pace(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];
	unsigned int tile = soc->acc_tile[acc];

	a->dma_pace = a->dma_kind == ESP_DMA_LOAD && !a->dma_early ? a->load_pace : ESP_PACE_ONE;
	esp_router(soc, ESP_PL_DMA4, tile)->slow = a->dma_pace > ESP_PACE_ONE || a->dma_early;
	esp_router(soc, ESP_PL_DMA6, tile)->slow = a->dma_pace > ESP_PACE_ONE || a->dma_early;
}

void esp_dma_start(struct esp_soc *soc, unsigned int acc, enum esp_dma_kind kind, uint32_t offset,
		   uint32_t bytes)
{
	struct esp_acc_state *a = &soc->acc[acc];
	uint32_t beat = soc->design.dma_noc_width / 8;

	a->dma = ESP_DMA_SETUP;
	a->dma_kind = kind;
	a->dma_data = kind == ESP_DMA_PT ? 0 : a->ask_data;
	a->dma_user = kind == ESP_DMA_PT ? 0 : a->ask_user;
	a->dma_offset = offset;
	a->dma_bytes = kind == ESP_DMA_PT ? bytes : esp_whole_beats(bytes, beat);
	a->dma_moved = 0;
	a->dma_answered = a->p2p_sending = a->dma_early = false;
	set_pace(soc, acc);
	a->ticket++;
	/* the page table needs no handshake and no translation */
	a->dma_at = soc->st->now + (kind == ESP_DMA_PT ? 1 : ESP_T_DMA_SETUP);
	/* the TLB looks at the flag of the transfer before, see check_flag() */
	if (a->p2p_before & 1u << kind)
		a->dma_at -= ESP_T_TRANSLATE;
}

void esp_dma_cancel(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];

	a->dma = ESP_DMA_IDLE;
	a->ticket++;		/* late answers are dropped */
	a->dma_taken = 0;
	esp_noc_hurry(soc, ESP_PL_DMA4, soc->acc_tile[acc]);
	esp_noc_hurry(soc, ESP_PL_DMA6, soc->acc_tile[acc]);
	a->l2_orphans += a->l2_pending;
	a->l2_pending = 0;
}

/* Between two chunks the engine's state is "running": only the translation works. */
bool esp_dma_burst(const struct esp_acc_state *a)
{
	return a->dma != ESP_DMA_IDLE && a->dma != ESP_DMA_NEXT;
}

/* With an empty TLB nothing is translated, and a pending request stays pending. */
static bool can_translate(const struct esp_soc *soc, const struct esp_acc_state *a)
{
	return a->dma_kind == ESP_DMA_PT || !soc->design.scatter_gather || a->tlb_valid;
}

/* Address and length of the next transaction; false if it has no address. */
static bool dma_translate(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];
	uint32_t beat = soc->design.dma_noc_width / 8, left = a->dma_bytes - a->dma_moved;
	uint32_t v = a->dma_offset + a->dma_moved, shift, chunk, in_chunk;
	uint64_t room;
	char why[128];

	a->dma_now = left;
	if (a->dma_kind == ESP_DMA_PT || !soc->design.scatter_gather) {
		a->dma_phys = v;
		return true;
	}
	shift = a->regs[ESP_ACC_PT_SHIFT / 4] & 31;
	chunk = v >> shift;
	in_chunk = v & ((1u << shift) - 1);
	room = ((uint64_t)1 << shift) - in_chunk;
	/* A chunk smaller than a beat still moves one. */
	room = room < beat ? beat : room / beat * beat;
	if (a->dma_now > room)
		a->dma_now = room;
	if (chunk >= a->tlb_entries) {
		snprintf(why, sizeof(why), "its transfer at 0x%x lies in chunk %u, its buffer has %u: it moves nothing", v,
			 chunk, a->tlb_entries);
		esp_acc_fault(soc, acc, why);
		return false;
	}
	a->dma_phys = a->translated = a->tlb[chunk] + in_chunk;
	return true;
}

static void page_table(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];
	const struct mon_esp_acc words = { .big_endian = esp_big_endian(soc) };
	uint8_t table[ESP_TLB_MAX * 8] = { 0 };
	unsigned int i;

	if (!soc->ops.mem_read(soc->opaque, a->dma_phys, table, a->dma_bytes)) {
		esp_guest_error(soc, "accelerator %u: page table at 0x%x cannot be read", acc,
				a->dma_phys);
		memset(table, 0, sizeof(table));
	}
	a->tlb_entries = a->dma_bytes / soc->word;
	for (i = 0; i < a->tlb_entries; i++)
		a->tlb[i] = mon_esp_acc_get32(&words, table + i * soc->word);
}

static void load_data(struct esp_soc *soc, unsigned int acc, bool valid)
{
	struct esp_acc_state *a = &soc->acc[acc];
	uint8_t *data = esp_acc_data(soc, acc) + a->dma_moved;

	if (!valid || !soc->ops.mem_read(soc->opaque, a->dma_phys & ~(soc->word - 1), data, a->dma_now))
		memset(data, 0, a->dma_now);
}

/* Moves the data of the current transaction; valid: its address is memory. */
static void dma_move(struct esp_soc *soc, unsigned int acc, bool valid)
{
	struct esp_acc_state *a = &soc->acc[acc];
	uint8_t *data = esp_acc_data(soc, acc) + a->dma_moved;
	/* Low address bits do not exist on the bus. */
	uint32_t phys = a->dma_phys & ~(soc->word - 1);

	if (a->dma_kind == ESP_DMA_PT) {
		if (valid)
			page_table(soc, acc);
		else
			a->tlb_entries = 0;
	} else if (a->dma_kind == ESP_DMA_LOAD) {
		load_data(soc, acc, valid);
	} else if (valid && !soc->ops.mem_write(soc->opaque, phys, data, a->dma_now)) {
		esp_guest_error(soc, "accelerator %u: DMA write to 0x%x dropped", acc, phys);
	}
	a->dma_moved += a->dma_now;
}

static void dma_request(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];
	unsigned int tile = soc->acc_tile[acc], mode = esp_dma_mode(soc, acc);
	unsigned int home = soc->mem_tile[esp_mem_home(soc, a->dma_phys)];
	unsigned int plane = mode == ESP_COH_NONE ? ESP_PL_DMA6 : ESP_PL_DMA4;
	uint32_t words = (a->dma_now + soc->word - 1) / soc->word;
	uint32_t data = (words + soc->words_per_flit - 1) / soc->words_per_flit;
	struct esp_packet *p;

	a->dma_answered = false;
	esp_acc_transaction(soc, acc, a->dma_phys, a->dma_now, home);
	if (mode == ESP_COH_FULL) {
		a->dma = ESP_DMA_L2;
		a->l2_next = a->l2_pending = 0;
		dma_wake(soc, acc);
		return;
	}
	a->dma = ESP_DMA_WAIT;
	if (a->dma_kind == ESP_DMA_STORE) {
		/* A coherent write has no length word; its tail ends it. */
		p = esp_noc_packet(soc, plane, ESP_MSG_DMA_WRITE, tile, home,
				   (mode == ESP_COH_NONE ? 3 : 2) + data);
		p->notify = a->ticket;
		esp_acc_gives(soc, acc, p, p->nflits - data);
	} else {
		p = esp_noc_packet(soc, plane, ESP_MSG_DMA_READ, tile, home, 3);
	}
	p->addr = a->dma_phys & ~(soc->word - 1);
	p->words = words;
	p->ticket = a->ticket;
	esp_noc_send(soc, p, p->nflits, ESP_T_FIFO);
	esp_noc_tell(soc, plane, tile);
}

void esp_dma_flush(struct esp_soc *soc, unsigned int acc, const struct esp_acc_transfer *t)
{
	struct esp_acc_state *a = &soc->acc[acc];

	esp_dma_start(soc, acc, ESP_DMA_STORE, t->offset, t->bytes);
	if (esp_p2p_has(soc, acc)) {
		esp_p2p_store(soc, acc, t->moved);
	} else if (can_translate(soc, a) && esp_dma_mode(soc, acc) != ESP_COH_FULL) {
		a->dma_bytes = t->moved;
		/* also of no word: the header has left */
		while (dma_translate(soc, acc) && esp_mem_holds(soc, a->dma_phys, a->dma_now)) {
			dma_request(soc, acc);
			dma_move(soc, acc, true);
			if (a->dma_moved == a->dma_bytes)
				break;
		}
	}
	esp_dma_cancel(soc, acc);
}

/* FULL: one read for each line, one write for each word. */
static void ask_l2(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];
	unsigned int cache = soc->tile_cache[soc->acc_tile[acc]];
	uint32_t line_bytes = 1u << soc->line_shift;

	while (a->l2_next < a->dma_now) {
		uint32_t addr = (a->dma_phys & ~(soc->word - 1)) + a->l2_next;
		bool store = a->dma_kind == ESP_DMA_STORE;

		if (a->l2_pending >= ESP_MSHRS ||
		    !esp_l2_ask(soc, cache, store ? ESP_STORE : ESP_LOAD, addr >> soc->line_shift))
			return;
		a->l2_pending++;
		a->l2_next += store ? soc->word : line_bytes - addr % line_bytes;
	}
	if (!a->l2_pending)
		a->dma_answered = true;
}

void esp_dma_l2_done(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];

	if (a->l2_orphans) {
		a->l2_orphans--;
		return;
	}
	a->l2_pending--;
	dma_wake(soc, acc);
}

/* Ends or continues a transfer after a transaction. */
static void next_transaction(struct esp_soc *soc, struct esp_acc_state *a, enum esp_dma_state state)
{
	a->dma = state;
	a->dma_at = soc->st->now + ESP_T_DMA_SETUP;
}

/*
 * In mode FULL the engine goes to fully_coherent_request for every message, and requests a write
 * from the L2 for all but a read from memory (esp_acc_dma.vhd:870-885, 971-1014). So a request to
 * another accelerator is never sent, and an answer's data leave without a header. Neither transfer
 * ends.
 */
static void hang_in_full(struct esp_soc *soc, unsigned int acc)
{
	esp_guest_error(soc, "accelerator %u: a transfer from or to another accelerator in mode FULL "
			"goes to its own L2 and never ends: use another mode", acc);
	soc->acc[acc].dma = ESP_DMA_HUNG;
}

/* Does a process have to take the data before the model knows how fast? They are in one transaction then. */
static bool wants_early(const struct esp_soc *soc, unsigned int acc)
{
	const struct esp_acc_state *a = &soc->acc[acc];

	return soc->kernel[acc]->arrives && a->dma_kind == ESP_DMA_LOAD && a->dma_now == a->dma_bytes &&
	       esp_acc_beats(soc, a->dma_bytes) > a->measured && esp_dma_mode(soc, acc) != ESP_COH_FULL;
}

/*
 * The TLB looks at the P2P flag of the transfer before in the same direction (esp_acc_tlb.vhd:244, 253). So the first
 * transfer from or to another accelerator is translated and split like memory, and hangs if it is more than one chunk. The
 * first one from or to memory after it is not: it takes the address that was translated last. Here it takes its own.
 */
static void check_flag(struct esp_soc *soc, unsigned int acc, bool p2p)
{
	struct esp_acc_state *a = &soc->acc[acc];
	uint32_t shift = a->regs[ESP_ACC_PT_SHIFT / 4] & 31, direction = 1u << a->dma_kind, chunk = a->dma_offset >> shift;
	bool before = a->p2p_before & direction, split = chunk != (a->dma_offset + a->dma_bytes - 1) >> shift;
	uint32_t phys = chunk < a->tlb_entries ? a->tlb[chunk] + (a->dma_offset & ((1u << shift) - 1)) : 0;

	if (before == p2p || !soc->design.scatter_gather || !a->dma_bytes)
		return;
	a->p2p_before ^= direction;
	if (p2p && split)
		esp_acc_fault(soc, acc, "its first transfer with another accelerator crosses a chunk of its page table, and "
			      "hardware hangs");
	else if (!p2p && (split || phys != a->translated))
		esp_acc_fault(soc, acc, "its first transfer with memory after one with another accelerator: hardware takes "
			      "the address of an earlier transfer (the next run is right)");
	a->translated = phys;
}

static void begin(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];
	char why[128];
	bool valid, p2p;

	if (!can_translate(soc, a))
		return;
	p2p = esp_p2p_has(soc, acc);
	if (a->dma_kind != ESP_DMA_PT)
		check_flag(soc, acc, p2p);
	if (p2p) {
		if (esp_dma_mode(soc, acc) == ESP_COH_FULL) {
			hang_in_full(soc, acc);
		} else if (a->dma_kind == ESP_DMA_LOAD) {
			esp_p2p_load(soc, acc);
		} else {
			a->dma = ESP_DMA_P2P_STORE;
			dma_wake(soc, acc);
		}
		return;
	}
	valid = dma_translate(soc, acc);
	if (valid && !esp_mem_holds(soc, a->dma_phys, a->dma_now)) {
		snprintf(why, sizeof(why), "%s of %u bytes at 0x%x is outside memory",
			 a->dma_kind == ESP_DMA_PT ? "its page table" : "its transfer", a->dma_now, a->dma_phys);
		if (a->dma_kind == ESP_DMA_PT)
			esp_guest_error(soc, "accelerator %u: %s", acc, why);
		else
			esp_acc_fault(soc, acc, why);
		valid = false;
	}
	if (valid) {
		a->dma_early = wants_early(soc, acc);
		set_pace(soc, acc);
		dma_request(soc, acc);
		return;
	}
	dma_move(soc, acc, false);
	next_transaction(soc, a, ESP_DMA_NEXT);
}

/* The current transaction is complete. */
static void complete(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];

	/* A load whose TLB was emptied takes its data for a page table, and waits. */
	if (a->dma_kind == ESP_DMA_LOAD && !can_translate(soc, a)) {
		a->dma = ESP_DMA_HUNG;
	} else if (a->dma == ESP_DMA_P2P_LOAD) {
		a->dma_moved = a->dma_bytes;
		next_transaction(soc, a, ESP_DMA_NEXT);
	} else if (a->p2p_sending) {
		a->p2p_sending = false;
		a->dma_moved += a->dma_now;
		next_transaction(soc, a, ESP_DMA_SETUP);
		esp_p2p_continue(soc, acc);
	} else {
		dma_move(soc, acc, true);
		next_transaction(soc, a, ESP_DMA_NEXT);
	}
}

/* The last beat that came; if it has not, the engine is woken when it has. */
static bool has_taken(struct esp_soc *soc, unsigned int acc)
{
	if (soc->st->now >= soc->acc[acc].dma_taken / ESP_PACE_ONE)
		return true;
	dma_wake(soc, acc);
	return false;
}

bool esp_dma_step(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];

	switch (a->dma) {
	case ESP_DMA_L2:
		ask_l2(soc, acc);
	/* fall through */
	case ESP_DMA_WAIT:
		if (a->dma_answered && has_taken(soc, acc))
			complete(soc, acc);
		break;
	case ESP_DMA_P2P_LOAD:
		if (a->p2p_got >= a->dma_bytes && has_taken(soc, acc))
			complete(soc, acc);
		break;
	case ESP_DMA_P2P_STORE:
		esp_p2p_store(soc, acc, a->dma_bytes - a->dma_moved);
		break;
	case ESP_DMA_SETUP:
	case ESP_DMA_NEXT:
		if (soc->st->now >= a->dma_at && a->dma_moved < a->dma_bytes)
			begin(soc, acc);
		break;
	}
	if ((a->dma != ESP_DMA_SETUP && a->dma != ESP_DMA_NEXT) || a->dma_moved < a->dma_bytes)
		return false;
	/* without a TLB the end of the transfer is not signalled */
	if (!can_translate(soc, a)) {
		a->dma = ESP_DMA_NEXT;
		return false;
	}
	a->dma = ESP_DMA_IDLE;
	return true;
}

static void hand_early(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];

	a->dma_early = false;
	a->measured = esp_acc_beats(soc, a->dma_bytes);
	load_data(soc, acc, true);
	esp_acc_arrives(soc, acc, a->dma_taken / ESP_PACE_ONE);
}

void esp_dma_pace(struct esp_soc *soc, unsigned int acc, uint64_t first)
{
	struct esp_acc_state *a = &soc->acc[acc];

	if (a->dma_taken < first * ESP_PACE_ONE)
		a->dma_taken = first * ESP_PACE_ONE;
	set_pace(soc, acc);
}

/*
 * The accelerator takes a beat of a load when it has come, and a time after the one before. Those that came and are not
 * taken are in the socket's queues.
 */
bool esp_dma_takes(struct esp_soc *soc, unsigned int acc, const struct esp_packet *p, bool head)
{
	struct esp_acc_state *a = &soc->acc[acc];
	uint64_t now = soc->st->now * ESP_PACE_ONE, came = now + ESP_T_FIFO * ESP_PACE_ONE;

	/* late answers are dropped */
	if (p->type == ESP_MSG_P2P_REQ || (a->dma != ESP_DMA_WAIT && a->dma != ESP_DMA_P2P_LOAD))
		return true;
	/* the router sees late that a place is free */
	if (a->dma_taken + (ESP_T_FIFO - 1) * ESP_PACE_ONE >= now + (ESP_SOCKET_QUEUE - 1) * (uint64_t)a->dma_pace)
		return false;
	a->dma_taken += a->dma_pace;
	if (a->dma_taken < came)
		a->dma_taken = came;
	/* the socket takes a header itself, in a cycle */
	if (head)
		a->dma_taken -= a->dma_pace - ESP_PACE_ONE;
	else if (a->dma_early && p->ticket == a->ticket)
		hand_early(soc, acc);
	return true;
}

void esp_dma_receive(struct esp_soc *soc, unsigned int acc, struct esp_packet *p)
{
	struct esp_acc_state *a = &soc->acc[acc];

	if (p->type == ESP_MSG_P2P_REQ) {
		esp_p2p_request(soc, acc, p);
		return;
	}
	if (p->type == ESP_MSG_P2P_DATA ? esp_p2p_is_answer(soc, acc, p) : p->ticket == a->ticket) {
		if (p->type == ESP_MSG_DMA_DATA && a->dma == ESP_DMA_WAIT)
			a->dma_answered = true;
		else if (p->type == ESP_MSG_P2P_DATA)
			a->p2p_got += p->words * soc->word;
		dma_wake(soc, acc);
	}
	/* of a multicast the last receiver */
	if (p->left)
		p->left--;
	else
		esp_noc_free(soc, p);
}

void esp_dma_sent(struct esp_soc *soc, unsigned int acc, const struct esp_packet *p)
{
	struct esp_acc_state *a = &soc->acc[acc];

	if (a->dma != ESP_DMA_WAIT || p->notify != a->ticket)
		return;
	a->dma_answered = true;
	a->dma_taken = esp_acc_gave(soc, p);
	dma_wake(soc, acc);
}
