#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# hexagon-run --host: the same counts as in a guest (derived in tests/unit/hexagon/test-programs.c),
# and no metric outside its range, for any program and any events.
. "${srcdir:-.}/tests/guest/lib.sh"

[ -x examples/hexagon/hand ] || skip "the Hexagon programs were not built: install clang and lld"
command -v bwrap >/dev/null || skip "no bubblewrap"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# count EVENTS PROGRAM [OPTION...]: the counts in one line
count()
{
	local events=$1 program=$2

	shift 2
	./hexagon-run --counters "$events" "$@" "examples/hexagon/$program" 2>&1 >/dev/null |
		awk '$1 ~ /^[0-9]+$/ { printf "%s ", $1 }'
}

is "hand" "$(count committed_pkt_any,hexagon/committed_insts/,committed_pkt_endloop,cycles_1_thread_running \
	hand)" "36 61 9 108 "
is "its memory" "$(count icache_access,dcache_demand_miss,hvxst_l2 hand)" "3 1 2 "
is "a chain of pointers" "$(count committed_pkt_any,dcache_demand_miss,l2_du_read_miss,cycles_1_thread_running \
	memory-chain --stalls)" "2069 1034 513 $((3 * 2069 + 4 + 300 + 513 * 150 + 521 * 12)) "
is "the table" "$(./hexagon-run --stalls --metrics examples/hexagon/memory-stream 2>&1 |
	awk '$2 == "pcpp" || $2 == "packet_density" { printf "%s ", $1 }')" \
	"$(awk 'BEGIN { printf "%.3f %.3f ", (3 * 8209 + 4 + 150 + 1024 * 150 + 3072 * 12) / 8209, 12305 / 8209 }')"
is "V65" "$(count committed_pkt_any,cycles_1_thread_running hand --core 65)" "36 72 "
# memory.S and test-programs.c have the derivation; hexagon-host must find these instructions in the
# file
is "prefetches" "$(count dcfetch_hit,dcfetch_miss,dcache_demand_miss,l2_du_prefetch_miss memory-ahead)" "512 512 8 256 "
is "prefetches into the L2" "$(count l2fetch_command,l2fetch_access,l2fetch_miss,l2_du_read_miss memory-l2fetch)" \
	"4 146 73 0 "
is "output and status" "$(./hexagon-run --host examples/hexagon/dot)" "dot product: 18432000"

# fails_with STATUS TEXT ARG...
fails_with()
{
	local status=$1 text=$2

	shift 2
	./hexagon-run "$@" >"$tmp/out" 2>&1
	is "$* ends with" $? "$status"
	like "$* says" "$(cat "$tmp/out")" "$text"
}
fails_with 125 'nosuch: No such file' --host examples/hexagon/nosuch
fails_with 125 'not a Hexagon program' --host /bin/true
head -c 200 examples/hexagon/hand >"$tmp/cut"
chmod +x "$tmp/cut"
fails_with 125 'cut: damaged: it ends before' --host "$tmp/cut"
fails_with 125 'not an event that the core counts: .*--list; events of stalls need --stalls' --counters redirect_pview_cycles examples/hexagon/hand
fails_with 125 'not an event that the core counts: see hexagon-run --list$' --stalls --counters itlb_miss examples/hexagon/hand
is "the matrix unit that is not there" "$(count hmx_pkt_thread hand)" "0 "
fails_with 125 'are known' --host --core 70 examples/hexagon/hand
./hexagon-run --metrics examples/hexagon/crash >"$tmp/out" 2>&1
is "a crash" $? 139
like "its signal" "$(cat "$tmp/out")" "crash: ended with status 139, as signal 11 does"
fails_with 124 'endless: ended after 1 s: raise --timeout' --host --timeout 1 examples/hexagon/endless
fails_with 125 'give a number of seconds' --host --timeout soon examples/hexagon/hand
# An emulator of its own, in a folder whose name a shell would split, and run a part of. Debian 13's has these.
odd="$tmp/a b \$(touch $tmp/ran)"
mkdir -p "$odd/qemu"
cp -r hexagon-run "$odd"
cp -rL qemu/hexagon "$odd/qemu"
[ -x "$odd/qemu/hexagon/qemu-hexagon" ] || cp "$(command -v qemu-hexagon)" "$odd/qemu/hexagon/" 2>/dev/null
is "in a folder of any name" "$("$odd/hexagon-run" --host examples/hexagon/dot 2>&1)" "dot product: 18432000"
ok "no part of the name is run" test ! -e "$tmp/ran"
is "a program that fails gives no table" "$(grep -c pcpp "$tmp/out")" 0

