/* SPDX-License-Identifier: MIT */
#error "hexagon_sim_timer.h: belongs to hexagon-sim; use HAP_perf.h"
