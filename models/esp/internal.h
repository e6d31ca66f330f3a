/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Internals of the ESP model.
 *
 * All state that changes is in one block of memory, the arena, and refers to other state by index
 * only: a copy of the block is a saved SoC. Everything that follows from the design alone is
 * outside.
 *
 * Layers from the lowest: agent.h (time), noc.h (packets and routers), then everything that counts
 * and moves data (monitor, mem-tile, cache.h, accelerator.h), register and processor accesses (csr,
 * cpu, fast), and soc.c, which includes all others and sets their callbacks.
 */
#ifndef ESP_INTERNAL_H
#define ESP_INTERNAL_H

#include "esp/accelerator.h"
#include "esp/agent.h"
#include "esp/noc.h"
#include "esp/soc.h"

#define ESP_NONE		0xffffu
#define ESP_NO_LINE		UINT32_MAX
#define ESP_MAX_CACHES	16	/* private caches of a SoC, width of the sharer vector */

/* Latency model, in tile cycles; docs/esp-model.md explains each. */
enum {
	ESP_T_DDR = 20,		/* first beat of a DDR burst after its grant */
	ESP_T_DMA_SETUP = 4,	/* DMA engine: translation and header before a transaction */
	ESP_T_TRANSLATE = 2,	/* of that */
	ESP_T_REGISTER = 2,	/* register request to reply in the addressed tile */
	ESP_T_LLC = 4,		/* one pass of the LLC's request engine */
	ESP_T_L2 = 2,		/* L2 from message to answer */
	ESP_T_L2_HIT = 1,
	/*
	 * From the write to an asynchronous FIFO to the read behind it, and back until the place is known to be free
	 * (inferred_async_fifo.vhd), with the queue of the tile.
	 */
	ESP_T_FIFO = 5,
	ESP_T_BUS = ESP_T_DDR + 2,	/* from a read to its first beat: dma_rd_request, dma_send_header */
	ESP_T_WRITTEN = 3,	/* from the last flit of a write to the next one: write_last_data, write_complete */
	ESP_T_STUCK = 65536,	/* an answer whose receiver does not take it, see esp_noc_has_room() */
};

struct esp_tile_state {
	uint32_t mon[ESPMON_NINDEX];	/* by ESPMON_INDEX() of the code */
	uint32_t shadow[ESPMON_NINDEX];
	uint32_t config[32];		/* 0x180..0x1fc */
	uint32_t burst;
};

enum esp_beat {
	ESP_BEAT_FILL,
	ESP_BEAT_WRITE_BACK,
	ESP_BEAT_DMA,
	ESP_BEAT_DMA_WRITE,
	ESP_BEAT_CPU,
	ESP_BEAT_CPU_WRITE,
	ESP_BEAT_BUSY,
	ESP_BEATS
};

/* Non-coherent DMA in a memory tile and its DDR controller. */
struct esp_mem_state {
	uint64_t ddr_free;		/* cycle from which the DDR bus is free */
	uint64_t stepped;		/* last cycle of the proxy */
	uint64_t next;			/* flit, not before this cycle */
	uint64_t read_from;		/* first data beat of the current read */
	uint64_t beats[ESP_BEATS];	/* number of beats by cause; their sum is DDR_WORD_TRANSFER */
	uint32_t reply;			/* packet of the current read */
	uint32_t read_done;		/* words */
	uint64_t busy_until;		/* the bus has the read's next word then; ESP_NEVER: not before there is room */
	bool last_word;			/* before BUSY, whose address the bus has already */
	bool writing;			/* between the first and the last beat of a write */
};

struct esp_state {
	uint64_t now;
	uint64_t reset_at;
	uint64_t stamp;			/* stamp of the last write, see cache.h */
	uint32_t free_packet;
	uint32_t packets_used;
	bool lost;			/* a packet was lost: counts are wrong until reset */
	uint32_t cpu_packets[ESP_MAX_CPUS];	/* register requests under way */
	uint32_t uncached[ESP_MAX_CPUS];	/* memory requests under way, caches disabled */
	struct esp_plane_state plane[ESP_NPLANES];
};

struct esp_fast;
struct esp_remote;
struct esp_l2_line;
struct esp_l2_state;
struct esp_llc_line;
struct esp_llc_state;
struct mon_esp_acc_type;

