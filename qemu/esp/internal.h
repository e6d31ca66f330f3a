/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inside of the ESP model.
 *
 * All state that changes lives in one block of memory, the arena, and refers to itself by index
 * only: saving a SoC is copying the block. What follows from the design alone stands outside of it.
 *
 * Time: agents (six NoC planes, then four per tile) each have one wake-up cycle in a heap. An agent
 * that has nothing to do has no wake-up, so an idle SoC has no events. Within a cycle agents run in
 * the order of their numbers: first the planes, then the tiles.
 */
#ifndef ESP_INTERNAL_H
#define ESP_INTERNAL_H

#include "esp/soc.h"

#define ESP_NEVER		UINT64_MAX
#define ESP_NONE		0xffffu
#define ESP_NO_LINE		UINT32_MAX
#define ESP_MAX_CACHES	16	/* private caches of a SoC, width of the sharer vector */

/* Latency model, in tile cycles; docs/esp-model.md explains each. */
enum {
	ESP_T_DDR = 20,		/* first beat of a DDR burst after its grant */
	ESP_T_DMA_SETUP = 4,	/* DMA engine: translation and header before a transaction */
	ESP_T_REGISTER = 2,	/* register request to reply in the addressed tile */
	ESP_T_LLC = 4,		/* one pass of the LLC's request engine */
	ESP_T_L2 = 2,		/* L2 from message to answer */
	ESP_T_L2_HIT = 1,
};

#define ESP_TILE_QUEUE		8	/* flits, asynchronous FIFOs between tile and router */

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
	/* plane REQ */
	ESP_MSG_GETS, ESP_MSG_GETS_I, ESP_MSG_GETM, ESP_MSG_PUTS, ESP_MSG_PUTM,
	ESP_MSG_LOAD, ESP_MSG_STORE,
	/* plane FWD */
	ESP_MSG_FWD_GETS, ESP_MSG_FWD_GETM, ESP_MSG_INV, ESP_MSG_FWD_GETM_LLC, ESP_MSG_INV_LLC,
	/* plane RSP */
	ESP_MSG_DATA, ESP_MSG_EDATA, ESP_MSG_INV_ACK, ESP_MSG_PUT_ACK, ESP_MSG_WORDS,
};

struct esp_packet {
	uint64_t addr;
	uint64_t stamp;		/* of the line's data, see l2.c */
	uint64_t not_before;	/* first cycle in which its header may enter the network */
	uint32_t nflits, ready, sent, got;
	uint32_t words;
	uint32_t next;		/* list link, 0 ends */
	uint32_t ticket;	/* of the requester, for late answers */
	uint16_t src, dst;
	uint16_t cache;		/* private cache that asked */
	uint8_t plane, type;
	uint8_t acks;		/* INV_ACKs to expect */
	uint8_t dirty;
	uint8_t stale;		/* PUT_ACK: the sender was not the owner any more */
	uint8_t notify;		/* tell the sender when the tail has left */
};

/* Ring of flits between the local output of a router and an agent that reads at its own pace. */
struct esp_rx {
	uint32_t flit[ESP_TILE_QUEUE];
	uint8_t head, count;
};

#define ESP_FLIT_TAIL		1u
#define ESP_FLIT_HEAD		2u
#define ESP_FLIT_PACKET(f)	((f) >> 2)

struct esp_router {
	uint32_t out[ESP_NPORTS];	/* output registers, 0 is void */
	uint8_t head[ESP_NPORTS];	/* input FIFOs */
	uint8_t count[ESP_NPORTS];
	uint8_t lock[ESP_NPORTS];	/* input + 1 that holds the output until its tail */
	uint8_t turn[ESP_NPORTS];	/* round robin */
	uint16_t flits;			/* in FIFOs and output registers */
	uint32_t first, last;		/* packets that the tile sends, oldest first */
	struct esp_rx rx;
};

#define ESP_BITMAP		(ESP_MAX_TILES / 64)

struct esp_plane_state {
	uint64_t busy[ESP_BITMAP];	/* routers with flits */
	uint64_t sending[ESP_BITMAP];	/* tiles with packets to send */
	uint64_t injected, delivered;	/* flits since reset */
};

struct esp_tile_state {
	uint32_t mon[ESP_NMON];
	uint32_t shadow[ESP_NMON];
	uint32_t config[32];		/* 0x180..0x1fc */
	uint32_t burst;
};

enum esp_beat {
	ESP_BEAT_FILL,
	ESP_BEAT_WRITE_BACK,
	ESP_BEAT_DMA,
	ESP_BEAT_CPU,
	ESP_BEAT_BUSY,
	ESP_BEATS
};

