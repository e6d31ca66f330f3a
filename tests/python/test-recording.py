#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The module mon on a machine without counters: a recording as columns, and errors as sentences."""
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ.get("srcdir", "."), "libmon/python"))
import mon  # noqa: E402

# of tests/unit/monctl/fixture.h
SAMPLES = 100
INTERVAL = 0.001


class TestRecording(unittest.TestCase):
    """Counter k of tile t counts (k + 1) * (t + 1) in each interval, all DPUs together 5."""

    @classmethod
    def setUpClass(cls):
        cls.file = subprocess.run(["tests/browser/write-recording"], capture_output=True, text=True,
                                  check=True).stdout.strip()
        cls.recording = mon.Recording(cls.file, "./monctl")

    @classmethod
    def tearDownClass(cls):
        os.remove(cls.file)

    def test_columns_have_what_each_interval_counted(self):
        counts = self.recording.counts
        self.assertEqual(counts["espmon/noc_injects_p0,tile=2/"], [3] * SAMPLES)
        self.assertEqual(counts["espmon/noc_injects_p1,tile=3/"], [8] * SAMPLES)
        self.assertEqual(counts["upmem/dpu_instructions/"], [5] * SAMPLES)
        # two counters of four tiles, and that one
        self.assertEqual(len(self.recording.names), 2 * 4 + 1)

    def test_time_is_in_seconds(self):
        self.assertEqual(len(self.recording.seconds), SAMPLES)
        for i, seconds in enumerate(self.recording.seconds):
            self.assertAlmostEqual(seconds, i * INTERVAL)

    def test_columns_have_units(self):
        self.assertEqual(self.recording.units["espmon/noc_injects_p0,tile=2/"], "flits")
        self.assertEqual(self.recording.units["upmem/dpu_instructions/"], "instructions")
        self.assertEqual(set(self.recording.units), {*self.recording.names, *self.recording.metrics})

    def test_runs_of_each_interval(self):
        # fixture.c: dev.1 in the first 40 and the last 50 ms, dev.0 from 20 to 30 ms, which says what runs
        self.assertEqual(self.recording.runs[0], ["dev.1 tester"])
        self.assertEqual(self.recording.runs[25], ["dev.1 tester", "dev.0 tester: full, 8 bytes"])
        self.assertEqual(self.recording.runs[45], [])

    def test_totals(self):
        self.assertEqual(self.recording.totals()["espmon/noc_injects_p1,tile=0/"], 2 * SAMPLES)

    def test_details_have_the_runs(self):
        # fixture.h: dev.0 once, dev.1 twice
        self.assertEqual(len(self.recording.details()["marks"]), 3)

    def test_a_frame_where_pandas_is(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            with self.assertRaises(ImportError):
                self.recording.frame()
            return
        frame = self.recording.frame()
        self.assertEqual(frame.shape, (SAMPLES, 9))
        self.assertEqual(frame.index.name, "seconds")
        self.assertEqual(int(frame["upmem/dpu_instructions/"].sum()), 5 * SAMPLES)


class TestErrors(unittest.TestCase):
    """What fails names the thing."""

    def test_no_such_recording(self):
        with self.assertRaisesRegex(mon.Error, "/nonexistent"):
            mon.Recording("/nonexistent", "./monctl")

    def test_no_such_tool(self):
        with self.assertRaisesRegex(mon.Error, "install libmon-tools"):
            mon.Recording("monctl.data", "./no-such-monctl")

    def test_no_such_pmu(self):
        with self.assertRaisesRegex(mon.Error, "no_such_pmu") as caught:
            mon.Group("no_such_pmu/event/")
        self.assertIsInstance(caught.exception, OSError)
        self.assertTrue(caught.exception.errno)
        with self.assertRaisesRegex(mon.Error, "no_such_pmu"):
            mon.Pmu("no_such_pmu")

    def test_bad_notation(self):
        with self.assertRaises(mon.Error):
            mon.Group("")

    def test_an_empty_group_does_not_open(self):
        with self.assertRaises(mon.Error):
            with mon.Group():
                pass

    def test_kinds_that_are_not_there(self):
        self.assertEqual(mon.pmus("no_such_pmu"), [])

    def test_version_is_the_projects(self):
        with open(os.path.join(os.environ.get("srcdir", "."), "configure.ac"), encoding="utf-8") as configure:
            version = re.search(r"AC_INIT\(\[libmon\], \[([^]]*)\]", configure.read())
        self.assertEqual(mon.version(), version[1])

    def test_a_mark_without_recorder_does_nothing(self):
        mon.mark("load")
        mon.mark()


unittest.main(verbosity=0)
