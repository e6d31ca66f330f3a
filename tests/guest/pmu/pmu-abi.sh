#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# pmu/*/ABI-*.txt have each file of the PMUs in sysfs, and no other.
#
# not on riscv64 arm64: mrfld_visa needs iosf_mbi, an x86 driver, and has a file of each kind
. "${srcdir:-.}/tests/guest/lib.sh"
devices=/sys/bus/event_source/devices
names=$(sed -n 's/^What:[[:space:]]*//p' "${srcdir:-.}"/pmu/*/ABI-*.txt)

ok "there are PMUs" test -n "$(pmus)"
# files that perf and the driver core add to every PMU
own='/(power/.*|type|uevent|perf_event_mux_interval_ms)$'
like "a name for all PMUs" "$names" '<pmu>/cpumask'
sed -e 's/[.]/\\./g' -e "s/<pmu>/($(pmus | paste -s -d '|'))/" -e 's/<event>/[a-z0-9_]+/' \
	-e 's/<tile>/[0-9]+/' \
	<<<"$names" >/tmp/abi-names
for pmu in $(pmus); do
	files=$(find $devices/$pmu/ -type f | grep -v -E "$own")
	like "files of $pmu" "$files" "$pmu/caps/width"
	is "$pmu: files without a text" "$(grep -v -x -E -f /tmp/abi-names <<<"$files")" ""
done

# mrfld_visa's events have each of the files that events may have
for name in $names; do
	pattern=${name/<pmu>/mrfld_visa}
	pattern=${pattern/<event>/[a-z]*}
	pattern=${pattern/<tile>/0}
	ok "there is $name" compgen -G "${pattern/%N/0}"
done
summary
