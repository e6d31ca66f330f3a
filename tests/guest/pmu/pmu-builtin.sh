#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In a kernel without modules, which has the PMU drivers built in, each of them has its device and counts.
# build-aux/kernel runs it.
. "${srcdir:-.}/tests/guest/lib.sh"
devices=/sys/bus/event_source/devices

fails "there are modules" test -e /proc/modules
mapfile -t n < <(perf stat -a -x, -e 'espmon/dvfs_op3,bytile,tile=2/,mrfld_visa/memory_ddr_bw_clock/' \
	-e upmem/dpu_cycles/,hexagon/committed_pkt_any/ sleep 1 2>&1 | cut -d, -f1)
# a clock each, and two unused devices
numbers "counts" 4 "${n[*]}"
holds "cycles of ESP's memory tile" "${n[0]} > 0"
holds "ticks of the memory's clock" "${n[1]} > 0"
is "cycles of DPUs and packets" "${n[2]} ${n[3]}" "0 0"
for pmu in $(pmus); do
	is "losses of $pmu" "$(cat "$devices/$pmu/losses")" 0
done
summary
