/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the parts of a socket share: an accelerator as its model sees it, its pace, and how a run fails. */
#include "esp/internal.h"

#include <stdio.h>

#include "esp/kernel.h"

struct mon_esp_acc esp_acc_of(const struct esp_soc *soc, unsigned int acc)
{
	return (struct mon_esp_acc) {
		.type = soc->kernel[acc],
		.regs = soc->acc[acc].config,
		.design_point = soc->design.tiles[soc->acc_tile[acc]].design_point,
		.state = soc->acc_data[acc],
		.now = soc->st->now,
		.big_endian = esp_big_endian(soc),
		.socket = (struct esp_soc *)soc,
		.number = acc,
	};
}

uint32_t esp_acc_beats(const struct esp_soc *soc, uint32_t bytes)
{
	return bytes / (soc->design.dma_noc_width / 8);
}

void esp_acc_arrives(struct esp_soc *soc, unsigned int acc, uint64_t cycle)
{
	struct mon_esp_acc user = esp_acc_of(soc, acc);

	user.now = cycle;
	user.type->arrives(&user);
}

void esp_acc_gives(struct esp_soc *soc, unsigned int acc, struct esp_packet *p, unsigned int heads)
{
	const struct esp_acc_state *a = &soc->acc[acc];

	uint64_t first = soc->st->now + 1 + heads;

	p->pace = a->store_pace;
	p->heads = heads;
	p->due = a->store_first * ESP_PACE_ONE + esp_acc_beats(soc, a->dma_moved) * (uint64_t)p->pace;
	if (p->due < first * ESP_PACE_ONE)
		p->due = first * ESP_PACE_ONE;
	p->due += ESP_T_FIFO * ESP_PACE_ONE;
}

uint64_t esp_acc_gave(const struct esp_soc *soc, const struct esp_packet *p)
{
	uint64_t flits = p->nflits - (p->sent > p->heads ? p->sent : p->heads), fifo = ESP_T_FIFO * ESP_PACE_ONE;
	uint64_t last = p->due + flits * p->pace - p->pace - fifo, room = soc->st->now * ESP_PACE_ONE + fifo;

	return p->sent && last < room ? room : last;
}

void esp_acc_transaction(struct esp_soc *soc, unsigned int acc, uint32_t address, uint32_t bytes, unsigned int partner)
{
	static const char *const names[] = { [ESP_DMA_PT] = "table", [ESP_DMA_LOAD] = "load", [ESP_DMA_STORE] = "store" };
	const struct esp_acc_state *a = &soc->acc[acc];
	const struct esp_transaction t = {
		.cycle = soc->st->now, .acc = acc, .tile = soc->acc_tile[acc], .what = names[a->dma_kind],
		.offset = a->dma_kind == ESP_DMA_PT ? 0 : a->dma_offset + a->dma_moved,
		.address = address, .bytes = bytes, .partner = partner,
	};

	if (soc->ops.transaction)
		soc->ops.transaction(soc->opaque, &t);
}

void esp_acc_fault(struct esp_soc *soc, unsigned int acc, const char *why)
{
	struct esp_acc_state *a = &soc->acc[acc];
	char text[512];

	if (a->failed)
		return;
	a->failed = true;
	snprintf(text, sizeof(text), "accelerator %u (%.64s): %.400s", acc, soc->design.tiles[soc->acc_tile[acc]].name,
		 why);
	if (soc->ops.failed)
		soc->ops.failed(soc->opaque, text);
	else
		esp_guest_error(soc, "%s", text);
}
