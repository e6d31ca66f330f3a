/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzzes the messages between the model of an ESP SoC and an accelerator's process: fuzz-acc
 * [MESSAGES [SEED]], this many messages to each end. Each message is valid at its point, and one of
 * sixteen is changed: kind, run, cycle, length, data, truncated, too long, repeated, or left out.
 * For any messages the model sends only what its accelerator asked for, each run ends, and the SoC
 * becomes idle.
 *
 * There are no sockets, no processes and no time: the linker's --wrap= puts this file in their place.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "esp/internal.h"
#include "esp/remote.h"
#include "tests/fuzz/esp/fuzz-acc.h"

#define MEM_BASE	0x80000000u
#define MEM_SIZE	(4u << 20)
#define NACC		3
#define BEAT		8
#define SILENCE_MS	400
#define FIRST_FD	1000
#define TURNS		2000	/* of a SoC */
#define FLOOD		1000	/* messages that a model may take without waiting */
#define FAR		10000000	/* cycles: longer than any wait */

/* One in so many messages is changed. */
#define CHANGED		16

static uint64_t seed, now_ms;
static bool trying;			/* esp_soc_try_advance(), which does not wait */
static unsigned long long heard;	/* messages by the model */
static uint8_t memory[MEM_SIZE];

uint64_t fuzz_random(uint64_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 24) % n;
}

void fuzz_wrong(const char *what)
{
	fprintf(stderr, "fuzz-acc: %s\n", what);
	abort();
}

size_t fuzz_change(struct fuzz_message *m)
{
	uint32_t *words = (uint32_t *)&m->head;
	size_t size = sizeof(m->head) + m->head.bytes;

	if (fuzz_random(CHANGED))
		return size;
	switch (fuzz_random(10)) {
	case 0:
		m->head.kind = fuzz_random(32);
		break;
	case 1:
		m->head.run += fuzz_random(5) - 2;
		break;
	case 2:
		m->head.cycle = fuzz_random(2) ? m->head.cycle - fuzz_random(1000) : ~0ull >> fuzz_random(64);
		break;
	case 3:
		m->head.index = fuzz_random((uint64_t)1 << 32);
		break;
	case 4:
		m->head.length = fuzz_random(2) ? 0 : ~0u >> fuzz_random(5);
		break;
	case 5:
		m->head.user = fuzz_random(64);
		break;
	case 6:		/* the size in the header is not the message's */
		m->head.bytes = fuzz_random(2) ? fuzz_random(MON_ESP_LINK_BYTES + 2) : ~0u >> fuzz_random(32);
		break;
	case 7:
		size = fuzz_random(sizeof(*m) + 1);
		m->head.bytes = fuzz_random(2) && size >= sizeof(m->head) ? size - sizeof(m->head) : m->head.bytes;
		break;
	case 8:
		words[fuzz_random(sizeof(m->head) / 4)] = fuzz_random((uint64_t)1 << 32);
		break;
	default:
		/* also in a row's first numbers */
		m->data[fuzz_random(fuzz_random(2) ? 64 : sizeof(struct esp_acc_row))] ^= 1 << fuzz_random(8);
	}
	return size;
}

/* ---- an accelerator's process, as the model sees it ---- */

static struct end {
	bool open, mute, again;
	unsigned int flood;	/* reports without progress in a row so far */
	enum { HELLO, REQUEST, MORE, WORDS } next;	/* what it would say */
	uint32_t run;
	uint64_t cycle;
	/* of the transfer that it asked for */
	bool write;
	uint64_t asked, moved;	/* bytes */
	struct fuzz_message message;	/* the last one, to be said again */
} ends[NACC + 2];

bool esp_process_start(struct esp_process *process, const char *file, bool confined, char *why, size_t size)
{
	unsigned int i = 0;

	(void)file;
	(void)confined;
	process->fd = -1;
	if (!fuzz_random(200)) {
		snprintf(why, size, "no process");
		return false;
	}
	while (ends[i].open)
		i++;
	memset(&ends[i], 0, sizeof(ends[i]));
	ends[i].open = true;
	process->fd = FIRST_FD + i;
	process->pid = 0;
	return true;
}

