#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Repeats one kind of event under load for some seconds; a test checks every round: usage storm.sh
# KIND SECONDS. Run from the top build directory; variables as for run-tests.
#
#	cpus		CPUs go offline and come back
#	device		the device is removed from its bus and found again
#	unplug		it is pulled out of the machine and put in again
#	reset		its function is reset
#	suspend		the machine sleeps
#	modules		all modules are unloaded and loaded
#	turns		they are, with perf's timers running
#	binds		a driver is bound while its function is reset
#	trace		perf trace, probes and function tracing at once
set -eu
export srcdir=${srcdir:-.}
tests=$srcdir/tests/guest
kind=${1-}
seconds=${2-}
case $seconds in
'' | *[!0-9]*)
	echo "usage: $0 KIND SECONDS" >&2
	exit 2
	;;
esac

export GUEST_TIMEOUT=$((seconds + 900))
MON_VM_FLAGS="${MON_VM_FLAGS-} --env MON_SECONDS=$seconds --env TEST_TIMEOUT=$((seconds + 600)) \
	--env TEST_PROGRESS=1 --append rcupdate.rcu_expedited=1 --append log_buf_len=32M"
case $kind in
unplug | suspend)
	export MON_VM_FLAGS
	exec "$tests/pmu/pmu-$kind.sh"
	;;
trace)
	export MON_VM_FLAGS
	exec "$tests/run-tests" tests/guest/pmu/pmu-trace.sh
	;;
cpus | device | reset | turns | modules | binds)
	export MON_VM_FLAGS="$MON_VM_FLAGS --env CK_RUN_CASE=$kind"
	exec "$tests/run-tests" tests/guest/pmu/pmu-life
	;;
*)
	echo "storm: '$kind': there is no such storm" >&2
	exit 2
	;;
esac
