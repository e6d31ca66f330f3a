#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Every option that names a file to write: a device, a link and the mode of a file stay what they are, a full device is
# an error, and "-" and /dev/stdout are standard output. The devices are nodes of this test's own if it may make some.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
designs=$srcdir/tests/designs accelerators=$srcdir/examples/esp/accelerators
acc=$srcdir/tools/esp/mon-esp-acc/mon-esp-acc
null=$dir/null full=$dir/full
if ! { mknod "$null" c 1 3 && mknod "$full" c 1 7 && : >"$null"; } 2>"$dir/reason"; then
	[ "$(id -u)" -ne 0 ] || skip "no devices can be made: $(cat "$dir/reason")"
	null=/dev/null full=/dev/full
fi

# devices NAME COMMAND... with OUT for the file
devices()
{
	local name=$1 node before

	shift
	for node in "$null" "$full"; do
		before=$(stat -c '%F %a %t %T' "$node")
		"${@//OUT/$node}" >"$dir/out" 2>&1
		status=$?
		is "$name: $node" "$(stat -c '%F %a %t %T' "$node")" "$before"
		[ "$node" != "$full" ] || ok "$name: a full device is an error" test $status -ne 0
	done
}

# writes NAME COMMAND... : also to links and files that exist
writes()
{
	local name=$1

	shift
	devices "$name" "$@"
	rm -f "$dir/target" "$dir/link"
	install -m 640 /dev/null "$dir/target"
	ln -s target "$dir/link"
	ok "$name: to a link" "${@//OUT/$dir/link}"
	is "$name: the link" "$(readlink "$dir/link")" target
	is "$name: the mode" "$(stat -c %a "$dir/target")" 640
	ok "$name: what is written" test -s "$dir/target"
}

# prints NAME COMMAND... : also to standard output
prints()
{
	local name=$1 out

	shift
	writes "$name" "$@"
	for out in - /dev/stdout; do
		"${@//OUT/$out}" 2>"$dir/errors" | cat >"$dir/printed"
		ok "$name: $out" test -s "$dir/printed"
		ok "$name: no file of that name" test ! -e ./-
	done
}

# tell_report FILE: the status of dpu-run --host is the program's own, so what is said of the summary decides
tell_report()
{
	./dpu-run --host --report="$1" examples/upmem/vecadd examples/upmem/vecadd.dpu 2>&1 >/dev/null | { ! grep .; }
}

recording=$(tests/browser/write-recording)
if [ -n "$PROGRAMS" ] && [[ " $PROGRAMS " == *mon-socgen* ]]; then
	prints "mon-esp-acc header" "$acc" header --xml "$accelerators/vadd.xml" -o OUT
	prints "mon-esp-acc c" "$acc" c "$accelerators/fourier.c" -o OUT
	# the files of a folder
	ok "mon-socgen" ./mon-socgen -o "$dir" "$designs/fft-3x2.esp_config"
	for file in soc_defs.h soc_locs.h esplink.h; do
		mv "$dir/$file" "$dir/expected"
		install -m 640 /dev/null "$dir/target"
		ln -s target "$dir/$file"
		ok "mon-socgen: $file" ./mon-socgen -o "$dir" "$designs/fft-3x2.esp_config"
		is "mon-socgen: $file is a link" "$(readlink "$dir/$file")" target
		is "mon-socgen: its mode" "$(stat -c %a "$dir/target")" 640
		ok "mon-socgen: what is written" cmp "$dir/target" "$dir/expected"
		ln -sf "$full" "$dir/$file"
		fails "mon-socgen: $file on a full device" ./mon-socgen -o "$dir" "$designs/fft-3x2.esp_config"
		ok "mon-socgen: the device" test -c "$full"
		rm "$dir/$file"
	done
fi
if [[ " $PROGRAMS " == *monctl* ]]; then
	prints "monctl export" ./monctl export --csv "$recording" -o OUT
	prints "monctl report" ./monctl report "$recording" -o OUT
fi
if [[ " $PROGRAMS " == *dpu-run* ]]; then
	prints "dpu-as" ./dpu-as "$srcdir"/examples/upmem/hello.s -o OUT
	prints "dpu-run --profile" ./dpu-run --profile OUT examples/upmem/hello.dpu
	prints "dpu-run --dump" ./dpu-run --dump MRAM:0:64=OUT examples/upmem/page-kernel.dpu
	writes "dpu-run --host --report" tell_report OUT
	ok "dpu-run --host --report: -" grep -q '^dpu summary' \
		<(./dpu-run --host --report=- examples/upmem/vecadd examples/upmem/vecadd.dpu)
	printf '.text\n.globl main\nmain:\n\tfault 3\n' >"$dir/faults.s"
	ok "a program that faults" ./dpu-as "$dir/faults.s" -o "$dir/faults.dpu"
	devices "dpu-run --core" ./dpu-run --core OUT "$dir/faults.dpu"
	[ -z "$CLANG" ] || prints "dpu-cc" ./dpu-cc "$srcdir"/examples/upmem/c/hello.c -o OUT
fi
if [[ " $PROGRAMS " == *hexagon-run* ]] && [ -x examples/hexagon/hand ]; then
	prints "hexagon-run --profile" ./hexagon-run --profile OUT examples/hexagon/hand
	prints "hexagon-run --marks" ./hexagon-run --marks OUT examples/hexagon/hand
	devices "hexagon-cc" ./hexagon-cc -O2 "$srcdir/examples/hexagon/dot.c" -o OUT
fi
rm -f "$recording"
summary
