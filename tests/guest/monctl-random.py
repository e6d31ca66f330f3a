#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Random programs and sets of events: no rate is above its limit, and every budget adds up.

usage: monctl-random.py SYSTEM ROUNDS SEED, in a guest with that device. Each round runs a program under stat and record and
beside top, and looks at stat's lines and JSON, the screen of top, the page, the table and the totals for Prometheus. Limits
are those of the metric files, what a counter's unit says (no place has more cycles than its clock), and those of a system
whose places share one clock (WHOLE).
"""
import csv
import fnmatch
import glob
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

MONCTL = "./.libs/monctl" if os.path.exists("./.libs/monctl") else "./monctl"
# monctl and the PMU read counters one after the other
SKEW = 1.01
BYTES = {"MB": 1e6}
PREFIX = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
PRESETS = {
    "espmon": ["budget", "memory", "coherence", "noc", "links", "accelerators", "dma"],
    "mrfld_visa": ["budget", "memory", "coherence", "noc", "gfx", "display", "imaging", "fabric", "module0"],
    "upmem": ["budget", "memory", "dma", "pipeline"],
    "hexagon": ["budget", "caches", "pipeline", "threads", "packets"],
}
# The most that all places count together: in a cycle, and where a clock is none of the events' own, in a second. A cluster of
# a Hexagon core commits a packet a cycle, of at most four instructions, or has one reason not to. An engine of the emulated
# Merrifield sends at most 40 million requests a second (docs/mrfld-model.md), of at most 64 bytes; "MB" is in bytes. The fabric
# and DRAM have those of four engines; module 0 asks for nothing. Clocks are 400 MHz and, of the memory, 533 MHz.
WHOLE = {
    "hexagon": {"cycle": {"committed_pkt_any": 2, "committed_insts": 8, "*_pview_cycles": 2, "committed_pkt_?_thread_running": 2}},
    "mrfld_visa": {"s": {"*_reqs": 40e6, "*_readpartial": 40e6, "*_writepartial": 40e6, "*_read64b": 2560e6,
                         "*_write64b": 2560e6, "*_read32b": 1280e6, "*_write32b": 1280e6, "ddr_chan?_*32b": 4 * 2560e6,
                         "*_self_refresh": 533e6, "*clock*": 400e6, "mod0_[rw]*": 0},
                   "cycle": {"*clock*": 1}},
}
found = []
looked_at = {"budgets": 0, "budget lines": 0, "rates": 0, "rates of top": 0, "totals": 0, "bins": 0, "metrics": 0}


def programs(system, choice):
    """A random command."""
    if system == "espmon":
        fft = ["./examples/esp/esp-fft", "--log-len", str(choice.randint(3, 11)), "--repeat", str(choice.randint(1, 20)),
               "--acc", str(choice.randint(0, 2)), "--coherence", choice.choice(["none", "llc", "recall", "full"])]
        other = fft[:6] + [str(choice.randint(0, 2))] + fft[7:]
        walk = ["./examples/memwalk", "-p", choice.choice(["seq", "stride", "chase"]), "-b", choice.choice(["16K", "256K", "1M"])]
        return choice.choice([fft, walk, ["sh", "-c", " ".join(fft) + " & " + " ".join(other) + "; wait"]])
    if system == "upmem":
        known = sorted(glob.glob("tests/guest/upmem/known-*.dpu"))
        return choice.choice([
            ["./examples/upmem/reduction", "examples/upmem/reduction.dpu"],
            ["./tests/guest/upmem/known-host", choice.choice(known), str(choice.randint(1, 200)), str(choice.randint(1, 20)),
             str(choice.randint(0, 63))]])
    if system == "hexagon":
        names = [os.path.basename(n) for n in sorted(glob.glob("examples/hexagon/memory-*")) if "." not in n]
        return ["./hexagon-run", choice.choice(names + ["hand", "six-threads", "eight-threads", "dot", "fir"])]
    traffic = ["./examples/mrfld/mrfld-traffic", "-a", choice.choice(["gfx", "disp", "imaging", "lowspeedpf"]),
               "-o", choice.choice(["read", "write"]), "-s", choice.choice(["64", "32", "partial", "8", "4"]),
               "-b", str(choice.randint(1, 64)) + "K", "-r", str(choice.choice([1, 10, 100]))]
    return choice.choice([traffic, ["./tests/guest/mrfld/together", str(choice.randint(100, 2500)), str(choice.randint(1, 512) << 16)]])


def events(system, choice):
    """Random options: what is counted."""
    names = os.listdir(f"/sys/bus/event_source/devices/{system}/events")
    names = sorted(n for n in names if "." not in n)
    how = choice.randrange(4)
    if how == 0:
        return []
    if how == 3 and system in ONE_CLOCK:
        names = ONE_CLOCK[system](names, choice)
        return ["-e", ",".join(f"{system}/{n}/" for n in names)]
    options = ["--per-place"] if choice.random() < .4 else []
    if how == 1:
        return options + ["-p", choice.choice(PRESETS[system])]
    some = ",".join(f"{system}/{n}/" for n in choice.sample(names, min(len(names), choice.randint(1, 6 if how == 2 else 14))))
    return options + ["-e", some]


def clock_of_hexagon(names, choice):
    """The six counters of the clock, and two others."""
    clock = [n for n in names if re.fullmatch("cycles_[1-6]_thread_running", n)]
    return clock + choice.sample([n for n in names if n not in clock], 2)


def one_group(names, choice):
    """Events of one group of Merrifield's, which are counted at the same time."""
    groups = {}
    for name in names:
        terms = open(f"/sys/bus/event_source/devices/mrfld_visa/events/{name}").read()
        groups.setdefault(re.search(r"group=(\w+)|$", terms)[0], []).append(name)
    group = groups[choice.choice(sorted(groups))]
    return choice.sample(group, choice.randint(1, len(group)))


