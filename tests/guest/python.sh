#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The module mon counts an FFT of 128 points: 257 DRAM words, 1 of the page table, 128 read and 128 written.
. "${srcdir:-.}/tests/guest/lib.sh"
fft=./examples/esp/esp-fft
[ -x ./examples/.libs/esp-fft ] && fft=./examples/.libs/esp-fft
export PYTHONDONTWRITEBYTECODE=1
# mon-vm names the module's folder where it is built in its sources
[ "${srcdir:-.}" = . ] || export PYTHONPATH="$srcdir/libmon/python"

out=$(python3 "${srcdir:-.}/examples/python/count.py" espmon/ddr_accesses/ -- $fft --log-len 7 --coherence none \
	2>&1 | grep espmon/)
like "an example" "$out" '^ *257 espmon/ddr_accesses/$'

out=$(python3 - $fft 2>&1 <<'END'
import subprocess
import sys

import mon

fft = [sys.argv[1], "--log-len", "7", "--coherence", "none"]
pmu = mon.Pmu("espmon")
print("kind", pmu.kind, pmu.instance, pmu.place_noun, len(pmu.places))
# tiles with memory are where DRAM words are counted
event = pmu.events["ddr_accesses"]
print("unit", event.unit, {pmu.places[i].kind for i in event.places} == {"mem"})
print("field", pmu.fields["tile"].max == len(pmu.places) - 1)
print("layout", pmu.read_file("caps/layout"))
print("pmus", "espmon" in [p.name for p in mon.pmus()], [p.name for p in mon.pmus("espmon")])
memory = [p for p in pmu.places if p.kind == "mem"]
names = [f"espmon/ddr_accesses,{place.terms}/" for place in memory]
with mon.Group("espmon/ddr_accesses/", *names) as group:
    first = group.read()
    subprocess.run(fft, check=True, stdout=subprocess.DEVNULL)
print("first", first["espmon/ddr_accesses/"])
print("counts", group.counts["espmon/ddr_accesses/"], sum(group.counts[name] for name in names))
print("values", [int(value) for value in group.values] == list(group.counts.values()))
print("times", 0 < group.running <= group.enabled, round(group.estimates["espmon/ddr_accesses/"]) >= 257)
group = mon.Group("espmon/ddr_accesses/")
try:
    group.read()
except mon.Error as error:
    print("closed", bool(error.errno), "group" in str(error))
group.open()
print("file", group.fileno() > 2)
print("open", group.add("espmon/dma_reqs/"), group.names)
group.enable()
subprocess.run(fft, check=True, stdout=subprocess.DEVNULL)
print("before", *group.read().values())
group.reset()
print("after", group.read()["espmon/ddr_accesses/"])
group.close()
END
)
ok "ends well" test "${out##*$'\n'}" = "after 0"
is "kind" "$(grep ^kind <<<"$out" | cut -d ' ' -f 2-4)" "espmon 0 tile"
is "unit" "$(grep ^unit <<<"$out")" "unit words True"
is "field" "$(grep ^field <<<"$out")" "field True"
is "layout" "$(grep ^layout <<<"$out")" "layout $(cat /sys/bus/event_source/devices/espmon/caps/layout)"
is "PMUs" "$(grep ^pmus <<<"$out")" "pmus True ['espmon']"
is "before anything ran" "$(grep ^first <<<"$out")" "first 0"
is "all tiles, and their sum" "$(grep ^counts <<<"$out")" "counts 257 257"
is "values" "$(grep ^values <<<"$out")" "values True"
is "times" "$(grep ^times <<<"$out")" "times True True"
is "a closed group" "$(grep ^closed <<<"$out")" "closed True True"
is "a file to poll" "$(grep ^file <<<"$out")" "file True"
is "an event for an open group" "$(grep ^open <<<"$out")" "open 1 ['espmon/ddr_accesses/', 'espmon/dma_reqs/']"
# 1 + 128 + 128 words; 3 + 3 + (3 + 128) flits of requests
is "by hand" "$(grep ^before <<<"$out")" "before 257 137"
summary
