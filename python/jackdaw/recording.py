"""Records a user's program, several times where other programs took its processor away.

    made = recording.record("./mine", ["1000"], workers=64, folder=folder)
    made.trace      # the path
    made.disturbed  # "": it had a processor; else what the recorder said, of the best recording
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import time
from dataclasses import dataclass
from typing import List, Optional

from jackdaw import progress, results
from jackdaw.mistake import Mistake

MOST_TIMES = 5
LONG_S = 60.0  # no further recording is begun later
WARNING = re.compile(r": (it had no processor for (\d+)% of the time.*), so its times are too long")
TEXT = {"encoding": "utf-8", "errors": "surrogateescape", "newline": "\n"}
HIGHER = ("jackdaw-trace ", "compute_rate ", "vector_rate ")  # lines of which the higher number holds
WORK = ("c ", "v ")  # lines of a trace: a step's time, and its time in vectors


@dataclass
class Recording:
    trace: str
    runtimes: int
    disturbed: str = ""
    times: int = 1


def can_repeat() -> bool:
    """Whether the program finds the same on its standard input when it is run again: not what a pipe or a file had."""
    try:
        return stat.S_ISCHR(os.fstat(0).st_mode)
    except OSError:
        return True


def record(path: str, arguments: List[str], workers: int, folder: str) -> Recording:
    """Raises Mistake where the program cannot be run, fails, or records nothing."""
    begun = time.monotonic()
    first = _once(path, arguments, workers, os.path.join(folder, "recorded.trace"), f"recording {path}")
    made = Recording(first.trace, _runtimes(folder, "recorded.trace"))
    least = first
    while least.share and can_repeat() and made.times < MOST_TIMES and time.monotonic() - begun < LONG_S:
        try:
            again = _once(path, arguments, workers, os.path.join(folder, "again.trace"),
                          f"recording {path}: {made.times + 1} of at most {MOST_TIMES}")
        except Mistake:  # it may not like to be run again
            break
        if not keep_fastest(first.trace, again.trace):
            break
        made.times += 1
        least = min(least, again, key=lambda each: each.share)
    made.disturbed = least.said
    return made


def outside_ns(path: str, arguments: List[str], folder: str) -> Optional[float]:
    """How long the program runs on this computer without a root under way, on one worker: measured by one run that
    records statistics. None if that run did not tell."""
    if not can_repeat():
        return None
    file = os.path.join(folder, "outside.db")
    environment = dict(os.environ, JACKDAW_STATS=file, JACKDAW_WORKERS="1")
    environment.pop("JACKDAW_RECORD", None)
    begun = time.monotonic()
    try:
        with progress.saying(f"running {path}"):
            ended = subprocess.run([os.path.abspath(path), *arguments], env=environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, check=False)
        took = time.monotonic() - begun
        if ended.returncode != 0:
            return None
        with results.read(file) as kept:
            ((count, seconds),) = kept.rows("SELECT count(*), sum(seconds) FROM execution")
    except (OSError, Mistake):
        return None
    return max(took - seconds, 0.0) * 1e9 if count else None


@dataclass
class _Run:
    trace: str
    share: int = 0  # of the time without a processor, in %
    said: str = ""


def _once(path, arguments, workers, into, doing) -> _Run:
    """Runs it once. It records itself on one worker, as if for `workers`."""
    environment = dict(os.environ, JACKDAW_RECORD=into, JACKDAW_WORKERS=str(workers))
    words = [os.path.abspath(path), *arguments]
    try:
        # What it prints is not part of the prediction.
        with progress.saying(doing):
            ended = subprocess.run(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   check=False)
    except OSError as failure:
        raise Mistake(f"{path}: {failure.strerror}, expected a program that can be run") from None
    said = ended.stderr.decode(errors="replace").strip()
    if ended.returncode != 0:
        lines = said.splitlines()
        how = f"signal {-ended.returncode}" if ended.returncode < 0 else f"status {ended.returncode}"
        raise Mistake(f"{path}: it ended with {how}{': ' + lines[-1] if lines else ''}, expected a run without error")
    if not os.path.exists(into):
        raise Mistake(f"{path}: it recorded nothing, expected a program that uses jackdaw")
    warned = WARNING.search(said)
    return _Run(into, int(warned[2]), warned[1]) if warned else _Run(into)


def warning_in(said: str) -> str:
    """What the recorder of `jackdaw record` said of interruptions; "" if nothing."""
    found = WARNING.search(said)
    return found[1] if found else ""


def _runtimes(folder: str, name: str) -> int:
    return 1 + sum(each.startswith(name + ".") for each in os.listdir(folder))


def keep_fastest(trace: str, other: str) -> bool:
    """Takes each step's time over from another recording of the same program if it is shorter there. Returns False,
    and changes nothing, if the two differ in more than times. A step of 0 ns has no line."""
    try:
        one, two = _gaps(trace), _gaps(other)
    except ValueError:
        return False
    if len(one) != len(two):
        return False
    lines = []
    for (work, line), (again, other_line) in zip(one, two):
        lines += [f"{kind} {min(ns, again[kind]):g}\n" for kind, ns in work.items() if kind in again]
        word = next((each for each in HIGHER if line.startswith(each) and other_line.startswith(each)), None)
        if word is not None:
            line = max(line, other_line, key=lambda each: float(each[len(word):]))
        elif line != other_line:
            return False
        lines.append(line)
    with open(trace, "w", **TEXT) as into:
        into.writelines(lines)
    return True


def _gaps(path: str):
    """For each line that is no work: the work before it, in ns by kind, and the line."""
    found, work = [], {}
    with open(path, **TEXT) as file:
        for line in file:
            if line[:2] in WORK:
                work[line[0]] = work.get(line[0], 0.0) + float(line.split()[1])
            elif not line.startswith("lost "):  # of the merged one it is not known
                found.append((work, line))
                work = {}
    return found
