#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Host programs with the toolkit's tools: dpu-pkg-config, LIBMON_DPU_CHECK, dpu-dbg on one DPU of a host program, and cores.
. "${srcdir:-.}/tests/guest/lib.sh"
ex=examples/upmem
[ -e $ex/c/bfs-16.dpu ] || { echo "no clang: DPU programs in C were not built"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

printf '%s\n' '#include <dpu.h>' 'int main(void)' '{' '	struct dpu_set_t set;' \
	'	DPU_ASSERT(dpu_alloc(BANK_INTERFACE_PMC_CYCLE == 0x80, NULL, &set));' \
	'	return dpu_free(set);' '}' >"$tmp/host.c"
# shellcheck disable=SC2046 # words are wanted
ok "a host by dpu-pkg-config" "${CC:-cc}" -o "$tmp/host" "$tmp/host.c" $(./dpu-pkg-config --cflags --libs dpu)
ok "runs" env LIBMON_DPU_BACKEND=simulator "$tmp/host"

# LIBMON_DPU_CHECK: correct programs have no finding
export LIBMON_DPU_BACKEND=simulator LIBMON_DPU_COUNT=4
for name in vecadd reduction; do
	like "$name: no finding" "$(LIBMON_DPU_CHECK=1 $ex/$name $ex/$name.dpu 2>&1)" '^4 DPUs[,:] ([0-9]+ sums, )?0 wrong[^\n]*$'
done
for name in vecadd reduction gemv histogram bfs search scan spmv; do
	is "$name in C: no finding" "$(LIBMON_DPU_CHECK=1 $ex/c/$name-host $ex/c/$name-16.dpu 2>&1)" \
		"$name: 4 DPUs, 0 wrong"
done
# and the finding names the DPU and the line
cat >"$tmp/race.c" <<'END'
#include <defs.h>
#include <stdint.h>
uint32_t sum;
int main(void)
{
	for (int i = 0; i < 10; i++)
		sum += me();
	return 0;
}
END
./dpu-cc -g -O2 -DNR_TASKLETS=4 -DSTACK_SIZE_DEFAULT=256 "$tmp/race.c" -o "$tmp/race.dpu" || exit 1
like "a race" "$(LIBMON_DPU_CHECK=1 python3 - "$tmp/race.dpu" 2>&1 <<'END'
import sys
sys.path.insert(0, "upmem-sdk/python")
import ctypes
ctypes.CDLL("upmem-sdk/libmon-dpu.so.0", mode=ctypes.RTLD_GLOBAL)
from dpu import DpuSet
with DpuSet(2, binary=sys.argv[1]) as dpus:
    dpus.exec()
END
)" '^libmon-dpu: check: DPU 0 of rank 0: race on sum .* at [^ ]*race\.c:[0-9]+ '
unset LIBMON_DPU_BACKEND LIBMON_DPU_COUNT

# dbg ARGUMENTS...: a session with the commands on standard input
dbg()
{
	timeout 60 ./dpu-dbg "$@" 2>&1
}

# one of the 64 DPUs of a host program; the host finds its results right
text=$(dbg --dpu 0.63 $ex/vecadd $ex/vecadd.dpu <<<$'break main thread 3\ncontinue\ninfo tasklets\ndelete\ncontinue\ncontinue')
like "a launch of a host program" "$text" '\[Launch 1 of the DPU\]'
like "stops in its DPU" "$text" 'Breakpoint 1, tasklet 3, main'
like "tasklets that wait for DMA" "$text" '0   main .*: DMA until cycle [0-9]+: reads 1024 bytes at MRAM 0x0 \(a\)'
like "the host's results" "$text" '64 DPUs, 33554432 sums, 0 wrong'
like "and its end" "$text" 'The host program has ended with status 0'
# the session ends in the middle of a run: no process is left
cat >"$tmp/host.sh" <<END
echo \$\$ >$tmp/pid
exec $ex/vecadd $ex/vecadd.dpu
END
like "a session with a host program" "$(dbg --host sh "$tmp/host.sh" <<<"info tasklets")" '\[Launch 1 of the DPU\]'
fails "the host program ends with it" kill -0 "$(cat "$tmp/pid")" 2>/dev/null

# a DPU of a host program that faults
cat >"$tmp/bad.c" <<'END'
#include <attributes.h>
#include <stdint.h>
__host uint32_t address = 0x20000;
int main(void)
{
	*(volatile uint32_t *)address = 1;
	return 0;
}
END
cat >"$tmp/host.c" <<'END'
#include <dpu.h>
int main(int argc, char **argv)
{
	struct dpu_set_t set;

	if (argc < 2 || dpu_alloc(2, NULL, &set) || dpu_load(set, argv[1], NULL))
		return 2;
	return dpu_launch(set, DPU_SYNCHRONOUS) == DPU_ERR_DPU_FAULT ? 0 : 1;
}
END
./dpu-cc -g -O2 -DNR_TASKLETS=2 "$tmp/bad.c" -o "$tmp/bad.dpu" || exit 1
${CC:-gcc} -I"${srcdir:-.}/libmon/upmem/include" "$tmp/host.c" -o "$tmp/host" upmem-sdk/libdpu.so || exit 1
text=$(LD_LIBRARY_PATH=upmem-sdk LIBMON_DPU_BACKEND=simulator LIBMON_DPU_CORE=$tmp/c "$tmp/host" "$tmp/bad.dpu" 2>&1)
is "the host sees the fault" $? 0
like "the library names the core" "$text" "DPU 1 of rank 0 has faulted: dpu-dbg $tmp/c-0-1.core"
text=$(dbg "$tmp/c-0-1.core" <<<$'backtrace\nprint/x address\ncontinue')
like "a core's line" "$text" 'main \(\) at bad.c:6'
like "and variables" "$text" 'address = 0x00020000'
like "it does not run" "$text" 'a core can only be looked at'
head -c 3000 "$tmp/c-0-1.core" >"$tmp/cut.core"
like "a core that was cut" "$(dbg "$tmp/cut.core" </dev/null)" 'cut.core: damaged'
summary
