# SPDX-License-Identifier: LGPL-2.1-or-later
# CMAKE_TOOLCHAIN_FILE for DPU programs
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR dpu)
get_filename_component(UPMEM_HOME "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
foreach(language C CXX ASM)
	set(CMAKE_${language}_COMPILER ${UPMEM_HOME}/bin/dpu-upmem-dpurte-clang)
	set(CMAKE_${language}_COMPILER_FORCED TRUE)
endforeach()
