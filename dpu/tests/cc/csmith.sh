#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# csmith.sh [COUNT [RESULTS]]: COUNT (10000) random programs of csmith that fit a DPU's memories
# print the same on the host and, with -O0 and -O2, on a DPU. Programs that do not fit or run too
# long are counted. RESULTS has a line for each seed, "SEED -O0 -O2"; the next run continues after
# the last one. No packed structs: csmith uses pointers to their members, which may be unaligned;
# that works on x86, not on a DPU.
set -u

count=${1:-10000}
here=$(cd "$(dirname "$0")" && pwd)
dpu_cc=${DPU_CC:-./dpu-cc -B $here/../../../dpu/cc -B dpu/cc}
dpu_run=${DPU_RUN:-./dpu-run}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
results=${2:-$work/results}

# csmith.h is in a folder with csmith's version in its name, or without, as the distribution has it
include=
for folder in ${CSMITH_INCLUDE:+"$CSMITH_INCLUDE"} /usr/include/csmith /usr/include/csmith-*; do
	[ ! -e "$folder/csmith.h" ] || { include=$folder; break; }
done
[ "$include" ] || { echo "csmith.sh: csmith.h not found: install the package libcsmith-dev, or set CSMITH_INCLUDE to its folder"; exit 1; }
command -v csmith >/dev/null || { echo "csmith.sh: csmith not found: install the packages csmith and libcsmith-dev"; exit 1; }

# on_dpu LEVEL: the verdict on the program
on_dpu()
{
	local at=$work/dpu$1

	# words are wanted
	# shellcheck disable=SC2086
	if ! $dpu_cc -w "$1" -mcpu=v1A -DSTACK_SIZE_DEFAULT=16384 -I"$include" "$work/program.c" \
		-o "$at" 2>"$at.messages"; then
		grep -qE '(IRAM|WRAM) is full' "$at.messages" && echo large && return
		echo "seed $seed $1: $(cat "$at.messages")" >&2
		echo different
		return
	fi
	$dpu_run --limit 100000000 "$at" >"$at.output" 2>"$at.messages"
	if grep -q 'still running' "$at.messages"; then
		echo long
	elif cmp -s "$work/expected" "$at.output"; then
		echo same
	else
		echo "seed $seed $1: $(cat "$at.output" "$at.messages"), host: $(cat "$work/expected")" >&2
		echo different
	fi
}

touch "$results" || exit 1
seed=$(tail -n 1 "$results" | cut -d' ' -f1)
fit=$(grep -cE 'same|different' "$results")
while ((fit < count)); do
	seed=$((seed + 1))
	# csmith writes a file to its working directory
	(cd "$work" && csmith --seed "$seed" --no-argc --no-packed-struct --concise --max-funcs 4 \
		--max-block-depth 3 --max-block-size 3 --max-expr-complexity 6) >"$work/program.c"
	"${CC:-cc}" -w -O1 -I"$include" "$work/program.c" -o "$work/host" || exit 1
	if ! timeout 0.5 "$work/host" >"$work/expected"; then
		echo "$seed long long" >>"$results"
		continue
	fi
	on_dpu -O0 >"$work/verdict" &
	optimized=$(on_dpu -O2)
	wait $!
	verdict="$(cat "$work/verdict") $optimized"
	echo "$seed $verdict" >>"$results"
	[[ $verdict != *same* && $verdict != *different* ]] || fit=$((fit + 1))
done
awk '{
		both = $2 " " $3
		if (both ~ /different/) different++
		else if (both == "same same") same++
		else if (both ~ /same/) one++
		else if (both ~ /large/) large++
		else long++
	}
	END {
		printf "%d programs: %d the same with -O0 and -O2, %d with one of them and too large or too long " \
			"with the other, %d different, %d too large, %d too long\n",
			NR, same, one, different, large, long
		exit different || !same
	}' "$results"
