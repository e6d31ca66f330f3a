/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Register accesses of a CPU: decoding of the APB window, tile configuration registers, and the
 * traffic of each access on plane 5.
 *
 * A read returns the value at the moment of the call; the flits of request and reply cross the
 * network after it. So a counter never includes the read that reads it.
 */
#include "esp/cache.h"

/* Register accesses of a CPU that may be under way before the next one waits. */
#define MAX_UNDER_WAY	64

/* The registers that an access goes to. */
struct csr_target {
	enum { TO_NOTHING, TO_UART, TO_CSR, TO_ACC, TO_L2, TO_LLC } what;
	unsigned int number, tile;	/* the number among its kind */
	uint32_t reg;
};

static struct csr_target decode(const struct esp_soc *soc, uint32_t offset)
{
	const struct esp_design *d = &soc->design;
	const struct {
		uint32_t base, stride;
		unsigned int what, n;
		const uint16_t *tile;	/* by number; NULL: the number is the tile's */
	} windows[] = {
		{ ESP_CSR_BASE, ESP_CSR_STRIDE, TO_CSR, soc->ntiles, NULL },
		{ ESP_ACC_BASE, ESP_ACC_STRIDE, TO_ACC, d->nacc, soc->acc_tile },
		{ ESP_L2_CTRL, ESP_CACHE_CTRL_STRIDE, TO_L2, d->ncpu, soc->cpu_tile },
		{ ESP_LLC_CTRL, ESP_CACHE_CTRL_STRIDE, TO_LLC, d->nmem, soc->mem_tile },
		/* the user of the model has these registers; here is their traffic */
		{ ESP_UART, ESP_UART_SIZE, TO_UART, 1, &soc->io_tile },
	};
	unsigned int i;

	offset &= ~3u;		/* address bits that are ignored */
	for (i = 0; i < sizeof(windows) / sizeof(*windows); i++) {
		uint32_t at = offset - windows[i].base, number = at / windows[i].stride;

		if (offset < windows[i].base || number >= windows[i].n)
			continue;
		return (struct csr_target){
			.what = windows[i].what, .number = number, .reg = at % windows[i].stride,
			.tile = windows[i].tile ? windows[i].tile[number] : number,
		};
	}
	return (struct csr_target){ .what = TO_NOTHING };
}

/*
 * A read is 2 flits there and 2 back, a write 3; an access to the own tile does not use the network. If the clock
 * cannot advance, because an accelerator's process computes, an access for which there is no room takes no time and
 * makes no traffic: the processor does not wait for the process.
 */
static void csr_traffic(struct esp_soc *soc, unsigned int cpu, unsigned int tile, bool write)
{
	unsigned int from = soc->cpu_tile[cpu], flits = write ? 3 : 2;
	struct esp_packet *p;

	if (from == tile)
		return;
	while (soc->st->cpu_packets[cpu] >= MAX_UNDER_WAY && soc->agenda.waiting) {
		uint64_t next = esp_soc_next_event(soc);

		esp_soc_try_advance(soc, next);
		if (soc->st->now < next)
			return;
	}
	p = esp_noc_packet(soc, ESP_PL_REG, write ? ESP_MSG_REG_WRITE : ESP_MSG_REG_READ, from,
			   tile, flits);
	soc->st->cpu_packets[cpu]++;
	esp_noc_send(soc, p, flits, 0);
}

/* A packet has arrived on plane 5. */
void esp_csr_receive(struct esp_soc *soc, unsigned int tile, struct esp_packet *p)
{
	const struct esp_tile *tiles = soc->design.tiles;
	struct esp_packet *reply;

	switch (p->type) {
	case ESP_MSG_REG_READ:
		reply = esp_noc_packet(soc, ESP_PL_REG, ESP_MSG_REG_DATA, tile, p->src, 2);
		esp_noc_send(soc, reply, 2, ESP_T_REGISTER);
		break;
	case ESP_MSG_REG_DATA:
		soc->st->cpu_packets[tiles[tile].id]--;
		break;
	case ESP_MSG_REG_WRITE:
		soc->st->cpu_packets[tiles[p->src].id]--;
		break;
	case ESP_MSG_IRQ:
		if (soc->ops.irq)
			soc->ops.irq(soc->opaque, tiles[p->src].id);
		break;
	}
	esp_noc_free(soc, p);
}

/*
 * Any access to word 3 of an accelerator tile, read or write, empties its TLB: the decoder in the
 * accelerator's socket compares only address bits 8..2.
 */
static void apply_tlb_quirk(struct esp_soc *soc, unsigned int tile, uint32_t reg)
{
	const struct esp_tile *t = &soc->design.tiles[tile];

	if (soc->params.tlb_quirk && t->kind == ESP_TILE_ACC && reg == ESP_ACC_PT_ADDRESS &&
	    soc->kernel[t->id]) {
		esp_acc_account(soc, t->id);
		esp_acc_clear_tlb(soc, t->id);
	}
}

