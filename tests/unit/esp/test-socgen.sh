#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-socgen: files for the example designs, and errors for broken ones. mon-esp-acc: headers, and errors.
. "${srcdir:-.}/tests/guest/lib.sh"
designs=${srcdir:-.}/tests/designs
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# defs DESIGN: the macros' values in one line
defs()
{
	./mon-socgen -o "$dir" "$designs/$1.esp_config" || return
	sed -n 's/^#define \([A-Z_]*\) \([0-9a-fx]*\)$/\1=\2/p' "$dir/soc_defs.h" | tr '\n' ' '
}

locs()
{
	sed -n "s/^.* $1\[.*\] = {\(.*\)};$/\1/p" "$dir/soc_locs.h"
}

# The output of ESP's socgen for its multifft example: 3x2, FFT (with L2), cpu, mem, FFT, FFT, IO;
# one memory tile holds the one pool; Ariane's APB window begins at 0x60000000.
multifft="SOC_ROWS=3 SOC_COLS=2 SOC_NCPU=1 SOC_NMEM=1 SOC_NACC=3 SOC_NDDR_CONTIG=1 ACCS_PRESENT=1 \
MONITOR_BASE_ADDR=0x60090000 MONITOR_TILE_SIZE=0x200 YX_WIDTH=4 "
for design in fft-3x2 fft-3x2-old; do
	is "$design" "$(defs $design)" "$multifft"
	is "$design: processors" "$(locs cpu_locs)" "{0, 1}"
	is "$design: memory" "$(locs mem_locs)" "{1, 0}"
	is "$design: accelerators" "$(locs acc_locs)" "{0, 0}, {1, 1}, {2, 0}"
	is "$design: their caches" "$(locs acc_has_l2)" "1, 0, 0"
done
# the files of the examples are the same
is "examples/esp/soc_defs.h" \
	"$(sed -n 's/^#define \([A-Z_]*\) \([0-9a-fx]*\)$/\1=\2/p' "${srcdir:-.}/examples/esp/soc_defs.h" |
		tr '\n' ' ')" "$multifft"

# 4x4 with 4 memory tiles of 256 MiB: the pool, 0x20200000 up, begins on the third. A third-party
# accelerator halves it.
like "sixteen-4x4" "$(defs sixteen-4x4)" "^SOC_ROWS=4 SOC_COLS=4 SOC_NCPU=4 SOC_NMEM=4 SOC_NACC=7 "
# leon3: APB at 0x80000000
like "leon3" "$(defs leon3-2x2)" "MONITOR_BASE_ADDR=0x80090000 .*YX_WIDTH=3 "
like "no accelerator" "$(defs nocache-2x2)" "SOC_NACC=0 SOC_NDDR_CONTIG=1 MONITOR_BASE"
is "no accelerator: no list" "$(grep -c acc_ "$dir/soc_locs.h")" 0

# ESP's generator for Ariane, Ibex and Leon3: APBUART's clock, the tree in the boot ROM, memory
link()
{
	./mon-socgen --clock 50000000 -o "$dir" "$designs/$1.esp_config" && sed -n 's/^#define \(\w*\) \(\w\+\)$/\1=\2/p' "$dir/esplink.h" | xargs
}
is "esplink.h" "$(link fft-3x2)" "BASE_FREQ=50000000 BOOTROM_BASE_ADDR=0x10000 RODATA_START_ADDR=0x10400 \
DRAM_BASE_ADDR=0x80000000 ESPLINK_BASE_ADDR=0x60000400"
like "esplink.h of Leon3" "$(link leon3-2x2)" "DRAM_BASE_ADDR=0x40000000 ESPLINK_BASE_ADDR=0x80000400"

