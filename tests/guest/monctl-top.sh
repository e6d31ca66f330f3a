#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --device espmon --device upmem-rank
# not on riscv64 arm64: its guest has no tmux
#
# monctl top in a terminal, which is tmux.
. "${srcdir:-.}/tests/guest/lib.sh"
command -v tmux >/dev/null || skip "no tmux: install the package tmux"
export TERM=screen-256color TMUX_TMPDIR
TMUX_TMPDIR=$(mktemp -d)
load=
trap 'tmux kill-server 2>/dev/null; kill $load 2>/dev/null; rm -rf "$TMUX_TMPDIR"' EXIT

# start WIDTH HEIGHT LOCALE OPTION...
start()
{
	local width=$1 height=$2 locale=$3

	shift 3
	tmux -u new-session -d -x "$width" -y "$height" \
		env "LC_ALL=$locale" LD_LIBRARY_PATH="$LD_LIBRARY_PATH" TERM=$TERM "$monctl" top -d 0.3 "$@"
}

screen()
{
	tmux capture-pane -p
}

shows()
{
	screen | grep -qE -- "$1"
}

press()
{
	tmux send-keys "$@"
}

./examples/esp/esp-fft --log-len 10 --repeat 1000000 --coherence none >/dev/null 2>&1 &
load=$!

# ---- 80 x 24
start 80 24 C.UTF-8 -e 'espmon/noc_injects_p?/,espmon/acc_*/,espmon/ddr_accesses/,upmem/dpu_*/'
wait_until shows '^ddr_accesses +[1-9][0-9.]* [kM]?words +█'
ok "no line wraps" test "$(screen | LC_ALL=C.UTF-8 wc -L)" -le 80
is "24 lines" "$(screen | wc -l)" 24
like "its head" "$(screen | head -n 1)" '^monctl top  espmon'
wait_until shows '^Tile 0 '
like "the answer, before the bars" "$(screen | sed -n 3p)" '^Tile 0 \(fft_stratus.0\) computed in [89][0-9] % of its run time'
like "keys" "$(screen | tail -n 1)" 'Tab PMU .* q quit'
ok "the fullest first" test "$(screen | grep -A 1 '^event ' | tail -n 1 | grep -c cycles)" -eq 1

is "a glob brings no halves of 64-bit counters" \
	"$(screen | grep -cE '^acc_(mem|tot)_(lo|hi)') $(screen | grep -cE '^acc_(mem|tot)_cycles')" "0 2"
like "the bars say what their scale is" "$(screen | grep '^event ')" "unit's scale +history"
# words are far fewer than cycles, and have a full bar of their own; the load is steady, so the
# history is high
full='(█){12}'
wait_until shows "^ddr_accesses .*$full"
wait_until shows '^ddr_accesses .*[▅▆▇█]{5}$'
press Tab
wait_until shows '^monctl top  upmem'
press h
wait_until shows 'Tab +the next PMU'
press h
press p
wait_until shows PAUSED
press q
wait_until bash -c '! tmux has-session 2>/dev/null'

# ---- 200 x 60, ASCII
start 200 60 C -e 'espmon/noc_injects_p?/'
wait_until shows 'noc_injects_p5 +[1-9]'
ok "wide: no line wraps" test "$(screen | LC_ALL=C.UTF-8 wc -L)" -le 200
is "wide: nothing but ASCII" "$(screen | LC_ALL=C grep -c '[^ -~]')" 0
press q
wait_until bash -c '! tmux has-session 2>/dev/null'

# ---- a clock that is counted for all places, and added for each
while ./examples/upmem/reduction examples/upmem/reduction.dpu; do :; done >/dev/null 2>&1 &
dpus=$!
start 120 40 C.UTF-8 -e 'upmem/dpu_cycles/,upmem/dpu_instructions/'
wait_until shows '^dpu_cycles +25.6 Gcycles/s'
is "is one row" "$(screen | grep -c '^dpu_cycles')" 1
press q
wait_until bash -c '! tmux has-session 2>/dev/null'
kill $dpus
like "without a terminal" "$("$monctl" top 2>&1 </dev/null)" 'no terminal: monctl stat -I'
ok "the load has not ended" kill $load
summary
