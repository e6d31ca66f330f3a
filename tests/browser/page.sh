#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The page's scripts on the recording of tests/unit/monctl/fixture.h. Its numbers can be calculated on paper:
# counter k of tile t counts (k + 1) * (t + 1) each ms for 100 ms.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
. "$srcdir/tests/browser/browser.sh"
command -v chromium >/dev/null || skip "no chromium: install the package chromium"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
data=$(tests/browser/write-recording)
./monctl report "$data" -o "$dir/page.html" 2>/dev/null
rm -f "$data"

# says SCRIPT [HASH]: prints the result of a script, or of its promise; it runs after those of $page
page=$dir/page.html
says()
{
	local said=${page%/*}/said.html

	{
		cat "$page"
		echo "<script>Promise.resolve((() => { $1 })()).then(v => { document.body.dataset.says = String(v); });</script>"
	} >"$said"
	dom_of "file://$said${2:-}" >"$dir/dom"
	python3 - "$dir/dom" <<'END'
import html.parser, sys

class Body(html.parser.HTMLParser):
    def handle_starttag(self, tag, attrs):
        if tag == "body":
            print(dict(attrs).get("data-says", "no answer"))

Body().feed(open(sys.argv[1]).read())
END
}

# A live page with three bins of 100 ms; older ones are from before the start. Tile t counted 10 * (t + 1).
# The fourth bin has 200 ms, and tile 3 could not be read in it.
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

# 101 samples from 0 to 100 ms, two of them monctl's own: 99 in 100 ms
like "the rate that was reached" "$(says 'return document.getElementById("summary").textContent')" \
	'99 samples, a sample each 1.01 ms \(1 ms was asked\)'
# 100 bins of 1 ms; to change the window is what panning does
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

# ---- metrics: plane 1 counts twice what plane 0 does in each tile
metric='
	recording.metrics.push({ pmu: 0, name: "twice", unit: "x", scale: 1, low: 0, high: 5, description: "",
				 expression: "noc_injects_p1 / noc_injects_p0" },
			       { pmu: 0, name: "out", unit: "x", scale: 10, low: 0, high: 5, description: "",
				 expression: "noc_injects_p1 / noc_injects_p0" },
			       { pmu: 0, name: "missing", unit: "x", scale: 1, low: null, high: null, description: "",
				 expression: "noc_injects_p7 / noc_injects_p0" });
	recording.metricCounters = metricCounters();
	const find = (name, place) => recording.metricCounters.find(c => c.metric.name === name && c.place === place);
'
is "a metric in a tile, of all tiles and in a bin; out of its range it is not known; without its events it is not there" \
	"$(says "$metric return [measure(find('twice', 2)).average, measure(find('twice', -1)).average,
		metricAt(find('twice', 3), 7), measure(find('out', 2)).average, find('missing', 0)].join(' ');")" \
	"2 2 2 NaN "
is "expressions as in the terminal" "$(says '
	const env = { count: name => ({ a: 6, b: 3, "group=1,counter=0": 10, zero: 0 }[name]), seconds: 2, clock: 50 };
	return ["a + b * 2", "(a + b) * 2", "a - b - 1", "{group=1,counter=0} * 32 / duration_time", "a / zero", "a / clock",
		"(a"].map(text => compile(text)(env)).join(" ");')" "12 18 2 160 NaN 0.12 NaN"
is "a map of a metric goes to its largest possible value" "$(says "$metric setMapPmu('espmon'); setMapEvent('metric espmon/twice');
	return document.querySelector('[data-place=\"1\"] span').textContent + ' ' +
		document.getElementById('scale').textContent;")" "2 x 05 x"

is "without a bottleneck the metrics stand there" "$(says "$metric recording.verdict = []; showVerdict();
	return document.getElementById('verdict').textContent;")" \
	"No rule found a bottleneck in these counters: twice 2 x. Other presets count more: monctl list --presets."
is "the map begins with a device that was used" "$(says '
	recording.pmus.push(Object.assign({}, recording.pmus[0], { name: "other" }));
	const other = Object.assign({}, recording.counters[0], { pmu: recording.pmus[2] });
	recording.counters.filter(c => c.pmu.name === "espmon").forEach(c => { c.bins = c.bins.map(() => 0); });
	recording.counters.push(other);
	startMap();
	return map.pmu.name + " " + document.getElementById("map-pmu").value;')" "other other"
is "what is not known has no colour" "$(says "$metric setMapPmu('espmon'); setMapEvent('metric espmon/out');
	const cell = document.querySelector('[data-place=\"1\"]');
	return [cell.className, cell.style.background, cell.textContent].join('|');")" "cell acc none||1 devnot known"
# a router takes a flit a cycle from its tile, a million a second; tile 3 injects 8 flits of plane 1 each ms
is "that of flits goes to a flit a cycle, or to the largest value" "$(says '
	const scale = document.getElementById("scale"), seen = [scale.textContent], select = document.getElementById("map-top");
	select.value = "largest";
	select.dispatchEvent(new Event("change"));
	return [...seen, scale.textContent, location.hash.replace(/.*top/, "top")].join(" ");' '#map=noc_injects_p1')" \
	"01.00 Mflits/s 08.00 kflits/s top=largest"
# 100 ms of a million a second
is "total ones too" "$(says 'return document.getElementById("scale").textContent;' '#map=noc_injects_p1&measure=total')" "0100 kflits"

# ---- one axis has one unit: words of p0 (flits) are removed when instructions are added
is "series of one unit share the axis" "$(says '
	timeline.chosen = new Set(["espmon/noc_injects_p0/", "espmon/noc_injects_p1/"]);
	const before = axisNow(), other = timeline.choices.find(c => c.info.unit === "instructions");
	choose(other, true);
	return before + " " + [...timeline.chosen].join() + " " + axisNow();')" \
	"flits/s upmem/dpu_instructions/ instructions/s"

is "what to know about a series stands below it" "$(says '
	const choice = timeline.choices.find(c => c.key === "espmon/noc_injects_p0/");
	choice.info.note = "Take care.";
	choose(choice, true);
	drawTimeline();
	return document.getElementById("series-note").textContent;')" "noc_injects_p0: Take care."

# ---- tables: p1 of tile 3 counted most, 800; p0 of tile 0 least, 100
is "tables sort by a click" "$(says '
	const table = document.getElementById("totals"), heads = table.tHead.rows[0].cells;
	const first = () => table.tBodies[0].rows[0].dataset.raw;
	heads[2].querySelector("button").click();
	const most = first();
	heads[2].querySelector("button").click();
	setRange(0, 50);
	return most + " " + first() + " " + heads[2].getAttribute("aria-sort");')" "800 50 ascending"
# dev.0 ran from 20 to 30 ms; dev.1 to 40 ms and from 50 to 100 ms
is "runs have a table, of the chosen time" "$(says '
	const rows = () => [...document.querySelectorAll("#runs tbody tr")].map(row => [...row.cells].slice(0, 4)
		.map(cell => cell.textContent).join(" ")).join("; ");
	const all = rows();
	setRange(0, 10);
	return all + " | " + rows();')" \
	"dev.0 tester: full, 8 bytes 1 10 ms; dev.1 tester 2 90 ms | dev.1 tester 1 40 ms"

# from 0 to 40 and from 50 to 100 of 100 ms at least one of them ran
like "and the head says in which part of the time" "$(says 'return document.getElementById("summary").textContent')" \
	', 3 runs in 90 % of the time'

# ---- the address
is "the address has map and time" "$(says '
	setMapEvent("espmon/noc_injects_p1");
	timeline.graph.updateOptions({ dateWindow: [.02, .03] });
	return location.hash;')" "#map=noc_injects_p1&measure=average&from=0.02&to=0.03"
is "and brings them back" "$(says 'return map.event + " " + range.first + "-" + range.end + " " + mapMeasure();' \
	'#map=noc_injects_p1&measure=peak&from=0.02&to=0.03')" "espmon/noc_injects_p1 20-30 peak"

# ---- accessibility: colours and keyboard
is "tiles are buttons" "$(says '
	const cell = document.querySelector("[data-place=\"2\"]");
	cell.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
	return cell.tabIndex + " " + cell.getAttribute("role") + " " + [...timeline.chosen].join();' '#map=noc_injects_p0')" \
	"0 button espmon/noc_injects_p0,tile=2/"
# in_frame WIDTH PAGE SCRIPT: prints the result of a script about a frame with the page; its window
# is "inside". A window of Chromium itself is at least 500 wide.
in_frame()
{
	cat >"$dir/frame.html" <<END
<body><iframe id="f" width="$1" height="900" style="border: 0" src="$2"></iframe><script>
setTimeout(() => { const inside = document.getElementById("f").contentWindow, root = inside.document.documentElement;
	document.body.dataset.says = (() => { $3 })(); }, 2000);
</script></body>
END
	chromium_on --allow-file-access-from-files --virtual-time-budget=4000 --dump-dom "file://$dir/frame.html" |
		sed -n 's/.*data-says="\([^"]*\)".*/\1/p'
}
# width_in WIDTH [PAGE]: prints the widths of the window and of its contents
width_in()
{
	in_frame "$1" "${2:-page.html}" 'return inside.innerWidth + " " + root.scrollWidth;'
}
is "nothing is wider than a telephone" "$(width_in 390)" "390 390"
is "nor than a desk" "$(width_in 1440)" "1440 1440"

# ---- a mesh of 16 x 16 tiles with links: the fixture's tile 0, 256 times
python3 - "$page" "$dir/mesh.html" <<'END'
import json, re, sys

page = open(sys.argv[1]).read()
data = re.search(r'(<script id="recording"[^>]*>\n)(.*?)(</script>)', page, re.S)
rec = json.loads(data[2])
rec["pmus"][0]["places"] = [dict(number=n, kind="acc", name="dev", device=f"dev.{n}", row=n // 16, column=n % 16)
                            for n in range(256)]
first = next(c for c in rec["counters"] if c["event"] == "espmon/noc_injects_p0")
rec["counters"] = [dict(first, place=n) for n in range(256)]
for direction in "nswe":
    event = "espmon/noc_queue_full_p5_" + direction
    rec["events"][event] = dict(rec["events"]["espmon/noc_injects_p0"], name=event[7:], terms=event[7:], unit="cycles")
    rec["counters"] += [dict(first, event=event, place=n) for n in range(256)]
rec["shares"] = [1] * len(rec["counters"])
del rec["events"]["espmon/noc_injects_p1"], rec["events"]["upmem/dpu_instructions"]
page = page[:data.start(2)] + json.dumps(rec) + page[data.end(2):]
open(sys.argv[2], "w").write(page)
# the page with its rules for printers, for the screen
open(sys.argv[2].replace("mesh", "print"), "w").write(page.replace("@media print", "@media all"))
END
is "a large mesh is no wider than a telephone" "$(width_in 390 mesh.html)" "390 390"
is "nor than a desk" "$(width_in 1440 mesh.html)" "1440 1440"
# 2 * 2 * 16 * 15 links: those at the edges lead nowhere
is "its tiles are in the order of the keyboard, with arrows" "$(in_frame 1440 mesh.html '
	const cells = [...inside.document.querySelectorAll("#map [role=button]")].map(c => c.getBoundingClientRect());
	return cells.length + " " + cells.every((c, i) => !i || c.top > cells[i - 1].top ||
		(c.top === cells[i - 1].top && c.left > cells[i - 1].left)) + " " + inside.document.querySelectorAll(".link").length;')" \
	"256 true 960"
# A4 without margins is 718 wide. Printers leave out the background, so text is dark in both themes.
for theme in light dark; do
	is "print, $theme: nothing is cut, heads are there, text is dark" "$(in_frame 718 "print.html#theme=$theme" '
		const all = query => [...inside.document.querySelectorAll(query)];
		return [root.scrollWidth <= 718, all(".wide, #map").every(box => box.scrollWidth <= 718),
			all("#totals th, #runs th").every(th => th.innerText.trim() !== "" && th.offsetHeight > 0),
			inside.getComputedStyle(inside.document.body).color, all("#theme, #series, #all-time")
				.every(part => part.offsetHeight === 0)].join(" ");')" "true true true rgb(26, 26, 26) true"
done
# WCAG 2.1, relative luminance and contrast: text, soft text and warnings are at least 4.5 : 1 in both themes
contrast='
	const light = c => { const [r, g, b] = c.match(/\w\w/g).map(x => parseInt(x, 16) / 255)
		.map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
	const style = getComputedStyle(document.documentElement), of = name => light(style.getPropertyValue(name));
	const ratio = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
	return ["--text", "--soft", "--warn"].every(name => ["--back", "--panel"].every(back => ratio(of(name), of(back)) >= 4.5));'
contrast=${contrast/%;/ &&
		["--mark", "--wait"].every(name => ratio(of(name), of("--back")) >= 4.5) && ratio(of("--text"), of("--phase")) >= 4.5;}
# contrast of text on all colours of cells and arrows
cells='
	const light = c => { const [r, g, b] = c.map(x => x / 255)
		.map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
	const parts = text => text.startsWith("#") ? [...text.slice(1)].map(d => parseInt(d + d, 16)) : text.match(/\d+/g).map(Number);
	const worst = Math.min(...Array.from({ length: 101 }, (v, i) => i / 100).map(share => {
		const a = light(parts(heatColour(share))), b = light(parts(heatTextColour(share)));
		return (Math.max(a, b) + .05) / (Math.min(a, b) + .05); }));
	return worst >= 4.5;'
is "contrast of the map" "$(says "$cells")" true
is "the keyboard goes through the page from top to bottom" "$(says '
	const sections = [...document.querySelectorAll("main > section")].map(s => s.id);
	const stops = [...document.querySelectorAll("a, button, input, select, [tabindex]")];
	return sections.join() + " " + stops.every(s => s.tabIndex === 0) + " " + stops.filter(s => s.closest("#map")).length;')" \
	"answer,time,maps,runs-section,table true 4"
is "contrast, light" "$(says "$contrast" '#theme=light')" true
is "contrast, dark" "$(says "$contrast" '#theme=dark')" true

# ---- the verdict of the chosen time: the sentences of tests/unit/monctl/test-verdict.c, with its derivations
judged='
	const judged = (pmu, counts, metrics) => {
		recording.metrics = metrics || [];
		recording.counters = Object.entries(counts).flatMap(([name, list]) => list.map((n, place) => ({
			place: list.length === 1 ? -1 : place, pmu: recording.pmus[pmu], bins: [n], index: 0,
			info: { pmu, name, terms: name, unit: "", scale: 1 } })));
		recording.shares = [1];
		recording.bins = range.end = 1;
		range.first = 0;
		return verdictOfRange().join(" ");
	};
	const share = { pmu: 0, name: "esp_acc_memory_share", expression: "acc_mem_cycles / acc_tot_cycles", unit: "%", scale: 100,
			low: 0, high: 100 };
	const cpi = { pmu: 1, name: "upmem_cpi", expression: "dpu_cycles / dpu_instructions", unit: "cycles/instruction", scale: 1,
		      low: 1, high: null };
	const perCycle = { pmu: 1, name: "upmem_bytes_per_cycle", unit: "bytes/cycle", scale: 1, low: 0, high: 2.05,
		expression: "(read_64bit_instruction + write_64bit_instruction) * 8 / dpu_cycles" };
'
is "the three FFTs" "$(says "$judged return judged(0, { acc_mem_cycles: [248502, 248487, 1662447],
	acc_tot_cycles: [2892522, 2892507, 4306701] }, [share]);")" \
	"Tile 2 (dev.0) waited 39 % of its run for memory, tiles 0 and 1 8.6 %."
is "a bound is one" "$(says "$judged return judged(0, { acc_mem_cycles: [60000, 30000, 20000, 8641],
	acc_tot_cycles: [100000, 100000, 100000, 100000] }, [share]) + ' ' + sentenceBound(8.641, '%');")" \
	"Tile 0 (cpu) waited 60 % of its run for memory, tile 1 (dev.0) 30 %, tile 2 (dev.0) 20 %, tile 3 (dev.0) 8.6 %. 8.7 %"
is "memory tiles" "$(says "$judged return judged(0, { ddr_accesses: [7300, 2700, 0] });")" \
	"Tile 0 (cpu) served 73 % of the DRAM words, tile 1 (dev.0) 27 %, tile 2 (dev.0) none."
is "nothing to say" "$(says "$judged return judged(0, { ddr_accesses: [5000, 5100, 4900] }) + '|';")" "|"
is "coherence" "$(says "$judged return judged(0, { noc_injects_p0: [123000], noc_injects_p1: [0], noc_injects_p2: [122960],
	noc_injects_p3: [0], noc_injects_p5: [0], l2_misses: [20500], ddr_accesses: [2050] });")" \
	"Coherence moved the data: 245960 flits of protocol and 20500 misses of private L2 caches for 2050 DRAM words."
is "vecadd" "$(says "$judged return judged(1, { dpu_cycles: [224210240], dpu_instructions: [202945600],
	read_64bit_instruction: [33554432], write_64bit_instruction: [16777216] }, [cpi, perCycle]);")" \
	"The DPUs wait for their DMA engines: 1.8 bytes of at most 2 a cycle, and 1.1 cycles/instruction."
# tiles 0 and 2 send to memory at 1; east of 0 are the 10000 flits of tile 0, in 40000 cycles
is "links" "$(says "$judged return judged(0, { noc_injects_p3: [0, 0, 0, 0], noc_injects_p5: [10000, 0, 10000, 0],
	ddr_accesses: [NaN, 50000, NaN, NaN], noc_queue_full_p5_e: [40000, 0, 10000, 0] });")" \
	"The link east of tile 0 stalled in at least 75 % of the cycles with flits of DMA (plane 5). Candidates: tile 0 (cpu), \
whose routes to or from tile 1 (dev.0) go that way."
is "all accelerators together" "$(says "$judged return judged(0, { acc_mem_cycles: [40000], acc_tot_cycles: [100000] }, [share]);")" \
	"The accelerators waited 40 % of their runs for memory, all of them together. Counts of each tile (--per-place) say which one."
is "numbers as in C's %.3g" "$(says 'return [1234.5, .5, 999.6, 12.34, .000012, 100].map(threeDigits).join(" ");')" \
	"$(printf '%.3g %.3g %.3g %.3g %.3g %.3g' 1234.5 .5 999.6 12.34 .000012 100)"
# one tile waits, in the second half only: 100 of 200 cycles
is "the verdict follows the chosen time, and says so" "$(says "$judged judged(0, { acc_mem_cycles: [0, 0], acc_tot_cycles: [200, 200] }, [share]);
	recording.counters.forEach((c, i) => { c.bins = i ? [200, 200] : [0, 100]; });
	recording.counters[1].bins = [0, 0];
	recording.bins = 2;
	recording.bin_ns = recording.length_ns / 2;
	range.first = 1;
	range.end = 2;
	showVerdict();
	return document.querySelector('#verdict li').textContent + ' ' + document.getElementById('verdict-note').textContent;")" \
	"Tile 0 (cpu) waited 50 % of its run for memory, tile 1 (dev.0) none. of the chosen time"

# ---- links: the fixture is 100 ms long, has a clock of 1 MHz and 2 x 2 tiles, and tile t injects 100 * (t + 1) flits into
# plane 0 and 200 * (t + 1) into plane 1. North of tile 2 is tile 0; south of it is nothing. Of plane 3 flits were not counted.
# North of 2 come flits of its row alone, 600 + 800 in plane 1 and 300 + 400 in plane 0; east of 0 those of tile 0 alone.
links='
	const bins = n => recording.counters[0].bins.map((v, i) => i ? 0 : n);
	const put = (name, place, n) => { recording.counters.push(Object.assign({}, recording.counters[0], { place, bins: bins(n),
		info: Object.assign({}, recording.counters[0].info, { name }) })); };
	put("noc_queue_full_p1_n", 2, 5000);
	put("noc_queue_full_p0_n", 2, 2800);
	put("noc_queue_full_p1_s", 2, 90000);
	put("noc_queue_full_p1_e", 0, 2000);
	put("noc_queue_full_p0_w", 1, 900);
	put("noc_queue_full_p3_s", 1, 40000);
	const arrows = () => [...document.querySelectorAll(".link")].map(l => l.className.slice(5) + " " + l.dataset.share).join();
	const note = () => document.getElementById("links-note").textContent;
	drawMap();
'
# (2000 - 200) / 2000; 900 cycles are too few; plane 3 is not known; (2800 - 700) / 2800 is more than (5000 - 1400) / 5000
is "links are arrows with the share of their stalls" "$(says "$links return arrows();")" \
	"e 0.9000,w unknown NaN,s unknown NaN,n 0.7500"
is "in their colours, whose scale goes to all of a link's cycles" "$(says "$links
	const of = share => { const i = document.createElement('i'); i.style.background = heatColour(share); return i.style.background; };
	return [...document.querySelectorAll('.link')].map(l => l.style.background).join() === [of(.9), '', '', of(.75)].join() &&
		document.getElementById('links-scale').textContent;")" "0100 % of the cycles with a flit"
like "in words" "$(says "$links return note();")" \
	'^Most: link east of 0: plane 1 holds a flit 2 % of the time, stalled in at least 90 % of these cycles; link north of 2: plane 0'
# 5000, 2000, 900 and 40000 of 100000 cycles
is "or with the share of the time in which they hold a flit" "$(says "$links
	const select = document.getElementById('link-measure');
	select.value = 'held';
	select.dispatchEvent(new Event('change'));
	return arrows() + ' ' + document.getElementById('links-scale').textContent.includes('a flit in each cycle') + ' ' +
		location.hash.replace(/.*links/, 'links');")" \
	"e 0.0200,w 0.0090,s 0.4000,n 0.0500 true links=held"
is "the address brings that back" "$(says "$links return arrows();" '#links=held')" "e 0.0200,w 0.0090,s 0.4000,n 0.0500"
is "estimates of flits make no stalls" "$(says "$links recording.shares = recording.counters.map(c => .5); drawMap(); return arrows();")" \
	"e unknown NaN,w unknown NaN,s unknown NaN,n unknown NaN"

# ---- a long recording in pieces: two minutes, a sample each 10 ms, 6 tiles; event 0 counts 1000 * (tile + 1) a sample, and
# tile 5 a million more in the one that ends at 60 s. The page's own bins hold three samples each.
tests/browser/write-hour "$dir/long" 12000 3
./monctl report "$dir/long" -o "$dir/single.html" 2>/dev/null
page=$dir/single.html
like "a single page says what it leaves out" "$(says 'return document.getElementById("warning").textContent')" \
	'A bin here is 3 samples together: shorter peaks are averages. monctl report --dir makes a page with each sample'
./monctl report "$dir/long" --dir "$dir/folder" 2>/dev/null
page=$dir/folder/index.html
seen='
	const tile5 = recording.counters.find(c => c.info.name === "event_0" && c.place === 5);
	const later = ms => new Promise(done => setTimeout(done, ms));
	const zoom = (from, to) => { timeline.graph.updateOptions({ dateWindow: [from, to] }); return later(300); };
	const see = () => [secondsText(binSeconds()), range.end - range.first, measure(tile5).total, measure(tile5).peak / 1e6].join(" ");
'
# 100 samples of 6000 and one million; the peak is 1006000 in 10 ms
is "zoomed in it shows single samples" "$(says "$seen return zoom(59.5, 60.5).then(see);")" "10 ms 100 1600000 100.6"
is "so do map, table, window and address" "$(says "$seen return zoom(59.5, 60.5).then(() => [
		document.querySelector('tr[data-key=\"espmon/event_0,tile=5/\"]').dataset.raw,
		document.getElementById('window').textContent, location.hash.replace(/.*from/, 'from')].join(' '));")" \
	"1600000 59.5 s to 60.5 s of 120 s, bins of 10 ms from=59.5&to=60.5"
is "and at the address" "$(says "$seen return later(500).then(see);" '#from=59.5&to=60.5')" "10 ms 100 1600000 100.6"
# 20 s from 100 s on are 2000 samples of 6000
is "moved on, others come" "$(says "$seen return zoom(59.5, 60.5).then(() => zoom(100, 120)).then(see);")" \
	"10 ms 2000 12000000 0.6"
# 12000 samples and one million; the peak is 18000 and one million in three samples
is "zoomed out, the page's own bins" "$(says "$seen return zoom(59.5, 60.5).then(() => {
		document.getElementById('all-time').click(); return later(100); }).then(() => measure(tile5).total + ' ' + range.first +
		' ' + (range.end === recording.bins) + ' ' + (recording.bins <= 4096));")" "73000000 0 true true"
rm "$dir/folder/pieces/0-5.js"
like "a piece that is missing is named" "$(says "$seen return zoom(59.5, 60.5).then(() =>
	document.getElementById('warning').textContent);")" 'pieces/0-5.js is not beside the page'
page=$dir/page.html

# ---- monctl diff: the recording beside counts of its own in which tile 3 of plane 1 counted 400 rather than 800, twice
data=$(tests/browser/write-recording)
cat >"$dir/less.csv" <<END
seconds,pmu,event,place,count,unit,value,share,whole,run
0.050000,espmon,"noc_injects_p1",3,390,flits,390,1.0000,1,1
0.050000,espmon,"noc_injects_p1",3,410,flits,410,1.0000,1,2
END
./monctl diff "$data" "$dir/less.csv" -o "$dir/page.html" 2>/dev/null
rm -f "$data"
# 400 +- 14.1 is half of 800; only this counter and the time are in both files
is "differences stand beside their spread" "$(says '
	const row = document.querySelector("tr[data-name=\"espmon/noc_injects_p1/ in 3\"]");
	return [...row.cells].map(cell => cell.textContent.trim()).join("|");')" \
	"espmon/noc_injects_p1/ in 3|flits|800|400 ± 3.5 %|-50.0 %"
is "the page of differences begins with the answer" "$(says '
	return document.querySelector("#verdict li").textContent;')" \
	"B: time is 50.0 % shorter than in A; 2 values differ by more than their spread."
is "and is no wider than a telephone" "$(width_in 390)" "390 390"
summary
