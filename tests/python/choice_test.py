"""Which execution of a file a page is of, and that long files are read in a time that does not explode."""

import unittest
import unittest.mock

import planted
from jackdaw import execution, results
from report_test import FolderTest


class ChoiceTest(FolderTest):
    def test_iterations_without_a_task_are_not_asked_for_one_by_one(self):
        """Tasks begin in none of many thousand iterations, as those of short roots that nothing steals from."""
        plant = planted.Planted(seconds=1.0)
        plant.iterate(20_000, 1e4, begin_ns=1e6, gap_ns=3e4)
        for place, each in enumerate(plant.iterations):
            each["region"] = f"region {place % 5000}"
        plant.task(1, 0, 0.0, 1.0)
        plant.task(2, 0, 2e9, 2e9 + 1)
        plant.save(self.file)
        asked, ask = [], results.Results.rows
        with unittest.mock.patch.object(results.Results, "rows", lambda kept, sql, values=():
                                        asked.append(sql) or ask(kept, sql, values)):
            text = self.page_of()
        self.assertLess(len(asked), 200)
        self.assertIn("The first 1 000 of 20 000 rows", text)

    def test_other_executions_are_read_without_their_iterations(self):
        for _ in range(3):
            plant = planted.Planted()
            plant.iterate(2000, 1e4)
            plant.save(self.file)
        with results.read(self.file) as kept:
            self.assertEqual(len(execution.read(kept, 1, brief=True).iterations), 0)
            self.assertEqual(execution.read(kept, 1, brief=True).iteration_count, 2000)

    def test_of_several_runtimes_the_busiest(self):
        """The default runtime has little to do and ends last."""
        def runtime(seconds, started="2026-11-26T10:00:00Z", **more):
            plant = planted.Planted(seconds=seconds, **more)
            plant.execution["started"] = started
            return plant

        text = self.page_of(runtime(1.5, "2026-11-26T09:59:40Z"), runtime(1.6), runtime(0.015))
        self.assertIn("execution 2 of its file", text)
        self.assertIn("Other executions of the program were under way at that time (3)", text)
        self.assertIn("execution 3 of its file", self.page_of(number=3))
        self.file.unlink()
        text = self.page_of(runtime(3.0), runtime(2.9, "2026-11-26T10:00:01Z"))
        self.assertIn("were under way at that time (1)", text)
        for later in (runtime(1.4, "2026-11-26T10:00:01Z"),      # as busy: another run of the program
                      runtime(0.015, "2026-11-26T10:00:09Z"),    # long after
                      runtime(0.015, program="other"), runtime(0.015, "yesterday"),
                      runtime(0.015, kind="simulated")):
            self.file.unlink()
            text = self.page_of(runtime(1.6), later)
            self.assertIn("execution 2 of its file", text)
            self.assertNotIn("Other executions of the program were under way", text)


if __name__ == "__main__":
    unittest.main()