/* Non-coherent DMA in a memory tile and its DDR controller. */
struct esp_mem_state {
	uint64_t ddr_free;		/* cycle from which the DDR bus is free */
	uint64_t stepped;		/* last cycle of the proxy */
	uint64_t read_from;		/* first data beat of the current read */
	uint64_t beats[ESP_BEATS];	/* by cause; their sum is DDR_WORD_TRANSFER */
	uint32_t reads, reads_last;	/* read requests, oldest first */
	uint32_t reply;			/* packet of the current read */
	uint32_t read_done;		/* words */
	uint32_t write_got;		/* flits of the current write */
	bool write_beats;		/* its first beat was taken */
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
	ESP_DMA_SETUP,		/* between transactions */
	ESP_DMA_WAIT,		/* for the last flit of an answer, or of the own packet */
	ESP_DMA_L2,		/* for the private L2 */
	ESP_DMA_P2P_LOAD,	/* for a producer's data */
	ESP_DMA_P2P_STORE,	/* for a consumer's request */
};
enum esp_slot_state {
	ESP_SLOT_FREE, ESP_SLOT_LOADING, ESP_SLOT_LOADED, ESP_SLOT_COMPUTING, ESP_SLOT_COMPUTED,
	ESP_SLOT_STORING,
};

#define ESP_ACC_WORDS		128
#define ESP_TLB_MAX		128
#define ESP_PLM_BYTES		32768	/* of one of the two ping-pong buffers */

struct esp_acc_state {
	uint64_t counted;		/* cycle up to which the cycle counts below are complete */
	uint64_t tlb_cycles, mem_cycles, tot_cycles;
	uint32_t regs[ESP_ACC_WORDS];
	uint32_t
		config[ESP_ACC_WORDS]; /* the registers as the accelerator took them at its start */
	uint32_t tlb[ESP_TLB_MAX];
	uint32_t tlb_entries;
	uint8_t fsm;
	bool start, run, done, abort, tlb_valid, started;
	bool table_changed;		/* PT_ADDRESS was written during the run */
	/* job pipeline */
	uint32_t job_load, job_compute, job_store, jobs;
	uint64_t compute_end;
	uint8_t slot[2];
	/* DMA engine */
	uint8_t dma, dma_kind, dma_slot;
	uint64_t dma_at;		/* cycle of its next step */
	uint32_t dma_offset;		/* virtual byte address of the transfer */
	uint32_t dma_bytes, dma_moved;	/* whole transfer, finished transactions */
	uint32_t dma_phys, dma_now;	/* current transaction: address and bytes */
	bool dma_answered;		/* its last flit came or went */
	uint32_t ticket;
	/* FULL: requests to the private L2 for the current transaction */
	uint32_t l2_next, l2_pending;
	/* point to point */
	bool p2p_sending;		/* the packet under way goes to a consumer */
	uint32_t p2p_turn;
	uint32_t p2p_first, p2p_last;	/* requests to this producer */
	uint32_t p2p_filled, p2p_got;	/* bytes of the load, sent and received */
};

struct esp_state {
	uint64_t now;
	uint64_t reset_at;
	uint64_t stamp;			/* of the last write */
	uint32_t free_packet;
	uint32_t packets_used;
	uint32_t cpu_packets[ESP_MAX_CPUS];	/* register requests under way */
	uint32_t uncached[ESP_MAX_CPUS];	/* memory requests under way, caches disabled */
	struct esp_plane_state plane[ESP_NPLANES];
};

struct esp_fast;
struct esp_kernel;
struct esp_l2_line;
struct esp_l2_state;
struct esp_llc_line;
struct esp_llc_state;

struct esp_l2_geometry {
	unsigned int sets, ways;
	uint32_t first, first_set;	/* of its lines and sets in the common arrays */
};

/*
 * For tests: called where data would move, see cache.h about stamps. Any may be NULL; the stamps of
 * lines in DRAM are the probe's. A write gives the stamp of the data that it changes,
 * ESP_WHOLE_LINE if it replaces them all, and the new one.
 */
#define ESP_WHOLE_LINE	UINT64_MAX
struct esp_probe {
	void *opaque;
	void (*load)(void *opaque, unsigned int cache, uint32_t line, uint64_t stamp);
	void (*store)(void *opaque, unsigned int cache, uint32_t line, uint64_t old,
		      uint64_t stamp);
	void (*dma_read)(void *opaque, unsigned int tile, uint32_t line, uint64_t stamp);
	void (*dma_write)(void *opaque, unsigned int tile, uint32_t line, uint64_t old,
			  uint64_t stamp);
	uint64_t (*ddr_read)(void *opaque, uint32_t line);
	void (*ddr_write)(void *opaque, uint32_t line, uint64_t stamp);
};

