# SPDX-License-Identifier: LGPL-2.1-or-later
"""Host programs of UPMEM DPUs, source compatible with the UPMEM SDK 2025.1 for what is here.

    with DpuSet(nr_dpus=64, binary="program", log=sys.stdout) as dpus:
        dpus.copy("input", bytearray(...))      # the same to every DPU
        dpus.exec()
        results = [bytearray(8) for _ in dpus]
        dpus.copy(results, "output")            # one of each DPU
        dpus.output.uint64()                    # the same, shorter

Not here: checkpoints.
"""
import os
import subprocess
import sys
import tempfile
from ctypes import addressof, byref, c_char, c_char_p, c_void_p

from . import ffi
from .ffi import DPU_ALLOCATE_ALL as ALLOCATE_ALL


class DpuError(Exception):
    """What dpu_error_to_string() says, with the sentence about this failure."""


def _check(error):
    if error != ffi.DPU_OK:
        raise DpuError(ffi.error_text(error))


def _only(values):
    """A list of one element is that element."""
    return values[0] if len(values) == 1 else values


class DpuSymbol:
    """A variable of a DPU program; c_symbol: (address, size) or the library's."""

    def __init__(self, name, c_symbol):
        self.name = name
        if not isinstance(c_symbol, ffi.dpu_symbol_t):
            c_symbol = ffi.dpu_symbol_t(*c_symbol)
        self.c_symbol = c_symbol

    def value(self):
        """Its address."""
        return self.c_symbol.address

    def size(self):
        """Its size in bytes."""
        return self.c_symbol.size


class DpuProgram:
    """A program that was loaded."""

    def __init__(self, c_program):
        self._c_program = c_program

    def get_symbol(self, symbol):
        """The DpuSymbol of this name, None if the program has none for the host."""
        c_symbol = ffi.dpu_symbol_t()
        if ffi.dpu_get_symbol(self._c_program, symbol.encode(), byref(c_symbol)) != ffi.DPU_OK:
            return None
        return DpuSymbol(symbol, c_symbol)


class DpuVariable:
    """What a variable holds on the DPUs of a set: of one DPU a value, of several a list."""

    def __init__(self, contents):
        self.contents = contents

    def data(self):
        """Bytes, as memoryviews."""
        return _only(self.contents)

    def _cast(self, code):
        return _only([_only(view.cast(code)) for view in self.contents])

    def int8(self):
        return self._cast("b")

    def uint8(self):
        return self._cast("B")

    def int16(self):
        return self._cast("h")

    def uint16(self):
        return self._cast("H")

    def int32(self):
        return self._cast("i")

    def uint32(self):
        return self._cast("I")

    def int64(self):
        return self._cast("q")

    def uint64(self):
        return self._cast("Q")

    def float(self):
        return self._cast("f")

    def double(self):
        return self._cast("d")


def _bytes_of(buffer, writable):
    """A ctypes array over a buffer's memory; of a read-only one, a copy, which is enough to read."""
    view = memoryview(buffer).cast("B")
    kind = c_char * view.nbytes
    if view.readonly:
        if writable:
            raise DpuError("the destination of a copy must be writable, such as a bytearray")
        return kind.from_buffer_copy(view)
    return kind.from_buffer(view)


