#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The page's scripts on the recording of tests/unit/monctl/fixture.h, whose numbers can be calculated on
# paper: counter k of tile t counts (k + 1) * (t + 1) each ms for 100 ms.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
. "$srcdir/tests/browser/browser.sh"
command -v chromium >/dev/null || skip "no chromium: install the package chromium"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
data=$(tests/browser/write-recording)
./monctl report "$data" -o "$dir/page.html" 2>/dev/null
rm -f "$data"

# says SCRIPT [HASH]: what a script in the page returns; it runs after those of the page
says()
{
	{
		cat "$dir/page.html"
		echo "<script>document.body.dataset.says = String((() => { $1 })());</script>"
	} >"$dir/said.html"
	dom_of "file://$dir/said.html${2:-}" >"$dir/dom"
	python3 - "$dir/dom" <<'END'
import html.parser, sys

class Body(html.parser.HTMLParser):
    def handle_starttag(self, tag, attrs):
        if tag == "body":
            print(dict(attrs).get("data-says", "no answer"))

Body().feed(open(sys.argv[1]).read())
END
}

# a live page that began with three bins of 100 ms: the rest is from before the start. Tile t counted 10 * (t + 1).
# Then a fourth comes, of 200 ms, in which tile 3 could not be read.
live='
	const bins = 10;
	recording.live = true;
	recording.bins = range.end = bins;
	recording.bin_ns = 1e8;
	recording.lengths = [0, 0, 0, 0, 0, 0, 0, 1e8, 1e8, 1e8];
	recording.shares = recording.counters.map(() => 1);
	recording.next = 3;
	recording.counters.forEach(c => { c.bins = [0, 0, 0, 0, 0, 0, 0].concat(Array(3).fill(10 * (c.place + 1))); });
	refreshTimeline();
	const bin = n => recording.counters.map(c => n === 4 && c.place === 3 ? null : 10 * (c.place + 1));
	const update = n => takeLive({ next: n, bins: [bin(n)], lengths: [n === 4 ? 2e8 : 1e8], marks: [], problem: "",
				       shares: recording.counters.map(() => 1) });
	const drawn = key => timeline.graph.rawData_[timeline.graph.indexFromSetName(key) - 1].slice(-4).map(p => p[1]);
	const p0 = tile => recording.counters.find(c => c.info.name === "noc_injects_p0" && c.place === tile);
'
# the sum of tiles 0 to 3 is 10 + 20 + 30 + 40 in 100 ms: 1000 a second
is "a chart of sums goes on" "$(says "$live
	timeline.chosen = new Set(['espmon/noc_injects_p0/']);
	const before = timeline.choices[0].bins.join();
	update(5);
	return (timeline.choices[0].bins.join() !== before) + ' ' +
		timeline.graph.file_.slice(-2).map(row => Math.round(row[1]));")" "true 1000,1000"
# 3 bins of 100 ms with 10 each
is "an average is over the time since the start" "$(says "$live return measure(p0(0)).average.toFixed(6);")" 100.000000
# 40 counted in 3 bins of 100 ms and one of 200 ms
is "a bin is as long as it was" "$(says "$live update(4); return measure(p0(0)).average.toFixed(6);")" 80.000000
# tile 3: 3 bins of 100 ms with 40 each, a gap of 200 ms, then 40 for the gap and 100 ms: 160 in 600 ms; its
# peak is 400 a second, not 40 in 100 ms at the end
is "a gap is not a zero, and the value after it covers it" "$(says "$live update(4); update(5);
	const m = measure(p0(3));
	return [m.raw, m.average.toFixed(3), m.peak, rateOf(p0(3), 8), rateOf(p0(3), 9).toFixed(3)].join(' ');")" \
	"160 266.667 400  133.333"
is "what took turns has a mark everywhere, and a line says why" "$(says "$live
	recording.shares = recording.counters.map(c => c.place === 2 ? .5 : 1);
	takeLive({ next: 4, bins: [bin(1)], lengths: [1e8], marks: [], problem: '', shares: recording.shares });
	const row = document.querySelector('tr[data-key=\"espmon/noc_injects_p0,tile=2/\"]').textContent;
	const other = document.querySelector('tr[data-key=\"espmon/noc_injects_p0,tile=1/\"]').textContent;
	return [/~120/.test(row), /~/.test(other), /~/.test(document.querySelector('[data-place=\"2\"] span').textContent),
		/estimates from 50 %.*-e/.test(document.getElementById('warning').textContent)].join(' ');")" \
	"true false true true"
is "a device that did not answer is named" "$(says "$live
	takeLive({ next: 4, bins: [bin(4)], lengths: [1e8], marks: [], problem: 'espmon: silent', shares: recording.shares });
	const warning = document.getElementById('warning');
	return warning.hidden + ' ' + warning.textContent.startsWith('espmon: silent');")" "false true"

# 101 samples from 0 to 100 ms, of which monctl's own are two: 99 in 100 ms
like "the rate that was reached" "$(says 'return document.getElementById("summary").textContent')" \
	'99 samples, a sample each 1.01 ms \(1 ms was asked\)'
# 100 bins of 1 ms; panning by hand is what shift and drag do
is "map, table and text follow zoom and pan" "$(says '
	const graph = timeline.graph, seen = [];
	const see = () => seen.push(range.first + "-" + range.end + " " +
		document.querySelector("tr[data-key=\"espmon/noc_injects_p1,tile=3/\"]").dataset.raw + " " +
		document.getElementById("window").textContent.split(" of ")[0]);
	graph.updateOptions({ dateWindow: [.02, .03] });
	see();
	graph.updateOptions({ dateWindow: [.05, .07] });
	see();
	document.getElementById("all-time").click();
	see();
	return seen.join("; ");')" \
	"20-30 80 20 ms to 30 ms; 50-70 160 50 ms to 70 ms; 0-100 800 0 s to 100 ms"
summary
