#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Accelerators whose runs do not end: SystemC that computes without a cycle, Verilog without acc_done, a process that is
# stopped or killed, and a program that is killed and started again in mid-run. Alone and beside FFTs in another tile,
# on one and two virtual CPUs. The run ends with an error in time, the FFT is right, and the next run is, too.
# ENDLESS_RUNS is the number of runs of each case (make stress-endless: 100), ENDLESS_CASES and ENDLESS_CPUS choose some.
# Runs on the host.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
runs=${ENDLESS_RUNS:-1}
cases=${ENDLESS_CASES:-loop undone cut-loop cut-undone stopped killed}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sources=$srcdir/examples/esp/accelerators
compile=("$srcdir/tools/esp/mon-esp-acc/mon-esp-acc")
sed '0,/= conf_info.read();/s//= conf_info.read();\n\tfor (volatile int i = conf.addend == 13; i;)\n\t\t;/' \
	"$sources/vadd.cpp" >"$dir/vadd.cpp"
cp "$sources/vadd.hpp" "$dir"
sed 's/acc_done <= 1;/acc_done <= conf_info_addend != 13;/' "$sources/vadd.v" >"$dir/vadd.v"
ok "SystemC" "${compile[@]}" systemc --xml "$sources/vadd.xml" -o "$dir/sc.acc" "$dir/vadd.cpp"
ok "Verilog" "${compile[@]}" verilog --xml "$sources/vadd.xml" --top vadd_rtl_basic_dma64 --name VADD_RTL -o "$dir/rtl.acc" "$dir/vadd.v" -- "-I$sources/hw"
cat >"$dir/endless.esp_config" <<'END'
CPU_ARCH = ariane
CONFIG_NOC_ROWS = 3
CONFIG_NOC_COLS = 3
CONFIG_COH_NOC_WIDTH = 64
CONFIG_DMA_NOC_WIDTH = 64
CONFIG_CACHE_EN = y
CONFIG_HAS_SG = y
TILE_0_0 = 0 cpu cpu
TILE_0_1 = 1 mem mem
TILE_0_2 = 2 misc IO
TILE_1_0 = 3 acc FFT_STRATUS basic_fx32_dma64 0 0 sld
TILE_1_1 = 4 acc VADD_STRATUS basic_dma64 0 0 sld
TILE_1_2 = 5 acc VADD_RTL basic_dma64 0 0 sld
TILE_2_0 = 6 acc NONSENSE basic_dma64 0 0 sld
TILE_2_1 = 7 empty empty
TILE_2_2 = 8 empty empty
END
cat >"$dir/guest.sh" <<'END'
own=./tests/guest/esp/esp-own
rtl() { $own vadd_rtl.0 600 0 "$1" 4096; }
sc() { $own vadd 600 "$1"; }
cut() { timeout -s KILL 0.2 "$@" >/dev/null 2>&1; }
# a run whose process the host hits
hit() { echo "hit $1" >&2; $own nonsense.0 12; read -r line; }
# what happens in the run, and after it
one()
{
	case $1 in
	loop) sc 13; sc 1 ;;
	undone) rtl 13; rtl 1 ;;
	cut-loop) cut $own vadd 600 13; sc 1 ;;
	cut-undone) cut $own vadd_rtl.0 600 0 13 4096; rtl 1 ;;
	stopped) hit STOP; $own nonsense.0 8 ;;
	killed) hit KILL; $own nonsense.0 8 ;;
	esac
}
# runs that begin at any time while the other accelerator's does not end
ffts()
{
	until [ -e /tmp/ended ]; do
		./examples/esp/esp-fft --log-len 10 --batches 4 >/tmp/fft 2>&1 || return
	done
}
for what in $2; do
	# those that are hit make progress until then
	case $what in stopped | killed) limit=30000 ;; *) limit=1400 ;; esac
	echo $limit >/sys/module/esp_accel/parameters/run_timeout_ms
	for n in $(seq "$1"); do
		echo "$what alone" $(one $what)
		rm -f /tmp/ended
		ffts &
		ended=$(one $what)
		touch /tmp/ended
		wait $! && fft=right || fft=wrong
		echo "$what beside" $ended $fft
	done
done
END

# victim PID: the accelerator's process below it, once it computes
victim()
{
	local child

	for child in $(pgrep -P "$1"); do
		[ "$(cat "/proc/$child/comm" 2>/dev/null)" = computes ] && [ "$(ps -o stat= -p "$child")" != T ] &&
			echo "$child" && return
		victim "$child" && return
	done
	return 1
}

# vm OPTION... -- COMMAND...
vm()
{
	./mon-vm --soc "$dir/endless.esp_config" --accelerator VADD_STRATUS="$dir/sc.acc" \
		--accelerator VADD_RTL="$dir/rtl.acc" --accelerator NONSENSE=tests/unit/esp/nonsense.acc "$@"
}

# guest CPUS: the lines of the guest's script, each with its number
guest()
{
	rm -f "$dir/in" "$dir/err"
	mkfifo "$dir/in" "$dir/err"
	vm --smp "$1" --timeout $((600 + 60 * runs)) --device espmon,accelerator-silence=800 \
		-- sh "$dir/guest.sh" "$runs" "$cases" <"$dir/in" >"$dir/out" 2>"$dir/err" &
	vm=$!
	exec 9>"$dir/in"
	while read -r line; do
		[[ $line = hit\ * ]] || continue
		wait_until victim $vm >"$dir/pid" || break
		kill "-${line#hit }" "$(cat "$dir/pid")"
		echo >&9
	done <"$dir/err"
	exec 9>&-
	wait $vm
	sort "$dir/out" | uniq -c | sed 's/^ *//'
}

expected=$(grep -E "^(${cases// /|}) " <<END | sort | sed "s/^/$runs /"
loop alone EIO right
loop beside EIO right right
undone alone ETIMEDOUT right
undone beside ETIMEDOUT right right
cut-loop alone right
cut-loop beside right right
cut-undone alone right
cut-undone beside right right
stopped alone EIO EIO
stopped beside EIO EIO right
killed alone EIO EIO
killed beside EIO EIO right
END
)
for cpus in ${ENDLESS_CPUS:-1 2}; do
	is "on $cpus processors" "$(guest $cpus)" "$expected"
done
# a run that begins while the SoC waits for a process, 2.5 s: its flushes and its first cycle take as long
cat >"$dir/begins.sh" <<'END'
./tests/guest/esp/esp-own vadd 600 13 &
sleep 0.2
./examples/esp/esp-fft --log-len 10 >/tmp/fft 2>&1 && echo right
wait
END
is "an FFT that begins while the SoC waits" "$(vm -- sh "$dir/begins.sh" 2>/dev/null)" "right
EIO"
summary
