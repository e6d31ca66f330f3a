#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-library: from a clean copy of the sources, configured without guest and tools, without a kernel, QEMU's and
# Linux's sources, Check, dygraphs or clang: first libmon.la alone, then all libraries, installed, linked
# statically and uninstalled. A cross build asks for no other build tree.
set -eu
srcdir=$(cd "${srcdir:-.}" && pwd)
copy=$(pwd)/build/library

die() {
	echo "check-library: $*" >&2
	exit 1
}

step() {
	local log=$copy/$1.log

	shift
	"$@" >"$log" 2>&1 || {
		tail -n 20 "$log"
		die "$* fails"
	}
}

rm -rf "$copy"
mkdir -p "$copy/none"
# the sources and what autoreconf made, nothing that was built
(cd "$srcdir" && srcdir=. python3 tests/lint/sources.py && ls -d configure Makefile.in aclocal.m4 build-aux/* m4/*) |
	sort -u | tar -C "$srcdir" -T - -cf - | tar -C "$copy" -xf -
srcdir=$srcdir python3 "$srcdir/tests/lint/sources.py" >"$copy/.sources"
cd "$copy"
# make cannot work there
mkdir "$copy/with space"
for how in "--prefix=$copy/with space" "--quiet"; do
	(case $how in --quiet) cd "$copy/with space" ;; esac
		"$copy/configure" --disable-guest --disable-tools "$how") >"$copy/space.log" 2>&1 && die "configure takes $how"
	grep -q 'with space: make cannot work with a space in a path' "$copy/space.log" || die "configure $how: $(tail -n 3 "$copy/space.log")"
done
step configure ./configure --disable-guest --disable-tools --enable-static --enable-werror --prefix="$copy/root" \
	--with-kernel=none --with-linux-source="$copy/none" --with-dygraphs="$copy/none" QEMU=none CLANG= CHECK_CFLAGS= \
	GLIB_CFLAGS= CC="${CC:-cc}"
if ! grep -q 'QEMU source  *none' "$copy/configure.log" || grep -q 'source package' "$copy/configure.log"; then
	die "the summary of configure names sources of parts that are not built"
fi
step libmon make -j2 libmon.la
step libmon-esp make -j2 libmon-esp.la
step all make -j2
# without DESTDIR: libtool --finish then runs ldconfig in the folders of libraries
step install make install
pc=$(find "$copy/root" -name libmon.pc)
export PKG_CONFIG_PATH=${pc%/*}
for library in "$copy"/root/lib/libmon*.so.0; do
	needed=$(objdump -p "$library" | awk '/NEEDED/ { print $2 }' | grep -vE '^lib(c|m|elf|dw|mon)\.so\.|^ld-' || true)
	[ -z "$needed" ] || die "${library##*/} needs $needed"
done
cat >"$copy/names.c" <<'END'
#include <mon.h>
#include <stdio.h>

int main(void)
{
	struct mon_pmus *pmus = mon_pmus_new();

	printf("%s %s\n", mon_version(), pmus ? "pmus" : mon_error());
	mon_pmus_free(pmus);
	return 0;
}
END
# shellcheck disable=SC2046 # a list of flags
step link ${CC:-cc} -static "$copy/names.c" -o "$copy/names" $(pkg-config --static --cflags --libs libmon)
"$copy/names" | grep -q "^$(pkg-config --modversion libmon) " || die "a statically linked program does not run"
step uninstall make uninstall
left=$(find "$copy/root" ! -type d)
[ -z "$left" ] || die "make uninstall leaves $left"
step dist make check-dist
step cross ./configure --build=x86_64-linux-gnu --host=aarch64-linux-gnu --disable-guest --disable-tools CC="${CC:-cc}"
cd /
rm -rf "$copy"
echo "check-library: the libraries build, install, link, uninstall and make a whole tarball alone"