/* 0x180..0x1fc: writable bits, and the value after reset (esp_tile_csr.vhd, esp_noc_csr.vhd). */
static const struct {
	uint32_t mask, reset;
} config_words[32] = {
	[0] = { 0x1, 0 },				/* VALID */
	[1] = { 0xff, 0 },				/* TILE_ID */
	[2] = { 0x1f, 0 },				/* ARIANE_HARTID */
	[3] = { 0x3, 0 },				/* ACC_COH */
	/* 4 and 5: TP_ACC_RST, a pulse, and SRST, which is held, read 0 */
	[6] = { 0x7ffff, 0x70095 },			/* DCO_NOC_CFG */
	[7] = { 0x7ff, 490 },				/* MDC_SCALER_CFG */
	[8] = { 0xffffffff, 0x2af13ff4 },		/* DDR_CFG, three words */
	[9] = { 0xffffffff, 0xb3a7a217 },
	[10] = { 0xffffffff, 0x4e25366e },
	[11] = { 0x1, 0 },				/* CPU_LOC_OVR */
	[12 ... 15] = { 0xffffffff, 0 },
	[17] = { 0xff, 0 },				/* TILE_ID_NOC */
	[18] = { 0x7, 0x3 },				/* PAD_CFG */
	[19] = { 0xffffff, 0x70095 },			/* DCO_CFG */
	/* 20..30, token power management, is not in the modelled tiles */
	[31] = { 0x1ff, 0 },				/* LDO_CFG */
};

static uint32_t csr_read(struct esp_soc *soc, unsigned int tile, uint32_t reg)
{
	if (reg < ESP_CSR_CONFIG)
		return esp_monitor_read(soc, tile, reg);
	return soc->tile[tile].config[(reg - ESP_CSR_CONFIG) / 4];
}

/* The configuration registers store what is written; the model ignores them. */
static void csr_write(struct esp_soc *soc, unsigned int tile, uint32_t reg, uint32_t value)
{
	unsigned int word = (reg - ESP_CSR_CONFIG) / 4;

	if (reg == ESP_CSR_BURST)
		esp_monitor_burst(soc, tile, value);
	else if (reg >= ESP_CSR_CONFIG)
		soc->tile[tile].config[word] = value & config_words[word].mask;
}

void esp_csr_reset(struct esp_soc *soc)
{
	unsigned int tile, i;

	for (tile = 0; tile < soc->ntiles; tile++) {
		uint32_t *config = soc->tile[tile].config;

		for (i = 0; i < 32; i++)
			config[i] = config_words[i].reset;
		config[(ESP_CSR_TILE_ID - ESP_CSR_CONFIG) / 4] = tile;
		config[(ESP_CSR_TILE_ID_NOC - ESP_CSR_CONFIG) / 4] = tile;
		/*
		 * The boot code has already numbered the tiles, whose numbers are 0 at reset, and
		 * released the cores.
		 */
		if (soc->design.tiles[tile].kind == ESP_TILE_CPU)
			config[0] = 1;
	}
}

/* Where an access of a CPU goes, after what any access does. */
static struct csr_target csr_access(struct esp_soc *soc, unsigned int cpu, uint32_t offset,
				    bool write)
{
	struct csr_target to = { .what = TO_NOTHING };

	if (cpu < soc->design.ncpu)
		to = decode(soc, offset);
	if (to.what != TO_NOTHING) {
		csr_traffic(soc, cpu, to.tile, write);
		apply_tlb_quirk(soc, to.tile, to.reg);
	}
	return to;
}

uint32_t esp_soc_read(struct esp_soc *soc, unsigned int cpu, uint32_t offset)
{
	struct csr_target from = csr_access(soc, cpu, offset, false);

	if (from.what == TO_CSR)
		return csr_read(soc, from.tile, from.reg);
	if (from.what == TO_ACC)
		return esp_acc_read(soc, from.number, from.reg);
	if (soc->design.caches && from.what == TO_L2)
		return esp_l2_read(soc, from.number, from.reg);
	if (soc->design.caches && from.what == TO_LLC)
		return esp_llc_read(soc, from.number, from.reg);
	return 0;
}

void esp_soc_write(struct esp_soc *soc, unsigned int cpu, uint32_t offset, uint32_t value)
{
	struct csr_target to = csr_access(soc, cpu, offset, true);

	if (to.what == TO_CSR)
		csr_write(soc, to.tile, to.reg, value);
	else if (to.what == TO_ACC)
		esp_acc_write(soc, to.number, to.reg, value);
	else if (soc->design.caches && to.what == TO_L2)
		esp_l2_write(soc, to.number, to.reg, value);
	else if (soc->design.caches && to.what == TO_LLC)
		esp_llc_write(soc, to.number, to.reg, value);
}
