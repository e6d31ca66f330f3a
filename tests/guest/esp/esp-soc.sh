#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The SoC at ESP's own addresses, described by the device tree: counts of FFTs through the platform
# drivers espmon and esp_accel.
# mon-vm: --esp
# not on x86_64: ESP's own addresses are a RISC-V machine's
. "${srcdir:-.}/tests/guest/lib.sh"
pmu=/sys/bus/event_source/devices/espmon
soc=/sys/firmware/devicetree/base/soc

# count EVENTS COHERENCE
count()
{
	perf stat -x, -o /tmp/esp-soc.csv -e "$1" -- ./examples/esp/esp-fft --log-len 7 --coherence "$2" >/dev/null
	awk -F, '/espmon/ { printf "%s%s", sep, $1; sep = " " }' /tmp/esp-soc.csv
}

cells()
{
	od -An -v -tx1 "$1" | tr -d ' \n'
}

is "the monitors' driver" "$(basename "$(readlink /sys/bus/platform/devices/60090000.pmu/driver)")" espmon
is "the accelerators' driver" \
	"$(basename "$(readlink /sys/bus/platform/devices/60000000.accelerators/driver)")" esp_accel
is "nodes of accelerators" "$(find $soc -maxdepth 1 -name "fft_stratus@*" | wc -l)" 3
is "compatible" "$(tr -d '\0' <"$soc/fft_stratus@60010000/compatible")" sld,fft_stratus
# two cells of address and of size: accelerator 1 is 0x200 bytes at 0x60010200
is "window" "$(cells "$soc/fft_stratus@60010200/reg")" 00000000600102000000000000000200
is "interrupt of accelerator 2" "$(cells "$soc/fft_stratus@60010400/interrupts")" 00000026
is "tiles" "$(find $pmu/tiles -type f | wc -l)" 6
is "who numbers them" "$(cd /dev && echo fft_stratus.*)" "fft_stratus.0 fft_stratus.1 fft_stratus.2"
is "memory for buffers stays reserved" "$(grep -c -i 'a0200000-b.ffffff : reserved' /proc/iomem)" 1

# facts of ESP's RTL: 1 + 128 + 128 words; 3 + 3 + 131 and 2 + 129 flits
is "no coherence" "$(count '{espmon/ddr_accesses/,espmon/dma_reqs/,espmon/dma_rsps/}' none)" "257 137 131"
# through the LLC: 3 + 3 + 130 and 2 + 129 flits
is "coherence of the LLC" "$(count '{espmon/coh_dma_reqs/,espmon/coh_dma_rsps/}' llc)" "136 131"

before=$(awk '/esp_accel/ { for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts)
ok "an FFT" ./examples/esp/esp-fft --log-len 7 --coherence none
after=$(awk '/esp_accel/ { for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts)
is "interrupts of one run" $((after - before)) 1

# An event outlives the processor that it was opened on.
cpu=$(cat $pmu/cpumask)
perf stat -a -x, -o /tmp/esp-soc-held.csv -e espmon/ddr_accesses/,espmon/dma_reqs/,espmon/dma_rsps/ \
	sh -c 'touch /tmp/esp-soc-begin; until [ -e /tmp/esp-soc-end ]; do sleep 0.1; done' &
perf=$!
wait_until test -e /tmp/esp-soc-begin
ok "an FFT" ./examples/esp/esp-fft --log-len 7 --coherence none
ok "processor $cpu goes" sh -c "echo 0 >/sys/devices/system/cpu/cpu$cpu/online"
ok "an FFT without it" ./examples/esp/esp-fft --log-len 7 --coherence none
ok "and comes" sh -c "echo 1 >/sys/devices/system/cpu/cpu$cpu/online"
touch /tmp/esp-soc-end
wait $perf
is "two FFTs" "$(awk -F, '/espmon/ { printf "%s%s", sep, $1; sep = " " }' /tmp/esp-soc-held.csv)" "514 274 262"
summary