struct esp_l2_geometry {
	unsigned int sets, ways;
	uint32_t first, first_set;	/* of its lines and sets in the common arrays */
};

struct esp_soc {
	struct esp_design design;
	struct esp_params params;
	struct esp_soc_ops ops;
	void *opaque;

	/* from the design */
	unsigned int ntiles, word, line_shift, line_words, line_flits, words_per_flit, fifo_depth;
	unsigned int npackets, ncaches, l2_lines, l2_sets, bitmap_words;	/* lines and sets: of all L2s */
	uint64_t mem_per_tile;
	uint16_t io_tile, cpu_tile[ESP_MAX_CPUS], mem_tile[ESP_MAX_MEMS], acc_tile[ESP_MAX_ACCS];
	uint16_t cache_tile[ESP_MAX_CACHES], tile_cache[ESP_MAX_TILES];	/* ESP_NONE: has none */
	struct esp_l2_geometry l2_geometry[ESP_MAX_CACHES];
	const struct mon_esp_acc_type *kernel[ESP_MAX_ACCS];	/* NULL: third-party */
	/* accelerators in processes: the cycles up to which they make no request, and the earliest one */
	struct esp_remote *remote[ESP_MAX_ACCS];
	uint64_t horizon[ESP_MAX_ACCS], least_horizon;
	bool (*listen)(struct esp_soc *soc, bool wait);	/* true: the earliest one has grown */
	bool stands[ESP_MAX_ACCS];	/* its tile's clock does, because its process makes no progress */
	unsigned int standing;
	struct esp_fast *fast;
	struct esp_agenda agenda;
	struct esp_receiver *receiver;		/* [plane * ntiles + tile] */
	uint8_t *route;				/* [tile * ntiles + destination]: output port */
	void (*l2_loss)(void *opaque, unsigned int cpu, uint32_t line, bool whole);
	void *l2_loss_opaque;
	/* The L2 of an accelerator tile has served a request. */
	void (*l2_served)(struct esp_soc *soc, unsigned int acc);

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
	uint8_t *acc_data[ESP_MAX_ACCS];	/* each accelerator's own state */
};

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
static inline void esp_count(struct esp_soc *soc, unsigned int tile, unsigned int code, uint32_t n)
{
	soc->tile[tile].mon[ESPMON_INDEX(code)] += n;
}
uint32_t esp_monitor_read(struct esp_soc *soc, unsigned int tile, uint32_t offset);
void esp_monitor_burst(struct esp_soc *soc, unsigned int tile, uint32_t value);
void esp_monitor_reset(struct esp_soc *soc);

/* fast.c: adds the messages of immediate accesses to the monitors. */
bool esp_fast_new(struct esp_soc *soc);
void esp_fast_free(struct esp_soc *soc);
void esp_fast_reset(struct esp_soc *soc);
void esp_fast_fold(const struct esp_soc *soc);

/* Leon3 is ESP's only big-endian processor. */
static inline bool esp_big_endian(const struct esp_soc *soc)
{
	return soc->design.arch == ESP_ARCH_LEON3 && !soc->params.little_endian;
}

/* mem-tile.c */
/* Flits that a memory tile reads from its receive queue of a plane. */
static inline void esp_mem_takes(struct esp_soc *soc, unsigned int tile, enum esp_plane plane,
				 uint32_t flits)
{
	static const uint8_t code[ESP_NPLANES] = {
		[ESP_PL_REQ] = ESP_MON_COH_REQ, [ESP_PL_RSP] = ESP_MON_COH_RSP_RCV,
		[ESP_PL_DMA4] = ESP_MON_COH_DMA_REQ, [ESP_PL_DMA6] = ESP_MON_DMA_REQ,
	};

	esp_count(soc, tile, code[plane], flits);
}
/* Flits that it writes to its send queue. */
static inline void esp_mem_gives(struct esp_soc *soc, unsigned int tile, enum esp_plane plane,
				 uint32_t flits)
{
	static const uint8_t code[ESP_NPLANES] = {
		[ESP_PL_FWD] = ESP_MON_COH_FWD, [ESP_PL_RSP] = ESP_MON_COH_RSP_SND,
		[ESP_PL_DMA4] = ESP_MON_DMA_RSP, [ESP_PL_DMA6] = ESP_MON_COH_DMA_RSP,
	};

	esp_count(soc, tile, code[plane], flits);
}
/* Words on its DDR bus: the monitor of AHB counts all, that of AXI those that are written. */
static inline void esp_mem_words(struct esp_soc *soc, unsigned int mem, enum esp_beat why,
				 uint32_t words)
{
	soc->mem[mem].beats[why] += words;
	esp_count(soc, soc->mem_tile[mem], ESP_MON_DDR, words);
	if (why == ESP_BEAT_WRITE_BACK || why == ESP_BEAT_DMA_WRITE || why == ESP_BEAT_CPU_WRITE)
		esp_count(soc, soc->mem_tile[mem], ESPMON_ddr_writes, words);
}
void esp_mem_step(struct esp_soc *soc, unsigned int mem);
/* A burst of words on the DDR bus from now on; the cycles until its last beat. */
uint64_t esp_ddr_burst(struct esp_soc *soc, unsigned int mem, unsigned int words,
		       enum esp_beat why);

