"""An OpenMP program with libgomp, and with libjackdaw_gomp.so before it: the same output, and success."""

import argparse
import os
import subprocess
import sys

LIBRARY = os.environ["JACKDAW_GOMP_LIBRARY"]


def run(program, library, threads, environment):
    own = {key: value for key, value in os.environ.items() if not key.startswith(("OMP_", "GOMP_"))}
    own.update(environment)
    if threads:
        own["OMP_NUM_THREADS"] = threads
    if library:
        own["LD_PRELOAD"] = library
    ended = subprocess.run(program, env=own, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
    return ended.returncode, ended.stdout, ended.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only-ours", action="store_true", help="libgomp cannot do it")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--threads", default="1,2,5,9")
    parser.add_argument("program", nargs="+")
    how = parser.parse_args()
    environment = dict(each.split("=", 1) for each in how.set)
    for threads in how.threads.split(","):
        ours = run(how.program, LIBRARY, threads, environment)
        wanted = (0, ours[1], "") if how.only_ours else run(how.program, "", threads, environment)
        if ours != wanted or ours[0] != 0 or not ours[1]:
            sys.exit(f"{threads} threads:\nlibgomp:            {wanted}\nlibjackdaw_gomp.so: {ours}")


if __name__ == "__main__":
    main()