# ---- profiles: the line of memory.S's chain, as derived in test-programs.c, and sums that are the events'
source=${srcdir:-.}/examples/hexagon/memory.S
# line_of TEXT N: of the N-th line of memory.S with that text
line_of()
{
	grep -n -F "$1" "$source" | sed -n "$2s/:.*//p"
}
# own: the profile without the lines of what calls cost
own()
{
	awk '/^calls=/ { getline; next } { print }' "$tmp/profile"
}
# costs LINE: of the profile
costs()
{
	own | awk -v line="$1" '$1 ~ /^0x/ && $2 == line { $1 = $2 = ""; print substr($0, 3) }'
}
./hexagon-run --stalls --profile "$tmp/profile" examples/hexagon/memory-chain
# two rounds of 1025 loads: packets, cycles, stalls for instructions, data, vectors and branches, those shown, misses
is "the chain's loads" "$(costs "$(line_of '{ r9 = memw(r9+#0) }:endloop0' 1)")" \
	"2050 $((3 * 2050 + 513 * 150 + 521 * 12)) 0 $((513 * 150 + 521 * 12)) 0 0 $((513 * 150 + 521 * 12)) 0 1034 513"
is "the branch back" "$(costs "$(line_of '{ if (!p0) jump .Lround }' 1)")" "2 $((3 * 2 + 4)) 0 0 0 4 4 0 0 0"
is "the first packet" "$(costs "$(line_of '{ r11 = #2 }' 1)")" "1 153 150 0 0 0 150 1 0 1"
./hexagon-run --profile "$tmp/profile" examples/hexagon/memory-chain
is "without stalls" "$(costs "$(line_of '{ r9 = memw(r9+#0) }:endloop0' 1)")" "2050 6150 0 1034 513"
events=committed_pkt_any,icache_demand_miss,dcache_demand_miss,l2_iu_miss,l2_du_read_miss
for program in fir memory-code memory-sets-9 six-threads; do
	read -r -a counts <<<"$(count $events $program --stalls --profile "$tmp/profile")"
	is "$program: the profile's sums are the events" \
		"$(own | awk '$1 ~ /^0x/ { p += $3; i += $10; d += $11; l += $12; wait += $5 + $6 + $7 + $8; c += $4 }
			END { print p, i, d, l, c - 3 * p - wait }')" \
		"${counts[0]} ${counts[1]} ${counts[2]} $((counts[3] + counts[4])) 0"
done
# a child's loads, each of which waits for memory; main hides all of that
source=${srcdir:-.}/examples/hexagon/uneven.S
./hexagon-run --stalls --profile "$tmp/profile" examples/hexagon/uneven-hides
is "waits that another thread hides" "$(costs "$(line_of 'r17 = add(r17,#STRIDE) }:endloop0' 1)")" "1000 153000 0 150000 0 0 0 0 1000 1000"
./hexagon-run --stalls --profile "$tmp/profile" examples/hexagon/six-threads
# five times four packets, two that parent and child both execute, and two of the child
is "by function" "$(own | awk '/^fn=/ { f = $0 } $1 ~ /^0x/ { n[f] += $3 } END { print (n["fn=work"] > 10000000),
	n["fn=start_thread"] }')" "1 $((5 * (4 + 2 * 2 + 2)))"
