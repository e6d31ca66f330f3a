#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --device espmon --device mrfld-visa --device upmem-rank --device hexagon-pmu --hexagon-dir examples/hexagon
# not on riscv64 arm64: it wants all four devices
#
# monctl stat -r and --attach, monctl diff: repetitions, running processes, measurements side by
# side.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# 1 word of the page table, 128 read, 128 written, the same in each run
fft=(./examples/esp/esp-fft --log-len 7 --coherence none)

text=$($monctl stat -r 3 -p memory -- "${fft[@]}" 2>&1 >/dev/null)
like "the average of three equal runs" "$text" ' 257 words +espmon/ddr_accesses/ +\+- 0 %'
like "of how many runs it is" "$text" 'this ran 3 times'
like "with the time's deviation" "$text" 's elapsed \+- [0-9.]+(e[-+][0-9]+)? %'
# one, two, three runs of the program in the first, second and third repetition: 257, 514 and 771 words
cat >"$dir/more" <<END
echo >>"$dir/count"
for i in \$(cat "$dir/count" | xargs -n 1 -d '\n' echo x); do ${fft[*]} >/dev/null; done
END
text=$($monctl stat -r 3 -e espmon/ddr_accesses/ -- sh "$dir/more" 2>&1)
# 514 on average; the deviation is 257, 50 %
like "the deviation of runs that differ" "$text" ' 514 words +espmon/ddr_accesses/ +\+- 50 %'
# a deviation stands behind what deviates: the count, not the rate, which is of cycles that deviate, too
text=$($monctl stat -r 2 -e upmem/dpu_instructions/ -- ./examples/upmem/vecadd examples/upmem/vecadd.dpu 2>&1 >/dev/null)
like "the deviation of a count with a rate" "$text" \
	' instructions +upmem/dpu_instructions/ +\+- [0-9.e-]+ % +[0-9.]+ [kMGT]?instructions/s'
$monctl stat -r 2 -c -p memory -o "$dir/none.csv" -- "${fft[@]}" >/dev/null
is "each run is in the table" "$(awk -F, '/"ddr_accesses"/ { print $5, $9, $10 }' "$dir/none.csv" | xargs)" "257 1 1 257 1 2"
like "and so are metrics, with their units" "$(cat "$dir/none.csv")" 'espmon,"esp_words_per_invocation",,,words,257,'
like "a run that fails ends it" "$($monctl stat -r 5 -e ddr_accesses -- sh -c 'exit 3' 2>&1; echo "status $?")" \
	'run 1 failed with status 3.*status 3'

# ---- opening: the counters of a DPU are too few for all events, so there are several groups, in each of which a
# counter is tried at most once
strace -f -e trace=perf_event_open -o "$dir/opens" $monctl stat --per-place -e 'upmem/*/' true 2>/dev/null
awk '/perf_event_open/ { tries++; opened += / = [0-9]+$/; groups += /, -1, PERF_FLAG_FD_CLOEXEC\) = [0-9]+$/ }
	END { print tries, opened, groups }' "$dir/opens" >"$dir/number"
read -r tries opened groups <"$dir/number"
holds "several groups: $groups" "$groups > 1"
# six events at least in each of 64 DPUs
holds "one try a group: $tries for $opened counters" "$opened >= 384 && $tries <= $opened * $groups"

# ---- intervals in lines
text=$($monctl stat -I 100ms -e 'ddr_accesses,noc_injects_p5' -- sleep 0.55 2>&1)
is "a head and a line each 100 ms" "$(grep -cE '^ +seconds +ddr_accesses +noc_injects_p5$' <<<"$text")" 1
ok "three lines at least" test "$(grep -cE '^ +0\.[0-9]{3} +[0-9.]+ ?[kM]? +[0-9.]+ ?[kM]?$' <<<"$text")" -ge 3
like "the table where a line has no room" "$($monctl stat -I 100ms -p noc -p accelerators -p memory -- sleep 0.25 2>&1)" 'after 0\.'

# ---- a process that runs already
sh -c 'sleep 1; "$@" >/dev/null; :' sh "${fft[@]}" &
text=$($monctl stat --attach $! -e ddr_accesses 2>&1)
like "counts until a process ends" "$text" ' 257 words +espmon/ddr_accesses/'
like "which are of the whole system" "$text" 'whole system, all programs in them, until the end of process [0-9]+ \(sh\)'
like "a process that is not there" "$($monctl stat --attach 4194304 -e ddr_accesses 2>&1)" 'No such process: give the number'
is "it has no command" "$($monctl stat --attach 1 -e ddr_accesses -- true 2>/dev/null; echo $?)" 2

# ---- side by side: the same FFT coherently needs no DRAM of its own in DMA, but misses of its L2
$monctl stat -r 2 -c -p coherence -p memory -o "$dir/a.csv" -- "${fft[@]}" >/dev/null
$monctl stat -r 2 -c -p coherence -p memory -o "$dir/b.csv" -- ./examples/esp/esp-fft --log-len 7 --coherence full >/dev/null
$monctl diff "$dir/a.csv" "$dir/b.csv" >"$dir/diff"
like "what is new in the second file" "$(cat "$dir/diff")" 'espmon/l2_misses/ +[a-z]+ +0 +[0-9]+ .* from 0'
like "the first line has the answer" "$(head -n 1 "$dir/diff")" '^B: time is .* values differ by more than their spread'
is "a file and itself are equal" "$($monctl diff "$dir/a.csv" "$dir/a.csv" | grep -cE '[-+][0-9.]+ %$|from 0$')" 0
# the lines that the coherent run left in the caches are written to memory first
"${fft[@]}" >/dev/null
$monctl record -q -e ddr_accesses -o "$dir/one" -- "${fft[@]}" >/dev/null
$monctl record -q -e ddr_accesses -o "$dir/two" -- sh -c "${fft[*]}; ${fft[*]}" >/dev/null
like "recordings too" "$($monctl diff "$dir/one" "$dir/two")" 'espmon/ddr_accesses/ +words +257 +514 +\+100.0 %'
like "with the time of runs" "$($monctl diff "$dir/one" "$dir/two")" 'run of esp-fft +s '
ok "three of them" $monctl diff "$dir/one" "$dir/two" "$dir/a.csv"
like "one file is none to compare" "$($monctl diff "$dir/one" 2>&1)" 'two files or more'
like "another file" "$($monctl diff "$dir/one" tests/guest/monctl.sh 2>&1)" 'not a recording|No such file'
summary