ONE_CLOCK = {"hexagon": clock_of_hexagon, "mrfld_visa": one_group}


def whole_limit(system, name, per):
    """The most that all places count of an event in a cycle or a second, or None."""
    # the last line that matches is the closest one
    return ([most for pattern, most in WHOLE.get(system, {}).get(per, {}).items() if fnmatch.fnmatch(name, pattern)] or [None])[-1]


def wrong(what, detail):
    found.append(what)
    print(f"  WRONG {what}: {detail}", flush=True)


def check_budgets(data, where):
    for budget in data.get("budgets") or []:
        looked_at["budgets"] += 1
        shares = [part["share"] for part in budget["parts"]]
        if any(s is None or s < 0 or s > 1 for s in shares) or abs(sum(shares) - 1) > 1e-4:
            wrong(f"{where}: budget of {budget['device']}", shares)


def check_rate(where, line, name, rate, limits):
    """RATE: number, prefix, unit, s or cycle. Nothing is above its limit; 5 % are for what is read one after the other."""
    number, prefix, unit, per = rate
    most = limits.get((name, per))
    if most is None:
        return 0
    if float(number) * PREFIX[prefix] > most * 1.05:
        wrong(f"{where}: rate of {name}", line)
    return 1


def check_lines(text, where):
    """Budgets add up to 100 %."""
    for line in re.sub(r"\n    +", " ", text).split("\n"):
        if re.search(r"[-#=.?]{20} ", line):
            looked_at["budget lines"] += 1
            # "<0.001 %" is not added: the others have it all
            parts = re.findall(r" (\d+\.\d+) %", re.sub(r" \([^)]*of these\)|; idle .*", "", line))
            if sum(round(1000 * float(p)) for p in parts) != 100000:
                wrong(f"{where}: a budget's line", line)


RATE = r"([\d.]+) ?([kMGT]?)([A-Za-z]*)/(s|cycle)"


def check_stat(text, limits):
    check_lines(text, "stat")
    for line in text.split("\n"):
        seen = re.search(rf"\w+/(\w+)[^/]*/ +{RATE}$", line)
        if seen:
            looked_at["rates"] += check_rate("stat", line, seen[1], seen.groups()[1:], limits)


def check_top(screen, limits):
    """The screen of top: all places of an event together."""
    check_lines(re.split(r"\nevent +all", screen)[0], "top")
    for line in screen.split("\n"):
        seen = re.match(rf"(\w+) +{RATE} ", line + " ")
        if seen:
            looked_at["rates of top"] += check_rate("top", line, seen[1], seen.groups()[1:], limits)


