/* SPDX-License-Identifier: MIT */
/* Directives of the HLS tool: they say how to schedule, not what to compute, so a simulation drops
 * them. All are macros because some stand where only a statement, others where a member may. */
#ifndef HLS_PRAGMAS_HPP
#define HLS_PRAGMAS_HPP

#define HLS_INLINE_MODULE
#define HLS_METAPORT
#define HLS_UNROLL_SIMPLE
#define HLS_UNROLL_LOOP_SIMPLE
#define HLS_DEFINE_PROTOCOL(...)
#define HLS_UNROLL_LOOP(...)
#define HLS_PIPELINE_LOOP(...)
#define HLS_CONSTRAIN_ARRAY_MAX_DISTANCE(...)
#define HLS_BREAK_DEP(...)
#define HLS_BREAK_ARRAY_DEPENDENCY(...)
#define HLS_FLATTEN_ARRAY(...)
#define HLS_MAP_TO_MEMORY(...)
#define HLS_MAP_TO_REG_BANK(...)
#define HLS_PRESERVE_SIGNAL(...)
#define HLS_PRESERVE_IO_SIGNALS(...)
#define HLS_DPOPT_REGION(...)
#define HLS_NAME_LOOP(...)
#define HLS_ACHIEVABLE -1
#define DCAST dynamic_cast

/*
 * With HLS_LATENCIES a latency constraint takes time: its block lasts at least as many
 * cycles as the file of mon-esp-acc --latencies says for its label, or as its minimum where the file
 * says nothing.
 */
#ifdef HLS_LATENCIES
#include "hls_latency.hpp"
#define HLS_CAT_(a, b) a##b
#define HLS_CAT(a, b) HLS_CAT_(a, b)
#define HLS_CONSTRAIN_LATENCY(...) hls::latency HLS_CAT(hls_latency_, __COUNTER__)(__VA_ARGS__)
#else
#define HLS_CONSTRAIN_LATENCY(...)
#endif

#endif
