/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Socket of an accelerator: registers, state machine, and the accelerator's requests.
 *
 * idle -> fetch (page table) -> idle -> config -> run -> done. CMD = 0 leads back to idle through
 * reset, in done, or in run while the DMA engine is idle. While a transfer is requested or under
 * way, the socket ignores CMD (esp_acc_dma.vhd): CMD = 0 takes effect after the transfer, and CMD =
 * 0 followed by 1 during the transfer has no effect. Only a reset of the socket, for which ESP has
 * no register, ends a transfer that never completes because its TLB was emptied or its partner does
 * not answer.
 */
#include "esp/cache.h"

#include <stdio.h>
#include <string.h>

#include "esp/kernel.h"

#define PACE_MAX	(65536 * ESP_PACE_ONE)

static void acc_wake(struct esp_soc *soc, unsigned int acc, uint64_t cycle)
{
	esp_wake(soc, ESP_AGENT(soc->acc_tile[acc], ESP_AG_ACC), cycle);
}

/*
 * TLB: start and neither run nor done. MEM: run and the DMA engine at work. TOT: run or start, and
 * not done (esp_acc_tlb.vhd, monitors of the accelerator tile).
 */
void esp_acc_account(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];
	uint64_t cycles = soc->st->now - a->counted;

	a->counted = soc->st->now;
	if (a->done || soc->stands[acc])
		return;
	if (a->start && !a->run)
		a->tlb_cycles += cycles;
	if (a->run && esp_dma_burst(a))
		a->mem_cycles += cycles;
	if (a->run || a->start)
		a->tot_cycles += cycles;
}

void esp_acc_clear_tlb(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];

	if (a->run && a->tlb_valid)
		esp_guest_error(soc, "accelerator %u: an access to word 3 of its tile (PT_ADDRESS) "
				"empties the TLB while it runs: it hangs", acc);
	a->tlb_valid = false;
	a->tlb_entries = 0;
	acc_wake(soc, acc, soc->st->now + 1);
}

static uint32_t own_yx(const struct esp_soc *soc, unsigned int acc)
{
	unsigned int tile = soc->acc_tile[acc], cols = soc->design.cols;

	return (tile / cols) << esp_yx_width(soc) | tile % cols;
}

/* The constant register at an offset, or NULL. */
static const struct esp_acc_member *fixed_at(const struct esp_acc_row *row, uint32_t offset)
{
	const struct esp_acc_member *m;

	for (m = row->member; m < row->member + row->members; m++) {
		if (m->role == ESP_ACC_FIXED && m->offset == offset)
			return m;
	}
	return NULL;
}

uint32_t esp_acc_read(struct esp_soc *soc, unsigned int acc, uint32_t offset)
{
	struct esp_acc_state *a = &soc->acc[acc];
	const struct esp_acc_member *fixed;
	const struct esp_acc_row *row;

	if (!soc->kernel[acc])
		return 0;
	row = soc->kernel[acc]->row;
	switch (offset) {
	case ESP_ACC_STATUS:
		return (a->run ? ESP_ACC_STATUS_RUN : 0) | (a->done ? ESP_ACC_STATUS_DONE : 0) |
		       (a->done && a->failed ? ESP_ACC_STATUS_ERR : 0);
	case ESP_ACC_DEVID:
		return ESP_ACC_SLD | row->device;
	case ESP_ACC_PT_NCHUNK_MAX:
		return soc->design.scatter_gather ? row->chunks : 0;
	case ESP_ACC_YX:
		return a->regs[offset / 4] | own_yx(soc, acc);
	default:
		fixed = fixed_at(row, offset);
		return fixed ? fixed->least : a->regs[offset / 4];
	}
}

static void cut_off(struct esp_soc *soc, unsigned int acc)
{
	struct mon_esp_acc user = esp_acc_of(soc, acc);

	if (user.type->stop)
		user.type->stop(&user);
}