# calls.S: who calls whom, how often, and the packets of that
calls="_start f 3 30
_start r 1 20
f g 3 9
f g 3 9
r r 3 15"
for stalls in --host --stalls; do
	./hexagon-run "$stalls" --profile "$tmp/profile" examples/hexagon/calls
	is "calls, $stalls" "$(awk '/^fn=/ { f = substr($0, 4) } /^cfn=/ { to = substr($0, 5) }
		/^calls=/ { n = substr($1, 7); getline; print f, to, n, $3 }' "$tmp/profile" | sort)" "$calls"
	is "and the packets of all, $stalls" "$(own | awk '$1 ~ /^0x/ { n += $3 } END { print n }')" 67
done
./hexagon-run --stalls --profile "$tmp/profile" examples/hexagon/six-threads
# conflict.c, as docs/hexagon.md reads it: nine lines of one set, 500 times, first from memory; main hides the waits of first()
./hexagon-run --stalls --profile "$tmp/profile" examples/hexagon/conflict >/dev/null
# costs_of FUNCTION: data waits, misses of the L1D, waits for data and code that are shown beside those for data
costs_of()
{
	own | awk -v name="fn=$1" '/^fn=/ { is = $0 == name } is && $1 ~ /^0x/ { wait += $6; miss += $11; shown += $9; code += $5 }
		END { print wait, miss, shown - code }'
}
is "a conflict that shows" "$(costs_of second)" "$((9 * 150 + (4500 - 9) * 12)) 4500 $((9 * 150 + (4500 - 9) * 12))"
is "one that another thread hides" "$(costs_of first | awk '{ print $1, $2, $3 <= 0 }')" "$((9 * 150 + (4500 - 9) * 12)) 4500 1"
./hexagon-run --stalls --profile "$tmp/profile" examples/hexagon/six-threads
if command -v callgrind_annotate >/dev/null; then
	like "for callgrind_annotate" "$(callgrind_annotate "$tmp/profile")" 'six-threads.c:work'
fi
# parts: packets of each thread are its count, and all columns and calls add up to those of the whole
./hexagon-run --stalls --threads --counters committed_pkt_any --profile "$tmp/parts" examples/hexagon/six-threads >/dev/null 2>"$tmp/err"
is "a part for each thread" "$(awk '/^thread:/ { thread = $2 } /^calls=/ { getline; next }
	$1 ~ /^0x/ { n[thread] += $3 } END { for (i = 0; i < 6; i++) print i, n[i] }' "$tmp/parts")" \
	"$(awk '$2 == "software" { print $4, $1 }' "$tmp/err")"
is "parts have numbers and the names of columns" "$(grep -cE '^part: [1-6]$|^events: Packets Cycles .* L2miss$' "$tmp/parts")" 12
sums()
{
	awk '/^calls=/ { called = 1; n += substr($1, 7); next }
		$1 ~ /^0x/ || /^totals:/ { for (i = 3 - /^totals/; i <= NF; i++) sum[/^totals/ ? "t" : called + 0, i + /^totals/] += $i; called = 0 }
		END { printf "%d", n; for (k = 0; k < 3; k++) for (i = 3; i < 13; i++) printf " %d", sum[k < 2 ? k : "t", i] }' "$1"
}
is "parts are the whole" "$(sums "$tmp/parts")" "$(sums "$tmp/profile")"
is "--threads without a list" "$(./hexagon-run --host --threads examples/hexagon/hand 2>&1 | head -n 1)" \
	"hexagon-run: --threads needs --counters or --profile"
fails_with 125 'No such file' --profile "$tmp/no/file" examples/hexagon/hand

# ---- threads: 8 on 6, those of the core and those of the program
is "by hardware and by software thread" "$(./hexagon-run --quantum 5000 --threads --counters committed_pkt_any \
	examples/hexagon/eight-threads 2>&1 >/dev/null | awk 'NF == 2 { total = $1 } $2 == "hardware" { h += $1; n++ }
		$2 == "software" { s += $1; m++ } END { print n, m, h == total, s == total }')" "6 8 1 1"
