# SPDX-License-Identifier: LGPL-2.1-or-later
import ctypes
from typing import NoReturn

from ._ffi import lib


class Error(OSError):
    """A function of libmon failed: errno, and the sentence of mon_error()."""


def fail() -> NoReturn:
    raise Error(ctypes.get_errno(), lib.mon_error().decode())
