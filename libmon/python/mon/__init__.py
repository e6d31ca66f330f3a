# SPDX-License-Identifier: LGPL-2.1-or-later
"""Counters of uncore PMUs by name: libmon for Python.

    import mon

    with mon.Group("espmon/ddr_accesses/", "espmon/dma_reqs/") as group:
        work()
    print(group.counts)                    # {'espmon/ddr_accesses/': 257, ...}

    for pmu in mon.pmus():
        print(pmu.name, len(pmu.events), pmu.place_noun, len(pmu.places))

    frame = mon.Recording("monctl.data").frame()     # with pandas

What cannot be done raises mon.Error, an OSError whose text names the thing, the reason and the remedy.
"""
from ._error import Error
from ._group import Group
from ._pmu import Event, Field, Place, Pmu, mark, pmus, version
from ._recording import Recording

__all__ = ["Error", "Event", "Field", "Group", "Place", "Pmu", "Recording", "mark", "pmus", "version"]
