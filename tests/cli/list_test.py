"""`jackdaw list`, `jackdaw --version` and the help texts."""

import re
import unittest

from program import ProgramTest


class List(ProgramTest):
    def test_json(self):
        told = self.succeed_json("list")
        self.assertLessEqual({"random", "hierarchical", "adws", "adws:no-steal", "constrained"},
                             set(told["schedulers"]))
        kernels = {kernel["name"]: kernel for kernel in told["kernels"]}
        self.assertIn("tiny", kernels["fib"]["sizes"])
        self.assertLessEqual({"jackdaw", "serial"}, set(kernels["fib"]["sides"]))

    def test_text_names_everything_in_the_json(self):
        text = self.succeed("list").stdout
        told = self.succeed_json("list")
        for name in told["schedulers"] + [kernel["name"] for kernel in told["kernels"]]:
            self.assertIn(name, text)

    def test_version(self):
        self.assertTrue(re.fullmatch(r"jackdaw \d+\.\d+\.\d+( \([\w.+-]+\))?\n", self.succeed("--version").stdout))

    def test_help_shows_examples(self):
        for command in ([], ["doctor"], ["bench"], ["simulate"]):
            self.assertIn("Examples:", self.succeed(*command, "--help").stdout)


if __name__ == "__main__":
    unittest.main()
