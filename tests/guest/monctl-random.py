#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Random programs and sets of events: no rate is above its limit, and every budget adds up.

usage: monctl-random.py SYSTEM ROUNDS SEED, in a guest with that device. Each round runs a program under stat and record, and
looks at stat's lines and JSON, the page, the table and the totals for Prometheus. Limits are those of the metric files, and
what a counter's unit says: no place has more cycles than its clock.
"""
import csv
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

MONCTL = "./.libs/monctl" if os.path.exists("./.libs/monctl") else "./monctl"
# monctl and the PMU read counters one after the other
SKEW = 1.01
PREFIX = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
PRESETS = {
    "espmon": ["budget", "memory", "coherence", "noc", "links", "accelerators", "dma"],
    "mrfld_visa": ["budget", "memory", "coherence", "noc"],
    "upmem": ["budget", "memory", "dma", "pipeline"],
    "hexagon": ["budget", "pipeline", "threads", "packets"],
}
found = []
looked_at = {"budgets": 0, "budget lines": 0, "rates": 0, "totals": 0, "metrics": 0}


def programs(system, choice):
    """A random command."""
    if system == "espmon":
        fft = ["./examples/esp/esp-fft", "--log-len", str(choice.randint(3, 11)), "--repeat", str(choice.randint(1, 20)),
               "--acc", str(choice.randint(0, 2)), "--coherence", choice.choice(["none", "llc", "recall", "full"])]
        other = fft[:6] + [str(choice.randint(0, 2))] + fft[7:]
        return choice.choice([fft, ["sh", "-c", " ".join(fft) + " & " + " ".join(other) + "; wait"]])
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
    options = ["--per-place"] if choice.random() < .4 else []
    if how == 1:
        return options + ["-p", choice.choice(PRESETS[system])]
    some = ",".join(f"{system}/{n}/" for n in choice.sample(names, min(len(names), choice.randint(1, 6 if how == 2 else 14))))
    return options + ["-e", some]


def wrong(what, detail):
    found.append(what)
    print(f"  WRONG {what}: {detail}", flush=True)


def check_budgets(data, where):
    for budget in data.get("budgets") or []:
        looked_at["budgets"] += 1
        shares = [part["share"] for part in budget["parts"]]
        if any(s is None or s < 0 or s > 1 for s in shares) or abs(sum(shares) - 1) > 1e-4:
            wrong(f"{where}: budget of {budget['device']}", shares)


def check_text(text, limits):
    """Lines of stat: budgets add up to 100.0 %, rates are within limits."""
    for line in re.sub(r"\n    +", " ", text).split("\n"):
        if re.search(r"[#=.?]{20} ", line):
            looked_at["budget lines"] += 1
            parts = re.findall(r" (\d+\.\d) %", re.sub(r" \([^)]*\d %\)", "", line))
            if sum(round(10 * float(p)) for p in parts) != 1000:
                wrong("stat: a budget's line", line)
        seen = re.search(r"(\w+)/(\w+)[^/]*/ +([\d.]+) ?([kMGT]?)(\w*)/(s|cycle)$", line)
        if seen and seen[2] in limits:
            looked_at["rates"] += 1
            most = limits[seen[2]][0 if seen[6] == "s" else 1]
            if float(seen[3]) * PREFIX[seen[4]] > most * 1.05:
                wrong(f"stat: rate of {seen[2]}", line)


def form(terms, value):
    return sum(value[i] * by for i, by in terms)


def check_recording(data, where):
    """Returns the totals of the counters. Rates of all the time; metrics of all and of each bin."""
    totals = [sum(b for b in c["bins"] if b) for c in data["counters"]]
    for i, counter in enumerate(data["counters"]):
        event, pmu = data["events"][counter["event"]], data["pmus"][data["events"][counter["event"]]["pmu"]]
        if not pmu.get("clock") or not event.get("limit") or counter["place"] < 0 or data["shares"][i] < .99:
            continue
        forms = {f["place"]: f["form"] for f in pmu["clock"]["forms"]}
        cycles = form(forms.get(counter["place"], forms[-1]), totals)
        looked_at["totals"] += 1
        if totals[i] > event["limit"] * cycles * SKEW:
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


def check_openmetrics(path, data, totals):
    last, before = {}, {}
    with open(path) as file:
        for line in file:
            seen = re.match(r"(\w+_total\{[^}]*\}) ([\d.e+]+) ", line)
            if seen:
                if float(seen[2]) < before.get(seen[1], 0):
                    wrong("Prometheus: a total goes back", line)
                before[seen[1]] = last[seen[1]] = float(seen[2])
    # Prometheus has bytes
    by = {"MB": 1e6}
    want = sorted(t * e["scale"] * by.get(e["unit"], 1) for e, t in zip((data["events"][c["event"]] for c in data["counters"]), totals))
    have = sorted(last.values())
    if len(have) == len(want) and any(abs(a - b) > max(1, 1e-5 * b) for a, b in zip(have, want)):
        wrong("Prometheus: totals", [(a, b) for a, b in zip(have, want) if abs(a - b) > max(1, 1e-5 * b)][:3])


def call(*args, **more):
    return subprocess.run([MONCTL, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **more)


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
    for kind in "json", "csv", "openmetrics":
        if call("export", "--" + kind, "-o", folder + "/" + kind, folder + "/data").returncode:
            wrong("export", kind)
    call("report", "-o", folder + "/page.html", folder + "/data")
    page = re.search(r'<script id="recording" type="application/json">(.*?)</script>', open(folder + "/page.html").read(), re.S)
    data = json.load(open(folder + "/json"))
    totals = check_recording(data, "export --json")
    check_recording(json.loads(page[1]), "page")
    check_csv(folder + "/csv", data, totals)
    check_openmetrics(folder + "/openmetrics", data, totals)
    limits = {}
    for event in data["events"].values():
        pmu = data["pmus"][event["pmu"]]
        if event.get("limit"):
            # a line without --per-place is of all places
            most = event["limit"] * max(event["places"], 1)
            limits[event["name"]] = (most * (pmu.get("clock_hz") or float("inf")), most)
    check_text(stat.stderr, limits)
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
    return 1 if found or not looked_at["budgets"] else 0


if __name__ == "__main__":
    sys.exit(main())
