#!/usr/bin/env python3
"""Compares schedulers, `auto` beside the others, on every kernel and described machine, in simulation.

    scripts/compare-schedulers.py KEPT [--markdown FILE] [--machines A,B] [--programs A,B] [--budget-seconds N]

Each program is recorded once, as a trace in the folder KEPT, and simulated on every machine. KEPT has a file of results
for each program and machine; what is there already is not simulated again, so a run that was stopped goes on. A trace
or a machine that changes makes its results stale: they are simulated anew. `--again auto` also simulates anew what
another build of jackdaw simulated under `auto`. --markdown writes a page of what is kept. Keep the computer quiet while
programs are recorded; simulated times do not depend on it. Exit status: 0 success, 2 bad input or a failed command.
"""

import argparse
import hashlib
import json
import math
import os
import shlex
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from schedulers_page import WORKERS, page

ROOT = Path(__file__).resolve().parents[1]
RIVALS = ("random", "hierarchical", "adws", "adws:hints=both", "constrained", "cab", "cats", "laws", "laws:nc", "bats")


class Program(NamedTuple):
    name: str
    kernel: str = ""  # what `jackdaw record` is given,
    example: str = ""  # or the example that records itself,
    given: str = ""  # or the recording of another program
    unhinted: bool = False  # simulated without the work hints that the program gives

    def stem(self):
        return self.name.replace(" ", "-")

    def trace(self):
        """Its file, in the folder of what is kept if it is not given."""
        return self.given or (self.example or named(self.kernel).replace(" ", "-")) + ".trace"

    def says(self):
        text = f"`{self.kernel}`" if self.kernel else f"`examples/{self.example}.cpp`" if self.example else "given"
        return text + (", `--rehint none`" if self.unhinted else "")


# Sizes that take the simulator half a minute at most for all schedulers on the largest machine. `auto` tries random
# stealing after 96 iterations, so some programs have more.
KERNELS = (
    "fib --size 25",
    "fib --size 25 --shape group",
    "nqueens --size 11",
    "nqueens --size 10 --shape group",
    "uts --size tiny",
    "uts --size tiny-binomial",
    "knapsack --size 40",
    "checkers --size 10",
    "ga --size 64",
    "mandelbrot --size 512",
    "cilksort --size 1m",
    "sort --size 1m",
    "fft --size 1m",
    "matmul --size 1024",
    "cholesky --size 1024",
    "heat2d --size 1024 --iterations 120",
    "heat2d --size 2048 --iterations 20",
    "heat2d --size 2048 --iterations 40 --shape rows",
    "heat --size amd-1k --iterations 120",
    "heat --size amd-2k --iterations 40",
    "sor --size amd-1k --iterations 40",
    "ge --size cab-512",
    "9p --size amd-1k --iterations 40",
    "conv --size amd-1k --iterations 40",
    "6p --size amd --iterations 10",
    "25p --size tiny --iterations 40",
    "pagerank --size tiny --iterations 120",
    "pagerank --size small --iterations 20",
    "components --size small",
    "components --size small --shape rounds --iterations 20",
    "labelprop --size small",
    "sph --size 4k",
    "sph --size tiny --shape 3d",
)
WITHOUT_HINTS_TOO = ("nqueens 11", "cilksort 1m", "fft 1m", "matmul 1024", "cholesky 1024", "heat2d 1024 x120",
                     "heat amd-1k x120", "sph 4k")
EXAMPLES = ("01-quicksort", "02-grid-loop", "03-reduction", "04-tree-walk", "08-replicated-table", "09-near")


def named(kernel):
    """A kernel's name without the options' names."""
    return kernel.replace("--iterations ", "x").replace("--size ", "").replace("--shape ", "")


PROGRAMS = (*(Program(named(kernel), kernel) for kernel in KERNELS),
            *(Program(f"{named(kernel)} unhinted", kernel, unhinted=True) for kernel in KERNELS
              if named(kernel) in WITHOUT_HINTS_TOO),
            *(Program(f"example {example}", example=example) for example in EXAMPLES))


class Mistake(Exception):
    pass


def run(*command, **environment):
    """What a command prints."""
    command = tuple(map(str, command))
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | environment)
    except OSError as mistake:
        raise Mistake(f"{command[0]}: {mistake.strerror}, expected a program") from mistake
    if ended.returncode != 0:
        said = ended.stderr.strip().splitlines() or [f"exit status {ended.returncode}"]
        raise Mistake(f"{shlex.join(command)}: {said[-1]}")
    return ended.stdout


def replace(path, text):
    """Writes a file whole or not at all."""
    partial = path.with_name(path.name + ".part")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as mistake:
        raise Mistake(f"{path}: {mistake.strerror}, expected a file to write to") from mistake


# Recording