# the files compile with the API's header, for each design
for file in "$designs"/*.esp_config; do
	ok "writes $file" ./mon-socgen -o "$dir" "$file"
	printf '%s\n' '#define LINUX 1' '#include "soc_defs.h"' '#include "monitors.h"' \
		'int main(void) {' '#include "soc_locs.h"' \
		'return cpu_locs[0].row + mem_locs[0].row > SOC_ROWS || sizeof(esp_monitor_vals_t) == 0; }' \
		> "$dir/t.c"
	ok "compiles $file" ${CC:-cc} -Wall -I"$dir" -I"${srcdir:-.}/libmon/include" -I"${srcdir:-.}/libmon/esp/include" \
		-I"${srcdir:-.}" -fsyntax-only "$dir/t.c"
done

# An accelerator's XML: a field for each register, in their order, followed by the offsets.
accelerators=${srcdir:-.}/examples/esp/accelerators
acc=${srcdir:-.}/tools/esp/mon-esp-acc/mon-esp-acc
ok "writes an accelerator's header" "$acc" header --xml "$accelerators/vadd.xml" -o "$dir/vadd_stratus.h"
cat >"$dir/t.c" <<-'EOF'
	#include <stddef.h>
	#include "vadd_stratus.h"
	#define AT(member, i) \
		_Static_assert(offsetof(struct vadd_stratus_access, member) == sizeof(struct esp_access) + 4 * i, #member)
	AT(words, 0);
	AT(burst_max, 1);
	AT(addend, 2);
	AT(output, 3);
	AT(src_offset, 4);
	AT(dst_offset, 5);
	_Static_assert(sizeof(struct esp_access) == 1192, "as ESP's");
	_Static_assert(_IOC_SIZE(VADD_STRATUS_IOC_ACCESS) == 1192 + 24, "told apart by size");
EOF
ok "it compiles" ${CC:-cc} -Wall -I"$dir" -I"${srcdir:-.}/libmon/include" -I"${srcdir:-.}/libmon/esp/include" -I"${srcdir:-.}" -fsyntax-only "$dir/t.c"

# The same registers in another order have another ioctl, and neither has the number that ESP's own header has.
# number FILE: of the ioctl
number()
{
	sed -n "s/.*_IOW('S', \([0-9]*\), .*/\1/p" "$1"
}
sed '/name="words"/ { h; d }; /name="addend"/ { G }' "$accelerators/vadd.xml" >"$dir/other.xml"
ok "writes another order" "$acc" header --xml "$dir/other.xml" -o "$dir/other.h"
like "the other order" "$(tr "\n" " " <"$dir/other.h")" "burst_max;.* addend;.* words;.* output;"
numbers "the ioctls' numbers" 2 "$(number "$dir/vadd_stratus.h") $(number "$dir/other.h")"
holds "they differ" "$(number "$dir/vadd_stratus.h") != $(number "$dir/other.h")"
holds "from ESP's" "$(number "$dir/vadd_stratus.h") * $(number "$dir/other.h") > 0"

# The name that ESP's flow derives from the XML, as in designs and device files.
# flow TOOL NAME
flow()
{
	printf '<sld><accelerator name="x" device_id="04A" hls_tool="%s"></accelerator></sld>\n' "$1" >"$dir/flow.xml"
	ok "$1" env -C "$dir" "$(realpath "$acc")" header --xml flow.xml
	like "$1" "$(cat "$dir/$2.h" 2>&1)" "struct $2_access"
}
flow stratus_hls x_stratus
flow vivado_hls x_vivado
flow hls4ml x_hls4ml
flow catapult_hls_cxx x_catapult
flow catapult_hls_sysc x_catapult
flow rtl x_rtl
flow "" x

# members FILE: of its structure
members()
{
	sed -n 's/^\tunsigned int \(\w*\);.*/\1/p' "$1" | xargs
}
# The XML of an accelerator that esp_accel knows: its order, which libmon's header has, without constants.
while read -r name params; do
	{
		echo "<sld><accelerator name='$name' device_id='04A' hls_tool='stratus_hls'>"
		printf "<param name='%s'/>" $params
		echo "</accelerator></sld>"
	} >"$dir/known.xml"
	ok "$name" "$acc" header --xml "$dir/known.xml" -o "$dir/${name}_stratus.h"
	is "$name: as libmon's header" "$(members "$dir/${name}_stratus.h")" \
		"$(members "${srcdir:-.}/libmon/esp/include/${name}_stratus.h")"
done <<'END'
vitdodec data_bits ntraceback cbps
sort size batch len_min len_max batch_max
fft batch_size log_len do_bitrev do_peak
END
echo "<sld><accelerator name='sort' device_id='00B' hls_tool='stratus_hls'><param name='size'/></accelerator></sld>" >"$dir/known.xml"
like "fewer registers" "$("$acc" header --xml "$dir/known.xml" -o "$dir/none" 2>&1)" "sort_stratus has more registers: give"
like "no folder" "$("$acc" header --xml "$accelerators/vadd.xml" -o "$dir/nowhere/x.h" 2>&1)" "$dir/nowhere/x.h: No such file or directory"
printf '<sld><accelerator name="x" device_id="04A" desc="a */ b &amp; \\ c"><param name="n" desc="*/"/></accelerator></sld>' >"$dir/flow.xml"
ok "a description" "$acc" header --xml "$dir/flow.xml" -o "$dir/x.h"
is "it ends no comment" "$(grep -c 'a  / b &   c\|/\*  / \*/' "$dir/x.h")" 2

