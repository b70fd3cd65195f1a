"""A line on stderr that says what a command does, once the command has taken two seconds, as the C++ program has it
(src/cli/terminal/progress.hpp). Where stderr is no terminal there is none."""

import contextlib
import os
import sys
import threading
import time

from jackdaw.words import escaped, one_line

QUIET = 2.0  # seconds
BEGAN = time.monotonic()  # this module is imported when a command begins


@contextlib.contextmanager
def saying(what: str):
    """Within it the line says `what`; afterwards the line is gone."""
    stream = sys.stderr
    if not stream.isatty():
        yield
        return
    drawn = []

    def draw():
        try:
            columns = os.get_terminal_size(stream.fileno()).columns or 80
        except OSError:
            columns = 80
        drawn.append(True)
        # A line that fills the last column would begin another one.
        print("\r\x1b[K" + escaped(one_line(what))[:columns - 1], end="", file=stream, flush=True)

    timer = threading.Timer(max(0.0, BEGAN + QUIET - time.monotonic()), draw)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if drawn:
            print("\r\x1b[K", end="", file=stream, flush=True)
