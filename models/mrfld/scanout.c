/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Scan-out of the display controller.
 *
 * Each frame reads every line of the frame buffer once, in requests of 64 bytes; the rest of a
 * line, if any, is one request of 32 bytes and a partial one. The requests are spread evenly over
 * the frame time; blanking is not modelled. A display thus takes exactly width * height * cpp *
 * refresh bytes a second.
 */
#include "mrfld/model.h"

#define MAX_PIXELS	16384u
#define MAX_REFRESH	1000000u	/* 1 kHz */

static uint32_t line_bytes(const struct mrfld_scanout *scan)
{
	return scan->width * scan->cpp;
}

static uint32_t requests_a_line(const struct mrfld_scanout *scan)
{
	uint32_t rest = line_bytes(scan) % 64;

	return line_bytes(scan) / 64 + rest / 32 + (rest % 32 != 0);
}

static bool good(const struct mrfld_scanout *scan)
{
	return scan->width && scan->width <= MAX_PIXELS && scan->height &&
	       scan->height <= MAX_PIXELS && scan->cpp && scan->cpp <= 8 &&
	       line_bytes(scan) % 4 == 0 && scan->stride % 64 == 0 &&
	       scan->stride >= line_bytes(scan) && scan->refresh && scan->refresh <= MAX_REFRESH &&
	       (uint64_t)scan->refresh * scan->height * requests_a_line(scan) / 1000 <=
	       MRFLD_MAX_REQUESTS;
}

static void scanout_stop(struct mrfld_scanout *scan, uint32_t status)
{
	scan->status = status;
	scan->pacer.next_ns = MRFLD_NEVER;
}

static void scanout_start(struct mrfld_soc *soc, struct mrfld_scanout *scan)
{
	scan->line = scan->pos = scan->moved = scan->frames = 0;
	scan->sum = scan->frame_sum = 0;
	scan->pages.index = MRFLD_NEVER;
	if (!good(scan)) {
		mrfld_guest_error(soc, "display started with a bad frame buffer geometry");
		scanout_stop(scan, MRFLD_STATUS_BAD);
		return;
	}
	scan->status = MRFLD_STATUS_RUN;
	/* refresh frames take 10^12 ns. */
	mrfld_pacer_start(&scan->pacer, soc->s.now, 1000000000000ull,
			  (uint64_t)scan->refresh * scan->height * requests_a_line(scan));
}

void mrfld_scanout_move(struct mrfld_soc *soc)
{
	struct mrfld_scanout *scan = &soc->s.scanout;
	uint64_t offset = (uint64_t)scan->line * scan->stride + scan->moved;

	if (scan->moved == scan->pos)
		return;
	if (!mrfld_pages_sum(soc, &scan->pages, offset, scan->pos - scan->moved, &scan->sum)) {
		mrfld_guest_error(soc, "the frame buffer is not memory");
		scanout_stop(scan, MRFLD_STATUS_FAULT);
	}
	scan->moved = scan->pos;
}

static void next_line(struct mrfld_soc *soc, struct mrfld_scanout *scan)
{
	mrfld_scanout_move(soc);
	scan->pos = scan->moved = 0;
	if (++scan->line < scan->height)
		return;
	scan->line = 0;
	scan->frames++;
	scan->frame_sum = scan->sum;
	scan->sum = 0;
}

void mrfld_scanout_step(struct mrfld_soc *soc)
{
	struct mrfld_scanout *scan = &soc->s.scanout;
	uint64_t offset = (uint64_t)scan->line * scan->stride + scan->pos, addr;
	uint32_t rest = line_bytes(scan) - scan->pos;
	uint32_t size = rest >= 64 ? 64 : rest >= 32 ? 32 : rest;

	/* The next page's translation replaces this one's, so read the rest of this page first. */
	if (offset % MRFLD_PAGE == 0)
		mrfld_scanout_move(soc);
	if (!mrfld_pages_find(soc, &scan->pages, offset, &addr)) {
		mrfld_guest_error(soc, "the frame buffer's page table is not memory");
		scanout_stop(scan, MRFLD_STATUS_FAULT);
		return;
	}
	mrfld_request(soc, MRFLD_AGENT_DISP, false, scan->ctrl & MRFLD_CTRL_SNOOP, addr, size,
		      scan->pacer.next_ns);
	mrfld_pacer_step(&scan->pacer);
	scan->pos += size;
	if (scan->pos == line_bytes(scan))
		next_line(soc, scan);
}

uint32_t mrfld_scanout_read(struct mrfld_soc *soc, uint32_t reg)
{
	struct mrfld_scanout *scan = &soc->s.scanout;

	switch (reg) {
	case MRFLD_SCAN_CTRL:
		return scan->ctrl;
	case MRFLD_SCAN_STATUS:
		return scan->status;
	case MRFLD_SCAN_WIDTH:
		return scan->width;
	case MRFLD_SCAN_HEIGHT:
		return scan->height;
	case MRFLD_SCAN_TABLE_LO:
		return (uint32_t)scan->pages.table;
	case MRFLD_SCAN_TABLE_HI:
		return (uint32_t)(scan->pages.table >> 32);
	case MRFLD_SCAN_STRIDE:
		return scan->stride;
	case MRFLD_SCAN_CPP:
		return scan->cpp;
	case MRFLD_SCAN_REFRESH:
		return scan->refresh;
	case MRFLD_SCAN_FRAMES:
		return scan->frames;
	case MRFLD_SCAN_SUM_LO:
		scan->latch = (uint32_t)(scan->frame_sum >> 32);
		return (uint32_t)scan->frame_sum;
	case MRFLD_SCAN_SUM_HI:
		return scan->latch;
	default:
		return 0;
	}
}

void mrfld_scanout_write(struct mrfld_soc *soc, uint32_t reg, uint32_t value)
{
	struct mrfld_scanout *scan = &soc->s.scanout;
	bool running = scan->status & MRFLD_STATUS_RUN;

	if (reg == MRFLD_SCAN_CTRL) {
		if (!(value & MRFLD_CTRL_START) && running)
			scanout_stop(scan, 0);
		scan->ctrl = value & (MRFLD_CTRL_START | MRFLD_CTRL_SNOOP);
		if (value & MRFLD_CTRL_START && !running)
			scanout_start(soc, scan);
		return;
	}
	if (running) {
		mrfld_guest_error(soc, "display register written while the display runs");
		return;
	}
	switch (reg) {
	case MRFLD_SCAN_WIDTH:
		scan->width = value;
		break;
	case MRFLD_SCAN_HEIGHT:
		scan->height = value;
		break;
	case MRFLD_SCAN_TABLE_LO:
	case MRFLD_SCAN_TABLE_HI:
		mrfld_pages_set(&scan->pages, reg == MRFLD_SCAN_TABLE_HI, value);
		break;
	case MRFLD_SCAN_STRIDE:
		scan->stride = value;
		break;
	case MRFLD_SCAN_CPP:
		scan->cpp = value;
		break;
	case MRFLD_SCAN_REFRESH:
		scan->refresh = value;
		break;
	}
}

void mrfld_scanout_reset(struct mrfld_scanout *scanout)
{
	*scanout = (struct mrfld_scanout){
		.pacer.next_ns = MRFLD_NEVER,
		.pages.index = MRFLD_NEVER,
	};
}
