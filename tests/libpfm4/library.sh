#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The library as programs see it: the stock one's symbols and soname, our events in its tools.
set -eu
out=build/libpfm4
status=0

fail() {
	echo "FAIL: $*"
	status=1
}

stock=$(/sbin/ldconfig -p | sed -n 's/.*libpfm\.so\.4 .*=> //p' | sed 1q)
[ -n "$stock" ] || {
	echo "libpfm.so.4 is not installed: install libpfm4"
	exit 77
}

symbols() {
	nm -D --defined-only "$1" | awk '{ print $2, $3 }' | sort
}
soname() {
	readelf -d "$1" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p'
}
symbols "$stock" >build/libpfm4/symbols.stock
symbols "$out/lib/libpfm.so.4" >build/libpfm4/symbols.ours
[ -s build/libpfm4/symbols.stock ] || fail "no symbols in $stock"
diff build/libpfm4/symbols.stock build/libpfm4/symbols.ours || fail "exported symbols differ"
[ "$(soname "$stock")" = "$(soname "$out/lib/libpfm.so.4")" ] || fail "sonames differ"

# Events of each table: the monitors and two pairs; 45 events, 9 clocks and one; 8 + 2; all selectors
# known; those seen in V65 and the ones that it has alone; V69's; those seen in V73 and in V79.
while read -r pmu count; do
	listed=$("$out/bin/showevtinfo" -L "^$pmu::" | grep -c "^$pmu::") || :
	[ "$listed" = "$count" ] || fail "showevtinfo lists $listed events of $pmu, not $count"
done <<END
espmon 61
mrfld_visa 55
upmem 10
hexagon 360
hexagon_v65 172
hexagon_v69 240
hexagon_v73 300
hexagon_v79 338
END

# perf's formats: tile 8-15 and bytile 16; group 8-15; dpu 12-19 and bydpu 20; event 0-9
while read -r event code; do
	got=$(LIBPFM_ENCODE_INACTIVE=1 "$out/bin/check_events" "$event" | sed -n 's/^Codes  *: //p')
	[ "$got" = "$code" ] || fail "check_events $event prints $got, not $code"
done <<END
espmon::ddr_accesses:tile=2 0x10200
mrfld_visa::unc_visa_ddr_chan0_read32b 0x100
upmem::ldma_instruction:dpu=3 0x103001
hexagon::committed_pkt_any 0x3
END

# every page is there and man can read it
for page in espmon mrfld_visa upmem hexagon hexagon_v65 hexagon_v69 hexagon_v73 hexagon_v79; do
	file=$out/share/man/man3/libpfm_$page.3
	[ -s "$file" ] || fail "no manual page of $page"
	if command -v man >/dev/null; then
		warnings=$(cd "$out/share/man" && LC_ALL=C.UTF-8 MANWIDTH=100 \
			man --warnings -l "man3/libpfm_$page.3" 2>&1 >/dev/null) || :
		[ -z "$warnings" ] || fail "libpfm_$page(3): $warnings"
	fi
done
exit $status
