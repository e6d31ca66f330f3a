#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The pages of monctl report and monctl serve in Chromium: their numbers are those of perf stat around the recording.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
. "$srcdir/tests/browser/browser.sh"
command -v chromium >/dev/null || skip "no chromium: install the package chromium"
dir=$(mktemp -d)
port=$((20000 + $$ % 20000))
url=http://127.0.0.1:$port

# perf_values FILE: prints "KEY COUNT" of counters that counted, with the page's names
perf_values()
{
	sed -n 's|^\([0-9]*\),[^,]*,\(espmon/[a-z0-9_]*\),bytile,\(tile=[0-9]*/\).*|\2,\3 \1|p' "$1" |
		grep -v ' 0$' | sort
}

./mon-vm --device espmon --output "$dir" --forward $port --timeout 280 -- \
	"$srcdir/tests/browser/monctl-in-guest" "$dir" $port </dev/null >"$dir/out" 2>"$dir/err" &
guest=$!
trap 'kill $guest 2>/dev/null; rm -rf "$dir"' EXIT
for ((i = 0; i < 2700; i++)); do
	[ ! -e "$dir/live-perf" ] || break
	kill -0 $guest 2>/dev/null || break
	sleep 0.1
done
ok "the guest got this far" test -e "$dir/live-perf"
[ -e "$dir/live-perf" ] || cat "$dir/out" "$dir/err"

# ---- the report
dom_of "file://$dir/page.html#map=noc_injects_p5" >"$dir/dom"
is "every total of the page is perf's" "$(raw_values "$dir/dom" | sort)" "$(perf_values "$dir/perf")"
# DRAM words and responses on plane 3 of the memory tile, requests on plane 5 of the accelerator
is "these are three" "$(raw_values "$dir/dom" | wc -l)" 3
is "each cell of plane 5 is perf's count of its tile" "$(cells "$dir/dom" | sort -n)" \
	"$(sed -n 's|^\([0-9]*\),.*noc_injects_p5,bytile,tile=\([0-9]*\)/.*|\2 \1|p' "$dir/perf" | sort -n)"
is "it says that it is complete" "$(grep -o 'data-ready="1"' "$dir/dom")" 'data-ready="1"'
# a busy host may lose samples, which is a warning
is "and warns of nothing but the rate" \
	"$(grep -o '<p id="warning"[^>]*>[^<]*' "$dir/dom" | grep -cE 'lost|no end|take turns|gap')" 0
is "no script failed" "$(grep -ci 'uncaught' "$dir/chromium.err")" 0
like "the timeline is drawn" "$(cat "$dir/dom")" '<canvas'
ok "at most 20 MB" test "$(stat -c %s "$dir/page.html")" -le 20000000

# ---- what is live
dom_of "$url/" >"$dir/live"
is "the live page has perf's totals" "$(raw_values "$dir/live" | sort)" "$(perf_values "$dir/live-perf")"
is "the same three" "$(raw_values "$dir/live" | wc -l)" 3
is "the run is a bar of the live page" \
	"$(grep -o 'data-device="[a-z0-9_.]*" data-runs="[0-9]*"><i' "$dir/live")" \
	'data-device="fft_stratus.0" data-runs="1"><i'
like "new readings came in" "$(cat "$dir/live")" 'data-next="[0-9]+"'
is "the metrics are the same" "$(python3 - "$url/metrics" <<'END' | sort
import re, sys, urllib.request

for line in urllib.request.urlopen(sys.argv[1]).read().decode().splitlines():
    m = re.match(r'(espmon)_(.*?)_(?:flits|words)_total\{pmu="espmon",tile="(\d+)"\} (\d+)$', line)
    if m and m[4] != "0":
        print(f"{m[1]}/{m[2]},tile={m[3]}/ {m[4]}")
END
)" "$(perf_values "$dir/live-perf")"

# data?after=0 has all readings and runs since the start
is "its times are those of the readings" "$(python3 - "$url/data?after=0" <<'END'
import json, sys, urllib.request

data = json.load(urllib.request.urlopen(sys.argv[1]))
# there is a reading each 0.5 s; the first one with counts is not before the run's begin
busy = [i for i, bin in enumerate(data["bins"]) if any(bin)]
for mark in data["marks"]:
    first, last = mark["begin"] / 500e6, mark["end"] / 500e6
    print(mark["user"], busy[0] - 1 < first < busy[0] + 1, busy[-1] < last < busy[-1] + 2, first < last)
END
)" "esp-fft True True True"

# status METHOD PATH: prints the status of the answer
status()
{
	python3 - "$1" "$url$2" <<'END'
import sys, urllib.error, urllib.request

try:
    print(urllib.request.urlopen(urllib.request.Request(sys.argv[2], method=sys.argv[1])).status)
except urllib.error.HTTPError as e:
    print(e.code)
END
}
is "another path" "$(status GET /etc/passwd)" 404
is "another method" "$(status POST /)" 405
is "nonsense for a number" "$(status GET '/data?after=x')" 400
is "a number from the future" "$(status GET '/data?after=18446744073709551615')" 200
touch "$dir/done"
wait $guest
is "the guest ends well" $? 0
summary
