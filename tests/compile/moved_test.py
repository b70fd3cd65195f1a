"""Every header that has moved can still be included by its old path, which gives one message that names the new one.

    moved_test.py, with JACKDAW_CXX and JACKDAW_SOURCE

Compiles one file that includes all of them twice: as a project includes headers of its own, and as it includes those of
an installed library, from which compilers hide warnings as a rule."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

source = pathlib.Path(os.environ["JACKDAW_SOURCE"])
old = sorted(each.name for each in (source / "include/moved/jackdaw").iterdir())
if not old:
    sys.exit("no header has moved: this test has nothing to do")
text = "".join(f"#include <jackdaw/{name}>\n" for name in 2 * old) + "int main() {}\n"
for option in ("-I", "-isystem"):
    said = subprocess.run(
        [*shlex.split(os.environ["JACKDAW_CXX"]), "-std=c++20", "-fsyntax-only", "-fdiagnostics-color=never", "-Wall",
         "-Wextra", "-Wpedantic", "-Werror",
         option, source / "include", option, source / "include/moved", "-x", "c++", "-"],
        input=text, capture_output=True, text=True, timeout=90)
    if said.returncode != 0:
        sys.exit(f"{option}: old paths do not compile:\n{said.stderr}")
    for name in old:
        found = re.findall(rf"(?:warning|note):.*<jackdaw/{name}> has moved: include <(jackdaw/\S+)>", said.stderr)
        if len(found) != 1:
            sys.exit(f"{option}: <jackdaw/{name}> gives {len(found)} messages, expected one:\n{said.stderr}")
        if not (source / "include" / found[0]).exists():
            sys.exit(f"<jackdaw/{name}> names {found[0]}, which does not exist")
