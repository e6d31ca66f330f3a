# SPDX-License-Identifier: LGPL-2.1-or-later
# What host programs compile and link with
get_filename_component(DPU_HOST_HOME "${CMAKE_CURRENT_LIST_DIR}/../../../../.." ABSOLUTE)
set(DPU_HOST_INCLUDE_DIRECTORIES ${DPU_HOST_HOME}/include/dpu)
set(DPU_HOST_LINK_DIRECTORIES ${DPU_HOST_HOME}/lib)
set(DPU_HOST_LIBRARIES dpu)
