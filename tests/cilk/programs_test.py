"""Compiles Cilk programs with `jackdaw cilk` and runs them.

programs_test.py JACKDAW program FILE: the program validates itself, and prints under each scheduler and number of
workers what its serial version prints.
programs_test.py JACKDAW refused FOLDER: cases.txt of the folder says where each file is refused, and why.
programs_test.py JACKDAW error: what the compiler complains of points at the source.
programs_test.py JACKDAW files FOLDER: a program of several files, in one call and as objects.
programs_test.py JACKDAW lines: the debugger and the line table point at the source.
programs_test.py JACKDAW printed INCLUDE...: what -S prints compiles by itself, with these folders of headers.
"""

import os
import re
import shutil
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


def files(jackdaw, folder):
    with tempfile.TemporaryDirectory() as scratch:
        def cilk(*words):
            built = call([jackdaw, "cilk", *words], cwd=scratch)
            check(built.returncode == 0, f"{words}: {built.stderr}")
        sources = [Path(folder, name) for name in ("lib.cpp", "main.cpp", "side.c")]
        cilk(*sources, f"-I{folder}", "-DCOUNT=1000", "-O2", "-Wall", "-std=c++11", "-o", "at-once")
        cilk("--elide", *sources, "-I", folder, "-D", "COUNT=1000", "-o", "serial")
        cilk("-c", sources[0], "-o", "lib.o")
        cilk("-c", sources[1], "-DCOUNT=1000", "-O3", "-g")
        cilk("-c", sources[2], "-oside.o")
        cilk("lib.o", "main.o", "side.o", "-lm", "-o", "linked")
        for name in ("at-once", "serial", "linked"):
            found = call([Path(scratch, name)])
            check(found.stdout == "499500 11\n", f"{name}: {found.returncode} {found.stdout} {found.stderr}")


# The lines that a debugger has to know: calls in a child, in a loop's body, behind a spawn of several lines.
LINES = """int leaf(int n) {
  return n + 1;  // 2
}
int both(int n) {
  int x = cilk_spawn leaf(
      n  // 6
  );
  int y = leaf(x0);
  cilk_sync;  // 9
  int part[4] = {0};
  cilk_for (int i = 0; i < 4; ++i) {
    part[i] = leaf(i);  // 12
  }
  return x + y + part[n];  // 14
}
int main(void) {
  return both(2) == 3 + 3 + 3 ? 0 : 1;  // 17
}
""".replace("x0", "n")


def lines_of(program, file):
    """The line numbers of `file` in the program's line table."""
    table = call(["objdump", "--dwarf=decodedline", program])
    check(table.returncode == 0, table.stderr)
    return {int(found[1]) for found in re.finditer(rf"^{re.escape(file)}\s+(\d+)\s", table.stdout, re.M)}


def lines(jackdaw):
    for name in ("where.c", "where.cpp"):
        with tempfile.TemporaryDirectory() as scratch:
            Path(scratch, name).write_text(LINES)
            built = call([jackdaw, "cilk", name, "-g", "-O0", "-o", "where"], cwd=scratch)
            check(built.returncode == 0, built.stderr)
            check(call([Path(scratch, "where")]).returncode == 0, f"{name}: wrong result")
            known = lines_of(Path(scratch, "where"), name)
            for line in (2, 9, 12, 14, 17):
                check(line in known, f"{name}:{line} is not in the line table, which has {sorted(known)}")
            check(max(known) <= 18, f"{name} has 18 lines, the line table {sorted(known)}")
            if not shutil.which("gdb"):
                print("gdb is not installed: only the line table was looked at")
                continue
            asked = ["gdb", "-batch", "-nx"]
            for command in (f"info line {name}:12", "info line leaf", f"list {name}:12,12"):
                asked += ["-ex", command]
            said = call([*asked, "where"], cwd=scratch).stdout
            check(re.search(rf'Line 12 of "[^"]*{re.escape(name)}" starts at address', said), said)
            check(re.search(rf'Line 1 of "[^"]*{re.escape(name)}" starts at address', said), said)
            check("part[i] = leaf(i);  // 12" in said, said)


def printed(jackdaw, *includes):
    for name, compiler in (("where.c", ["gcc", "-std=gnu17"]), ("where.cpp", ["g++", "-std=gnu++20"])):
        with tempfile.TemporaryDirectory() as scratch:
            Path(scratch, name).write_text(LINES)
            shown = call([jackdaw, "cilk", "-S", name], cwd=scratch)
            check(shown.returncode == 0 and "cilk_spawn" not in shown.stdout, shown.stderr or shown.stdout)
            check(f'#line 1 "{name}"' in shown.stdout, shown.stdout)
            Path(scratch, "alone" + Path(name).suffix).write_text(shown.stdout)
            Path(scratch, name).unlink()
            words = [*compiler, "-g", "-c", "alone" + Path(name).suffix, "-o", "alone.o"]
            for each in includes:
                words += ["-isystem", each]
            built = call(words, cwd=scratch)
            check(built.returncode == 0, f"{name}: {built.stderr}")
            known = lines_of(Path(scratch, "alone.o"), name)
            check({2, 12, 17} <= known, f"{name}: the line table has {sorted(known)}")


if __name__ == "__main__":
    modes = {"program": program, "refused": refused, "error": error, "lines": lines, "printed": printed,
             "files": files}
    modes[sys.argv[2]](sys.argv[1], *sys.argv[3:])
