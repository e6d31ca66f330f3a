#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Without message interrupts the driver looks now and then, and only for those who wait: a program that has ended and whose
# file is closed unread has an end in the trace, too.
# mon-vm: --append pci=nomsi --device hexagon-pmu --hexagon-dir examples/hexagon
. "${srcdir:-.}/tests/guest/lib.sh"
tracing=/sys/kernel/tracing

is "there are none" "$(grep -c hexagon /proc/interrupts)" 0
echo 1 >$tracing/events/hexagon_run/enable
exec 3<>/dev/hexagon
printf 'hand\0' >&3
sleep 1
exec 3>&-
is "the run" "$(grep -o 'run_begin\|run_end' $tracing/trace | xargs)" "run_begin run_end"
is "the next one" "$(./hexagon-run hand >/dev/null && grep -c run_end $tracing/trace)" 2
echo 0 >$tracing/events/hexagon_run/enable
summary
