"""Runs the program `jackdaw` in an empty folder and an environment without any of its variables."""

import fcntl
import json
import os
import pty
import re
import sqlite3
import struct
import subprocess
import tempfile
import termios
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

    def rows(self, query, name="jackdaw.db"):
        """What a query returns from a results file in the test's folder."""
        database = sqlite3.connect(self.folder / name)
        try:
            return database.execute(query).fetchall()
        finally:
            database.close()

    def start_program(self, *arguments, **how):
        """The program, started; the test ends it."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(VARIABLES)}
        started = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, env=inherited, **how)
        self.addCleanup(started.wait)
        self.addCleanup(started.kill)
        return started

    def on_terminal(self, *arguments, columns=80, when=None, **environment):
        """(status, what a terminal of so many columns gets). When that is found in it (a regular expression), Ctrl-C is
        pressed there."""
        inherited = {name: value for name, value in os.environ.items()
                     if not name.startswith(VARIABLES) and name != "NO_COLOR"}
        process, terminal = pty.fork()
        if process == 0:
            try:
                os.chdir(self.folder)
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
                os.execve(PROGRAM, [PROGRAM, *map(str, arguments)], inherited | {"TERM": "xterm"} | environment)
            finally:
                os._exit(127)
        said = b""
        while True:
            try:
                more = os.read(terminal, 65536)
            except OSError:  # as a terminal ends on Linux
                break
            if not more:
                break
            said += more
            if when and re.search(when, said.decode(errors="replace")):
                os.write(terminal, b"\x03")
                when = None
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), said.decode().replace("\r\n", "\n")

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
