#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The same for a Hexagon V65, which has other codes for some names: libpfm4 takes its table by sysfs.
# not on riscv64 arm64: libpfm4 is built for this machine alone
# mon-vm: --device hexagon-pmu,core=65
. "${srcdir:-.}/tests/guest/lib.sh"
[ -x ./tests/guest/pfm-agree ] || skip "pfm-agree is not built: make libpfm4-parts says why"
models=$(LD_LIBRARY_PATH=$PWD/build/libpfm4/lib build/libpfm4/bin/showevtinfo 2>/dev/null |
	sed -n '/^Detected PMU models:/,/^Total/s/.*\[[0-9]*, \(hexagon[a-z0-9_]*\),.*/\1/p' | tr '\n' ' ')
is "models that libpfm4 finds" "$models" "hexagon_v65 hexagon "
# hexagon_nn has HVX_PKT at 0x113 on V65; later cores have it at 0x111
is "V65's own code" "$(build/libpfm4/bin/check_events hexagon_v65::hvx_pkt hvx_pkt |
	sed -n 's/^Codes *: //p' | tr '\n' ' ')" "0x113 0x113 "
. "${srcdir:-.}/tests/guest/pfm-agree.sh"
