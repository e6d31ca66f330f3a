#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The pages of monctl report and monctl serve in Chromium: their numbers are those of perf stat around the recording.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
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

# what the page has: totals (without the clock, which monctl counts beside the chosen events), cells of the map, charts, runs with bars, warnings
rows='return [...document.querySelectorAll("tr[data-key]")].map(r => r.dataset.key + " " + r.dataset.raw)
	.filter(r => !r.startsWith("espmon/dvfs_op")).sort().join(";");'
cells='return [...document.querySelectorAll("[data-place]")].map(c => c.dataset.place + " " + c.dataset.raw).join(";");'
runs='return [...document.querySelectorAll(".lane")].map(l => l.dataset.device + " " + l.dataset.runs + " " +
	l.querySelectorAll("i").length).join(";");'
# page URL SCRIPT...: one line for each script, then errors of the page
page()
{
	python3 -B "$srcdir/tests/browser/browser.py" "$@" 2>&1
}

# ---- the report
mapfile -t seen < <(page "file://$dir/page.html#map=noc_injects_p5" "$rows" "$cells" \
	'return document.querySelectorAll("canvas").length > 0;' 'return byId("warning").hidden && !/take turns/.test(byId("limits").textContent);')
is "every total of the page is perf's" "${seen[0]}" "$(perf_values "$dir/perf" | LC_ALL=C sort | paste -sd ';')"
# DRAM words and responses on plane 3 of the memory tile, requests on plane 5 of the accelerator
is "these are three" "$(tr ';' '\n' <<<"${seen[0]}" | wc -l)" 3
is "each cell of plane 5 is perf's count of its tile" "${seen[1]}" \
	"$(sed -n 's|^\([0-9]*\),.*noc_injects_p5,bytile,tile=\([0-9]*\)/.*|\2 \1|p' "$dir/perf" | sort -n | paste -sd ';')"
is "charts are drawn" "${seen[2]}" true
# a busy host may lose samples of the rate, which is no loss of counts
is "and nothing was lost" "${seen[3]}" true
is "no script failed" "${#seen[@]}" 4
ok "at most 20 MB" test "$(stat -c %s "$dir/page.html")" -le 20000000

# ---- what is live
mapfile -t seen < <(page "$url/" 'return new Promise(done => { const look = () => document.body.dataset.next ? done("new") :
	setTimeout(look, 20); look(); });' "$rows" "$runs")
is "new readings came in" "${seen[0]}" new
is "the live page has perf's totals" "${seen[1]}" "$(perf_values "$dir/live-perf" | LC_ALL=C sort | paste -sd ';')"
is "the run is a bar of the live page" "${seen[2]}" "fft_stratus.0 1 1"
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
# there is a reading each 0.5 s; the first one in which more than the clock counts is not before the run's begin
busy = [i for i, bin in enumerate(data["bins"]) if sum(map(bool, bin)) > 1]
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
