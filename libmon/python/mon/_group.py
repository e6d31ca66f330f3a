# SPDX-License-Identifier: LGPL-2.1-or-later
"""Groups of events of one PMU that count together and are read in one system call."""
import ctypes
from types import TracebackType
from typing import Any, Optional

from ._error import Error, fail
from ._ffi import Times, lib

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]


def _check(result: int) -> int:
    if result < 0:
        fail()
    return result


class Group:
    """Events in perf's notation, "espmon/dma_reqs,bytile,tile=2/".

    As a context manager it counts from the beginning of the block to its end; counts stay readable afterwards. By
    hand: open(), enable(), read(), disable(), close().
    """

    def __init__(self, *events: str) -> None:
        self._group: Optional[int] = lib.mon_group_new()
        if not self._group:
            fail()
        try:
            for event in events:
                self.add(event)
        except Error:
            self.free()
            raise
        self._times = Times()
        self._values = (ctypes.c_uint64 * len(events))()

    def add(self, event: str) -> int:
        """Adds an event, which is opened at once if the group is open; returns its index."""
        index = _check(lib.mon_group_add(self._group, event.encode()))
        self._values = (ctypes.c_uint64 * (index + 1))()
        return index

    @property
    def names(self) -> list[str]:
        """Events as they were added."""
        return [lib.mon_group_get_name(self._group, i).decode()
                for i in range(lib.mon_group_get_count(self._group))]

    def open(self) -> None:
        """Opens all events, disabled, with counts 0."""
        _check(lib.mon_group_open(self._group))

    def close(self) -> None:
        lib.mon_group_close(self._group)

    def enable(self) -> None:
        _check(lib.mon_group_enable(self._group))

    def disable(self) -> None:
        _check(lib.mon_group_disable(self._group))

    def reset(self) -> None:
        """Counts start again from 0; times go on."""
        _check(lib.mon_group_reset(self._group))

    def read(self) -> dict[str, int]:
        """Counts now, by event."""
        _check(lib.mon_group_read(self._group, self._values, len(self._values), self._times))
        return self.counts

    @property
    def counts(self) -> dict[str, int]:
        """Counts of the last read, which the end of a with block does, too."""
        return dict(zip(self.names, self._values))

    @property
    def values(self) -> Any:
        """The same in the order of the events: a numpy array where numpy is, else a list."""
        return numpy.array(self._values, dtype=numpy.uint64) if numpy else list(self._values)

    @property
    def enabled(self) -> float:
        """Seconds for which the group was enabled at the last read, and for which it counted (running)."""
        return self._times.enabled / 1e9

    @property
    def running(self) -> float:
        return self._times.running / 1e9

    @property
    def estimates(self) -> dict[str, float]:
        """Counts for all of the enabled time, of a group that shared the hardware."""
        return {name: lib.mon_scale(value, self._times) for name, value in self.counts.items()}

    def fileno(self) -> int:
        """The leader's perf event, for select and poll."""
        return _check(lib.mon_group_get_fd(self._group, 0))

    def free(self) -> None:
        group, self._group = self._group, None
        lib.mon_group_free(group)

    def __enter__(self) -> "Group":
        self.open()
        try:
            self.enable()
        except Error:
            self.close()
            raise
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        try:
            self.disable()
            self.read()
        finally:
            self.close()

    def __del__(self) -> None:
        if getattr(self, "_group", None):
            self.free()
