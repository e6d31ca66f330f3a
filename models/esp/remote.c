/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An accelerator in a process of its own, as the socket sees it.
 *
 * While it computes, the SoC's clock may advance to the accelerator's horizon, the cycle up to which it has
 * promised to make no request. So the result does not depend on the speed of anything.
 *
 * The SoC does not wait without a bound: if a process makes no progress for a quarter of its silence_ms, the clock of
 * its tile is stopped and the others go on; after silence_ms its run has failed. Progress is that of the model's
 * time, not that the process lives.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "esp/internal.h"
#include "esp/kernel.h"
#include "esp/remote.h"

#define TRANSFER_MAX	(256u << 20)	/* bytes */
#define HELLO_MS	10000
#define BEYOND		((uint64_t)1 << 52)	/* cycles of a run: more than a year at 100 MHz */
#define AT_ONCE		64	/* messages that are taken before others have their turn */
#define PATIENCE	4	/* the share of silence_ms for which the SoC waits */

/* TAKES: it has the data of a read that is under way, and the SoC waits to hear how fast it takes them. */
enum phase { IDLE, THINKS, READS, TAKES, WANTS_ROOM, WRITES };

/* The data of a type. */
struct program {
	char *file;
	bool confined;
	unsigned int silence_ms;
	struct esp_acc_row row;
	char own_name[sizeof(((struct esp_acc_row *)0)->name)];
};

struct esp_remote {
	const struct program *program;
	struct esp_process process;
	enum phase phase;
	uint32_t run;
	uint64_t begun;			/* cycle of the SoC that is its 0 */
	uint64_t after;			/* cycle of its own that its next request is later than */
	uint64_t moved;			/* ms, of its last progress */
	uint64_t stands;		/* cycle in which its tile's clock stopped, while soc->stands says so */
	bool greeted;			/* HELLO has come, so the run was sent */
	bool told;			/* it has the data of the read under way */
	bool kept;			/* its message is for when that read has ended */
	struct mon_esp_link_run start;
	uint8_t *data;			/* of the transfer under way */
	bool reads;
	uint32_t size, bytes, at;
	uint32_t taken;			/* of a read: bytes that it is known to have taken */
	uint32_t offset, user;
	char why[256];			/* its run failed, if a function of this file returns that */
	struct {
		struct mon_esp_link head;
		uint8_t data[MON_ESP_LINK_BYTES];
	} message;
};

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

static bool send_message(struct esp_remote *r, const struct mon_esp_link *head, const void *data)
{
	struct iovec parts[] = { { (void *)head, sizeof(*head) }, { (void *)data, head->bytes } };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };

	return sendmsg(r->process.fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) ==
	       (ssize_t)(sizeof(*head) + head->bytes);
}

/* 1, a message; 0, none yet; -1, it has ended; -2, nonsense. */
static int receive(struct esp_remote *r)
{
	ssize_t n = recv(r->process.fd, &r->message, sizeof(r->message), MSG_DONTWAIT | MSG_TRUNC);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	if (!n)
		return -1;
	if ((size_t)n < sizeof(r->message.head) || (size_t)n > sizeof(r->message) ||
	    r->message.head.bytes != n - sizeof(r->message.head))
		return -2;
	return 1;
}

/* ---- types ---- */

/* Is the first message HELLO? Then its row. */
static bool take_hello(struct esp_remote *r, int got, struct esp_acc_row *row, char *why, size_t size)
{
	const char *file = r->program->file;
	char how[64];

	if (got == -1) {
		esp_process_end(&r->process, how, sizeof(how));
		snprintf(why, size, "%s: %s before it said anything: make it with mon-esp-acc, and "
			 "install bubblewrap", file, how);
		return false;
	}
	memcpy(row, r->message.data, sizeof(*row));
	if (got != 1 || r->message.head.kind != MON_ESP_LINK_HELLO ||
	    r->message.head.bytes != sizeof(*row) || row->members > ESP_ACC_MEMBERS_MAX ||
	    !memchr(row->name, 0, sizeof(row->name)) || !row->chunks || row->chunks > ESP_TLB_MAX ||
	    !row->beat || row->device > UINT16_MAX) {
		snprintf(why, size, "%s: is no accelerator: make it with mon-esp-acc", file);
		return false;
	}
	if (r->message.head.version != MON_ESP_LINK_VERSION) {
		snprintf(why, size, "%s: speaks version %u of the protocol, not %u: make it anew", file,
			 r->message.head.version, MON_ESP_LINK_VERSION);
		return false;
	}
	return true;
}

