/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts the protocol's messages to packets of the network and back. */
#ifndef ESP_NETWORK_H
#define ESP_NETWORK_H

#include "esp/protocol.h"

extern const struct esp_transport esp_network;

/* A private cache's request to its line's directory, and the response. */
void esp_network_request(struct esp_soc *soc, unsigned int cache,
			 const struct esp_message_of_line *m);
void esp_network_respond(struct esp_soc *soc, unsigned int mem, unsigned int to,
			 const struct esp_message_of_line *m, uint64_t cycles);

static inline struct esp_message_of_line esp_message_in(const struct esp_packet *p)
{
	return (struct esp_message_of_line){
		.stamp = p->stamp, .line = p->addr, .type = p->type, .cache = p->cache,
		.acks = p->acks, .stale = p->stale, .way = p->way,
	};
}

#endif
