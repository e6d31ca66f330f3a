# SPDX-License-Identifier: LGPL-2.1-or-later
"""mon.h for ctypes: one line for each function that the module uses."""
import ctypes
from ctypes import POINTER, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p
from typing import Any

GROUP_MAX = 2045


class Times(ctypes.Structure):
    """struct mon_times"""
    _fields_ = [("enabled", c_uint64), ("running", c_uint64)]


lib = ctypes.CDLL("libmon.so.0", use_errno=True)
libc = ctypes.CDLL(None)
libc.free.argtypes = [c_void_p]
libc.free.restype = None


def _declare(result: Any, *names: str, arguments: tuple[Any, ...] = (c_void_p,)) -> None:
    for name in names:
        function = getattr(lib, name)
        function.argtypes = list(arguments)
        function.restype = result


_INDEX = (c_void_p, c_size_t)
_NAME = (c_void_p, c_char_p)

_declare(c_char_p, "mon_version", "mon_error", arguments=())
_declare(c_void_p, "mon_pmus_new", "mon_group_new", arguments=())
_declare(c_void_p, "mon_pmus_new_of", "mon_pmu_new", arguments=(c_char_p,))
_declare(None, "mon_pmus_free", "mon_pmu_free", "mon_group_free", "mon_group_close")
_declare(c_size_t, "mon_pmus_get_count", "mon_pmu_get_place_count", "mon_pmu_get_field_count",
         "mon_pmu_get_event_count", "mon_group_get_count")
_declare(c_void_p, "mon_pmus_get", "mon_pmu_get_place", "mon_pmu_get_field", "mon_pmu_get_event",
         arguments=_INDEX)
_declare(c_char_p, "mon_pmu_get_name", "mon_pmu_get_kind", "mon_pmu_get_place_noun", "mon_place_get_kind",
         "mon_place_get_name", "mon_place_get_device", "mon_place_get_terms", "mon_field_get_name",
         "mon_field_get_bits", "mon_event_get_name", "mon_event_get_unit", "mon_event_get_description",
         "mon_event_get_where")
_declare(c_uint, "mon_pmu_get_instance", "mon_place_get_number")
_declare(c_uint32, "mon_pmu_get_type")
_declare(c_int, "mon_pmu_get_cpu", "mon_place_get_row", "mon_place_get_column", "mon_group_open",
         "mon_group_enable", "mon_group_disable", "mon_group_reset")
_declare(c_void_p, "mon_pmu_read_file", arguments=_NAME)
_declare(c_uint64, "mon_field_get_max")
_declare(c_double, "mon_event_get_scale")
_declare(c_uint64, "mon_event_get_config", arguments=(c_void_p, c_uint))
_declare(c_int, "mon_event_counts_in", arguments=(c_void_p, c_void_p))
_declare(c_int, "mon_group_add", arguments=_NAME)
_declare(c_char_p, "mon_group_get_name", arguments=_INDEX)
_declare(c_int, "mon_group_get_fd", arguments=_INDEX)
_declare(c_int, "mon_group_read", arguments=(c_void_p, POINTER(c_uint64), c_size_t, POINTER(Times)))
_declare(c_double, "mon_scale", arguments=(c_uint64, POINTER(Times)))
_declare(None, "mon_mark", arguments=(c_char_p,))
