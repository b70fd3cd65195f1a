"""What is said of the time in which no root was under way."""

import unittest

import planted
from diagnosed import DiagnosisTest, of


class OutsideTest(DiagnosisTest):
    def test_a_serial_main_between_loops(self):
        """20 loops of 50 ms, and 40 ms of main() between two of them."""
        plant = planted.Planted()
        plant.iterate(20, 5e7, gap_ns=4e7, begin_ns=3e6)
        said = of(plant)
        self.expect(said, "outside of roots", "for at least 43% of the program's time no root was under way",
                    "if `main()` computes then")

    def test_tasks_tell_it_too(self):
        plant = planted.Planted(seconds=0.1)
        plant.task(1, 0, 1e6, 2e6)
        plant.task(2, 1, 5.5e8, 6e8)
        self.expect(of(plant), "outside of roots", "for at least 83% of the program's time", "for 500 ms of the 600 ms")

    def test_a_larger_cost_of_the_tasks_comes_first(self):
        plant = planted.too_few()
        plant.iterate(10, 1e8, gap_ns=1.5e7)
        said = of(plant)
        self.expect(said, "too few tasks", also=("outside of roots",))
        plant.iterations.clear()
        plant.iterate(10, 1e8, gap_ns=1e9)  # little of the program's time is in tasks at all
        self.expect(of(plant), "outside of roots", also=("too few tasks",))

    def test_the_start_of_the_runtime_is_no_serial_part(self):
        plant = planted.Planted(seconds=0.005)
        plant.iterate(1, 5e6, begin_ns=1e7)
        self.assertEqual([each.rule for each in of(plant).findings], [])

    def test_workers_that_share_processors_tell_nothing_of_it(self):
        """main() waits for a processor after each root."""
        plant = planted.Planted()
        plant.execution["machine_source"] = "HWLOC_SYNTHETIC"
        plant.iterate(10, 1e8, gap_ns=5e7)
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
        plant.iterate(10, 1e8, gap_ns=1e9)
        said = of(plant)
        self.assertEqual(said.findings, [])
        self.assertIn("What `main()` does outside of tasks is not simulated", said.headline)


if __name__ == "__main__":
    unittest.main()