bool esp_acc_at(const struct esp_soc *soc, unsigned int acc, struct esp_acc_transfer *t)
{
	const struct mon_esp_acc user = esp_acc_of(soc, acc);

	return user.type->at && user.type->at(&user, t);
}

void esp_acc_transfer_fault(struct esp_soc *soc, unsigned int acc, const char *why)
{
	const struct esp_acc_state *a = &soc->acc[acc];
	unsigned int tile = soc->acc_tile[acc];
	struct esp_acc_transfer own, t = {
		.store = a->dma_kind == ESP_DMA_STORE, .offset = a->dma_offset,
		/* a page table is not the accelerator's */
		.bytes = a->dma_kind == ESP_DMA_PT ? 0 : a->dma_bytes,
		.moved = a->dma == ESP_DMA_P2P_LOAD ? a->p2p_got : a->dma_moved,
	};
	char text[400];

	/* what its process is at is not in the socket yet */
	if (esp_acc_at(soc, acc, &own)) {
		t = own;
		if (t.store && t.moved < t.bytes)
			esp_dma_flush(soc, acc, &t);
	}
	if (!t.bytes)
		snprintf(text, sizeof(text), "tile %u: %s", tile, why);
	else
		snprintf(text, sizeof(text), "tile %u: its %s%s of %u bytes at 0x%x had moved %u: %s", tile,
			 t.moved == t.bytes ? "last " : "", t.store ? "write" : "read", t.bytes, t.offset, t.moved, why);
	esp_acc_fault(soc, acc, text);
}

/* The driver ends a run, as after its time limit: what the accelerator waited for is known here alone. */
static void abandon(struct esp_soc *soc, unsigned int acc)
{
	static const char *const waits[] = {
		[ESP_DMA_IDLE] = "it had not set acc_done",
		[ESP_DMA_SETUP] = "it waited for its translation", [ESP_DMA_NEXT] = "it waited for its translation",
		[ESP_DMA_WAIT] = "it waited for the network", [ESP_DMA_L2] = "it waited for its private L2",
		[ESP_DMA_P2P_LOAD] = "it waited for data of another accelerator",
		[ESP_DMA_P2P_STORE] = "it waited for another accelerator to ask for its data",
		[ESP_DMA_HUNG] = "it waited for nothing that comes", [ESP_DMA_REFUSED] = "it waited for nothing that comes",
	};
	const char *wait = waits[soc->acc[acc].dma];
	struct esp_acc_transfer t;
	char why[96];

	if (esp_acc_at(soc, acc, &t) && t.moved < t.bytes)
		wait = t.store ? "it had not given the next word" : "it had not taken the next word";
	snprintf(why, sizeof(why), "%s, and the driver ended its run", wait);
	esp_acc_transfer_fault(soc, acc, why);
	cut_off(soc, acc);
}

/* CMD is 0 in a state that checks it: resets the accelerator, which takes a cycle. */
static void acc_leave(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];

	if (a->run)
		abandon(soc, acc);
	a->run = a->done = false;
	a->asked = false;
	a->fsm = ESP_FSM_RESET;
	acc_wake(soc, acc, soc->st->now + 1);
}

static bool checks_command(const struct esp_acc_state *a)
{
	return a->fsm == ESP_FSM_DONE || (a->fsm == ESP_FSM_RUN && a->dma == ESP_DMA_IDLE);
}

/*
 * On the network two writes of CMD are some cycles apart, even if the model's user gives them the
 * same cycle, so each write takes effect at once.
 */
static void acc_command(struct esp_soc *soc, unsigned int acc, bool start)
{
	struct esp_acc_state *a = &soc->acc[acc];

	a->start = start;
	if (!start && checks_command(a))
		acc_leave(soc, acc);
	if (start && !a->started && !a->done) {
		a->started = true;
		esp_count(soc, soc->acc_tile[acc], ESP_MON_ACC_INVOCATIONS, 1);
		/* The first monitors counted one run at a time (2021-06 to 2022-01). */
		if (soc->params.layout == 2021)
			a->tlb_cycles = a->mem_cycles = a->tot_cycles = 0;
	}
	acc_wake(soc, acc, soc->st->now + 1);
}