static bool wait_hello(struct esp_remote *r, struct esp_acc_row *row, char *why, size_t size)
{
	struct pollfd p = { r->process.fd, POLLIN, 0 };

	if (poll(&p, 1, HELLO_MS) > 0)
		return take_hello(r, receive(r), row, why, size);
	snprintf(why, size, "%s: says nothing: make it with mon-esp-acc", r->program->file);
	return false;
}

static void set_horizon(struct esp_soc *soc, unsigned int acc, uint64_t cycle)
{
	struct esp_remote *r = soc->remote[acc];
	unsigned int i;

	if (soc->stands[acc]) {
		/* of the cycles since then its tile counts none */
		esp_acc_account(soc, acc);
		r->begun += soc->st->now - r->stands;
		soc->stands[acc] = false;
		soc->standing--;
	}
	soc->horizon[acc] = cycle;
	soc->least_horizon = ESP_NEVER;
	for (i = 0; i < soc->design.nacc; i++) {
		if (soc->remote[i] && soc->horizon[i] < soc->least_horizon)
			soc->least_horizon = soc->horizon[i];
	}
}

/* The clock of a tile stops, and those of the others go on. */
static void stand(struct esp_soc *soc, unsigned int acc)
{
	esp_acc_account(soc, acc);
	set_horizon(soc, acc, ESP_NEVER);
	soc->remote[acc]->stands = soc->st->now;
	soc->stands[acc] = true;
	soc->standing++;
}

/* It is its turn; its next request is later than a cycle, which may have passed. */
static void think(struct mon_esp_acc *acc, struct esp_remote *r, uint64_t after)
{
	struct esp_soc *soc = acc->socket;

	r->phase = THINKS;
	r->moved = now_ms();
	set_horizon(soc, acc->number, acc->now);
	r->after = after - r->begun;
	acc->request.what = MON_ESP_ACC_PENDING;
}

/* Is it its turn to say something? */
static bool speaks(const struct esp_remote *r)
{
	return r->phase == THINKS || r->phase == TAKES;
}

static const char *send_start(struct esp_remote *r)
{
	struct mon_esp_link head = { .kind = MON_ESP_LINK_START, .run = r->run, .bytes = sizeof(r->start) };

	return send_message(r, &head, &r->start) ? NULL : "its process takes no messages";
}

static void remote_start(struct mon_esp_acc *acc)
{
	struct esp_remote *r = acc->socket->remote[acc->number];
	const char *error = NULL;

	r->run++;
	memcpy(r->start.regs, &acc->regs[ESP_ACC_USER / 4], sizeof(r->start.regs));
	snprintf(r->start.design_point, sizeof(r->start.design_point), "%s", acc->design_point);
	r->bytes = r->at = 0;
	r->told = r->kept = false;
	r->begun = acc->now + 1;	/* when it is asked first */
	r->moved = now_ms();
	if (r->process.fd >= 0) {
		error = send_start(r);
	} else {
		r->greeted = false;
		if (!esp_process_start(&r->process, r->program->file, r->program->confined, r->why, sizeof(r->why)))
			error = r->why;
	}
	if (error) {
		esp_process_end(&r->process, NULL, 0);
		mon_esp_acc_fail(acc, error);
		return;
	}
	r->phase = THINKS;
}

static uint32_t beats_of(const struct esp_remote *r)
{
	return r->bytes / r->program->row.beat;
}

