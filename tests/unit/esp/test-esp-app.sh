#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Applications and a Makefile in the style of ESP's build against the installed files; only paths
# are set. Without an SoC the programs say why they cannot run.
. "${srcdir:-.}/tests/guest/lib.sh"
top=$(cd "${srcdir:-.}" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# libtool links again to install; another test may do that at the same time
ok "make install" flock config.status make -s install-libLTLIBRARIES install-libmonincludeHEADERS \
	install-nobase_libmonincludeHEADERS install-libmontestincludeHEADERS \
	install-libmonutilsincludeHEADERS install-pkgconfigDATA install-espLIBRARIES \
	install-dist_espdriversDATA install-esp-links DESTDIR="$dir/root"
pc=$(find "$dir/root" -name libmon-esp.pc)
libdir=${pc%/pkgconfig/libmon-esp.pc}
export PKG_CONFIG_PATH=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$dir/root
drivers=$dir/root$(sed -n 's/^drivers=//p' "$pc" |
	sed "s|\${datarootdir}|$(sed -n 's/^datarootdir=//p' "$pc")|; s|\${prefix}|$(sed -n 's/^prefix=//p' "$pc")|")
ok "mon-socgen" ./mon-socgen -o "$dir" "$top/tests/designs/fft-3x2.esp_config"
mkdir -p "$dir/socgen/esp" "$dir/sw/include" "$dir/sw/app" "$dir/sw/old"
mv "$dir"/soc_*.h "$dir/socgen/esp"

# An accelerator of their own: its header as ESP's generator writes it.
cat > "$dir/sw/include/scale_stratus.h" <<'END'
#ifndef _SCALE_STRATUS_H_
#define _SCALE_STRATUS_H_
#include <sys/ioctl.h>
#include <stdint.h>
#include <esp.h>
#include <esp_accelerator.h>
struct scale_stratus_access {
	struct esp_access esp;
	unsigned len;
	unsigned src_offset;
	unsigned dst_offset;
};
#define SCALE_STRATUS_IOC_ACCESS _IOW('S', 0, struct scale_stratus_access)
#endif
END
# and ESP's own header of an accelerator that libmon knows, found first
sed 's/scale_stratus/fft_stratus/g; s/SCALE_STRATUS/FFT_STRATUS/g
	s/unsigned len;/unsigned batch_size; unsigned log_len; unsigned do_bitrev;/' \
	"$dir/sw/include/scale_stratus.h" > "$dir/sw/include/fft_stratus.h"

cat > "$dir/sw/app/Makefile" <<'END'
EXTRA_CFLAGS ?= -I../include
APPNAME := scale
include $(DRIVERS)/common.mk
END
cat > "$dir/sw/app/cfg.h" <<'END'
#include "libesp.h"
#include "scale_stratus.h"
#include "fft_stratus.h"
typedef int32_t token_t;
struct scale_stratus_access scale_cfg_000[] = {{
	.len = 16, .src_offset = 0, .dst_offset = 0,
	.esp.coherence = ACC_COH_NONE, .esp.p2p_store = 0, .esp.p2p_nsrcs = 0,
	.esp.p2p_srcs = {"", "", "", ""},
}};
esp_thread_info_t cfg_000[] = {{
	.run = true, .devname = "scale_stratus.0", .ioctl_req = SCALE_STRATUS_IOC_ACCESS,
	.esp_desc = &(scale_cfg_000[0].esp),
}};
END
cat > "$dir/sw/app/helper.c" <<'END'
#include <my_stringify.h>
#define CHUNKS 12
const char *helper(void) { return my_stringify(CHUNKS); }
END
cat > "$dir/sw/app/scale.c" <<'END'
#include "cfg.h"
#include "monitors.h"
#include "utils/fft_utils.h"
#include "utils/fft2_utils.h"
const char *helper(void);
int main(int argc, char **argv)
{
	float data[16] = { 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0 };
	float shifted[16] = { 0, 0, 1, 0 };
	float two[16] = { 0, 0, 1, 0 };
	struct timespec a = { 1, 999999999 }, b = { 3, 1 };
	contig_handle_t handle;
	esp_monitor_args_t args;
	esp_monitor_vals_t vals;
	token_t *buf;
	int i;

	/* a constant has all in bin 0; an impulse at 1 turns by 45 degrees a bin */
	fft_comp(data, 8, 3, -1, true);
	fft_comp(shifted, 8, 3, -1, true);
	assert(fabs(data[0] - 8) < 1e-5);
	for (i = 1; i < 16; i++)
		assert(fabs(data[i]) < 1e-5);
	for (i = 0; i < 8; i++)
		assert(fabs(shifted[2 * i] - cos(M_PI * i / 4)) < 1e-5 &&
		       fabs(shifted[2 * i + 1] + sin(M_PI * i / 4)) < 1e-5);
	/* two transforms of 4 points, the second of zeros; the quarter turns of bins 2, 3, 0, 1; and back */
	fft2_comp(two, 2, 4, 2, 0, 1);
	for (i = 0; i < 8; i++)
		assert(fabs(two[2 * i] - (i < 4) * cos(M_PI * (i + 2) / 2)) < 1e-5 &&
		       fabs(two[2 * i + 1] + (i < 4) * sin(M_PI * (i + 2) / 2)) < 1e-5);
	fft2_comp(two, 2, 4, 2, 1, 1);
	for (i = 0; i < 16; i++)
		assert(fabs(two[i] - (i == 2 ? 4 : 0)) < 1e-5);
	assert(fft_rev(1) == 0x80000000 && round_up(5, DMA_WORD_PER_BEAT(sizeof(token_t))) == 6);
	assert(ts_subtract(&a, &b) == 1000000002ull);
	printf("helper %s\n", helper());
	buf = (token_t *)esp_alloc(64);
	cfg_000[0].hw_buf = buf;
	esp_run(cfg_000, 1);
	esp_free(buf);
	contig_alloc(64, &handle);
	args.read_mode = ESP_MON_READ_ALL;
	esp_monitor(args, &vals);
	return 0;
}
END
ok "an application of today's style builds" make -C "$dir/sw/app" DRIVERS="$drivers" DESIGN_PATH="$dir" \
	BUILD_PATH=out CROSS_COMPILE=
said=$(cd "$dir/sw/app" && LD_LIBRARY_PATH=$libdir ./out/scale.exe 2>&1)
like "it runs" "$said" "helper 12"
like "and says what it lacks" "$said" "libmon-esp: /dev/contig_alloc not found: load the module esp_accel"
like "each thing" "$said" "libmon-esp: espmon: no such PMU"
is "once" "$(grep -c contig_alloc <<<"$said")" 1

cat > "$dir/sw/old/Makefile" <<'END'
EXTRA_CFLAGS ?= -I../include
include $(DRIVERS)/common.mk
END
cat > "$dir/sw/old/old.c" <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <my_stringify.h>
#include <fixed_point.h>
#include <contig.h>
#include <test/le.h>
#include <test/test.h>
#include <test/time.h>
#include <test/wami.h>
#include <scale_stratus.h>
#define NAME "scale"
struct scale_test {
	struct test_info info;
	struct scale_stratus_access desc;
	unsigned int *hbuf;
};
static inline struct scale_test *to_scale(struct test_info *info)
{
	return container_of(info, struct scale_test, info);
}
static void alloc_buf(struct test_info *info) { to_scale(info)->hbuf = malloc0_check(64); }
static void alloc_contig(struct test_info *info)
{
	if (contig_alloc(64, &info->contig) == NULL)
		die_errno("%s", __func__);
}
static void init_bufs(struct test_info *info)
{
	contig_copy_to(info->contig, 0, to_scale(info)->hbuf, 64);
}
static bool diff_ok(struct test_info *info)
{
	return contig_read32(info->contig, 0) == to_scale(info)->hbuf[0];
}
static struct scale_test scale_test = { .info = {
	.name = NAME, .devname = "/dev/null", .alloc_buf = alloc_buf, .alloc_contig = alloc_contig,
	.init_bufs = init_bufs, .diff_ok = diff_ok, .esp = &scale_test.desc.esp,
	.cm = SCALE_STRATUS_IOC_ACCESS,
} };
int main(int argc, char *argv[])
{
	char image[12] = { 2, 0, 3, 0, 1, 0, 1, 0, 'a', 'b', 'c', 'd' };
	int rows, cols, n = ARRAY_SIZE(image);
	char data[6] = "";
	FILE *fp;

	if (argc < 2)
		return test_main(&scale_test.info, "coh", "test");
	fp = fopen(argv[1], "wb");
	lefwrite(image, 1, n, fp);
	fwrite("ef", 1, 2, fp);
	fclose(fp);
	wami_image_file_dimensions(argv[1], &rows, &cols);
	wami_read_image_file(data, 1, argv[1], 6);
	printf("%d %d %.6s\n", rows, cols, data);
	wami_read_image_file(data, 1, argv[1], 7);
	return 0;
}
END
ok "one of the older style builds" make -C "$dir/sw/old" DRIVERS="$drivers" DESIGN_PATH="$dir" BUILD_PATH=out
old=$dir/sw/old/out/old.exe
is "images: 3 rows of 2 columns" "$(LD_LIBRARY_PATH=$libdir "$old" "$dir/image" 2>/dev/null)" "3 2 abcdef"
like "a wrong size ends the program" "$(LD_LIBRARY_PATH=$libdir "$old" "$dir/image" 2>&1)" \
	"fatal: $dir/image: its head says 6 bytes, not 7"
like "without a buffer it ends" "$(LD_LIBRARY_PATH=$libdir "$old" 2>&1)" "fatal: alloc_contig: "
summary
