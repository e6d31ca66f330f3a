/* SPDX-License-Identifier: MIT */
/*
 * FFTs in place in SystemC, as examples/esp/accelerators/fourier.c does them in C. Load, compute and store work on three batches at a
 * time, so that a read and a write may be asked for at once: two memories between each two of them.
 */
#ifndef FOURIER_HPP
#define FOURIER_HPP

#include <cynw_fixed.h>
#include <flex_channels.hpp>

#define MOST_LOG	8
#define MOST		(1 << MOST_LOG)
#define BEATS		(64 / DMA_WIDTH)	/* of a point; 64 bits or fewer */

struct conf_info_t {
	uint32_t batch_size = 0, log_len = 0;

	bool operator==(const conf_info_t &o) const
	{
		return batch_size == o.batch_size && log_len == o.log_len;
	}
};

inline std::ostream &operator<<(std::ostream &os, const conf_info_t &c) { return os << c.log_len; }
inline void sc_trace(sc_trace_file *, const conf_info_t &, const std::string &) {}

struct dma_info_t {
	uint32_t index = 0, length = 0;
	sc_dt::sc_bv<3> size = 0;
	sc_dt::sc_bv<6> user = 0;
};

typedef uint32_t debug_info_t;

struct point {
	int32_t re, im;
};

SC_MODULE(fourier) {
	sc_in<bool> clk, rst;
	sc_in<conf_info_t> conf_info;
	sc_in<bool> conf_done;
	sc_out<bool> acc_done;
	sc_out<debug_info_t> debug;
	b_put_initiator<dma_info_t> dma_read_ctrl, dma_write_ctrl;
	b_get_initiator<sc_dt::sc_bv<DMA_WIDTH>> dma_read_chnl;
	b_put_initiator<sc_dt::sc_bv<DMA_WIDTH>> dma_write_chnl;

	SC_CTOR(fourier) : dma_read_ctrl("dma_read_ctrl"), dma_write_ctrl("dma_write_ctrl"),
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
	}

	void load();
	void compute();
	void store();

	conf_info_t configuration();
	dma_info_t batch(const conf_info_t &conf, uint32_t number);

	point in[2][MOST], out[2][MOST];
	put_get_channel<bool> loaded, computed;
	b_put_initiator<bool> loaded_put, computed_put;
	b_get_initiator<bool> loaded_get, computed_get;
};

#endif
