# SPDX-License-Identifier: GPL-2.0-only
"""Host programs of UPMEM DPUs: see dpu.driver."""
from .driver import ALLOCATE_ALL, DpuError, DpuProgram, DpuSet, DpuSymbol, DpuVariable

__all__ = ["ALLOCATE_ALL", "DpuError", "DpuProgram", "DpuSet", "DpuSymbol", "DpuVariable"]
