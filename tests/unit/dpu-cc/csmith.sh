#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# csmith.sh [COUNT [FIRST]]: random programs of csmith, with seeds from FIRST (1) on, print the same on
# the host and, with -O0 and -O2, on a DPU. Those that do not fit its memories are counted, and so are
# those that run too long. Packed structs are left out: csmith takes pointers into them, which x86
# forgives and a DPU does not.
set -u

count=${1:-10000}
first=${2:-1}
here=$(cd "$(dirname "$0")" && pwd)
dpu_cc=${DPU_CC:-./dpu-cc -B $here/../../../tools/dpu-cc -B tools/dpu-cc}
include=${CSMITH_INCLUDE:-/usr/include/csmith}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
same=0
large=0
long=0
different=0

command -v csmith >/dev/null || { echo "csmith.sh: csmith not found: install the packages csmith and libcsmith-dev"; exit 1; }
for ((seed = first; seed < first + count; seed++)); do
	# it leaves a file where it runs
	(cd "$work" && csmith --seed "$seed" --no-argc --no-packed-struct --concise --max-funcs 4 \
		--max-block-depth 3 --max-block-size 3 --max-expr-complexity 6) >"$work/program.c"
	"${CC:-cc}" -w -O1 -I"$include" "$work/program.c" -o "$work/host" || exit 1
	if ! timeout 5 "$work/host" >"$work/expected"; then
		long=$((long + 1))
		continue
	fi
	for level in -O0 -O2; do
		# words are wanted
		# shellcheck disable=SC2086
		if ! $dpu_cc -w $level -mcpu=v1A -DSTACK_SIZE_DEFAULT=16384 -I"$include" "$work/program.c" \
			-o "$work/program" 2>"$work/messages"; then
			if grep -qE '(IRAM|WRAM) is full' "$work/messages"; then
				large=$((large + 1))
				continue
			fi
			echo "seed $seed $level: $(cat "$work/messages")"
			different=$((different + 1))
			continue
		fi
		./dpu-run --limit 300000000 "$work/program" >"$work/output" 2>"$work/messages"
		if grep -q 'still running' "$work/messages"; then
			long=$((long + 1))
		elif cmp -s "$work/expected" "$work/output"; then
			same=$((same + 1))
		else
			echo "seed $seed $level: $(cat "$work/output" "$work/messages"), host: $(cat "$work/expected")"
			different=$((different + 1))
		fi
	done
done
echo "$same the same, $different different, $large too large, $long too long"
[ "$different" -eq 0 ] && [ "$same" -gt 0 ]
