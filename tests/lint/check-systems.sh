#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-systems [SYSTEM...]: each system alone, from a copy of the sources: ./configure --with-systems=SYSTEM, build, the
# tests of that configuration, install, uninstall, a whole tarball. No file of another system may be built or installed.
set -eu
srcdir=$(cd "${srcdir:-.}" && pwd)
top=$(pwd)
names=$(sed -n 's/^MON_SYSTEM(\([a-z0-9_]*\),.*/\1/p' "$srcdir/events/systems.def")

die() {
	echo "check-systems: $*" >&2
	exit 1
}

step() {
	local log=$1

	shift
	"$@" >"$log" 2>&1 || {
		grep -E '^(FAIL|ERROR)|error:|\*\*\*' "$log" || tail -n 20 "$log"
		die "$system: $* fails: see $log"
	}
}

for system in ${*:-$names}; do
	begin=$(date +%s)
	copy=$top/build/alone/$system
	rm -rf "$copy"
	mkdir -p "$copy/build"
	(cd "$srcdir" && srcdir=. python3 tests/lint/sources.py &&
		ls -d configure Makefile.in aclocal.m4 build-aux/* m4/*) |
		sort -u | tar -C "$srcdir" -T - -cf - | tar -C "$copy" -xf -
	srcdir=$srcdir python3 "$srcdir/tests/lint/sources.py" >"$copy/.sources"
	# QEMU's headers are those of the distribution, whatever is built
	cp -a "$top/build/qemu" "$copy/build/"
	touch "$copy/build/qemu/version"
	cd "$copy"
	step configure.log ./configure --enable-werror --with-systems="$system" --prefix=/usr CC="${CC:-cc}"
	step make.log make -j2
	step check.log make -k -j2 check
	step dist.log make check-dist
	step install.log make install DESTDIR="$copy/root"
	others=$(tr ' ' '|' <<<"$(grep -vx "$system" <<<"$names" | xargs)")
	found=$(find . -path ./root -prune -o -regextype posix-extended -regex ".*/($others)/.*\.(o|mo|qo|ko)" -print |
		grep -v '^./build/qemu/' | head -n 3)
	[ -z "$found" ] || die "$system: builds what belongs to another system: $found"
	found=$(find root -regextype posix-extended -regex ".*/libmon-($others)\.so.*" | head -n 3)
	[ -z "$found" ] || die "$system: installs a library of another system: $found"
	step uninstall.log make uninstall DESTDIR="$copy/root"
	found=$(find root ! -type d | head -n 3)
	[ -z "$found" ] || die "$system: make uninstall leaves $found"
	echo "check-systems: $system builds, installs, uninstalls and makes a tarball alone, $(grep -c '^PASS' check.log) tests passed, $(($(date +%s) - begin)) s"
	cd "$top"
	rm -rf "$copy"
done
