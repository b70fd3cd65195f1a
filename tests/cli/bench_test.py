"""`jackdaw bench`: what it prints and what it stores."""

import os
import statistics
import unittest

from program import ProgramTest


class Bench(ProgramTest):
    def test_json_and_database_agree(self):
        told = self.succeed_json("bench", "fib", "--size", "tiny", "--scheduler", "adws,random", "--against", "serial",
                                 "--workers", "2", "--repeat", "3", "--pause", "0")
        self.assertEqual((told["kind"], told["kernel"], told["size"], told["workers"], told["repeat"]),
                         ("measured", "fib", "tiny", 2, 3))
        self.assertEqual([(side["side"], side["scheduler"], side["workers"]) for side in told["sides"]],
                         [("jackdaw", "adws", 2), ("jackdaw", "random", 2), ("serial", None, 1)])
        for side in told["sides"]:
            seconds = [run["seconds"] for run in side["runs"]]
            self.assertEqual([run["round"] for run in side["runs"]], [1, 2, 3])
            self.assertTrue(all(value > 0 for value in seconds))
            self.assertAlmostEqual(side["median_s"], statistics.median(seconds), places=12)
            self.assertEqual((side["min_s"], side["max_s"]), (min(seconds), max(seconds)))
            self.assertAlmostEqual(side["ratio"], side["median_s"] / told["sides"][0]["median_s"], places=9)
            self.assertEqual("steals_local" in side["runs"][0], side["side"] == "jackdaw")
        self.assertEqual(told["sides"][0]["ratio"], 1)

        self.assertEqual(told["database"], {"file": "jackdaw.db", "bench": 1})
        self.assertEqual(self.rows("SELECT id, kernel, size, workers, placement_order, repeats, started FROM bench"),
                         [(1, "fib", "tiny", 2, "scatter", 3, told["started"])])
        stored = self.rows("SELECT position, round, side, scheduler, workers, seconds, steals_local IS NULL FROM run"
                           " WHERE bench = 1 ORDER BY position, round")
        expected = [(position, run["round"], side["side"], side["scheduler"], side["workers"], run["seconds"],
                     int(side["side"] != "jackdaw"))
                    for position, side in enumerate(told["sides"]) for run in side["runs"]]
        self.assertEqual(stored, expected)
        counters = ("steals_local", "steals_remote", "failed_steals", "migrations", "suspensions", "forced_steals",
                    "sleeps", "in_place", "rescues", "turns")
        self.assertEqual(self.rows(f"SELECT {', '.join(counters)} FROM run ORDER BY position, round"),
                         [tuple(run.get(name) for name in counters) for side in told["sides"] for run in side["runs"]])

    def test_table(self):
        ended = self.succeed("bench", "fib", "--size", "tiny", "--against", "serial", "--repeat", "2", "--pause", "0")
        self.assertIn("fib, size tiny", ended.stdout)
        self.assertIn("measured wall time of 2 runs a side in turn", ended.stdout)
        self.assertIn("stored in jackdaw.db as bench 1", ended.stdout)
        header, first, second = [line.split() for line in ended.stdout.splitlines() if line][2:5]
        self.assertEqual(header[:3], ["side", "workers", "median"])
        self.assertTrue(first[0].startswith("jackdaw/"))
        self.assertEqual((second[0], second[1]), ("serial", "1"))
        progress = ended.stderr.splitlines()
        self.assertEqual([line.split(":")[0] for line in progress],
                         ["warm-up 1 of 1", "round 1 of 2", "round 2 of 2"])

    def test_snapshots_are_of_each_side(self):
        self.succeed("bench", "sph", "--size", "tiny", "--iterations", "3", "--scheduler", "random,adws", "--against",
                     "serial", "--repeat", "1", "--snapshots", "pictures")
        sides = sorted(path.name for path in (self.folder / "pictures").iterdir())
        self.assertEqual(sides, ["adws", "random", "serial"])
        for side in sides:
            files = sorted(path.name for path in (self.folder / "pictures" / side).iterdir())
            self.assertEqual(files, sorted(f"{name}-00000{step}.{kind}" for step in (0, 1, 2) for name, kind in
                                           (("water", "png"), ("water", "vtk"), ("workers", "png"))))
            # Who computed what differs, and nothing else.
            water = (self.folder / "pictures" / side / "water-000002.png").read_bytes()
            self.assertEqual(water, (self.folder / "pictures" / "serial" / "water-000002.png").read_bytes())

    def test_nothing_is_stored_on_request(self):
        fib = ("bench", "fib", "--size", "tiny", "--repeat", "1", "--no-store")
        self.assertNotIn("stored", self.succeed(*fib).stdout)
        self.assertNotIn("database", self.succeed_json(*fib))
        self.assertEqual(self.contents(), {})
        self.refuse(*fib, "--db", "a.db", says="--db excludes --no-store")

    def test_every_bench_is_added(self):
        for _ in range(2):
            self.succeed("bench", "fib", "--size", "tiny", "--repeat", "1", "--db", "kept.db")
        self.succeed("bench", "fib", "--size", "tiny", "--repeat", "2", JACKDAW_DB="kept.db")
        self.assertEqual(self.rows("SELECT bench, count(*) FROM run GROUP BY bench", "kept.db"),
                         [(1, 1), (2, 1), (3, 2)])
        self.assertEqual(sorted(self.contents()), ["kept.db"])

    def test_the_file_is_marked_as_jackdaws(self):
        self.succeed("bench", "fib", "--size", "tiny", "--repeat", "1")
        self.assertEqual(self.rows("PRAGMA application_id"), [(0x4A444157,)])
        self.assertEqual(self.rows("PRAGMA user_version"), [(5,)])
        self.assertEqual(self.rows("PRAGMA integrity_check"), [("ok",)])

    def test_workers_come_from_the_environment(self):
        told = self.succeed_json("bench", "fib", "--size", "tiny", "--repeat", "1", JACKDAW_WORKERS="1",
                                 JACKDAW_SCHEDULER="random")
        self.assertEqual(told["workers"], 1)
        self.assertEqual(told["sides"][0]["scheduler"], "random")

    def test_more_workers_than_cpus_are_not_pinned_and_this_is_reported_once(self):
        many = len(os.sched_getaffinity(0)) + 1
        ended = self.succeed("bench", "fib", "--size", "tiny", "--repeat", "1", "--workers", many, "--scheduler",
                             "adws,random", "--pause", "0")
        self.assertEqual(ended.stderr.count(f"{many} workers"), 1, ended.stderr)
        self.assertEqual(ended.stderr.count("not pinned"), 1, ended.stderr)
        self.assertEqual(self.rows("SELECT workers, pinned FROM bench"), [(many, 0)])

    def test_a_described_machine(self):
        told = self.succeed_json("bench", "fib", "--size", "tiny", "--repeat", "1",
                                 HWLOC_SYNTHETIC="package:4 core:1 pu:1")
        self.assertEqual(told["workers"], 4)
        self.assertEqual(told["machine"], {"name": "package:4 core:1 pu:1", "source": "HWLOC_SYNTHETIC"})
        self.assertFalse(told["pinned"])

    def test_unpinned_on_request(self):
        told = self.succeed_json("bench", "fib", "--size", "tiny", "--repeat", "1", "--no-pin", "--order", "compact")
        self.assertFalse(told["pinned"])
        self.assertEqual(told["order"], "compact")


if __name__ == "__main__":
    unittest.main()