void esp_process_end(struct esp_process *process, char *how, size_t size)
{
	if (process->fd >= 0)
		ends[process->fd - FIRST_FD].open = false;
	process->fd = -1;
	if (how)
		snprintf(how, size, "ended");
}

static uint32_t words_left(const struct end *e)
{
	uint64_t left = e->moved < e->asked ? e->asked - e->moved : 0;

	return left < MON_ESP_LINK_BYTES ? left : MON_ESP_LINK_BYTES;
}

/* The next message of an accelerator. */
static void speak(struct end *e, struct fuzz_message *m)
{
	struct esp_acc_row row = { .name = "FUZZ", .device = 0x323, .chunks = 4, .members = 1 };

	unsigned int i;

	memset(&m->head, 0, sizeof(m->head));
	m->head.run = e->run;
	m->head.cycle = e->cycle += 1 + fuzz_random(100);
	if (e->next == HELLO) {
		row.beat = fuzz_random(20) ? BEAT : fuzz_random(3) * 4;
		m->head.kind = MON_ESP_LINK_HELLO;
		m->head.version = MON_ESP_LINK_VERSION;
		m->head.bytes = sizeof(row);
		memcpy(m->data, &row, sizeof(row));
	} else if (!fuzz_random(8)) {
		m->head.kind = MON_ESP_LINK_PROGRESS;
		m->head.cycle = fuzz_random(2) ? 0 : m->head.cycle;
	} else if (e->next == MORE) {
		m->head.kind = MON_ESP_LINK_MORE;
	} else if (e->next == WORDS) {
		m->head.kind = MON_ESP_LINK_WORDS;
		m->head.bytes = words_left(e);
	} else if (!fuzz_random(8)) {
		m->head.kind = fuzz_random(16) ? MON_ESP_LINK_DONE : MON_ESP_LINK_FAIL;
		for (i = 0; m->head.kind == MON_ESP_LINK_FAIL && i < 64; i++)
			m->data[m->head.bytes++] = fuzz_random(256);
	} else {
		m->head.kind = fuzz_random(2) ? MON_ESP_LINK_READ : MON_ESP_LINK_WRITE;
		m->head.index = fuzz_random(1000);
		/* a few take several messages */
		m->head.length = fuzz_random(1000) ? 1 + fuzz_random(16) : 3 * MON_ESP_LINK_BYTES / BEAT;
		m->head.user = fuzz_random(64) ? 0 : fuzz_random(3);
	}
}

/* The effect of a message on the model. */
static void note(struct end *e, const struct fuzz_message *m, size_t size)
{
	if (size < sizeof(m->head) || size > sizeof(*m) || m->head.run != e->run)
		return;
	if (m->head.kind == MON_ESP_LINK_READ || m->head.kind == MON_ESP_LINK_WRITE) {
		e->write = m->head.kind == MON_ESP_LINK_WRITE;
		e->asked = (uint64_t)m->head.length * BEAT;
		e->moved = 0;
	} else if (m->head.kind == MON_ESP_LINK_WORDS) {
		e->moved += m->head.bytes;
	}
}

