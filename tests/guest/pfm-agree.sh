#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# For every event of every PMU in the guest, perf's parser of sysfs, libpfm4 and libmon give the
# same type and config; perf stat -vv prints the attributes that perf passes to the kernel.
# not on riscv64 arm64: libpfm4 is built for this machine alone
declare -F summary >/dev/null || . "${srcdir:-.}/tests/guest/lib.sh" # unless pfm-agree-v65.sh has
[ -x ./tests/guest/pfm-agree ] || skip "pfm-agree is not built: make libpfm4-parts says why"
program=./tests/guest/pfm-agree
[ -x ./tests/guest/.libs/pfm-agree ] && program=./tests/guest/.libs/pfm-agree
devices=/sys/bus/event_source/devices

table=$($program 2>&1)
verdict "libpfm4 knows every event of the kernel" $? "$(grep -v / <<<"$table" | head -n 5)"

# perf_words EVENT...: one line "type config" for each event, in order
perf_words()
{
	local list=() event

	for event in "$@"; do
		list+=(-e "$event")
	done
	# an event that the driver refuses to open is shown, too; perf asks again without some bits of
	# the attributes then, so the first of equal neighbours counts, which events of one PMU are not
	perf stat -a -vv "${list[@]}" true 2>&1 | awk '
		/^perf_event_attr:/ { type = ""; config = "0x0"; inside = 1; next }
		inside && $1 == "type" { type = $2 }
		inside && $1 == "config" { config = $2 == "0" ? "0x0" : $2 }
		inside && /^-----/ && type != "" {
			words = type " " config
			if (words != last)
				print words
			last = words
			inside = 0
		}'
}

compared=0
for pmu in $(pmus); do
	[ -d $devices/$pmu ] || continue
	mapfile -t lines < <(grep "^$pmu/" <<<"$table")
	mapfile -t events < <(printf '%s\n' "${lines[@]}" | cut -f 1)
	# as many events as sysfs has, with and without an attribute
	plain=$(printf '%s\n' "${events[@]}" | grep -c -v ,)
	is "events of $pmu" "$plain" "$(find $devices/$pmu/events -type f ! -name '*.*' | wc -l)"
	mapfile -t words < <(perf_words "${events[@]}")
	is "events of $pmu that perf opens" "${#words[@]}" "${#events[@]}"
	for i in "${!events[@]}"; do
		IFS=$'\t' read -r event pfm mon <<<"${lines[i]}"
		is "$event in libpfm4" "$pfm" "${words[i]}"
		[ "$mon" = - ] || is "$event in libmon" "$mon" "${words[i]}"
		compared=$((compared + 1))
	done
	echo "$pmu: ${#events[@]} events compared"
done
verdict "some PMU is there" $((compared == 0))
summary
