/* SPDX-License-Identifier: MIT */
/*
 * Channels between the processes of an accelerator and its DMA ports.
 *
 * One channel is valid, ready and data: a word moves at a clock edge at which both were set before
 * it. put() and get() are blocking and end at that edge, so a channel of bool is a rendezvous of two
 * processes. There is no buffer: with one the "handshake" between load, compute and store of an
 * accelerator would let its sender run ahead and overwrite local memory that is still in use.
 *
 * Each half is written by one process only and read with the value it had before the edge, as an
 * sc_signal would be, but without its update phase: the result does not depend on the order in
 * which the kernel runs the processes of an edge.
 */
#ifndef FLEX_CHANNELS_HPP
#define FLEX_CHANNELS_HPP

#include <systemc.h>
#include "hls_pragmas.hpp"

#include <cstdio>

namespace flex {

typedef unsigned long long ticks;

inline ticks now() { return sc_core::sc_time_stamp().value(); }

/* What one process writes at an edge, others see from the next on. */
template <class T> class edge {
	T was {}, is {};
	ticks at = ~0ull;
public:
	const T &read() const { return at == now() ? was : is; }
	void write(const T &v)
	{
		if (at != now()) {
			was = is;
			at = now();
		}
		is = v;
	}
};

template <class T> struct offer {
	bool valid = false;
	ticks since = 0;
	T data {};
};

template <class T> struct wire {
	edge<offer<T>> put;
	edge<bool> ready;
	edge<ticks> taken;	/* time of the last nb_get, plus one; 0: none */

	/* Has a get without waiting, in an earlier cycle, consumed this offer? */
	bool was_taken(const offer<T> &o) const { return o.valid && taken.read() > o.since + 1; }
};

} // namespace flex

template <class T> class put_get_channel {
public:
	flex::wire<T> w;
	explicit put_get_channel(const char * = "") {}
};

template <class T> class flex_port {
protected:
	flex::wire<T> *w = nullptr;
public:
	explicit flex_port(const char * = "") {}
	void bind(put_get_channel<T> &c) { w = &c.w; }
	void operator()(put_get_channel<T> &c) { bind(c); }
	void bind(flex_port<T> &p) { w = p.w; }
	void operator()(flex_port<T> &p) { bind(p); }
	template <class C, class R> void clk_rst(C &, R &) {}
};

template <class T> class flex_put : public flex_port<T> {
	void offer(const T &v, bool valid)
	{
		flex::offer<T> o;

		o.valid = valid;
		o.since = flex::now();
		o.data = v;
		this->w->put.write(o);
	}
	bool accepted() const
	{
		const flex::offer<T> &o = this->w->put.read();

		return o.valid && (this->w->ready.read() || this->w->was_taken(o));
	}
	bool pending = false;	/* offered by nb_put */
public:
	using flex_port<T>::flex_port;
	void reset() { pending = false; offer(T(), false); }
	void reset_put() { reset(); }
	void put(const T &v)
	{
		while (!nb_can_put())
			::sc_core::wait();
		offer(v, true);
		do
			::sc_core::wait();
		while (!accepted());
		offer(T(), false);
	}
	bool nb_can_put()
	{
		if (pending && accepted()) {
			pending = false;
			offer(T(), false);
		}
		return !pending;
	}
	bool nb_put(const T &v)
	{
		if (!nb_can_put())
			return false;
		offer(v, true);
		return pending = true;
	}
};

template <class T> class flex_get : public flex_port<T> {
public:
	using flex_port<T>::flex_port;
	void reset() { this->w->ready.write(false); }
	void reset_get() { reset(); }
	T get()
	{
		this->w->ready.write(true);
		do
			::sc_core::wait();
		while (!nb_can_get());
		this->w->ready.write(false);
		return this->w->put.read().data;
	}
	void get(T &v) { v = get(); }
	bool nb_can_get() const
	{
		const flex::offer<T> &o = this->w->put.read();

		return o.valid && !this->w->was_taken(o);
	}
	bool nb_get(T &v)
	{
		if (!nb_can_get())
			return false;
		v = this->w->put.read().data;
		this->w->taken.write(flex::now() + 1);
		return true;
	}
};

#define FLEX_KIND(name, base)							\
	template <class T> struct name : base<T> { using base<T>::base; }
FLEX_KIND(put_initiator, flex_put);
FLEX_KIND(b_put_initiator, flex_put);
FLEX_KIND(nb_put_initiator, flex_put);
FLEX_KIND(get_initiator, flex_get);
FLEX_KIND(b_get_initiator, flex_get);
FLEX_KIND(nb_get_initiator, flex_get);
#undef FLEX_KIND

/* The testbench's way to its arguments and results. */
inline int &esc_argc_() { static int n = 1; return n; }
inline char **&esc_argv_() { static char *none[] = { (char *)"accelerator", nullptr },
			     **v = none; return v; }
inline void esc_initialize(int n, char **v) { esc_argc_() = n; esc_argv_() = v; }
inline int esc_argc() { return esc_argc_(); }
inline char **esc_argv() { return esc_argv_(); }
inline void esc_log_pass() {}
inline void esc_log_fail() {}
template <class... A> inline void esc_log_latency(const A &...) {}

#endif
