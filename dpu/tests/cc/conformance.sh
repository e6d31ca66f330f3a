#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Small C programs, many in a file. Each file is compiled for the host and, with -O2 or each of LEVELS, for the
# DPU; every program must print the same on both.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
dpu_cc=${DPU_CC:-./dpu-cc -B $here/../../../dpu/cc -B dpu/cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
minimum=200			# programs, with each level
levels=${LEVELS:--O2}

for source in "$here"/programs/*.c; do
	name=$(basename "$source" .c)
	tasklets=1 stack=8192
	[ "$name" != tasklets ] || tasklets=11 stack=1024
	"${CC:-cc}" -O1 -w -fwrapv -Dmain=program_main -DNR_TASKLETS=$tasklets -I"$here/host" \
		-c "$source" -o "$work/host.o"
	"${CC:-cc}" -O1 -w -DNR_TASKLETS=$tasklets -I"$here/host" "$here/host/runtime.c" "$work/host.o" \
		-lpthread -o "$work/host"
	"$work/host" >"$work/expected"
	for level in $levels; do
		: >"$work/output"
		# words are wanted
		# shellcheck disable=SC2086
		if $dpu_cc $level -w -fwrapv -mcpu=v1A -DNR_TASKLETS=$tasklets -DSTACK_SIZE_DEFAULT=$stack \
			"$source" -o "$work/program"; then
			./dpu-run --limit 200000000 "$work/program" >"$work/output" || true
		fi
		# The output between the lines "# PROGRAM" must be equal.
		awk -v title="$name $level" '
			/^# / { at = $2; if (FILENAME == ARGV[1]) names[++count] = at; next }
			FILENAME == ARGV[1] { expected[at] = expected[at] "\n" $0; next }
			{ got[at] = got[at] "\n" $0 }
			END {
				for (i = 1; i <= count; i++) {
					n = names[i]
					if (expected[n] == got[n]) {
						print "ok: " title " " n
						continue
					}
					print "not ok: " title " " n
					print "host:" expected[n]
					print "DPU:" got[n]
				}
			}' "$work/expected" "$work/output"
	done
done >"$work/verdicts"
grep -v '^ok:' "$work/verdicts" || true
passed=$(grep -c '^ok:' "$work/verdicts")
failed=$(grep -c '^not ok:' "$work/verdicts" || true)
echo "$((passed * 100 / (passed + failed)))%: Checks: $((passed + failed)), Failures: $failed, Errors: 0"
[ "$failed" -eq 0 ] && [ "$passed" -ge $((minimum * $(wc -w <<<"$levels"))) ]
