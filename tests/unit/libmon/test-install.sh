#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A program in the style of ESP's examples compiles and links with the files of `make install` and
# the flags of pkg-config, nothing else. Each library exports exactly what its headers declare.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cc=${CC:-cc}

# libtool links again to install; another test may do that at the same time
ok "make install" flock config.status make -s install-libLTLIBRARIES install-libmonincludeHEADERS \
	install-nobase_libmonincludeHEADERS install-libmontestincludeHEADERS \
	install-libmonutilsincludeHEADERS \
	install-binSCRIPTS install-upmemsdkDATA \
	install-dist_upmemsdkpythonDATA install-upmem-sdk \
	install-pkgconfigDATA install-espdesignsDATA DESTDIR="$dir/root"
pc=$(find "$dir/root" -name libmon.pc)
libdir=${pc%/pkgconfig/libmon.pc}
export PKG_CONFIG_PATH=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$dir/root

mon_headers=mon.h
mrfld_headers=mon_mrfld.h
hexagon_headers=mon_hexagon.h
esp_headers="contig.h libesp.h monitors.h"
dpu_headers="dpu.h dpu_bank_interface_pmc.h dpu_description.h dpu_fifo.h dpu_management.h dpu_probe.h
	perfcounter.h"

mkdir "$dir/app"
cp "${srcdir:-.}"/examples/esp/soc_defs.h "${srcdir:-.}"/examples/esp/soc_locs.h "$dir/app"
cat > "$dir/app/app.c" <<'END'
#include "libesp.h"
#include "fft_stratus.h"
#include "monitors.h"

static struct fft_stratus_access fft_cfg_000[] = {{
	.esp.coherence = ACC_COH_NONE,
	.esp.p2p_store = 0,
	.esp.p2p_nsrcs = 0,
	.esp.p2p_srcs = {"", "", "", ""},
	.batch_size = 1,
	.log_len = 7,
	.do_bitrev = 1,
	.src_offset = 0,
	.dst_offset = 0,
}};

static esp_thread_info_t cfg_000[] = {{
	.run = true,
	.devname = (char *)"fft_stratus.0",
	.ioctl_req = FFT_STRATUS_IOC_ACCESS,
	.esp_desc = &(fft_cfg_000[0].esp),
}};

/* the small things that ESP's applications use */
static unsigned int in_words_adj(unsigned int len)
{
	if (DMA_WORD_PER_BEAT(sizeof(int32_t)) <= 1)
		return 2 * len;
	return round_up(2 * len, DMA_WORD_PER_BEAT(sizeof(int32_t)));
}

int main(int argc, char **argv)
{
	esp_monitor_args_t mon_args;
	esp_monitor_vals_t vals_start, vals_end, vals_diff;
	unsigned int ddr_start, ddr_end;
	(void)argv;

	assert(in_words_adj(127) == 254);
	assert(float_to_fixed32(-1.5, 12) == -(3 << 19));
	assert(fixed32_to_float(3 << 19, 12) == 1.5);
	mon_args.read_mode = ESP_MON_READ_SINGLE;
	mon_args.tile_index = 2;
	mon_args.mon_index = MON_DDR_WORD_TRANSFER_INDEX;
	ddr_start = esp_monitor(mon_args, NULL);
	cfg_000[0].hw_buf = esp_alloc(1024);
	if (argc > 1)
		esp_run(cfg_000, 1);
	ddr_end = esp_monitor(mon_args, NULL);
	printf("\tOff-chip memory accesses: %d\n", sub_monitor_vals(ddr_start, ddr_end));
	mon_args.read_mode = ESP_MON_READ_ALL;
	esp_monitor(mon_args, &vals_start);
	esp_monitor(mon_args, &vals_end);
	vals_diff = esp_monitor_diff(vals_start, vals_end);
#ifdef LINUX
	esp_monitor_print(mon_args, vals_diff, stdout);
#else
	esp_monitor_print(mon_args, vals_diff);
#endif
	esp_monitor_free();
	esp_free(cfg_000[0].hw_buf);
	return 0;
}
END
top=$PWD
cd "$dir/app" || exit 1
like "a missing soc_defs.h is told" "$(printf '#include "monitors.h"\n' | $cc -xc -fsyntax-only - \
	$(pkg-config --cflags libmon-esp) 2>&1)" "write it with mon-socgen"
ok "designs are there" test -n "$(find "$dir/root" -name fft-3x2.esp_config)"
# a list of flags; the program's own headers, soc_defs.h and soc_locs.h, are found as in ESP
# shellcheck disable=SC2046
for how in "-DLINUX" "" "-std=c99 -pedantic"; do
	ok "compiles and links ${how:-without LINUX}" $cc $how -I. app.c -o app \
		$(pkg-config --cflags --libs libmon-esp)
