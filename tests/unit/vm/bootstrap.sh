#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# bootstrap's decisions, with stand-ins for packages, configure and make: when the tree is configured again.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin" "$dir/build-aux" "$dir/vm"
cp "$srcdir/bootstrap" "$dir/"
cp "$srcdir/build-aux/arch" "$dir/build-aux/"
cp "$srcdir/vm/arch.def" "$dir/vm/"
kernel=$(find /boot /lib/modules -maxdepth 1 -name '[v0-9]*' -printf '%f\n' | sed -n 's/^vmlinuz-//p' | head -n 1)
[ -e "/lib/modules/$kernel/build" ] || skip "no kernel with its headers: install linux-image-amd64 and linux-headers-amd64"

printf '#!/bin/sh\nprintf installed\n' >"$dir/bin/dpkg-query"
printf '#!/bin/sh\necho "make $*" >>log\n' >"$dir/bin/make"
# writes down how it was called, as autoconf's does
cat >"$dir/configure" <<END
#!/bin/sh
echo "configure \$*" >>log
echo "KERNEL_RELEASE = $kernel" >Makefile
printf '#!/bin/sh\necho "%s"\n' "\$*" >config.status
chmod +x config.status
END
chmod +x "$dir/bin"/* "$dir/configure"

# does TARGET...: what bootstrap configured and made
does()
{
	: >"$dir/log"
	PATH=$dir/bin:$PATH "$dir/bootstrap" "$@" >"$dir/said" 2>&1 || echo "status $?"
	sed 's/ --no-print-directory -j[0-9]*//' "$dir/log" | paste -s -d ';'
}

cp "$srcdir/Makefile.am" "$dir/"
cp "$srcdir/vm/Makefile.inc" "$dir/vm/"

is "the demo" "$(does demo)" "configure --enable-werror --disable-tools;make demo"
like "what comes next" "$(cat "$dir/said")" './bootstrap builds the rest'
is "the demo again" "$(does demo)" "make demo"
is "everything after the demo" "$(does)" "configure --enable-werror;make all"
is "everything again" "$(does)" "make all"
is "a target" "$(does check V=1)" "make all V=1;make check V=1"
is "the demo in a whole tree" "$(does demo)" "make demo"
sed -i 's/^KERNEL_RELEASE = .*/KERNEL_RELEASE = 0.0.1/' "$dir/Makefile"
is "a kernel that has gone" "$(does)" "configure --enable-werror;make all"

# Nothing is installed or built for a misspelt target. Files, programs and targets of all folders are none.
for target in nonsense chec mon-v; do
	is "misspelt: $target" "$(does $target)" "status 1"
	like "what it says" "$(cat "$dir/said")" "^bootstrap: $target: there is no such target"
done
mkdir "$dir/part"
printf 'bin_PROGRAMS += a mon-vm\nPHONY += fuzz-a check-b\nstress-c: all\n' >"$dir/part/Makefile.inc"
for target in mon-vm fuzz-a check-b stress-c deb bench tests/unit/x; do
	is "target $target" "$(does $target)" "make all;make $target"
done
# Another processor: what it cannot run is an error at once.
printf '#!/bin/sh\necho aarch64\n' >"$dir/bin/uname"
chmod +x "$dir/bin/uname"
is "the demo on arm64" "$(does demo)" "status 1"
like "its reason" "$(cat "$dir/said")" "need a machine with an x86_64 processor .Debian: amd64., and this is aarch64"
rm "$dir/Makefile"
is "the build on arm64" "$(does)" "configure --enable-werror --disable-guest;make all"
is "the build again" "$(does)" "make all"
is "its tests" "$(does check)" "make all;make check"
rm "$dir/bin/uname" "$dir/Makefile"

# A release that it does not know: it says so, installs what it has of Debian 13's packages, and goes on.
printf '#!/bin/sh\nexit 1\n' >"$dir/bin/dpkg-query"
printf '#!/bin/sh\necho "apt-get $*" >>log\n' >"$dir/bin/apt-get"
printf '#!/bin/sh\nexit 0\n' >"$dir/bin/apt-cache"
printf '#!/bin/sh\necho 0\n' >"$dir/bin/id"
chmod +x "$dir/bin"/*
sed -i "s,/etc/os-release,$dir/os-release,g" "$dir/bootstrap"
for other in "ubuntu noble linux-image-virtual" "debian bullseye linux-image-amd64"; do
	read -r id codename image <<<"$other"
	printf 'ID=%s\nVERSION_CODENAME=%s\n' "$id" "$codename" >"$dir/os-release"
	like "$id $codename" "$(does demo)" "apt-get .*install .*zstd .*$image .*;make demo\$"
	like "what it says about $id $codename" "$(cat "$dir/said")" \
		"the packages of \"$id $codename\" are not known here: taking those of Debian 13"
done
rm "$dir/os-release"
does demo >/dev/null
like "a system without a name" "$(cat "$dir/said")" '"unknown *" are not known here'
rm "$dir/Makefile"
for suite in "bookworm 6.1" "trixie 6.12"; do
	printf 'ID=debian\nVERSION_CODENAME=%s\n' "${suite% *}" >"$dir/os-release"
	like "Debian ${suite% *}" "$(does)" "apt-get .*install .*zstd .*linux-source-${suite#* } .*;make all"
done
# no network
printf '#!/bin/sh\necho "W: Temporary failure resolving x"\nexit 100\n' >"$dir/bin/apt-get"
is "without a network" "$(does)" "status 1"
like "the first line" "$(head -n 1 "$dir/said")" "^bootstrap: no network: "
like "a source package: the first line" "$(PATH=$dir/bin:$PATH "$srcdir/build-aux/debian-source" qemu 1:7.2 "$dir/qemu" 2>&1 |
	head -n 1)" "^debian-source: no network: .*qemu 1:7.2 comes from there: connect this machine"

# A guest's packages without a kernel, as Debian 14 has them: no guest is made.
printf '#!/bin/sh\nexit 0\n' >"$dir/bin/apt-get"
printf '#!/bin/sh\necho "  Depends: linux-image-7.1.0-riscv64"\n' >"$dir/bin/apt-cache"
printf '#!/bin/sh\n[ "$1" != --print-architecture ] || echo amd64\n' >"$dir/bin/dpkg-deb"
cp "$dir/bin/dpkg-deb" "$dir/bin/dpkg"
chmod +x "$dir/bin"/*
is "a guest without a kernel" "$(XDG_CACHE_HOME=$dir/cache PATH=$dir/bin:$PATH \
	"$srcdir/build-aux/guest-tree" riscv64 "$dir/guest" 2>&1)" \
	"guest-tree: linux-image-7.1.0-riscv64 of trixie has no kernel in /boot"
is "mon-vm's folder above what it fetched is the user's alone" "$(stat -c %a "$dir/cache/libmon")" "700"
is "nothing is left of it" "$(ls "$dir/guest" 2>&1)" "ls: cannot access '$dir/guest': No such file or directory"
summary
