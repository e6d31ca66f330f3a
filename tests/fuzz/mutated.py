#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""mutated.py COUNT: runs the tools of the build tree on COUNT mutated inputs, the same ones each time. A tool may accept an
input or refuse it with a message. It must not die by a signal, hang, print a traceback or a sanitizer's report."""
import concurrent.futures
import glob
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

SRC = os.environ.get("srcdir", ".")
SECONDS = 60
REPORT = re.compile(rb"AddressSanitizer|LeakSanitizer|runtime error:|Traceback \(most recent call last\)")
# an accelerator's module need not be there: its description is read first
ACC = "mon-esp-acc"

# name, command with {} for the input, inputs to begin with, share of all
TOOLS = [
    ("mon-socgen", ["./mon-socgen", "--dts", "{}"], "tests/designs/*.esp_config", 4),
    ("dpu-objdump", ["./dpu-objdump", "{}"], "examples/upmem/*.dpu dpu/tests/corpus/upmem-elf/*", 4),
    ("dpu-objdump --symbols", ["./dpu-objdump", "--symbols", "{}"], "examples/upmem/*.dpu", 2),
    ("dpu-run", ["./dpu-run", "--limit", "100000", "{}"], "examples/upmem/*.dpu dpu/tests/corpus/upmem-elf/*", 4),
    ("dpu-as", ["./dpu-as", "-g", "-o", "{}.out", "{}"], "examples/upmem/*.s", 2),
    ("monctl report", ["./monctl", "report", "-o", "{}.html", "{}"], "RECORDING", 2),
    ("monctl export --csv", ["./monctl", "export", "--csv", "{}"], "RECORDING", 1),
    ("monctl export --perfetto", ["./monctl", "export", "--perfetto", "-o", "{}.out", "{}"], "RECORDING", 1),
    ("monctl diff", ["./monctl", "diff", "{}", "{}"], "RECORDING", 1),
    (ACC, [sys.executable, "MON_ESP_ACC", "systemc", "--xml", "{}", "-o", "{}.out", "nowhere/x.cpp"],
     "examples/esp/accelerators/*.xml", 1),
]
WORDS = [b"-1", b"0", b"4294967296", b"99999999999999999999", b"\xff\xfe", b"\x1b[31m", b"%s%n", b"\0", b"abc", b""]


def mutate(data, pick):
    """One to eight changes."""
    data = bytearray(data)
    for _ in range(pick.choice((1, 1, 2, 4, 8))):
        at = pick.randrange(len(data) + 1)
        kind = pick.randrange(7)
        if kind == 0:
            del data[at:]
        elif kind == 1:
            data[at:at + pick.choice((1, 2, 4, 8))] = pick.randbytes(pick.choice((1, 2, 4, 8)))
        elif kind == 2:
            data[at:at] = data[at:at + pick.randrange(1, 200)]
        elif kind == 3:
            del data[at:at + pick.randrange(1, 64)]
        elif kind == 4 and at < len(data):
            data[at] ^= 1 << pick.randrange(8)
        elif kind == 5:
            numbers = list(re.finditer(rb"\d+", data))
            if numbers:
                number = pick.choice(numbers)
                data[number.start():number.end()] = pick.choice(WORDS)
        else:
            data[at:at] = pick.choice(WORDS)
    return bytes(data)


def unsealed(recording):
    """The same without checksums (PERFDATA_SUMS), as monctl 0.1 wrote it: else a changed byte would go no further than them."""
    features = 8 + 8 + 8 + 3 * 16   # struct perfdata_header
    word = features + 202 // 64 * 8
    old = struct.unpack_from("=Q", recording, word)[0]
    return recording[:word] + struct.pack("=Q", old & ~(1 << 202 % 64)) + recording[word + 8:]


def try_one(number, folder, tools):
    pick = random.Random(number)
    name, command, inputs, _ = tools[pick.choices(range(len(tools)), [share for *_, share in tools])[0]]
    path = os.path.join(folder, str(number))
    with open(path, "wb") as f:
        f.write(mutate(pick.choice(inputs), pick))
    words = [word.replace("{}", path) for word in command]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
        problem = None
        if done.returncode < 0 or REPORT.search(done.stderr):
            problem = f"status {done.returncode}: {done.stderr[-2000:].decode(errors='replace')}"
        elif done.returncode and not done.stderr.strip():
            problem = f"status {done.returncode} without a message"
        kind = "accepted" if done.returncode == 0 else "refused"
    except subprocess.TimeoutExpired:
        problem, kind = f"hangs for {SECONDS} s", "refused"
    if problem:
        print(f"mutated: input {number}: {name}: {problem}", flush=True)
    for end in ("", ".out", ".html", ".dot"):
        if not problem and os.path.exists(path + end):
            os.remove(path + end)
    return name, kind, problem


def main():
    count = int(sys.argv[1])
    recording = subprocess.check_output(["tests/browser/write-recording"], text=True).strip()
    tools, sums = [], {}
    for name, command, patterns, share in TOOLS:
        paths = [recording] if patterns == "RECORDING" else sorted(
            path for pattern in patterns.split() for top in {".", SRC} for path in glob.glob(os.path.join(top, pattern)))
        if not paths:
            sys.exit(f"mutated: {name}: no inputs in {patterns}: run make")
        inputs = []
        for path in paths:
            with open(path, "rb") as f:
                inputs.append(f.read())
        if patterns == "RECORDING":
            inputs.append(unsealed(inputs[0]))
        command = [glob.glob(f"{SRC}/tools/**/mon-esp-acc", recursive=True)[-1] if word == "MON_ESP_ACC" else word
                   for word in command]
        tools.append((name, command, inputs, share))
    os.remove(recording)
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, kind, problem in pool.map(lambda n: try_one(n, folder, tools), range(count)):
            row = sums.setdefault(name, {"accepted": 0, "refused": 0, "problems": 0})
            row[kind] += 1
            row["problems"] += bool(problem)
    for name in sorted(sums):
        print(f"mutated: {name}: " + ", ".join(f"{n} {kind}" for kind, n in sums[name].items()))
    bad = sum(row["problems"] for row in sums.values())
    print(f"mutated: {count} inputs, {bad} problems")
    sys.exit(bad != 0)


main()