def work(trace):
    """Nanoseconds of work in a trace."""
    return sum(float(line[2:]) for line in trace.read_text(encoding="utf-8").splitlines() if line[:2] in ("c ", "v "))


def record(program, given):
    """Records a program, unless it is recorded, several times, and keeps the least times: other programs delay it."""
    path = given.kept / program.trace()
    if path.exists():
        return path
    partial = path.with_name(path.name + ".part")
    if program.kernel:
        run(given.program, "record", *program.kernel.split(), "--workers", WORKERS, "--recordings", given.recordings,
            "-o", partial, "--force")
    else:
        for number in range(given.recordings):
            each = path.with_name(f"{path.name}.{number}.part")
            run(given.examples / f"example_{program.example}", JACKDAW_RECORD=str(each), JACKDAW_WORKERS=str(WORKERS))
            if not each.exists():
                raise Mistake(f"{given.examples}/example_{program.example}: it recorded nothing, expected an example")
            if not number or work(each) < work(partial):
                each.replace(partial)
            each.unlink(missing_ok=True)
    partial.replace(path)
    return path


def lost(trace):
    """The part of the recording's time in which it had no processor."""
    if not trace.exists():
        return 0.0
    with trace.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("lost "):
                return float(line.split()[1])
            if line.startswith("root "):
                break
    return 0.0


# Simulating


class Row:
    """The results of a program on a machine, as `jackdaw simulate --json` prints them. Besides, `made_of` tells what
    they were made of, and each scheduler's row which `version` made it."""

    def __init__(self, program, machine, given):
        self.program, self.machine = program, machine
        self.trace = given.kept / program.trace()
        self.path = given.kept / f"{program.stem()}@{machine.name}.json"
        self.told = {}

    def load(self):
        """Reads what is kept."""
        try:
            self.told = json.loads(self.path.read_text(encoding="utf-8"))
            for row in self.told["rows"]:
                known = isinstance(row["scheduler"], str) and isinstance(row["version"], str)
                if not known or not all(map(positive, times(row))):
                    raise ValueError
            str.join("", (self.told["made_of"], self.told["machine"]["description"]))
        except FileNotFoundError:
            self.told = {}
        except OSError as mistake:
            raise Mistake(f"{self.path}: {mistake.strerror}, expected a file to read") from mistake
        except (ValueError, LookupError, TypeError, AttributeError) as mistake:
            raise Mistake(f"{self.path}: expected results that this script kept; without the file they are simulated"
                          " again") from mistake

    def forget(self, made_of, again, version):
        """Drops what is stale."""
        if self.told.get("made_of") != made_of:
            self.told = {"made_of": made_of, "rows": []}
        self.told["rows"] = [row for row in self.told["rows"]
                             if row["scheduler"] not in again or row["version"] == version]

    def lacking(self, schedulers):
        return [each for each in schedulers if each not in self.times()]

    def times(self):
        """Seconds of an iteration and of the whole run, by scheduler."""
        return {row["scheduler"]: times(row) for row in self.told.get("rows", ())}

    def simulate(self, schedulers, given, version):
        rehint = ("--rehint", "none") if self.program.unhinted else ()
        told = json.loads(run(given.program, "simulate", self.trace, *rehint, "--machine", self.machine.file,
                              "--scheduler", ",".join(schedulers), "--seeds", given.seeds, "--jobs", 1, "--no-store",
                              "--json"))
        for row in told["rows"]:
            row["version"] = version
        self.told = {**told, "made_of": self.told["made_of"], "rows": self.told["rows"] + told["rows"]}
        replace(self.path, json.dumps(self.told))


def positive(number):
    return math.isfinite(number) and number > 0


def times(row):
    return row["median"]["ns"] * 1e-9, statistics.median(run["whole_ns"] for run in row["runs"]) * 1e-9


class Machine(NamedTuple):
    name: str
    file: Path | str
    checked: str  # what `jackdaw machine check` says of it, but for its place


def machines(given):
    folder = ROOT / "machines"
    names = given.machines.split(",") if given.machines else sorted(path.stem for path in folder.glob("*.toml"))
    for name in dict.fromkeys(names):
        path = Path(name) if name.endswith(".toml") else folder / f"{name}.toml"
        file = path if path.exists() else name  # jackdaw may know the name, or says what is wrong with it
        checked = run(given.program, "machine", "check", file).splitlines()
        yield Machine(path.stem, file, "\n".join(line for line in checked if not line.startswith("file ")))


def made_of(row, given):
    what = (row.trace.read_bytes(), row.machine.checked.encode(), str(row.program.unhinted).encode(),
            str(given.seeds).encode())
    return hashlib.sha256(b"\0".join(what)).hexdigest()


