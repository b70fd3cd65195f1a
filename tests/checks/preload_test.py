"""A program without any code for the checks, with libjackdaw-checks.so preloaded and without."""

import os
import re
import subprocess
import unittest

PROGRAM = os.environ["JACKDAW_PROGRAM"]
LIBRARY = os.environ["JACKDAW_CHECKS_LIBRARY"]


def run(mode, preloaded=True, **environment):
    if preloaded:
        environment["LD_PRELOAD"] = LIBRARY
    return subprocess.run([PROGRAM, mode], env={**os.environ, **environment}, capture_output=True, text=True,
                          timeout=60)


class Preloaded(unittest.TestCase):
    def test_a_lock_held_across_a_join_ends_the_program(self):
        ended = run("held")
        self.assertEqual(ended.returncode, -6, ended.stderr)
        self.assertRegex(ended.stderr,
                         "^jackdaw-checks: a task holds a mutex 0x[0-9a-f]+ while its thread goes on with "
                                       "other tasks\n")
        self.assertIn("docs/forks.md", ended.stderr)

    def test_both_places_are_named_without_exported_symbols(self):
        said = run("held").stderr
        self.assertRegex(said, r"locked in    .*add_under_lock\(\) \(checks_program\+0x[0-9a-f]+\)\n")
        self.assertRegex(said,
                         r"suspended in jackdaw|suspended in .*add_under_lock\(\) \(checks_program\+0x[0-9a-f]+\)\n")

    def test_each_place_is_reported_once_when_the_program_continues(self):
        ended = run("held", JACKDAW_CHECKS="report")
        self.assertEqual((ended.returncode, ended.stdout), (0, "2\n"), ended.stderr)
        self.assertEqual(len(re.findall("^jackdaw-checks: ", ended.stderr, re.MULTILINE)), 1, ended.stderr)

    def test_a_correct_program_gets_no_report(self):
        for environment in ({}, {"JACKDAW_CHECKS": "abort"}, {"JACKDAW_CHECKS": "report"}):
            ended = run("free", **environment)
            self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "2\n", ""))

    def test_without_the_library_nothing_is_checked(self):
        ended = run("held", preloaded=False)
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "2\n", ""))

    def test_a_wrong_value_is_ignored_with_a_line(self):
        for value in ("1", "abort ", "Report"):
            ended = run("free", JACKDAW_CHECKS=value)
            self.assertEqual(
                (ended.returncode, ended.stdout, ended.stderr),
                (0, "2\n", f"jackdaw: JACKDAW_CHECKS: '{value}', expected abort or report; the variable is ignored\n"))

    def test_a_program_without_the_library_says_how_to_get_it(self):
        ended = run("free", preloaded=False, JACKDAW_CHECKS="abort")
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr),
                         (0, "2\n", "jackdaw: JACKDAW_CHECKS: 'abort', but libjackdaw-checks.so is not in the program; "
                                    "expected LD_PRELOAD=libjackdaw-checks.so beside it; the variable is ignored\n"))


if __name__ == "__main__":
    unittest.main()