ssize_t __wrap_recv(int fd, void *to, size_t size, int flags)
{
	struct fuzz_message *m;
	struct end *e;
	size_t n;

	(void)flags;
	if (fd == MON_ESP_LINK_FD)
		return fuzz_client_recv(to, size);
	e = &ends[fd - FIRST_FD];
	m = &e->message;
	if (!fuzz_random(2000))
		e->mute = true;
	if (!fuzz_random(5000))
		e->flood = 1;
	if (e->flood && trying) {
		if (++e->flood > FLOOD)
			fuzz_wrong("the model listens for ever");
		m->head = (struct mon_esp_link){ .kind = MON_ESP_LINK_PROGRESS, .run = e->run };
		memcpy(to, m, sizeof(m->head));
		return sizeof(m->head);
	}
	if (e->mute || !fuzz_random(8)) {
		errno = EAGAIN;
		return -1;
	}
	if (!fuzz_random(1000))
		return 0;
	if (!e->again)
		speak(e, m);
	e->again = !fuzz_random(500);
	n = fuzz_change(m);
	note(e, m, n);
	heard++;
	memcpy(to, m, n < size ? n : size);
	return n;
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr *message, int flags)
{
	const struct mon_esp_link *head = message->msg_iov[0].iov_base;
	struct end *e;

	(void)flags;
	if (fd == MON_ESP_LINK_FD) {
		fuzz_client_sent(head, message->msg_iov[1].iov_base);
		return sizeof(*head) + head->bytes;
	}
	e = &ends[fd - FIRST_FD];
	if (head->bytes > MON_ESP_LINK_BYTES)
		fuzz_wrong("the model's message is larger than the protocol's");
	e->cycle = head->cycle;
	e->next = REQUEST;
	switch (head->kind) {
	case MON_ESP_LINK_START:
		if (!fuzz_random(500))
			return -1;
		e->run = head->run;
		e->asked = e->moved = 0;
		e->again = false;
		break;
	case MON_ESP_LINK_DATA:
		e->moved += head->bytes;
		if (e->write || e->moved > e->asked)
			fuzz_wrong("the model says words that nobody asked for");
		e->cycle += e->asked / BEAT;
		e->next = e->moved < e->asked ? MORE : REQUEST;
		break;
	case MON_ESP_LINK_ROOM:
		if (!e->write || !e->asked)
			fuzz_wrong("the model has room for what nobody asked to write");
		e->next = WORDS;
		break;
	case MON_ESP_LINK_TAKEN:
		if (!e->write || e->moved != e->asked)
			fuzz_wrong("the model has taken what nobody wrote");
		break;
	default:
		fuzz_wrong("the model says what is not in the protocol");
	}
	return sizeof(*head) + head->bytes;
}

int __wrap_poll(struct pollfd *p, nfds_t n, int timeout)
{
	(void)p;
	(void)n;
	if (timeout <= 100)
		now_ms += timeout;
	return timeout <= 100 || fuzz_random(500);	/* a hello may not come */
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	t->tv_sec = now_ms / 1000;
	t->tv_nsec = now_ms % 1000 * 1000000;
	return 0;
}

/* ---- the SoC ---- */

static bool in_memory(uint64_t addr, size_t len)
{
	return addr >= MEM_BASE && addr - MEM_BASE <= MEM_SIZE && len <= MEM_SIZE - (addr - MEM_BASE);
}

static bool mem_read(void *opaque, uint64_t addr, void *buf, size_t len)
{
	(void)opaque;
	if (!in_memory(addr, len))
		return false;
	memcpy(buf, memory + (addr - MEM_BASE), len);
	return true;
}

static bool mem_write(void *opaque, uint64_t addr, const void *buf, size_t len)
{
	(void)opaque;
	if (!in_memory(addr, len))
		return false;
	/* the page table stays */
	if (addr - MEM_BASE >= 4096)
		memcpy(memory + (addr - MEM_BASE), buf, len);
	return true;
}

static void irq(void *opaque, unsigned int acc)
{
	(void)opaque;
	(void)acc;
}

static void told(void *opaque, const char *message)
{
	const char *c;

	(void)opaque;
	for (c = message; *c; c++) {
		if ((uint8_t)*c < ' ')
			fuzz_wrong("the model tells what would move a terminal's cursor");
	}
	if (!*message || strstr(message, "exhausted") || strstr(message, "does not answer"))
		fuzz_wrong(message);
}

static uint32_t status(struct esp_soc *soc, unsigned int acc)
{
	return esp_soc_read(soc, 0, ESP_ACC_BASE + ESP_ACC_STRIDE * acc + ESP_ACC_STATUS);
}

static void acc_write(struct esp_soc *soc, unsigned int acc, uint32_t offset, uint32_t value)
{
	esp_soc_write(soc, 0, ESP_ACC_BASE + ESP_ACC_STRIDE * acc + offset, value);
}

static void start(struct esp_soc *soc, unsigned int acc)
{
	acc_write(soc, acc, ESP_ACC_PT_ADDRESS, MEM_BASE);
	acc_write(soc, acc, ESP_ACC_PT_NCHUNK, 1);
	acc_write(soc, acc, ESP_ACC_PT_SHIFT, 21);
	/* few wait for each other */
	acc_write(soc, acc, ESP_ACC_P2P, fuzz_random(64) ? 0 : fuzz_random(4) << 2 | fuzz_random(3) << 4);
	acc_write(soc, acc, 0x40, fuzz_random(1000));
	acc_write(soc, acc, ESP_ACC_CMD, 1);
}

