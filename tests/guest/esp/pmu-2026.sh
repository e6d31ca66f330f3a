#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Release 2026.1.0, memory on AXI: the first register counts written words.
# mon-vm: --device espmon,layout=2026
. "${srcdir:-.}/tests/guest/lib.sh"
. "${srcdir:-.}/tests/guest/esp/fft-words.inc"
pmu=/sys/bus/event_source/devices/espmon
dir=$(mktemp -d)

is "identifier" "$(cat $pmu/identifier)" esp-2026
is "its name" "$(cat $pmu/events/ddr_writes)" "event=0x88"
fails "ddr_accesses" test -e $pmu/events/ddr_accesses
fft_words ddr_writes 128 2026
fails "perf with the other name" perf stat -a -e espmon/ddr_accesses/ -- true
like "perf with its code" "$(perf stat -a -e espmon/event=0/,espmon/dma_reqs/ -- true 2>&1)" "<not supported> *espmon/event=0/"
$monctl stat -c -p memory -p dma -o "$dir/stat" -- "${fft_run[@]}" >/dev/null
fails "a metric of all words" grep -q esp_words_per_invocation "$dir/stat"
like "ESP's library" "$(./tests/guest/esp/esp-monitors-3x2 all 2>&1)" "this SoC has no ddr_accesses: release 2026.1.0 counts written words alone"
ok "software that watches the monitors" ./examples/esp/adaptive 2
if [ -x ./tests/guest/pfm-agree ]; then
	. "${srcdir:-.}/tests/guest/pfm-agree.sh"
else
	summary
fi
