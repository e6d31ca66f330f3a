/* SPDX-License-Identifier: MIT */
/*
 * The socket's side of an accelerator's ports, at the pins of its channels. At a request the
 * simulation is stopped until the model answers, then catches up.
 */
#ifndef MON_ESP_SOCKET_HPP
#define MON_ESP_SOCKET_HPP

#include <vector>

#include "mon_esp_client.h"

template <int W> struct mon_esp_socket : sc_module {
	sc_in<bool> clk;
	sc_signal<conf_info_t> conf_info;
	sc_signal<bool> conf_done, acc_rst, acc_done;
	sc_signal<debug_info_t> debug;
	put_get_channel<dma_info_t> dma_read_ctrl, dma_write_ctrl;
	put_get_channel<sc_dt::sc_bv<W>> dma_read_chnl, dma_write_chnl;

	SC_HAS_PROCESS(mon_esp_socket);
	explicit mon_esp_socket(sc_module_name name) : sc_module(name)
	{
		SC_METHOD(edge);
		sensitive << clk.pos();
		dont_initialize();
	}

	template <class A> void bind(A &acc)
	{
		acc.clk(clk);
		acc.rst(acc_rst);
		acc.conf_info(conf_info);
		acc.conf_done(conf_done);
		acc.acc_done(acc_done);
		acc.debug(debug);
		acc.dma_read_ctrl(dma_read_ctrl);
		acc.dma_write_ctrl(dma_write_ctrl);
		acc.dma_read_chnl(dma_read_chnl);
		acc.dma_write_chnl(dma_write_chnl);
	}

private:
	enum { BEAT = W / 8, PROGRESS = 64 };	/* bytes; cycles between two looks at the clock */
	enum { BEGIN, RESET, CONFIGURE, RUN, GRANT, READ_WAIT, READ, WRITE_WAIT, WRITE, LAST } state = BEGIN;
	long long cycle = 0, from = 0;
	bool reading = false, done = false;
	uint32_t length = 0, moved = 0;
	std::vector<uint8_t> data;

	/* The registers are in the message that began the run. */
	void begin()
	{
		conf_info_t conf;

		mon_esp_conf(conf, mon_esp_run_data()->regs);
		conf_info.write(conf);
		conf_done.write(false);
		acc_rst.write(false);
		offer(false);
		dma_write_chnl.w.ready.write(false);
		dma_read_ctrl.w.ready.write(false);
		dma_write_ctrl.w.ready.write(false);
		done = false;
		state = RESET;
	}

	/* A run that takes long says how far it has come, so that the SoC may follow. */
	void progress()
	{
		if (!(cycle % PROGRESS))
			mon_esp_progress(cycle);
	}

	void offer(bool valid)
	{
		flex::offer<sc_dt::sc_bv<W>> o;

		o.valid = valid;
		o.since = flex::now();
		for (int i = 0; valid && i < BEAT; i++)
			o.data.range(8 * i + 7, 8 * i) = data[(size_t)moved * BEAT + i];
		dma_read_chnl.w.put.write(o);
	}

	void request(const dma_info_t &info, bool read)
	{
		reading = read;
		length = info.length;
		moved = 0;
		if (!mon_esp_ask(read ? MON_ESP_LINK_READ : MON_ESP_LINK_WRITE, cycle, info.index,
				 info.length, info.size.to_uint(), info.user.to_uint())) {
			begin();
			return;
		}
		from = mon_esp_message.head.cycle;
		data.resize((size_t)length * BEAT);	/* which the model has found possible */
		if (read && !mon_esp_fetch(data.data(), data.size())) {
			begin();
			return;
		}
		(read ? dma_read_ctrl.w : dma_write_ctrl.w).ready.write(true);
		state = GRANT;
	}

	void word_written()
	{
		mon_esp_moves(moved, cycle);
		const sc_dt::sc_bv<W> word = dma_write_chnl.w.put.read().data;

		for (int i = 0; i < BEAT; i++)
			data[(size_t)moved * BEAT + i] = word.range(8 * i + 7, 8 * i).to_uint();
	}

	/* The last word stays there until the model has taken all. */
	void last_word()
	{
		word_written();
		dma_write_chnl.w.ready.write(false);
		if (!mon_esp_put(data.data(), data.size(), cycle)) {
			begin();
			return;
		}
		from = mon_esp_message.head.cycle;
		state = LAST;
	}

	void edge()
	{
		cycle++;
		if (acc_done.read() && state >= RUN)
			done = true;
		switch (state) {
		case BEGIN:
			begin();
			break;
		case RESET:
			acc_rst.write(true);
			state = CONFIGURE;
			break;
		case CONFIGURE:
			conf_done.write(true);
			cycle = 0;
			state = RUN;
			break;
		case RUN:
			conf_done.write(false);
			if (done) {
				mon_esp_say(MON_ESP_LINK_DONE, cycle);
				mon_esp_expect(MON_ESP_LINK_START);
				begin();
			} else if (dma_read_ctrl.w.put.read().valid) {
				request(dma_read_ctrl.w.put.read().data, true);
			} else if (dma_write_ctrl.w.put.read().valid) {
				request(dma_write_ctrl.w.put.read().data, false);
			} else {
				progress();
			}
			break;
		case GRANT:
			(reading ? dma_read_ctrl.w : dma_write_ctrl.w).ready.write(false);
			state = reading ? READ_WAIT : WRITE_WAIT;
			break;
		case READ_WAIT:
			if (cycle + 1 < from)
				break;
			offer(true);
			state = READ;
			break;
		case READ:
			if (!dma_read_chnl.w.ready.read()) {
				if (!(cycle % PROGRESS))
					mon_esp_stall(moved, cycle);
				break;
			}
			mon_esp_moves(moved++, cycle);
			offer(moved < length);
			if (moved == length)
				state = RUN;
			break;
		case WRITE_WAIT:
			if (cycle + 1 < from)
				break;
			if (length > 1)
				dma_write_chnl.w.ready.write(true);
			state = WRITE;
			break;
		case WRITE:
			if (!dma_write_chnl.w.put.read().valid) {
				if (!(cycle % PROGRESS))
					mon_esp_give(data.data(), moved * BEAT, cycle);
				break;
			}
			if (moved + 1 == length) {
				last_word();
				break;
			}
			if (!dma_write_chnl.w.ready.read())
				break;
			word_written();
			if (++moved + 1 == length)
				dma_write_chnl.w.ready.write(false);
			break;
		case LAST:
			if (cycle < from)
				break;
			if (!dma_write_chnl.w.ready.read()) {
				dma_write_chnl.w.ready.write(true);
				break;
			}
			dma_write_chnl.w.ready.write(false);
			state = RUN;
			break;
		}
	}
};

#endif
