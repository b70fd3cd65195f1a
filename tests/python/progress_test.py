"""What `jackdaw predict` and `jackdaw report` say on a terminal while they work."""

import contextlib
import io
import os
import re
import sys
import threading
import unittest
from unittest import mock

from jackdaw import program, progress
from jackdaw.mistake import Mistake
from program import ProgramTest


class Terminal(io.StringIO):
    """Tells when something has been written."""

    def __init__(self):
        super().__init__()
        self.written = threading.Event()

    def isatty(self):
        return True

    def write(self, text):
        count = super().write(text)
        self.written.set()
        return count

    def fileno(self):
        raise OSError("no file")


# Runs the package as the program does, but takes no time for short.
AT_ONCE = """#!{python}
import runpy, sys
del sys.argv[0]
sys.path.insert(0, sys.argv[0])
from jackdaw import progress
progress.QUIET = -1e9
runpy.run_path(sys.argv[0], run_name="__main__")
"""


class Progress(ProgramTest):
    def said(self, *arguments):
        """What the line said on a terminal, one text after another, and what was printed, if two seconds are none."""
        python = self.folder / "at_once"
        if not python.exists():
            python.write_text(AT_ONCE.format(python=sys.executable))
            python.chmod(0o755)
        status, said = self.on_terminal(*arguments, columns=200, JACKDAW_PYTHON=str(python))
        self.assertEqual(status, 0, said)
        line = re.compile(r"\r\x1b\[K([^\r\n]*)(?=\r\x1b\[K)")
        printed = re.sub(r"\r\x1b\[K", "", line.sub("", said))
        self.assertNotIn("\x1b", printed)
        return line.findall(said), printed

    def test_each_part_of_a_prediction_is_said(self):
        said, printed = self.said("predict", "fib", "--size", "tiny", "--machine", "opteron-8380", "--seeds", "2")
        self.assertEqual(said, [
            "predicting fib on opteron-8380", "recording fib", "predicting fib on opteron-8380",
            "simulating adws, random on opteron-8380", "predicting fib on opteron-8380",
            "simulating random on opteron-8380", "predicting fib on opteron-8380", "analyzing fib",
            "predicting fib on opteron-8380"])
        self.assertIn("fib", printed)

    def test_fits_and_pages_say_what_they_do(self):
        self.succeed("simulate", "heat2d", "--size", "tiny", "--machine", "opteron-8380", "--seeds", "6", "--scheduler",
                     "random")
        said, printed = self.said("predict", "fit", "jackdaw.db", "-o", "a.model")
        self.assertEqual(said, ["fitting the runs in jackdaw.db"])
        self.assertIn("a.model", printed)
        said, _ = self.said("predict", "apply", "a.model", "--machine", "opteron-8380", "--no-simulate")
        self.assertEqual(said, ["asking a.model about opteron-8380"])
        said, printed = self.said("report", "jackdaw.db")
        self.assertEqual(said[0], "making a page of jackdaw.db")
        self.assertRegex(printed, r"^report\.html: ")

    # The simulator's own line, which counts, is shown in the place of what Python says.
    def test_what_the_program_says_itself_is_passed_on(self):
        status, said = self.on_terminal("predict", "heat2d", "--size", "tiny", "--machine", "opteron-8380", "--seeds",
                                        "1000", when=r"simulating: \d+ of 2000", JACKDAW_PYTHON=sys.executable)
        self.assertNotEqual(status, 0)  # it was interrupted
        self.assertRegex(said, "\r\x1b\\[Ksimulating: [1-9][0-9]* of 2000, about ")
        self.assertNotIn("Traceback", said)

    def test_what_the_program_says_beside_its_line_is_kept(self):
        script = self.folder / "program"
        script.write_text("#!/bin/sh\n"
                          "test -t 2 || exit 3\n"
                          "printf '\\r\\033[Kone\\r\\033[K' >&2\n"
                          "echo 'jackdaw: a note' >&2\n"
                          "printf '\\r\\033[Ktwo\\r\\033[Kthree\\r\\033[K' >&2\n"
                          "yes printed | head -c 1000000\n"
                          "echo 'jackdaw: the last line' >&2\n"
                          "exit $1\n")
        script.chmod(0o755)
        with mock.patch.dict(os.environ, JACKDAW_PROGRAM=str(script)), \
                contextlib.redirect_stderr(Terminal()), progress.saying("working"):
            printed, said = program.run_and_warn(0)
            self.assertEqual((len(printed), said), (1000000, "jackdaw: a note\njackdaw: the last line\n"))
            with self.assertRaisesRegex(Mistake, "^the last line$"):
                program.run(2)
            with self.assertRaisesRegex(program.Failed, "^1: the last line$"):
                program.run(1)
            script.unlink()
            with self.assertRaisesRegex(Mistake, "No such file"):
                program.run(0)

    def test_what_is_said_inside_gives_way_to_what_is_said_around_it(self):
        with mock.patch.object(progress, "QUIET", -1e9), mock.patch.object(progress, "BETWEEN", 0), \
                contextlib.redirect_stderr(Terminal()) as said:
            with progress.saying("outside"):
                with progress.saying("inside"):
                    progress.say("inside 2")
            progress.say("nothing")
        self.assertEqual([each for each in said.getvalue().split("\r\x1b[K") if each],
                         ["outside", "inside", "inside 2", "outside"])

    def test_predict_says_what_it_does(self):
        status, said = self.on_terminal("predict", "heat2d", "--size", "tiny", "--machine", "opteron-8380", "--seeds",
                                        "1000", when="simulating", JACKDAW_PYTHON=sys.executable)
        self.assertNotEqual(status, 0)  # it was interrupted
        self.assertRegex(said, "\r\x1b\\[Ksimulating adws, random on opteron-8380")
        self.assertNotIn("Traceback", said)

    def test_the_line_is_gone_afterwards(self):
        with mock.patch.object(progress, "QUIET", -1e9), contextlib.redirect_stderr(Terminal()) as said:
            with progress.saying("drawing\n" + 100 * "x"):
                said.written.wait()
        self.assertEqual(said.getvalue(), "\r\x1b[Kdrawing " + 71 * "x" + "\r\x1b[K")

    def test_a_short_command_and_a_pipe_get_none(self):
        with mock.patch.object(progress, "QUIET", 1e6), contextlib.redirect_stderr(Terminal()) as said:
            with progress.saying("drawing"):
                pass
        self.assertEqual(said.getvalue(), "")
        with mock.patch.object(progress, "QUIET", -1e9), contextlib.redirect_stderr(io.StringIO()) as said:
            with progress.saying("drawing"):
                pass
        self.assertEqual(said.getvalue(), "")


if __name__ == "__main__":
    unittest.main()
