"""The C++ program `jackdaw`, as Python calls it."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import termios
import threading
import tty

from jackdaw import progress
from jackdaw.mistake import Mistake


LINE_BEGINS = "\r\x1b[K"  # what the program says of its progress (src/cli/terminal/progress.cpp)
CAPTURED = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8", "errors": "replace"}


class Failed(RuntimeError):
    """A failure that is not the user's mistake; exit status 1."""


def path() -> str:
    """$JACKDAW_PROGRAM, which the program sets when it calls Python, else jackdaw on PATH. Raises Mistake."""
    found = os.environ.get("JACKDAW_PROGRAM") or shutil.which("jackdaw")
    if not found:
        raise Mistake("the program jackdaw is not on PATH, expected it there, or its path in JACKDAW_PROGRAM")
    return found


def run(*arguments) -> str:
    """What the program prints with these arguments. Its bad input (status 2) is a Mistake with its line, other
    failures are Failed."""
    return run_and_warn(*arguments)[0]


def run_and_warn(*arguments):
    """(what the program prints, what it says on stderr)."""
    try:
        command = [path(), *map(str, arguments)]
        ended = _run_and_show(command) if progress.is_shown() else subprocess.run(command, check=False, **CAPTURED)
    except OSError as failure:
        raise Mistake(f"{path()}: {failure.strerror}, expected the program jackdaw") from None
    if ended.returncode != 0:
        said = ended.stderr.strip().splitlines()
        line = said[-1] if said else f"status {ended.returncode}"
        line = line[len("jackdaw: "):] if line.startswith("jackdaw: ") else line
        if ended.returncode == 2:
            raise Mistake(line)
        raise Failed(f"{arguments[0]}: {line}")
    return ended.stdout, ended.stderr


def run_json(*arguments):
    """The same, read as JSON."""
    return json.loads(run(*arguments))


def _run_and_show(command) -> subprocess.CompletedProcess:
    """As subprocess.run(), with the program's own line in the place of what progress.saying() says. It has a terminal
    as stderr, so that it writes that line."""
    ours, its = pty.openpty()
    try:
        tty.setraw(its)
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 2000, 0, 0))
        with subprocess.Popen(command, env=dict(os.environ, NO_COLOR="1"), **{**CAPTURED, "stderr": its}) as child:
            os.close(its)
            its = None
            said = []
            reader = threading.Thread(target=lambda: said.append(_relay(ours)))
            reader.start()
            try:
                printed = child.communicate()[0]
            except BaseException:  # as subprocess.run() does
                child.kill()
                raise
            finally:
                reader.join()
    finally:
        for each in (ours, its):
            if each is not None:
                os.close(each)
    return subprocess.CompletedProcess(command, child.returncode, printed, said[0])


def _relay(terminal) -> str:
    """Reads to the end; returns what was said beside the line."""
    said = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:  # as a terminal ends on Linux
            break
        if not more:
            break
        said += more
        line = said.decode(errors="replace").rpartition("\n")[2].rpartition(LINE_BEGINS)
        if line[1] and line[2]:
            progress.say(line[2])
    return re.sub(f"{re.escape(LINE_BEGINS)}[^\\r\\n]*(?={re.escape(LINE_BEGINS)})|{re.escape(LINE_BEGINS)}", "",
                  said.decode(errors="replace"))
