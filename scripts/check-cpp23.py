#!/usr/bin/env python3
"""check-cpp23.py: whether both compilers take the public headers, and the tests of what uses them, as C++23.

They are parsed, with warnings as errors, and nothing is built: what changes from one standard to the next is what is
ill-formed, ambiguous or deprecated. Each source is compiled as its preset does it, but for the standard.
"""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRESETS = ("release", "clang")
FOLDERS = ("tests/task/", "tests/algorithm/")


def commands_of(preset):
    """(what is compiled, the command that parses it) for each source of the folders, and for all public headers."""
    subprocess.run(["cmake", "--preset", preset], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    build = ROOT / "build" / preset
    found = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        name = os.path.relpath(entry["file"], ROOT)
        if not name.startswith(FOLDERS):
            continue
        words = shlex.split(entry["command"])
        output = words.index("-o")
        del words[output : output + 2]
        words = ["-std=c++23" if word.startswith("-std=") else word for word in words]
        if "-std=c++23" not in words:
            sys.exit(f"check-cpp23.py: {name} names no standard in build/{preset}")
        found.append((name, words + ["-fsyntax-only"], entry["directory"]))
    if not found:
        sys.exit(f"check-cpp23.py: build/{preset} compiles nothing of {', '.join(FOLDERS)}")

    all_headers = build / "cpp23.cpp"
    headers = sorted((ROOT / "include").rglob("*.hpp"))
    all_headers.write_text("".join(f'#include "{header.relative_to(ROOT / "include")}"\n' for header in headers))
    _, words, directory = found[0]
    source = words.index("-c") + 1
    found.append((f"{len(headers)} headers", words[:source] + [str(all_headers)] + words[source + 1 :], directory))
    return list({name: (name, words, directory) for name, words, directory in found}.values())


def parse(job):
    preset, (name, words, directory) = job
    done = subprocess.run(words, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return f"{preset}: {name}\n{done.stdout}{done.stderr}" if done.returncode != 0 else ""


def main():
    jobs = [(preset, command) for preset in PRESETS for command in commands_of(preset)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [text for text in pool.map(parse, jobs) if text]
    for text in failures:
        print(text, file=sys.stderr)
    if failures:
        sys.exit(f"check-cpp23.py: {len(failures)} of {len(jobs)} do not compile as C++23")
    print(f"check-cpp23.py: {len(jobs)} sources compile as C++23")


main()