struct esp_soc {
	struct esp_design design;
	struct esp_params params;
	struct esp_soc_ops ops;
	void *opaque;

	/* from the design */
	unsigned int ntiles, word, line_shift, line_words, line_flits, words_per_flit, fifo_depth;
	unsigned int npackets, io_tile, ncaches;
	uint64_t mem_per_tile;
	uint16_t cpu_tile[ESP_MAX_CPUS], mem_tile[ESP_MAX_MEMS], acc_tile[ESP_MAX_ACCS];
	uint16_t cache_tile[ESP_MAX_CACHES], tile_cache[ESP_MAX_TILES];	/* ESP_NONE: has none */
	struct esp_l2_geometry l2_geometry[ESP_MAX_CACHES];
	const struct esp_kernel *kernel[ESP_MAX_ACCS];	/* NULL: third-party */
	struct esp_probe probe;
	struct esp_fast *fast;
	void (*l2_loss)(void *opaque, unsigned int cpu, uint32_t line, bool whole);
	void *l2_loss_opaque;

	/* arena */
	uint8_t *arena;
	size_t arena_size;
	struct esp_state *st;
	uint64_t *wake;
	struct esp_tile_state *tile;
	struct esp_packet *packet;
	struct esp_router *router;		/* [plane * ntiles + tile] */
	uint32_t *fifo;				/* [((plane * ntiles + tile) * 5 + port) * depth] */
	struct esp_mem_state *mem;
	struct esp_acc_state *acc;
	struct esp_l2_state *l2;
	struct esp_l2_line *l2_line;
	uint32_t *l2_tag;			/* its line, ESP_NO_LINE if it is invalid */
	uint8_t *l2_turn;
	struct esp_llc_state *llc;
	struct esp_llc_line *llc_line;		/* [(mem * sets + set) * ways + way] */
	uint32_t *llc_tag;			/* its line, ESP_NO_LINE if it is invalid */
	uint8_t *llc_turn;			/* [mem * sets + set] */
	uint8_t *plm;				/* [(acc * 2 + slot) * ESP_PLM_BYTES] */

	/* heap of agents by (wake, number); follows from wake[] */
	unsigned int nagents, heap_len;
	uint16_t *heap, *heap_pos;
};

/* Agents. */
enum esp_agent { ESP_AG_MEM, ESP_AG_LLC, ESP_AG_L2, ESP_AG_ACC, ESP_AGENTS };
#define ESP_AGENT(tile, what)	(ESP_NPLANES + (tile) * ESP_AGENTS + (what))