is "more than 64 events, in capitals, too" "$(./hexagon-run --counters "$(./hexagon-run --list | awk -F'\t' \
	'$2 == "yes" { print toupper($1) }' | paste -s -d ,),$(./hexagon-run --list | awk -F'\t' '$2 == "yes" { print $1 }' |
	paste -s -d ,)" examples/hexagon/hand 2>&1 | awk 'NF == 2 { n[tolower($2)]++; v[tolower($2)] = $1 }
	END { for (name in n) bad += n[name] != 2; print bad + 0, v["committed_insts"] }')" "0 61"
like "the signal that ended a program" "$(./hexagon-run --host examples/hexagon/crash 2>&1)" 'as signal 11 does'
# ---- what a program asks while it runs; clock.S, inside.S and test-programs.c have the derivation
numbers()
{
	./hexagon-run "$@" 2>"$tmp/err" | od -An -tu4 | tr -s ' '
}
is "UPCYCLE, PKTCOUNT, UTIMER" "$(numbers --host examples/hexagon/clock)" " 312 104 4"
is "its own counters, and PCYCLE" "$(numbers --marks "$tmp/marks" examples/hexagon/inside)" " 120 229 414"
is "and no word" "$(cat "$tmp/err")" ""
# 18 packets to the mark, 108 more to the second
is "phases on the core's clock" "$(python3 -c 'import json, sys
for e in json.load(open(sys.argv[1]))["traceEvents"]:
	print(e["ph"], e["tid"], e["args"]["cycle"], e["name"], round(e["ts"] * 1400) == e["args"]["cycle"])' "$tmp/marks")" \
	'B 0 54 hot "loop" True
E 0 378 hot "loop" True'
fails_with 125 'No such file' --marks "$tmp/no/file" examples/hexagon/inside
numbers --host examples/hexagon/inside-caches >/dev/null
like "an event that this run does not count" "$(cat "$tmp/err")" 'selects icache_demand_miss, .*--counters icache_demand_miss'
is "the emulated one" "$(numbers --counters icache_demand_miss examples/hexagon/inside-caches | cut -d' ' -f2)" 120
is "is counted" "$(grep -c selects "$tmp/err")" 0
fails_with 125 'counters that only the system may read .*qurt_pmu_get' --host examples/hexagon/privileged

like "counts that may not repeat" "$(./hexagon-run --host examples/hexagon/uneven-forks 2>&1)" 'counts may differ from run to run'
is "and others" "$(./hexagon-run --host examples/hexagon/uneven-cut 2>&1)" ""
fails_with 125 'quantum=0' --quantum 0 --host examples/hexagon/hand

like "threads that spin" "$(./hexagon-run --metrics examples/hexagon/uneven-spins 2>&1)" \
	'Threads spun: [1-9][0-9]* packets .* of loops that wait for another thread'
is "and others" "$(for program in six-threads eight-threads uneven-hides dot; do
	./hexagon-run --metrics "examples/hexagon/$program" 2>&1 | grep spun; done)" ""

# ---- ten repetitions give the same table
for program in hand memory-stream memory-chain memory-vectors memory-stores memory-zero memory-code memory-branches \
	memory-ahead eight-threads uneven-cut; do
	is "ten tables of $program" "$(for _ in 1 2 3 4 5 6 7 8 9 10; do
		./hexagon-run --stalls --metrics "examples/hexagon/$program" 2>&1 | md5sum
	done | sort -u | wc -l)" 1
done

# ---- the table of all events
table=$(./hexagon-run --list)
counted=$(grep -c $'\tyes\t' <<<"$table")
like "the document has the number of events that are counted" "$(cat "${srcdir:-.}/docs/hexagon-model.md")" \
	"Of the $(wc -l <<<"$table") events of V69 $counted are counted, $(./hexagon-run --list --stalls | grep -c $'\tyes\t') with"
