/* SPDX-License-Identifier: MIT */
/*
 * The process of a verilated accelerator. The socket takes index and length at the first edge at which
 * it is idle and sees valid; ready follows a cycle later and stays while valid does (esp_acc_dma.vhd,
 * esp_acc_tlb.vhd): some accelerators give valid for one cycle and never look at ready. A request that
 * follows without a gap while ready is still set is granted and lost, here as in hardware.
 */
#include <vector>

#include "verilated.h"

#include "mon_esp_client.h"
#include "mon_esp_glue.h"

#define PROGRESS	512	/* cycles between two looks at the clock */

static top *acc;
static long long cycle, from;
static bool reading, done;
static uint32_t first, length, moved;	/* of the transfer; first: its index */
static std::vector<uint8_t> data;

enum state { RUN, GRANT, READ_WAIT, READ, WRITE_WAIT, WRITE, LAST };

template <class T> static void set_word(T &port, const uint8_t *from_memory)
{
	memcpy((void *)&port, from_memory, BEAT);
}

template <class T> static void get_word(const T &port, uint8_t *to_memory)
{
	memcpy(to_memory, (const void *)&port, BEAT);
}

static void edge()
{
	PORT_CLK = 1;
	acc->eval();
	PORT_CLK = 0;
	acc->eval();
}

static state begin()
{
	PORT_RESET = RESET_ACTIVE;
	PORT_CONF_DONE = 0;
	PORT_READ_CTRL_READY = PORT_WRITE_CTRL_READY = 0;
	PORT_READ_CHNL_VALID = PORT_WRITE_CHNL_READY = 0;
	set_registers(acc, mon_esp_run_data()->regs);
	PORT_CLK = 0;
	acc->eval();
	edge();
	edge();
	PORT_RESET = !RESET_ACTIVE;
	acc->eval();
	done = false;
	cycle = 0;
	return RUN;
}

static void progress()
{
	if (!(cycle % PROGRESS))
		mon_esp_progress(cycle);
}

/* False: another run has begun. */
static bool request(bool read, uint32_t index, uint32_t beats, uint32_t size, uint32_t user)
{
	reading = read;
	first = index;
	length = beats;
	moved = 0;
	if (!mon_esp_ask(read ? MON_ESP_LINK_READ : MON_ESP_LINK_WRITE, cycle, index, length, size, user))
		return false;
	data.resize((size_t)length * BEAT);	/* which the model has found possible */
	from = mon_esp_message.head.cycle;
	return !read || mon_esp_fetch(data.data(), data.size());
}

/* What the edge of this cycle does; the ports are as before it. */
static state step(state now)
{
	bool rd = PORT_READ_CTRL_VALID, wr = PORT_WRITE_CTRL_VALID;

	switch (now) {
	case RUN:
		if (done) {
			mon_esp_say(MON_ESP_LINK_DONE, cycle);
			mon_esp_expect(MON_ESP_LINK_START);
			return begin();
		}
		if (!rd && !wr) {
			progress();
			return RUN;
		}
		if (!(rd ? request(true, PORT_READ_CTRL_DATA_INDEX, PORT_READ_CTRL_DATA_LENGTH,
				   PORT_READ_CTRL_DATA_SIZE, PORT_READ_CTRL_DATA_USER) :
			   request(false, PORT_WRITE_CTRL_DATA_INDEX, PORT_WRITE_CTRL_DATA_LENGTH,
				   PORT_WRITE_CTRL_DATA_SIZE, PORT_WRITE_CTRL_DATA_USER)))
			return begin();
		return GRANT;
	case GRANT:
		if (reading ? rd && (PORT_READ_CTRL_DATA_INDEX != first || PORT_READ_CTRL_DATA_LENGTH != length) :
			      wr && (PORT_WRITE_CTRL_DATA_INDEX != first || PORT_WRITE_CTRL_DATA_LENGTH != length)) {
			mon_esp_give_up("asks for another transfer without a cycle in which valid is 0: the socket "
					"grants and loses it, and in hardware the run hangs");
			mon_esp_expect(MON_ESP_LINK_START);
			return begin();
		}
		if (reading ? rd : wr)
			return GRANT;
		return reading ? READ_WAIT : WRITE_WAIT;
	case READ_WAIT:
		return cycle + 1 >= from ? READ : READ_WAIT;
	case READ:
		if (PORT_READ_CHNL_READY)
			mon_esp_moves(moved++, cycle);
		else if (!(cycle % PROGRESS))
			mon_esp_stall(moved, cycle);
		return moved == length ? RUN : READ;
	case WRITE_WAIT:
		return cycle + 1 >= from ? WRITE : WRITE_WAIT;
	case WRITE:
		if (!PORT_WRITE_CHNL_VALID) {
			if (!(cycle % PROGRESS))
				mon_esp_give(data.data(), moved * BEAT, cycle);
			return WRITE;
		}
		get_word(PORT_WRITE_CHNL_DATA, &data[(size_t)moved * BEAT]);
		mon_esp_moves(moved, cycle);
		if (moved + 1 < length) {
			moved++;
			return WRITE;
		}
		if (!mon_esp_put(data.data(), data.size(), cycle))
			return begin();
		from = mon_esp_message.head.cycle;
		return LAST;
	case LAST:
		return cycle >= from ? RUN : LAST;
	}
	return now;
}

int main()
{
	const struct esp_acc_row row = mon_esp_row();
	state now = RUN;

	acc = new top;
	mon_esp_hello(&row);
	begin();
	for (;; cycle++) {
		PORT_CONF_DONE = cycle == 0;
		PORT_READ_CTRL_READY = now == GRANT && reading && PORT_READ_CTRL_VALID;
		PORT_WRITE_CTRL_READY = now == GRANT && !reading && PORT_WRITE_CTRL_VALID;
		PORT_READ_CHNL_VALID = now == READ;
		if (now == READ)
			set_word(PORT_READ_CHNL_DATA, &data[(size_t)moved * BEAT]);
		/* the last word stays until the model has taken all */
		PORT_WRITE_CHNL_READY = (now == WRITE && moved + 1 < length) ||
					(now == LAST && cycle >= from);
		acc->eval();
		if (PORT_ACC_DONE && cycle > 0)
			done = true;
		long long before = cycle;
		now = step(now);
		if (cycle != before) {	/* reset: conf_done comes next */
			cycle--;
			continue;
		}
		edge();
	}
}
