# SPDX-License-Identifier: GPL-2.0-only
"""The module dpu beyond the page's program: lang.py PROGRAM, on four DPUs. The last run faults."""
import os
import io
import sys

import dpu
from dpu import DpuError, DpuSet, DpuSymbol


def refused(words, function, *args, **kwargs):
    """The call raises DpuError with these words."""
    try:
        function(*args, **kwargs)
    except DpuError as error:
        assert words in str(error), error
    else:
        raise AssertionError("not refused: " + words)


def synchronous(dpus):
    assert len(dpus) == 4 and len(dpus.ranks()) == 1 and len(dpus.ranks()[0]) == 4
    dpus.copy("in", [(100 + 10 * i).to_bytes(4, "little") for i in range(4)])
    dpus.exec()
    out = [bytearray(4) for _ in dpus]
    dpus.copy(out, "out")
    assert [int.from_bytes(b, "little") for b in out] == [101, 111, 121, 131]
    assert dpus.out.uint32() == [101, 111, 121, 131]
    dpus.copy("in", bytearray([7, 0, 0, 0]))
    log = io.StringIO()
    dpus.dpus()[2].exec(log=log)
    assert log.getvalue() == "=== DPU#0x2 ===\nhello\n", log.getvalue()
    assert dpus.out.int32() == [101, 111, 8, 131]
    one = bytearray(4)
    dpus.dpus()[2].copy(one, "out")
    assert one == bytearray([8, 0, 0, 0])
    # variables as attributes
    setattr(dpus, "in", bytearray([41, 0, 0, 0]))
    dpus.exec()
    assert dpus.dpus()[0].out.uint32() == 42
    symbol = dpus.load(binary=sys.argv[1]).get_symbol("data")
    assert symbol.size() == 64 and symbol.value() & 0x08000000
    dpus.copy(DpuSymbol("half", (symbol.value() + 32, 32)), bytes(range(32)))
    whole = [bytearray(64) for _ in dpus]
    dpus.copy(whole, symbol)
    assert whole[3] == bytes(32) + bytes(range(32))
    dpus.copy(whole, symbol, size=8, offset=56)
    assert whole[1][:8] == bytes(range(24, 32))


def errors(dpus):
    out = [bytearray(4) for _ in dpus]
    refused("undefined symbol", dpus.copy, out, "nothing")
    refused("3 buffers for 4 DPUs", dpus.copy, out[:3], "out")
    refused("shorter than size", dpus.copy, out, "out", size=8)
    refused("different lengths", dpus.copy, [bytearray(8)] + out[1:], "out")
    refused("must be writable", dpus.copy, [b"1234"] * 4, "out")
    refused("one of both", dpus.copy, "in", "out")
    refused("invalid mram access", dpus.copy, "data", bytes(12))
    if os.path.exists("/dev/dpu_rank0"):
        refused("another process has a rank", DpuSet, 1)
    refused("exclude each other", DpuSet, 1, 1)
    refused("no such ELF file", dpus.load, "/nothing")
    assert not hasattr(dpus, "nothing")


def asynchronous(dpus):
    calls = []
    out = [bytearray(4) for _ in dpus]
    dpus.copy("in", bytearray([1, 0, 0, 0]), async_mode=True)
    dpus.exec(async_mode=True)
    dpus.copy(out, "out", async_mode=True)
    dpus.call(lambda ranks, index, arg: calls.append((ranks, index, arg, bytes(out[3]))), "x",
              async_mode=True)
    dpus.sync()
    assert calls == [(dpus.ranks()[0], 0, "x", b"\2\0\0\0")], calls
    dpus.call(lambda whole, index, arg: calls.append(whole), None, async_mode=True,
              is_blocking=False, single_call=True)
    dpus.sync()
    assert calls[1] is dpus


assert dpu.ALLOCATE_ALL == 2 ** 32 - 1
with DpuSet(4, binary=sys.argv[1]) as allocated:
    synchronous(allocated)
    errors(allocated)
    asynchronous(allocated)
# free again, and with the program's bytes, a rank and logs for all
with open(sys.argv[1], "rb") as program, io.StringIO() as logs:
    with DpuSet(nr_ranks=1, binary=program.read(), log=logs, async_mode=False) as allocated:
        allocated.exec()
        assert logs.getvalue().count("hello\n") == len(allocated) == 64
        print("all right", flush=True)
        allocated.copy("in", bytearray([13, 0, 0, 0]))
        allocated.exec()
