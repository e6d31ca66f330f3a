#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A SoC of four processors and four memory tiles at ESP's own addresses, on as many processors:
# counts of each coherence mode, and events that stay open while all but one of the processors go
# offline and online.
# mon-vm: --esp --smp 4 --mem 1G --soc @srcdir@/tests/designs/sixteen-4x4.esp_config
# not on x86_64: ESP's own addresses are a RISC-V machine's
. "${srcdir:-.}/tests/guest/lib.sh"
pmu=/sys/bus/event_source/devices/espmon
cpus=/sys/devices/system/cpu

# count EVENTS COHERENCE
count()
{
	perf stat -x, -o /tmp/esp-soc-4x4.csv -e "$1" -- ./examples/esp/esp-fft --log-len 7 --coherence "$2" >/dev/null
	awk -F, '/espmon/ { printf "%s%s", sep, $1; sep = " " }' /tmp/esp-soc-4x4.csv
}

is "processors" "$(nproc)" 4
is "tiles" "$(awk '{ n[$3]++ } END { print n["cpu"], n["mem"], n["acc"] }' $pmu/tiles/*)" "4 4 7"
is "third-party accelerators have no device" "$(cd /dev && echo nv_nvdla.*)" "nv_nvdla.*"
# cold caches: a line of the page table and 64 of data, of two words each; 3 + 3 + 130 and 2 + 129 flits
is "coherence of the LLC" "$(count '{espmon/ddr_accesses/,espmon/coh_dma_reqs/,espmon/coh_dma_rsps/}' llc)" \
	"130 136 131"
# 1 + 128 + 128 words; 3 + 3 + 131 and 2 + 129 flits. The flush before the run writes the results of
# the run before, 128 words, from the LLC.
is "no coherence after it" "$(count '{espmon/ddr_accesses/,espmon/dma_reqs/,espmon/dma_rsps/}' none)" "385 137 131"
is "no coherence" "$(count '{espmon/ddr_accesses/,espmon/dma_reqs/,espmon/dma_rsps/}' none)" "257 137 131"

perf stat -a -x, -o /tmp/esp-soc-4x4-held.csv -e espmon/ddr_accesses/,espmon/dma_reqs/,espmon/dma_rsps/ \
	sh -c 'touch /tmp/esp-soc-4x4-begin; until [ -e /tmp/esp-soc-4x4-end ]; do sleep 0.1; done' &
perf=$!
wait_until test -e /tmp/esp-soc-4x4-begin
runs=0
run()
{
	ok "an FFT $1" ./examples/esp/esp-fft --log-len 7 --coherence none
	runs=$((runs + 1))
}
# each time the processor of the events
for _ in 1 2 3; do
	cpu=$(cat $pmu/cpumask)
	ok "processor $cpu goes" sh -c "echo 0 >$cpus/cpu$cpu/online"
	run "without it"
done
is "what is left" "$(nproc)" 1
for cpu in 0 1 2 3; do
	[ "$(cat $cpus/cpu$cpu/online)" = 1 ] || ok "processor $cpu comes" sh -c "echo 1 >$cpus/cpu$cpu/online"
done
run "with all"
touch /tmp/esp-soc-4x4-end
wait $perf
is "none is lost" "$(awk -F, '/espmon/ { printf "%s%s", sep, $1; sep = " " }' /tmp/esp-soc-4x4-held.csv)" \
	"$((257 * runs)) $((137 * runs)) $((131 * runs))"
summary
