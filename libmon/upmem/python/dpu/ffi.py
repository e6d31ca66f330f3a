# SPDX-License-Identifier: LGPL-2.1-or-later
"""dpu.h for ctypes: the functions that driver.py uses. Names and numbers are those of dpu.h."""
import ctypes
from ctypes import (CFUNCTYPE, POINTER, Structure, Union, c_bool, c_char_p, c_int, c_size_t,
                    c_uint32, c_void_p)

DPU_OK = 0
DPU_ERR_INTERNAL = 1
DPU_ERR_SYSTEM = 2
DPU_SET_RANKS, DPU_SET_DPU = 0, 1
DPU_ASYNCHRONOUS, DPU_SYNCHRONOUS = 0, 1
DPU_XFER_TO_DPU, DPU_XFER_FROM_DPU = 0, 1
DPU_XFER_DEFAULT, DPU_XFER_ASYNC = 0, 2
DPU_CALLBACK_ASYNC, DPU_CALLBACK_NONBLOCKING, DPU_CALLBACK_SINGLE_CALL = 1, 2, 4
DPU_ALLOCATE_ALL = 2 ** 32 - 1


class dpu_set_list(Structure):
    _fields_ = [("nr_ranks", c_uint32), ("ranks", c_void_p)]


class dpu_set_what(Union):
    _fields_ = [("list", dpu_set_list), ("dpu", c_void_p)]


class dpu_set_t(Structure):
    _anonymous_ = ["what"]
    _fields_ = [("kind", c_int), ("what", dpu_set_what)]


class dpu_symbol_t(Structure):
    _fields_ = [("address", c_uint32), ("size", c_uint32)]


class dpu_set_rank_iterator_t(Structure):
    _fields_ = [("set", POINTER(dpu_set_t)), ("count", c_uint32), ("next_idx", c_uint32),
                ("has_next", c_bool), ("next", dpu_set_t)]


class dpu_set_dpu_iterator_t(Structure):
    _fields_ = [("rank_iterator", dpu_set_rank_iterator_t), ("count", c_uint32),
                ("next_idx", c_uint32), ("has_next", c_bool), ("next", dpu_set_t)]


CALLBACK = CFUNCTYPE(c_int, dpu_set_t, c_uint32, c_void_p)
_PLACES = {"": c_char_p, "_symbol": dpu_symbol_t}

_lib = ctypes.CDLL("libmon-dpu.so.0")
_libc = ctypes.CDLL(None)


def _function(name, *arguments, result=c_int, lib=_lib):
    function = getattr(lib, name)
    function.argtypes = arguments
    function.restype = result
    return function


dpu_alloc = _function("dpu_alloc", c_uint32, c_char_p, POINTER(dpu_set_t))
dpu_alloc_ranks = _function("dpu_alloc_ranks", c_uint32, c_char_p, POINTER(dpu_set_t))
dpu_free = _function("dpu_free", dpu_set_t)
dpu_load = _function("dpu_load", dpu_set_t, c_char_p, POINTER(c_void_p))
dpu_load_from_memory = _function("dpu_load_from_memory", dpu_set_t, c_char_p, c_size_t,
                                 POINTER(c_void_p))
dpu_get_symbol = _function("dpu_get_symbol", c_void_p, c_char_p, POINTER(dpu_symbol_t))
dpu_launch = _function("dpu_launch", dpu_set_t, c_int)
dpu_sync = _function("dpu_sync", dpu_set_t)
dpu_prepare_xfer = _function("dpu_prepare_xfer", dpu_set_t, c_void_p)
# by the type of what names the place in the DPU
dpu_push_xfer = {place: _function("dpu_push_xfer" + suffix, dpu_set_t, c_int, place, c_uint32,
                                  c_size_t, c_int) for suffix, place in _PLACES.items()}
dpu_broadcast_to = {place: _function("dpu_broadcast_to" + suffix, dpu_set_t, place, c_uint32,
                                     c_void_p, c_size_t, c_int)
                    for suffix, place in _PLACES.items()}
dpu_callback = _function("dpu_callback", dpu_set_t, CALLBACK, c_void_p, c_int)
dpu_log_read = _function("dpu_log_read", dpu_set_t, c_void_p)
dpu_set_rank_iterator_from = _function("dpu_set_rank_iterator_from", POINTER(dpu_set_t),
                                       result=dpu_set_rank_iterator_t)
dpu_set_rank_iterator_next = _function("dpu_set_rank_iterator_next",
                                       POINTER(dpu_set_rank_iterator_t), result=None)
dpu_set_dpu_iterator_from = _function("dpu_set_dpu_iterator_from", POINTER(dpu_set_t),
                                      result=dpu_set_dpu_iterator_t)
dpu_set_dpu_iterator_next = _function("dpu_set_dpu_iterator_next",
                                      POINTER(dpu_set_dpu_iterator_t), result=None)
_error_to_string = _function("dpu_error_to_string", c_int, result=c_void_p)
_open_memstream = _function("open_memstream", POINTER(c_void_p), POINTER(c_size_t),
                            result=c_void_p, lib=_libc)
_fclose = _function("fclose", c_void_p, lib=_libc)
_free = _function("free", c_void_p, result=None, lib=_libc)


def error_text(error):
    """What dpu_error_to_string() says."""
    text = _error_to_string(error)
    result = ctypes.string_at(text).decode(errors="replace")
    _free(text)
    return result


def log_text(c_set):
    """(error, text) of dpu_log_read()."""
    text, size = c_void_p(), c_size_t()
    stream = _open_memstream(ctypes.byref(text), ctypes.byref(size))
    if not stream:
        return DPU_ERR_SYSTEM, ""
    error = dpu_log_read(c_set, stream)
    _fclose(stream)
    result = ctypes.string_at(text.value, size.value).decode(errors="replace")
    _free(text)
    return error, result


def parts(c_set, kind):
    """The ranks or the DPUs ("rank", "dpu") of a set, as sets."""
    start, step = {"rank": (dpu_set_rank_iterator_from, dpu_set_rank_iterator_next),
                   "dpu": (dpu_set_dpu_iterator_from, dpu_set_dpu_iterator_next)}[kind]
    iterator = start(c_set)
    while iterator.has_next:
        yield dpu_set_t.from_buffer_copy(iterator.next)
        step(iterator)