/* Runs that wait for ever, or for too long, are stopped. */
static void cut_off(struct esp_soc *soc)
{
	unsigned int acc;

	for (acc = 0; acc < NACC; acc++)
		acc_write(soc, acc, ESP_ACC_CMD, 0);
	esp_soc_advance(soc, esp_soc_now(soc) + 1000);
	for (acc = 0; acc < NACC; acc++)
		esp_soc_reset_accelerator(soc, acc);
	esp_soc_advance(soc, esp_soc_now(soc) + 1000000);
	if (esp_soc_has_remote_runs(soc))
		fuzz_wrong("a run goes on that was cut off");
	if (esp_soc_next_event(soc) != UINT64_MAX)
		fuzz_wrong("no rest after all accelerators were reset");
}

static void try_advance(struct esp_soc *soc, uint64_t cycle)
{
	unsigned int i;

	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		ends[i].flood = 0;
	trying = true;
	esp_soc_try_advance(soc, cycle);
	trying = false;
}

static void turn(struct esp_soc *soc)
{
	unsigned int acc = fuzz_random(NACC);
	uint64_t next;

	if (status(soc, acc) & ESP_ACC_STATUS_DONE)
		acc_write(soc, acc, ESP_ACC_CMD, 0);
	else if (!status(soc, acc))
		start(soc, acc);
	else if (!fuzz_random(500))
		acc_write(soc, acc, ESP_ACC_CMD, 0);
	else if (!fuzz_random(2000))
		esp_soc_reset_accelerator(soc, acc);
	else if (!fuzz_random(4000))
		esp_soc_reset(soc);
	next = esp_soc_next_event(soc);
	if (next == UINT64_MAX || next - esp_soc_now(soc) > FAR)
		cut_off(soc);
	else if (fuzz_random(2))
		try_advance(soc, next);
	else
		esp_soc_advance(soc, next);
}

static void soc_of(const struct esp_design *design, const struct mon_esp_acc_type *type)
{
	static const struct esp_soc_ops ops = { mem_read, mem_write, irq, told, told, NULL };
	const struct mon_esp_acc_type *types[] = { type, NULL };
	struct esp_params params;
	struct esp_soc *soc;
	unsigned int i;
	char err[256];

	esp_params_init(&params);
	params.mem_base = MEM_BASE;
	params.mem_size = MEM_SIZE;
	params.accelerators = types;
	soc = esp_soc_new(design, &params, &ops, NULL, err, sizeof(err));
	if (!soc)	/* the hello's width */
		return;
	for (i = 0; i < TURNS; i++)
		turn(soc);
	cut_off(soc);
	esp_soc_free(soc);
}

int main(int argc, char **argv)
{
	static const char text[] =
		"CPU_ARCH = ariane\nCONFIG_NOC_ROWS = 2\nCONFIG_NOC_COLS = 3\nCONFIG_COH_NOC_WIDTH = 64\n"
		"CONFIG_DMA_NOC_WIDTH = 64\nCONFIG_HAS_SG = y\nTILE_0_0 = 0 cpu cpu\nTILE_0_1 = 1 mem mem\n"
		"TILE_0_2 = 2 misc IO\nTILE_1_0 = 3 acc FUZZ p 0 0 sld\nTILE_1_1 = 4 acc FUZZ p 0 0 sld\n"
		"TILE_1_2 = 5 acc FUZZ p 0 0 sld\n";
	unsigned long long messages = argc > 1 ? strtoull(argv[1], NULL, 0) : 100000, n = 0, processes = 0;
	const uint64_t chunk = MEM_BASE + 0x100000;
	static struct esp_design design;
	char err[256];

	seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	memcpy(memory, &chunk, sizeof(chunk));
	if (esp_design_parse(text, strlen(text), "design", &design, err, sizeof(err)))
		fuzz_wrong(err);
	while (heard < messages) {
		struct mon_esp_acc_type *type =
			esp_remote_type("FUZZ", "fuzz.acc", false, SILENCE_MS, err, sizeof(err));

		if (type)
			soc_of(&design, type);
		esp_remote_type_free(type);
	}
	for (; n < messages; processes++)
		n += fuzz_client();
	printf("fuzz-acc: %llu messages to the model, %llu to %llu accelerators\n", heard, n, processes);
	return 0;
}
