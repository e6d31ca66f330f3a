# SPDX-License-Identifier: LGPL-2.1-or-later
"""PMUs, and what they have: events, places, fields. All of it is copied when the PMU is looked up."""
import ctypes
from dataclasses import dataclass
from typing import Optional

from ._error import fail
from ._ffi import lib, libc


@dataclass(frozen=True)
class Place:
    """Where events count: a tile, a DPU, a hardware thread."""
    number: int
    kind: str
    name: str
    device: str
    row: int
    column: int
    terms: str


@dataclass(frozen=True)
class Field:
    """A term of events' names, with its largest value."""
    name: str
    bits: str
    max: int


@dataclass(frozen=True)
class Event:
    """An event; unit is that of count * scale."""
    name: str
    unit: str
    scale: float
    description: str
    where: str
    config: int
    places: tuple[int, ...]
    """Numbers of the places in which it is defined; elsewhere it counts 0."""


def _text(value: bytes) -> str:
    return value.decode()


def _place(place: int) -> Place:
    return Place(lib.mon_place_get_number(place), _text(lib.mon_place_get_kind(place)),
                 _text(lib.mon_place_get_name(place)), _text(lib.mon_place_get_device(place)),
                 lib.mon_place_get_row(place), lib.mon_place_get_column(place),
                 _text(lib.mon_place_get_terms(place)))


def _event(event: int, places: list[int]) -> Event:
    return Event(_text(lib.mon_event_get_name(event)), _text(lib.mon_event_get_unit(event)),
                 lib.mon_event_get_scale(event), _text(lib.mon_event_get_description(event)),
                 _text(lib.mon_event_get_where(event)), lib.mon_event_get_config(event, 0),
                 tuple(i for i, place in enumerate(places) if lib.mon_event_counts_in(event, place)))


class Pmu:
    """A PMU by name, as it is now."""

    def __init__(self, name: str) -> None:
        pmu = lib.mon_pmu_new(name.encode())
        if not pmu:
            fail()
        try:
            self._copy(pmu)
        finally:
            lib.mon_pmu_free(pmu)

    def _copy(self, pmu: int) -> None:
        self.name: str = _text(lib.mon_pmu_get_name(pmu))
        self.kind: str = _text(lib.mon_pmu_get_kind(pmu))
        self.instance: int = lib.mon_pmu_get_instance(pmu)
        self.type: int = lib.mon_pmu_get_type(pmu)
        self.cpu: int = lib.mon_pmu_get_cpu(pmu)
        self.place_noun: str = _text(lib.mon_pmu_get_place_noun(pmu))
        places = [lib.mon_pmu_get_place(pmu, i) for i in range(lib.mon_pmu_get_place_count(pmu))]
        self.places: list[Place] = [_place(place) for place in places]
        fields = [lib.mon_pmu_get_field(pmu, i) for i in range(lib.mon_pmu_get_field_count(pmu))]
        self.fields: dict[str, Field] = {
            _text(lib.mon_field_get_name(field)): Field(_text(lib.mon_field_get_name(field)),
                                                        _text(lib.mon_field_get_bits(field)),
                                                        lib.mon_field_get_max(field))
            for field in fields}
        events = [lib.mon_pmu_get_event(pmu, i) for i in range(lib.mon_pmu_get_event_count(pmu))]
        self.events: dict[str, Event] = {}
        for event in events:
            copy = _event(event, places)
            self.events[copy.name] = copy

    def read_file(self, file: str) -> str:
        """A file below the PMU's folder in sysfs, for example "caps/layout"."""
        pmu = lib.mon_pmu_new(self.name.encode())
        if not pmu:
            fail()
        try:
            text = lib.mon_pmu_read_file(pmu, file.encode())
            if not text:
                fail()
            try:
                return _text(ctypes.string_at(text))
            finally:
                libc.free(text)
        finally:
            lib.mon_pmu_free(pmu)

    def __repr__(self) -> str:
        return f"mon.Pmu({self.name!r})"


def pmus(kind: Optional[str] = None) -> list[Pmu]:
    """All PMUs that are there now, or the instances of a kind ("espmon": espmon, espmon_1, ...)."""
    found = lib.mon_pmus_new() if kind is None else lib.mon_pmus_new_of(kind.encode())
    if not found:
        fail()
    try:
        names = [_text(lib.mon_pmu_get_name(lib.mon_pmus_get(found, i)))
                 for i in range(lib.mon_pmus_get_count(found))]
    finally:
        lib.mon_pmus_free(found)
    return [Pmu(name) for name in names]


def version() -> str:
    """Version of the library."""
    return _text(lib.mon_version())


def mark(phase: str = "") -> None:
    """Names what the program does from here on, for monctl record; "": no phase."""
    lib.mon_mark(phase.encode())