# described TEXT REASON: no program or header of such XML
described()
{
	printf '%s\n' "$1" >"$dir/bad.xml"
	like "mon-esp-acc: $2" "$("$acc" verilog --top x --xml "$dir/bad.xml" -o "$dir/none" \
		"$dir/none.v" 2>&1)" "^mon-esp-acc: $dir/bad.xml: .*$2"
}
described '<sld></sld>' "no <accelerator>"
described '<sld><accelerator name="GT_VORTEX" device_id="108" axi_prefix="m_axi_"><clock name="clk"/></accelerator></sld>' \
	"axi_prefix and <clock> are of a third party's accelerator behind AXI"
described '<sld><accelerator name="x" device_id="4" pipeline="2"/></sld>' "<accelerator> has pipeline=, which ESP's XML does not have"
described '<sld><accelerator name="x" device_id="4"><param name="n" width="8"/></accelerator></sld>' "<param> has width="
described '<sld><accelerator name="x" device_id="4"><parm name="n"/></accelerator></sld>' "<parm> is no element of ESP's XML"
for word in int class src_offset clk; do
	described "<sld><accelerator name='x' device_id='4'><param name='$word'/></accelerator></sld>" \
		"param $word: C, the access structure or ESP's template uses this word"
done
described '<sld><accelerator name="x" hls_tool="verilog" device_id="04A"></accelerator></sld>' "verilog.* are rtl"
described '<sld><accelerator name="x" hls_tool="rtl"></accelerator></sld>' "give the hexadecimal number"
described '<sld><accelerator name="x" device_id="much"></accelerator></sld>' "device_id=\"much\""
described '<sld><accelerator name="x">' "no element found|mismatched tag"
described '<sld><accelerator name="x" device_id="04A"><param name="a"/><param name="a"/></accelerator></sld>' "two parameters have the name a"
described "<sld><accelerator name='x' device_id='04A'>$(for i in $(seq 49); do echo "<param name='p$i'/>"; done)</accelerator></sld>" \
	"49 parameters, a socket has 48"
described '<?xml version="1.0" encoding="nonsense"?><sld/>' "unknown encoding"
described '<sld><accelerator name="a;b" device_id="04A"/></sld>' 'name="A;B": give a name of letters'
# data_size, and name, size and value of a parameter
while IFS='|' read -r data name size value reason; do
	described "<s><accelerator name='x' device_id='04A' data_size='$data'><param name='$name' size='$size'${value:+ value='$value'}/></accelerator></s>" \
		"$reason"
done <<'END'
abc|n|32||data_size="abc": give a whole number from 0 to 128
-3|n|32||data_size="-3": give a whole number from 0 to 128
4|n;x|32||param name="n;x": give a name of letters
4|n|abc||param n: size="abc": give a whole number from 1 to 32
4|n|-5||param n: size="-5": give a whole number from 1 to 32
4|n|64||param n: size="64": give a whole number from 1 to 32
4|n|4000000000||param n: size="4000000000": give a whole number
4|n|32|zz|param n: value="zz": give a whole number from 0 to 4294967295
END
# files that are missing or are none of their kind
xml=${srcdir:-.}/examples/esp/accelerators/vadd.xml
echo word >"$dir/latencies"
for what in "nowhere/x.cpp::nowhere/x.cpp: No such file" "Makefile::no module with an accelerator's ports .*give the Verilog" \
	"vadd.cpp:--latencies=/nowhere/l:/nowhere/l: No such file" \
	"vadd.cpp:--latencies=$dir/latencies:latencies:1: give a label and a number of cycles"; do
	IFS=: read -r source option reason <<<"$what"
	like "mon-esp-acc: $reason" "$("$acc" systemc --xml "$xml" -o "$dir/none" ${option:+"$option"} \
		"${source/vadd/${srcdir:-.}/examples/esp/accelerators/vadd}" 2>&1)" "^mon-esp-acc: .*$reason"
done

sed 's/"words"/"wordz"/' "$xml" >"$dir/wordz.xml"
like "SystemC: a misspelt parameter" "$("$acc" systemc --xml "$dir/wordz.xml" \
	-o "$dir/none" "${srcdir:-.}/examples/esp/accelerators/vadd.cpp" -- -fsyntax-only 2>&1)" 'conf_info_t has no field wordz, a parameter of the XML'

# A register that the XML does not have: the name is misspelt on one of both sides. Other inputs stay 0, with a warning.
module=${srcdir:-.}/tests/unit/esp/ports.v
# Sources of other flows: what is taken instead.
other="of Vivado HLS, Vitis HLS, Catapult and Chisel give the Verilog that they generate"
mkdir "$dir/hls"
echo '#include "ap_int.h"' >"$dir/hls/espacc.cc"
echo 'class adder extends Module' >"$dir/hls/adder.scala"
while read -r kind file reason; do
	[ "$kind" = c ] && xml=() || xml=(--xml "$accelerators/vadd.xml" --top x)
	like "mon-esp-acc $kind $file" "$("$acc" "$kind" "${xml[@]}" -o "$dir/none" "$dir/hls/$file" 2>&1)" \
		"^mon-esp-acc: .*$reason.*; $other"
