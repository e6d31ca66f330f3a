#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The page's scripts on the recording of tests/unit/monctl/fixture.h, in one Chromium.

Its numbers can be calculated on paper: counter k of tile t counts (k + 1) * (t + 1) each ms for 100 ms.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

DIR = tempfile.mkdtemp()
DATA = re.compile(r'(<script id="recording"[^>]*>\n)(.*?)(</script>)', re.S)
DIRECTIONS = "nswe"


def made(*args):
    """Runs a program of the build; returns what it says."""
    return subprocess.run(args, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()


def altered(name, change):
    """A page of its own of the fixture's recording as change() leaves it."""
    with open(f"{DIR}/page.html", encoding="utf-8") as file:
        page = file.read()
    data = DATA.search(page)
    rec = json.loads(data[2])
    change(rec)
    with open(f"{DIR}/{name}.html", "w", encoding="utf-8") as file:
        file.write(page[:data.start(2)] + json.dumps(rec) + page[data.end(2):])


def number(rec, plane, tile):
    """The index of the fixture's counter of a plane and tile."""
    return next(i for i, c in enumerate(rec["counters"])
                if c["event"] == f"espmon/noc_injects_p{plane}" and c["place"] == tile)


def with_budget(rec):
    """Tile t computes in 100 * (t + 1) of 800 cycles and asks for 200 * (t + 1) of waiting, if so many are left."""
    clock = [[number(rec, 1, 3), 1]]
    rec["pmus"][0]["clock"] = {"name": "cycles of the tile", "hz": 8000, "has_rates": True, "forms": [{"place": -1, "form": clock}]}
    rec["budgets"] = []
    for t in range(4):
        used = [[number(rec, 0, t), 1], [number(rec, 1, t), 1]]
        computing, waiting = 100 * (t + 1), min(200 * (t + 1), 700 - 100 * t)
        parts = [("computing", "computing", used[:1], computing), ("waiting", "waiting for memory", used, waiting),
                 ("idle", "idle", clock, 800 - computing - waiting)]
        rec["budgets"].append({"pmu": 0, "place": t, "device": f"tile {t}", "title": "", "unit": "cycles", "group": t,
                               "clock": {"name": "cycles of the tile", "hz": 8000, "cycles": 800},
                               "parts": [dict(zip(("kind", "name", "mark", "cycles"), part), children=[]) for part in parts]})
    # half of the waiting is said to be for DRAM
    rec["budgets"][0]["parts"][1]["children"] = [{"name": "DRAM", "cycles": 100, "share": .5}]
    rec["groups"] = [{"label": f"tile {t}", "members": [t]} for t in (2, 3, 1, 0)]
    rec["answers"] = [{"phase": None, "begin": 0, "end": 1, "sentences": [{"text": "Tile 2 waited for memory.", "sure": "modelled"}],
                       "missing": None},
                      {"phase": "load", "begin": 20000000, "end": 30000000, "sentences": [], "missing": "Count flits to know."}]
    rec["metrics"] = [{"pmu": 0, "name": "twice", "unit": "%", "description": "", "low": 0, "high": 500, "values": [
        {"place": -1, "value": 2, "by": 1, "over": [[number(rec, 1, t), 1] for t in range(4)],
         "under": [[number(rec, 0, t), 1] for t in range(4)]},
        {"place": 1, "value": 2, "by": 1, "over": [[number(rec, 1, 1), 1]], "under": [[number(rec, 0, 1), 1]]}]}]


def leads(place, direction):
    """Whether a tile is there, in 16 x 16."""
    row, column = place // 16 + {"n": -1, "s": 1}.get(direction, 0), place % 16 + {"w": -1, "e": 1}.get(direction, 0)
    return 0 <= row < 16 and 0 <= column < 16


def with_mesh(rec):
    """16 x 16 tiles with links, each as the fixture's tile 0; a budget each."""
    with_budget(rec)
    rec["pmus"][0]["places"] = [{"number": n, "kind": "acc", "name": "dev", "device": f"dev.{n}", "row": n // 16,
                                 "column": n % 16} for n in range(256)]
    rec["budgets"] = [dict(rec["budgets"][n % 4], device=f"tile {n} (a_device_with_a_long_name.{n})", place=n)
                      for n in range(256)]
    rec["groups"] = [{"label": "64 tiles", "members": list(range(t, 256, 4))} for t in (2, 3, 1, 0)]
    first = rec["counters"][number(rec, 0, 0)]
    rec["counters"] += [dict(first, place=n) for n in range(4, 256)]
    rec["links"] = []
    for direction in DIRECTIONS:
        event = "espmon/noc_queue_full_p5_" + direction
        rec["events"][event] = dict(rec["events"]["espmon/noc_injects_p0"], name=event[7:], unit="cycles")
        rec["links"] += [{"pmu": 0, "place": n, "direction": direction, "plane": "5", "stalled": None,
                          "held": [[len(rec["counters"]) + n, 1]]} for n in range(256) if leads(n, direction)]
        rec["counters"] += [dict(first, event=event, place=n) for n in range(256)]
    rec["shares"] = [1] * len(rec["counters"])


def with_loss(rec):
    """Samples were lost, counters took turns, and a bin of plane 0 in tile 0 could not be read."""
    rec.update(lost=3, shares=[.5] + [1] * (len(rec["counters"]) - 1))
    bins = rec["counters"][number(rec, 0, 0)]["bins"]
    bins[10:12] = [None, bins[10] + bins[11]]


def with_links(rec):
    """Links of 2 x 2 tiles, with the sums that monctl makes. Of plane 3 flits were not counted.

    North of 2 come flits of its row alone, 600 + 800 in plane 1 and 300 + 400 in plane 0; east of 0 those of tile 0 alone.
    """
    first = rec["counters"][number(rec, 0, 0)]
    rec["links"] = []
    for name, place, count, before in (("p1_n", 2, 5000, (2, 3)), ("p0_n", 2, 2800, (2, 3)), ("p1_e", 0, 2000, (0,)),
                                       ("p0_w", 1, 900, (1,)), ("p3_s", 1, 40000, None)):
        event, held = f"espmon/noc_queue_full_{name}", [[len(rec["counters"]), 1]]
        rec["events"][event] = dict(rec["events"]["espmon/noc_injects_p0"], name=event[7:], unit="cycles")
        rec["counters"].append(dict(first, event=event, place=place, bins=[count, -99]))
        stalled = before and held + [[number(rec, int(name[1]), t), -1] for t in before]
        rec["links"].append({"pmu": 0, "place": place, "direction": name[-1], "plane": name[1], "held": held, "stalled": stalled})
    rec["shares"] = [1] * len(rec["counters"])


# A live page with three bins of 100 ms; older ones are from before the start. Tile t counted 10 * (t + 1).
# The fourth bin has 200 ms, and tile 3 could not be read in it.
LIVE = """
    recording.live = true;
    recording.bins = 10;
    recording.bin_ns = 1e8;
    recording.lengths = [0, 0, 0, 0, 0, 0, 0, 1e8, 1e8, 1e8];
    recording.beyond = unpackBeyond([], 10);
    recording.shares = recording.counters.map(() => 1);
    recording.next = 3;
    recording.counters.forEach(c => { c.bins = [0, 0, 0, 0, 0, 0, 0].concat(Array(3).fill(10 * (c.place + 1))); });
    setRange(0, 10);
    drawCharts();
    const bin = n => recording.counters.map(c => n === 4 && c.place === 3 ? null : 10 * (c.place + 1));
    const update = (n, more) => takeLive(Object.assign({ next: n, bins: [bin(n)], lengths: [n === 4 ? 2e8 : 1e8], marks: [], beyond: [],
        problem: "", answers: [], shares: recording.counters.map(() => 1) }, more));
    const p0 = tile => recording.placed.find(s => s.name === "noc_injects_p0" && s.place === tile);
"""
FIND = "const find = key => recording.wholes.concat(recording.placed).find(s => s.key === key); "
BARS = "const bars = () => [...document.querySelectorAll('.device > summary')].map(s => s.textContent); "
PRESS = """const panels = byId("panels"), press = (key, more) => panels.dispatchEvent(new KeyboardEvent("keydown",
    Object.assign({ key, bubbles: true, cancelable: true }, more))); const said = () => byId("spoken").textContent; """
LUMINANCE = """
    /* WCAG's relative luminance */
    const luminance = parts => {
        const [r, g, b] = parts.map(c => c / 255).map(c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b;
    };
    const light = c => luminance(c.match(/\\w\\w/g).map(x => parseInt(x, 16)));
    const style = getComputedStyle(document.documentElement), of = name => light(style.getPropertyValue(name));
    const ratio = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
"""
CONTRAST = LUMINANCE + """
    return ["--text", "--soft", "--lost"].every(name => ["--back", "--panel"].every(back => ratio(of(name), of(back)) >= 4.5)) &&
        ratio(of("--mark"), of("--back")) >= 4.5 && ratio(of("--text"), of("--phase")) >= 4.5 &&
        ratio(of("--computing"), of("--waiting")) >= 1.5 && ratio(of("--waiting"), of("--idle")) >= 1.5;"""
WIDTH = "return innerWidth + ' ' + document.documentElement.scrollWidth;"
FIRST_SCREEN = """const bottom = id => byId(id).getBoundingClientRect().bottom;
    return [bottom("verdict") > 0, bottom("bars") <= innerHeight, byId("title").getBoundingClientRect().top >= bottom("bars"),
        document.querySelectorAll("#series button").length <= 8].join(" ");"""

# what, page with #address, script, expected; then width and height of the window or the medium
CHECKS = [
    # ---- the answer and the budget
    ("answer and budget are in the first screen, before the command", "mesh", FIRST_SCREEN, "true true true true"),
    ("on a telephone, too", "mesh", FIRST_SCREEN, "true true true true", 390, 844),
    ("the answer is C's sentence", "budget", "return byId('verdict').textContent;", "Tile 2 waited for memory."),
    ("phases have theirs, or what is missing for one", "budget", "return byId('phases').textContent;", "load Count flits to know."),
    ("a phase is a button that shows its time", "budget", """document.querySelector("#phases button").click();
        return [range.first, range.end, byId("sure").textContent].join(" ");""",
     "20 30 The sentences are of the whole recording, the bars of the chosen time. "),
    # 100 and 200 of 800; 300 and 600, of which 500 are left; 400 and 800, of which 400 are left
    ("each device has a bar, the busiest first", "budget", BARS + "return bars().join('|');",
     "tile 2waiting for memory 62.5 %, computing 37.5 %|tile 3computing 50.0 %, waiting for memory 50.0 %|"
     "tile 1waiting for memory 50.0 %, computing 25.0 %, idle 25.0 %|"
     "tile 0idle 62.5 %, waiting for memory 25.0 %, computing 12.5 %"),
    ("a tree is below it", "budget", "return [...document.querySelectorAll('.device')[3].querySelectorAll('li')].map(li => [...li.childNodes].find(n => n.data).data).join('|');",
     "12.5 % computing, 100 cycles|25.0 % waiting for memory, 200 cycles|62.5 % idle, 500 cycles"),
    ("and the time that its clock says", "budget", "return document.querySelector('.device p').textContent;",
     "100 % are 800 cycles: cycles of the tile, 100 ms."),
    # bins 20 to 30 are 80 cycles
    ("it is of the chosen time", "budget", "setRange(20, 30); return document.querySelector('.device p').textContent;",
     "100 % are 80 cycles: cycles of the tile, 10 ms."),
    ("a part of a part is a share of that part", "budget", "return document.querySelectorAll('.device')[3].querySelector('li div').textContent;",
     "DRAM in 50 % of these"),
    ("what is idle for nearly all of the time stands beside the bar", "budget", """const b = recording.budgets[0];
        b.beside = { cycles: 80000 }; drawBudget();
        const row = document.querySelectorAll(".device")[3];
        return row.querySelector(".says").textContent.split("; ").pop() + " " + row.querySelectorAll(".bar i").length;""",
     "idle 99 % of the time 2"),
    ("a bar without nearly all, which is idle", "budget", """const [a, b, c] = recording.budgets[0].parts;
        Object.assign(a, { cycles: 20 }); Object.assign(b, { cycles: 20 }); Object.assign(c, { cycles: 760 }); drawBudget();
        const row = document.querySelectorAll(".device")[3];
        return [...row.querySelectorAll(".bar i")].map(i => i.style.width).join() + " " + row.querySelector(".says").textContent;""",
     "50%,50% computing 2.5 %, waiting for memory 2.5 %, beside the bar: idle 95.0 %"),
    ("a sliver is a line that has no width of its own, and the bar ends where it does", "budget", """const [a, b] = recording.budgets[2].parts;
        Object.assign(a, { cycles: 1 }); Object.assign(b, { cycles: 799 }); drawBudget();
        const [first, second] = document.querySelectorAll(".bar i"), box = i => i.getBoundingClientRect();
        return `${first.className} ${box(first).width} ${box(second).right <= box(first.parentNode).right}`;""",
     "computing sliver 2 true"),
    ("requests have a heading of their own, and are no time", "budget", """Object.assign(recording.budgets[1], { unit: "requests",
            clock: { name: "requests", hz: null, cycles: 800 } }); drawBudget();
        return [byId("bars").childElementCount, byId("requests").childElementCount, byId("requests-section").hidden,
            byId("requests").querySelector("p").textContent].join("|");""", "3|1|false|100 % are 800 requests."),
    ("without cycles there is no heading of theirs", "budget", """recording.budgets.forEach(b => { b.unit = "requests"; }); drawBudget();
        return [byId("cycles-section").hidden, byId("budget").hidden].join();""", "true,false"),
    ("equal devices are one bar", "mesh", BARS + "return bars().map(b => b.replace(/tiles.*/, 'tiles')).join('|');",
     "64 tiles|64 tiles|64 tiles|64 tiles"),
    ("shares add up to 100", "budget", """const sum = texts => texts.reduce((s, t) => s + parseFloat(t), 0).toFixed(1);
        return [[1, 1, 1], [9996, 3, 1], [2, 3, 3]].map(c => sum(shareTexts(c, c.reduce((s, v) => s + v, 0)))).join(" ");""",
     "100.0 100.0 100.0"),
    ("equal parts show equal shares", "budget", "return [[15, 15, 15, 15, 9940], [1, 9999]].map(c => shareTexts(c, 10000)).join('|');",
     "0.15 %,0.15 %,0.15 %,0.15 %,99.40 %|0.010 %,99.990 %"),
    ("a quotient of counts has no prefix", "budget", "return [withUnit(1023, 'bytes/transfer'), withUnit(1023, 'B/s')].join();",
     "1,023 bytes/transfer,1.02 kB/s"),
    ("requests that missed have a colour in the legend, if there are any", "budget", """const before = byId("keys-missed").hidden;
        recording.budgets[0].unit = "requests"; drawBudget(); return [before, byId("keys-missed").hidden].join();""", "true,false"),
    ("what did not run has no bar", "budget", BARS + """recording.counters.forEach(c => c.bins.fill(0)); setRange(0, 50);
        return bars()[0] + document.querySelectorAll(".bar i").length;""", "tile 2did not run0"),
    ("what is not known is not zero", "budget", BARS + """recording.counters.forEach(c => c.bins.fill(null)); setRange(0, 50);
        return bars()[0];""", "tile 2not known"),
    ("only what is lost is red", "loss", """const colour = id => getComputedStyle(byId(id)).color;
        const red = document.createElement("i"), soft = document.createElement("i");
        red.style.color = "var(--lost)"; soft.style.color = "var(--soft)"; document.body.append(red, soft);
        return [colour("warning") === getComputedStyle(red).color, byId("warning").textContent, colour("limits") ===
            getComputedStyle(soft).color, /estimates.* 50 %.*-e/.test(byId("limits").textContent)].join(" ");""",
     "true 3 samples were lost: the charts have gaps, totals do not. true true"),
    ("without a loss nothing is red", "budget", "return byId('warning').hidden;", "true"),

    # ---- charts
    ("series of each unit have a chart, and all have one time", "budget#series=espmon/noc_injects_p0/&series=twice", """
        const graphs = charts.panels.map(p => p.graph);
        graphs[2].updateOptions({ dateWindow: [.02, .03] });
        return charts.panels.map(p => p.unit).join() + " " + graphs.every(g => String(g.xAxisRange()) === "0.02,0.03") + " " +
            new Set(graphs.map(g => g.getArea().x)).size;""", "%,flits/s,% true 1"),
    # 100 + 200 + 300 + 400 flits in 800 cycles at 8 kHz, which are 100 ms
    ("a legend has last, average and peak, by the PMU's clock", "budget#series=espmon/noc_injects_p0/",
     "return [...byId('panels').querySelectorAll('.legend')].pop().rows[1].innerText.replace(/\\s+/g, ' ');",
     "espmon/noc_injects_p0/× 10 k 10 k 10 k"),
    # tile 1, 2 flits a ms, is not known in the last bin, in which tile 2 did not compute; before, 300 and 500 of 800
    ("all legends have one last moment", "budget#series=espmon/noc_injects_p0,tile=1/", """
        const bins = tile => recording.counters.find(c => c.event === "espmon/noc_injects_p0" && c.place === tile).bins;
        bins(1)[99] = null; bins(2)[99] = 0; showLegends();
        return lastBin() + " " + [...byId("panels").querySelectorAll(".legend")].map(t =>
            [...t.rows].slice(1).map(r => r.cells[2].textContent).join()).join("|");""", "98 37.5,62.5,0|2 k"),
    ("without a clock there are counts, and no rate", "page#series=espmon/noc_injects_p0/", FIND +
     "recording.pmus[0].clock = null; const s = eventSeries('espmon/noc_injects_p0', recording.pmus[0], 0, [[0, 1]]); "
     "return s.unit + ' ' + measure(s).average;", "flits a bin 1"),
    ("the budget over time adds up to 100 %", "budget", """const rows = charts.panels[0].graph.file_;
        return charts.devices[0].device + " " + rows.every(r => Math.abs(r[1] + r[2] - 100) < 1e-9);""", "tile 2 true"),
    # 1 and 2 of 3 cycles of its own in a bin in which the device with most cycles did not run
    ("a device idles for no other in a bin, as an emulator runs them one after the other", "budget", """const b = recording.budgets[0];
        Object.assign(b.parts[2], { is_of_largest: true, mark: [[7, 0]] });
        return budgetLines([b]).map(line => `${line.label} ${line.at(5).toFixed(1)}`).join();""", "waiting for memory 66.7,computing 33.3"),
    ("a metric in all places, in one, and out of its range", "budget", FIND + """const m = find("twice"), one = find("twice, tile 1");
        const out = [measure(m).average, valueAt(one, 7)];
        m.whole = 1.5; recording.beyond[7] = m.numbers;
        return [...out, measure(m).average, valueAt(m, 7), valueAt(one, 7), find("twice, tile 0")].join(" ");""", "2 2 1.5  2 "),
    # bins cut what was counted between two readings, so each may have less than all of it
    ("no peak is below the average", "budget", FIND + """const m = find("twice");
        m.whole = 2.25;
        const [line] = budgetLines([recording.budgets[2]]).slice(-1);
        recording.budgets[2].parts[0].cycles = 400; recording.budgets[2].parts[1].cycles = 400;
        const now = line.measure(), later = budgetLines([recording.budgets[2]]).slice(-1)[0].measure();
        return [measure(m).peak, measure(m).average, now.peak, now.average, later.peak, later.average].join(" ");""",
     "2.25 2.25 37.5 37.5 50 50"),
    ("places with clocks of their own have no rate together, nor has a clock that goes on", "budget", """const pmu = recording.pmus[0];
        pmu.clock.forms = [0, 1].map(place => ({ place, form: [[0, 1]] }));
        const seen = [0, -1].map(place => clockOf(pmu, place) !== null);
        pmu.clock.has_rates = false;
        return [...seen, clockOf(pmu, 0) !== null].join();""", "true,false,false"),
    ("at most eight choices are in view; a search finds the others", "mesh", """const count = () => byId("series").childElementCount;
        const first = count(), note = byId("series-note").textContent;
        byId("filter").value = "tile=77 p5_n";
        byId("filter").dispatchEvent(new Event("input"));
        byId("series").firstChild.click();
        return [first, note, count(), charts.chosen[charts.chosen.length - 1].key].join(" ");""",
     "8 1293 series in all: search for names, units or places 1 espmon/noc_queue_full_p5_n,tile=77/"),
    ("of nine chosen series the first goes", "mesh", """recording.placed.slice(0, 9).forEach(s => choose(s, true));
        return charts.chosen.length + " " + byId("series").childElementCount + " " + charts.chosen.includes(recording.placed[0]);""",
     "8 8 false"),
    ("the legend removes a series", "budget#series=espmon/noc_injects_p0/&series=twice",
     "document.querySelector('.remove').click(); return charts.chosen.map(s => s.key).join();", "twice"),
    ("lost samples leave a gap in the chart and in the peak, not in the total", "page#series=espmon/noc_injects_p0,tile=0/", FIND + """
        recording.gaps = [[10.5e6, 12e6]]; recording.counters[0].bins[11] = 100; drawCharts();
        const m = measure(find("espmon/noc_injects_p0,tile=0/"));
        return charts.panels[0].graph.file_.slice(9, 13).map(row => String(row[1])).join() + " " + [m.raw, m.peak].join(" ");""",
     "1,null,null,1 199 2.0306122448979593"),
    # 3 flits a ms; tile 2 has 50 more in a bin of which monctl says that the hardware cannot reach it
    ("a rate that the hardware cannot reach is not known, and in no average, peak or sum of places", "budget", FIND + """
        const [one, all] = ["espmon/noc_injects_p0,tile=2/", "espmon/noc_injects_p0/"].map(find);
        recording.counters[one.numbers[0]].bins[5] += 50; recording.beyond[5] = one.numbers;
        setRange(0, 50);
        return [valueAt(one, 4), valueAt(one, 5), valueAt(all, 5), measure(one).average, measure(one).peak, measure(one).raw].join(" ");""",
     "3000   3000 3000 200"),
    ("a PMU that counted its clock alone is not shown", "budget", """recording.counters.forEach((c, i) => { if (i !== 7) c.bins.fill(0); });
        byId("maps").hidden = false; startMap(); drawTotals();
        return [byId("maps").hidden, byId("totals").tBodies[0].rows.length, suggestedSeries().length].join(" ");""", "true 0 0"),
    ("the palest of five parts has a third of the first one's colour", "budget", """const parts = [..."agents"].map(() => ({ kind: "computing" }));
        parts.pop();
        return parts.map((part, k) => partShade(parts, k).toFixed(2)).join(" ");""", "1.00 0.84 0.68 0.51 0.35"),
    ("in grey a part differs from idle by its frame, too", "budget", """const frame = kind =>
            getComputedStyle(document.querySelector(`.bar .${kind}`)).boxShadow !== "none";
        return [frame("computing"), frame("waiting"), frame("idle")].join(" ");""", "true true false"),
    ("small shares are no long numbers", "budget", "return withUnit(.0000549, '%') + ' ' + withUnit(.00549, '%');", "<0.001 % 0.00549 %"),
    ("a place of no name is named once", "budget", """const pmu = { noun: "dpu", places: [{ number: 3, kind: "dpu" }] };
        return placeName(pmu, 3) + " " + placeName(recording.pmus[0], 2);""", "dpu 3 tile 2 (dev.0)"),
    ("a device of one place has that one's name", "budget", """const names = () => [deviceName("dev.0"), deviceName("else")].join();
        const before = names();
        recording.pmus[0].places.forEach((place, i) => { place.device = `dev.${i}`; });
        return before + " " + names();""", "dev.0,else tile 0 (dev.0),else"),
    ("what has a note is not suggested first", "mesh", """const events = () => suggestedSeries().filter(s => !s.is_metric), [first] = events();
        first.note = "Readings are counted, too.";
        return [events()[0] !== first, events().includes(first)].join(" ");""", "true true"),
    ("parts fill a bar up to their series, and none takes anything away", "budget", """const b = recording.budgets[0];
        b.parts = [[[0, 1]], [[2, .2]], [[1, 1]], [[7, 1]]].map(mark => ({ kind: "computing", name: "x", mark }));
        return budgetOf(b, sumOver).parts.map(p => p.cycles).join();""", "100,0,100,600"),
    ("a gap is drawn as one", "loss#series=espmon/noc_injects_p0,tile=0/",
     "return charts.panels[0].graph.file_.slice(9, 13).map(row => String(row[1])).join();", "1,null,2,1"),
    ("map, table and text follow zoom and pan", "budget", """const seen = [];
        const see = () => seen.push(range.first + "-" + range.end + " " +
            document.querySelector("tr[data-key='espmon/noc_injects_p1,tile=3/']").dataset.raw + " " +
            byId("window").textContent.split(" of ")[0]);
        for (const dateWindow of [[.02, .03], [.05, .07]]) {
            charts.panels[0].graph.updateOptions({ dateWindow });
            see();
        }
        byId("all-time").click();
        see();
        return seen.join("; ");""", "20-30 80 20 ms to 30 ms; 50-70 160 50 ms to 70 ms; 0-100 800 0 s to 100 ms"),
    # tile 3 of plane 1 is the clock: in the second half it counts twice, so the first 50 of 100 bins are a third of its time
    ("the axis can be the PMU's clock", "budget", """recording.counters.forEach(c => { c.bins = c.bins.map((v, i) => i < 50 ? v : 2 * v); });
        byId("axis").value = "espmon";
        byId("axis").dispatchEvent(new Event("change"));
        return [byId("axis-label").hidden, ...wholeWindow().map(v => v.toFixed(3)), charts.edges[50].toFixed(3), onAxis(.05).toFixed(3),
            byId("window").textContent].join(" ");""",
     "false 0.000 0.150 0.050 0.050 0 s to 150 ms of 150 ms, by the clock of espmon, bins of 1 ms"),

    # ---- the keyboard
    ("arrows move a cursor and read its values", "budget#series=twice", PRESS + """press("ArrowRight"); press("ArrowRight");
        return said() + " " + charts.panels.every(p => p.graph.getSelection() === 1) + " " +
            document.querySelector(".legend").rows[1].cells[1].textContent;""",
     "1.5 ms: waiting for memory 62.5 %; computing 37.5 %; twice 2 % true 37.5"),
    # half of the time about the middle of the last bin, 99.5 ms
    ("End, plus, minus and 0 zoom", "budget", PRESS + """const seen = [];
        for (const key of ["+", "+", "0"]) { press(key); seen.push(range.first + "-" + range.end); }
        press("End"); press("+");
        seen.push(range.first + "-" + range.end, said());
        press("-");
        return [...seen, range.first + "-" + range.end].join("; ");""",
     "25-75; 37-63; 0-100; 49-100; 49.75 ms to 99.75 ms of 100 ms, time of the guest, bins of 1 ms; 0-100"),
    ("shift and arrows move the time, not beyond its ends", "budget", PRESS + """zoomTo(.04, .06);
        press("ArrowRight", { shiftKey: true }); const right = range.first + "-" + range.end;
        zoomTo(.01, .03); press("ArrowLeft", { shiftKey: true }); press("ArrowLeft", { shiftKey: true });
        press("ArrowLeft", { shiftKey: true });
        return right + " " + range.first + "-" + range.end;""", "45-65 0-20"),
    ("a key with control is the browser's", "budget", PRESS + "return press('+', { ctrlKey: true }) + ' ' + range.end;", "true 100"),
    ("the keyboard goes through the page from top to bottom", "budget", """const sections = [...document.querySelectorAll("main > section")];
        const stops = [...document.querySelectorAll("a, button, input, select, [tabindex]")];
        return sections.map(s => s.id).join() + " " + stops.every(s => s.tabIndex === 0) + " " +
            stops.filter(s => s.closest("#map")).length;""", "answer,budget,about,time,maps,runs-section,table true 4"),
    ("a term is explained once, to the keyboard, too", "mesh", """const terms = [...document.querySelectorAll("#window dfn")];
        return terms.map(d => d.tabIndex + d.dataset.tip.replace(/:.*/, "")).join();""", "0guest,0bin"),

    # ---- live
    # tile 0: 3 bins of 100 ms
    ("the shown time grows with the recording", "page", LIVE + """const before = charts.window.map(v => v.toFixed(1)).join();
        update(4); return before + " " + charts.window.map(v => v.toFixed(1)).join() + " " + range.first;""", "0.0,0.3 0.0,0.4 6"),
    ("a chosen time stays", "page", LIVE + """zoomTo(.1, .2); update(4);
        return charts.window.map(v => v.toFixed(1)).join() + " " + range.first + "-" + range.end;""", "0.1,0.2 7-8"),
    ("a chart of sums goes on", "page#series=espmon/noc_injects_p0/", LIVE + """update(5);
        return charts.panels[0].graph.file_.map(row => row[1]).slice(-4).join();""", "100,100,100,100"),
    ("a gap is not a zero, and the value after it covers it", "page", LIVE + """update(4); update(5);
        return [measure(p0(3)).raw, valueAt(p0(3), 8), valueAt(p0(3), 9)].join(" ");""", "160  40"),
    ("what took turns has a mark everywhere, and a line says why", "page#map=noc_injects_p0", LIVE + """
        update(4, { shares: recording.counters.map(c => c.place === 2 ? .5 : 1) });
        const row = tile => document.querySelector(`tr[data-key="espmon/noc_injects_p0,tile=${tile}/"]`).textContent;
        return [/~120/.test(row(2)), /~/.test(row(1)), /~/.test(document.querySelector('[data-place="2"] span').textContent),
            /estimates.* 50 %.*-e/.test(byId("limits").textContent)].join(" ");""", "true false true true"),
    ("a device that did not answer is named, in red", "page", LIVE + """update(4, { problem: "espmon: silent" });
        return byId("warning").hidden + " " + byId("warning").textContent.startsWith("espmon: silent");""", "false true"),

    # ---- map
    # 200, 400, 500 and 400 of 800
    ("a map begins with the share in which devices waited; its scale is that of shares", "budget", """return map.event + " " +
        [...document.querySelectorAll("#map .cell span")].map(s => s.textContent).join() + " " + byId("scale").textContent;""",
     "waiting, share of its cycles 25 %,50 %,62.5 %,50 % 0100 %"),
    # 800 flits of tile 3 in 100 ms; a metric goes to its largest possible value
    # tile 0 waits in 7.2 of 800 cycles, 0.9 %
    ("a share's colour is that of the share, not of the largest here", "budget", """const [, waiting] = recording.budgets[0].parts;
        waiting.cycles = 7.2; recording.budgets.splice(1); recording.budgets[0].place = 0; drawMap();
        const { style } = document.querySelector('[data-place="0"]'), colour = share => { style.background = heatColour(share);
            return style.background; };
        const seen = style.background;
        return [byId("scale").textContent, seen === colour(.009), seen === colour(1)].join(" ");""", "0100 % true false"),
    ("budgets of requests have a map, too", "budget", """recording.budgets.forEach(b => { b.unit = "requests"; b.title = "private L2";
            b.parts[1].kind = "missed"; }); startMap();
        return map.event + " " + document.querySelector('[data-place="2"] span').textContent;""",
     "private L2: missed, share of its requests 62.5 %"),
    ("a counter's scale ends at the largest value", "budget#map=noc_injects_p1", "return byId('scale').textContent;", "08 kflits/s, the largest here"),
    ("a metric's at the largest possible", "budget#map=twice", """return byId("scale").textContent + " " +
        document.querySelector('[data-place="1"] span').textContent;""", "0500 % 2 %"),
    ("a total is one", "budget#map=noc_injects_p1&measure=total", "return byId('scale').textContent;", "0800 flits, the largest here"),
    ("what is not known has no colour", "budget#map=noc_injects_p0", """recording.counters.forEach(c => { if (c.place === 1) c.bins.fill(null); });
        drawMap(); const cell = document.querySelector('[data-place="1"]');
        return [cell.className, cell.style.background, cell.textContent].join("|");""", "cell acc none||1 dev.0not known"),
    ("tiles are buttons", "page#map=noc_injects_p0", """const cell = document.querySelector('[data-place="2"]');
        cell.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
        return cell.tabIndex + " " + cell.getAttribute("role") + " " + charts.chosen.some(s => s.key === "espmon/noc_injects_p0,tile=2/");""",
     "0 button true"),

    # ---- tables: p1 of tile 3 counted most, 800; p0 of tile 0 least, 100
    ("the table is by device, the one that counted most first", "budget",
     "return [...byId('totals').tBodies[0].rows].slice(0, 3).map(r => r.dataset.key).join();",
     "espmon/noc_injects_p1,tile=3/,espmon/noc_injects_p0,tile=3/,espmon/noc_injects_p1,tile=2/"),
    ("a long one begins short", "mesh", """const rows = () => byId("totals").tBodies[0].rows.length, few = rows();
        byId("all-rows").click(); return few + " " + rows();""", "40 1285"),
    ("tables sort by a click", "budget", """const table = byId("totals"), heads = table.tHead.rows[0].cells;
        const first = () => table.tBodies[0].rows[0].dataset.raw, sort = () => heads[2].querySelector("button").click();
        sort();
        const most = first();
        sort();
        setRange(0, 50);
        return most + " " + first() + " " + heads[2].getAttribute("aria-sort");""", "800 50 ascending"),
    # dev.0 ran from 20 to 30 ms; dev.1 to 40 ms and from 50 to 100 ms
    ("runs have a table, of the chosen time", "budget", """const rows = () => [...document.querySelectorAll("#runs tbody tr")].map(row =>
            [...row.cells].slice(0, 4).map(cell => cell.textContent).join(" ")).join("; ");
        const all = rows();
        setRange(0, 10);
        return all + " | " + rows();""",
     "dev.1 tester 2 90 ms; dev.0 tester: full, 8 bytes 1 10 ms | dev.1 tester 1 40 ms"),
    ("the head says where and when it was recorded", "page", """const [machine, date] = byId("summary").textContent.split(" \u00b7 ");
        return machine + " " + (date === new Date(1700000000000).toLocaleString("en"));""", "desk: Linux 6.1.0 x86_64 true"),
    # 101 samples from 0 to 100 ms, two of them monctl's own; from 0 to 40 and from 50 to 100 of 100 ms a device ran
    ("the head says the rate that was reached, and in which part of the time devices ran", "page",
     "return byId('summary').textContent.match(/3 runs.*guest|99 samples.*/g).join();",
     "3 runs in 90 % of 100 ms of the guest,99 samples, one every 1.01 ms (asked: 1 ms)"),
    ("numbers have one sensible unit", "page", """return [[1800, "MB/s"], [.5, "MB"], [1234567, "flits/s"], [999.7, "x"], [38.61, "%"],
        [1500, "%"], [0, "words"], [null, "words"]].map(([v, u]) => withUnit(v, u)).join("; ");""",
     "1.8 GB/s; 500 kB; 1.23 Mflits/s; 1 kx; 38.6 %; 1500 %; 0 words; not known"),

    # ---- the address
    ("the address has series, map and time", "page#series=espmon/noc_injects_p0/", """setMapEvent("espmon/noc_injects_p1"); zoomTo(.02, .03);
        return location.hash;""", "#series=espmon%2Fnoc_injects_p0%2F&map=noc_injects_p1&measure=average&from=0.02&to=0.03"),
    ("and brings them back", "page#series=espmon/noc_injects_p1/&map=noc_injects_p1&measure=peak&from=0.02&to=0.03",
     "return [charts.chosen.map(s => s.key), map.event, range.first + '-' + range.end, mapMeasure()].join(' ');",
     "espmon/noc_injects_p1/ espmon/noc_injects_p1 20-30 peak"),

    # ---- shapes, themes, paper. A4 without margins is 718 wide; printers leave out the background, so text is dark.
    *[(f"{name} is no wider than {width}", name, WIDTH, f"{width} {width}", width, 900)
      for name in ("page", "budget", "mesh", "loss") for width in (390, 1400)],
    # 2 * 2 * 16 * 15 links: those at the edges lead nowhere
    ("the mesh is in the order of the keyboard, with arrows", "mesh", """
        const cells = [...document.querySelectorAll("#map [role=button]")].map(c => c.getBoundingClientRect());
        return cells.length + " " + cells.every((c, i) => !i || c.top > cells[i - 1].top ||
            (c.top === cells[i - 1].top && c.left > cells[i - 1].left)) + " " + document.querySelectorAll(".link").length;""",
     "256 true 960"),
    *[(f"print, {theme}: nothing is cut, heads are there, text is dark", f"mesh#theme={theme}", """
        const all = query => [...document.querySelectorAll(query)];
        return [document.documentElement.scrollWidth <= 718, all("#map").every(box => box.scrollWidth <= 718),
            all("#totals th, #runs th").every(th => th.innerText.trim() !== "" && th.offsetHeight > 0),
            getComputedStyle(document.body).color, all("#theme, #series, #all-time").every(part => part.offsetHeight === 0)].join(" ");""",
       "true true true rgb(26, 26, 26) true", 718, 900, "print") for theme in ("light", "dark")],
    *[(f"contrast, {theme}; computing, waiting and idle differ in grey", f"page#theme={theme}", CONTRAST, "true")
      for theme in ("light", "dark")],
    ("contrast of the map", "page", LUMINANCE + """
        const parts = text => text.startsWith("#") ? [...text.slice(1)].map(d => parseInt(d + d, 16)) : text.match(/\\d+/g).map(Number);
        return Array.from({ length: 101 }, (v, i) => i / 100).every(share =>
            ratio(luminance(parts(heatColour(share))), luminance(parts(heatTextColour(share)))) >= 4.5);""", "true"),

    # ---- links
    # (2000 - 200) / 2000; 900 cycles are too few; plane 3 is not known; (2800 - 700) / 2800 is more than (5000 - 1400) / 5000
    ("links are arrows", "links", "return [...document.querySelectorAll('.link')].map(l => l.className.slice(5) + ' ' + l.dataset.share).join();",
     "e 0.9000,w unknown NaN,s unknown NaN,n 0.7500"),
    ("links in words", "links", "return byId('links-note').textContent.split(';')[0];",
     "Most: link east of 0: plane 1 stalled in at least 90 % of the cycles with a flit"),
    ("estimates of flits make no stalls", "links", """recording.shares = recording.counters.map(() => .5); drawMap();
        return document.querySelectorAll(".link:not(.unknown)").length;""", "0"),

    # ---- a long recording: two minutes, a sample each 10 ms, 6 tiles; event 0 counts 1000 * (tile + 1) a sample, and tile 5 a
    # million more in the one that ends at 60 s. The page of all of it has bins of three samples, that of a second single ones.
    ("a page says what it leaves out", "single", "return byId('limits').textContent;",
     "A bin has 3 samples: shorter peaks are averages. monctl report --from and --to make a page of a part with each sample."),
    ("that of a part has each sample", "part", """const tile5 = recording.placed.find(s => s.name === "event_0" && s.place === 5);
        return [secondsText(binSeconds()), recording.bins, measure(tile5).raw, withUnit(Math.max(...recording.counters[5].bins), "")].join(" ");""",
     "10 ms 100 1600000 1.01 M"),
    ("and leaves nothing out", "part", "return byId('limits').hidden", "true"),
]


def make_pages():
    """Pages of the fixture and of a long recording."""
    data = made("tests/browser/write-recording")
    made("./monctl", "report", data, "-o", f"{DIR}/page.html")
    for name, change in (("budget", with_budget), ("mesh", with_mesh), ("loss", with_loss), ("links", with_links)):
        altered(name, change)
    made("tests/browser/write-hour", f"{DIR}/long", "12000", "3")
    made("./monctl", "report", f"{DIR}/long", "-o", f"{DIR}/single.html")
    made("./monctl", "report", f"{DIR}/long", "--from", "59.5", "--to", "60.5", "-o", f"{DIR}/part.html")
    os.unlink(data)


def main():
    """All checks; the last line is their summary."""
    if not shutil.which("chromium"):
        print("no chromium: install the package chromium")
        return 77
    failures = checks = 0
    browser = None
    try:
        make_pages()
        browser = Browser()

        def check(what, page, script, expected, width=1400, height=900, media="screen"):
            nonlocal failures, checks
            name, _, address = page.partition("#")
            browser.open(f"file://{DIR}/{name}.html#{address}", width, height, media)
            seen = browser.run(script)
            checks += 1
            if seen != expected or browser.errors:
                failures += 1
                print(f"not ok: {what}: expected '{expected}', got '{seen}'", *browser.errors)

        for row in CHECKS:
            check(*row)
    finally:
        if browser:
            browser.close()
        shutil.rmtree(DIR)
    print(f"{(checks - failures) * 100 // max(checks, 1)}%: Checks: {checks}, Failures: {failures}, Errors: 0")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
