"""jackdaw predict fit: lines with known answers, what should not be believed, and refusals."""

import math
import random
import unittest

import databases
from jackdaw import model, regression
from predicting import PredictTest


class Sums(unittest.TestCase):
    def test_the_papers_sums_give_its_line(self):
        b, a = regression.of_sums(50, 3555, 91885, 127796.5, 205740.5)
        self.assertAlmostEqual(b, 1.60991, places=5)
        self.assertAlmostEqual(a, 1723.2356, places=4)

    def test_the_papers_error_is_the_root_of_the_squares_over_n(self):
        # 50 runs with the paper's means, SSX, SP, and the scatter that its r of 0.9123 leaves.
        n, ssx, sp, r = 50, 127796.5, 205740.5, 0.9123
        steps = [math.cos(math.pi * (2 * at + 1) / n) for at in range(n)]  # sum 0
        waves = [math.cos(2 * math.pi * (2 * at + 1) / n) for at in range(n)]  # sum 0, orthogonal to steps
        x = [71.1 + step * math.sqrt(ssx / sum(each * each for each in steps)) for step in steps]
        left = (sp * sp / ssx) * (1 / (r * r) - 1)
        scatter = [wave * math.sqrt(left / sum(each * each for each in waves)) for wave in waves]
        y = [1837.7 + sp / ssx * (each - 71.1) + off for each, off in zip(x, scatter)]
        line = regression.fit(y, {"remote_steals": x})
        self.assertAlmostEqual(line.slopes["remote_steals"].value, 1.60991, places=5)
        self.assertAlmostEqual(line.intercept.value, 1723.2356, places=3)
        self.assertAlmostEqual(line.pearson.value, 0.9123, places=6)
        # The paper prints 5.1683. The root of the mean square is seven times as large.
        self.assertAlmostEqual(line.root_over_n, 5.1683, delta=0.002)
        self.assertAlmostEqual(line.rmse, math.sqrt(left / n), places=6)
        self.assertAlmostEqual(line.rmse, 36.53, delta=0.02)
        self.assertAlmostEqual(line.standard_error, math.sqrt(left / 48), places=6)

    def test_pearson(self):
        found = regression.pearson([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
        self.assertAlmostEqual(found.value, 0.8)
        # tanh(atanh(0.8) -+ 1.959964 / sqrt(2))
        self.assertAlmostEqual(found.low, -0.2796, places=4)
        self.assertAlmostEqual(found.high, 0.9862, places=4)
        self.assertEqual(regression.pearson([1, 1, 1, 1], [1, 2, 3, 4]).value, 0)


class Fit(PredictTest):
    def test_a_known_line_is_found(self):
        chance = random.Random(7)
        remote = [chance.randrange(5, 120) for _ in range(50)]
        self.simulated([1000 + 20 * each + chance.gauss(0, 40) for each in remote], remote, iterations=5)
        found = self.fit()
        line = found["paper"]
        self.assertTrue(line["slopes"]["remote_steals"]["low"] < 20 < line["slopes"]["remote_steals"]["high"])
        self.assertAlmostEqual(line["slopes"]["remote_steals"]["value"], 20, delta=0.6)
        self.assertAlmostEqual(line["intercept"]["value"], 1000, delta=40)
        self.assertGreater(line["pearson"]["low"], 0.98)
        self.assertEqual((line["runs"], line["freedom"], line["folds"]), (50, 48, 50))
        self.assertTrue(0.8 * line["rmse"] < line["held_out"] < 1.3 * line["rmse"], line)
        self.assertGreater(line["held_out_mean"], 10 * line["held_out"])
        self.assertEqual(line["doubts"] + found["doubts"], [])
        self.assertAlmostEqual(found["shares"]["memory"], 0.3)
        self.assertIn("Nothing speaks against the line", self.succeed("fit", self.path))

    def test_three_slopes_keep_their_units(self):
        chance = random.Random(3)
        remote, local = ([chance.randrange(5, 100) for _ in range(60)] for _ in range(2))
        remote_bytes = [chance.randrange(10 ** 6, 10 ** 9) for _ in range(60)]
        self.simulated([5e4 + 700 * a + 90 * b + 0.25 * c + chance.gauss(0, 100)
                        for a, b, c in zip(remote, local, remote_bytes)], remote, local, remote_bytes)
        line = self.fit()["extended"]
        self.assertAlmostEqual(line["slopes"]["remote_steals"]["value"], 700, delta=5)
        self.assertAlmostEqual(line["slopes"]["local_steals"]["value"], 90, delta=5)
        self.assertAlmostEqual(line["slopes"]["remote_bytes"]["value"], 0.25, delta=1e-6)
        self.assertEqual(line["doubts"], [])
        text = self.succeed("fit", self.path)
        self.assertRegex(text, r"remote steals +\d+\.?\d* ns a steal")
        self.assertRegex(text, r"remote bytes +0\.25 ns a byte")

    def test_no_relation_should_not_be_believed(self):
        chance = random.Random(11)
        remote = [chance.randrange(5, 120) for _ in range(60)]
        self.simulated([chance.gauss(1e6, 1e4) for _ in remote], remote)
        found = self.fit()["paper"]
        self.assertTrue(any("show no relation" in each for each in found["doubts"]), found["doubts"])
        self.assertTrue(any("no better than by the mean" in each for each in found["doubts"]), found["doubts"])
        self.assertIn("should not be believed", self.succeed("fit", self.path))

    def doubts_of(self, ns, remote):
        return " ".join(regression.fit(ns, {"remote_steals": remote}).doubts)

    def test_what_a_line_hides_is_told(self):
        chance = random.Random(5)
        far = [chance.randrange(10, 100) for _ in range(30)]
        near = [chance.randrange(100, 110) for _ in range(29)]
        noise = [chance.gauss(0, 1) for _ in range(30)]
        self.assertIn("are few", self.doubts_of([100 + 9 * x + e for x, e in zip(far[:5], noise)], far[:5]))
        self.assertIn("More remote steals go with less time",
                      self.doubts_of([9000 - 9 * x + e for x, e in zip(far, noise)], far))
        self.assertIn("One run, with 900 remote steals, decides the slope",
                      self.doubts_of([100 + e for e in noise[:29]] + [900], near + [900]))
        two = [10 + at % 5 for at in range(15)] + [100 + at % 5 for at in range(15)]
        self.assertIn("two clusters", self.doubts_of([100 + 50 * (x > 50) + e for x, e in zip(two, noise)], two))
        self.assertIn("two numbers of remote steals", self.doubts_of([1 + x + e for x, e in
                                                                      zip([3, 4] * 15, noise)], [3, 4] * 15))
        self.assertIn("A curve fits better", self.doubts_of([x * x + e for x, e in zip(far, noise)], far))
        one = [x + 1000 for x in near]
        self.assertIn("one cluster of", self.doubts_of([9 * x + e for x, e in zip(one, noise)], one))
        self.assertIn("nothing to explain", self.doubts_of([7.0] * 30, far))
        # A clean line of two clusters, or of many numbers, has no such doubt.
        self.assertEqual(self.doubts_of([100 + 9 * x + e for x, e in zip(two, noise)], two), "")
        self.assertEqual(self.doubts_of([100 + 9 * x + e for x, e in zip(far, noise)], far), "")

    def test_regressors_that_go_together_are_told(self):
        chance = random.Random(2)
        remote = [chance.randrange(5, 100) for _ in range(40)]
        self.simulated([1000 + 9 * x + chance.gauss(0, 9) for x in remote], remote,
                       [2 * x + chance.randrange(2) for x in remote], [4096 * x for x in remote])
        line = self.fit()["extended"]
        self.assertIn("cannot be told apart", " ".join(line["doubts"]))
        self.assertEqual(line["left_out"], {"remote_bytes": "the other regressors determine it"})

    def test_one_socket_has_no_slope(self):
        self.simulated([100.0 + at for at in range(20)], [0] * 20, list(range(20)))
        found = self.fit()
        self.assertIsNone(found["paper"])
        self.assertIn("no slope can be fitted", found["doubts"][0])
        self.assertAlmostEqual(found["extended"]["slopes"]["local_steals"]["value"], 1)
        said = self.succeed("fit", self.path)
        self.assertNotIn("There is no model", said)
        self.assertIn("There is no line on remote steals, only the model on local steals", said)

    def test_no_regressor_differs(self):
        self.simulated([100.0 + at for at in range(20)], [0] * 20)
        out = self.folder / "model.json"
        for more in ((), ("--json",), ("--out", out)):
            status, said, err = self.run_command("fit", self.path, *more)
            self.assertEqual((status, err.count("\n")), (1, 1), err)
            self.assertIn("no model of these runs: All runs have the same number of remote steals, 0", err)
            self.assertIn('"paper": null' if "--json" in more else "There is no model of these runs.", said)
        self.assertFalse(out.exists())

    def test_doubts_name_the_regressor(self):
        """A model on local steals alone, as of one socket, does not speak of remote ones."""
        chance = random.Random(6)
        for local in ([3, 4] * 10, [1000 + each % 7 for each in range(20)],
                      [5 + each % 3 for each in range(19)] + [900],
                      [10 + each % 5 for each in range(10)] + [100 + each % 5 for each in range(10)]):
            self.path.unlink(missing_ok=True)
            self.simulated([100 + 50 * (each > 50) + chance.random() for each in local], [0] * 20, local)
            line = self.fit()["extended"]
            self.assertIn("local steals", " ".join(line["doubts"]))
            self.assertNotIn("remote", " ".join(line["doubts"]))

    def test_runs_that_differ_are_refused_with_the_option(self):
        remote = list(range(10, 30))
        ns = [10.0 * each + each % 3 for each in remote]
        self.simulated(ns, remote)
        self.simulated(ns, remote, at=2, program="fib --size 20")
        self.refuse("fit", self.path, says="runs of 2 programs (heat2d --size tiny --shape blocks, fib --size 20)")
        self.refuse("fit", self.path, says="--program")
        self.assertEqual(self.fit("--kernel", "fib")["runs"], 20)
        self.assertEqual(self.fit("--program", "heat2d *")["same"]["program"], "heat2d --size tiny --shape blocks")
        for at, (option, change) in enumerate({"--machine": {"machine": "other"}, "--scheduler": {"scheduler": "laws"},
                                               "--sweep": {"sweep_key": "a"}}.items(), 3):
            self.simulated(ns, remote, at=at, **change)
            self.refuse("fit", self.path, "--kernel", "heat2d", says=option)
            databases.execute(self.path, "DELETE FROM simulated_run WHERE simulation = ?", at)
        databases.insert_all(self.path, "simulated_run", [
            {"simulation": 1, "seed": 99, "position": 1, "scheduler": "random", "workers": 6,
             "placement": "first-touch", "steals": "[1]", "ns_per_iteration": 5}])
        self.refuse("fit", self.path, "--kernel", "heat2d", says="2 numbers of workers (12, 6)")
        self.assertEqual(self.fit("--kernel", "heat2d", "--workers", "12")["runs"], 20)
        self.refuse("fit", self.path, "--kernel", "nqueens",
                    says="no runs with --kernel nqueens, expected one of heat2d")
        self.refuse("fit", self.path, "--workers", "5", says="no runs with --workers 5, expected one of 12, 6")
        self.refuse("fit", self.path, "--workers", "many", says="--workers")

    def executions(self, times, **of):
        if not self.path.exists():
            databases.create(self.path)
        for at, (seconds, steals) in enumerate(times):
            number = 1 + at + 1000 * len(of)
            columns = dict(kind="measured", program="mine", machine="here", workers=1, scheduler="random",
                           jackdaw_version="0.1.0")
            cpu = of.get("os_cpu", 0)
            columns.update({name: value for name, value in of.items() if name != "os_cpu"})
            databases.insert(self.path, "execution", id=number, seconds=seconds, **columns)
            databases.insert(self.path, "execution_worker", execution=number, worker=0, os_cpu=cpu,
                             steals_remote=steals, steals_cache=at % 3)

    def test_runs_that_were_made_otherwise_are_not_mixed(self):
        times = [(1e-3 * (100 + at), at) for at in range(20)]
        self.executions(times)
        self.executions(times, os_cpu=None)
        self.refuse("fit", self.path, says="choose one with --pinned")
        self.assertEqual(self.fit("--pinned", "no")["runs"], 20)
        self.path = self.folder / "versions.db"
        self.executions(times)
        self.executions(times, jackdaw_version="0.2.0")
        self.refuse("fit", self.path, says="2 versions of jackdaw (0.1.0, 0.2.0)")
        self.assertEqual(self.fit("--jackdaw-version", "0.2.0")["runs"], 20)
        self.path = self.folder / "traces.db"
        for at, trace in enumerate(("a.trace", "b.trace"), 1):
            self.simulated([1000.0 + 9 * each for each in range(20)], list(range(20)), at=at, trace=trace)
        self.refuse("fit", self.path, says="2 traces (a.trace, b.trace)")
        self.assertEqual(self.fit("--trace", "b.trace")["same"]["trace"], "b.trace")
        self.path = self.folder / "benches.db"
        databases.create(self.path)
        for at, pinned in enumerate((0, 1), 1):
            databases.insert(self.path, "bench", id=at, kernel="fib", size="20", machine="here", pinned=pinned)
            databases.insert_all(self.path, "run", [
                {"bench": at, "round": each, "side": "jackdaw", "scheduler": "random", "workers": 4,
                 "steals_local": each % 5, "steals_remote": each % 7, "seconds": 1e-3 * each} for each in range(1, 20)])
        self.refuse("fit", self.path, says="ways to bind workers (pinned or not) (no, yes)")

    def test_two_clusters_of_times_are_told(self):
        """A small and a large input: steals grow with it, so that the line looks fine."""
        chance = random.Random(3)
        times = [(base * (1 + 0.02 * chance.random()), steals + at % 9)
                 for at in range(20) for base, steals in ((0.1, 10), (0.4, 40))]
        self.executions(times)
        self.assertIn("The times form two clusters, 100", " ".join(self.fit()["doubts"]))
        self.assertIn("a program's arguments are not recorded", " ".join(self.fit()["doubts"]))
        self.path = self.folder / "one.db"
        self.executions([(0.1 + 0.001 * at, at) for at in range(40)])
        self.assertEqual(self.fit()["doubts"], [])

    def test_repeated_simulations_count_once(self):
        remote = list(range(10, 30))
        for at in (1, 2):
            self.simulated([10.0 * each + each % 3 for each in remote], remote, at=at)
        found = self.fit()
        self.assertEqual(found["runs"], 20)
        self.assertIn("20 simulated runs are left out: they repeat others exactly", " ".join(found["notes"]))

    def test_measured_runs_of_a_bench(self):
        databases.create(self.path, 3)
        databases.insert(self.path, "bench", id=1, kernel="fib", size="20", machine="here", placement_order="scatter")
        rows = [{"bench": 1, "round": at, "side": "jackdaw", "scheduler": "random", "workers": 4,
                 "steals_local": at % 5,
                 "steals_remote": at % 7, "seconds": 1e-3 * (5 + at % 7 + 0.1 * (at % 3))} for at in range(1, 29)]
        rows += [dict(row, side="tbb", position=1, scheduler=None, steals_remote=None, steals_local=None)
                 for row in rows]
        databases.insert_all(self.path, "run", rows)
        found = self.fit()
        self.assertEqual((found["runs"], found["same"]["kind"]), (28, "measured"))
        self.assertAlmostEqual(found["paper"]["slopes"]["remote_steals"]["value"], 1e6, delta=1e4)
        self.assertEqual(found["extended"]["left_out"], {"remote_bytes": "not counted in every run"})
        self.assertEqual(found["doubts"], [])
        databases.execute(self.path, "UPDATE run SET seconds = seconds + 0.001 * round")
        self.assertIn("Time grows from round to round", self.fit()["doubts"][0])

    def test_bad_files_are_one_line(self):
        self.refuse("fit", self.folder / "missing.db", says="missing.db: no such file")
        (self.folder / "empty.db").touch()
        self.refuse("fit", self.folder / "empty.db", says="an empty file")
        databases.create(self.path)
        self.refuse("fit", self.path, says="no runs")
        databases.create(self.folder / "newer.db", says=99)
        self.refuse("fit", self.folder / "newer.db", says="version 99, expected version 1 to 5")
        self.simulated([5.0, 6.0], [1, 2])
        self.refuse("fit", self.path, says="2 runs to fit, expected at least 3")
        self.refuse("fit", self.path, "--nonsense", says="--nonsense")
        self.refuse("fit", says="RUNS.db")

    def test_outputs_that_cannot_be_written_are_one_line(self):
        self.simulated([5.0, 6.0, 8.0], [1, 2, 3])
        self.refuse("fit", self.path, "-o", self.folder / "no" / "m.json", says="does not exist")
        self.refuse("fit", self.path, "-o", self.folder, says="is a folder")
        (self.folder / "m.json").write_text("mine", encoding="utf-8")
        self.refuse("fit", self.path, "-o", self.folder / "m.json", says="expected a new file or --force")
        self.succeed("fit", self.path, "-o", self.folder / "m.json", "--force")
        self.assertEqual(model.read(str(self.folder / "m.json")).runs, 3)
        self.refuse("fit", self.path, "-o", "/proc/m.json", says="/proc")
        self.refuse("fit", self.path, "-o", self.path, "--force", says="is the file that is read")


if __name__ == "__main__":
    unittest.main()
