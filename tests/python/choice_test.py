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
        def runtime(seconds, process):
            return planted.Planted(seconds=seconds).process(3.0, name=process)

        text = self.page_of(runtime(1.5, "7@70"), runtime(1.6, "8@80"), runtime(0.015, "8@80"))
        self.assertIn("execution 2 of its file", text)
        self.assertIn("The process had other runtimes, which are executions of their own (3)", text)
        text = self.page_of(number=3)
        self.assertIn("execution 3 of its file", text)
        self.assertIn("executions of their own (2)", text)
        text = self.page_of(number=1)
        self.assertNotIn("The process had other runtimes", text)

    def test_of_several_processes_the_latest(self):
        for place, process in enumerate(("7@70", "8@80")):
            text = self.page_of(planted.Planted(seconds=1.0 - 0.9 * place).process(1.2, name=process))
        self.assertIn("execution 2 of its file", text)
        self.assertNotIn("The process had other runtimes", text)


if __name__ == "__main__":
    unittest.main()
