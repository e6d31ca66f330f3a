#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# upmem-prim.sh PRIM FILE [BUILT]: the data of docs/upmem-prim.svg. PRIM is a checkout of the PrIM study's programs
# (github.com/CMU-SAFARI/prim-benchmarks). Builds copies of VA, GEMV and RED, runs them in modelled time on the chip of
# the study's server, and appends the times that they print to FILE. The DPU programs are compiled here, or are those of
# BUILT (BUILT/VA/bin/dpu_code), for example of UPMEM's compiler. Points that FILE has are not run again.
set -eu
if [ $# -lt 2 ] || [ ! -e "$1/VA/Makefile" ]; then
	echo "Usage: $0 PRIM FILE [BUILT]: PRIM is a checkout of prim-benchmarks" >&2
	exit 1
fi
prim=$1
csv=$2
built=${3:-}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export PATH=$PWD:$PATH UPMEM_PROFILE=chipId=v1A

# printed NAME: what the program printed as the time NAME, in ms; 0 if it has no such time
printed()
{
	sed -n "s/.*$1 Time (ms): \([0-9.]*\).*/\1/p" "$tmp/output" | grep . || echo 0
}

# point FIGURE PROGRAM DPUS ARGUMENT...
point()
{
	local figure=$1 program=$2 dpus=$3 host=bin/host_code dpu=bin/dpu_code

	shift 3
	grep -qs "^$figure,$program,$dpus," "$csv" && return
	[ "$program" != GEMV ] || { host=bin/gemv_host; dpu=bin/gemv_dpu; }
	[ -e "$tmp/$program" ] || cp -r "$prim/$program" "$tmp"
	# -B: the Makefiles take a program of other parameters for one of these
	make -B -C "$tmp/$program" NR_DPUS="$dpus" NR_TASKLETS=16 BL=10 all >"$tmp/log" 2>&1 ||
		{ cat "$tmp/log" >&2; exit 1; }
	[ -z "$built" ] || cp "$built/$program/$dpu" "$tmp/$program/$dpu"
	(cd "$tmp/$program" && dpu-run --host --clock=dpus --report="$tmp/report.json" $host -w 0 -e 1 "$@") \
		>"$tmp/output" || { cat "$tmp/output" >&2; exit 1; }
	grep -q 'OK.*Outputs are equal' "$tmp/output" || { echo "$program, $dpus DPUs: wrong outputs" >&2; exit 1; }
	printf '%s,%s,%s,%s,%s,%s,%s,%s\n' "$figure" "$program" "$dpus" $(((dpus + 63) / 64)) \
		"$(printed 'DPU Kernel')" "$(printed CPU-DPU)" "$(printed Inter-DPU)" "$(printed DPU-CPU)" >>"$csv"
}

[ -s "$csv" ] || echo "figure,program,dpus,ranks,kernel_ms,cpu_dpu_ms,inter_dpu_ms,dpu_cpu_ms" >"$csv"
# sizes of the study's run_weak.py, run_strong_rank.py and run_strong_full.py; 60 and 480 DPUs have recorded times
for dpus in 1 4 16 64; do
	point weak VA $dpus -x 0 -i 2621440
	point weak GEMV $dpus -m $((1024 * dpus)) -n 2048
	point weak RED $dpus -x 0 -i 6553600
done
for dpus in 1 4 16 60 64; do
	point rank VA $dpus -x 1 -i 2621440
	point rank GEMV $dpus -m 8192 -n 1024
	point rank RED $dpus -x 1 -i 6553600
done
for dpus in 64 256 480 512 1024 2048; do
	point ranks VA $dpus -x 1 -i 167772160
	point ranks GEMV $dpus -m 163840 -n 4096
	point ranks RED $dpus -x 1 -i 419430400
done