done
printf '#include "libesp.h"\n#include "fft_stratus.h"\n#include "monitors.h"\n' > app.cc
# shellcheck disable=SC2046
ok "the headers are C++, too" $cc -x c++ -Wall -Werror -I. -fsyntax-only app.cc \
	$(pkg-config --cflags libmon-esp)
ok "runs" env LD_LIBRARY_PATH="$libdir" LIBMON_QUIET=1 ./app
like "tells errors that the program ignores" "$(LD_LIBRARY_PATH=$libdir ./app 2>&1 >/dev/null)" \
	"^libmon-esp: espmon: no such PMU: .*
libmon-esp: /dev/contig_alloc not found"
printf '#include <mon.h>\n#include <stdio.h>\nint main(void) { puts(mon_version()); }\n' > version.c
# shellcheck disable=SC2046
ok "a program on libmon alone" $cc version.c -o version $(pkg-config --cflags --libs libmon)
is "version" "$(LD_LIBRARY_PATH=$libdir ./version)" "$(pkg-config --modversion libmon)"
printf '#include <dpu.h>\nint main(void) { struct dpu_set_t set; return !dpu_alloc(1, "backend=hw", &set); }\n' \
	> alloc.c
# shellcheck disable=SC2046
ok "a program on libmon-dpu" $cc alloc.c -o alloc $(pkg-config --cflags --libs libmon-dpu)
ok "there is no rank" env LD_LIBRARY_PATH="$libdir" ./alloc

# in place of the SDK
sdk=$libdir/libmon/upmem-sdk
for version in "" .2020.3 .2021.3 .2023.1 .2024.1 .2024.2 .2025.1; do
	is "libdpu.so$version" "$(readlink "$sdk/libdpu.so$version")" ../../libmon-dpu.so.0
done
is "dpu-pkg-config" "$(unset PKG_CONFIG_SYSROOT_DIR; PKG_CONFIG_PATH=$sdk \
	"$(find "$dir/root" -name dpu-pkg-config ! -path '*/upmem-sdk/*')" --modversion dpu)" 2025.1.0
ok "its Python module is there" test -e "$sdk/python/dpu/driver.py"

# library SONAME-STEM HEADER...: it exports exactly what its headers declare as MON_API ... NAME(
library()
{
	local so=$libdir/$1.so.0 declared

	shift
	is "no text section of $so is writable" "$(readelf -d "$so" | grep -c TEXTREL)" 0
	is "soname of $so" "$(objdump -p "$so" | awk '/SONAME/ { print $2 }')" "${so##*/}"
	declared=$(cd "$include" && cat "$@" | tr '\n' ' ' |
		grep -o 'MON_API [^(]*(' | sed 's/($//; s/.*[ *]//' | grep -v __attribute__ | sort -u)
	is "functions of $so" "$(nm -D --defined-only "$so" |
		awk '$2 == "T" { print $3 }' | sed 's/@.*//' | sort)" "$declared"
	is "data of $so" "$(nm -D --defined-only "$so" | awk '$2 ~ /[BDR]/')" ""
}
include=$(dirname "$(find "$dir/root" -name mon.h)")
is "headers of libmon and of the others" \
	"$(cd "$include" && grep -l MON_API ./*.h | sed 's|./||' | sort | tr '\n' ' ')" \
	"$(printf '%s\n' $mon_headers $esp_headers $dpu_headers $mrfld_headers $hexagon_headers | sort | tr '\n' ' ')"
# lists of names
# shellcheck disable=SC2086
{
	library libmon $mon_headers
	library libmon-esp $esp_headers
	library libmon-dpu $dpu_headers
	library libmon-mrfld $mrfld_headers
	library libmon-hexagon $hexagon_headers
}

# libmon-esp alone prints, as ESP's does; libmon-dpu does where an environment variable asks it to
is "nothing that prints or ends the program" "$(nm -uA "$top"/libmon/.libs/libmoncore.a \
	"$top"/libmon/mrfld/.libs/libmonmrfld.a \
	"$top"/libmon/hexagon/.libs/libmonhexagon.a "$top"/libmon/upmem/.libs/libmondpu.a |
	grep -v 'libmondpu_la-\(debug\|report\|simulator\|summary\)\.o:' |
	grep -wE 'stdout|stderr|printf|puts|putchar|perror|exit|_exit|abort|__assert_fail|__printf_chk')" ""
# as in ESP
is "headers that define BIT or round_up" \
	"$(grep -rlE 'define[[:space:]]+(BIT|round_up)\>' "$include")" "$include/esp_accelerator.h"
summary
