/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sockets of accelerators: registers and runs, DMA engine, point to point. */
#ifndef ESP_ACCELERATOR_H
#define ESP_ACCELERATOR_H

#include "esp/noc.h"

struct mon_esp_acc_request;

/* A transfer as its accelerator announced it, and how far it is. */
struct esp_acc_transfer {
	bool store;
	uint32_t offset, bytes, moved;
};

enum esp_acc_fsm {
	ESP_FSM_IDLE,
	ESP_FSM_FETCH,
	ESP_FSM_CONFIG,
	ESP_FSM_RUN,
	ESP_FSM_DONE,
	ESP_FSM_RESET
};
enum esp_dma_kind { ESP_DMA_PT, ESP_DMA_LOAD, ESP_DMA_STORE };
enum esp_dma_state {
	ESP_DMA_IDLE,
	ESP_DMA_SETUP,		/* handshake with the accelerator, translation of the first chunk */
	ESP_DMA_NEXT,		/* translation of the next chunk */
	ESP_DMA_WAIT,		/* for the last flit of an answer, or of its own packet */
	ESP_DMA_L2,		/* for the private L2 */
	ESP_DMA_P2P_LOAD,	/* for a producer's data */
	ESP_DMA_P2P_STORE,	/* for a consumer's request */
	ESP_DMA_HUNG,		/* an answer that went into the emptied TLB */
	ESP_DMA_REFUSED,	/* it would never end, and so the run ends */
};
#define ESP_ACC_WORDS		128
#define ESP_TLB_MAX		128

struct esp_acc_state {
	uint64_t counted;		/* last cycle that the counts below include */
	uint64_t tlb_cycles, mem_cycles, tot_cycles;
	uint32_t regs[ESP_ACC_WORDS];
	uint32_t config[ESP_ACC_WORDS];	/* the registers as taken at the start */
	uint32_t tlb[ESP_TLB_MAX];
	uint32_t tlb_entries;
	uint8_t fsm;
	bool start, run, done, tlb_valid, started;
	bool table_changed;		/* PT_ADDRESS was written during the run */
	/* the accelerator's pending request, or the end; it has its time */
	uint8_t asks;			/* enum mon_esp_acc_what */
	bool asked;
	uint64_t ask_at;
	uint32_t ask_offset, ask_bytes, ask_data;	/* data: place in its state */
	uint8_t ask_user;
	bool failed;			/* the run */
	/* DMA engine */
	uint8_t dma, dma_kind, dma_user;
	uint64_t dma_at;		/* cycle of its next step */
	uint32_t dma_data;		/* place of the transfer's data in the accelerator's state */
	uint32_t dma_offset;		/* virtual byte address of the transfer */
	uint32_t dma_bytes, dma_moved;	/* whole transfer, finished transactions */
	uint32_t dma_phys, dma_now;	/* current transaction: address and bytes */
	uint32_t translated;		/* the last address that the TLB gave */
	bool dma_answered;		/* its last flit came or went */
	uint32_t load_pace, store_pace;	/* in 1/256 cycles a beat */
	uint64_t store_first;		/* cycle in which it gives the first beat, or before */
	uint32_t measured;		/* longest load of the run whose pace is known, beats */
	bool dma_early;			/* the accelerator gets all data with the first flit of an answer */
	uint32_t dma_pace;		/* in which data that come are taken */
	uint64_t dma_taken;		/* 1/256 cycle in which it takes the last beat that came */
	uint32_t ticket;
	/* FULL: outstanding requests to the private L2 for the current transaction */
	uint32_t l2_next, l2_pending;
	uint32_t l2_orphans;		/* requested before a reset of the socket */
	/* point to point */
	bool p2p_sending;		/* the packet under way goes to a consumer */
	bool p2p_more;			/* and is not the last one of its answer */
	uint8_t p2p_before;		/* a bit each kind: its last transfer was one */
	uint32_t p2p_turn;
	uint32_t p2p_first, p2p_last;	/* requests to this producer */
	uint32_t p2p_filled, p2p_got;	/* bytes of the load, sent and received */
};

/* accelerator.c */
uint32_t esp_acc_read(struct esp_soc *soc, unsigned int acc, uint32_t offset);
void esp_acc_write(struct esp_soc *soc, unsigned int acc, uint32_t offset, uint32_t value);
void esp_acc_step(struct esp_soc *soc, unsigned int acc);
void esp_acc_reset(struct esp_soc *soc);
/* Brings the cycle counts up to now. Call it before each change of a state that they depend on. */
void esp_acc_account(struct esp_soc *soc, unsigned int acc);
/* What an accelerator asks for that was pending. */
void esp_acc_answer(struct esp_soc *soc, unsigned int acc,
		    const struct mon_esp_acc_request *request);
