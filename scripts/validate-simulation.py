#!/usr/bin/env python3
"""Simulates this computer and measures it: how far apart are the two?

    scripts/validate-simulation.py [--program build/release/src/cli/jackdaw] [--machine FILE.toml]

Without --machine this computer is measured first (`jackdaw machine here`). Each program runs under `jackdaw bench` and
`jackdaw simulate` with the same arguments; a Markdown table of the times and of simulated / measured goes to stdout.
Keep the computer quiet meanwhile. Nothing is left behind. Exit status: 0 done, 2 bad input or a command that failed.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path

# Name, what it stands for, arguments.
PROGRAMS = (
    ("fib 30", "forks alone", ("fib", "--size", "30", "--shape", "invoke")),
    ("heat2d 512", "2 MiB: the private caches of two cores", ("heat2d", "--size", "512", "--iterations", "20")),
    ("heat2d 1024", "8 MiB: the shared cache", ("heat2d", "--size", "1024", "--iterations", "20")),
    ("heat2d 4096", "128 MiB: memory", ("heat2d", "--size", "4096", "--iterations", "8")),
    ("matmul 1024", "12 MiB, much computing", ("matmul", "--size", "1024")),
)


def jackdaw(program, *arguments, folder):
    command = [str(program), *map(str, arguments)]
    try:
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except OSError as mistake:
        fail(f"{program}: {mistake.strerror}, expected the program jackdaw")
    if ended.returncode != 0:
        fail(f"{shlex.join(command)}: {ended.stderr.strip()}")
    return ended.stdout


def fail(message):
    print(f"validate-simulation.py: {message}", file=sys.stderr)
    sys.exit(2)


def measured(told, iterations):
    """Seconds of one iteration: the median and the fastest run."""
    side = told["sides"][0]
    return side["median_s"] / iterations, side["min_s"] / iterations


def simulated(told, iterations):
    """Seconds of one iteration: the whole run by the number asked for, as in what was measured. What the simulator
    calls iterations are the parts that a run forks one after another: of matmul two halves."""
    run = told["rows"][0]["runs"][0]
    return sum(run["iterations_ns"] or [run["ns"]]) / iterations * 1e-9


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/release/src/cli/jackdaw", type=Path)
    parser.add_argument("--machine", type=Path, help="this computer's machine file; default: measure one")
    parser.add_argument("--scheduler", default="adws")
    parser.add_argument("--workers", default="1,2", help="numbers of workers, with commas")
    parser.add_argument("--repeat", default=5, type=int, help="measured runs")
    parser.add_argument("--recordings", default=15, type=int, help="of which each step's fastest time is kept")
    parser.add_argument("--only", default="", help="programs whose name begins like this")
    given = parser.parse_args()
    program = given.program.resolve()
    with tempfile.TemporaryDirectory() as folder:
        machine = given.machine.resolve() if given.machine else Path(folder) / "here.toml"
        if not given.machine:
            jackdaw(program, "machine", "here", "-o", machine, folder=folder)
        print(f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC, scheduler {given.scheduler}, median and fastest of"
              f" {given.repeat} runs; times of one iteration in ms\n")
        print("| program | data | workers | measured | fastest | simulated | / measured | / fastest |")
        print("|---|---|---|---|---|---|---|---|", flush=True)
        for name, data, arguments in PROGRAMS:
            if not name.startswith(given.only):
                continue
            for workers in given.workers.split(","):
                same = (*arguments, "--scheduler", given.scheduler, "--workers", workers, "--json")
                bench = json.loads(jackdaw(program, "bench", *same, "--repeat", given.repeat, "--db",
                                           Path(folder) / "bench.db", folder=folder))
                iterations = max(1, bench["iterations"])
                median, fastest = measured(bench, iterations)
                told = simulated(json.loads(jackdaw(
                    program, "simulate", *same, "--machine", machine, "--recordings", given.recordings, "--seeds", 1,
                    "--no-store", folder=folder)), iterations)
                print(f"| {name} | {data} | {workers} | {median * 1e3:.3f} | {fastest * 1e3:.3f} | {told * 1e3:.3f}"
                      f" | {told / median:.2f} | {told / fastest:.2f} |", flush=True)


if __name__ == "__main__":
    main()
