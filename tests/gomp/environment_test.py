"""The environment: what libgomp understands means the same here, and wrong values cost a line and nothing else."""

import os
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)
ALONE = sys.argv.pop(1)  # the same program, linked with the library instead of libgomp
LIBRARY = os.environ["JACKDAW_GOMP_LIBRARY"]


def run(library, **environment):
    own = {key: value for key, value in os.environ.items() if not key.startswith(("OMP_", "GOMP_"))}
    own.update(environment)
    if library is True:
        own["LD_PRELOAD"] = LIBRARY
    program = ALONE if library == ALONE else PROGRAM
    ended = subprocess.run([program], env=own, capture_output=True, text=True, timeout=60)
    return ended.returncode, ended.stdout, ended.stderr


class Environment(unittest.TestCase):
    def test_it_means_the_same_as_to_libgomp(self):
        for environment in (
            {}, {"OMP_NUM_THREADS": "3"}, {"OMP_NUM_THREADS": " 3 , 2 "},
            {"OMP_SCHEDULE": "static"}, {"OMP_SCHEDULE": "guided,7"}, {"OMP_SCHEDULE": "nonmonotonic:dynamic , 3"},
            {"OMP_SCHEDULE": "Dynamic"}, {"OMP_SCHEDULE": "auto"}, {"OMP_SCHEDULE": "static,4"},
            {"OMP_NUM_THREADS": "3", "OMP_MAX_ACTIVE_LEVELS": "2"}, {"OMP_MAX_ACTIVE_LEVELS": "0"},
            {"OMP_NUM_THREADS": "2", "OMP_NESTED": "true"}, {"OMP_CANCELLATION": "true"},
            {"OMP_MAX_TASK_PRIORITY": "4"}, {"OMP_NUM_THREADS": "8", "OMP_THREAD_LIMIT": "3"},
            {"OMP_WAIT_POLICY": "passive"}, {"OMP_WAIT_POLICY": "ACTIVE"}, {"OMP_STACKSIZE": "2M"},
            {"OMP_STACKSIZE": "512"}, {"OMP_STACKSIZE": " 3 m "}, {"OMP_PROC_BIND": "true"},
            {"OMP_PROC_BIND": "close"}, {"OMP_PROC_BIND": "spread,close"}, {"OMP_PROC_BIND": "false"},
            {"OMP_PLACES": "threads"}, {"OMP_PLACES": "cores"}, {"OMP_PLACES": "threads(1)"},
            {"OMP_PLACES": "{0},{1}"}, {"OMP_PLACES": "{0}:2"}, {"OMP_PLACES": "{0:2}"},
            {"OMP_PLACES": "{0,1}", "OMP_PROC_BIND": "primary"}, {"OMP_PLACES": "{0,1,!0}"},
            {"OMP_PLACES": "{0},{1},!{0}"}, {"OMP_SCHEDULE": "static,0"}, {"OMP_SCHEDULE": "monotonic:static"},
            {"OMP_SCHEDULE": "nonmonotonic:static,2"}, {"OMP_THREAD_LIMIT": "1"},
        ):
            with self.subTest(environment):
                self.assertEqual(run(True, **environment), run(False, **environment))

    def test_a_wrong_value_costs_one_line_and_the_usual_one_stays(self):
        # libgomp, which is loaded with the program, has said it already.
        usual = run(True)
        for name, value in (
            ("OMP_NUM_THREADS", "0"), ("OMP_NUM_THREADS", "2,,3"),
            ("OMP_NUM_THREADS", "1 2"), ("OMP_NUM_THREADS", "99999999999999999999"),
            ("OMP_DYNAMIC", "perhaps"), ("OMP_SCHEDULE", "sometimes"), ("OMP_MAX_ACTIVE_LEVELS", "-1"),
            ("OMP_THREAD_LIMIT", "no"), ("OMP_CANCELLATION", "1"), ("OMP_STACKSIZE", "2T"),
            ("OMP_WAIT_POLICY", "busy"), ("OMP_PROC_BIND", "true,close"), ("OMP_PLACES", "{0"),
            ("OMP_PLACES", "somewhere"), ("OMP_PLACES", "{0}:0"), ("OMP_PLACES", "{0:}"), ("OMP_PLACES", "{0},"),
            ("OMP_PLACES", "threads(0)"), ("OMP_PLACES", "{0,!1}"), ("OMP_PLACES", "{0},!{1}"),
            ("OMP_PLACES", "{0}:2,!{0}:1"),
        ):
            with self.subTest(name=name, value=value):
                ended = run(True, **{name: value})
                self.assertEqual(ended[:2], usual[:2])
                self.assertRegex(ended[2], r"^(\n?libgomp: [^\n]+\n){1,2}$")

    def test_without_libgomp_it_is_said_here(self):
        usual = run(ALONE)
        self.assertEqual((usual[0], usual[2]), (0, ""))
        for name, value, expected in (
            ("OMP_NUM_THREADS", "2,,3", "whole numbers of threads above 0, with commas between"),
            ("OMP_DYNAMIC", "perhaps", "true or false"),
            ("OMP_SCHEDULE", "sometimes", "static, dynamic, guided or auto, with monotonic: or nonmonotonic: before "
                                          "it, and a chunk behind a comma"),
            ("OMP_MAX_ACTIVE_LEVELS", "-1", "a whole number from 0 to 2147483647"),
            ("OMP_STACKSIZE", "2T", "a size of at least 16 kilobytes, as 512, 64k, 2M or 1G"),
            ("OMP_WAIT_POLICY", "busy", "active or passive"),
            ("OMP_PROC_BIND", "true,close", "true, false, or a list of primary, master, close and spread"),
            ("OMP_DISPLAY_ENV", "yes", "true, false or verbose"),
            ("OMP_PLACES", "{0", "'}' at the end"),
        ):
            with self.subTest(name=name, value=value):
                line = f"jackdaw: OpenMP: {name}: '{value}', expected {expected}; the variable is ignored\n"
                self.assertEqual(run(ALONE, **{name: value}), (usual[0], usual[1], line))

    def test_settings_are_shown(self):
        code, _, shown = run(ALONE, OMP_DISPLAY_ENV="true", OMP_NUM_THREADS="3", OMP_SCHEDULE="guided,2")
        self.assertEqual(code, 0)
        self.assertIn("OPENMP DISPLAY ENVIRONMENT BEGIN", shown)
        self.assertIn("OMP_NUM_THREADS = '3'", shown)
        self.assertIn("OMP_SCHEDULE = 'GUIDED,2'", shown)
        lines = run(True, OMP_DISPLAY_AFFINITY="true", OMP_AFFINITY_FORMAT="at %n")[2].splitlines()
        self.assertIn("at 0", lines)
        self.assertEqual(run(True, OMP_DISPLAY_ENV="true")[2].count("OPENMP DISPLAY ENVIRONMENT BEGIN"), 1)


if __name__ == "__main__":
    unittest.main()
