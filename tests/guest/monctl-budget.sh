#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --device espmon --device mrfld-visa --device upmem-rank --device hexagon-pmu,stalls=on --hexagon-dir examples/hexagon
# not on riscv64 arm64: mrfld_visa uses iosf_mbi, an x86 driver
# A budget of each system, cycle by cycle: what monctl stat shows beside what is derived on paper.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# budget NAME DEVICE [-p PRESET] COMMAND...: "ID CYCLES" of its parts, "(ID CYCLES)" of parts of these, and whether the parts
# are all of its cycles
budget()
{
	local name=$1 device=$2 preset=()

	shift 2
	if [ "$1" = -p ]; then
		preset=(-p "$2")
		shift 2
	fi
	$monctl stat -j -o "$dir/stat" "${preset[@]}" -- "$@" >/dev/null 2>&1
	python3 - "$dir/stat" "$name" "$device" <<'END'
import json, sys

for b in json.loads(open(sys.argv[1]).read().strip().split("\n")[-1])["budgets"]:
    if b["budget"] == sys.argv[2] and b["device"].startswith(sys.argv[3]):
        parts = b["parts"]
        print(*(" ".join([f"{p['id']} {p['cycles']:.0f}"] + [f"({c['id']} {c['cycles']:.0f})" for c in p["children"] if c["cycles"]])
                for p in parts), "of",
              "all" if abs(sum(p["cycles"] for p in parts) - b["clock"]["cycles"]) < 1 else b["clock"]["cycles"])
END
}

# A butterfly has three states: 1024 * 11 * 3 cycles for 2048 points, 2 * 2048 for what is copied, 3 * 2048 in the order of bits;
# and 2 + 3 for two transfers. A load of 2048 words from the tile next to it waits 2048 + 52, a store 2048 + 7, a page table of
# one entry 51, a word of DRAM (docs/esp-model.md). Twenty runs.
like "an FFT" "$(budget esp_acc "tile 0 " ./examples/esp/esp-fft --log-len 11 --repeat 20)" \
	"^compute $((20 * (1024 * 11 * 3 + 5 * 2048 + 5))) memory $((20 * (2 * 2048 + 59))) \\(dram $((20 * 4097))\\) table $((20 * 51)) of all$"

# 520 instructions of start-up code; main has 3 and a return; 5 rounds of 100000 and 19 more. One tasklet executes an instruction
# every 11 cycles, and ends with its last one.
n=$((520 + 4 + 5 * 100019))
is "one tasklet" "$(budget upmem_dpu "DPU 0" ./examples/upmem/both examples/upmem/both.dpu)" \
	"issue $n dma 0 setup 0 other $((11 * (n - 1) + 1 - n)) idle 0 of all"
is "a DPU that does nothing meanwhile" "$(budget upmem_dpu "DPU 63" ./examples/upmem/both examples/upmem/both.dpu)" \
	"issue 0 dma 0 setup 0 other 0 idle $((11 * (n - 1) + 1)) of all"

# hexagon-stalls.sh: 2069 packets leave five of six turns; 513 loads wait for memory and 521 for the L2, two lines of code
# come from memory, two branches are mispredicted, each for both clusters
is "a chain of pointers" "$(budget hexagon_core hexagon ./hexagon-run memory-chain)" \
	"commit 2069 data $((2 * (513 * 150 + 521 * 12))) fetch $((2 * 2 * 150)) vector 0 branch $((2 * 4)) idle $((5 * 2069)) of all"

is "its lines, by level" "$(budget hexagon_l1d hexagon -p caches ./hexagon-run memory-chain)" "l2 521 memory 513 of all"
like "and its code" "$(budget hexagon_l1i hexagon -p caches ./hexagon-run memory-chain)" "^hit [0-9]+ miss 2 \(memory 2\) of all$"

# 64 MiB in requests of 64 bytes, at 8528 MB/s: 400 million ticks a second
like "an agent" "$(budget mrfld_agents mrfld ./examples/mrfld/mrfld-traffic -a gfx -b 64M)" \
	"^gfx $(awk 'BEGIN { printf "%.0f", (64 * 2 ^ 20) * 400 / 8528 }') disp 0 imaging 0 mod0 0 lowspeed 0 idle [0-9]+ of all$"
# 32 bytes take half of the time of 64
like "what an agent reads" "$(budget mrfld_gfx mrfld -p gfx ./examples/mrfld/mrfld-traffic -a gfx -s 32 -b 64M)" \
	"^read $(awk 'BEGIN { printf "%.0f", (64 * 2 ^ 20) * 400 / 8528 }') write 0 partial 0 idle [0-9]+ of all$"
like "and writes" "$(budget mrfld_disp mrfld -p display ./examples/mrfld/mrfld-traffic -a disp -o write -b 16M)" \
	"^read 0 write $(awk 'BEGIN { printf "%.0f", (16 * 2 ^ 20) * 400 / 8528 }') partial 0 idle [0-9]+ of all$"
summary