void esp_acc_write(struct esp_soc *soc, unsigned int acc, uint32_t offset, uint32_t value)
{
	struct esp_acc_state *a = &soc->acc[acc];

	if (!soc->kernel[acc])
		return;
	esp_acc_account(soc, acc);
	switch (offset) {
	case ESP_ACC_CMD:
		a->regs[0] = value;
		acc_command(soc, acc, value & 1);
		break;
	case ESP_ACC_PT_ADDRESS:
		if (a->run && !soc->params.tlb_quirk) {
			esp_guest_error(soc, "accelerator %u: PT_ADDRESS written while it runs",
					acc);
			a->table_changed = true;
		} else {
			esp_acc_clear_tlb(soc, acc);
		}
		a->regs[offset / 4] = value;
		break;
	case ESP_ACC_PT_SHIFT:
	case ESP_ACC_COHERENCE:
	case ESP_ACC_PT_NCHUNK:
	case ESP_ACC_P2P:
	case ESP_ACC_SRC_OFFSET:
	case ESP_ACC_DST_OFFSET:
	case ESP_ACC_SPANDEX:
	case ESP_ACC_MCAST:
		a->regs[offset / 4] = value;
		break;
	case ESP_ACC_YX:
		/* The low bits are read-only: the tile's own coordinates. */
		a->regs[offset / 4] = value & ~((1u << 2 * esp_yx_width(soc)) - 1);
		break;
	default:
		if (offset >= ESP_ACC_USER && offset < ESP_ACC_YX_END)
			a->regs[offset / 4] = value;
	}
}

static void acc_fetch(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];
	uint32_t n = a->regs[ESP_ACC_PT_NCHUNK / 4], max = soc->kernel[acc]->row->chunks;

	if (n > max) {
		esp_guest_error(soc,
				"accelerator %u: PT_NCHUNK %u is larger than its %u TLB entries",
				acc, n, max);
		n = max;
	}
	a->fsm = ESP_FSM_FETCH;
	a->tlb_entries = 0;
	esp_dma_start(soc, acc, ESP_DMA_PT, a->regs[ESP_ACC_PT_ADDRESS / 4], n * soc->word);
}

/* Checks a request of the accelerator: 0, or the error. */
static const char *take_request(struct esp_soc *soc, unsigned int acc,
				const struct mon_esp_acc_request *r)
{
	struct esp_acc_state *a = &soc->acc[acc];
	/* a process has a buffer of exactly the transfer's size */
	size_t at = (uint8_t *)r->data - soc->acc_data[acc];
	size_t size = soc->remote[acc] ? SIZE_MAX : soc->kernel[acc]->state_size;

	a->asks = r->what;
	a->ask_at = soc->st->now + r->after;
	a->asked = true;
	if (r->what == MON_ESP_ACC_PENDING)
		return NULL;
	if (r->what == MON_ESP_ACC_NOTHING)
		return r->after || soc->remote[acc] ? NULL : "it asks for nothing and does not wait";
	/* acc_done is sampled first */
	if (r->what == MON_ESP_ACC_DONE) {
		a->ask_at++;
		return r->error;
	}
	if (at > size || esp_whole_beats(r->bytes, soc->design.dma_noc_width / 8) > size - at)
		return "its transfer is larger than its state";
	a->ask_data = at;
	a->ask_offset = r->offset;
	a->ask_bytes = r->bytes;
	a->ask_user = r->user;
	return NULL;
}

