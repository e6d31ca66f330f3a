#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Where monctl looks for its metrics, and its messages about files with mistakes.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export XDG_CONFIG_HOME=$dir/config
mkdir -p "$dir/config/libmon/metrics"
mine=$dir/config/libmon/metrics/mine.metrics
presets=$(./monctl list --presets | cut -f 1 | paste -sd ' ')

like "the presets that are installed" "$presets" 'accelerators'
printf 'pmu espmon\npreset mine\n\ttext my own\n\tevents ddr_accesses\n\tdefault no\n' >"$mine"
is "the user's come behind them" "$(./monctl list --presets | cut -f 1 | paste -sd ' ')" "$presets mine"
is "with their text" "$(./monctl list --presets | tail -n 1)" $'mine\tmy own'
printf 'pmu espmon\npreset other\n\tcount everything\n' >"$mine"
like "a mistake is told" "$(./monctl list --presets 2>&1 >/dev/null)" 'mine.metrics:3: a preset has .*monctl-metrics'
is "and the rest works" "$(./monctl list --presets 2>/dev/null | cut -f 1 | paste -sd ' ')" "$presets other"
rm "$mine"
like "a preset with a table of its own stands alone" "$(./monctl stat -p profile -p noc -- true 2>&1)" \
	'preset profile goes only with'
like "also without intervals" "$(./monctl stat -p profile -I 1s -- true 2>&1)" 'preset profile goes only with'
like "other presets do not run once" "$(./monctl stat -p noc --once -- true 2>&1)" 'once is for presets that have a table'
like "a folder without metrics" "$(MONCTL_METRICS=$dir ./monctl list --presets 2>&1)" "$dir: no metrics there: install them"
summary