/* csr.c */
void esp_csr_reset(struct esp_soc *soc);
void esp_csr_receive(struct esp_soc *soc, unsigned int tile, struct esp_packet *packet);

/* cpu.c */
void esp_cpu_receive(struct esp_soc *soc, unsigned int cpu, struct esp_packet *packet);

/* Bytes of a transfer: whole beats of so many bytes. */
static inline uint64_t esp_whole_beats(uint64_t bytes, uint32_t beat)
{
	return (bytes + beat - 1) / beat * beat;
}

/* The data of the transfer under way. */
static inline uint8_t *esp_acc_data(const struct esp_soc *soc, unsigned int acc)
{
	return soc->acc_data[acc] + soc->acc[acc].dma_data;
}

/* Flits of one or more packets, and how many of them begin and end one. */
struct esp_flits {
	uint64_t n, heads, tails;
};

/* noc.c: the counts of its monitors (esp_tile_csr.vhd, router). NOC_INJECT: flits that a tile hands to its router. */
static inline void esp_noc_injects(struct esp_soc *soc, unsigned int plane, unsigned int tile, struct esp_flits flits)
{
	soc->st->plane[plane].injected += flits.n;
	esp_count(soc, tile, ESP_MON_NOC_INJECT(plane), flits.n);
}
/* NOC_EJECT: flits that the tile takes. */
static inline void esp_noc_ejects(struct esp_soc *soc, unsigned int plane, unsigned int tile, struct esp_flits flits)
{
	esp_count(soc, tile, ESP_MON_NOC_EJECT(plane), flits.n);
}
/*
 * NOC_QUEUE: for north, south, west and east the cycles in which the output register is valid, for
 * local those in which a flit goes to the tile or comes from it.
 */
static inline void esp_noc_occupies(struct esp_soc *soc, unsigned int plane, unsigned int tile,
				    unsigned int port, uint32_t cycles)
{
	esp_count(soc, tile, ESP_MON_NOC_QUEUE(plane, port), cycles);
}

/* Output port from tile towards dst. */
static inline unsigned int esp_noc_route(const struct esp_soc *soc, unsigned int tile,
					 unsigned int dst)
{
	return soc->route[tile * soc->ntiles + dst];
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

/* The flit at the head of a tile's queue, if the tile has seen it; 0 if there is none. */
static inline uint32_t esp_noc_peek(const struct esp_soc *soc, unsigned int plane, unsigned int tile)
{
	const struct esp_rx *rx = &esp_router(soc, plane, tile)->rx;

	if (!rx->count || (plane == ESP_PL_DMA6 && rx->from[rx->head] > soc->st->now))
		return 0;
	return rx->flit[rx->head];
}

static inline unsigned int esp_yx_width(const struct esp_soc *soc)
{
	return soc->design.coh_noc_width == 32 || soc->design.dma_noc_width == 32 ? 3 : 4;
}

/* Coherence mode after the hardware's overrides. */
static inline unsigned int esp_dma_mode(const struct esp_soc *soc, unsigned int acc)
{
	unsigned int coherence = soc->acc[acc].regs[ESP_ACC_COHERENCE / 4] & 3;

	if (!soc->design.caches)
		return ESP_COH_NONE;
	if (coherence == ESP_COH_FULL && soc->tile_cache[soc->acc_tile[acc]] == ESP_NONE)
		return ESP_COH_RECALL;
	return coherence;
}

#endif
