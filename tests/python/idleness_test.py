"""What is said of workers without work, and of tasks that are too short."""

import unittest

import planted
from diagnosed import DiagnosisTest, kept, of
from jackdaw import diagnosis


class IdlenessTest(DiagnosisTest):
    def test_a_simulated_worker_that_has_more_to_do_was_probably_alone(self):
        """A root fills the data, then all work: of a trace no iterations are kept."""
        plant = planted.Planted(kind="simulated", scheduler="adws", work_ns=3e9, span_ns=0.8e9)
        plant.busy([0.82] + [0.2] * 7).each_worker(memory_ns=0.0, overhead_ns=0.0)
        self.expect(of(plant), "one worker", "worker 0 was busy for 82% of the time, each other one for 20%",
                    "probably computed a part alone", "instead of a serial fill", "needs iterations, which this file")
        plant.iterate(20, 5e7)  # they would tell
        self.assertNotIn("one worker", [each.rule for each in of(plant).findings])
        plant.iterations.clear()
        self.assertIn("if a part of the program is serial", of(plant.busy([0.3] * 8)).headline)

    def test_a_region_in_which_one_task_runs_alone_is_named(self):
        plant = planted.Planted().busy([0.9] + [0.4] * 7)
        for step in range(10):
            at = step * 1e8
            plant.iterations += [dict(number=2 * step + 1, region="good", begin_ns=at, duration_ns=4e7),
                                 dict(number=2 * step + 2, region="bad", begin_ns=at + 4e7, duration_ns=6e7)]
            for worker in range(8):
                plant.task(step * 20 + worker + 1, worker, at + 1e3, at + 3.9e7)
            plant.task(step * 20 + 10, 0, at + 4e7, at + 9.9e7)
            plant.task(step * 20 + 11, 0, at + 4e7, at + 4.1e7)
        said = of(plant)
        self.expect(said, "one task", "for 60% of the time one task of region `bad` ran nearly alone", "dividing that")
        plant.busy([1.0] + [0.7] * 7)  # the others worked at what is not listed
        self.assertNotIn("one task", [each.rule for each in of(plant).findings])
        plant.busy([0.9] + [0.4] * 7)
        for number, each in enumerate(plant.tasks):  # others are as long
            each["end_ns"] = plant.iterations[number // 10 * 2 + 1]["begin_ns"] + 6e7
        self.assertNotIn("one task", [each.rule for each in of(plant).findings])

    def test_a_burdened_path_above_the_time_is_none(self):
        """It counts each fork on the path as stolen: 29 ms in an execution of 5 ms."""
        plant = planted.Planted(seconds=5.3e-3, kind="simulated", work_ns=3e7, span_ns=1e6, burdened_ns=2.91e7)
        plant.busy([0.6] * 8).each_worker(memory_ns=0.0, overhead_ns=4e5, tasks=2000)
        said = of(plant)
        self.assertNotIn("too few tasks", [each.rule for each in said.findings])
        self.assertNotIn("critical path", " ".join(said.findings[0].evidence[:2]))
        self.assertIsNone(diagnosis.Account(kept(plant)[0]).burdened_span_ns)
        plant.execution["burdened_span_ns"] = 5.2e6
        self.assertEqual(diagnosis.Account(kept(plant)[0]).burdened_span_ns, 5.2e6)

    def test_short_roots_that_fork_are_batched(self):
        """Each of them forks once: there are more tasks than roots, and still no loop has a grain."""
        plant = planted.Planted(workers=2, seconds=2.1).busy([0.5, 0.3])
        plant.each_worker(tasks=210_000, steals_cache=4000, steals_remote=0, roots=50_000)
        said = of(plant)
        self.expect(said, "too fine", "roots are too short: they took 16.8 us each", "runtime::run", also=())
        self.assertNotIn("grain", said.headline)
        plant.process(4.5, elsewhere=0.3)
        self.expect(of(plant), "outside of roots", "more work in each call of `runtime::run`",
                    "between two of the 100 000 roots 24.0 us passed", also=("too fine",))

    def test_tasks_that_are_not_listed_are_not_said_to_be(self):
        plant = planted.too_fine()
        self.assertIn("a worker did 417 ns for each that was stolen or placed", of(plant).headline)
        for number in range(1, 100):
            plant.task(number, 0, number * 1e4, number * 1e4 + 300)
        self.assertIn("those that were stolen or placed took 300 ns each", of(plant).headline)

    def test_a_busy_computer_may_be_the_cause(self):
        """A thread of the program's own that spins looks the same."""
        for shares, rule in (([1.0] + [0.7] * 7, "imbalance"), ([0.8] * 8, "starved")):
            plant = planted.Planted().busy(shares)
            self.expect(of(plant), rule, "unless other programs or threads took processors from the workers, which is "
                        "not recorded")
            plant.execution["kind"] = "simulated"
            plant.each_worker(memory_ns=0.0, overhead_ns=0.0)
            plant.iterate(10, 1e8)
            self.assertNotIn("unless", of(plant).headline)


if __name__ == "__main__":
    unittest.main()
