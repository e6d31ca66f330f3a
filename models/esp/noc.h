/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Packets, and the routers that carry them flit by flit. Tiles are only numbers here. */
#ifndef ESP_NOC_H
#define ESP_NOC_H

#include "esp/agent.h"

#define ESP_TILE_QUEUE		8	/* flits, asynchronous FIFOs between tile and router */
#define ESP_SOCKET_QUEUE	26	/* with an accelerator's queue behind it (acc_tile_q.vhd:322-374) */
#define ESP_RX_MAX		26	/* with the queue of a memory tile behind it */
#define ESP_MEM_TX		18	/* of a memory tile in front of it (mem_tile_q.vhd) */
#define ESP_PACE_ONE		256u	/* paces are in 1/256 cycles a beat */
#define ESP_MAX_DESTS		16	/* of a multicast, MAX_MCAST_DESTS at most */

enum esp_plane {		/* hardware's NoC plane p + 1 */
	ESP_PL_REQ, ESP_PL_FWD, ESP_PL_RSP, ESP_PL_DMA4, ESP_PL_REG, ESP_PL_DMA6,
};

enum esp_port { ESP_NORTH, ESP_SOUTH, ESP_WEST, ESP_EAST, ESP_LOCAL };

enum esp_message {
	ESP_MSG_NONE,
	/* plane REG */
	ESP_MSG_REG_READ, ESP_MSG_REG_DATA, ESP_MSG_REG_WRITE, ESP_MSG_IRQ,
	/* planes DMA4 and DMA6 */
	ESP_MSG_DMA_READ, ESP_MSG_DMA_WRITE, ESP_MSG_DMA_DATA, ESP_MSG_P2P_REQ, ESP_MSG_P2P_DATA,
	/* plane REQ; the GETs in the order of enum esp_access */
	ESP_MSG_GETS, ESP_MSG_GETM, ESP_MSG_GETS_I, ESP_MSG_PUTS, ESP_MSG_PUTM,
	ESP_MSG_LOAD, ESP_MSG_STORE,
	/* plane FWD */
	ESP_MSG_FWD_GETS, ESP_MSG_FWD_GETM, ESP_MSG_INV, ESP_MSG_FWD_GETM_LLC, ESP_MSG_INV_LLC,
	/* plane RSP */
	ESP_MSG_DATA, ESP_MSG_EDATA, ESP_MSG_INV_ACK, ESP_MSG_PUT_ACK, ESP_MSG_WORDS,
};

struct esp_packet {
	uint64_t addr;
	union {
		uint64_t stamp;	/* of the line's data, see l2.c */
		uint64_t due;	/* of DMA with a pace: cycle of its next data, in 1/256 */
	};
	uint64_t not_before;	/* first cycle for its header; later the cycle in which its last flit entered */
	uint32_t nflits, ready, sent, got;
	uint32_t pace;		/* in which its sender gives data; 0: a beat a cycle */
	uint32_t words;
	uint32_t next;		/* list link, 0 ends */
	uint32_t ticket;	/* of the requester, for late answers */
	uint16_t src, dst;
	uint16_t cache;		/* private cache that asked */
	uint8_t plane, type;
	uint8_t acks;		/* number of INV_ACKs to expect */
	uint8_t stale;		/* PUT_ACK: the sender was no longer the owner */
	uint8_t way;		/* the way of the LLC that probably has the line */
	uint8_t heads;		/* with a pace: flits before the data */
	uint32_t notify;	/* ticket of a sender that is told when it has given the tail; 0: none */
	/* multicast: destinations beside dst with the ends of their tickets; receivers but the last */
	uint8_t more, left;
	uint8_t dsts[ESP_MAX_DESTS - 1];
	uint16_t tickets[ESP_MAX_DESTS - 1];
};

/* Whether a flit passed in each of the last 32 cycles: bit n, n cycles before the last one that did. */
struct esp_recent {
	uint64_t last;
	uint32_t bits;
};

/* Ring of flits between the local output of a router and an agent that reads at its own pace. */
struct esp_rx {
	uint32_t flit[ESP_RX_MAX];
	uint64_t from[ESP_RX_MAX];	/* plane 6: cycle from which a place's flit can be read, or the place be filled */
	uint8_t head, count;
};

/* Of a memory tile: 6 flits of plane 1, 18 of planes 4 and 6 (mem_tile_q.vhd:199-337). */
static inline unsigned int esp_rx_depth(unsigned int plane)
{
	return ESP_TILE_QUEUE + (plane == ESP_PL_REQ ? 6 : 18);
}