static void take(struct esp_soc *soc, unsigned int acc, const struct mon_esp_acc_request *r)
{
	const char *error = take_request(soc, acc, r);

	if (!error)
		return;
	soc->acc[acc].asks = MON_ESP_ACC_DONE;
	if (r->failed)
		esp_acc_fault(soc, acc, error);
	else
		esp_guest_error(soc, "accelerator %u (%s): %s", acc,
				soc->design.tiles[soc->acc_tile[acc]].name, error);
}

void esp_acc_answer(struct esp_soc *soc, unsigned int acc,
		    const struct mon_esp_acc_request *request)
{
	take(soc, acc, request);
	acc_wake(soc, acc, soc->acc[acc].ask_at);
}

/* Cycles a beat as a row has them. */
static uint32_t pace_of(unsigned int cycles)
{
	return (cycles ? cycles : 1) * ESP_PACE_ONE;
}

static void acc_configure(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];
	struct mon_esp_acc user = esp_acc_of(soc, acc);

	memcpy(a->config, a->regs, sizeof(a->config));
	a->fsm = ESP_FSM_RUN;
	a->asked = a->failed = false;
	a->load_pace = pace_of(soc->kernel[acc]->row->load);
	a->store_pace = pace_of(soc->kernel[acc]->row->store);
	a->store_first = a->measured = 0;
	user.type->start(&user);
	if (user.request.what == MON_ESP_ACC_DONE)
		take(soc, acc, &user.request);
}

void esp_acc_pace(struct esp_soc *soc, unsigned int acc, bool load, uint64_t first, uint64_t last, uint32_t beats)
{
	struct esp_acc_state *a = &soc->acc[acc];
	uint64_t pace = beats > 1 && last > first ? (last - first) * ESP_PACE_ONE / (beats - 1) : 0;

	if (pace < ESP_PACE_ONE)
		pace = ESP_PACE_ONE;
	if (pace > PACE_MAX)
		pace = PACE_MAX;
	/* a short one does not tell that of a long one */
	if (load && 2 * beats >= a->measured)
		a->load_pace = pace;
	if (load)
		return;
	a->store_pace = pace;
	a->store_first = first;
}

/* If a program has filled the table of coordinates, transfers have to name their partners in it, or the run fails. */
static void expect_table_used(struct esp_soc *soc, unsigned int acc)
{
	const struct esp_acc_state *a = &soc->acc[acc];
	uint32_t offset;

	if (!soc->design.multicast || a->dma_user || soc->remote[acc])
		return;
	for (offset = ESP_ACC_YX + 4; offset < ESP_ACC_YX_END; offset += 4) {
		if (!a->regs[offset / 4])
			continue;
		esp_acc_fault(soc, acc, "the built-in model takes no table of coordinates: its transfers go where P2P and "
			      "MCAST say; give its source (mon-esp-acc)");
		return;
	}
}

static void accelerator_finish(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];
	unsigned int tile = soc->acc_tile[acc];
	struct esp_packet *irq =
		esp_noc_packet(soc, ESP_PL_REG, ESP_MSG_IRQ, tile, soc->io_tile, 1);

	expect_table_used(soc, acc);
	a->run = false;
	a->done = true;
	a->started = false;
	a->fsm = ESP_FSM_DONE;
	esp_noc_send(soc, irq, 1, 0);
	if (esp_dma_mode(soc, acc) == ESP_COH_FULL)
		esp_l2_flush(soc, soc->tile_cache[tile], false);
}

static void end_refused(struct esp_soc *soc, unsigned int acc)
{
	cut_off(soc, acc);
	esp_dma_cancel(soc, acc);
	accelerator_finish(soc, acc);
	/* CMD may be 0 already */
	acc_wake(soc, acc, soc->st->now + 1);
}

static void transfer_ended(struct esp_acc_state *a)
{
	if (a->dma_kind == ESP_DMA_PT) {
		a->tlb_valid = true;
		a->fsm = ESP_FSM_IDLE;
	}
}

