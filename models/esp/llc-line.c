/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of an LLC: a way for one, its fill and write-back, and the forwards that take private
 * copies back. Below the engines that serve L2s (llc.c) and coherent DMA (llc-dma.c).
 */
#include "esp/directory.h"
#include "esp/probe.h"

void esp_llc_forward(struct esp_soc *soc, unsigned int mem, enum esp_message type, uint32_t line,
		     unsigned int to, unsigned int requester)
{
	unsigned int tile = soc->mem_tile[mem];
	struct esp_packet *p = esp_noc_packet(soc, ESP_PL_FWD, type, tile, soc->cache_tile[to], 2);

	p->addr = line;
	p->cache = requester;
	esp_count(soc, tile, ESP_MON_COH_FWD, 2);
	esp_noc_send(soc, p, 2, ESP_T_LLC);
}

void esp_llc_invalidate_sharers(struct esp_soc *soc, unsigned int mem, struct esp_llc_line *l)
{
	unsigned int cache;

	for (cache = 0; cache < soc->ncaches; cache++) {
		if (l->sharers & 1u << cache)
			esp_llc_forward(soc, mem, ESP_MSG_INV_LLC, l->line, cache, 0);
	}
	l->sharers = 0;
}

void esp_llc_recall(struct esp_soc *soc, unsigned int mem, struct esp_llc_line *l)
{
	soc->llc[mem].waiting = true;
	soc->llc[mem].wait_line = l->line;
	/* In SD the last owner's data are on their way already. */
	if (l->state == ESP_LLC_SD)
		esp_llc_invalidate_sharers(soc, mem, l);
	else
		esp_llc_forward(soc, mem, ESP_MSG_FWD_GETM_LLC, l->line, l->owner, 0);
}

uint64_t esp_llc_write_back(struct esp_soc *soc, unsigned int mem, struct esp_llc_line *l)
{
	if (!l->dirty)
		return 0;
	esp_probe_ddr_write(soc, l->line, l->stamp);
	return esp_ddr_burst(soc, mem, soc->line_words, ESP_BEAT_WRITE_BACK);
}

uint64_t esp_llc_fill(struct esp_soc *soc, unsigned int mem, struct esp_llc_line *l, uint32_t line)
{
	esp_llc_set_line(soc, l, line);
	l->stamp = esp_probe_ddr_read(soc, line);
	return esp_ddr_burst(soc, mem, soc->line_words, ESP_BEAT_FILL);
}

/*
 * The pulse of a pass: at its end; that of DMA also when it begins to wait for a private copy, and
 * then again when it is resumed (llc_process_request.sv:1068).
 */
enum esp_llc_outcome esp_llc_way(struct esp_soc *soc, unsigned int mem, uint32_t line, bool dma,
				 struct esp_llc_line **way, uint64_t *cycles)
{
	struct esp_llc_set set = esp_llc_set(soc, mem, line);
	unsigned int tile = soc->mem_tile[mem];
	struct esp_llc_line *l;
	bool evict;
	int at = esp_tags_find(set.tag, set.ways, line);

	if (at >= 0) {
		esp_count(soc, tile, ESP_MON_LLC_HIT, 1);
		*way = &set.line[at];
		return ESP_LLC_HIT;
	}
	at = esp_dir_choose(set, &evict);
	*way = l = &set.line[at];
	if (evict) {
		if (l->state == ESP_LLC_E || l->state == ESP_LLC_M || l->state == ESP_LLC_SD) {
			if (dma)
				esp_count(soc, tile, ESP_MON_LLC_MISS, 1);
			esp_llc_recall(soc, mem, l);
			return ESP_LLC_RECALL;
		}
		if (l->state == ESP_LLC_S)
			esp_llc_invalidate_sharers(soc, mem, l);
		*cycles += esp_llc_write_back(soc, mem, l);
		esp_dir_evicted(soc, set, at);
	}
	esp_count(soc, tile, ESP_MON_LLC_MISS, 1);
	return ESP_LLC_MISS;
}