def simulate(rows, schedulers, given, version, begun):
    """Simulates what is lacking while there is time."""
    again = given.again.split(",") if given.again else []
    for row in rows:
        if row.trace.exists():
            row.forget(made_of(row, given), again, version)

    def late():
        return given.budget_seconds is not None and time.monotonic() - begun >= given.budget_seconds

    failed = []

    def one(row):
        if failed or late():
            return
        since = time.monotonic()
        try:
            row.simulate(row.lacking(schedulers), given, version)
            print(f"{time.monotonic() - since:.1f} s: {row.program.name} on {row.machine.name}", file=sys.stderr)
        except Mistake as mistake:
            failed.append(mistake)

    with ThreadPoolExecutor(given.jobs) as pool:
        list(pool.map(one, [row for row in rows if row.trace.exists() and row.lacking(schedulers)]))
    if failed:
        raise failed[0]


# The command


def chosen(given):
    programs = list(PROGRAMS)
    if given.traces:
        traces = sorted(given.traces.glob("*.trace"))
        if not traces:
            raise Mistake(f"{given.traces}: no file *.trace, expected a folder of recordings")
        programs += [Program(f"trace {path.stem}", given=str(path.resolve())) for path in traces]
    beginnings = tuple(given.programs.split(",")) if given.programs else ("",)
    for each in beginnings:
        if not any(program.name.startswith(each) for program in programs):
            raise Mistake(f"--programs: no program's name begins with '{each}', expected some of "
                          + ", ".join(program.name for program in programs))
    return [program for program in programs if program.name.startswith(beginnings)]


def compare(given):
    begun = time.monotonic()
    schedulers = ["auto", *(each for each in (given.schedulers or ",".join(RIVALS)).split(",") if each != "auto")]
    if len(schedulers) < 2 or len(set(schedulers)) < len(schedulers):
        raise Mistake("--schedulers: expected different schedulers, at least one beside auto")
    programs, described = chosen(given), list(machines(given))
    version = run(given.program, "--version").strip()
    # A simulation that takes no time: finds unknown schedulers before the long ones begin.
    run(given.program, "simulate", "fib", "--size", "tiny", "--machine", described[0].file, "--scheduler",
        ",".join(schedulers), "--seeds", 1, "--recordings", 1, "--no-store", "--json")
    if given.markdown and (given.markdown.is_dir() or not given.markdown.parent.is_dir()):
        raise Mistake(f"{given.markdown}: expected a file to write to, in a folder that exists")
    try:
        given.kept.mkdir(exist_ok=True)
    except OSError as mistake:
        raise Mistake(f"{given.kept}: {mistake.strerror}, expected a folder for results") from mistake
    rows = [Row(program, machine, given) for program in programs for machine in described]
    for row in rows:
        row.load()
    for program in programs:
        if given.budget_seconds is None or time.monotonic() - begun < given.budget_seconds:
            record(program, given)
    simulate(rows, schedulers, given, version, begun)
    lacking = sum(bool(row.lacking(schedulers)) for row in rows)
    print(f"{len(rows) - lacking} of {len(rows)} rows are kept" + ("; run again for the others" if lacking else ""),
          file=sys.stderr)
    if given.markdown:
        disturbed = {program: lost(given.kept / program.trace()) for program in programs}
        replace(given.markdown, "\n".join(page(rows, disturbed, schedulers, given)) + "\n")


def count(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r}, expected a number above 0")
    return int(text)


def seconds(text):
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r}, expected seconds")
    return number


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Mistake(message)


def main():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    build = ROOT / "build" / "release"
    parser.add_argument("kept", type=Path, help="the folder of traces and results")
    parser.add_argument("--program", default=build / "src" / "cli" / "jackdaw", type=Path)
    parser.add_argument("--examples", default=build / "examples", type=Path, help="the folder of the built examples")
    parser.add_argument("--traces", type=Path, help="a folder of other programs' recordings, *.trace, to compare too")
    parser.add_argument("--machines", help="comma-separated names or files; default: all of machines/")
    parser.add_argument("--programs", help="comma-separated beginnings of names; default: all programs")
    parser.add_argument("--schedulers", help=f"the others, comma-separated; default: {','.join(RIVALS)}")
    parser.add_argument("--again", help="schedulers whose results by other builds of jackdaw are replaced")
    parser.add_argument("--seeds", default=1, type=count)
    parser.add_argument("--recordings", default=5, type=count)
    parser.add_argument("--jobs", default=os.cpu_count(), type=count, help="simulations at once")
    parser.add_argument("--budget-seconds", type=seconds, help="begin nothing after so many seconds")
    parser.add_argument("--markdown", type=Path, help="the page to write")
    try:
        compare(parser.parse_args())
    except Mistake as mistake:
        print(f"compare-schedulers.py: {mistake}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
