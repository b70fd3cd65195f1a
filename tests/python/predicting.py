"""Runs `jackdaw predict` in this process, and makes databases of simulations for it."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import databases
from jackdaw import application


class PredictTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = self.folder / "runs.db"

    def run_command(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = application.run(["predict", *map(str, arguments)])
        return status, out.getvalue(), err.getvalue()

    def succeed(self, *arguments):
        status, out, err = self.run_command(*arguments)
        self.assertEqual((status, err), (0, ""), out)
        return out

    def refuse(self, *arguments, says):
        before = {path: path.read_bytes() if path.is_file() else None for path in self.folder.rglob("*")}
        status, out, err = self.run_command(*arguments)
        self.assertEqual((status, out, err.count("\n")), (2, "", 1), out + err)
        self.assertTrue(err.startswith("jackdaw: "), err)
        self.assertIn(says, err)
        self.assertEqual(before, {path: path.read_bytes() if path.is_file() else None
                                  for path in self.folder.rglob("*")})

    def fit(self, *arguments):
        return json.loads(self.succeed("fit", self.path, "--json", *arguments))

    def simulated(self, ns, remote, local=None, remote_bytes=None, at=1, iterations=1, scheduler="random", **of):
        """Adds a simulation with a run for each seed; times and counts are given for an iteration."""
        if not self.path.exists():
            databases.create(self.path)
        columns = {"program": "heat2d --size tiny --shape blocks", "machine": "xeon-e5-2620", "machine_file": "", **of}
        databases.insert(self.path, "simulation", id=at, placement_order="scatter", seeds=len(ns), **columns)
        rows = [{"simulation": at, "seed": seed + 1, "scheduler": scheduler, "workers": 12, "placement": "first-touch",
                 "iterations": iterations, "ns_per_iteration": time,
                 "steals": json.dumps([(local or [0] * len(ns))[seed] * iterations, remote[seed] * iterations]),
                 "remote_bytes": (remote_bytes or [0] * len(ns))[seed] * iterations, "computing_ns": 600 * iterations,
                 "memory_ns": 300 * iterations, "overhead_ns": 60 * iterations, "idle_ns": 40 * iterations}
                for seed, time in enumerate(ns)]
        databases.insert_all(self.path, "simulated_run", rows)
