/* SPDX-License-Identifier: MIT */
/*
 * The process of an accelerator in C: mon_esp_accelerator of mon_esp_acc.h. A request begins at the
 * earliest one cycle after the request before it.
 */
#include "mon_esp_acc.h"
#include "mon_esp_client.h"

#ifndef MON_ESP_BEAT
#define MON_ESP_BEAT	8
#endif
#define FIRST_REGISTER	0x40

extern const struct mon_esp_acc_type mon_esp_accelerator;

static uint32_t regs[FIRST_REGISTER / 4 + MON_ESP_LINK_PARAMS];
static char design_point[64];

/* True if a transfer of the accelerator is inside its state. */
static bool fits(const struct mon_esp_acc *acc)
{
	const struct mon_esp_acc_request *r = &acc->request;
	uint64_t bytes = ((uint64_t)r->bytes + MON_ESP_BEAT - 1) / MON_ESP_BEAT * MON_ESP_BEAT;
	size_t at = (uint8_t *)r->data - (uint8_t *)acc->state;

	return r->what == MON_ESP_ACC_NOTHING || r->what == MON_ESP_ACC_DONE ||
	       (at <= acc->type->state_size && bytes <= acc->type->state_size - at);
}

/* All words of a transfer, from a cycle on; the cycle of the last one. */
static uint64_t move(uint64_t cycle, uint32_t beats, unsigned int pace)
{
	mon_esp_moves(0, cycle);
	mon_esp_moves(beats - 1, cycle + (uint64_t)(beats - 1) * (pace ? pace : 1));
	return mon_esp_last;
}

/* One request; false if another run has begun. */
static bool serve(struct mon_esp_acc *acc)
{
	const struct mon_esp_acc_request *r = &acc->request;
	uint32_t beats = (r->bytes + MON_ESP_BEAT - 1) / MON_ESP_BEAT, bytes = beats * MON_ESP_BEAT;
	uint64_t cycle = acc->now + r->after;

	if (r->what == MON_ESP_ACC_NOTHING) {
		acc->now = cycle;
		mon_esp_say(MON_ESP_LINK_PROGRESS, cycle);
		return true;
	}
	if (r->what == MON_ESP_ACC_READ) {
		if (!mon_esp_ask(MON_ESP_LINK_READ, cycle, r->offset / MON_ESP_BEAT, beats, 2, r->user))
			return false;
		acc->now = move(mon_esp_message.head.cycle, beats, acc->type->row->load) + 1;
		return mon_esp_fetch(r->data, bytes);
	}
	if (!mon_esp_ask(MON_ESP_LINK_WRITE, cycle, r->offset / MON_ESP_BEAT, beats, 2, r->user) ||
	    !mon_esp_put(r->data, bytes, move(mon_esp_message.head.cycle, beats, acc->type->row->store)))
		return false;
	acc->now = mon_esp_message.head.cycle + 1;
	return true;
}

/* A run, until it is done or another one begins; true: the START of another one has arrived. */
static bool run(struct mon_esp_acc *acc)
{
	struct mon_esp_acc_request *r = &acc->request;

	memcpy(regs + FIRST_REGISTER / 4, mon_esp_run_data()->regs, sizeof(mon_esp_run_data()->regs));
	memcpy(design_point, mon_esp_run_data()->design_point, sizeof(design_point));
	acc->now = 0;
	memset(r, 0, sizeof(*r));
	acc->type->start(acc);
	acc->now = 1;
	for (;;) {
		if (r->what == MON_ESP_ACC_DONE && r->error) {
			mon_esp_give_up(r->error);
			return false;
		}
		if (r->what == MON_ESP_ACC_DONE) {
			mon_esp_say(MON_ESP_LINK_DONE, acc->now + r->after);
			return false;
		}
		memset(r, 0, sizeof(*r));
		acc->type->next(acc);
		if (!fits(acc))
			mon_esp_acc_fail(acc, "its transfer is larger than its state");
		if (r->what != MON_ESP_ACC_DONE && !serve(acc))
			return true;
	}
}

int main(void)
{
	const struct mon_esp_acc_type *type = &mon_esp_accelerator;
	struct esp_acc_row row = *type->row;
	struct mon_esp_acc acc;

	row.beat = MON_ESP_BEAT;
	memset(&acc, 0, sizeof(acc));
	acc.type = type;
	acc.regs = regs;
	acc.design_point = design_point;
	acc.state = calloc(1, type->state_size ? type->state_size : 1);
	mon_esp_hello(&row);
	while (run(&acc) || mon_esp_expect(MON_ESP_LINK_START))
		;
	return 0;
}
