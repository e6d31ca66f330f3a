/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a tile does with a packet that has arrived, by plane and kind of tile.
 */
#include "esp/cache.h"

/*
 * Requests to a memory tile wait in its queues until its engines read them; all other messages are
 * taken as they come, because somebody waits for them and has room.
 */
bool esp_tile_queues(const struct esp_soc *soc, unsigned int plane, unsigned int tile)
{
	return soc->design.tiles[tile].kind == ESP_TILE_MEM &&
	       (plane == ESP_PL_REQ || plane == ESP_PL_DMA4 || plane == ESP_PL_DMA6);
}

static unsigned int cpu_of(const struct esp_soc *soc, unsigned int tile)
{
	return soc->design.tiles[tile].id;
}

static void register_plane(struct esp_soc *soc, unsigned int tile, struct esp_packet *p)
{
	struct esp_packet *reply;

	switch (p->type) {
	case ESP_MSG_REG_READ:
		reply = esp_noc_packet(soc, ESP_PL_REG, ESP_MSG_REG_DATA, tile, p->src, 2);
		esp_noc_send(soc, reply, 2, ESP_T_REGISTER);
		break;
	case ESP_MSG_REG_DATA:
		soc->st->cpu_packets[cpu_of(soc, tile)]--;
		break;
	case ESP_MSG_REG_WRITE:
		soc->st->cpu_packets[cpu_of(soc, p->src)]--;
		break;
	case ESP_MSG_IRQ:
		if (soc->ops.irq)
			soc->ops.irq(soc->opaque, soc->design.tiles[p->src].id);
		break;
	}
	esp_noc_free(soc, p);
}

void esp_tile_receive(struct esp_soc *soc, unsigned int tile, struct esp_packet *p)
{
	switch (p->plane) {
	case ESP_PL_REG:
		register_plane(soc, tile, p);
		break;
	case ESP_PL_DMA4:
	case ESP_PL_DMA6:
		if (soc->design.tiles[tile].kind == ESP_TILE_ACC)
			esp_dma_receive(soc, soc->design.tiles[tile].id, p);
		else
			esp_noc_free(soc, p);
		break;
	default:
		if (p->type == ESP_MSG_WORDS)
			soc->st->uncached[cpu_of(soc, tile)]--;
		else if (soc->design.tiles[tile].kind == ESP_TILE_MEM)
			esp_llc_response(soc, soc->design.tiles[tile].id, p);
		else if (soc->tile_cache[tile] != ESP_NONE)
			esp_l2_message(soc, soc->tile_cache[tile], p);
		esp_noc_free(soc, p);
	}
}
