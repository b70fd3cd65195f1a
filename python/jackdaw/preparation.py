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
        with open(path, "rb") as file:
            compressed = file.read(2) == b"\x1f\x8b"
        with (gzip.open if compressed else open)(path, "rt", encoding="utf-8", errors="replace", newline="\n") as file:
            return _before_site(file, region) if region else _before_root(file)
    except (OSError, EOFError, zlib.error) as damage:
        raise Mistake(f"{path}: {damage}, expected a trace") from None


def compute_rate(path: str) -> float:
    """How fast the core was that recorded the trace, by the unit of machine files; 1 if the trace does not say."""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("compute_rate "):
                return float(line.split()[1])
            if line.startswith("root "):
                break
    return 1.0


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
