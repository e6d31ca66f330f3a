/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The accelerator's end: that of programs in C around examples/esp/accelerators/fourier.c. It may
 * end its process when a message breaks the protocol, and must accept all that do not.
 */
#include <setjmp.h>

#include "tests/fuzz/esp/fuzz-acc.h"

#define main client_main
int main(void);
#include "tools/esp/mon-esp-acc/host.c"
#undef main

static jmp_buf end;
static bool inside;
static void *state;		/* state of the accelerator, which its process never frees */
static unsigned long long taken;
static struct {
	enum { HELLO, REQUEST, MORE, WORDS, IDLE } last;	/* that it said */
	bool write;
	uint32_t run;
	uint64_t cycle;		/* of the last message to it */
	uint32_t asked, moved;	/* bytes */
} said;

void __wrap__exit(int status)
{
	(void)status;
	longjmp(end, 1);
}

void *__wrap_calloc(size_t n, size_t size)
{
	void *p = __real_calloc(n, size);

	if (inside)
		state = p;
	return p;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* The next message of a model. */
static void answer(struct fuzz_message *m)
{
	struct mon_esp_link_run run;

	memset(&m->head, 0, sizeof(m->head));
	if (said.last == HELLO || said.last == IDLE || !fuzz_random(50)) {
		memset(&run, 0, sizeof(run));
		run.regs[0] = fuzz_random(4);
		run.regs[1] = fuzz_random(10);
		said.run++;
		m->head.kind = MON_ESP_LINK_START;
		m->head.bytes = sizeof(run);
		memcpy(m->data, &run, sizeof(run));
	} else if (said.write) {
		m->head.kind = said.last == WORDS ? MON_ESP_LINK_TAKEN : MON_ESP_LINK_ROOM;
	} else {
		m->head.kind = MON_ESP_LINK_DATA;
		/* the model fills its messages; an accelerator need not rely on that */
		m->head.bytes = least(said.asked - said.moved, 1 + fuzz_random(MON_ESP_LINK_BYTES));
	}
	m->head.run = said.run;
	m->head.cycle = said.cycle += fuzz_random(100);
}

ssize_t fuzz_client_recv(void *to, size_t size)
{
	static struct fuzz_message m;
	size_t n;

	answer(&m);
	n = fuzz_change(&m);
	taken++;
	if (n > size)
		n = size;
	memcpy(to, &m, n);
	if (n >= sizeof(m.head) && m.head.kind == MON_ESP_LINK_DATA)
		said.moved += m.head.bytes;
	return n;
}

void fuzz_client_sent(const struct mon_esp_link *head, const uint8_t *data)
{
	(void)data;
	switch (head->kind) {
	case MON_ESP_LINK_HELLO:
		said.last = HELLO;
		break;
	case MON_ESP_LINK_READ:
	case MON_ESP_LINK_WRITE:
		/* a batch of 2 to 256 points of a beat each */
		if (head->length < 2 || head->length > 256 || head->length & (head->length - 1))
			fuzz_wrong("the accelerator asks for what it has no use for");
		said.last = REQUEST;
		said.write = head->kind == MON_ESP_LINK_WRITE;
		said.asked = head->length * 8;
		said.moved = 0;
		break;
	case MON_ESP_LINK_MORE:
		if (said.write || said.moved >= said.asked)
			fuzz_wrong("the accelerator wants more words than it asked to read");
		said.last = MORE;
		break;
	case MON_ESP_LINK_WORDS:
		said.moved += head->bytes;
		if (!said.write || said.moved > said.asked)
			fuzz_wrong("the accelerator says more words than it asked to write");
		said.last = WORDS;
		break;
	case MON_ESP_LINK_DONE:
	case MON_ESP_LINK_FAIL:
		said.last = IDLE;
		break;
	case MON_ESP_LINK_PROGRESS:
		break;
	default:
		fuzz_wrong("the accelerator says what is not in the protocol");
	}
}

unsigned long long fuzz_client(void)
{
	taken = 0;
	memset(&said, 0, sizeof(said));
	inside = true;
	if (!setjmp(end))
		client_main();
	inside = false;
	free(state);
	state = NULL;
	return taken;
}
