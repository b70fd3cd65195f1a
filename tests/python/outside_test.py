"""What is said of the time in which no root was under way."""

import unittest

import planted
from diagnosed import DiagnosisTest, kept, of
from jackdaw import diagnosis


class OutsideTest(DiagnosisTest):
    def test_a_serial_main_between_loops(self):
        """20 loops of 50 ms, and 40 ms of main() between two of them."""
        plant = planted.Planted()
        plant.iterate(20, 5e7, gap_ns=4e7, begin_ns=3e6)
        plant.process(1.763, elsewhere=0.75)
        said = of(plant)
        self.expect(said, "outside of roots", "for 43% of the program's time no root was under way: for 763 ms",
                    "what `main()` or another thread computes then could be done in parallel")
        plant.execution["process_cpu_seconds"] = None
        self.expect(of(plant), "outside of roots", "if `main()` computes then")

    def test_a_program_that_waits_for_its_work_loses_nothing(self):
        """A server between two requests."""
        said = of(planted.Planted(seconds=0.1).process(10.0, elsewhere=0.01))
        self.assertEqual([each.rule for each in said.findings if each.is_problem()], [])
        self.assertIn("of 10.0 s since the program loaded jackdaw", said.headline)
        said = of(planted.Planted(seconds=0.1).process(10.0, elsewhere=2.0))
        self.expect(said, "outside of roots", "computed for 2.00 s: mostly the program waited")
        self.assertAlmostEqual(said.findings[0].at_stake, 0.2, delta=0.01)

    def test_a_busy_computer_makes_main_no_waiter(self):
        """Workers had processors for a quarter of the time, and so had main(), which computed all the time."""
        plant = planted.Planted(seconds=1.0)
        for worker in plant.workers:
            plant.threads(worker["worker"], 0.25e9, 0.75e9, 1e9)
            worker["sleeps"] = 0
        plant.process(2.0, elsewhere=0.25)
        said = next(each for each in of(plant).findings if each.rule == "outside of roots")
        self.assertIn("`main()` or another thread computes then", said.remedy)
        self.assertAlmostEqual(said.at_stake, 0.5, delta=0.01)
        plant.process(2.0, elsewhere=0.02)
        said = next(each for each in of(plant).findings if each.rule == "outside of roots")
        self.assertIn("mostly the program waited", said.sentence)

    def test_the_roots_of_other_runtimes_are_not_outside(self):
        one, other = planted.Planted(seconds=1.0).process(2.1), planted.Planted(seconds=1.05).process(2.1)
        self.assertEqual(kept(one, other)[1].beside, [1])
        with self.subTest("the second"):
            said = diagnosis.diagnose(kept(one, other)[1])
            self.assertEqual(said.findings, [])
            self.assertIn("The process had other runtimes, which are executions of their own (1)", said.headline)

    def test_the_workers_of_other_runtimes_are_not_main(self):
        """main() waits for 10 s, and each of two runtimes computes for a second."""
        plants = planted.Planted().process(5.0, elsewhere=0.1), planted.Planted().process(12.0, elsewhere=8.1)
        for one, other in (plants, reversed(plants)):
            with self.subTest(until=other.execution["process_seconds"]):
                said = diagnosis.diagnose(kept(one, other)[1])
                self.assertEqual([each.rule for each in said.findings if each.is_problem()], [])
                self.assertIn("of 12.0 s since the program loaded jackdaw", said.headline)

    def test_a_runtime_of_the_process_of_which_little_is_known(self):
        other = planted.Planted().process(12.0)
        other.workers[3]["cpu_ns"] = None
        said = diagnosis.diagnose(kept(other, planted.Planted().process(12.0, elsewhere=8.0))[1])
        self.expect(said, "outside of roots", "if `main()` computes then")

    def test_a_larger_cost_of_the_tasks_comes_first(self):
        self.expect(of(planted.too_few().process(1.2, elsewhere=0.2)), "too few tasks", also=("outside of roots",))
        # Little of the program's time is in tasks at all.
        self.expect(of(planted.too_few().process(11.0, elsewhere=10.0)), "outside of roots", also=("too few tasks",))

    def test_the_start_of_the_runtime_is_no_serial_part(self):
        plant = planted.Planted(seconds=0.005)
        plant.process(0.02, elsewhere=0.015)
        self.assertEqual([each.rule for each in of(plant).findings], [])

    def test_workers_that_share_processors_tell_nothing_of_it(self):
        """main() waits for a processor after each root."""
        plant = planted.Planted()
        plant.execution["machine_source"] = "HWLOC_SYNTHETIC"
        plant.process(2.0, elsewhere=1.0)
        self.assertEqual(of(plant).findings, [])

    def test_what_is_not_recorded_is_said_wherever_nothing_stands_out(self):
        """What main() does before the runtime starts, and after the last root, leaves no trace in the file."""
        for plant in (planted.Planted(seconds=0.491), planted.cpu_bound(seconds=0.491)):
            said = of(plant)
            for text in (said.headline, said.unknown[-1]):
                self.assertIn("These 491 ms are those with a root under way: what `main()` does before, between and "
                              "after them is not in the file.", text)

    def test_a_simulation_has_no_time_between_roots(self):
        plant = planted.Planted(kind="simulated")
        said = of(plant)
        self.assertEqual(said.findings, [])
        self.assertIn("What `main()` does outside of tasks is not simulated", said.headline)


if __name__ == "__main__":
    unittest.main()
