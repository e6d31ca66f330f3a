#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# VESPA's 65 registers: no counter of invocations, six of flits that leave the network, followed by
# all queues.
# mon-vm: --device espmon,layout=vespa
. "${srcdir:-.}/tests/guest/lib.sh"
pmu=/sys/bus/event_source/devices/espmon

count()
{
	perf stat -x, -o /tmp/pmu-vespa.csv -e "$1" -- ./examples/esp/esp-fft --log-len 7 --coherence none >/dev/null
	awk -F, '/espmon/ { printf "%s%s", sep, $1; sep = " " }' /tmp/pmu-vespa.csv
}

is "identifier" "$(cat $pmu/identifier)" vespa-2024
# 64 registers that count, and two pairs
is "events" "$(find $pmu/events -type f ! -name '*.*' | wc -l)" 66
fails "it counts invocations" test -e $pmu/events/acc_invocations
# the accelerator in tile 0 sends 3 + 3 + 131 flits on plane 6 to the memory in tile 2, which answers with
# 2 + 129 on plane 4
is "what goes in comes out" "$(count '{espmon/noc_injects_p5,bytile,tile=0/,espmon/noc_ejects_p5,bytile,tile=2/}')" \
	"137 137"
is "all tiles" "$(count '{espmon/noc_injects_p3/,espmon/noc_ejects_p3/}')" "131 131"
is "the last queue" "$(count espmon/noc_queue_full_p5_l,bytile,tile=2/)" 137
. "${srcdir:-.}/tests/guest/esp/fft-words.inc"
fft_words ddr_accesses $((1 + 128 + 128)) 65
summary
