# SPDX-License-Identifier: GPL-2.0-only
# UPMEM's "Performance Counters" page: the same in Python, as printed but for the indentation.
#!/ usr / bin / env python3
import time
from dpu import DpuSet
from dpu import ALLOCATE_ALL
with DpuSet(1, binary = "frequency_example") as dpus :
    print("DPU allocated")
    start = time.monotonic()
    dpus.exec()
    end = time.monotonic()
    nbCycles =[bytearray(4) for _ in dpus]
    dpus.copy(nbCycles, 'nb_cycles')
    clocks_per_sec =[bytearray(4) for _ in dpus]
    dpus.copy(clocks_per_sec, 'CLOCKS_PER_SEC')
    print("DPU cycles:", int.from_bytes(nbCycles[0], 'little'))
    print("DPU time:", "{:.2e}".format((float)(int.from_bytes(nbCycles[0], 'little')) / int.from_bytes(clocks_per_sec[0], 'little')), "secs.")
    print("Host elapsed time:", "{:.2e}".format(end - start), "secs.")
