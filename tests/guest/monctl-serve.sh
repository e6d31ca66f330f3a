#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --device espmon --device mrfld-visa --device upmem-rank --device hexagon-pmu --hexagon-dir examples/hexagon
#
# monctl serve under load: 20 clients and bad requests, while perf counts. Some seconds here; `make
# stress-serve` takes a minute and gives the metrics to Prometheus's own check.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
port=9091
# the alerts ask for what these presets count
$monctl serve -p budget -p memory -p noc --listen localhost --port $port --delay 0.2 2>"$dir/said" &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$dir"' EXIT
wait_until grep -q "at http://127.0.0.1:$port/" "$dir/said"

# ---- each query of the alerts finds its metrics
queries=${srcdir:-.}/tools/monctl/prometheus/alerts.yml
python3 - $port "$queries" >"$dir/missing" <<'END'
import re, sys, urllib.request

there = set(re.findall(r"^(\w+)\{", urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/metrics").read().decode(), re.M))
names = [name for path in sys.argv[2:] for name in re.findall(r"rate\((\w+)\[", open(path).read())]
print(len(names), *[name for name in names if name not in there])
END
is "queries of the alerts" "$(cat "$dir/missing")" "$(grep -o 'rate(' "$queries" | wc -l)"

memory()
{
	sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' /proc/$server/status
}

# clients SECONDS: "CLIENTS GOOD BAD OTHER": answers of status 200, refusals of bad requests, and
# others. A client continues for that time, and sends each of its requests at least once.
clients()
{
	python3 - $port "$1" <<'END'
import random, socket, sys, threading, time

port, seconds = int(sys.argv[1]), float(sys.argv[2])
head = b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
good = [b"GET /" + head, b"GET /metrics" + head, b"GET /data?after=0" + head, b"HEAD /" + head]
# requests, and permitted answers: a request that is not HTTP may get none
bad = [(b"GET /../../etc/passwd" + head, ("404",)),
       # a name of the outside that leads here: DNS rebinding
       (b"GET /data?after=0 HTTP/1.1\r\nHost: evil.example:9091\r\nConnection: close\r\n\r\n", ("421",)),
       (b"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello", ("405",)),
       (b"GET /data?after=-1" + head, ("400",)), (b"GET /data" + head, ("400",)),
       (b"GET /" + b"a" * 60000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", ("413", "414", "431", "")),
       (b"GET / HTTP/1.1\r\n" + b"X: " + b"b" * 60000 + b"\r\n\r\n", ("413", "431", "")),
       (b"\x16\x03\x01\x02\x00\x01\x00", ("400", "")), (b"\0" * 1000 + b"\r\n\r\n", ("400", "")),
       (b"NONSENSE\r\n\r\n", ("400", "")), (b"GET / HT", ("",))]
counts = {"good": 0, "bad": 0}
other = []
lock = threading.Lock()

def ask(request, whole):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as s:
        try:
            s.sendall(request)
            # the server would wait for the end of an incomplete request
            if b"Connection: close" not in request:
                s.shutdown(socket.SHUT_WR)
            answer = b""
            while True:
                part = s.recv(65536)
                answer += part
                if not part or (answer and not whole):
                    break
        # the server has ended it
        except OSError:
            return ""
    return answer[9:12].decode("latin-1") if answer.startswith(b"HTTP/1.1 ") else answer[:20].decode("latin-1")

def client(number):
    pick = random.Random(number)
    end = time.monotonic() + seconds
    todo = [(r, ("200",), "good") for r in good] + [(r, a, "bad") for r, a in bad]
    turn = 0
    while turn < len(todo) or time.monotonic() < end:
        request, allowed, kind = todo[(turn + number) % len(todo)]
        turn += 1
        status = ask(request, pick.random() < 0.9)
        with lock:
            if status in allowed:
                counts[kind] += 1
            # the limit of requests a second
            elif status != "429":
                other.append((request[:40], status))

threads = [threading.Thread(target=client, args=(n,)) for n in range(20)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(len(threads), counts["good"], counts["bad"], len(other), other[:3])
END
}

# the memory that the first clients need is not a leak
clients 1 >/dev/null
before=$(memory)
clients "${SERVE_SECONDS:-3}" >"$dir/clients" &
clients=$!
# 128 points: 1 word of the page table, 128 read, 128 written; ten times
perf stat -a -x, -o "$dir/perf" -e espmon/ddr_accesses/ -- \
	./examples/esp/esp-fft --log-len 7 --coherence none --repeat 10 >/dev/null
is "perf beside it" "$(sed -n 's/^\([0-9]*\),.*/\1/p' "$dir/perf")" 2570
wait $clients
read -r n good bad other what <"$dir/clients"
is "20 clients" "$n" 20
# each of them asks each of these at least once
holds "pages and metrics" "$good >= 20"
holds "refusals" "$bad >= 20"
is "no other answer" "$other $what" "0 []"
ok "it is still there" kill -0 $server
after=$(memory)
holds "memory is bounded: $before kB, then $after kB" "$after <= $before + 2048"
if [ -n "${SERVE_SECONDS-}" ]; then
	ok "Prometheus reads the metrics" bash -c "set -o pipefail
		python3 -c 'import urllib.request as u; print(u.urlopen(\"http://127.0.0.1:$port/metrics\").read().decode(), end=\"\")' |
		build/prometheus/usr/bin/promtool check metrics"
	echo "clients, good, bad, others: $(cat "$dir/clients"); $before kB, then $after kB" >&"${TEST_PROGRESS:-1}"
fi
# 40 clients that send a byte each second do not keep others out for longer than a request may take, 5 s
is "slow clients" "$(python3 - $port <<'END'
import socket, sys, time, urllib.request

slow = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(40)]
begin, answer = time.monotonic(), None
while not answer and time.monotonic() < begin + 60:
    for s in slow:
        try:
            s.send(b"G")
        except OSError:
            pass
    time.sleep(1)
    try:
        answer = urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/metrics", timeout=30).status
    except OSError:
        pass
print(answer)
END
)" 200
kill $server
wait $server
is "it ends well" $? 0
is "it said nothing else" "$(tail -n +2 "$dir/said")" ""
summary