void esp_acc_clear_tlb(struct esp_soc *soc, unsigned int acc);
/* The run fails, and the user is told why with the transfer that the run is in, or its last one. */
void esp_acc_transfer_fault(struct esp_soc *soc, unsigned int acc, const char *why);
/* If a process has its turn: the transfer that it is at, or its last one. */
bool esp_acc_at(const struct esp_soc *soc, unsigned int acc, struct esp_acc_transfer *transfer);

/* An accelerator's pace: cycles of its first and last beat in the transfer under way or asked for. */
void esp_acc_pace(struct esp_soc *soc, unsigned int acc, bool load, uint64_t first, uint64_t last, uint32_t beats);

/* socket.c */
/* An accelerator as its model sees it. */
struct mon_esp_acc esp_acc_of(const struct esp_soc *soc, unsigned int acc);
uint32_t esp_acc_beats(const struct esp_soc *soc, uint32_t bytes);
/* The first data of a load have come, which are taken at a cycle. */
void esp_acc_arrives(struct esp_soc *soc, unsigned int acc, uint64_t cycle);
/* A packet of data leaves as the accelerator gives them, behind so many other flits. */
void esp_acc_gives(struct esp_soc *soc, unsigned int acc, struct esp_packet *packet, unsigned int heads);
/* When it gives the last of them, at its pace and if the send queue has a place from now on; in 1/256 cycles. */
uint64_t esp_acc_gave(const struct esp_soc *soc, const struct esp_packet *packet);
/* A transaction of the transfer under way begins; address 0: with another accelerator. */
void esp_acc_transaction(struct esp_soc *soc, unsigned int acc, uint32_t address, uint32_t bytes, unsigned int partner);
/* The run goes on and ends with STATUS's error bit. The user is told the first reason. */
void esp_acc_fault(struct esp_soc *soc, unsigned int acc, const char *why);

/* dma.c */
void esp_dma_start(struct esp_soc *soc, unsigned int acc, enum esp_dma_kind kind, uint32_t offset,
		   uint32_t bytes);
/* True when the current transfer has ended. */
bool esp_dma_step(struct esp_soc *soc, unsigned int acc);
/* Has the socket room for a flit? */
bool esp_dma_takes(struct esp_soc *soc, unsigned int acc, const struct esp_packet *packet, bool head);
/* A packet for the DMA engine, or the tail of one of its own left the tile. */
void esp_dma_receive(struct esp_soc *soc, unsigned int acc, struct esp_packet *packet);
void esp_dma_sent(struct esp_soc *soc, unsigned int acc, const struct esp_packet *packet);
/* The private L2 has served one request. */
void esp_dma_l2_done(struct esp_soc *soc, unsigned int acc);
/* Is the engine busy, as the monitors see it ("burst" in esp_acc_dma.vhd)? */
bool esp_dma_burst(const struct esp_acc_state *acc);
void esp_dma_cancel(struct esp_soc *soc, unsigned int acc);
/* The run ends in the middle of a store: the words that have been given leave at once. Not in mode FULL. */
void esp_dma_flush(struct esp_soc *soc, unsigned int acc, const struct esp_acc_transfer *transfer);
/* The pace of the load under way has become known, and when its first beat is taken. */
void esp_dma_pace(struct esp_soc *soc, unsigned int acc, uint64_t first);

/* p2p.c */
/* Does the transfer go to or come from another accelerator? */
bool esp_p2p_has(const struct esp_soc *soc, unsigned int acc);
/* Asks a producer for the whole transfer. */
void esp_p2p_load(struct esp_soc *soc, unsigned int acc);
/* Serves the oldest request, if there is one, with so many bytes at most. */
void esp_p2p_store(struct esp_soc *soc, unsigned int acc, uint32_t bytes);
/* After a packet: the next one of the same answer follows at once, if MCAST has its bit PACKET. */
void esp_p2p_continue(struct esp_soc *soc, unsigned int acc);
/* Drops all requests to a producer. */
void esp_p2p_drop(struct esp_soc *soc, unsigned int acc);
/* Does the accelerator still expect this packet? */
bool esp_p2p_is_answer(const struct esp_soc *soc, unsigned int acc,
		       const struct esp_packet *packet);
void esp_p2p_request(struct esp_soc *soc, unsigned int acc, struct esp_packet *packet);

#endif
