#!/usr/bin/env python3
"""Measures the schedulers' overhead for CPU-bound programs (CAB Fig. 9, LAWS Fig. 13), on real threads.

For each kernel the schedulers run in turn, A B C A B C ..., each in a process of its own that runs the kernel twice:
in the first run a scheduler that profiles tasks sees them for the first time, in the second it knows them. Prints
medians over --rounds, the distance between quartiles, and the ratio to the first scheduler.
Exit status: 0 success; 1 a run failed; 2 bad input.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "build/release/src/cli/jackdaw"
KERNELS = {"mandelbrot": "1024", "nqueens": "12", "fft": "1m", "ga": "64", "knapsack": "60", "checkers": "10",
           "cholesky": "1024"}


def names(text):
    return [part for part in text.split(",") if part]


def sizes(text):
    wanted = {}
    for name, _, size in (part.partition("=") for part in names(text)):
        if name not in KERNELS:
            raise argparse.ArgumentTypeError(f"'{name}', expected some of {','.join(KERNELS)}")
        wanted[name] = size or KERNELS[name]
    return wanted


def count(text):
    if not text.isdigit() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 1000, got '{text}'")
    return int(text)


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", type=sizes, default=KERNELS, metavar="NAME[=SIZE],...",
                        help="of " + ",".join(f"{name}={size}" for name, size in KERNELS.items()))
    parser.add_argument("--schedulers", type=names, default=names("random,cab,cats,laws:nc,laws"))
    parser.add_argument("--rounds", type=count, default=15)
    parser.add_argument("--workers", type=count, default=None)
    parser.add_argument("--synthetic", metavar="DESCRIPTION", help="run on this described machine: HWLOC_SYNTHETIC")
    given = parser.parse_args(arguments)
    if not PROGRAM.exists():
        parser.error(f"{PROGRAM} does not exist, expected the built program (cmake --build --preset release)")
    return given


def seconds_of_two_runs(kernel, size, scheduler, given):
    environment = dict(os.environ)
    if given.synthetic:
        environment["HWLOC_SYNTHETIC"] = given.synthetic
    command = [PROGRAM, "bench", kernel, "--size", size, "--scheduler", scheduler, "--warm-up", "0",
               "--repeat", "2", "--json"]
    if given.workers:
        command += ["--workers", str(given.workers)]
    with tempfile.TemporaryDirectory() as folder:
        ended = subprocess.run([*command, "--db", f"{folder}/results.db"], env=environment, capture_output=True,
                               text=True, check=False)
    if ended.returncode != 0:
        sys.exit(f"measure-overhead.py: {kernel} with {scheduler}: {ended.stderr.strip()}")
    return [run["seconds"] for run in json.loads(ended.stdout)["sides"][0]["runs"]]


def main(arguments):
    given = parse(arguments)
    print(f"measured, medians of {given.rounds}; spread: between quartiles, part of the median\n")
    print("| kernel | scheduler | first run, ms | spread | ratio | second run, ms | spread | ratio |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for kernel, size in given.kernels.items():
        times = {scheduler: ([], []) for scheduler in given.schedulers}
        for _ in range(given.rounds):
            for scheduler, (first, second) in times.items():
                one, two = seconds_of_two_runs(kernel, size, scheduler, given)
                first.append(one)
                second.append(two)
        base = None
        for scheduler, both in times.items():
            medians = [statistics.median(one) for one in both]
            base = base or medians
            cells = []
            for one, middle, against in zip(both, medians, base):
                quarters = statistics.quantiles(one, n=4) if len(one) > 1 else [middle] * 3
                spread = (quarters[2] - quarters[0]) / middle
                cells.append(f"{middle * 1e3:.2f} | {spread:.0%} | {middle / against:.3f}")
            print(f"| {kernel} {size} | {scheduler} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