/* The next data of a read, the first of which may be taken at a cycle. */
static void send_data(struct esp_remote *r, uint64_t cycle)
{
	uint32_t left = r->bytes - r->at;
	struct mon_esp_link head = { .kind = MON_ESP_LINK_DATA, .run = r->run, .cycle = cycle };

	head.bytes = left < MON_ESP_LINK_BYTES ? left : MON_ESP_LINK_BYTES;
	send_message(r, &head, r->data + r->at);
	r->at += head.bytes;
}

/* The first data of a read have come. */
static void remote_arrives(struct mon_esp_acc *acc)
{
	struct esp_remote *r = acc->socket->remote[acc->number];

	r->at = 0;
	r->told = true;
	r->phase = TAKES;
	r->moved = now_ms();
	send_data(r, acc->now - r->begun);
	set_horizon(acc->socket, acc->number, acc->socket->st->now);
}

/* A read has ended: its last word was taken a cycle ago. Returns the cycle after which its next request may come. */
static uint64_t read_ended(struct mon_esp_acc *acc, struct esp_remote *r)
{
	uint64_t last = acc->now - 1, took = (uint64_t)(beats_of(r) - 1) * acc->socket->acc[acc->number].load_pace;
	uint64_t end = r->begun + r->message.head.last;

	if (!r->told) {
		/* the words came at the pace of the read before */
		took = last - r->begun > took / ESP_PACE_ONE ? last - took / ESP_PACE_ONE : r->begun + 1;
		r->at = 0;
		send_data(r, took - r->begun);
		return took;
	}
	r->told = false;
	/* other traffic held it up: it stood still for as long */
	if (r->kept && last > end)
		r->begun += last - end;
	return last;
}

/* Its request has been served. */
static void remote_next(struct mon_esp_acc *acc)
{
	struct esp_soc *soc = acc->socket;
	struct esp_remote *r = soc->remote[acc->number];
	struct mon_esp_link head = { .run = r->run, .cycle = acc->now - r->begun };
	uint64_t after = acc->now;

	switch (r->phase) {
	case READS:
	case TAKES:
		after = read_ended(acc, r);
		break;
	case WANTS_ROOM:
		/* its first word can follow the header */
		head.kind = MON_ESP_LINK_ROOM;
		head.cycle += ESP_T_DMA_SETUP + 4;
		send_message(r, &head, NULL);
		break;
	case WRITES:
		head.kind = MON_ESP_LINK_TAKEN;
		send_message(r, &head, NULL);
		break;
	default:
		break;
	}
	think(acc, r, after);
}

/* A process that computes may never look at another message. */
static void remote_stop(struct mon_esp_acc *acc)
{
	struct esp_remote *r = acc->socket->remote[acc->number];

	if (speaks(r))
		esp_process_end(&r->process, NULL, 0);
	r->phase = IDLE;
	r->told = r->kept = false;
	set_horizon(acc->socket, acc->number, ESP_NEVER);
}

static bool remote_at(const struct mon_esp_acc *acc, struct esp_acc_transfer *t)
{
	const struct esp_remote *r = acc->socket->remote[acc->number];

	*t = (struct esp_acc_transfer) { !r->reads, r->offset, r->bytes, r->reads ? r->taken : r->at };
	t->offset += acc->regs[(r->reads ? ESP_ACC_SRC_OFFSET : ESP_ACC_DST_OFFSET) / 4];
	return speaks(r);
}

bool esp_remote_is(const struct mon_esp_acc_type *type)
{
	return type && type->next == remote_next;
}

