/* SPDX-License-Identifier: MIT */
/*
 * The protocol between the model of an ESP SoC and an accelerator in a process of its own, over a SOCK_SEQPACKET
 * socket. A message is a struct mon_esp_link and its data.
 *
 *   accelerator                      model
 *   HELLO, once; data: struct esp_acc_row
 *                                    START; data: the run. Ends the current run
 *   READ at the cycle of the request
 *                                    DATA, the words; they may be taken from cycle on, one a cycle
 *   MORE, if that were not all       DATA ...
 *   WRITE at the cycle of the request
 *                                    ROOM, from cycle on one word a cycle may be offered
 *   WORDS, until that were all; cycle: of the last one, which is not taken yet, or in which no next one is given
 *                                    TAKEN at cycle
 *   DONE
 *   STALL, in a read: length words are taken, and the next one is not
 *   first, last: in each message after a transfer, and with its WORDS, the cycles of its first and last word. So the model
 *   knows the pace: the DATA of a longer read than those before come with its first word, and all others with the last.
 *   PROGRESS: no request up to this cycle. A run in which the cycle does not grow for long fails
 *   FAIL: cannot continue; data: the reason
 *
 * A cycle is one of the tile; cycle 0 is that of conf_done. The socket serves one transfer at a time and looks at
 * nothing else meanwhile. So the accelerator stops at its request, continues at the cycle in the answer, and runs
 * ahead to its next request while the model waits. A request's cycle is later than that of the message before it.
 */
#ifndef MON_ESP_LINK_H
#define MON_ESP_LINK_H

#include <stdint.h>

#include "events/esp/acc_row.h"

#define MON_ESP_LINK_VERSION	5
#define MON_ESP_LINK_BYTES	32768	/* of data in a message at most */
#define MON_ESP_LINK_PARAMS	48
#define MON_ESP_LINK_FD		3	/* the accelerator's end */

enum mon_esp_link_kind {
	MON_ESP_LINK_START = 1, MON_ESP_LINK_DATA, MON_ESP_LINK_ROOM, MON_ESP_LINK_TAKEN,
	MON_ESP_LINK_HELLO = 16, MON_ESP_LINK_READ, MON_ESP_LINK_WRITE, MON_ESP_LINK_MORE,
	MON_ESP_LINK_WORDS, MON_ESP_LINK_DONE, MON_ESP_LINK_PROGRESS, MON_ESP_LINK_FAIL, MON_ESP_LINK_STALL,
};

struct mon_esp_link {
	uint32_t kind;
	uint32_t run;			/* number of the START that this message belongs to */
	uint64_t cycle, first, last;
	uint32_t index, length;		/* READ, WRITE: in beats */
	uint32_t size, user;		/* as on the socket's ports */
	uint32_t bytes;			/* of data after this */
	uint32_t version;		/* HELLO */
};

/* The data of a START. */
struct mon_esp_link_run {
	uint32_t regs[MON_ESP_LINK_PARAMS];	/* from 0x40 on */
	char design_point[64];			/* of the tile */
};

#endif