is "each line says how or why not" "$(awk -F'\t' 'NF != 3 || $3 == ""' <<<"$table")" ""
is "the catalogue's events of V69, each once" "$(cut -f1 <<<"$table" | sort | uniq -d | wc -l) \
$(wc -l <<<"$table")" "0 $(grep -c '^MON_EVENT(.*HEXAGON_V69' "${srcdir:-.}/events/hexagon/events.def")"
like "stalls are off" "$table" $'du_cache_miss_pview_cycles\tno\tit needs stalls=on'
like "and on" "$(./hexagon-run --list --stalls)" $'du_cache_miss_pview_cycles\tyes\tmodelled: stalls'

# the page of libpfm4 and PAPI marks what is counted here
page=$(cat "${srcdir:-.}/events/hexagon/libpfm4/libpfm_hexagon.3")
for core in 65 69 73 79; do
	./hexagon-run --list --stalls --core "$core" >"$tmp/list$core"
	awk -F'\t' '$2 == "yes" { print $1 }' "$tmp/list$core" >"$tmp/counted$core"
done
is "libpfm_hexagon(3) lists the events that are counted" "$(sed -n '/^.\\" emulated:/,/^.\\" end/p' <<<"$page" | grep -v '^\.' | xargs -n 1)" \
	"$(sort -u "$tmp"/counted*)"
like "and says how many each version has" "$(tr '\n' ' ' <<<"$page")" "$(grep -c . "$tmp/counted65") of them on V65, $(grep -c . \
	"$tmp/counted69") on V69, $(grep -c . "$tmp/counted73") on V73 and $(grep -c . "$tmp/counted79") on V79"
like "papi-pcp.md has the sizes of the tables" "$(cat "${srcdir:-.}/docs/papi-pcp.md")" "_v79. \| $(grep -c . "$tmp/list65"), $(grep -c . \
	"$tmp/list69"), $(grep -c . "$tmp/list73"), $(grep -c . "$tmp/list79") \|"
like "and of the general one" "$(cat "${srcdir:-.}/docs/papi-pcp.md")" "committed_pkt_any. \| $(grep -c '^MON_EVENT(' \
	"${srcdir:-.}/events/hexagon/events.def") \|"

# ---- random programs and sets of events: each count, and each metric, in its range, in each form of output.
# 24 of them, or ROUNDS; "make check-hexagon-random" runs 200.
python3 - "${srcdir:-.}/events/hexagon/events.def" "$tmp" "${ROUNDS:-24}" <<'EOP' >"$tmp/wrong"
import random, re, shutil, subprocess, sys

random.seed(5)
names = [re.match(r"MON_EVENT\((\w+),", l).group(1) for l in open(sys.argv[1]) if l.startswith("MON_EVENT(")]
programs = ["hand", "dot", "fir", "hvx-add", "memory-mixed", "memory-vectors", "memory-sets-9", "memory-chain",
            "eight-threads", "twelve-threads"]
known = []
for name in names:
    r = subprocess.run(["./hexagon-run", "--stalls", "--counters", name, "nosuch/hand"], capture_output=True, text=True)
    if "not an event" not in r.stderr:
        known.append(name)
assert len(known) > 50
packets = ["r8 = memw(r9+#%d)", "memw(r9+#%d) = r8", "memd(r9+#%d) = r11:10", "memw(r9+#%d) += #1", "dczeroa(r9)",
           "v0 = vmem(r9+#1)", "vmem(r9+#2) = v0", "v1.w = vadd(v0.w,v2.w)", "nop", "r8 = sfadd(r8,r12)",
           "r9 = add(r9,#%d)", "r8 = add(r8,#1); r12 = add(r12,#3)", "dcfetch(r9+#64)", "r10 = mpyi(r10,r12)",
           "l2fetch(r9,r14)", "l2fetch(r9,r15:14)", "dccleana(r9)", "dccleaninva(r9)"]


