/* SPDX-License-Identifier: MIT */
/* Fixed point numbers of the HLS library as those of SystemC: same widths and modes. Sums,
 * differences and products are exact in both; what a quotient keeps beyond its target's width is
 * the library's choice and may differ. */
#ifndef CYNW_FIXED_SHIM_H
#define CYNW_FIXED_SHIM_H

#ifndef SC_INCLUDE_FX
#define SC_INCLUDE_FX
#endif
#include <systemc.h>
#include "hls_pragmas.hpp"

#include <math.h>

template <int W, int I, sc_dt::sc_q_mode Q = sc_dt::SC_TRN, sc_dt::sc_o_mode O = sc_dt::SC_WRAP,
	  int N = 0>
using cynw_fixed = sc_dt::sc_fixed<W, I, Q, O, N>;

template <int W, int I, sc_dt::sc_q_mode Q = sc_dt::SC_TRN, sc_dt::sc_o_mode O = sc_dt::SC_WRAP,
	  int N = 0>
using cynw_ufixed = sc_dt::sc_ufixed<W, I, Q, O, N>;

/* Largest whole number not above, as the library's floor: not a double. */
template <int W, int I, sc_dt::sc_q_mode Q, sc_dt::sc_o_mode O, int N>
inline sc_dt::sc_fixed<W, I, Q, O, N> floor(const sc_dt::sc_fixed<W, I, Q, O, N> &x)
{
	return sc_dt::sc_fixed<I, I, sc_dt::SC_TRN>(x);
}

#endif
