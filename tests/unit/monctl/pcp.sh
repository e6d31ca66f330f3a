#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# PCP's pmrep shows the views of events/pcp over an archive of made-up counts, with the derived metrics.
. "${srcdir:-.}/tests/guest/lib.sh"
srcdir=${srcdir:-.}
pcp=$PWD/build/pcp
[ -x "$pcp/usr/bin/pmrep" ] || skip "build/pcp is missing: make build/pcp"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# the bindings load libraries by names that only development packages have
mkdir "$dir/lib"
while read -r library; do
	name=${library##*/}
	ln -sf "$library" "$dir/lib/$name"
	ln -sf "$library" "$dir/lib/${name%.[0-9]}"
done < <(find "$pcp/usr/lib" /usr/lib -maxdepth 2 -name 'libpcp*.so.[0-9]')
# PCP reads where its files are from a file
sed "s|=\(/usr\|/etc\|/var\)|=$pcp\1|" "$pcp/etc/pcp.conf" >"$dir/pcp.conf"
export PCP_CONF=$dir/pcp.conf LD_LIBRARY_PATH=$dir/lib PYTHONPATH=$pcp/usr/lib/python3/dist-packages
export PCP_DERIVED_CONFIG=$PWD/events/pcp/derived.conf PCP_STDERR=$dir/stderr

# all counters of perfevent.conf: 0, and ten seconds later what is set here, else 7
/usr/bin/python3 - "$srcdir/events/pcp/perfevent.conf" "$dir/archive" <<'END'
import sys
from pcp import pmapi, pmi
import cpmapi as api

counts = {"espmon.ddr_accesses": 2570, "espmon.acc_invocations": 10, "espmon.acc_mem_cycles": 950,
          "espmon.acc_tot_cycles": 1000, "espmon.llc_hits": 20, "espmon.llc_misses": 60,
          "upmem.dpu_cycles": 1100, "upmem.dpu_instructions": 100,
          "hexagon.committed_insts": 30, "hexagon.committed_pkt_any": 10}
names = [line.strip() for line in open(sys.argv[1]) if line[0].isalpha()]
log = pmi.pmiLogImport(sys.argv[2])
log.pmiSetHostname("lab")
log.pmiSetTimezone("UTC")
domain = log.pmiInDom(127, 1)
log.pmiAddInstance(domain, "cpu0", 0)
for number, name in enumerate(names):
    log.pmiAddMetric(f"perfevent.hwcounters.{name}.value", log.pmiID(127, 2, number), api.PM_TYPE_U64, domain,
                     api.PM_SEM_COUNTER, log.pmiUnits(0, 0, 1, 0, 0, api.PM_COUNT_ONE))
for second, factor in ((0, 0), (10, 1)):
    for name in names:
        log.pmiPutValue(f"perfevent.hwcounters.{name}.value", "cpu0", str(factor * counts.get(name, 7)))
    log.pmiWrite(1000000000 + second, 0)
END
ok "an archive" test -s "$dir/archive.0"

# view NAME: the numbers of the last line
view()
{
	/usr/bin/python3 "$pcp/usr/bin/pmrep" -c "$srcdir/events/pcp/pmrep.conf" -a "$dir/archive" -t 10 -o csv ":$1" 2>&1 |
		awk 'END { for (i = 3; i <= NF; i++) printf "%s%s", $i, i < NF ? "," : "\n" }'
}

# in ten seconds 2570 words and 10 runs; 257 words a run; 950 of 1000 cycles; 60 of 80 requests
is "ESP" "$(view libmon-esp)" 257.0,1.0,257.0,95.0,75.0
# 100 instructions, 1100 cycles, 7 loads and stores; 11 cycles an instruction
is "UPMEM" "$(view libmon-upmem)" 10.0,110.0,0.7,0.7,11.0
# 10 packets with 30 instructions
is "Hexagon" "$(view libmon-hexagon)" 1.0,3.0,3.0
summary
