"""What is said of a computer that other threads were busy on, and of tasks that block."""

import unittest

import planted
from diagnosed import DiagnosisTest, kept, of
from jackdaw import diagnosis


def timed(plant, lost=0.0, blocked=0.0):
    """Each worker without a processor for `lost` of its busy time, and blocked for `blocked` of it."""
    for worker in plant.workers:
        busy = worker["busy_ns"]
        plant.threads(worker["worker"], (1 - lost - blocked) * busy, lost * busy, busy)
    return plant


class ProcessorsTest(DiagnosisTest):
    def test_other_programs_on_the_computer(self):
        said = of(timed(planted.Planted(), lost=0.3).process(1.0))
        self.expect(said, "busy computer", "workers had no processor for 30% of the time that they were awake",
                    "other programs, or a limit on processor time, took them", "run it again while nothing else runs")

    def test_other_threads_of_the_program_itself(self):
        """8 workers, and a thread that computes all the time."""
        said = of(timed(planted.Planted(), lost=0.125).process(1.0, elsewhere=1.0))
        self.expect(said, "busy computer", "other threads of the program itself computed meanwhile")

    def test_what_may_have_been_threads_of_the_program(self):
        """main() computes on 8 processors for a second before the roots."""
        said = of(timed(planted.Planted(), lost=0.3).process(2.0, elsewhere=8.0))
        found = next(each for each in said.findings if each.rule == "busy computer")
        self.assertIn("other threads of the program, other programs, or a limit on processor time", found.sentence)

    def test_what_is_lost_between_roots_costs_the_roots_nothing(self):
        plant = planted.Planted(seconds=0.5)
        for worker in range(8):
            plant.threads(worker, 4.5e9, 0.5e9, 5e9)
        self.assertAlmostEqual(of(plant).findings[0].at_stake, 0.1, delta=0.001)

    def test_more_workers_than_processors(self):
        """Four on two: such workers are not pinned."""
        plant = planted.Planted(workers=4).each_worker(os_cpu=None)
        self.expect(of(timed(plant, lost=0.5).process(1.0)), "busy computer",
                    "they were not pinned and may have had too few processors for all")

    def test_two_runtimes_at_once(self):
        """Each has a worker on every processor."""
        plants = [timed(planted.Planted(), lost=0.5).process(1.02, elsewhere=4.0) for _ in range(2)]
        self.expect(diagnosis.diagnose(kept(*plants)[1]), "busy computer", "other runtimes of the program, other")

    def test_to_wake_a_worker_takes_a_while_on_a_quiet_computer(self):
        """Two workers wake up for each of 2000 roots."""
        plant = planted.Planted(workers=2, packages=1, seconds=0.4)
        plant.each_worker(sleeps=2000, roots=1000)
        for worker in (0, 1):
            plant.threads(worker, 0.6e9, 0.06e9, 0.66e9)
        self.assertEqual(of(plant).findings, [])
        for worker in (0, 1):
            plant.threads(worker, 0.6e9, 0.5e9, 1.1e9)
        self.expect(of(plant), "busy computer", "for 27% of the time")

    def test_what_is_no_problem_explains_no_idle_time(self):
        """Workers searched for a second before the first root."""
        plant = planted.Planted(scheduler="adws:no-steal").busy([1.0] + [0.88] * 7)
        for worker in plant.workers:
            plant.threads(worker["worker"], 1.93e9, 0.07e9, 2e9)
        self.expect(of(plant), "imbalance")

    def test_a_file_in_which_no_worker_was_awake(self):
        plant = planted.Planted()
        for worker in range(8):
            plant.threads(worker, 0.0, 1e9, 0.0)
        self.assertEqual(of(plant).findings, [])

    def test_an_imbalance_that_a_busy_computer_made_is_none(self):
        """One worker waits for its processor, and the others for the worker."""
        plant = planted.imbalance()
        self.expect(of(timed(plant)), "imbalance")
        self.assertNotIn("unless other programs", of(timed(plant)).headline)
        last = max(plant.workers, key=lambda worker: worker["busy_ns"])
        idle = sum(worker["search_ns"] + worker["sleep_ns"] for worker in plant.workers)
        for worker in plant.workers:
            lost = 0.6 * idle / 8
            plant.threads(worker["worker"], worker["busy_ns"], lost, worker["busy_ns"] + lost)
        self.assertGreater(last["busy_ns"], 0)
        self.expect(of(plant), "busy computer")

    def test_tasks_that_sleep(self):
        said = of(timed(planted.Planted(), blocked=0.4).process(1.0))
        self.expect(said, "blocked", "tasks kept their workers waiting for 40% of the time that they were awake",
                    "waiting outside of tasks would mend it", "unless the computer is virtual")
        plant = timed(planted.Planted(), blocked=0.4).process(2.0)
        said = diagnosis.diagnose(kept(planted.Planted().process(2.0), plant)[1])
        self.expect(said, "blocked", "or waited for locks or for another runtime's tasks")

    def test_quiet_workers_are_said_to_have_had_processors(self):
        said = of(timed(planted.Planted(), lost=0.01, blocked=0.01).process(1.0))
        self.assertEqual(said.findings, [])
        self.assertIn("workers ran tasks for 100% of the time, and had processors for 98% of the "
                      "time that they were awake", said.headline)

    def test_workers_that_share_processors_by_their_own_fault(self):
        plant = timed(planted.Planted(), lost=0.5)
        plant.execution["machine_source"] = "HWLOC_SYNTHETIC"
        self.assertEqual(of(plant).findings, [])

    def test_a_root_that_waits_for_another_thread_is_no_serial_part(self):
        """A root waits on a condition variable between its loops."""
        plant = planted.Planted(workers=2, seconds=2.0).busy([1.0, 0.2])
        plant.iterate(4, 1e8, gap_ns=4e8)
        plant.threads(0, 0.4e9, 0.0, 2.0e9)
        plant.threads(1, 0.4e9, 0.0, 0.4e9)
        said = of(plant)
        self.expect(said, "blocked", "tasks kept their workers waiting for 67% of the time")
        self.assertAlmostEqual(said.findings[0].at_stake, 0.8, delta=0.02)
        plant.threads(0, 2.0e9, 0.0, 2.0e9)
        self.expect(of(plant), "serial part", "one worker computed alone")

    def test_where_more_was_blocked_the_computer_does_not_explain_idle_workers(self):
        plant = planted.Planted(workers=2, seconds=1.0).busy([1.0, 0.1])
        plant.threads(0, 0.1e9, 0.4e9, 1.0e9)
        plant.threads(1, 0.1e9, 0.0, 0.1e9)
        self.assertEqual(of(plant).findings[0].rule, "blocked")


if __name__ == "__main__":
    unittest.main()