#define ESP_FLIT_TAIL		1u
#define ESP_FLIT_HEAD		2u
#define ESP_FLIT_PACKET(f)	((f) >> 2)

struct esp_router {
	uint32_t out[ESP_NPORTS];	/* output registers */
	uint32_t order[ESP_NPORTS];	/* of an output's arbiter, see router.h */
	uint8_t head[ESP_NPORTS];	/* input FIFOs */
	uint8_t count[ESP_NPORTS];
	uint8_t way[ESP_NPORTS];	/* outputs of the packet that comes in, a bit each */
	/*
	 * One bit a port: input FIFOs that hold flits, output registers that do, outputs that
	 * belong to a packet until its tail; in this cycle: FIFOs read, registers sent.
	 */
	uint8_t ins, outs, locks, read, sent;
	bool slow;		/* its tile does not take a flit a cycle */
	/* Of the router for multicasts: outputs that are reserved, and for which inputs. */
	uint8_t reserved, reserved_for[ESP_NPORTS];
	/* Forks that compete: the input that was granted one, plus 1, until its tail; the order of grants. */
	uint8_t fork;
	uint32_t fork_order;
	uint32_t first, last;		/* packets that the tile sends, oldest first */
	struct esp_rx rx;
	struct esp_recent injected;
};

#define ESP_BITMAP		(ESP_MAX_TILES / 64)

struct esp_plane_state {
	uint64_t busy[ESP_BITMAP];	/* routers with flits */
	uint64_t sending[ESP_BITMAP];	/* tiles with packets to send */
	uint64_t injected, delivered;	/* flits since reset */
	uint64_t flight_from;		/* a packet alone on the plane, see flight.c */
	uint32_t flight, flight_links;
};

/* Receivers of a tile on a plane. */
struct esp_receiver {
	struct esp_agent_entry entry;	/* takes whole packets, and learns when packets have left; or */
	uint16_t queue;			/* agent that reads it at its own pace; 0: none */
};

/* packet.c */
/*
 * A new packet, not yet sent; never NULL. nflits counts header and data. Its owner fills the other
 * fields and calls esp_noc_send().
 */
struct esp_packet *esp_noc_packet(struct esp_soc *soc, unsigned int plane, enum esp_message type,
				  unsigned int src, unsigned int dst, uint32_t nflits);
/* ready: flits that may leave now; esp_noc_more() adds some. */
void esp_noc_send(struct esp_soc *soc, struct esp_packet *packet, uint32_t ready,
		  unsigned int latency);
void esp_noc_more(struct esp_soc *soc, struct esp_packet *packet, uint32_t flits);
/* The packets that a tile sends leave without a pace: its accelerator was reset. */
void esp_noc_hurry(struct esp_soc *soc, unsigned int plane, unsigned int tile);
void esp_noc_free(struct esp_soc *soc, struct esp_packet *packet);
/*
 * Has the send queue of a tile, of room flits, any for data of its packet? With mixed coherence modes over several
 * memory tiles, answers may wait for requests and requests for answers, in a circle. Hardware would
 * hang. The model gives room to an answer that has not moved for ESP_T_STUCK cycles.
 */
bool esp_noc_has_room(const struct esp_soc *soc, const struct esp_packet *packet, unsigned int room);

/* noc.c */
/* Calls the sender of the last packet if it asked for that and the send queue has a place for the tail. */
void esp_noc_tell(struct esp_soc *soc, unsigned int plane, unsigned int tile);
void esp_noc_step(struct esp_soc *soc, unsigned int plane);
/* Flits in a tile's send queue; late: as far as the tile knows, which has not seen what left in the last cycles. */
unsigned int esp_noc_queued(const struct esp_soc *soc, unsigned int plane, unsigned int tile, bool late);
/* Takes a flit out of the queue of a tile. */
void esp_noc_pop(struct esp_soc *soc, unsigned int plane, unsigned int tile);
void esp_noc_reset(struct esp_soc *soc);
bool esp_noc_new(struct esp_soc *soc);

/* flight.c: a packet that is alone on its plane. */
bool esp_flight_begin(struct esp_soc *soc, unsigned int plane, unsigned int tile);
/* False: its flits are in their places now, and move in this cycle. */
bool esp_flight_step(struct esp_soc *soc, unsigned int plane);
/* Places the flits for steps, because another packet comes or a monitor is read. */
void esp_flight_end(struct esp_soc *soc, unsigned int plane);
void esp_flights_end(struct esp_soc *soc);

/* No receiver exists: drops the packet. */
void esp_noc_drop(struct esp_soc *soc, unsigned int number, struct esp_packet *packet);

#endif
