#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""perf's JSON: every event has the code of the hardware's documents (the tables in this folder), and
every event that a metric names is there."""
import csv
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
                   if row["v69"] in ("strong", "assumed")}
    mrfld = {row["event"].lower().replace("-", "_"): int(row["group"]) << 8 | int(row["counter"])
             for row in table("mrfld_visa")}
    mrfld["clock_counter"] = 0
    upmem = table("upmem")
    result = {
        ("espmon", "esp-2023"): {row["name"]: int(row["config"], 0) for row in table("espmon")},
        ("mrfld_visa", "mrfld-emulated"): mrfld,
        ("upmem", "upmem-v1A"): {row["event"].lower(): int(row["code"], 0) for row in upmem
                                 if row["bank_interface"] == "0"},
        ("upmem", "upmem-v1B"): {row["event"].lower(): int(row["code"], 0) for row in upmem},
    }
    for version, events in seen.items():
        result["hexagon", "hexagon-" + version] = events
    return result


def main():
    events, metrics = {}, []
    for pmu in ("espmon", "mrfld_visa", "upmem", "hexagon"):
        with open("events/perf/" + pmu + ".json", encoding="ascii") as file:
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

    for metric in metrics:
        codes = wanted[metric["Unit"], metric["Compat"]]
        for pmu, event in re.findall(r"([a-z_]+)@([^@]*)@", metric["MetricExpr"]):
            group = re.fullmatch(r"group\\=(\d+)\\,counter\\=(\d+)", event)
            if group:
                ok = int(group[1]) << 8 | int(group[2]) in codes.values()
            else:
                ok = event in codes
            if not ok or pmu != metric["Unit"]:
                fail(f"{metric['MetricName']}: {pmu}@{event}@ is no event of {metric['Compat']}")
    print(f"{sum(map(len, events.values()))} events, {len(metrics)} metrics, {failures} failures")
    sys.exit(1 if failures or not metrics else 0)


main()
