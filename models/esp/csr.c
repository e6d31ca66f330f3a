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

enum target { TO_NOTHING, TO_UART, TO_CSR, TO_ACC, TO_L2, TO_LLC };

static enum target decode(const struct esp_soc *soc, uint32_t offset, unsigned int *number,
			  unsigned int *tile, uint32_t *reg)
{
	const struct esp_design *d = &soc->design;

	offset &= ~3u;		/* address bits that are ignored */
	if (offset >= ESP_UART && offset < ESP_UART + ESP_UART_SIZE) {
		*number = 0;
		*tile = soc->io_tile;
		*reg = offset - ESP_UART;
		return TO_UART;		/* the user of the model has these registers; here is their traffic */
	}
	if (offset >= ESP_CSR_BASE && offset < ESP_CSR_BASE + soc->ntiles * ESP_CSR_STRIDE) {
		*number = *tile = (offset - ESP_CSR_BASE) / ESP_CSR_STRIDE;
		*reg = offset % ESP_CSR_STRIDE;
		return TO_CSR;
	}
	if (offset >= ESP_ACC_BASE && offset < ESP_ACC_BASE + d->nacc * ESP_ACC_STRIDE) {
		*number = (offset - ESP_ACC_BASE) / ESP_ACC_STRIDE;
		*tile = soc->acc_tile[*number];
		*reg = offset % ESP_ACC_STRIDE;
		return TO_ACC;
	}
	if (offset >= ESP_L2_CTRL && offset < ESP_L2_CTRL + d->ncpu * ESP_CACHE_CTRL_STRIDE) {
		*number = (offset - ESP_L2_CTRL) / ESP_CACHE_CTRL_STRIDE;
		*tile = soc->cpu_tile[*number];
		*reg = offset % ESP_CACHE_CTRL_STRIDE;
		return TO_L2;
	}
	if (offset >= ESP_LLC_CTRL && offset < ESP_LLC_CTRL + d->nmem * ESP_CACHE_CTRL_STRIDE) {
		*number = (offset - ESP_LLC_CTRL) / ESP_CACHE_CTRL_STRIDE;
		*tile = soc->mem_tile[*number];
		*reg = offset % ESP_CACHE_CTRL_STRIDE;
		return TO_LLC;
	}
	return TO_NOTHING;
}

/* A read is 2 flits there and 2 back, a write 3; an access to the own tile does not use the
 * network. */
static void csr_traffic(struct esp_soc *soc, unsigned int cpu, unsigned int tile, bool write)
{
	unsigned int from = soc->cpu_tile[cpu], flits = write ? 3 : 2;
	struct esp_packet *p;

	if (from == tile)
		return;
	while (soc->st->cpu_packets[cpu] >= MAX_UNDER_WAY && soc->agenda.waiting)
		esp_soc_advance(soc, esp_soc_next_event(soc));
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

/* Writable bits of 0x180..0x1fc. */
static const uint32_t config_mask[32] = {
	[0] = 0x1,		/* VALID */
	[1] = 0xff,		/* TILE_ID */
	[2] = 0x1f,		/* ARIANE_HARTID */
	[3] = 0x3,		/* ACC_COH */
	[4] = 0, [5] = 0,	/* TP_ACC_RST, a pulse, and SRST, which is held, read 0 */
	[6] = 0x7ffff,		/* DCO_NOC_CFG */
	[7] = 0x7ff,		/* MDC_SCALER_CFG */
	[8] = 0xffffffff, [9] = 0xffffffff, [10] = 0xffffffff,	/* DDR_CFG */
	[11] = 0x1,		/* CPU_LOC_OVR */
	[12] = 0xffffffff, [13] = 0xffffffff, [14] = 0xffffffff, [15] = 0xffffffff,
	[17] = 0xff,		/* TILE_ID_NOC */
	[18] = 0x7,		/* PAD_CFG */
	[19] = 0xffffff,	/* DCO_CFG */
	/* 20..30, token power management, is not in the modelled tiles */
	[31] = 0x1ff,		/* LDO_CFG */
};

/* Values after reset that are not 0 (esp_tile_csr.vhd, esp_noc_csr.vhd). */
static const struct {
	uint16_t offset;
	uint32_t value;
} config_reset[] = {
	{ 0x198, 0x70095 },			/* DCO_NOC_CFG */
	{ 0x19c, 490 },				/* MDC_SCALER_CFG */
	{ 0x1a0, 0x2af13ff4 }, { 0x1a4, 0xb3a7a217 }, { 0x1a8, 0x4e25366e },	/* DDR_CFG */
	{ 0x1c8, 0x3 },				/* PAD_CFG */
	{ 0x1cc, 0x70095 },			/* DCO_CFG */
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
		soc->tile[tile].config[word] = value & config_mask[word];
}

void esp_csr_reset(struct esp_soc *soc)
{
	unsigned int tile, i;

	for (tile = 0; tile < soc->ntiles; tile++) {
		uint32_t *config = soc->tile[tile].config;

		config[(ESP_CSR_TILE_ID - ESP_CSR_CONFIG) / 4] = tile;
		config[(ESP_CSR_TILE_ID_NOC - ESP_CSR_CONFIG) / 4] = tile;
		for (i = 0; i < sizeof(config_reset) / sizeof(*config_reset); i++)
			config[(config_reset[i].offset - ESP_CSR_CONFIG) / 4] =
				config_reset[i].value;
		/*
		 * The boot code has already numbered the tiles, whose numbers are 0 at reset, and
		 * released the cores.
		 */
		if (soc->design.tiles[tile].kind == ESP_TILE_CPU)
			config[0] = 1;
	}
}

uint32_t esp_soc_read(struct esp_soc *soc, unsigned int cpu, uint32_t offset)
{
	unsigned int number = 0, tile = 0;
	uint32_t reg = 0, value = 0;
	enum target target;

	if (cpu >= soc->design.ncpu)
		return 0;
	target = decode(soc, offset, &number, &tile, &reg);
	if (target == TO_NOTHING)
		return 0;
	csr_traffic(soc, cpu, tile, false);
	apply_tlb_quirk(soc, tile, reg);
	if (target == TO_CSR)
		value = csr_read(soc, tile, reg);
	else if (target == TO_ACC)
		value = esp_acc_read(soc, number, reg);
	else if (soc->design.caches && target == TO_L2)
		value = esp_l2_read(soc, number, reg);
	else if (soc->design.caches && target == TO_LLC)
		value = esp_llc_read(soc, number, reg);
	return value;
}

void esp_soc_write(struct esp_soc *soc, unsigned int cpu, uint32_t offset, uint32_t value)
{
	unsigned int number = 0, tile = 0;
	uint32_t reg = 0;
	enum target target;

	if (cpu >= soc->design.ncpu)
		return;
	target = decode(soc, offset, &number, &tile, &reg);
	if (target == TO_NOTHING)
		return;
	csr_traffic(soc, cpu, tile, true);
	apply_tlb_quirk(soc, tile, reg);
	if (target == TO_CSR)
		csr_write(soc, tile, reg, value);
	else if (target == TO_ACC)
		esp_acc_write(soc, number, reg, value);
	else if (soc->design.caches && target == TO_L2)
		esp_l2_write(soc, number, reg, value);
	else if (soc->design.caches && target == TO_LLC)
		esp_llc_write(soc, number, reg, value);
}
