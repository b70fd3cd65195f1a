"""What is compiled with hidden visibility exports nothing of jackdaw, unless the library is a shared one.

    hidden_test.py, with JACKDAW_CXX, JACKDAW_READELF and JACKDAW_SOURCE

A plugin that holds the library as an archive would otherwise share half of jackdaw with a program that exports its own:
the functions of headers and not those of the archive."""

import os
import shlex
import subprocess
import sys
import tempfile

PROGRAM = """#include <jackdaw/jackdaw.hpp>
#include <jackdaw/memory.hpp>
int sum(const jackdaw::placed_array<int>& of) {
  jackdaw::task_group group;
  group.run([] {});
  group.wait();
  jackdaw::invoke([] {}, [] {});
  return jackdaw::reduce(of.begin(), of.end(), 0);
}
"""


def exported(folder, *options):
    made = folder + "/object.o"
    subprocess.run([*shlex.split(os.environ["JACKDAW_CXX"]), "-std=c++20", "-O0", "-fPIC", "-fvisibility=hidden",
                    *options, "-I", os.environ["JACKDAW_SOURCE"] + "/include", "-x", "c++", "-c", "-", "-o", made],
                   input=PROGRAM, text=True, check=True, timeout=90)
    table = subprocess.run([os.environ["JACKDAW_READELF"], "-sW", made], capture_output=True, text=True,
                           check=True).stdout
    rows = [line.split() for line in table.splitlines()]
    # Num Value Size Type Bind Vis Ndx Name
    return [row[7] for row in rows if len(row) == 8 and row[5] == "DEFAULT" and row[6] not in ("UND", "ABS")
            and row[4] in ("GLOBAL", "WEAK", "UNIQUE") and row[7].startswith(("_ZN7jackdaw", "_ZNK7jackdaw"))]


with tempfile.TemporaryDirectory() as folder:
    hidden = exported(folder)
    if hidden:
        sys.exit(f"with an archive {len(hidden)} names of jackdaw are exported, expected none: {hidden[0]}")
    if not exported(folder, "-DJACKDAW_SHARED"):
        sys.exit("with a shared library no name of jackdaw is exported: this test would not see one")
