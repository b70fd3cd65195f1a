#!/usr/bin/env python3
"""Compares a simulation of this computer with measurements.

    scripts/validate-simulation.py [--program build/release/src/cli/jackdaw] [--machine FILE.toml]

Without --machine this computer is measured at the beginning of each round (`jackdaw machine here`). Each program runs
under `jackdaw bench` and `jackdaw simulate` with the same arguments, once in each round, because on shared computers a
process can be slow as long as it lasts; a Markdown table of the times and of simulated / measured goes to stdout. Keep
the computer quiet meanwhile. "Speed" is how fast the core computed beside the measurement, as a part of what the
machine file says: shared computers change their clock and share their cores. Leaves no files behind. Exit status:
0 success, 2 bad input or a failed command.
"""

import argparse
import json
import operator
import shlex
import statistics
import subprocess
import sys
import tempfile
import tomllib
from datetime import datetime, timezone
from pathlib import Path

# Name, data and what bounds it on two cores with some MiB of private and some ten of shared cache, arguments.
PROGRAMS = (
    ("fib 30", "forks alone", ("fib", "--size", "30", "--shape", "invoke")),
    ("nqueens 11", "computing", ("nqueens", "--size", "11")),
    ("mandelbrot 1024", "computing", ("mandelbrot", "--size", "1024")),
    ("heat2d 512", "2 MiB, private caches", ("heat2d", "--size", "512", "--iterations", "20")),
    ("heat2d 1024", "8 MiB, shared cache", ("heat2d", "--size", "1024", "--iterations", "20")),
    ("heat2d 4096", "128 MiB, memory", ("heat2d", "--size", "4096", "--iterations", "8")),
    ("heat 512", "4 MiB, shared cache", ("heat", "--size", "cab-512", "--iterations", "20")),
    ("heat 1024", "16 MiB, shared cache", ("heat", "--size", "cab-1k", "--iterations", "20")),
    ("heat 4k x 8k", "512 MiB, memory", ("heat", "--size", "cab-4k", "--iterations", "4")),
    ("sor 512", "2 MiB, private caches", ("sor", "--size", "cab-512", "--iterations", "20")),
    ("sor 1024", "8 MiB, shared cache", ("sor", "--size", "cab-1k", "--iterations", "20")),
    ("sor 4k x 8k", "256 MiB, memory", ("sor", "--size", "cab-4k", "--iterations", "4")),
    ("matmul 512", "3 MiB, computing", ("matmul", "--size", "512")),
    ("matmul 1024", "12 MiB, computing", ("matmul", "--size", "1024")),
    ("matmul 2048", "48 MiB, computing", ("matmul", "--size", "2048")),
    ("cilksort 1m", "8 MiB, shared cache", ("cilksort", "--size", "1m")),
    ("cilksort 10m", "80 MiB, memory", ("cilksort", "--size", "10m")),
    ("sort 1m", "16 MiB, shared cache", ("sort", "--size", "1m")),
    ("sort 10m", "160 MiB, memory", ("sort", "--size", "10m")),
    ("fft 1m", "32 MiB, shared cache", ("fft", "--size", "1m")),
    ("fft 4m", "128 MiB, memory", ("fft", "--size", "4m")),
    ("cholesky 512", "2 MiB, private caches", ("cholesky", "--size", "512")),
    ("cholesky 1024", "8 MiB, shared cache", ("cholesky", "--size", "1024")),
    ("cholesky 2048", "32 MiB, shared cache", ("cholesky", "--size", "2048")),
    ("pagerank small", "private caches", ("pagerank", "--size", "small")),
    ("pagerank medium", "shared cache", ("pagerank", "--size", "medium")),
    ("pagerank large", "memory", ("pagerank", "--size", "large")),
    ("components small", "private caches", ("components", "--size", "small")),
    ("components medium", "shared cache", ("components", "--size", "medium")),
    ("components large", "memory", ("components", "--size", "large")),
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
    """Seconds of one iteration: the whole run divided by the requested number, as in the measurement. The simulator's
    iterations are the parts that a run forks one after another, for example two halves of matmul."""
    run = told["rows"][0]["runs"][0]
    return sum(run["iterations_ns"] or [run["ns"]]) / iterations * 1e-9


def compute_rate(program, folder):
    """What a recording finds at its two ends: the faster of both."""
    jackdaw(program, "record", "fib", "--size", "tiny", "--recordings", 1, "-o", "speed.trace", folder=folder)
    lines = (Path(folder) / "speed.trace").read_text(encoding="utf-8").splitlines()
    (Path(folder) / "speed.trace").unlink()
    return next(float(line.split()[1]) for line in lines if line.startswith("compute_rate "))


def times(program, arguments, machine, given, folder):
    """Seconds of one iteration in one process: the median and the fastest run measured, and simulated; and the core's
    speed beside the measurement."""
    same = (*arguments, "--scheduler", given.scheduler, "--json")
    before = compute_rate(program, folder)
    bench = json.loads(jackdaw(program, "bench", *same, "--repeat", given.repeat, "--db", Path(folder) / "bench.db",
                               folder=folder))
    speed = (before + compute_rate(program, folder)) / 2
    iterations = max(1, bench["iterations"])
    told = json.loads(jackdaw(program, "simulate", *same, "--machine", machine, "--recordings", given.recordings,
                              "--seeds", 1, "--no-store", folder=folder))
    return (*measured(bench, iterations), simulated(told, iterations), speed)


def rate_of(machine):
    return tomllib.loads(machine.read_text(encoding="utf-8"))["compute_rate"]["ratio"]


def print_errors(which, ratios):
    """How far simulated / measured is from 1: an error of 100% is a factor of 2, in either direction."""
    errors = {name: max(ratio, 1 / ratio) - 1 for name, ratio in ratios.items()}
    if not errors:
        return
    worst = max(errors, key=errors.get)
    within = [sum(error <= most for error in errors.values()) for most in (0.15, 0.25)]
    median = statistics.median(errors.values())
    print(f"\n{which}: median error {median:.0%}, {within[0]} of {len(errors)} rows within 15%, {within[1]} within 25%,"
          f" worst {ratios[worst]:.2f} ({worst}).")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/release/src/cli/jackdaw", type=Path)
    parser.add_argument("--machine", type=Path, help="this computer's machine file; default: measure one")
    parser.add_argument("--scheduler", default="adws")
    parser.add_argument("--workers", default="1,2", help="comma-separated numbers of workers")
    parser.add_argument("--repeat", default=5, type=int, help="measured runs")
    parser.add_argument("--recordings", default=15, type=int, help="recordings; each step's fastest time counts")
    parser.add_argument("--rounds", default=3, type=int, help="times to go over all programs; the median counts")
    parser.add_argument("--only", default="", help="run only programs whose names begin with this text")
    given = parser.parse_args()
    program = given.program.resolve()
    rows = {}
    rates = []
    for number in range(given.rounds):
        with tempfile.TemporaryDirectory() as folder:
            machine = given.machine.resolve() if given.machine else Path(folder) / "here.toml"
            if not given.machine:
                jackdaw(program, "machine", "here", "-o", machine, folder=folder)
            rates.append(rate_of(machine))
            for name, data, arguments in PROGRAMS:
                if not name.startswith(given.only):
                    continue
                for workers in given.workers.split(","):
                    found = times(program, (*arguments, "--workers", workers), machine, given, folder)
                    rows.setdefault((name, data, workers), []).append(found)
                    print(f"round {number + 1} of {given.rounds}: {name} on {workers}: measured"
                          f" {found[0] * 1e3:.3f} ms, simulated {found[2] * 1e3:.3f}", file=sys.stderr)
    print(f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC, scheduler {given.scheduler}, medians of {given.rounds}"
          f" rounds, each the median and the fastest of {given.repeat} runs; times of one iteration in ms\n")
    print("| program | data | workers | measured | of rounds | fastest | simulated | / measured | / fastest | speed |")
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    ratios, steady = {}, {}
    for (name, data, workers), found in rows.items():
        medians, fastest, told, speeds = zip(*found)
        median, told = statistics.median(medians), statistics.median(told)
        speed = statistics.median(map(operator.truediv, speeds, rates))
        print(f"| {name} | {data} | {workers} | {median * 1e3:.3f} | {min(medians) * 1e3:.3f}-{max(medians) * 1e3:.3f}"
              f" | {min(fastest) * 1e3:.3f} | {told * 1e3:.3f} | {told / median:.2f} | {told / min(fastest):.2f} |"
              f" {speed:.2f} |")
        ratios[f"{name} on {workers}"] = told / median
        if abs(speed - 1) <= 0.05:
            steady[f"{name} on {workers}"] = told / median
    print_errors("All rows", ratios)
    print_errors("Rows with a speed of 0.95 to 1.05", steady)


if __name__ == "__main__":
    main()
