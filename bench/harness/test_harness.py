"""Tests of bench/run with programs that only pretend to measure."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from harness import aims, plan, report  # noqa: E402

PROGRAM = """#!{python}
import json, sys
given = dict(zip(sys.argv[2::2], sys.argv[3::2]))
with open({log!r}, "a", encoding="utf-8") as log:
    log.write({name!r} + " " + sys.argv[1] + " " + given["--workers"] + "\\n")
if {status}:
    print("bench: no luck", file=sys.stderr)
    sys.exit({status})
for i in range(int(given["--repeat"])):
    print(json.dumps(dict(kernel=sys.argv[1], size=given["--size"], shape=given.get("--shape", ""), runtime={name!r},
                          workers=int(given["--workers"]), seconds={seconds} + i, ok={ok}, items=1, unit="calls",
                          peak_kib=2048, error="off by one")))
sys.exit(0 if {ok} else 1)
"""


def run(side, seconds, kernel="fib", size="10", shape="invoke", workers=1, ok=True):
    return {"kernel": kernel, "size": size, "shape": shape, "workers": workers, "side": side, "seconds": seconds,
            "ok": ok, "peak_kib": 1024}


class FibForks(unittest.TestCase):
    def test_counts_the_calls_that_fork(self):
        def forks(n):
            return 0 if n < 2 else 1 + forks(n - 1) + forks(n - 2)

        for n in range(15):
            self.assertEqual(plan.fib_forks(n), forks(n))


class Summary(unittest.TestCase):
    def test_median_spread_and_ratio_to_the_fastest_peer(self):
        runs = [run("jackdaw", s) for s in (3.0, 1.0, 2.0)] + [run("tbb", 4.0), run("rayon", 8.0), run("serial", 1.0)]
        rows = {row["side"]: row for row in report.summarize(runs, {"tbb", "rayon"})["fib", "10", "invoke", 1]}
        self.assertEqual((rows["jackdaw"]["min"], rows["jackdaw"]["median"], rows["jackdaw"]["max"]), (1.0, 2.0, 3.0))
        self.assertEqual(rows["jackdaw"]["ratio"], 0.5)
        self.assertEqual(rows["rayon"]["ratio"], 2.0)
        self.assertEqual(rows["serial"]["ratio"], 0.25)

    def test_cost_of_a_fork_is_processor_time(self):
        rows = report.summarize([run("jackdaw", 1.0, workers=2)], set())["fib", "10", "invoke", 2]
        self.assertAlmostEqual(rows[0]["fork_ns"], 2e9 / 88)
        self.assertIsNone(rows[0]["ratio"])

    def test_wrong_results_are_counted_and_not_timed(self):
        rows = report.summarize([run("tbb", 1.0, ok=False), run("tbb", 5.0)], {"tbb"})["fib", "10", "invoke", 1]
        self.assertEqual((rows[0]["median"], rows[0]["wrong"], rows[0]["runs"]), (5.0, 1, 1))


class Aims(unittest.TestCase):
    def judged(self, runs):
        tables = report.summarize(runs, {"tbb", "rayon"})
        return {(aim.text, scheduler): (round(value, 6), met)
                for aim, _, _, scheduler, value, met in aims.judge(tables, {"tbb", "rayon"})}

    def test_lost_aims_are_kept(self):
        judged = self.judged([run("jackdaw:random", 88 * 9e-9), run("jackdaw:adws", 88 * 10e-9),
                              run("rayon", 88 * 90e-9)])
        self.assertEqual(judged["invoke at most 8 ns a fork", "random"], (9.0, False))
        self.assertEqual(judged["invoke at most 0.12 of rayon's join", "random"], (0.1, True))
        self.assertEqual(judged["adws within 1.05 of random", "adws"], (1.111111, False))
        self.assertNotIn(("adws within 1.05 of random", "random"), judged)

    def test_an_aim_without_its_peer_is_not_judged(self):
        self.assertEqual(self.judged([run("jackdaw:random", 1.0, kernel="sort", shape="u64")]), {})


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "bench").mkdir()

    def pretend(self, name, seconds=1.0, ok=True, status=0):
        path = self.folder / "bench" / f"bench_{name}"
        path.write_text(PROGRAM.format(python=sys.executable, log=str(self.folder / "log"), name=name, seconds=seconds,
                                       ok=ok, status=status), encoding="utf-8")
        path.chmod(0o755)

    def measure(self, *arguments):
        done = subprocess.run(
            [sys.executable, HERE.parent / "run", "--build", self.folder, "--results", self.folder / "results",
             *arguments], capture_output=True, text=True, check=False)
        records = [json.loads(path.read_text(encoding="utf-8")) for path in (self.folder / "results").glob("*.json")]
        return done, records[0] if records else None

    def log(self):
        return (self.folder / "log").read_text(encoding="utf-8").split("\n")[:-1]

    def test_sides_take_turns_and_missing_ones_are_reported(self):
        self.pretend("jackdaw", 1.0)
        self.pretend("tbb", 2.0)
        done, record = self.measure("--kernels", "sort", "--workers", "1", "--rounds", "2", "--schedulers", "random",
                                    "--output", self.folder / "tables.md")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.log(), ["jackdaw sort 1", "tbb sort 1", "tbb sort 1", "jackdaw sort 1"])
        self.assertIn("runtime rayon is missing: bench_rayon was not built", record["notes"])
        self.assertEqual([r["side"] for r in record["runs"]], ["jackdaw:random"] * 2 + ["tbb"] * 2)
        self.assertIn("| jackdaw:random |    1000.0 |", done.stdout)
        self.assertEqual((self.folder / "tables.md").read_text(encoding="utf-8"), done.stdout)

    def test_a_wrong_result_is_an_error(self):
        self.pretend("tbb", ok=False)
        done, record = self.measure("--kernels", "nqueens", "--workers", "1", "--rounds", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("tbb on nqueens 12 invoke with 1 worker: wrong result: off by one", record["notes"])

    def test_a_failing_program_is_reported_and_not_run_again(self):
        self.pretend("tbb")
        self.pretend("gomp", status=2)
        done, record = self.measure("--kernels", "matmul", "--workers", "1", "--rounds", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("gomp on matmul 1024 invoke with 1 worker: bench: no luck", record["notes"])
        self.assertEqual(sum(line.startswith("gomp") for line in self.log()), 1)

    def test_bad_requests(self):
        for arguments, said in (
            (["--kernels", "nonesuch"], "unknown kernel 'nonesuch'"),
            (["--runtimes", "nonesuch"], "unknown runtime 'nonesuch'"),
            (["--workers", "0"], "expected a number from 1 to 4096, got '0'"),
            ([], "no program of any runtime"),
        ):
            with self.subTest(said):
                done, record = self.measure(*arguments)
                self.assertEqual(done.returncode, 2)
                self.assertIn(said, done.stderr)
                self.assertIsNone(record)

    def test_a_spent_budget_leaves_one_turn_for_each_and_is_reported(self):
        self.pretend("tbb")
        done, record = self.measure("--kernels", "sort", "--workers", "1,2", "--rounds", "3", "--budget", "0.000001")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.log(), ["tbb sort 1", "tbb sort 2"])
        self.assertTrue(any(note.startswith("4 of 6 turns left out") for note in record["notes"]))


if __name__ == "__main__":
    unittest.main()
