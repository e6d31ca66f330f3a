/* SPDX-License-Identifier: MIT */
/*
 * The accelerator's end of mon_esp_link.h. Instead of the awaited message the START of another run
 * may arrive at any time: then the functions return false, and the caller starts again.
 */
#ifndef MON_ESP_CLIENT_H
#define MON_ESP_CLIENT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "mon_esp_link.h"

#define MON_ESP_PROGRESS_US	50

static struct {
	struct mon_esp_link head;
	uint8_t data[MON_ESP_LINK_BYTES];
} mon_esp_message;
static uint32_t mon_esp_run;
static uint64_t mon_esp_first, mon_esp_last;	/* cycles of the words of the transfer before */
static uint32_t mon_esp_told;	/* bytes of a write that were given, words of a read that a STALL has told */

static inline void mon_esp_send(struct mon_esp_link head, const void *data)
{
	struct iovec parts[2] = { { &head, sizeof(head) }, { (void *)data, head.bytes } };
	struct msghdr message;

	memset(&message, 0, sizeof(message));
	message.msg_iov = parts;
	message.msg_iovlen = head.bytes ? 2 : 1;
	head.run = mon_esp_run;
	head.first = mon_esp_first;
	head.last = mon_esp_last;
	if (sendmsg(MON_ESP_LINK_FD, &message, MSG_NOSIGNAL) < 0)
		_exit(0);	/* the model has gone */
}

static inline void mon_esp_say(uint32_t kind, uint64_t cycle)
{
	struct mon_esp_link head;

	memset(&head, 0, sizeof(head));
	head.kind = kind;
	head.cycle = cycle;
	mon_esp_send(head, NULL);
}

/*
 * Reports the progress of the run, unless it was reported a moment ago: up to there others may
 * compute at the same time.
 */
static inline void mon_esp_progress(uint64_t cycle)
{
	static struct timespec told;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if ((now.tv_sec - told.tv_sec) * 1000000 + (now.tv_nsec - told.tv_nsec) / 1000 < MON_ESP_PROGRESS_US)
		return;
	told = now;
	mon_esp_say(MON_ESP_LINK_PROGRESS, cycle);
}

/*
 * True if a message of that kind arrived, false if it is a START; any other message ends the
 * process.
 */
static inline bool mon_esp_expect(uint32_t kind)
{
	const struct mon_esp_link *head = &mon_esp_message.head;
	ssize_t n = recv(MON_ESP_LINK_FD, &mon_esp_message, sizeof(mon_esp_message), 0);

	if (n < (ssize_t)sizeof(*head))
		_exit(0);
	if (n != (ssize_t)(sizeof(*head) + head->bytes))
		_exit(1);
	if (head->kind == MON_ESP_LINK_START && head->bytes == sizeof(struct mon_esp_link_run)) {
		mon_esp_run = head->run;
		mon_esp_first = mon_esp_last = 0;
	} else if (head->kind != kind || kind == MON_ESP_LINK_START) {
		_exit(1);
	}
	return head->kind == kind;
}

/* Sends HELLO, waits for the first START. */
static inline void mon_esp_hello(const struct esp_acc_row *row)
{
	struct mon_esp_link head;

	memset(&head, 0, sizeof(head));
	head.kind = MON_ESP_LINK_HELLO;
	head.version = MON_ESP_LINK_VERSION;
	head.bytes = sizeof(*row);
	mon_esp_send(head, row);
	mon_esp_expect(MON_ESP_LINK_START);
}

static inline const struct mon_esp_link_run *mon_esp_run_data(void)
{
	return (const struct mon_esp_link_run *)mon_esp_message.data;
}

/* A word of a transfer is taken or given; moved: number of those before. */
static inline void mon_esp_moves(uint32_t moved, uint64_t cycle)
{
	if (!moved)
		mon_esp_first = cycle;
	mon_esp_last = cycle;
}

/* A request in beats; the answer's head is in mon_esp_message. */
static inline bool mon_esp_ask(uint32_t kind, uint64_t cycle, uint32_t index, uint32_t length,
			       uint32_t size, uint32_t user)
{
	struct mon_esp_link head;

	memset(&head, 0, sizeof(head));
	head.kind = kind;
	head.cycle = cycle;
	head.index = index;
	head.length = length;
	head.size = size;
	head.user = user;
	mon_esp_told = 0;
	mon_esp_send(head, NULL);
	return mon_esp_expect(kind == MON_ESP_LINK_READ ? MON_ESP_LINK_DATA : MON_ESP_LINK_ROOM);
}

/* The rest of a read that has begun: bytes in all, the first of them in mon_esp_message. */
static inline bool mon_esp_fetch(uint8_t *to, uint32_t bytes)
{
	uint32_t at = 0;

	for (;;) {
		if (mon_esp_message.head.bytes > bytes - at || !mon_esp_message.head.bytes)
			_exit(1);
		memcpy(to + at, mon_esp_message.data, mon_esp_message.head.bytes);
		at += mon_esp_message.head.bytes;
		if (at >= bytes)
			return true;
		mon_esp_say(MON_ESP_LINK_MORE, 0);
		if (!mon_esp_expect(MON_ESP_LINK_DATA))
			return false;
	}
}

/* The words of a write up to a number of bytes that the model has not got yet. */
static inline void mon_esp_give(const uint8_t *from, uint32_t bytes, uint64_t cycle)
{
	struct mon_esp_link head;

	memset(&head, 0, sizeof(head));
	head.kind = MON_ESP_LINK_WORDS;
	head.cycle = cycle;
	for (; mon_esp_told < bytes; mon_esp_told += head.bytes) {
		head.bytes = bytes - mon_esp_told < MON_ESP_LINK_BYTES ? bytes - mon_esp_told : MON_ESP_LINK_BYTES;
		mon_esp_send(head, from + mon_esp_told);
	}
}

/* All words of a write, the last of them at cycle. */
static inline bool mon_esp_put(const uint8_t *from, uint32_t bytes, uint64_t cycle)
{
	mon_esp_give(from, bytes, cycle);
	return mon_esp_expect(MON_ESP_LINK_TAKEN);
}

/* In a read: so many words are taken, and the next one is not. */
static inline void mon_esp_stall(uint32_t words, uint64_t cycle)
{
	struct mon_esp_link head;

	if (words == mon_esp_told)
		return;
	memset(&head, 0, sizeof(head));
	head.kind = MON_ESP_LINK_STALL;
	head.cycle = cycle;
	head.length = mon_esp_told = words;
	mon_esp_send(head, NULL);
}

static inline void mon_esp_give_up(const char *why)
{
	struct mon_esp_link head;

	memset(&head, 0, sizeof(head));
	head.kind = MON_ESP_LINK_FAIL;
	head.bytes = strlen(why) + 1;
	mon_esp_send(head, why);
}

#endif
