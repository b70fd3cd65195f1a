#!/usr/bin/env python3
"""Checks the subjects of commits and the lengths of lines, which no compiler checks.

check-text.py [--base REF]: checks the commits since REF. The default is the commits that origin/main lacks; without an
origin/main, those of the last 50 commits that are newer than this script, as it did not apply to older ones. Ends with
status 1 and a line for each finding: its place, and what was expected.
"""

import argparse
import os
import re
import subprocess
import sys

SUBJECT = 72
COLUMNS = 120
SOURCES = (".cpp", ".hpp", ".h", ".c", ".S", ".inc", ".cmake", ".cmake.in", "CMakeLists.txt", ".sh", ".py", ".rs",
           ".yml", ".md", "layers.txt", "Makefile", ".ci/run", "bench/run")
# Markdown: a fence, and lines that cannot be broken: indented code, and tables.
FENCE = re.compile(r"\s*(```|~~~)")
UNBROKEN = re.compile(r"    |\s*\|")
URL = re.compile(r"[a-z]+://\S+")


def git(*arguments):
    return subprocess.run(("git", *arguments), capture_output=True, text=True, check=True).stdout


def commits(base):
    """The arguments that make `git log` list the commits to check."""
    if base:
        return [f"{base}..HEAD"]
    known = subprocess.run(("git", "rev-parse", "--verify", "--quiet", "origin/main"), capture_output=True, check=False)
    if known.returncode == 0:
        return ["origin/main..HEAD"]
    born = git("log", "-1", "--diff-filter=A", "--format=%h", "--", "scripts/check-text.py").strip()
    return ["-50", f"{born}..HEAD" if born else "HEAD"]


def wrong_subjects(base):
    for line in git("log", "--no-merges", "--format=%h %s", *commits(base)).splitlines():
        commit, _, subject = line.partition(" ")
        if len(subject) > SUBJECT:
            yield f"commit {commit}: a subject of {len(subject)} characters, expected at most {SUBJECT}: {subject}"
        elif subject.endswith("."):
            yield f"commit {commit}: a subject that ends in a dot, expected none: {subject}"


def long_lines(path):
    markdown = path.endswith(".md")
    inside = False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if markdown and FENCE.match(line):
                inside = not inside
            elif len(line) > COLUMNS and not URL.search(line) and not (markdown and (inside or UNBROKEN.match(line))):
                yield f"{path}:{number}: {len(line)} columns, expected at most {COLUMNS}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--base", metavar="REF", help="check the subjects of the commits since this one")
    given = parser.parse_args()
    try:
        os.chdir(git("rev-parse", "--show-toplevel").strip())
        found = list(wrong_subjects(given.base))
        for path in git("ls-files", "-z").split("\0"):
            if path.endswith(SOURCES) and os.path.isfile(path):
                found += long_lines(path)
    except (OSError, UnicodeError) as failure:
        print(f"check-text.py: {failure}", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as failure:
        print(f"check-text.py: {' '.join(failure.cmd)}: {failure.stderr.partition(chr(10))[0]}", file=sys.stderr)
        return 2
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