def make_program(path):
    """Loops of random packets, some with a branch that depends on data, in a buffer of 64 KiB."""
    text = ".text\n.globl _start\n_start:\n{ r10 = #7 }\n{ r12 = #3 }\n"
    # of an l2fetch: width 64 and up to 1023 rows, or up to 3 bytes and 15 rows; now and then a stop
    text += "{ r14 = ##%d }\n{ r15 = #96 }\n" % (64 << 16 | random.randint(0, 3) << 8 | random.randint(0, 15))
    for loop in range(random.randint(1, 4)):
        text += "{ r9 = ##buffer }\n{ r13 = ##%d }\nloop0(.L%d, r13)\n.L%d:\n" % (random.randint(1, 300), loop, loop)
        for i in range(random.randint(1, 9)):
            packet = random.choice(packets)
            text += "{ %s }\n" % (packet % (32 * random.randint(0, 1)) if "%" in packet else packet)
            if random.random() < 0.2:
                text += "{ p0 = tstbit(r8,#0) }\n{ if (p0) jump .Lx%d_%d }\n{ nop }\n.Lx%d_%d:\n" % ((loop, i) * 2)
        text += "{ r10 = add(r10,#1) }:endloop0\n"
    text += "{ r0 = #0 }\n{ r6 = #94 }\n{ trap0(#1) }\n.bss\n.p2align 12\nbuffer: .space 65536\n"
    flags = "--target=hexagon-unknown-linux-musl -mv67 -mhvx=v67 -mhvx-length=128B -nostdlib -static -fuse-ld=lld"
    subprocess.run(["clang"] + flags.split() + ["-x", "assembler", "-", "-o", path], input=text, text=True, check=True)


high = {"hw_thread_concurrency": (1, 6), "pcpp": (0.5, 1e9), "ipc": (0, 12), "mips": (0, 16800), "mpps": (0, 2800),
        "mpps_hvx": (0, 2800), "mpps_hmx": (0, 0), "packet_density": (1, 4)}
for round in range(int(sys.argv[3])):
    program = "examples/hexagon/" + random.choice(programs)
    if shutil.which("clang") and random.random() < 0.7:
        program = sys.argv[2] + "/random"
        make_program(program)
    events = random.sample(known, random.randint(1, 12)) + ["committed_pkt_any", "dcache_demand_miss"]
    events = list(dict.fromkeys(events))
    stalls = random.random() < 0.5 or any("pview" in e for e in events)
    command = ["./hexagon-run", "--metrics", "--threads", "--profile", sys.argv[2] + "/profile", "--counters",
               ",".join(events)] + ["--stalls"] * stalls
    r = subprocess.run(command + [program], capture_output=True, text=True)
    lines = [l.split() for l in r.stderr.splitlines() if l.strip()]
    counts = {l[1]: int(l[0]) for l in lines if len(l) == 2 and l[0].isdigit()}
    if r.returncode or set(counts) != set(events):
        print(program, events, r.returncode, r.stderr)
        continue
    if any(v > 10 ** 9 for v in counts.values()):
        print(program, "too large", counts)
    event, sums = None, {}
    for l in lines:
        if len(l) == 2 and l[1] in counts:
            event = l[1]
        elif len(l) > 3 and l[2] == "thread" and l[1] in ("hardware", "software"):
            sums[event, l[1]] = sums.get((event, l[1]), 0) + int(l[0])
        if len(l) > 1 and l[1] in high and l[0] != "-":
            low, up = high[l[1]]
            if not low - 0.001 <= float(l[0]) <= up + 0.001:
                print(program, l)
        if len(l) > 1 and l[1].startswith("nt_load") and l[0] != "-" and not 0 <= float(l[0]) <= 100:
            print(program, l)
    for (event, kind), total in sums.items():
        if total != counts[event]:
            print(program, event, kind, total, counts[event])
    parts = [l.split()[1:] for l in open(sys.argv[2] + "/profile") if l.startswith("totals:")]
    totals = [sum(map(int, column)) for column in zip(*parts)]
    if totals[0] != counts["committed_pkt_any"] or totals[-2] != counts["dcache_demand_miss"]:
        print(program, "profile", totals, counts)
EOP
is "nothing impossible in random programs and sets of events" "$(cat "$tmp/wrong")" ""
summary
