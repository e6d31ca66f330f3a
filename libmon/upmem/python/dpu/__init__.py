# SPDX-License-Identifier: LGPL-2.1-or-later
"""Host programs of UPMEM DPUs: see dpu.driver."""
from .driver import ALLOCATE_ALL, DpuError, DpuProgram, DpuSet, DpuSymbol, DpuVariable

__all__ = ["ALLOCATE_ALL", "DpuError", "DpuProgram", "DpuSet", "DpuSymbol", "DpuVariable"]
