"""Compiles Cilk programs with `jackdaw cilk` and runs them.

programs_test.py JACKDAW program FILE: the program validates itself, and prints under each scheduler and number of
workers what its serial version prints.
programs_test.py JACKDAW refused FOLDER: cases.txt of the folder says where each file is refused, and why.
programs_test.py JACKDAW error: what the compiler complains of points at the source.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path


def call(words, **options):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=200, **options)


def check(condition, text):
    if not condition:
        sys.exit(text)


def program(jackdaw, file):
    file = Path(file)
    with tempfile.TemporaryDirectory() as scratch:
        parallel, serial = Path(scratch, "parallel"), Path(scratch, "serial")
        for target, more in ((parallel, []), (serial, ["--elide"])):
            built = call([jackdaw, "cilk", file, "-O1", "-o", target, *more])
            check(built.returncode == 0, f"{file.name} {more}: {built.stderr}")
        expected = call([serial])
        check(expected.returncode == 0 and expected.stdout, f"--elide: {expected.returncode} {expected.stdout}")
        for scheduler in ("random", "adws", "laws"):
            for workers in (1, 2, 5):
                environment = dict(os.environ, JACKDAW_SCHEDULER=scheduler, JACKDAW_WORKERS=str(workers))
                found = call([parallel], env=environment)
                at = f"{file.name}, {scheduler}, {workers} workers: "
                check(found.returncode == 0, f"{at}{found.returncode} {found.stdout} {found.stderr}")
                check(found.stdout == expected.stdout, f"{at}{found.stdout!r}, serial: {expected.stdout!r}")


def refused(jackdaw, folder):
    cases = Path(folder, "cases.txt").read_text().splitlines()
    check(len(cases) >= 8, "too few cases")
    for line in cases:
        name = line.split(":")[0]
        with tempfile.TemporaryDirectory() as scratch:
            output = Path(scratch, "output")
            found = call([jackdaw, "cilk", name, "-c", "-o", output], cwd=folder)
            check(found.returncode == 2, f"{name}: {found.returncode} {found.stderr}")
            check(found.stderr.startswith(line), f"expected {line!r}, got {found.stderr!r}")
            check(not output.exists(), f"{name}: something was written")


def error(jackdaw):
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch, "wrong.c").write_text("int f(int);\nint g(int n) {\n  int x = cilk_spawn f(n);\n  return y;\n}\n")
        found = call([jackdaw, "cilk", "wrong.c", "-c"], cwd=scratch)
        check(found.returncode == 1 and "wrong.c:4:10: error" in found.stderr, found.stderr)
        check(not Path(scratch, "wrong.o").exists(), "an object was written")


if __name__ == "__main__":
    {"program": program, "refused": refused, "error": error}[sys.argv[2]](sys.argv[1], *sys.argv[3:])
