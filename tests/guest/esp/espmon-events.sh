#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# perf lists all events of espmon's catalogue and opens each one; other codes are refused.
. "${srcdir:-.}/tests/guest/lib.sh"
sysfs=/sys/bus/event_source/devices/espmon
pmu=espmon
modules=build/pmu/$(uname -r)

names=$(events_here espmon)
ok "the catalogue has events" test -n "$names"
is "events in sysfs" "$(find $sysfs/events -type f ! -name '*.*' -printf '%f\n' | sort)" "$names"
# what has a "=" is perf's description of the terms
is "events in perf list" "$(perf list 2>/dev/null | sed -n 's|^ *espmon/\([^/=]*\)/.*|\1|p' | sort)" \
	"$names"

# every listed event opens and reads a number: field 1 of perf's table
list=()
for name in $names; do
	list+=(-e "$pmu/$name/")
done
table=$(perf stat -a -x, "${list[@]}" true 2>&1)
is "events that count" "$(grep -c '^[0-9]\+,' <<<"$table")" "$(wc -w <<<"$names")"

# refused NAME EVENT: the kernel says EINVAL, which is 22; perf stat itself only says "not supported"
refused()
{
	like "$1" "$(perf stat -vv -a -e "$2" true 2>&1)" 'sys_perf_event_open failed, error -22'
}

# the default design has 3 x 2 tiles, 0 to 5
ok "last tile" perf stat -a -e $pmu/ddr_accesses,bytile,tile=5/ true
refused "tile behind the last" $pmu/ddr_accesses,bytile,tile=6/
refused "tile without bytile" $pmu/ddr_accesses,tile=2/
refused "code behind the last monitor" $pmu/event=0x7f/
refused "code between the pairs and the end" $pmu/event=0x82/
refused "unknown bit of config" $pmu/config=0x20000/
# EOPNOTSUPP, as in other uncore drivers: the tiles have no interrupt and belong to no process
like "sampling" "$(perf record -a -o /tmp/perf.data -e $pmu/ddr_accesses/ true 2>&1)" \
	"doesn't support sampling"
like "counting for one process" "$(perf stat -vv -p $$ -e $pmu/ddr_accesses/ sleep 0.1 2>&1)" \
	'sys_perf_event_open failed, error -95'
like "unknown event" "$(perf stat -a -e $pmu/no_such_event/ true 2>&1)" no_such_event
like "unknown field" "$(perf stat -a -e $pmu/ddr_accesses,frob=1/ true 2>&1)" "unknown term 'frob'"

# an open event holds its driver
perf stat -a -e $pmu/ddr_accesses/ sleep 60 2>/dev/null &
perf=$!
wait_until grep -q '[1-9]' /sys/module/espmon/refcnt
fails "unload with an open event" rmmod espmon
kill $perf
wait $perf
ok "unload without" rmmod esp_accel espmon
ok "no PMU is left" test ! -e $sysfs
ok "loads again" insmod "$modules/espmon.ko"
ok "the PMU is back" test -e $sysfs/cpumask
ok "and what runs accelerators" insmod "$modules/esp_accel.ko"
summary
