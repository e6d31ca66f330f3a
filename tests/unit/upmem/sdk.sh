#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The folder in place of UPMEM's SDK, as makefiles, CMake files and scripts use it.
. "${srcdir:-.}/tests/guest/lib.sh"
sdk=$PWD/upmem-sdk
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/host.c" <<END
#include <dpu.h>
int main(void)
{
	struct dpu_set_t set;

	DPU_ASSERT(dpu_alloc(1, NULL, &set));
	DPU_ASSERT(dpu_load(set, "task", NULL));
	DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));
	DPU_FOREACH(set, set)
		DPU_ASSERT(dpu_log_read(set, stdout));
	return 0;
}
END
echo '#include <stdio.h>
int main(void) { printf("hello %d\n", 42); }' >"$tmp/task.c"

# in_sdk COMMAND...: a shell with nothing but what the script sets
in_sdk()
{
	env -i PATH=/usr/bin:/bin HOME="$tmp" PYTHONDONTWRITEBYTECODE=1 bash -c "cd '$tmp' && . '$sdk/upmem_env.sh' simulator && $1" 2>&1
}

is "UPMEM_HOME" "$(in_sdk 'echo $UPMEM_HOME $UPMEM_PROFILE_BASE')" "$sdk backend=simulator"
is "without simulator there is no profile" \
	"$(env -i PATH=/usr/bin:/bin sh -c ". '$sdk/upmem_env.sh' && echo \${UPMEM_PROFILE_BASE-none}")" none
like "include, lib and bin" "$(in_sdk 'gcc -I$UPMEM_HOME/include/dpu -L$UPMEM_HOME/lib -o host host.c -ldpu &&
	$UPMEM_HOME/bin/dpu-clang -O2 -o task task.c && ./host')" 'hello 42$'
like "libraries before sources" "$(in_sdk 'rm host; gcc -Wl,--as-needed $(dpu-pkg-config --cflags --libs dpu) -o host host.c && ./host')" \
	'hello 42$'
is "Python" "$(in_sdk 'python3 -c "from dpu import DpuSet; print(len(DpuSet(3)))"')" 3
is "Python compiles C" "$(in_sdk 'python3 -c "
import io, sys
from dpu import DpuSet
with DpuSet(1, c_source=io.StringIO(open(\"task.c\").read())) as dpus:
    dpus.exec(log=sys.stdout)"' | tail -n 1)" 'hello 42'
like "Python: an error of dpu-cc" "$(in_sdk 'python3 -c "import io, dpu; dpu.DpuSet(1, c_source=io.StringIO(\"int main(void) { return x; }\"))"')" \
	"DpuError: .*undeclared identifier 'x'"
for tool in dpu-lldb dpu-lldb-attach-dpu dpu-profiling dputrace dpugrind dpuasmdoc; do
	like "$tool names ours" "$(in_sdk "$tool task")" "^$tool: .*: use dpu-[a-z]+"
done
for tool in dpu-lldb dpu-profiling; do
	command=$(in_sdk $tool | grep -o 'dpu-[a-z]* --host.* HOST' | sed 's/HOST//')
	like "what $tool names runs" "$(in_sdk "printf 'continue\\ncontinue\\n' | $command ./host")" 'hello 42'
done
like "clang for the DPU" "$(in_sdk 'rm task; clang --target=dpu-upmem-dpurte -O2 -o task task.c && ./host')" 'hello 42$'
mkdir "$tmp/other"
printf '#!/bin/sh\necho "the system: $*"\n' >"$tmp/other/clang"
chmod +x "$tmp/other/clang"
is "clang for anything else" "$(in_sdk "PATH=\$UPMEM_HOME/bin:$tmp/other:/bin; clang -O2 'a b.c'")" "the system: -O2 a b.c"
like "clang where there is none" "$(in_sdk "mkdir none; ln -s /bin/sh none/sh; PATH=\$UPMEM_HOME/bin:$tmp/none; clang -O2 a.c")" \
	'^clang: .*install clang$'
like "dpu_stack_analyzer" "$(in_sdk 'dpu_stack_analyzer task')" 'main'
like "dpu_stack_analyzer --entry" "$(in_sdk 'dpu_stack_analyzer --entry main task')" 'main'
if type cmake >/dev/null 2>&1; then
	cat >"$tmp/CMakeLists.txt" <<-'END'
		cmake_minimum_required(VERSION 3.6)
		project(host C)
		include($ENV{UPMEM_HOME}/share/upmem/cmake/include/host/DpuHost.cmake)
		include_directories(${DPU_HOST_INCLUDE_DIRECTORIES})
		link_directories(${DPU_HOST_LINK_DIRECTORIES})
		add_executable(host host.c)
		target_link_libraries(host ${DPU_HOST_LIBRARIES})
	END
	mkdir "$tmp/dpu"
	cp "$tmp/task.c" "$tmp/dpu"
	printf 'cmake_minimum_required(VERSION 3.6)\nproject(task C)\nadd_executable(task task.c)\n' >"$tmp/dpu/CMakeLists.txt"
	like "CMake" "$(in_sdk 'cmake -S . -B b && cmake --build b &&
		cmake -DCMAKE_TOOLCHAIN_FILE=$UPMEM_HOME/share/upmem/cmake/dpu.cmake -S dpu -B d && cmake --build d &&
		cd d && ../b/host')" 'hello 42$'
fi
summary
