"""The reader of databases: versions, other files, and the data frame of all runs."""

import math
import os
import sqlite3
import tempfile
import unittest
from contextlib import closing
from pathlib import Path

import databases
from jackdaw import results
from jackdaw.mistake import Mistake


class ResultsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = self.folder / "run's ?# 1%.db"  # a name that a URI has to quote

    def refused(self, path, says):
        with self.assertRaises(Mistake) as caught:
            results.read(path).runs()
        message = str(caught.exception)
        self.assertIn(says, message)
        self.assertIn(str(path), message)
        self.assertNotIn("\n", message)

    def test_every_version_is_read_and_gives_the_columns_of_the_newest(self):
        newest = len(databases.statements())
        self.assertEqual(results.VERSION, newest)
        databases.create(self.folder / "newest.db")
        with results.read(self.folder / "newest.db") as kept:
            expected = {name: set(kept.table(name).columns) for names in results.TABLES.values() for name in names}
            tables = {name for (name,) in kept.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
        self.assertEqual(set(expected), tables)
        for version in range(1, newest + 1):
            path = self.folder / f"{version}.db"
            databases.create(path, version)
            databases.insert(path, "bench", id=1, kernel="fib", size="20", machine="m")
            databases.insert(path, "run", bench=1, side="jackdaw", scheduler="adws", workers=2, seconds=3, round=1)
            with results.read(path) as kept:
                self.assertEqual(kept.version, version)
                self.assertEqual(len(kept.runs()), 1)
                self.assertEqual(list(kept.runs().columns), list(results.COLUMNS))
                for name, columns in expected.items():
                    if kept.has(name):
                        self.assertEqual(set(kept.table(name).columns), columns, f"{name} of version {version}")
                    else:
                        self.assertEqual(len(kept.table(name)), 0)

    def test_files_that_are_not_jackdaws_are_refused_and_not_changed(self):
        (self.folder / "empty.db").touch()
        self.refused(self.folder / "empty.db", "an empty file")
        (self.folder / "text.db").write_text("no database " * 200, encoding="utf-8")
        self.refused(self.folder / "text.db", "not a database")
        self.refused(self.folder / "missing.db", "no such file")
        self.assertFalse((self.folder / "missing.db").exists())
        self.refused(self.folder, "a folder")
        with closing(sqlite3.connect(self.folder / "other.db")) as file:
            file.execute("CREATE TABLE t (x)")
        self.refused(self.folder / "other.db", "a database of another program")
        with closing(sqlite3.connect(self.folder / "void.db")) as file:
            file.execute("CREATE TABLE t (x)")
            file.execute("DROP TABLE t")
            file.commit()
        self.refused(self.folder / "void.db", "an empty database")
        databases.create(self.path, says=results.VERSION + 1)
        before = self.path.read_bytes()
        self.refused(self.path, f"version {results.VERSION + 1}, expected version 1 to {results.VERSION}")
        self.assertEqual(self.path.read_bytes(), before)

    def test_damage_is_a_mistake(self):
        databases.create(self.path)
        with closing(sqlite3.connect(self.path)) as file:
            file.execute("DROP TABLE run")
        self.refused(self.path, "the table run is missing")
        os.unlink(self.path)
        databases.create(self.path)
        databases.insert(self.path, "simulation", id=1)
        databases.insert(self.path, "simulated_run", simulation=1, steals="many")
        self.refused(self.path, "steals: 'many', expected a JSON list")
        databases.insert(self.path, "run", bench=9, seconds=1)
        self.refused(self.path, "bench 9 is missing")

    def test_a_locked_file_is_a_mistake(self):
        databases.create(self.path)
        with closing(sqlite3.connect(self.path, isolation_level=None)) as file:
            file.execute("BEGIN EXCLUSIVE")
            self.refused(self.path, "locked by another program")

    def test_files_are_opened_read_only(self):
        databases.create(self.path)
        with results.read(self.path) as kept, self.assertRaises(Mistake):
            kept.rows("CREATE TABLE more (x)")

    def test_all_kinds_of_runs_in_one_frame(self):
        databases.create(self.path)
        databases.insert(self.path, "bench", id=7, kernel="heat2d", size="tiny", shape="blocks", iterations=4,
                         machine="here", placement_order="compact")
        databases.insert(self.path, "run", bench=7, round=3, side="jackdaw", scheduler="laws", workers=8, seconds=2e-3,
                         steals_local=5, steals_remote=6, failed_steals=9, failed_remote=4)
        databases.insert(self.path, "run", bench=7, round=3, position=1, side="tbb", workers=8, seconds=3e-3)
        databases.insert(self.path, "simulation", id=2, program="p", machine="m", sweep_key="link.bandwidth")
        databases.insert(self.path, "simulated_run", id=5, simulation=2, seed=11, scheduler="random", workers=12,
                         sweep_value="x2", iterations=5, ns_per_iteration=70, steals="[10,20,30]", failed="[1,2,3]",
                         local_bytes=500, remote_bytes=50)
        databases.insert(self.path, "execution", id=1, kind="measured", program="mine", machine="here", workers=2,
                         scheduler="adws", seconds=4)
        for worker in range(2):
            databases.insert(self.path, "execution_worker", execution=1, worker=worker, steals_core=1, steals_cache=2,
                             steals_package=3, steals_remote=40, failed_local=5, failed_remote=6, local_bytes=7,
                             remote_bytes=8)
        # The same runs once more are not runs of their own.
        databases.insert(self.path, "execution", id=2, kind="measured", program="heat2d", bench=7)
        databases.insert(self.path, "execution", id=3, kind="simulated", program="p", simulated_run=5)
        with results.read(self.path) as kept:
            runs = kept.runs()
        self.assertEqual(list(runs.source), ["bench", "bench", "simulation", "execution"])
        bench, tbb, simulated, executed = runs.itertuples(index=False)
        self.assertEqual(bench.program, "heat2d --size tiny --shape blocks --iterations 4")
        self.assertEqual((bench.id, bench.kind, bench.order, bench.repeat, bench.ns),
                         (7, "measured", "compact", 3, 2e6))
        self.assertEqual((bench.remote_steals, bench.local_steals, bench.failed_remote), (6, 5, 4))
        self.assertEqual((tbb.side, tbb.scheduler), ("tbb", ""))
        self.assertTrue(math.isnan(tbb.remote_steals))
        self.assertEqual((simulated.sweep, simulated.repeat, simulated.ns), ("link.bandwidth=x2", 11, 70))
        self.assertEqual((simulated.local_steals, simulated.remote_steals), (2, 10))
        self.assertEqual((simulated.failed_remote, simulated.local_bytes, simulated.remote_bytes), (1, 100, 10))
        self.assertEqual((executed.program, executed.ns, executed.remote_steals, executed.local_steals),
                         ("mine", 4e9, 80, 12))
        self.assertEqual((executed.failed_steals, executed.failed_remote, executed.remote_bytes), (22, 12, 16))


if __name__ == "__main__":
    unittest.main()