struct mon_esp_acc_type *esp_remote_type(const char *name, const char *file, bool confined,
					 unsigned int silence_ms, char *err, size_t err_len)
{
	struct mon_esp_acc_type *type = calloc(1, sizeof(*type));
	struct program *program = calloc(1, sizeof(*program));
	struct esp_remote probe = { .program = program, .process = { .fd = -1 } };

	if (!type || !program)
		abort();
	program->file = strdup(file);
	program->confined = confined;
	program->silence_ms = silence_ms;
	type->data = program;
	if (!esp_process_start(&probe.process, file, confined, err, err_len) ||
	    !wait_hello(&probe, &program->row, err, err_len)) {
		esp_process_end(&probe.process, NULL, 0);
		esp_remote_type_free(type);
		return NULL;
	}
	esp_process_end(&probe.process, NULL, 0);
	memcpy(program->own_name, program->row.name, sizeof(program->own_name));
	/* a name from the user overrides its own */
	snprintf(program->row.name, sizeof(program->row.name), "%s", name);
	type->row = &program->row;
	type->start = remote_start;
	type->next = remote_next;
	type->stop = remote_stop;
	type->arrives = remote_arrives;
	type->at = remote_at;
	return type;
}

void esp_remote_type_free(struct mon_esp_acc_type *type)
{
	struct program *program;

	if (!type)
		return;
	program = (struct program *)type->data;
	free(program->file);
	free(program);
	free(type);
}

const char *esp_remote_file(const struct mon_esp_acc_type *type)
{
	return ((const struct program *)type->data)->file;
}

const char *esp_remote_own_name(const struct mon_esp_acc_type *type)
{
	return ((const struct program *)type->data)->own_name;
}

struct esp_remote *esp_remote_new(const struct mon_esp_acc_type *type)
{
	struct esp_remote *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->program = type->data;
	r->process.fd = -1;
	return r;
}

void esp_remote_free(struct esp_remote *remote)
{
	if (!remote)
		return;
	esp_process_end(&remote->process, NULL, 0);
	free(remote->data);
	free(remote);
}

pid_t esp_remote_pid(const struct esp_remote *remote)
{
	return remote->process.pid;
}

bool esp_soc_has_remote_runs(const struct esp_soc *soc)
{
	unsigned int acc;

	for (acc = 0; acc < soc->design.nacc; acc++) {
		if (soc->remote[acc] && soc->remote[acc]->phase != IDLE)
			return true;
	}
	return false;
}

/* ---- messages from the accelerator ---- */

/* Makes room for a transfer; returns what is wrong with it, or NULL. */
static const char *transfer(struct esp_soc *soc, unsigned int acc, const struct mon_esp_link *head)
{
	struct esp_remote *r = soc->remote[acc];
	/* without scatter-gather, index and length count 32-bit words */
	uint64_t unit = soc->design.scatter_gather ? r->program->row.beat : 4;
	uint64_t bytes = head->length * unit;

	bytes = esp_whole_beats(bytes, r->program->row.beat);
	if (bytes > TRANSFER_MAX)
		return "asks for a transfer of more than 256 MiB";
	if (!bytes)
		return "asks for a transfer of no words, which never ends";
	if (bytes > r->size) {
		free(r->data);
		r->data = calloc(1, bytes);
		r->size = r->data ? bytes : 0;
		if (!r->data)
			return "asks for a transfer that there is no memory for";
	}
	r->reads = head->kind == MON_ESP_LINK_READ;
	r->bytes = bytes;
	r->at = r->taken = 0;
	r->offset = head->index * unit;
	r->user = head->user;
	soc->acc_data[acc] = r->data;
	return NULL;
}

static void answer(struct esp_soc *soc, unsigned int acc, enum phase phase,
		   enum mon_esp_acc_what what, uint64_t cycle)
{
	struct esp_remote *r = soc->remote[acc];
	struct mon_esp_acc_request request = {
		.what = what, .data = r->data, .offset = r->offset, .bytes = r->bytes, .user = r->user,
	};

	cycle += r->begun;
	/* it took the words before faster than at the pace of those before them: it waited for the last one */
	if (cycle < soc->st->now)
		r->begun += soc->st->now - cycle;
	request.after = cycle > soc->st->now ? cycle - soc->st->now : 0;
	r->phase = phase;
	set_horizon(soc, acc, ESP_NEVER);
	esp_acc_answer(soc, acc, &request);
}