done <<'END'
systemc espacc.cc no module with an accelerator's ports
c espacc.cc no mon_esp_accelerator
verilog adder.scala is Chisel
END

# verilog SED XML: mon-esp-acc of the changed module
verilog()
{
	sed "$1" "$module" >"$dir/ports.v"
	"$acc" verilog --top ports --xml "$2" -o "$dir/accelerator" "$dir/ports.v" 2>&1
}
if command -v verilator >/dev/null; then
	xml=${srcdir:-.}/examples/esp/accelerators/vadd.xml
	like "a misspelt port" "$(verilog 's/\bwords\b/wodrs/' "$xml")" \
		'mon-esp-acc: input wodrs of ports is no parameter of the XML, and the module has no input for words: is a name misspelt'
	sed 's/"words"/"length"/' "$xml" >"$dir/length.xml"
	like "a misspelt parameter" "$(verilog '' "$dir/length.xml")" 'input words of ports .* no input for length: '
	like "a register that the XML lacks" "$(verilog 's/input  *conf_done,/input conf_info_more, &/' "$xml")" \
		'input conf_info_more of ports is no parameter of the XML: is a name misspelt'
	like "channels of two widths" "$(verilog 's/\[63:0\] dma_write_chnl_data/[31:0] dma_write_chnl_data/' "$xml")" \
		'ports has channels of 32 and 64 bits'
	fails "it fails" verilog 's/\bwords\b/wodrs/' "$xml"
	# no program is needed here
	like "another input" "$(MAKEFLAGS=CXX=false verilog 's/input  *conf_done,/input scan_enable, &/' "$xml")" \
		'input scan_enable of ports is no parameter of the XML: it stays 0'
fi

# broken WHAT [LINE]: the message names the file, and its line unless LINE is empty; no file is written
broken()
{
	local out=$dir/none

	mkdir "$out"
	like "$1" "$(./mon-socgen -o "$out" "$dir/broken" 2>&1)" "mon-socgen: $dir/broken${2-:[0-9]+}: [^0-9]"
	fails "$1: fails" ./mon-socgen -o "$out" "$dir/broken"
	is "$1: writes nothing" "$(ls "$out")" ""
	rmdir "$out"
}

sed '/^TILE_0_1/,$d' "$designs/fft-3x2.esp_config" | head -c -12 >"$dir/broken"
broken "truncated"
sed 's/^CONFIG_NOC_ROWS = .*/CONFIG_NOC_ROWS = -3/' "$designs/fft-3x2.esp_config" > "$dir/broken"
broken "negative"
sed 's/^CONFIG_NOC_ROWS = .*/CONFIG_NOC_ROWS = 1000000/' "$designs/fft-3x2.esp_config" \
	> "$dir/broken"
broken "a million rows"
sed 's/ mem mem/ empty empty/' "$designs/fft-3x2.esp_config" > "$dir/broken"
broken "no memory tile" ""
sed 's/ cpu cpu/ c\x00u c\x00u/' "$designs/fft-3x2.esp_config" > "$dir/broken"
broken "NUL bytes"
: > "$dir/broken"
broken "empty" ""
rm "$dir/broken"
like "no file" "$(./mon-socgen "$dir/broken" 2>&1)" "No such file"
mkdir "$dir/folder"
fails "a folder" ./mon-socgen "$dir/folder"
fails "no place to write" ./mon-socgen -o /nowhere "$designs/fft-3x2.esp_config"
fails "neither file nor device" ./mon-socgen
fails "no device, no address" ./mon-socgen --monitor-base
fails "both" ./mon-socgen --from-device "$designs/fft-3x2.esp_config"
fails "no device" ./mon-socgen --from-device -o "$dir"
# layouts of the monitors, by the compatible string
dts()
{
	./mon-socgen --dts "$@" "${srcdir:-.}/tests/designs/fft-3x2.esp_config" 2>&1
}
like "ESP's newest layout" "$(dts)" 'compatible = "sld,esp-monitors-2023"'
like "the one before" "$(dts --layout 2021)" 'compatible = "sld,esp-monitors-2021"'
like "VESPA's" "$(dts --layout vespa)" 'compatible = "hardware-fab,vespa-monitors"'
like "memory for buffers" "$(dts)" 'memory-region = <&accelerator_reserved>'
like "no windows" "$(dts --layout windowed)" 'restart by themselves'
like "no others" "$(dts --layout 2022)" '2021, 2023, 2026 or vespa'
summary
