#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --smp 1 --qemu-arg -icount --qemu-arg shift=3,sleep=off --env TEST_TIMEOUT=100000 --device espmon
#
# Phases of programs in a recording: mon_mark() and monctl mark. `make bench-monctl` measures what a mark costs.
. "${srcdir:-.}/tests/guest/lib.sh"
marks=tests/guest/marks
[ ! -x tests/guest/.libs/marks ] || marks=tests/guest/.libs/marks
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# phases FILE: "PROGRAM PHASE BEGIN END" of each, in ms, without the numbers of processes
phases()
{
	$monctl export --json "$1" | python3 -c '
import json, sys
for m in json.load(sys.stdin)["marks"]:
    if m.get("is_phase"):
        print(m["device"].split(" ")[0], m["user"], m["begin"] // 1000000, m["end"] // 1000000)'
}

$monctl record -q -i 1s -e ddr_accesses -o "$dir/many" -- "$marks" 5000 >/dev/null
is "all phases are there, with that of the parent" "$(phases "$dir/many" | cut -d ' ' -f 2 | sort | uniq -c | xargs)" \
	"2500 even 2500 odd 1 parent"

"$monctl" record -q -e ddr_accesses -o "$dir/few" -- "$marks" 3 20000 >/dev/null
phases "$dir/few" >"$dir/list"
is "in turn" "$(cut -d ' ' -f 1,2 "$dir/list" | xargs)" "marks parent marks even marks odd marks even"
# shellcheck disable=SC2016 # awk's
ok "one ends where the next begins, the last with its process, before the parent's" awk '
	{ begin[NR] = $3; end[NR] = $4 }
	END { exit !(end[2] == begin[3] && end[3] == begin[4] && end[4] <= end[1] && begin[1] <= begin[2] &&
		     end[2] - begin[2] >= 19 && end[4] - begin[4] >= 19) }' "$dir/list"
perf script -i "$dir/few" >"$dir/script" 2>"$dir/err"
is "perf script reads the file" "$(cat "$dir/err")" ""
is "and shows them" "$(grep -c 'phase:' "$dir/script")" 6

cat >"$dir/script.sh" <<END
$monctl mark prepare
sleep 0.1
$monctl mark "work <1>"
sleep 0.1
$monctl mark --end
sleep 0.1
END
"$monctl" record -q -e ddr_accesses -o "$dir/shell" -- bash "$dir/script.sh"
phases "$dir/shell" >"$dir/list"
like "phases of a script" "$(xargs <"$dir/list")" '^bash prepare [0-9]+ [0-9]+ bash work <1> [0-9]+ [0-9]+$'
ok "one process marked both" test "$($monctl export --json "$dir/shell" |
	grep -o '"device":"bash ([0-9]*)"' | sort -u | wc -l)" -eq 1
"$monctl" export --perfetto "$dir/shell" -o "$dir/trace"
ok "they are slices of the trace" python3 -c '
import json, sys
sys.exit(all(event["name"] != "work <1>" for event in json.load(open(sys.argv[1]))["traceEvents"]))' "$dir/trace"
is "without a recorder nothing happens" "$($monctl mark prepare 2>&1; echo $?)" 0
is "a mark has a name" "$($monctl mark 2>/dev/null; echo $?)" 2
LIBMON_MARKS=/etc/passwd "$marks" 2 >/dev/null
is "nor with another file in its place" $? 0
summary
