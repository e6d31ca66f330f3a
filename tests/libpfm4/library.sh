#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The library for programs: symbols and soname of the original, our events in its tools.
set -eu
. "${srcdir:-.}/tests/libpfm4/built.sh"
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

# rows NAME [COLUMN REGEX]: lines of tests/libpfm4/NAME.csv, or those whose column matches
rows() {
	grep -v '^#' "${srcdir:-.}/tests/libpfm4/$1.csv" | awk -F, -v column="${2:-}" -v regex="${3:-}" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i; next }
		column == "" || (";" $at ";") ~ regex { n++ }
		END { print n + 0 }'
}

# Events of each table: what the documents list, each version of Hexagon what is seen there, V65 with the
# ones that it has alone; in Merrifield there is the clock of whichever group runs besides.
while read -r pmu count; do
	listed=$("$out/bin/showevtinfo" -L "^$pmu::" | grep -c "^$pmu::") || :
	[ "$listed" = "$count" ] || fail "showevtinfo lists $listed events of $pmu, not $count"
done <<END
espmon $(rows espmon)
mrfld_visa $(($(rows mrfld_visa) + 1))
upmem $(rows upmem)
hexagon $(rows hexagon)
hexagon_v65 $(($(rows hexagon seen ';v65;') + $(rows hexagon_v65)))
hexagon_v69 $(rows hexagon v69 ';(strong|assumed|article);')
hexagon_v73 $(rows hexagon seen ';v73;')
hexagon_v79 $(rows hexagon seen ';v79;')
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
while read -r page; do
	file=$out/share/man/man3/libpfm_$page.3
	[ -s "$file" ] || fail "no manual page of $page"
	if command -v man >/dev/null; then
		warnings=$(cd "$out/share/man" && LC_ALL=C.UTF-8 MANWIDTH=100 \
			man --warnings -l "man3/libpfm_$page.3" 2>&1 >/dev/null) || :
		[ -z "$warnings" ] || fail "libpfm_$page(3): $warnings"
	fi
done <"$out/pmus"
exit $status
