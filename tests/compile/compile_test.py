"""The compiler's messages for code that must not compile: the first error, and the lines after it.

    compile_test.py CASE.cpp, with JACKDAW_CXX and JACKDAW_SOURCE

A case begins with comments: `// first: REGEX` for the first error, `// also: REGEX` for a line anywhere, or
`// compiles`; and `// with: FLAG...` for flags of the compiler."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

case = pathlib.Path(sys.argv[1])
text = case.read_text()
first = re.findall(r"^// first: (.*)$", text, re.M)
also = re.findall(r"^// also: (.*)$", text, re.M)
flags = " ".join(re.findall(r"^// with: (.*)$", text, re.M)).split()
compiles = "// compiles\n" in text
if compiles == bool(first) or len(first) > 1:
    sys.exit(f"{case}: expected one `// first: REGEX`, or `// compiles`")

said = subprocess.run(
    [*shlex.split(os.environ["JACKDAW_CXX"]), "-std=c++20", "-fsyntax-only", "-fdiagnostics-color=never",
     *flags, "-I", os.environ["JACKDAW_SOURCE"] + "/include", str(case)],
    capture_output=True, text=True, timeout=90)
errors = [line for line in said.stderr.splitlines() if re.search(r"\berror: ", line)]

if compiles:
    sys.exit(f"{case} does not compile:\n{said.stderr}" if said.returncode != 0 else 0)
if said.returncode == 0 or not errors:
    sys.exit(f"{case} compiles")
if not re.search(first[0], errors[0]):
    sys.exit(f"{case}: the first error is\n  {errors[0]}\nexpected: {first[0]}\n{said.stderr}")
for each in also:
    if not re.search(each, said.stderr):
        sys.exit(f"{case}: nothing says {each}\n{said.stderr}")
