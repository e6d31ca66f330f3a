/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The directory in the LLC: the new state of a line after a request, and the answer. protocol.h
 * does the rest.
 */
#ifndef ESP_DIRECTORY_H
#define ESP_DIRECTORY_H

#include "esp/cache.h"

enum esp_dir_answer {
	ESP_DIR_WAIT,		/* waits for the data of the line's last owner */
	ESP_DIR_DATA,		/* by the LLC */
	ESP_DIR_EDATA,		/* the same, and the requester becomes the owner of a clean line */
	ESP_DIR_INVALIDATE,	/* data by the LLC; sharers acknowledge to the requester */
	ESP_DIR_FORWARD,	/* data by the owner */
};

struct esp_dir_rule {
	uint8_t next;		/* new state of the line */
	uint8_t answer;
};

/* llc_process_request.sv. A line in I has just been filled. */
static const struct esp_dir_rule esp_dir_rules[3][ESP_LLC_SD + 1] = {
	[ESP_MSG_GETS - ESP_MSG_GETS] = {
		[ESP_LLC_I ... ESP_LLC_V] = { ESP_LLC_E, ESP_DIR_EDATA },
		[ESP_LLC_S] = { ESP_LLC_S, ESP_DIR_DATA },
		[ESP_LLC_E ... ESP_LLC_M] = { ESP_LLC_SD, ESP_DIR_FORWARD },
		[ESP_LLC_SD] = { ESP_LLC_SD, ESP_DIR_WAIT },
	},
	[ESP_MSG_GETS_I - ESP_MSG_GETS] = {
		[ESP_LLC_I ... ESP_LLC_S] = { ESP_LLC_S, ESP_DIR_DATA },
		[ESP_LLC_E ... ESP_LLC_M] = { ESP_LLC_SD, ESP_DIR_FORWARD },
		[ESP_LLC_SD] = { ESP_LLC_SD, ESP_DIR_WAIT },
	},
	[ESP_MSG_GETM - ESP_MSG_GETS] = {
		[ESP_LLC_I ... ESP_LLC_V] = { ESP_LLC_M, ESP_DIR_DATA },
		[ESP_LLC_S] = { ESP_LLC_M, ESP_DIR_INVALIDATE },
		[ESP_LLC_E ... ESP_LLC_M] = { ESP_LLC_M, ESP_DIR_FORWARD },
		[ESP_LLC_SD] = { ESP_LLC_SD, ESP_DIR_WAIT },
	},
};

struct esp_dir_grant {
	enum esp_dir_answer answer;
	uint8_t owner;		/* FORWARD: the owner, who sends the data */
	uint16_t others;	/* INVALIDATE: the other sharers */
};

/* A request for a line that the LLC holds, or has just filled (state I). */
static inline struct esp_dir_grant esp_dir_get(struct esp_llc_line *l, enum esp_message type,
					       unsigned int cache)
{
	const struct esp_dir_rule *rule = &esp_dir_rules[type - ESP_MSG_GETS][l->state];
	struct esp_dir_grant grant = { rule->answer, l->owner, 0 };

	if (rule->answer == ESP_DIR_WAIT)
		return grant;
	switch (rule->next) {
	case ESP_LLC_SD:
		l->sharers = 1u << l->owner | 1u << cache;
		break;
	case ESP_LLC_S:
		/* A line is of instructions or data since it was filled. */
		l->instruction |= l->state == ESP_LLC_I;
		l->sharers = (l->state == ESP_LLC_S ? l->sharers : 0) | 1u << cache;
		break;
	default:
		if (rule->answer == ESP_DIR_INVALIDATE)
			grant.others = l->sharers & ~(1u << cache);
		l->sharers = 0;
		l->owner = cache;
	}
	l->state = rule->next;
	return grant;
}

/* A cache gives its copy back; true if it was the owner's. */
static inline bool esp_dir_put(struct esp_llc_line *l, unsigned int cache, bool modified,
			       uint64_t stamp)
{
	if (l->state == ESP_LLC_S || l->state == ESP_LLC_SD) {
		l->sharers &= ~(1u << cache);
		if (l->state == ESP_LLC_S && !l->sharers)
			l->state = ESP_LLC_V;
		return false;
	}
	if ((l->state != ESP_LLC_E && l->state != ESP_LLC_M) || l->owner != cache)
		return false;
	l->state = ESP_LLC_V;
	if (modified) {
		l->dirty = true;
		l->stamp = stamp;
	}
	return true;
}

/*
 * An owner's data after a FWD_GETS or a recall. The LLC takes them as modified, even if the owner
 * had the line in E (llc_process_request.sv:775).
 */
static inline void esp_dir_data(struct esp_llc_line *l, uint64_t stamp)
{
	l->stamp = stamp;
	l->dirty = true;
}

/* The last missing answer of a line to a forward or recall. */
static inline void esp_dir_answered(struct esp_llc_line *l)
{
	l->state = l->state == ESP_LLC_SD && l->sharers ? ESP_LLC_S : ESP_LLC_V;
}

/*
 * The way for a line: the lowest free one; else, from the set's pointer on, the first V, else the
 * first that is not SD, else the pointer's. evict: it is in use.
 */
static inline unsigned int esp_dir_choose(struct esp_llc_set s, bool *evict)
{
	int way = cpu_tags_find(s.tag, s.ways, ESP_NO_LINE), other = -1;
	unsigned int i;

	*evict = way < 0;
	if (way >= 0)
		return way;
	way = *s.turn;
	for (i = 0; i < s.ways; i++) {
		if (s.line[way].state == ESP_LLC_V)
			return way;
		if (other < 0 && s.line[way].state != ESP_LLC_SD)
			other = way;
		way = way + 1u == s.ways ? 0 : way + 1;
	}
	return other < 0 ? *s.turn : other;
}

/* A line was evicted. The pointer moves only if the line was the pointer's (llc_process_request.sv:828). */
static inline void esp_dir_evicted(struct esp_soc *soc, struct esp_llc_set s, unsigned int way)
{
	esp_llc_drop(soc, &s.line[way]);
	if (way == *s.turn)
		*s.turn = way + 1 == s.ways ? 0 : way + 1;
}

#endif