def form(terms, value):
    return sum(value[i] * by for i, by in terms)


def expanded(bins):
    """A page has a run of n zeros as -n."""
    return [one for n in bins for one in ([n] if n is None or n >= 0 else [0] * -n)]


def check_bins(data, index, clock, most, where):
    """What a page shows of a bin is below the limit, or the recording says that it is beyond it."""
    beyond = {tuple(pair) for pair in data["beyond"]}
    for b, count in enumerate(data["counters"][index]["bins"]):
        counts = [(data["counters"][i]["bins"][b], by) for i, by in clock]
        if count is None or (b, index) in beyond or any(n is None for n, _ in counts):
            continue
        cycles = sum(n * by for n, by in counts)
        looked_at["bins"] += 1
        if cycles > 0 and count > most * cycles * SKEW:
            wrong(f"{where}: bin {b} of {data['counters'][index]['event']}", f"{count} in {cycles} cycles")


def check_recording(system, data, where):
    """Returns the totals of the counters. Rates of all the time; metrics of all and of each bin."""
    for counter in data["counters"]:
        counter["bins"] = expanded(counter["bins"])
    totals = [sum(b for b in c["bins"] if b) for c in data["counters"]]
    for i, counter in enumerate(data["counters"]):
        event, pmu = data["events"][counter["event"]], data["pmus"][data["events"][counter["event"]]["pmu"]]
        if not pmu.get("clock") or not pmu["clock"]["has_rates"] or data["shares"][i] < .99:
            continue
        forms = {f["place"]: f["form"] for f in pmu["clock"]["forms"]}
        clock = forms.get(counter["place"], forms.get(-1))
        # of all places there are those of the place that has most
        cycles = form(clock, totals) if clock else max(form(f, totals) for f in forms.values())
        if clock and event.get("limit"):
            check_bins(data, i, clock, event["limit"] * (1 if counter["place"] >= 0 else max(event["places"], 1)), where)
        most = event.get("limit") if counter["place"] >= 0 else None
        if counter["place"] < 0 and pmu["name"] == system:
            most = whole_limit(system, event["name"], "cycle")
            per_second = whole_limit(system, event["name"], "s")
            if most is None and per_second is not None:
                most = per_second / pmu["clock_hz"] / BYTES.get(event["unit"], 1) / event["scale"]
        if most is None:
            continue
        looked_at["totals"] += 1
        if totals[i] > most * cycles * SKEW:
            wrong(f"{where}: {counter['event']} of place {counter['place']}", f"{totals[i]} in {cycles} cycles")
    for metric in data["metrics"]:
        low = -float("inf") if metric["low"] is None else metric["low"]
        high = float("inf") if metric["high"] is None else metric["high"]
        for value in metric["values"]:
            shown = [value["value"]] + (value.get("bins") or [])
            looked_at["metrics"] += value["value"] is not None
            bad = [v for v in shown if v is not None and not low - 1e-9 <= v <= high + 1e-9]
            if bad:
                wrong(f"{where}: metric {metric['name']}", bad[:3])
    check_budgets(data, where)
    return totals


def check_csv(path, data, totals):
    with open(path) as file:
        rows = csv.reader(file)
        names = next(rows)
        columns = [i for i, n in enumerate(names) if "/ [" in n]
        metrics = {i: m for i, n in enumerate(names) for m in data["metrics"] if re.match(re.escape(m["name"]) + r"\b", n)}
        sums = [0] * len(names)
        for row in rows:
            for i in columns:
                sums[i] += float(row[i] or 0)
            for i, m in metrics.items():
                if row[i] and m["high"] is not None and float(row[i]) > m["high"] * (1 + 1e-6):
                    wrong(f"table: metric {names[i]}", row[i])
    scaled = [t * data["events"][c["event"]]["scale"] for c, t in zip(data["counters"], totals)]
    for i, total in zip(columns, scaled):
        # "[3.2e-05 MB]": what one count is
        unit = re.search(r"\[([\d.e+-]+) ", names[i])
        sums[i] *= float(unit[1]) if unit else 1
        if abs(sums[i] - total) > max(1, 1e-5 * total):
            wrong(f"table: {names[i]}", f"{sums[i]}, the page has {total}")


