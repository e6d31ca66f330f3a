#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The load that `make check-trace` records: processes that fork, many mmap and munmap, and two
# processes of one priority that take turns with each tick. usage: cpu-trace-load.sh ROUNDS
rounds=$1
echo 1 >/proc/sys/kernel/sched_rr_timeslice_ms
perf stat -e espmon/l2_misses/,espmon/l2_hits/ -- bash -c '
for ((i = 0; i < '"$rounds"'; i++)); do
	for k in 1 2; do
		chrt -r 5 sh -c "sort -R /etc/protocols >/dev/null" &
	done
	python3 -c "import mmap, os
for i in range(20):
    m = mmap.mmap(-1, 1 << 18); m[::4096] = b\"x\" * 64; m.close()
for i in range(2):
    os.fork() or os._exit(0)
    os.wait()"
	wait
done'
