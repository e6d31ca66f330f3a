#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# From the host: hexagon-host is killed while a guest's program runs on it.
# shellcheck disable=SC2016 # expands in the guest
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
[ -x examples/hexagon/hand ] || skip "the Hexagon programs were not built: install clang and lld"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# a folder of its own distinguishes this test's programs from others
mkdir "$dir/programs"
cp examples/hexagon/endless "$dir/programs"

# confined: true if a program from our folder runs
confined()
{
	grep -l -a -z "^$dir/programs" /proc/[0-9]*/cmdline 2>/dev/null | grep -v "/$host/" |
		grep -q .
}

nothing_confined()
{
	! confined
}

./hexagon-host --socket "$dir/socket" "$dir/programs" &
host=$!
wait_until test -S "$dir/socket"
./mon-vm --device hexagon-pmu,chardev=core --qemu-arg -chardev \
	--qemu-arg "socket,id=core,path=$dir/socket" -- bash -c '
	export LC_ALL=C
	count() { perf stat -x, -e hexagon/committed_pkt_any/ "$@" 2>&1 | cut -d, -f1; }
	export -f count
	./hexagon-run endless &
	program=$!
	until [ "$(count sleep 0.2)" -gt 0 ]; do :; done
	# The shell ends when the program ends, so perf reads after the host has ended. It waits for
	# packets first, which perf counts, too.
	perf stat -x, -o /tmp/kept -e hexagon/committed_pkt_any/ -- bash -c "
		until [ \"\$(count sleep 0.2)\" -gt 0 ]; do :; done
		echo counting
		while kill -0 $program; do sleep 0.1; done" 2>/dev/null &
	wait $program
	echo "status $?"
	wait
	echo "kept $(grep -c "^[1-9][0-9]*,packets" /tmp/kept)"
	echo "idle $(count sleep 0.2)"
	./hexagon-run endless
	echo "status $?"' >"$dir/out" 2>"$dir/err" &
guest=$!
wait_until grep -q counting "$dir/out"
ok "the program runs on the host" confined
kill -KILL "$host"
wait "$guest"
is "the guest goes on" $? 0
is "the program ended, its packets are kept, no other can run" "$(cat "$dir/out")" \
	$'counting\nstatus 125\nkept 1\nidle 0\nstatus 125'
like "why it ended" "$(cat "$dir/err")" 'was not run to its end: .*it went away'
like "why no other runs" "$(cat "$dir/err")" 'no host runs programs'
wait_until nothing_confined
ok "nothing runs on" nothing_confined
summary