def call(*args, **more):
    return subprocess.run([MONCTL, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **more)


def limits_of(system, data):
    """The most of an event in all places together, in a second and in a cycle."""
    limits = {}
    for event in data["events"].values():
        pmu = data["pmus"][event["pmu"]]
        most = whole_limit(system, event["name"], "cycle") if pmu["name"] == system else None
        if most is None and event.get("limit"):
            most = event["limit"] * max(event["places"], 1)
        per_second = whole_limit(system, event["name"], "s") if pmu["name"] == system else None
        if per_second is None and most is not None and pmu.get("clock_hz"):
            per_second = most * pmu["clock_hz"]
        limits[event["name"], "cycle"] = most
        limits[event["name"], "s"] = per_second
    return limits


def top_screen(folder, options, command):
    """What top shows after a second of the command, again and again."""
    tmux = ["tmux", "-u", "-S", folder + "/tmux"]
    run = " ".join(map(shlex.quote, command))
    with subprocess.Popen(["sh", "-c", f"while :; do {run}; done"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          start_new_session=True) as load:
        subprocess.run(tmux + ["new-session", "-d", "-x", "160", "-y", "200", "env", "LC_ALL=C.UTF-8", "TERM=screen",
                               "LD_LIBRARY_PATH=" + os.environ.get("LD_LIBRARY_PATH", ""), MONCTL, "top", "-d", "0.5", *options],
                       check=False)
        time.sleep(2)
        screen = subprocess.run(tmux + ["capture-pane", "-p"], stdout=subprocess.PIPE, text=True, check=False).stdout
        subprocess.run(tmux + ["kill-server"], check=False)
        os.killpg(load.pid, signal.SIGTERM)
    return screen


def one_round(system, choice, folder):
    command, options = programs(system, choice), events(system, choice)
    print(" ".join(options + ["--"] + command), flush=True)
    stat = call("stat", *options, "--", *command)
    known = call("stat", "-j", "-o", folder + "/stat", *options, "--", *command)
    text = open(folder + "/stat").read().strip() if os.path.exists(folder + "/stat") else ""
    if not text:
        print(f"  refused: {known.stderr.strip()[-200:]}")
        return False
    stat_data = json.loads(text.split("\n")[-1])
    check_budgets(stat_data, "stat -j")
    done = call("record", "-q", "-i", f"{choice.randint(5, 100)}ms", "-o", folder + "/data", *[o for o in options if o != "--per-place"],
                "--", *command)
    if not os.path.exists(folder + "/data"):
        print(f"  no recording: {done.stderr.strip()[:200]}")
        os.unlink(folder + "/stat")
        return False
    for kind in "json", "csv":
        if call("export", "--" + kind, "-o", folder + "/" + kind, folder + "/data").returncode:
            wrong("export", kind)
    call("report", "-o", folder + "/page.html", folder + "/data")
    page = re.search(r'<script id="recording" type="application/json">(.*?)</script>', open(folder + "/page.html").read(), re.S)
    data = json.load(open(folder + "/json"))
    totals = check_recording(system, data, "export --json")
    check_recording(system, json.loads(page[1]), "page")
    check_csv(folder + "/csv", data, totals)
    limits = limits_of(system, data)
    check_stat(stat.stderr, limits)
    check_top(top_screen(folder, [o for o in options if o != "--per-place"], command), limits)
    os.unlink(folder + "/data")
    os.unlink(folder + "/stat")
    return True


def main():
    system, rounds, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    looked = 0
    with tempfile.TemporaryDirectory() as folder:
        for n in range(rounds):
            looked += one_round(system, random.Random(seed * 1000003 + n), folder)
    print(f"{system}: {looked} of {rounds} rounds, {', '.join(f'{n} {what}' for what, n in looked_at.items())}: {len(found)} wrong")
    # ESP's clock goes on while nothing runs, so there are no rates by it
    return 1 if found or not (looked_at["budgets"] and (looked_at["rates of top"] or system == "espmon")) else 0


if __name__ == "__main__":
    sys.exit(main())
