#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# All programs of the build (PROGRAMS): --version names the release, and a full device is an error that says so.
. "${srcdir:-.}/tests/guest/lib.sh"
[ -c /dev/full ] || skip "no /dev/full"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# hexagon-stat is a script that runs monctl
name_of()
{
	basename "$1" | sed 's/^hexagon-stat$/monctl/'
}

# full COMMAND...: it writes to a full device and must say so
full()
{
	local text status

	text=$("$@" 2>&1 >/dev/full </dev/null)
	status=$?
	ok "$* >/dev/full: its status" test $status -ne 0 -a $status -lt 128
	like "$* >/dev/full: what it says" "$text" "$(name_of "$1").*(No space left on device|[Ss]tandard output)"
	[[ $text != *Traceback* ]]
	verdict "$* >/dev/full: no traceback" $? "$text"
}

[ -n "$PROGRAMS" ] || fails "the programs of the build" true
for program in $PROGRAMS; do
	[ "$program" != dpu-pkg-config ] || continue	# it is pkg-config
	path=./$program
	[ -e "$path" ] || path=$srcdir/$program
	is "$program --version" "$("$path" --version)" "$(name_of "$program") (libmon) $VERSION"
	full "$path" --version
	full "$path" --help
done

# what they print of their own
vecadd=examples/upmem/vecadd.dpu
full ./dpu-objdump $vecadd
full ./dpu-objdump --symbols $vecadd
full ./dpu-run --counters examples/upmem/hello.dpu
full ./hexagon-run --list
full ./mon-socgen --dts "$srcdir"/tests/designs/fft-3x2.esp_config
recording=$(tests/browser/write-recording)
for export in --csv --json --perfetto; do
	full ./monctl export $export "$recording"
done
rm -f "$recording"
# a compiler whose temporary files are in memory does not care for a full disk
if [ -n "$CLANG" ]; then
	ok "dpu-cc without TMPDIR" env TMPDIR=/dev/full ./dpu-cc -O2 "$srcdir"/examples/upmem/c/hello.c -o "$dir/hello.dpu"
fi
summary
