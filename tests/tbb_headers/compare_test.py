"""Runs a program that was compiled with libtbb's headers, and the same one compiled with compat/tbb's, by several
schedulers. Both have to print the same. usage: compare_test.py LIBTBB'S COMPAT'S"""

import os
import subprocess
import sys

# What docs/onetbb.md says that it does not do: contexts learn of those around them when the next part begins.
DIFFERENT = ("through three levels",)


def lines(program: str, **environment: str) -> list[str]:
    ran = subprocess.run([program], env={**os.environ, **environment}, timeout=120, capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"{program} {environment} ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}")
    return [each for each in ran.stdout.splitlines() if not each.startswith(DIFFERENT)]


def main() -> None:
    expected = lines(sys.argv[1])
    if not expected:
        sys.exit(f"{sys.argv[1]} has printed nothing")
    for scheduler in ("random", "adws", "auto"):
        for workers in ("1", "3"):
            found = lines(sys.argv[2], JACKDAW_SCHEDULER=scheduler, JACKDAW_WORKERS=workers)
            if found != expected:
                sys.exit(f"{scheduler}, {workers} workers: expected\n{expected}\nfound\n{found}")
    print(f"{len(expected)} lines, six times the same")


if __name__ == "__main__":
    main()
