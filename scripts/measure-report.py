#!/usr/bin/env python3
"""Measures how long a report of many tasks takes to make and to open.

measure-report.py [--tasks N] [--runs N]: plants an execution of N tasks (default 1000000) on 64 workers, makes its
page, and opens that in a headless Chromium, each time in a new profile. Prints medians. "Opened" is from the browser's
first request for the page until all of it is loaded; "browser" is the whole life of the browser, with its start.
"""

import argparse
import math
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests" / "python")]

import browser  # noqa: E402
import planted  # noqa: E402
from sample import sample  # noqa: E402

from jackdaw import report  # noqa: E402

LOADED = 'addEventListener("load", () => { document.title = performance.now(); });'


def plant(tasks):
    """Iterations of a binary tree whose leaves are in serial order laid out over 64 workers."""
    workers = 64
    one = planted.Planted(workers=workers, packages=4, seconds=2.0, scheduler="adws")
    dice = random.Random(1)
    few = sample()
    one.steals = [dict(thief=thief, victim=victim, steals=dice.randrange(100), failed=dice.randrange(1000))
                  for thief in range(workers) for victim in range(workers) if thief != victim]
    one.decisions = few.decisions
    for name in ("a", "b", "c", "d"):
        array = one.array(name, planted.GIB, {node: 0.25 for node in range(4)}, touched_by=0)
        one.all_use(array, 2e9, {node: 0.25 for node in range(4)})
        one.blocks(array, 2e9, parts=256, users=lambda part: sorted({part // 4, dice.randrange(workers)}))
    count = 200
    one.iterate(count, 2e9 / count)
    levels = max(math.ceil(math.log2(max(tasks / count, 2))) - 1, 1)
    number = 0
    for iteration in one.iterations:
        parents = [0]
        for depth in range(levels + 1):
            made = []
            for place in range(1 << depth):
                if number == tasks:
                    return one
                number += 1
                left = place / (1 << depth)
                begin = iteration["begin_ns"] + 1e6 * depth / levels + (5e6 * dice.random() if depth == levels else 0)
                one.task(number, int(left * workers), begin, begin + (9e6 if depth < levels else 3e5),
                         parent=parents[place // 2], depth=depth, span=(left, (place + 1) / (1 << depth)))
                made.append(number)
            parents = made
    return one


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file, page = Path(folder, "run.db"), Path(folder, "report.html")
        one = plant(given.tasks)
        one.save(file)
        print(f"{len(one.tasks)} tasks, a database of {os.path.getsize(file) / 1e6:.0f} MB")
        one = None
        begun = time.monotonic()
        report.write(file, page)
        print(f"made in {time.monotonic() - begun:.1f} s: a page of {os.path.getsize(page) / 1e6:.2f} MB")
        opened, whole = [], []
        for _ in range(given.runs):
            begun = time.monotonic()
            found = browser.Opened(page, script=LOADED, virtual=False)
            whole.append(time.monotonic() - begun)
            opened.append(float(found.dom.first("title").text()) / 1e3)
        print(f"opened in {statistics.median(opened):.2f} s ({min(opened):.2f} to {max(opened):.2f}); browser "
              f"{statistics.median(whole):.2f} s ({min(whole):.2f} to {max(whole):.2f})")


if __name__ == "__main__":
    main()
