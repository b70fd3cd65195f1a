"""What `jackdaw predict` and `jackdaw report` say on a terminal while they work."""

import contextlib
import io
import sys
import threading
import unittest
from unittest import mock

from jackdaw import progress
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


class Progress(ProgramTest):
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
