// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encodes random bits as 802.11 does, spoils some of the symbols, and lets ESP's accelerator
 * VITDODEC_STRATUS find the bits again, through libesp.h as ESP's programs do: run-vitdodec [BITS
 * [ERRORS]].
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "libesp.h"
#include "mon.h"
#include "vitdodec_stratus.h"

#include "events/esp/accelerators.h"

#define INPUT		ESP_VITDODEC_STRATUS_UNIT
#define OUTPUT		ESP_VITDODEC_STRATUS_BEHIND
#define SYMBOLS_AT	72
/* two a bit, four less in the first block */
#define MAX_SYMBOLS	(2 * ESP_VITDODEC_STRATUS_SUM_MOST - 4)

/* Generators 133 and 171 (octal), the newest bit lowest. */
static const unsigned int generators[] = { 0x6d, 0x4f };

static uint8_t parity(unsigned int bits)
{
	return __builtin_parity(bits);
}

/* The encoder's symbols of half of its states, then those of the bits, and of zeros to the end. */
static void encode(uint8_t *in, const uint8_t *bits, unsigned int n)
{
	unsigned int history = 0, i;

	for (i = 0; i < 32; i++) {
		in[i] = parity(2 * i & generators[0]);
		in[32 + i] = parity(2 * i & generators[1]);
	}
	for (i = 0; i < MAX_SYMBOLS / 2; i++) {
		history = (history << 1 | (i < n ? bits[i] : 0)) & 0x7f;
		in[SYMBOLS_AT + 2 * i] = parity(history & generators[0]);
		in[SYMBOLS_AT + 2 * i + 1] = parity(history & generators[1]);
	}
}

int main(int argc, char **argv)
{
	struct vitdodec_stratus_access access = {
		.esp = { .coherence = ACC_COH_NONE },
		.cbps = 48,
		.ntraceback = 5,
		.data_bits = argc > 1 ? strtoul(argv[1], NULL, 10) : 288,
	};
	unsigned int n = access.data_bits, errors = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	unsigned int i, wrong = 0;
	uint8_t *buf = esp_alloc(INPUT + OUTPUT), *bits = malloc(n + 1);
	esp_thread_info_t cfg = {
		.run = true,
		.devname = (char[]){ "vitdodec_stratus.0" },
		.ioctl_req = VITDODEC_STRATUS_IOC_ACCESS,
		.esp_desc = &access.esp,
		.hw_buf = buf,
	};

	if (!buf || !bits) {
		fprintf(stderr, "run-vitdodec: %s\n", mon_error());
		return 1;
	}
	for (i = 0; i < n; i++)
		bits[i] = random() & 1;
	encode(buf, bits, n);
	for (i = 0; i < errors && n <= MAX_SYMBOLS / 2; i++)
		buf[SYMBOLS_AT + (uint64_t)2 * n * i / errors] ^= 1;
	if (esp_run(&cfg, 1)) {
		fprintf(stderr, "run-vitdodec: %s\n", mon_error());
		return 1;
	}
	for (i = 0; i < n; i++)
		wrong += buf[INPUT + i] != bits[i];
	printf("vitdodec_stratus.0: %u bits, %u of %u symbols spoilt, %llu ns: %u bits wrong\n", n, errors,
	       2 * n, cfg.hw_ns, wrong);
	esp_free(buf);
	free(bits);
	return wrong != 0;
}
