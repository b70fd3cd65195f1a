"""Runs the programs of this folder plainly and with libjackdaw_tbb.so before libtbb, and compares what they print."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

programs = {pathlib.Path(each).name: each for each in os.environ["JACKDAW_TBB_PROGRAMS"].split(":")}
library = os.environ["JACKDAW_TBB_LIBRARY"]
asked = os.environ.get("JACKDAW_TBB_PROGRAM", "")
schedulers = ["random", "adws", "auto"]


def run(program, *arguments, preload=None, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("JACKDAW_")}
    environment |= variables
    if preload:
        environment["LD_PRELOAD"] = preload
    return subprocess.run([programs[program], *arguments], env=environment, capture_output=True, text=True, timeout=100)


class Preloaded(unittest.TestCase):
    def check(self, program):
        plain = run(program)
        self.assertEqual(plain.returncode, 0, plain.stdout + plain.stderr)
        self.assertIn("tasks on jackdaw: 0\n", plain.stderr)
        for workers in ("1", "2", "5"):
            for scheduler in schedulers:
                with self.subTest(program=program, workers=workers, scheduler=scheduler):
                    here = run(program, preload=library, JACKDAW_WORKERS=workers, JACKDAW_SCHEDULER=scheduler)
                    self.assertEqual(here.returncode, 0, here.stdout + here.stderr)
                    self.assertEqual(here.stdout, plain.stdout)
                    ran = re.search(r"tasks on jackdaw: (\d+)", here.stderr)
                    self.assertGreater(int(ran[1]), 100, here.stderr)
        # Two nodes: tasks with an affinity are sent from one to the other.
        nodes = run(program, preload=library, HWLOC_SYNTHETIC="numa:2 core:2 pu:1", JACKDAW_WORKERS="4")
        self.assertEqual((nodes.returncode, nodes.stdout), (0, plain.stdout), nodes.stderr)


for name in programs:
    if not asked or name == asked:
        setattr(Preloaded, f"test_{name}", lambda self, name=name: self.check(name))

if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=0))
