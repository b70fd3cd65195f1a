"""Runs the program `jackdaw` in an empty folder and an environment without any of its variables."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ["JACKDAW_PROGRAM"]
VARIABLES = ("JACKDAW_", "HWLOC_")


class ProgramTest(unittest.TestCase):
    user = None  # the user that runs the program; None: the test's own user

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_program(self, *arguments, **environment):
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(VARIABLES)}
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, env=inherited | environment,
                              capture_output=True, text=True, check=False, user=self.user)

    def succeed(self, *arguments, **environment):
        ended = self.run_program(*arguments, **environment)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended

    def succeed_json(self, *arguments, **environment):
        return json.loads(self.succeed(*arguments, "--json", **environment).stdout)

    def refuse(self, *arguments, says, **environment):
        """The program must end with status 2 and one line that holds `says`, and leave no file behind."""
        before = self.contents()
        ended = self.run_program(*arguments, **environment)
        self.assertEqual(ended.returncode, 2, ended.stdout + ended.stderr)
        self.assertEqual(ended.stdout, "")
        self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)
        self.assertTrue(ended.stderr.startswith("jackdaw: "), ended.stderr)
        self.assertIn(says, ended.stderr)
        self.assertEqual(self.contents(), before)

    def contents(self):
        return {path.name: path.read_bytes() if path.is_file() else None for path in self.folder.iterdir()}
