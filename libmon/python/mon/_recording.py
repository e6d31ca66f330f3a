# SPDX-License-Identifier: LGPL-2.1-or-later
"""Recordings of monctl record as columns."""
import csv
import json
import os
import subprocess
from typing import Any, Union

from ._error import Error

Path = Union[str, "os.PathLike[str]"]


def _export(monctl: Path, form: str, file: Path) -> str:
    try:
        done = subprocess.run([monctl, "export", form, os.fspath(file)], capture_output=True, text=True,
                              check=False)
    except FileNotFoundError as error:
        raise Error(error.errno, f"{monctl} not found: install libmon-tools, or pass monctl=FILE") from error
    if done.returncode:
        raise Error(0, done.stderr.strip() or f"{monctl} export ended with status {done.returncode}")
    return done.stdout


class Recording:
    """A recording: a row for each interval, a column for each counter, each metric, and the runs."""

    def __init__(self, file: Path = "monctl.data", monctl: Path = "monctl") -> None:
        self.file = file
        self._monctl = monctl
        rows = list(csv.reader(_export(monctl, "--csv", file).splitlines()))
        # seconds, "PMU/event,place/ [unit]" for each counter, "PMU metric,place [unit]" for each metric, runs
        columns = [name.rpartition(" [") for name in rows[0][1:-1]]
        self.units: dict[str, str] = {name: unit.rstrip("]") for name, _, unit in columns}
        """Units of counters and metrics. A count of a counter with a scale is that part of the unit, "0.5 us"."""
        self.names: list[str] = [name for name, _, _ in columns if "/" in name]
        """Counters, in perf's notation."""
        self.seconds: list[float] = [float(row[0]) for row in rows[1:]]
        """When each interval begins, from the start of the recording on."""
        self.counts: dict[str, list[int]] = {
            name: [int(row[i]) for row in rows[1:]] for i, (name, _, _) in enumerate(columns, 1) if "/" in name}
        """What each counter counted in each interval."""
        self.metrics: dict[str, list[float]] = {
            name: [float(row[i] or "nan") for row in rows[1:]]
            for i, (name, _, _) in enumerate(columns, 1) if "/" not in name}
        """Metrics in each interval, of all places of a PMU ("espmon esp_noc_flits") and of each place in which their
        events were counted ("espmon esp_noc_flits,tile=2"); NaN: not known."""
        self.runs: list[list[str]] = [row[-1].split("; ") if row[-1] else [] for row in rows[1:]]
        """Runs and phases that went on in each interval, "DEVICE PROGRAM: ABOUT"."""

    def totals(self) -> dict[str, int]:
        return {name: sum(column) for name, column in self.counts.items()}

    def details(self) -> dict[str, Any]:
        """All of it, as monctl export --json says it: places, units, metrics, runs, verdict."""
        return dict(json.loads(_export(self._monctl, "--json", self.file)))

    def frame(self) -> Any:
        """A pandas DataFrame, its index in seconds."""
        import pandas  # pylint: disable=import-outside-toplevel # only who asks for one needs it

        return pandas.DataFrame(self.counts, index=pandas.Index(self.seconds, name="seconds"))
