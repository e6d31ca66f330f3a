#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In the guest of check-house: the new event and the fifth system, by perf, mon.h and libpfm4.
set -eu
count=$1

expect() {
	[ "$2" = "$3" ] || {
		echo "check-house: $1: got '$2', expected '$3'"
		exit 1
	}
	echo "check-house: $1: $2"
}

# one run of the accelerator, one start
run="./examples/esp-fft --log-len 7 --coherence none"
stat=$(perf stat -x, -a -e espmon/acc_starts/ $run 2>&1 >/dev/null | grep acc_starts | cut -d, -f1)
expect "espmon/acc_starts/ by perf stat" "$stat" 1
expect "by mon.h and libpfm4" "$($count espmon acc_starts -- $run | grep '^acc_starts')" "acc_starts 1 1"

stat=$(perf stat -x, -a -e scratch/scratch_writes/,scratch/scratch_reads/ $count --touch 10 7 2>&1 |
	grep scratch | cut -d, -f1 | tr '\n' ' ')
expect "scratch by perf stat" "$stat" "10 7 "
expect "by mon.h and libpfm4" "$($count scratch scratch_writes scratch_reads -- $count --touch 5 3 | tr '\n' ' ')" \
	"scratch_writes 5 5 scratch_reads 3 3 "
