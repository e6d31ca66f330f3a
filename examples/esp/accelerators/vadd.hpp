/* SPDX-License-Identifier: MIT */
/*
 * An accelerator of ESP's form in SystemC: adds a constant to 32-bit numbers, two in a beat of 64 bits.
 * Load, compute and store are processes; a channel of bool between two of them is a handshake.
 */
#ifndef VADD_HPP
#define VADD_HPP

#include <cynw_fixed.h>
#include <flex_channels.hpp>

#define BURST	512	/* words of local memory */

struct conf_info_t {
	int32_t words = 0, addend = 0, output = 0;

	bool operator==(const conf_info_t &o) const
	{
		return words == o.words && addend == o.addend && output == o.output;
	}
};

inline std::ostream &operator<<(std::ostream &os, const conf_info_t &c) { return os << c.words; }
inline void sc_trace(sc_trace_file *, const conf_info_t &, const std::string &) {}

struct dma_info_t {
	uint32_t index = 0, length = 0;
	sc_dt::sc_bv<3> size = 0;
	sc_dt::sc_bv<6> user = 0;
};

typedef uint32_t debug_info_t;

SC_MODULE(vadd) {
	sc_in<bool> clk, rst;
	sc_in<conf_info_t> conf_info;
	sc_in<bool> conf_done;
	sc_out<bool> acc_done;
	sc_out<debug_info_t> debug;
	b_put_initiator<dma_info_t> dma_read_ctrl, dma_write_ctrl;
	b_get_initiator<sc_dt::sc_bv<DMA_WIDTH>> dma_read_chnl;
	b_put_initiator<sc_dt::sc_bv<DMA_WIDTH>> dma_write_chnl;

	SC_CTOR(vadd) : dma_read_ctrl("dma_read_ctrl"), dma_write_ctrl("dma_write_ctrl"),
			dma_read_chnl("dma_read_chnl"), dma_write_chnl("dma_write_chnl")
	{
		SC_CTHREAD(load, clk.pos());
		reset_signal_is(rst, false);
		SC_CTHREAD(compute, clk.pos());
		reset_signal_is(rst, false);
		SC_CTHREAD(store, clk.pos());
		reset_signal_is(rst, false);
		loaded_put.bind(loaded);
		loaded_get.bind(loaded);
		computed_put.bind(computed);
		computed_get.bind(computed);
		stored_put.bind(stored);
		stored_get.bind(stored);
	}

	void load();
	void compute();
	void store();

	uint32_t plm[2 * BURST];
	put_get_channel<bool> loaded, computed, stored;
	b_put_initiator<bool> loaded_put, computed_put, stored_put;
	b_get_initiator<bool> loaded_get, computed_get, stored_get;
};

#endif