/* soc.c */
void esp_wake(struct esp_soc *soc, unsigned int agent, uint64_t cycle);
void esp_guest_error(struct esp_soc *soc, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static inline bool esp_mem_holds(const struct esp_soc *soc, uint64_t addr, uint64_t len)
{
	return soc->design.nmem && addr >= soc->params.mem_base && len <= soc->params.mem_size &&
	       addr - soc->params.mem_base <= soc->params.mem_size - len;
}
/*
 * Number of the memory tile. Main memory is split in equal contiguous ranges in the order of these
 * numbers.
 */
static inline unsigned int esp_mem_home(const struct esp_soc *soc, uint64_t addr)
{
	unsigned int mem;

	if (soc->design.nmem == 1)
		return 0;
	mem = (addr - soc->params.mem_base) / soc->mem_per_tile;
	return mem < soc->design.nmem ? mem : soc->design.nmem - 1;
}

/* monitor.c */
static inline void esp_count(struct esp_soc *soc, unsigned int tile, unsigned int index, uint32_t n)
{
	soc->tile[tile].mon[index] += n;
}
uint32_t esp_monitor_live(struct esp_soc *soc, unsigned int tile, unsigned int index);
uint32_t esp_monitor_read(struct esp_soc *soc, unsigned int tile, uint32_t offset);
void esp_monitor_burst(struct esp_soc *soc, unsigned int tile, uint32_t value);
void esp_monitor_reset(struct esp_soc *soc);

/* noc.c */
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
void esp_noc_free(struct esp_soc *soc, struct esp_packet *packet);
void esp_noc_step(struct esp_soc *soc, unsigned int plane);
/* Takes a flit out of the queue of a tile; 0 if it is empty. */
uint32_t esp_noc_peek(const struct esp_soc *soc, unsigned int plane, unsigned int tile);
void esp_noc_pop(struct esp_soc *soc, unsigned int plane, unsigned int tile);
void esp_noc_reset(struct esp_soc *soc);
/* Output port from tile towards dst; the tile behind a port. */
unsigned int esp_noc_route(const struct esp_soc *soc, unsigned int tile, unsigned int dst);
unsigned int esp_noc_neighbour(const struct esp_soc *soc, unsigned int tile, unsigned int port);

/* fast.c: adds what accesses at once have sent to the monitors. */
bool esp_fast_new(struct esp_soc *soc);
void esp_fast_free(struct esp_soc *soc);
void esp_fast_reset(struct esp_soc *soc);
void esp_fast_fold(const struct esp_soc *soc);

/* Leon3 is the one big-endian processor of ESP. */
static inline bool esp_big_endian(const struct esp_soc *soc)
{
	return soc->design.arch == ESP_ARCH_LEON3 && !soc->params.little_endian;
}

static inline unsigned int esp_packet_index(const struct esp_soc *soc, const struct esp_packet *p)
{
	return p - soc->packet;
}

static inline struct esp_router *esp_router(const struct esp_soc *soc, unsigned int plane,
					    unsigned int tile)
{
	return &soc->router[plane * soc->ntiles + tile];
}

/* tile.c: what a tile does with a packet that arrived. */
void esp_tile_receive(struct esp_soc *soc, unsigned int tile, struct esp_packet *packet);
bool esp_tile_queues(const struct esp_soc *soc, unsigned int plane, unsigned int tile);

/* mem-tile.c */
void esp_mem_step(struct esp_soc *soc, unsigned int mem);
/* A burst of words on the DDR bus from now on; the cycles until its last beat. */
uint64_t esp_ddr_burst(struct esp_soc *soc, unsigned int mem, unsigned int words,
		       enum esp_beat why);

/* csr.c */
void esp_csr_reset(struct esp_soc *soc);

/* accelerator.c */
uint32_t esp_acc_read(struct esp_soc *soc, unsigned int acc, uint32_t offset);
void esp_acc_write(struct esp_soc *soc, unsigned int acc, uint32_t offset, uint32_t value);
void esp_acc_step(struct esp_soc *soc, unsigned int acc);
void esp_acc_reset(struct esp_soc *soc);
/* Brings the cycle counts up to now; before each change of what they depend on. */
void esp_acc_account(struct esp_soc *soc, unsigned int acc);
void esp_acc_clear_tlb(struct esp_soc *soc, unsigned int acc);
static inline uint8_t *esp_acc_plm(const struct esp_soc *soc, unsigned int acc, unsigned int slot)
{
	return soc->plm + (size_t)(acc * 2 + slot) * ESP_PLM_BYTES;
}

/* dma.c */
void esp_dma_start(struct esp_soc *soc, unsigned int acc, enum esp_dma_kind kind, unsigned int slot,
		   uint32_t offset, uint32_t bytes);
/* True when the transfer that was started has ended. */
bool esp_dma_step(struct esp_soc *soc, unsigned int acc);
/* A packet for the DMA engine, or the tail of one of its own left the tile. */
void esp_dma_receive(struct esp_soc *soc, unsigned int acc, struct esp_packet *packet);
void esp_dma_sent(struct esp_soc *soc, unsigned int acc, struct esp_packet *packet);
/* The private L2 has served one request. */
void esp_dma_l2_done(struct esp_soc *soc, unsigned int acc);
/* Coherence mode after the hardware's overrides. */
unsigned int esp_dma_mode(const struct esp_soc *soc, unsigned int acc);
void esp_dma_cancel(struct esp_soc *soc, unsigned int acc);

/* p2p.c */
bool esp_p2p_is_load(const struct esp_soc *soc, unsigned int acc);
bool esp_p2p_is_store(const struct esp_soc *soc, unsigned int acc);
/* Asks a producer for the whole transfer. */
void esp_p2p_load(struct esp_soc *soc, unsigned int acc);
/* Serves the oldest request, if there is one. */
void esp_p2p_store(struct esp_soc *soc, unsigned int acc);
void esp_p2p_request(struct esp_soc *soc, unsigned int acc, struct esp_packet *packet);

static inline unsigned int esp_yx_width(const struct esp_soc *soc)
{
	return soc->design.coh_noc_width == 32 || soc->design.dma_noc_width == 32 ? 3 : 4;
}

#endif
