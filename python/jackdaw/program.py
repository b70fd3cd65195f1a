"""The C++ program `jackdaw`, as Python calls it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

from jackdaw.mistake import Mistake


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
        ended = subprocess.run([path(), *map(str, arguments)], capture_output=True, encoding="utf-8",
                               errors="replace", check=False)
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
