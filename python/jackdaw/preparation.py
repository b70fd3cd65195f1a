"""What a recorded program did before its first iteration.

    preparation.touched(path, "sweep")  # 'written', 'not written' or 'nothing' where no access is declared
"""

from __future__ import annotations

import gzip
import zlib

from jackdaw.mistake import Mistake


def touched(path: str, region: str) -> str:
    """Whether the recording has a write before the first iteration of `region`, a site's name. Without iterations
    (""): before the root that is measured, in roots of other labels. Reads lines and checks nothing: what is simulated
    was read before. Raises Mistake for a file that has changed since."""
    try:
        with _opened(path) as file:
            return _before_site(file, region) if region else _before_root(file)
    except (OSError, EOFError, zlib.error) as damage:
        raise Mistake(f"{path}: {damage}, expected a trace") from None


def compute_rate(path: str) -> float:
    """How fast the core was that recorded the trace, by the unit of machine files; 1 if the trace does not say."""
    return _head(path, "compute_rate ", 1.0)


def lost(path: str) -> float:
    """The part of the time in which the recording had no processor; 0 if its times are right. Raises Mistake for a file
    that cannot be read."""
    return _head(path, "lost ", 0.0)


def _head(path: str, word: str, otherwise: float) -> float:
    """The number in the line of the head that begins with `word`. What is no trace is found elsewhere."""
    with _opened(path) as file:
        try:
            for line in file:
                if line.startswith(word):
                    return float(line.split()[1])
                if line.startswith("root "):
                    break
        except (OSError, EOFError, zlib.error) as damage:
            raise Mistake(f"{path}: {damage}, expected a trace") from None
        except (ValueError, IndexError):
            pass
    return otherwise


def _opened(path: str):
    try:
        with open(path, "rb") as file:
            compressed = file.read(2) == b"\x1f\x8b"
        return (gzip.open if compressed else open)(path, "rt", encoding="utf-8", errors="replace", newline="\n")
    except OSError as failure:
        raise Mistake(f"{path}: {failure.strerror}, expected a trace") from None


def _before_site(lines, region) -> str:
    sites, begun, any_access, written = [], False, False, False
    for line in lines:
        kind = line[:2]
        if line.startswith("site "):
            sites.append(line[5:].rstrip("\n"))
        elif kind in ("r ", "w "):
            any_access = True
            written = written or kind == "w " and not begun
            if begun or written:
                break
        elif kind in ("s ", "g ") and not begun:
            words = line.split()
            begun = len(words) > 2 and words[2].isdigit() and int(words[2]) < len(sites) and (
                sites[int(words[2])] == region)
    return _said(any_access, written)


def _before_root(lines) -> str:
    label, any_access, labels = "", False, []
    written = set()
    for line in lines:
        if line.startswith("root "):
            label = line[5:].rstrip("\n")
            labels.append(label)
        elif line[:2] in ("r ", "w "):
            any_access = True
            if line[0] == "w":
                written.add(label)
    measured = "run" if "run" in labels else label
    return _said(any_access, bool(written & (set(labels[:labels.index(measured)]) if labels else set())))


def _said(any_access: bool, written: bool) -> str:
    return "written" if written else "not written" if any_access else "nothing"