static void fail(struct esp_soc *soc, unsigned int acc, const char *why)
{
	const struct mon_esp_acc_request done = { .what = MON_ESP_ACC_DONE };
	struct esp_remote *r = soc->remote[acc];
	char text[320];

	snprintf(text, sizeof(text), "%.120s: %.160s", r->program->file, why);
	esp_acc_transfer_fault(soc, acc, text);
	esp_process_end(&r->process, NULL, 0);
	r->phase = IDLE;
	set_horizon(soc, acc, ESP_NEVER);
	esp_acc_answer(soc, acc, &done);
}

static const char *take_words(struct esp_soc *soc, unsigned int acc)
{
	struct esp_remote *r = soc->remote[acc];
	const struct mon_esp_link *head = &r->message.head;

	if (!r->bytes || r->reads || head->bytes > r->bytes - r->at)
		return "says more words than it asked to write";
	memcpy(r->data + r->at, r->message.data, head->bytes);
	r->at += head->bytes;
	if (r->at < r->bytes)
		return NULL;
	/* the packet leaves as its words come */
	esp_acc_pace(soc, acc, false, r->begun + head->first, r->begun + head->last, beats_of(r));
	answer(soc, acc, WRITES, MON_ESP_ACC_WRITE, soc->st->now - r->begun);
	return NULL;
}

/* It has taken some words of a read, and does not take the next one. */
static const char *take_stall(struct esp_remote *r)
{
	uint64_t taken = (uint64_t)r->message.head.length * r->program->row.beat;

	if (!r->reads || taken <= r->taken || taken >= r->bytes)
		return "says that it took words that are not there";
	r->taken = taken;
	r->moved = now_ms();
	return NULL;
}

/* The text of a FAIL, for a terminal. */
static const char *reason(struct esp_remote *r)
{
	uint32_t bytes = r->message.head.bytes, i;
	uint8_t *text = r->message.data;

	text[bytes < MON_ESP_LINK_BYTES ? bytes : MON_ESP_LINK_BYTES - 1] = 0;
	for (i = 0; text[i]; i++) {
		if (text[i] < ' ' || text[i] == 0x7f)
			text[i] = '?';
	}
	return (const char *)text;
}

/* It has taken a read's words: the read goes on at its pace, and the message waits for the end. */
static const char *keep(struct esp_soc *soc, unsigned int acc)
{
	struct esp_remote *r = soc->remote[acc];
	const struct mon_esp_link *head = &r->message.head;

	r->kept = true;
	r->phase = READS;
	set_horizon(soc, acc, ESP_NEVER);
	esp_acc_pace(soc, acc, true, head->first, head->last, beats_of(r));
	esp_dma_pace(soc, acc, r->begun + head->first);
	return NULL;
}

