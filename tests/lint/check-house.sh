#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-house: in a copy of the sources, one more ESP event and a fifth system are added, built, tested and
# counted in a guest. What had to be touched is the output; more than the project promises is an error:
#   an event: its line in the catalogue, and the place where the model counts it
#   a system: a line in events/systems.def, and a folder in each of events/, pmu/, models/ and qemu/
set -eu
srcdir=$(cd "${srcdir:-.}" && pwd)
house=$srcdir/tests/lint/house
built=$(pwd)
copy=$built/build/house

die() {
	echo "check-house: $*" >&2
	exit 1
}

[ "$srcdir" = "$built" ] || {
	echo "check-house: not run: it copies a tree that was built where its sources are"
	exit 0
}
rm -rf "$copy"
mkdir -p "$copy"
# with what is built, so that only what follows from the change is built again
tar -C "$built" --exclude=./build/house --exclude=./build/qemu --exclude=./build/perf --exclude=./build/fuzz \
	--exclude=./build/debug-kernel --exclude=./build/kernel-* --exclude=./build/guest-* --exclude=./build/lint \
	--exclude=./.git -cf - . | tar -C "$copy" -xf -
ln -s "$built/build/qemu" "$copy/build/qemu"
cd "$copy"
git init -q .
git config gc.auto 0
git add -A
git -c user.name=house -c user.email=house@localhost commit -qm "before" --no-verify

# the event, after the last monitor
sed -i '/^MON_EVENT(noc_queue_full_p5_l, /,/)$/{/)$/a\
MON_EVENT(acc_starts, 59, ESP_ON_ACC, ESPMON_2023, "starts", "",\
	"Starts of the accelerator (of check-house)")
}' events/espmon/events.def
sed -i 's/^\([ \t]*\)esp_count(soc, soc->acc_tile\[acc\], ESP_MON_ACC_INVOCATIONS, 1);/&\
\1esp_count(soc, soc->acc_tile[acc], ESPMON_acc_starts, 1);/' models/esp/accelerator.c
touched=$(git status --porcelain | awk '{ print $2 }' | sort | tr '\n' ' ')
echo "check-house: an event touches: $touched"
[ "$touched" = "events/espmon/events.def models/esp/accelerator.c " ] ||
	die "an event has to touch its catalogue and one place in the model, no less and no more"
git -c user.name=house -c user.email=house@localhost commit -qam "an event"

# the system
cp -r "$house/events" "$house/pmu" "$house/models" "$house/qemu" .
cat "$house/row" >>events/systems.def
touched=$(git status --porcelain | awk '{ print $2 }' | sort | tr '\n' ' ')
echo "check-house: a system touches: $touched"
[ "$touched" = "events/scratch/ events/systems.def models/scratch/ pmu/scratch/ qemu/scratch/ " ] ||
	die "a system has to touch systems.def and to bring four folders, no less and no more"

# the table of the tests, which is independent of the catalogue
sed -i "/^noc_queue_full_p5_l,/a acc_starts,0x3b" tests/libpfm4/espmon.csv
export CK_TIMEOUT_MULTIPLIER=10
make -s -j2 all >house.log 2>&1 || { tail -n 30 house.log; die "it does not build"; }
make -s libpfm4 >>house.log 2>&1 || { tail -n 30 house.log; die "libpfm4 does not build or its tests fail"; }
tests="tests/unit/esp/test-csr tests/unit/esp/test-soc tests/unit/libmon/test-libmon"
tests="$tests tests/unit/pmu/test-counter tests/unit/pmu/test-espmon"
make -s -j2 check-TESTS check_PROGRAMS="$tests" TESTS="$tests" >>house.log 2>&1 || {
	grep -a -h -E ':[FE]:' $(printf '%s.log ' $tests) || tail -n 30 house.log
	die "a unit test fails"
}
grep -q 'checking scratch (.*Passed' build/libpfm4/validate.log || die "libpfm4 does not check scratch"
${CC:-cc} -O2 -Wall -I libmon/include -I . -I build/libpfm4/include "$house/count.c" -o house-count \
	-L .libs -lmon build/libpfm4/lib/libpfm.a
./mon-vm --append iomem=relaxed -- sh "$house/in-guest.sh" ./house-count || die "the guest's counts are wrong"

# the layering is kept, and its check can fail
make -s check-includes
sed -i '1a #include "models/esp/soc.h"' libmon/error.c
! make -s check-includes >/dev/null 2>&1 || die "an include of models/ in libmon/ is not noticed"
git checkout -q libmon/error.c
printf 'void *esp_soc_new(void);\nvoid *house(void);\nvoid *house(void)\n{\n\treturn esp_soc_new();\n}\n' >>libmon/error.c
make -s libmon/libmoncore.la >>house.log 2>&1
python3 tests/lint/symbols.py | grep -q '^libmon/error.c: libmon/ may not use models/: esp_soc_new' ||
	die "a call into models/ from libmon/, declared by hand, is not noticed"
cd "$built"
rm -rf "$copy"
echo "check-house: one line an event, four folders and a line a system"
