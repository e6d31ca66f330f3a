/* SPDX-License-Identifier: MIT */
/*
 * An accelerator for ESP's socket, in C.
 *
 * Define a struct mon_esp_acc_type. The model calls start() when the socket tells the accelerator that its
 * registers are set. It calls next() a cycle later and then whenever a request has been served. Each next() makes
 * one request:
 *
 *   mon_esp_acc_read()     words of the input, or of another accelerator
 *   mon_esp_acc_write()    words to the output, or to other accelerators
 *   mon_esp_acc_done()     the run has ended
 *
 * Call mon_esp_acc_compute() before the request to let cycles pass first, or alone to request these cycles only.
 * The socket serves one request at a time and looks at nothing else meanwhile, as ESP's does; transfers may have
 * any length and any order.
 *
 * All state that changes is in `state`: state_size bytes, 0 at first, kept from run to run. It must not hold
 * pointers, because it may be copied while the accelerator is stopped.
 */
#ifndef MON_ESP_ACC_H
#define MON_ESP_ACC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/esp/acc_row.h"

struct esp_soc;
struct mon_esp_acc_type;
struct esp_acc_transfer;

enum mon_esp_acc_what {
	MON_ESP_ACC_NOTHING, MON_ESP_ACC_READ, MON_ESP_ACC_WRITE, MON_ESP_ACC_DONE,
	MON_ESP_ACC_PENDING,	/* for the model's own types: esp_acc_answer() follows later */
};

struct mon_esp_acc_request {
	enum mon_esp_acc_what what;
	uint64_t after;		/* delay in cycles */
	void *data;		/* in the state */
	uint32_t offset, bytes;
	unsigned int user;
	const char *error;
	bool failed;		/* STATUS has its error bit */
};

struct mon_esp_acc {
	/* to look at */
	const struct mon_esp_acc_type *type;
	const uint32_t *regs;		/* register at byte offset / 4, as at the start of the run */
	const char *design_point;	/* of the tile, for example basic_fx32_dma64 */
	void *state;
	uint64_t now;			/* cycle of the tile */
	bool big_endian;		/* 32-bit words in memory are Leon3's */
	struct esp_soc *socket;		/* for the model: the owner, and the accelerator's number there */
	unsigned int number;
	/* set by the functions below */
	struct mon_esp_acc_request request;
};

struct mon_esp_acc_type {
	const struct esp_acc_row *row;	/* chunks: data_size of its XML in MiB, 4 for 0 */
	size_t state_size;
	void (*start)(struct mon_esp_acc *acc);
	void (*next)(struct mon_esp_acc *acc);
	void (*stop)(struct mon_esp_acc *acc);	/* the run failed; NULL: there was nothing to do */
	/* The model's own: the first word of a read is taken at now, all of them are there; NULL: not called. */
	void (*arrives)(struct mon_esp_acc *acc);
	/* The model's own: if it is the accelerator's turn, the transfer that it is at, or its last one; NULL: it is not. */
	bool (*at)(const struct mon_esp_acc *acc, struct esp_acc_transfer *transfer);
	const void *data;
};

/* A register: the i-th parameter of an accelerator's XML is at byte offset 0x40 + 4 * i. */
static inline uint32_t mon_esp_acc_reg(const struct mon_esp_acc *acc, unsigned int offset)
{
	return acc->regs[offset / 4];
}

/* Call it before a request or alone. */
static inline void mon_esp_acc_compute(struct mon_esp_acc *acc, uint64_t cycles)
{
	acc->request.after += cycles;
}

/*
 * Reads bytes from offset in the buffer to data, a place in the state. The socket moves whole beats of the DMA NoC,
 * so data must have room for the last one. user: 0, as the register P2P says; n, from the accelerator in entry n of
 * the table of tiles.
 */
static inline void mon_esp_acc_read(struct mon_esp_acc *acc, void *data, uint32_t offset,
				    uint32_t bytes, unsigned int user)
{
	acc->request.what = MON_ESP_ACC_READ;
	acc->request.data = data;
	acc->request.offset = offset;
	acc->request.bytes = bytes;
	acc->request.user = user;
}

/* Writes likewise. user: 0, as the registers P2P and MCAST say; n, answers n other accelerators. */
static inline void mon_esp_acc_write(struct mon_esp_acc *acc, void *data, uint32_t offset,
				     uint32_t bytes, unsigned int user)
{
	mon_esp_acc_read(acc, data, offset, bytes, user);
	acc->request.what = MON_ESP_ACC_WRITE;
}

static inline void mon_esp_acc_done(struct mon_esp_acc *acc)
{
	acc->request.what = MON_ESP_ACC_DONE;
}

/* Ends the run because of an error in the registers; start() may call it, too. */
static inline void mon_esp_acc_refuse(struct mon_esp_acc *acc, const char *error)
{
	acc->request.what = MON_ESP_ACC_DONE;
	acc->request.error = error;
}

/* Ends the run because the accelerator cannot continue: drivers see an error. */
static inline void mon_esp_acc_fail(struct mon_esp_acc *acc, const char *error)
{
	mon_esp_acc_refuse(acc, error);
	acc->request.failed = true;
}

/* Numbers of 32 and 64 bits in the byte order of the architecture. */
static inline uint32_t mon_esp_acc_get32(const struct mon_esp_acc *acc, const uint8_t *p)
{
	if (acc->big_endian)
		return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline void mon_esp_acc_put32(const struct mon_esp_acc *acc, uint8_t *p, uint32_t v)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		p[i] = v >> 8 * (acc->big_endian ? 3 - i : i);
}

static inline uint64_t mon_esp_acc_get64(const struct mon_esp_acc *acc, const uint8_t *p)
{
	uint64_t first = mon_esp_acc_get32(acc, p), second = mon_esp_acc_get32(acc, p + 4);

	return acc->big_endian ? first << 32 | second : second << 32 | first;
}

static inline void mon_esp_acc_put64(const struct mon_esp_acc *acc, uint8_t *p, uint64_t v)
{
	mon_esp_acc_put32(acc, p, acc->big_endian ? v >> 32 : v);
	mon_esp_acc_put32(acc, p + 4, acc->big_endian ? v : v >> 32);
}

#endif
