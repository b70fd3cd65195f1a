"""Runs programs with $JACKDAW_STATS and reads what they have recorded: program.cpp says what each does."""

import os
import re
import shutil
import sqlite3
import subprocess
import unittest

from program import PROGRAM, ProgramTest

LIBRARY_FOLDER = os.path.dirname(os.environ["JACKDAW_STATS_LIBRARY"])
TWO_PACKAGES = "package:2 [numa] l3:1 core:2 pu:1"
MIB = 1 << 20


class RecordedTest(ProgramTest):
    def record(self, what, status=0, **environment):
        ended = self.run_program(what, JACKDAW_STATS="run.db", LD_LIBRARY_PATH=LIBRARY_FOLDER, **environment)
        self.assertEqual((ended.returncode, ended.stderr), (status, ""), ended)
        return ended.stdout

    def ask(self, query, file="run.db"):
        database = sqlite3.connect(self.folder / file)
        try:
            return database.execute(query).fetchall()
        finally:
            database.close()

    def one(self, query):
        rows = self.ask(query)
        self.assertEqual(len(rows), 1, rows)
        return rows[0] if len(rows[0]) > 1 else rows[0][0]

    def test_times_of_each_worker_add_up(self):
        self.record("serial", JACKDAW_WORKERS="2")
        seconds, workers = self.one("SELECT seconds, workers FROM execution")
        rows = self.ask("SELECT busy_ns, search_ns, sleep_ns FROM execution_worker")
        self.assertEqual((len(rows), workers), (2, 2))
        for row in rows:
            self.assertAlmostEqual(sum(row) * 1e-9, seconds, places=6)
            self.assertTrue(all(part >= 0 for part in row), row)

    def test_what_the_process_did_outside_of_tasks(self):
        self.record("waits", JACKDAW_WORKERS="2")
        process, seconds, roots, cpu = self.one(
            "SELECT process, process_seconds, seconds, process_cpu_seconds FROM execution")
        self.assertRegex(process, r"^\d+@\d+$")
        self.assertGreaterEqual(roots, 0.25)
        self.assertGreaterEqual(seconds, roots + 0.5)
        self.assertGreaterEqual(cpu, 0.29)

    def test_a_child_begins_when_it_is_forked(self):
        lasted = float(self.record("forks_first", JACKDAW_WORKERS="2").split()[1])
        self.assertLessEqual(self.one("SELECT process_seconds FROM execution"), lasted)

    def test_what_the_process_computed_before_it_loaded_the_library_is_not_its(self):
        used = float(self.record("again", JACKDAW_WORKERS="2").split()[1])
        self.assertGreaterEqual(used, 0.3)
        self.assertLessEqual(self.one("SELECT process_cpu_seconds FROM execution"), used - 0.29)

    @unittest.skipUnless(os.path.exists("/proc/self/schedstat"), "this kernel does not count it")
    def test_what_the_system_did_with_each_worker(self):
        self.record("waits", JACKDAW_WORKERS="2")
        rows = self.ask("SELECT awake_ns, cpu_ns, ready_ns, preemptions FROM execution_worker ORDER BY busy_ns DESC")
        for awake, cpu, ready, preemptions in rows:
            self.assertGreaterEqual(awake, cpu + ready)
            self.assertLess(awake, 10e9)
            self.assertGreaterEqual(preemptions, 0)
        awake, cpu, ready, _ = rows[0]
        self.assertGreaterEqual(awake - cpu - ready, 0.24e9)
        elsewhere = self.one("SELECT process_cpu_seconds * 1e9 - (SELECT sum(cpu_ns) FROM execution_worker) "
                             "FROM execution")
        self.assertGreaterEqual(elsewhere, 0.29e9)

    def test_steals_are_what_the_runtime_counted(self):
        told = dict(re.findall(r"(\w+) (\d+)", self.record("serial", JACKDAW_WORKERS="2")))
        counted = self.one("SELECT sum(steals_core + steals_cache + steals_package + steals_remote), sum(suspensions), "
                           "sum(roots) FROM execution_worker")
        self.assertEqual(counted, tuple(int(told[name]) for name in ("steals", "suspensions", "roots")))
        self.assertEqual(counted[0], self.one("SELECT coalesce(sum(steals), 0) FROM execution_steal"))
        self.assertEqual(self.one("SELECT sum(failed_local + failed_remote) FROM execution_worker"),
                         self.one("SELECT coalesce(sum(failed), 0) FROM execution_steal"))

    def test_a_serial_first_touch_was_outside_of_tasks(self):
        self.record("serial")
        self.assertEqual(self.one("SELECT name, source, bytes, first_touched_by, first_touched_bytes "
                                  "FROM execution_array WHERE source <> 'anonymous'"),
                         ("grid", "declared", 8 * MIB, -1, 8 * MIB))
        declared = 5 * 8 * MIB
        self.assertEqual(self.one("SELECT sum(bytes) FROM execution_traffic"), declared)
        self.assertEqual(self.one("SELECT sum(local_bytes + remote_bytes) FROM execution_worker"), declared)
        bytes_, written = self.one("SELECT sum(bytes), sum(written) FROM execution_share")
        self.assertAlmostEqual(bytes_, declared, delta=1000)
        self.assertAlmostEqual(written, 3 * 8 * MIB, delta=1000)
        self.assertEqual(self.one("SELECT count(DISTINCT part), max(parts) FROM execution_share"), (256, 256))

    def test_a_task_that_declares_its_first_touch(self):
        self.record("task")
        name, by, bytes_ = self.one("SELECT name, first_touched_by, first_touched_bytes FROM execution_array "
                                    "WHERE source = 'declared'")
        self.assertRegex(name, r"^used in (task|use) ")
        self.assertEqual(self.one(f"SELECT roots > 0 FROM execution_worker WHERE worker = {by}"), 1)
        self.assertGreater(bytes_, 7 * MIB)

    def test_a_task_that_does_not_declare_it_was_alone(self):
        self.record("silent", JACKDAW_WORKERS="2")
        by = self.one("SELECT first_touched_by FROM execution_array WHERE source = 'declared'")
        self.assertIn(by, (0, 1))

    def test_placed_arrays(self):
        self.record("placed")
        self.assertEqual(self.ask("SELECT source, bytes FROM execution_array a WHERE execution = "
                                  "(SELECT execution FROM execution_traffic) AND source <> 'anonymous'"),
                         [("placed", 8 * MIB)] * 2)
        # The program has said where the first one is, so that it does not matter who touched it.
        touched = self.ask("SELECT first_touched_by IS NULL FROM execution_array WHERE source = 'placed' "
                           "AND execution = (SELECT execution FROM execution_traffic) ORDER BY 1")
        self.assertEqual(touched, [(0,), (1,)])

    def test_one_hot_array(self):
        self.record("hot")
        self.assertEqual(self.ask("SELECT name, sum(t.bytes) FROM execution_array a JOIN execution_traffic t "
                                  "USING (execution, array) GROUP BY name"),
                         [("cold", 8 * MIB), ("hot", 80 * MIB)])

    def test_a_program_that_declares_nothing(self):
        self.record("nothing")
        self.assertEqual(self.one("SELECT count(*) FROM execution_traffic"), 0)
        source, bytes_, by = self.one("SELECT source, bytes, first_touched_by FROM execution_array")
        self.assertEqual((source, by), ("anonymous", -1))
        self.assertAlmostEqual(bytes_, 32 * MIB, delta=MIB)

    def test_memory_of_the_runtime_is_not_the_programs(self):
        self.record("own", JACKDAW_WORKERS="2", JACKDAW_TRACE="run.perfetto")
        self.assertEqual(self.ask("SELECT source FROM execution_array"), [("declared",)])

    def traffic_of_names(self):
        return dict(self.ask("SELECT CASE WHEN name LIKE 'used in %' THEN '' ELSE name END, sum(t.bytes) "
                             "FROM execution_array a JOIN execution_traffic t USING (execution, array) "
                             "GROUP BY name ORDER BY name"))

    def test_a_name_that_has_ended_keeps_what_was_declared_under_it(self):
        self.record("reused")
        self.assertEqual(self.traffic_of_names(), {"temporary": 5 * 8 * MIB, "": 8 * MIB})
        self.assertEqual(self.ask("SELECT bytes FROM execution_array WHERE name = 'temporary'"), [(8 * MIB,)])

    def test_a_second_name_of_the_same_memory(self):
        self.record("renamed")
        self.assertEqual(self.traffic_of_names(), {"first": 8 * MIB, "second": 2 * 4 * MIB})

    def test_the_name_of_a_container_ends_with_it(self):
        self.assertEqual(self.record("ended"), "reused\n")
        # The second container is placed too, and has no name.
        self.assertEqual(dict(self.ask("SELECT name = 'named', sum(t.bytes) FROM execution_array a "
                                       "JOIN execution_traffic t USING (execution, array) GROUP BY 1")),
                         {1: 8 * MIB, 0: 16 * MIB})
        self.assertIsNone(self.one("SELECT first_touched_by FROM execution_array WHERE name = 'named'"))

    def test_what_is_known_of_an_array_that_has_ended(self):
        self.record("scoped")
        self.assertEqual(self.one("SELECT source, bytes, first_touched_by, first_touched_bytes FROM execution_array "
                                  "WHERE name = 'grid'"), ("declared", 8 * MIB, -1, 8 * MIB))
        self.assertAlmostEqual(self.one("SELECT sum(p.bytes) FROM execution_place p JOIN execution_array a "
                                        "USING (execution, array) WHERE name = 'grid'"), 8 * MIB, delta=64 * 1024)

    def test_a_described_machine(self):
        self.record("serial", HWLOC_SYNTHETIC=TWO_PACKAGES, JACKDAW_WORKERS="4")
        self.assertEqual(self.ask("SELECT package, node FROM execution_worker"), [(0, 0), (0, 0), (1, 1), (1, 1)])
        self.assertEqual(self.one("SELECT machine_source FROM execution"), "HWLOC_SYNTHETIC")
        self.assertEqual(self.ask("SELECT node, package FROM execution_node"), [(0, 0), (1, 1)])
        # As the main thread is assumed to be on the first node.
        self.assertEqual(self.ask("SELECT node, bytes FROM execution_place WHERE array = 0"), [(0, 8 * MIB)])
        used = self.one("SELECT sum(bytes) FROM execution_traffic t JOIN execution_worker w USING (execution, worker) "
                        "WHERE package = 1")
        self.assertEqual(self.one("SELECT sum(remote_bytes) FROM execution_worker"), used or 0)

    def test_an_exception_leaves_a_root(self):
        self.assertEqual(self.record("thrown"), "thrown\n")
        self.assertEqual(self.one("SELECT sum(roots) FROM execution_worker"), 2)

    def test_a_runtime_within_a_task(self):
        self.record("nested")
        self.assertEqual(self.ask("SELECT sum(roots) FROM execution_worker GROUP BY execution"), [(1,), (1,)])

    def test_two_runtimes_at_once(self):
        self.record("both")
        self.assertEqual(self.one("SELECT count(*) FROM execution"), 2)

    def test_the_child_of_a_fork_writes_nothing(self):
        self.assertEqual(self.record("forked"), "child 0\n")
        self.assertEqual(self.one("SELECT count(*), sum(roots) FROM execution_worker WHERE roots > 0"), (1, 1))

    def test_exit_in_a_task_on_a_small_stack(self):
        self.record("exits", status=3)
        self.assertEqual(self.one("SELECT sum(roots) FROM execution_worker"), 1)

    def test_clearing_the_counts_clears_no_record(self):
        self.record("reset")
        self.assertEqual(self.one("SELECT sum(roots) FROM execution_worker"), 2)

    def test_iterations_of_a_region(self):
        self.record("iterations")
        rows = self.ask("SELECT number, region, begin_ns, duration_ns FROM execution_iteration")
        self.assertEqual([row[:2] for row in rows], [(number, "step") for number in range(1, 8)])
        for before, after in zip(rows, rows[1:]):
            self.assertLessEqual(before[2] + before[3], after[2])

    def test_iterations_without_an_upper_tier_are_regions(self):
        self.record("iterations", JACKDAW_SCHEDULER="random")
        self.assertEqual(self.ask("SELECT number, region FROM execution_iteration"), [(1, "step")])

    def test_tasks_lie_within_their_parents(self):
        self.record("iterations", JACKDAW_WORKERS="2")
        self.assertGreater(self.one("SELECT count(*) FROM execution_task WHERE parent <> 0"), 0)
        self.assertEqual(self.ask("SELECT c.task FROM execution_task c JOIN execution_task p ON p.task = c.parent "
                                  "WHERE c.span_begin < p.span_begin OR c.span_end > p.span_end OR "
                                  "c.begin_ns < p.begin_ns OR c.depth <> p.depth + 1"), [])

    def test_decisions_have_words(self):
        self.record("iterations", JACKDAW_SCHEDULER="laws", HWLOC_SYNTHETIC=TWO_PACKAGES)
        rows = self.ask("SELECT DISTINCT name, says FROM execution_decision")
        self.assertTrue(rows)
        for name, says in rows:
            self.assertTrue(says, name)

    def test_the_default_runtime(self):
        self.record("default")
        self.assertEqual(self.one("SELECT name FROM execution_array WHERE source = 'declared'"), "grid")

    def test_runs_are_added(self):
        self.record("nothing")
        self.record("nothing")
        self.assertEqual(self.ask("SELECT id FROM execution"), [(1,), (2,)])

    def refuse_stats(self, path, says, **environment):
        before = self.contents()
        ended = self.run_program("thrown", JACKDAW_STATS=path, **{"LD_LIBRARY_PATH": LIBRARY_FOLDER, **environment})
        self.assertEqual((ended.returncode, ended.stdout), (0, "thrown\n"), ended)
        self.assertRegex(ended.stderr, r"\A[^\n]*; the variable is ignored\n\Z")
        self.assertIn("JACKDAW_STATS: ", ended.stderr)
        self.assertIn(says, ended.stderr)
        self.assertEqual(self.contents(), before)

    def test_files_that_cannot_be_written(self):
        self.refuse_stats("nowhere/run.db", "its folder does not exist")
        self.refuse_stats(".", "a folder, expected a database")
        (self.folder / "text").write_text("hello, I am no database" * 100)
        self.refuse_stats("text", "not a database")
        for pragma, says in (("application_id = 5", "another program"),
                             ("application_id = 0x4A444157; PRAGMA user_version = 999", "expected version 1 to")):
            database = sqlite3.connect(self.folder / "other.db")
            database.executescript(f"CREATE TABLE IF NOT EXISTS t (x); PRAGMA {pragma}")
            database.close()
            self.refuse_stats("other.db", says)

    def test_a_library_that_is_not_there(self):
        program = self.folder / "program"
        shutil.copy(PROGRAM, program)
        ended = subprocess.run([program, "thrown"], cwd=self.folder, env={"JACKDAW_STATS": "run.db"},
                               capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr.count("\n")), (0, "thrown\n", 1), ended)
        self.assertIn("libjackdaw-stats.so", ended.stderr)
        self.assertFalse((self.folder / "run.db").exists())


if __name__ == "__main__":
    unittest.main()
