#!/usr/bin/env python3
"""Repeats the prediction paper's Table II and Eq. 3 on real threads, on two sockets that exist only as a description.

matmul runs under random stealing, with 2 to 24 threads, and then --runs times with 12. Prints Markdown: attempts to
steal by the number of threads, and ordinary least squares of the time on counts. Threads share this computer's
processors and are not pinned, and no memory is remote: only the counts by distance mean what the paper's mean.
Exit status: 0 success; 1 a run failed; 2 bad input.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "build/release/src/cli/jackdaw"
MACHINE = "package:2 numa:1 core:12 pu:1"
CORES = 12
COUNTS = ("steals_local", "steals_remote", "failed_steals", "failed_remote")


def count(text):
    if not text.isdigit() or not 3 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"expected a number from 3 to 1000, got '{text}'")
    return int(text)


def measure(given, threads, runs):
    """The counters of each run; attempts are steals and what failed."""
    with tempfile.TemporaryDirectory() as folder:
        ended = subprocess.run(
            [given.program, "bench", "matmul", "--size", given.size, "--scheduler", "random", "--workers", str(threads),
             "--repeat", str(runs), "--pause", "0", "--db", f"{folder}/runs.db", "--json"],
            env={**os.environ, "HWLOC_SYNTHETIC": MACHINE}, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        sys.exit(f"measure-steals: {threads} threads: {ended.stderr.strip().splitlines()[-1]}")
    found = []
    for run in json.loads(ended.stdout)["sides"][0]["runs"]:
        one = {name: run.get(name) for name in COUNTS}
        one["ms"] = 1000 * run["seconds"]
        one["steals"] = one["steals_local"] + one["steals_remote"]
        one["attempts"] = one["steals"] + one["failed_steals"]
        if one["failed_remote"] is not None:
            one["attempts_remote"] = one["steals_remote"] + one["failed_remote"]
        found.append(one)
    return found


def mean(runs, name):
    values = [run.get(name) for run in runs]
    return None if None in values else statistics.fmean(values)


def figure(value, digits=1):
    return "-" if value is None else f"{value:.{digits}f}"


def table_two(given):
    print("| threads | time, ms | attempts | of them remote, % | (n/2)/(n-1), % | steals | of them remote, % | "
          "false, % |\n"
          "|---:|---:|---:|---:|---:|---:|---:|---:|")
    for threads in range(2, 2 * CORES + 1, 2):
        runs = measure(given, threads, 10)
        attempts, remote, steals = mean(runs, "attempts"), mean(runs, "attempts_remote"), mean(runs, "steals")
        part = 100 * remote / attempts if remote is not None and attempts else None
        stolen = 100 * mean(runs, "steals_remote") / steals if steals else None
        print(f"| {threads} | {figure(mean(runs, 'ms'))} | {figure(attempts)} | {figure(part)} | "
              f"{figure(100 * (threads / 2) / (threads - 1))} | {figure(steals)} | {figure(stolen)} | "
              f"{figure(100 * mean(runs, 'failed_steals') / attempts if attempts else None)} |")


def regressions(given):
    runs = measure(given, CORES, given.runs)
    times = [run["ms"] for run in runs]
    print(f"\n{CORES} threads, {given.runs} runs, {statistics.fmean(times):.1f} ms on average:\n\n"
          "| X | mean X | r | slope b, ms | intercept a, ms | RMSE, ms |\n|---|---:|---:|---:|---:|---:|")
    for name, shown in (("attempts_remote", "remote attempts"), ("attempts", "attempts"),
                        ("steals_remote", "remote steals"), ("steals_local", "local steals")):
        x = [run.get(name) for run in runs]
        if None in x or len(set(x)) < 2:
            print(f"| {shown} | - | - | - | - | - |")
            continue
        slope, intercept = statistics.linear_regression(x, times)
        error = math.sqrt(statistics.fmean((y - slope * at - intercept) ** 2 for at, y in zip(x, times)))
        r = statistics.correlation(x, times) if len(set(times)) > 1 else 0
        print(f"| {shown} | {statistics.fmean(x):.1f} | {r:.3f} | {slope:.4f} | {intercept:.2f} | {error:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(PROGRAM), help="the program jackdaw")
    parser.add_argument("--size", default="1024", help="of the matrices (default: 1024)")
    parser.add_argument("--runs", type=count, default=50, help="runs of the regression (default: 50)")
    given = parser.parse_args()
    if not os.access(given.program, os.X_OK):
        parser.error(f"--program: '{given.program}' cannot be run, expected the program jackdaw")
    table_two(given)
    regressions(given)


if __name__ == "__main__":
    main()