def _build(tool, ending, sources):
    """Bytes of the program that dpu-cc or dpu-as makes of sources: paths or files."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, source in enumerate(sources if isinstance(sources, list) else [sources]):
            if not isinstance(source, str):
                paths.append(os.path.join(folder, "source%d%s" % (i, ending)))
                with open(paths[-1], "w", encoding="utf-8") as file:
                    file.write(source.read())
            else:
                paths.append(source)
        output = os.path.join(folder, "program")
        try:
            subprocess.run([tool, "-o", output] + paths, check=True, capture_output=True, text=True)
        except FileNotFoundError as error:
            raise DpuError(tool + " not found: install libmon's tools or set PATH") from error
        except subprocess.CalledProcessError as error:
            raise DpuError(error.stderr.strip()) from error
        with open(output, "rb") as file:
            return file.read()


class DpuSet:
    """A set of DPUs: those that were allocated, a rank of them or one.

    nr_dpus, nr_ranks: how many (ALLOCATE_ALL, and without both: what is there). profile: as for
    dpu_alloc(). binary: path or bytes of a program to load; c_source, asm_source: path or
    file of a source for dpu-cc or dpu-as, or a list. log: a file that exec() prints the DPUs' logs to,
    or a list with one for each DPU. async_mode: copy() and exec() return at once, sync() waits.
    """

    # names that are not variables of a program
    _own = frozenset(("c_set", "_async_mode", "_log", "_program", "_dpus", "_ranks", "_pending"))

    def __init__(self, nr_dpus=None, nr_ranks=None, profile="", binary=None, c_source=None,
                 asm_source=None, log=None, async_mode=False, *, _c_set=None):
        self._async_mode = async_mode
        self._log = None if isinstance(log, list) else log
        self._program = None
        self._dpus = []
        self._ranks = []
        # what asynchronous jobs still use
        self._pending = []
        if _c_set is not None:
            self.c_set = _c_set
            return
        if nr_dpus is not None and nr_ranks is not None:
            raise DpuError("nr_dpus and nr_ranks exclude each other")
        self.c_set = ffi.dpu_set_t()
        if nr_ranks is not None:
            _check(ffi.dpu_alloc_ranks(nr_ranks, profile.encode(), byref(self.c_set)))
        else:
            _check(ffi.dpu_alloc(ALLOCATE_ALL if nr_dpus is None else nr_dpus, profile.encode(),
                                 byref(self.c_set)))
        try:
            self._find_parts()
            if isinstance(log, list):
                if len(log) != len(self._dpus):
                    raise DpuError("log has %d files for %d DPUs" % (len(log), len(self._dpus)))
                for dpu, file in zip(self._dpus, log):
                    dpu._log = file
            if binary is not None or c_source is not None or asm_source is not None:
                self.load(binary, c_source, asm_source)
        except BaseException:
            self.free()
            raise

    def _part(self, c_set):
        return DpuSet(log=self._log, async_mode=self._async_mode, _c_set=c_set)

    def _find_parts(self):
        for c_rank in ffi.parts(self.c_set, "rank"):
            rank = self._part(c_rank)
            rank._ranks.append(rank)
            self._ranks.append(rank)
            for c_dpu in ffi.parts(c_rank, "dpu"):
                dpu = self._part(c_dpu)
                dpu._dpus.append(dpu)
                dpu._ranks.append(rank)
                rank._dpus.append(dpu)
                self._dpus.append(dpu)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.free()

    def __iter__(self):
        return iter(self._dpus)

    def __len__(self):
        return len(self._dpus)

    def _symbol(self, name):
        program = self.__dict__.get("_program")
        return program.get_symbol(name) if program else None

    def __getattr__(self, name):
        """Variables of the program, as DpuVariable."""
        symbol = self._symbol(name)
        if symbol is None:
            raise AttributeError("neither DpuSet nor the program that it has loaded has %r" % name)
        buffers = [bytearray(symbol.size()) for _ in self._dpus]
        self.copy(buffers, symbol, async_mode=False)
        return DpuVariable([memoryview(buffer) for buffer in buffers])

    def __setattr__(self, name, value):
        symbol = None if name in self._own else self._symbol(name)
        if symbol is None:
            super().__setattr__(name, value)
        else:
            self.copy(symbol, value)

    def dpus(self):
        """The DPUs of the set, each a DpuSet."""
        return self._dpus

    def ranks(self):
        """The ranks of the set, each a DpuSet."""
        return self._ranks

    def free(self):
        """Gives the DPUs back."""
        _check(ffi.dpu_free(self.c_set))
        self._pending.clear()

    def load(self, binary=None, c_source=None, asm_source=None):
        """Loads a program into the DPUs; returns its DpuProgram."""
        if [binary, c_source, asm_source].count(None) != 2:
            raise DpuError("load takes one of binary, c_source and asm_source")
        if c_source is not None:
            binary = _build("dpu-cc", ".c", c_source)
        elif asm_source is not None:
            binary = _build("dpu-as", ".s", asm_source)
        c_program = c_void_p()
        if isinstance(binary, str):
            _check(ffi.dpu_load(self.c_set, binary.encode(), byref(c_program)))
        else:
            _check(ffi.dpu_load_from_memory(self.c_set, bytes(binary), len(binary),
                                            byref(c_program)))
        program = DpuProgram(c_program)
        for dpu_set in {id(s): s for s in [self] + self._ranks + self._dpus}.values():
            dpu_set._program = program
        return program

    def _is_async(self, async_mode):
        return self._async_mode if async_mode is None else async_mode

    def _prepare(self, buffers, size, writable):
        if len(buffers) != len(self._dpus):
            raise DpuError("%d buffers for %d DPUs" % (len(buffers), len(self._dpus)))
        given = [None if b is None else _bytes_of(b, writable) for b in buffers]
        lengths = {len(array) for array in given if array is not None}
        if size is None and len(lengths) != 1:
            raise DpuError("buffers of different lengths: pass size=")
        if size is not None and lengths and min(lengths) < size:
            raise DpuError("a buffer is shorter than size=%d" % size)
        for dpu, part in zip(self._dpus, given):
            if part is not None:
                _check(ffi.dpu_prepare_xfer(dpu.c_set, addressof(part)))
        return given, lengths.pop() if size is None else size

    def copy(self, dst, src, size=None, offset=0, async_mode=None):
        """Copies between host buffers and a variable of the program (its name or a DpuSymbol).

        A host buffer is a bytes-like object, or a list with one, or None, for each DPU. size and
        offset are in bytes; without size the buffers' length counts.
        """
        to_dpu = isinstance(dst, (str, DpuSymbol))
        if to_dpu == isinstance(src, (str, DpuSymbol)):
            raise DpuError("one of both must be a host buffer, the other a variable of the DPUs")
        host, place = (src, dst) if to_dpu else (dst, src)
        if isinstance(place, str):
            kind, c_place = c_char_p, place.encode()
        else:
            kind, c_place = ffi.dpu_symbol_t, place.c_symbol
        flags = ffi.DPU_XFER_ASYNC if self._is_async(async_mode) else ffi.DPU_XFER_DEFAULT
        if to_dpu and not isinstance(host, list):
            data = _bytes_of(host, False)
            length = len(data) if size is None else size
            if length > len(data):
                raise DpuError("the buffer is shorter than size=%d" % size)
            _check(ffi.dpu_broadcast_to[kind](self.c_set, c_place, offset, addressof(data), length,
                                              flags))
            used = [data]
        else:
            used, length = self._prepare(host if isinstance(host, list) else [host], size,
                                         not to_dpu)
            _check(ffi.dpu_push_xfer[kind](
                self.c_set, ffi.DPU_XFER_TO_DPU if to_dpu else ffi.DPU_XFER_FROM_DPU, c_place,
                offset, length, flags))
        if flags:
            self._pending.append(used)

    def exec(self, log=None, async_mode=None):
        """Runs the program. When it has ended, logs are printed if there is a file for them: log (a
        file, a list with one for each DPU, or a dict by DPU), or the one given to DpuSet."""
        if self._is_async(async_mode):
            _check(ffi.dpu_launch(self.c_set, ffi.DPU_ASYNCHRONOUS))
            return
        _check(ffi.dpu_launch(self.c_set, ffi.DPU_SYNCHRONOUS))
        self._print_logs(log, None)

    def log(self, stream=None):
        """Prints the DPUs' logs: see exec(); without any file, to standard output."""
        self._print_logs(stream, sys.stdout)

    def _print_logs(self, log, default):
        streams = {dpu: dpu._log if dpu._log is not None else default for dpu in self._dpus}
        if isinstance(log, dict):
            streams.update(log)
        elif isinstance(log, list):
            if len(log) != len(self._dpus):
                raise DpuError("log has %d files for %d DPUs" % (len(log), len(self._dpus)))
            streams.update({d: s for d, s in zip(self._dpus, log) if s is not None})
        elif log is not None:
            streams = dict.fromkeys(self._dpus, log)
        for dpu, stream in streams.items():
            if stream is None:
                continue
            error, text = ffi.log_text(dpu.c_set)
            stream.write(text)
            _check(error)

    def sync(self):
        """Waits for everything asynchronous; raises the first error."""
        try:
            _check(ffi.dpu_sync(self.c_set))
        finally:
            self._pending.clear()

    def call(self, fn, arg, async_mode=None, is_blocking=True, single_call=False):
        """Calls fn(set, index, arg) for each rank, or once for this set. Asynchronous calls that are
        not is_blocking hold up no other job. An exception in fn is printed, and an error of call()
        or sync()."""
        def called(c_set, index, _):
            try:
                whole = single_call or c_set.kind == ffi.DPU_SET_DPU
                fn(self if whole else self._ranks[index], index, arg)
            except Exception:  # pylint: disable=broad-except # it must not pass through C
                sys.excepthook(*sys.exc_info())
                return ffi.DPU_ERR_INTERNAL
            return ffi.DPU_OK

        c_callback = ffi.CALLBACK(called)
        flags = (ffi.DPU_CALLBACK_SINGLE_CALL if single_call else 0)
        if self._is_async(async_mode):
            flags |= ffi.DPU_CALLBACK_ASYNC
            self._pending.append(c_callback)
        if not is_blocking:
            flags |= ffi.DPU_CALLBACK_NONBLOCKING
        _check(ffi.dpu_callback(self.c_set, c_callback, None, flags))
