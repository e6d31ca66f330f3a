/* SPDX-License-Identifier: MIT */
#ifndef HLS_LATENCY_HPP
#define HLS_LATENCY_HPP

#include <systemc.h>

#include <exception>
#include <map>
#include <string>

namespace hls {

/* Cycles of a label, from the file given to mon-esp-acc. */
inline const std::map<std::string, int> &table()
{
	static const std::map<std::string, int> t = {
#include HLS_LATENCY_FILE
	};
	return t;
}

inline sc_core::sc_time period() { return sc_core::sc_time(CLOCK_PERIOD, sc_core::SC_NS); }

class latency {
	int cycles;
	sc_core::sc_time from;
public:
	latency(int least, int = -1, const char *label = "") : cycles(least)
	{
		auto it = table().find(label);

		if (it != table().end())
			cycles = it->second;
		if (cycles > 0)
			from = sc_core::sc_time_stamp();
	}
	~latency() noexcept(false)
	{
		/* a reset leaves the process through here, too */
		if (cycles <= 0 || std::uncaught_exceptions())
			return;
		while (sc_core::sc_time_stamp() < from + cycles * period())
			sc_core::wait();
	}
	latency(const latency &) = delete;
};

} // namespace hls

#endif
