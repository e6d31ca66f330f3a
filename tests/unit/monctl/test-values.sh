#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Exports have metrics as values: of all places and of each, in each interval. The recording is that of fixture.h, in which
# plane 1 counts twice what plane 0 does in each tile, 10 and 20 flits a ms in all of them.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/libmon/metrics"
cat >"$dir/libmon/metrics/own.metrics" <<'END_OF_METRICS'
pmu espmon
# the clock of this recording's SoC: 20 cycles a ms, of 1 MHz
clock total noc_injects_p1
metric twice
	formula noc_injects_p1 / noc_injects_p0
	unit x
metric speed
	formula noc_injects_p0 / duration_time
	unit flits/s
	range 0 160000
metric missing
	formula noc_injects_p0 / noc_injects_p7
END_OF_METRICS
export XDG_CONFIG_HOME=$dir
data=$(tests/browser/write-recording)
mv "$data" "$dir/data"
# 1 flit in tile 0 to 4 in tile 3 while 20 cycles of 1 MHz pass, 50000 to 200000 a second: more than 160000 is not known
is "CSV: units and values" "$(./monctl export --csv "$dir/data" | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
for name in rows[0]:
    if name.startswith("espmon "):
        print(name, {row[name] for row in rows})')" "espmon twice [x] {'2'}
espmon twice,tile=0 [x] {'2'}
espmon twice,tile=1 [x] {'2'}
espmon twice,tile=2 [x] {'2'}
espmon twice,tile=3 [x] {'2'}
espmon speed [flits/s] {''}
espmon speed,tile=0 [flits/s] {'50000'}
espmon speed,tile=1 [flits/s] {'100000'}
espmon speed,tile=2 [flits/s] {'150000'}
espmon speed,tile=3 [flits/s] {''}"
is "JSON: the same, of the whole and of each interval" "$(./monctl export --json "$dir/data" | python3 -c '
import json, sys
data = json.load(sys.stdin)
for metric in data["metrics"]:
    for value in metric["values"]:
        print(metric["name"], metric["unit"], value["place"], value["value"], set(value["bins"]), len(value["bins"]))')" \
	"twice x -1 2 {2} 100
twice x 0 2 {2} 100
twice x 1 2 {2} 100
twice x 2 2 {2} 100
twice x 3 2 {2} 100
speed flits/s -1 None {None} 100
speed flits/s 0 50000 {50000} 100
speed flits/s 1 100000 {100000} 100
speed flits/s 2 150000 {150000} 100
speed flits/s 3 None {None} 100"
is "a page has no values of bins: it adds up" "$(./monctl report "$dir/data" -o - 2>/dev/null | grep -c '"by":.*"bins":')" 0
like "monctl diff has those of each place" "$(./monctl diff "$dir/data" "$dir/data")" 'speed in 2 +flits/s +150000 '
summary