/* Serves the accelerator's requests until one takes time. */
static void acc_run(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];

	if (a->dma != ESP_DMA_IDLE)
		return;
	while (!a->asked || a->asks == MON_ESP_ACC_NOTHING) {
		struct mon_esp_acc user = esp_acc_of(soc, acc);

		if (a->asked && a->ask_at > soc->st->now)
			break;
		user.type->next(&user);
		take(soc, acc, &user.request);
	}
	if (a->asks == MON_ESP_ACC_PENDING)
		return;
	if (a->ask_at > soc->st->now) {
		acc_wake(soc, acc, a->ask_at);
		return;
	}
	a->asked = false;
	if (a->asks == MON_ESP_ACC_READ)
		esp_dma_start(soc, acc, ESP_DMA_LOAD,
			      a->ask_offset + a->regs[ESP_ACC_SRC_OFFSET / 4], a->ask_bytes);
	else if (a->asks == MON_ESP_ACC_WRITE)
		esp_dma_start(soc, acc, ESP_DMA_STORE,
			      a->ask_offset + a->regs[ESP_ACC_DST_OFFSET / 4], a->ask_bytes);
	else
		accelerator_finish(soc, acc);
}

void esp_acc_step(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc];

	esp_acc_account(soc, acc);
	if (a->dma != ESP_DMA_IDLE && esp_dma_step(soc, acc)) {
		transfer_ended(a);
		acc_wake(soc, acc, soc->st->now + 1);
		/* the next request is looked at a cycle later */
		if (a->fsm == ESP_FSM_RUN && a->start)
			return;
	}
	if (a->dma == ESP_DMA_REFUSED) {
		end_refused(soc, acc);
		return;
	}
	if (!a->start && checks_command(a)) {
		acc_leave(soc, acc);
		return;
	}
	switch (a->fsm) {
	case ESP_FSM_IDLE:
		if (!a->start)
			break;
		if (soc->design.scatter_gather && !a->tlb_valid) {
			acc_fetch(soc, acc);
		} else {
			a->run = true;
			a->fsm = ESP_FSM_CONFIG;
			acc_wake(soc, acc, soc->st->now + 1);
		}
		break;
	case ESP_FSM_CONFIG:
		acc_configure(soc, acc);
		acc_wake(soc, acc, soc->st->now + 1);
		break;
	case ESP_FSM_RUN:
		acc_run(soc, acc);
		break;
	case ESP_FSM_RESET:
		a->fsm = ESP_FSM_IDLE;
		if (a->table_changed)
			a->tlb_valid = a->table_changed = false;
		if (a->start)
			acc_wake(soc, acc, soc->st->now + 1);
		break;
	}
	if ((a->dma == ESP_DMA_SETUP || a->dma == ESP_DMA_NEXT) && a->dma_at > soc->st->now)
		acc_wake(soc, acc, a->dma_at);
}

/* The cycle counts are the CSR's, which has a reset of its own. */
void esp_soc_reset_accelerator(struct esp_soc *soc, unsigned int acc)
{
	struct esp_acc_state *a = &soc->acc[acc], fresh = { 0 };

	if (acc >= soc->design.nacc || !soc->kernel[acc])
		return;
	esp_acc_account(soc, acc);
	if (a->run)
		abandon(soc, acc);
	esp_dma_cancel(soc, acc);
	esp_p2p_drop(soc, acc);
	fresh.counted = a->counted;
	fresh.tlb_cycles = a->tlb_cycles;
	fresh.mem_cycles = a->mem_cycles;
	fresh.tot_cycles = a->tot_cycles;
	fresh.started = a->started;
	fresh.ticket = a->ticket;
	fresh.l2_orphans = a->l2_orphans;
	*a = fresh;
}

void esp_acc_reset(struct esp_soc *soc)
{
	unsigned int acc;

	for (acc = 0; acc < soc->design.nacc; acc++) {
		soc->acc[acc].counted = soc->st->now;
		if (soc->kernel[acc])
			cut_off(soc, acc);
	}
}
