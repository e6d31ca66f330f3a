#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A program in the style of ESP's examples compiles and links with what `make install` puts in place
# and pkg-config names, alone; and the library exports what its headers declare and nothing else.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cc=${CC:-cc}

ok "make install" make -s install-libLTLIBRARIES install-libmonincludeHEADERS \
	install-nobase_libmonincludeHEADERS \
	install-pkgconfigDATA DESTDIR="$dir/root"
pc=$(find "$dir/root" -name libmon.pc)
libdir=${pc%/pkgconfig/libmon.pc}
export PKG_CONFIG_PATH=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$dir/root

mkdir "$dir/app"
cp "${srcdir:-.}"/examples/soc_defs.h "${srcdir:-.}"/examples/soc_locs.h "$dir/app"
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
cd "$dir/app" || exit 1
# a list of flags
# shellcheck disable=SC2046
for how in "-DLINUX" "" "-std=c99 -pedantic"; do
	ok "compiles and links ${how:-without LINUX}" $cc $how app.c -o app \
		$(pkg-config --cflags --libs libmon)
done
printf '#include "libesp.h"\n#include "fft_stratus.h"\n#include "monitors.h"\n' > app.cc
# shellcheck disable=SC2046
ok "the headers are C++, too" $cc -x c++ -Wall -Werror -fsyntax-only app.cc \
	$(pkg-config --cflags libmon)
ok "runs" env LD_LIBRARY_PATH="$libdir" ./app
is "no text section is writable" "$(readelf -d "$libdir/libmon.so.0" | grep -c TEXTREL)" 0
is "soname" "$(objdump -p "$libdir/libmon.so.0" | awk '/SONAME/ { print $2 }')" "libmon.so.0"

# declared in a public header as MON_API NAME(
declared=$(find "$dir/root" -name '*.h' -exec cat {} + | tr '\n' ' ' |
	grep -o 'MON_API [^(]*(' | sed 's/($//; s/.*[ *]//' | grep -v __attribute__ | sort -u)
exported=$(nm -D --defined-only "$libdir/libmon.so.0" | awk '$2 == "T" { print $3 }' |
	sed 's/@.*//' | sort)
is "exported functions" "$exported" "$declared"
is "exported data" "$(nm -D --defined-only "$libdir/libmon.so.0" | awk '$2 ~ /[BDR]/')" ""
summary