/* Handles a message; returns what is wrong with it, or NULL. */
static const char *handle_message(struct esp_soc *soc, unsigned int acc)
{
	struct esp_remote *r = soc->remote[acc];
	const struct mon_esp_link *head = &r->message.head;
	uint64_t cycle;
	const char *error;

	if (head->run != r->run || !speaks(r))
		return head->run > r->run ? "says something about a run that was not started" : NULL;
	if (head->cycle > BEYOND)
		return "sends a cycle that is out of range";
	if (head->kind == MON_ESP_LINK_STALL)
		return take_stall(r);
	if (head->kind != MON_ESP_LINK_MORE && head->kind != MON_ESP_LINK_FAIL) {
		if (head->first > head->last || head->last > head->cycle)
			return "says that it moved words in the future";
		r->taken = r->bytes;
		if (r->phase == TAKES)
			return keep(soc, acc);
	}
	if (head->kind == MON_ESP_LINK_PROGRESS && head->cycle <= r->after)
		return NULL;
	r->moved = now_ms();
	if (r->reads && r->bytes && head->kind != MON_ESP_LINK_MORE)
		esp_acc_pace(soc, acc, true, head->first, head->last, beats_of(r));
	if (soc->stands[acc])
		set_horizon(soc, acc, soc->st->now);
	cycle = r->begun + head->cycle;
	switch (head->kind) {
	case MON_ESP_LINK_PROGRESS:
		r->after = head->cycle;
		set_horizon(soc, acc, cycle > soc->st->now ? cycle : soc->st->now);
		return NULL;
	case MON_ESP_LINK_MORE:
		if (!r->reads || r->at >= r->bytes)
			return "wants more words than it asked to read";
		send_data(r, 0);
		return NULL;
	case MON_ESP_LINK_WORDS:
		return take_words(soc, acc);
	case MON_ESP_LINK_FAIL:
		return reason(r);
	case MON_ESP_LINK_READ:
	case MON_ESP_LINK_WRITE:
	case MON_ESP_LINK_DONE:
		break;
	default:
		return "sends a message that is not in the protocol";
	}
	if (head->cycle <= r->after)
		return "asks for something in the past";
	if (head->kind == MON_ESP_LINK_DONE) {
		answer(soc, acc, IDLE, MON_ESP_ACC_DONE, head->cycle);
		return NULL;
	}
	error = transfer(soc, acc, head);
	if (error)
		return error;
	if (r->reads)
		answer(soc, acc, READS, MON_ESP_ACC_READ, head->cycle);
	else
		answer(soc, acc, WANTS_ROOM, MON_ESP_ACC_NOTHING, head->cycle);
	return NULL;
}

/* The first message of a process that a run has started. */
static const char *greet(struct esp_remote *r, int got)
{
	struct esp_acc_row row;

	if (!take_hello(r, got, &row, r->why, sizeof(r->why)))
		return r->why;
	r->greeted = true;
	r->moved = now_ms();
	return send_start(r);
}

/* What one of them has said. */
static void listen_to(struct esp_soc *soc, unsigned int acc)
{
	struct esp_remote *r = soc->remote[acc];
	unsigned int n, silence = r->program->silence_ms, limit = r->greeted || silence > HELLO_MS ? silence : HELLO_MS;
	char how[64], why[160];

	for (n = 0; n < AT_ONCE && speaks(r); n++) {
		int got = r->kept ? 1 : receive(r);
		const char *error = NULL;
		uint64_t quiet;

		r->kept = false;
		if (got && !r->greeted) {
			error = greet(r, got);
		} else if (got == 1) {
			error = handle_message(soc, acc);
		} else if (got == -2) {
			error = "sends a message that is not in the protocol";
		} else if (got == -1) {
			esp_process_end(&r->process, how, sizeof(how));
			snprintf(why, sizeof(why), "the process %s during a run", how);
			error = why;
		}
		/* also if it says much without progress */
		quiet = now_ms() - r->moved;
		if (!error && speaks(r) && quiet > limit) {
			snprintf(why, sizeof(why), "the process makes no progress for %u ms: it moves no word, computes without a cycle, "
				 "or was stopped", limit);
			error = why;
		} else if (!error && speaks(r) && quiet > silence / PATIENCE && !soc->stands[acc] &&
			   soc->horizon[acc] <= soc->st->now) {
			stand(soc, acc);
		}
		if (error)
			fail(soc, acc, error);
		if (!got)
			return;
	}
}

bool esp_remotes_listen(struct esp_soc *soc, bool wait)
{
	struct pollfd p[ESP_MAX_ACCS];
	unsigned int acc, n;

	do {
		uint64_t before = soc->least_horizon;

		for (acc = n = 0; acc < soc->design.nacc; acc++) {
			struct esp_remote *r = soc->remote[acc];

			if (!r || !speaks(r))
				continue;
			listen_to(soc, acc);
			if (speaks(r))
				p[n++] = (struct pollfd) { r->process.fd, POLLIN, 0 };
		}
		if (soc->least_horizon > before)
			return true;
		if (wait)
			poll(p, n, 100);
	} while (wait && n);
	return false;
}
