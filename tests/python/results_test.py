"""The reader of databases: versions, other files, and the data frame of all runs."""

import math
import os
import shutil
import sqlite3
import tempfile
import unittest
from contextlib import closing
from pathlib import Path

import databases
from sample import sample
from jackdaw import execution, report, results
from jackdaw.mistake import Mistake


class ResultsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.path = self.folder / "run's ?# 1%.db"  # a name that a URI has to quote

    def refused(self, path, says):
        with self.assertRaises(Mistake) as caught:
            with results.read(path) as kept:
                kept.runs()
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
        os.mkfifo(self.folder / "pipe.db")
        self.refused(self.folder / "pipe.db", "no regular file")
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

    def test_values_of_another_type_are_a_mistake(self):
        def planted_with(table, column, value):
            self.path.unlink(missing_ok=True)
            sample().save(self.path)
            databases.insert(self.path, "bench", id=1, kernel="fib", size="20")
            databases.insert(self.path, "run", bench=1, side="jackdaw", scheduler="adws", seconds=1)
            databases.insert(self.path, "simulation", id=1)
            databases.insert(self.path, "simulated_run", simulation=1, steals="[1]")
            databases.execute(self.path, f"UPDATE {table} SET {column} = ?", value)

        for table, column, value, says in (
                ("execution", "seconds", "long", "'long', expected a number"),
                ("execution", "seconds", float("inf"), "inf, expected a number"),
                ("execution", "workers", b"\x00", "b'\\x00', expected an integer"),
                ("execution_worker", "busy_ns", "x", "'x', expected a number"),
                ("execution_worker", "local_bytes", 1.5, "1.5, expected an integer"),
                ("bench", "iterations", "many", "'many', expected an integer"),
                ("run", "seconds", "x", "'x', expected a number"),
                ("run", "side", b"jackdaw", "b'jackdaw', expected a text"),
                ("simulated_run", "local_bytes", "x", "'x', expected an integer")):
            planted_with(table, column, value)
            self.refused(self.path, f"{table}, column {column}: {says}")
        for table, column in (("array", "name"), ("array", "bytes"), ("traffic", "bytes"), ("iteration", "begin_ns"),
                              ("node", "bandwidth"), ("share", "written"), ("decision", "at_ns"), ("task", "begin_ns"),
                              ("place", "bytes"), ("steal", "steals")):
            planted_with(f"execution_{table}", column, b"\xff")
            with self.assertRaisesRegex(Mistake, f"execution_{table}, column {column}: .*expected"):
                report.write(self.path, self.folder / "page.html")

    def test_all_queries_see_the_file_as_it_was(self):
        databases.create(self.path)
        with closing(sqlite3.connect(self.path, isolation_level=None)) as writer:
            writer.execute("PRAGMA journal_mode = WAL")  # in which others can write meanwhile
            databases.insert(self.path, "execution", id=1)
            with results.read(self.path) as kept:
                self.assertEqual(execution.ids(kept), [1])
                databases.insert(self.path, "execution", id=2)
                self.assertEqual(execution.ids(kept), [1])
            with results.read(self.path) as kept:
                self.assertEqual(execution.ids(kept), [1, 2])

    def test_a_file_whose_writer_was_killed(self):
        databases.create(self.folder / "whole.db")
        with closing(sqlite3.connect(self.folder / "whole.db", isolation_level=None)) as writer:
            writer.execute("PRAGMA cache_size = 1")
            writer.execute("PRAGMA cache_spill = 1")
            writer.execute("BEGIN")
            for table in ("execution_task", "execution_share"):
                writer.execute(f"DROP TABLE {table}")
            writer.execute("CREATE TABLE much (text)")
            writer.executemany("INSERT INTO much VALUES (?)", [("x" * 4000,)] * 200)
            # As the file stands now, it would stay if its writer was killed.
            for end in ("", "-journal"):
                shutil.copy(self.folder / f"whole.db{end}", f"{self.path}{end}")
            writer.execute("ROLLBACK")
        self.refused(self.path, "a program ended while it wrote to it")

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
