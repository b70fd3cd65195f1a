"""A line on stderr that says what a command does, once the command has taken two seconds, as the C++ program has it
(src/cli/terminal/progress.hpp). Where stderr is no terminal there is none."""

import contextlib
import os
import sys
import threading
import time

from jackdaw.words import escaped, one_line

QUIET = 2.0  # seconds
BETWEEN = 0.1  # seconds between two texts of one saying()
BEGAN = time.monotonic()  # this module is imported when a command begins

_lock = threading.Lock()  # guards all below
_doing = []  # what the command does, the outermost part first; each a list of one text, which may change
_drawn = False
_drawn_at = -BETWEEN


@contextlib.contextmanager
def saying(what: str):
    """Within it the line says `what`, or what is said further inside. After the outermost one the line is gone."""
    if not sys.stderr.isatty():
        yield
        return
    mine = [what]
    with _lock:
        _doing.append(mine)
        _draw()
    timer = threading.Timer(_left(), _draw_when_quiet_ends) if _left() > 0 else None
    if timer is not None:
        timer.daemon = True
        timer.start()
    try:
        yield
    finally:
        if timer is not None:
            timer.cancel()
            timer.join()
        with _lock:
            _doing.remove(mine)
            _draw()


def say(what: str):
    """Replaces what the innermost saying() says. Without one nothing is said."""
    with _lock:
        if _doing:
            _doing[-1][0] = what
            if time.monotonic() - _drawn_at >= BETWEEN:
                _draw()


def is_shown() -> bool:
    """Whether say() has a line to change."""
    with _lock:
        return bool(_doing)


def _left() -> float:
    return BEGAN + QUIET - time.monotonic()


def _draw_when_quiet_ends():
    with _lock:
        _draw()


def _draw():
    """The caller has the lock."""
    global _drawn, _drawn_at
    if not _doing:
        if _drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        _drawn = False
    elif _left() <= 0:
        try:
            columns = os.get_terminal_size(sys.stderr.fileno()).columns or 80
        except OSError:
            columns = 80
        # A line that fills the last column would begin another one.
        print("\r\x1b[K" + escaped(one_line(_doing[-1][0]))[:columns - 1], end="", file=sys.stderr, flush=True)
        _drawn, _drawn_at = True, time.monotonic()
