#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""perf's JSON: every event has the code of the hardware's documents (the tables in this folder), and a
metric is there for exactly those identifiers that have all events in it."""
import csv
import glob
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAIL:", text)


def table(name):
    with open(os.path.join(HERE, name + ".csv"), encoding="ascii") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def expected():
    """(PMU, identifier) -> event -> config"""
    hexagon = table("hexagon")
    seen = {version: {row["name"].lower(): int(row["id"], 0) for row in hexagon
                      if version in row["seen"].split(";")} for version in ("v65", "v73", "v79")}
    seen["v65"].update({row["name"].lower(): int(row["id"], 0) for row in table("hexagon_v65")})
    seen["v69"] = {row["name"].lower(): int(row["id"], 0) for row in hexagon
                   if row["v69"] in ("strong", "assumed", "article")}
    mrfld = {row["event"].lower().replace("-", "_"): int(row["group"]) << 8 | int(row["counter"])
             for row in table("mrfld_visa")}
    mrfld["clock_counter"] = 0
    upmem = table("upmem")
    esp = {row["name"]: int(row["config"], 0) for row in table("espmon")}
    # before March 2023 there was no counter of invocations; what comes behind the 59 is newer, too
    early = {name: code for name, code in esp.items() if name not in ("acc_invocations", "ddr_writes") and not 59 <= code < 0x80}
    year2023 = {name: code for name, code in esp.items() if code < 0x82}
    result = {
        ("espmon", "esp-2021"): {name: code for name, code in early.items() if code < 0x82},
        ("espmon", "esp-2023"): year2023,
        # memory on AXI: written words alone, under a name of their own
        ("espmon", "esp-2026"): {**{name: code for name, code in year2023.items() if name != "ddr_accesses"}, "ddr_writes": 0x88},
        # VESPA is of the early ones, and counts what leaves the network
        ("espmon", "vespa-2024"): early,
        ("mrfld_visa", "mrfld-emulated"): mrfld,
        ("upmem", "upmem-v1A"): {row["event"].lower(): int(row["code"], 0) for row in upmem
                                 if row["bank_interface"] == "0"},
        ("upmem", "upmem-v1B"): {row["event"].lower(): int(row["code"], 0) for row in upmem},
    }
    for version, events in seen.items():
        result["hexagon", "hexagon-" + version] = events
    return result


def missing_events(metric, codes):
    """Events of a metric that are not among the codes; Merrifield's are written by their numbers."""
    missing = []
    for pmu, event in re.findall(r"([a-z_]+)@([^@]*)@", metric["MetricExpr"]):
        group = re.fullmatch(r"group\\=(\d+)\\,counter\\=(\d+)", event)
        if group:
            ok = int(group[1]) << 8 | int(group[2]) in codes.values()
        else:
            ok = event in codes
        if not ok or pmu != metric["Unit"]:
            missing.append(f"{pmu}@{event}@")
    return missing


def main():
    events, metrics = {}, []
    for path in glob.glob("events/perf/*.json"):
        pmu = os.path.basename(path).removesuffix(".json")
        with open(path, encoding="ascii") as file:
            for entry in json.load(file):
                if entry["Unit"] != pmu or not entry["BriefDescription"]:
                    fail(f"{pmu}: {entry}")
                if "MetricName" in entry:
                    metrics.append(entry)
                    continue
                known = events.setdefault((pmu, entry["Compat"]), {})
                if entry["EventName"] in known:
                    fail(f"{pmu}: {entry['EventName']} twice")
                known[entry["EventName"]] = int(entry["ConfigCode"], 0)

    wanted = expected()
    if events.keys() != wanted.keys():
        fail(f"identifiers {sorted(events)} instead of {sorted(wanted)}")
    for key, codes in wanted.items():
        if events.get(key) != codes:
            have = events.get(key, {})
            names = [name for name in codes.keys() | have.keys() if codes.get(name) != have.get(name)]
            fail(f"{key}: {len(names)} events differ: {sorted(names)[:5]}")

    there = {(metric["MetricName"], metric["Compat"]) for metric in metrics}
    if len(there) != len(metrics):
        fail("metrics that are there twice")
    for metric in metrics:
        for (pmu, identifier), codes in wanted.items():
            missing = missing_events(metric, codes)
            if pmu == metric["Unit"] and \
                    ((metric["MetricName"], identifier) in there) == bool(missing):
                fail(f"{metric['MetricName']} for {identifier}, {missing or 'it has all events'}")
    # the one metric of espmon with invocations, and with all words of DRAM
    names = {name for name, identifier in there if identifier == "esp-2023"}
    for other in ("esp-2021", "esp-2026", "vespa-2024"):
        if {name for name, identifier in there if identifier == other} != \
                names - {"esp_words_per_invocation"}:
            fail("metrics of " + other)
    print(f"{sum(map(len, events.values()))} events, {len(metrics)} metrics, {failures} failures")
    sys.exit(1 if failures or not metrics else 0)


main()
