"""libjackdaw_gomp.so has each name of the system's libgomp with the same version, and defines nothing else."""

import re
import subprocess
import sys


def exports(library):
    listed = subprocess.run(["objdump", "-T", library], capture_output=True, text=True, check=True).stdout
    found = set()
    for line in listed.splitlines():
        fields = line.split()
        if len(fields) < 6 or "*UND*" in fields:
            continue
        version, name = fields[-2], fields[-1]
        # What libgomp has for its own plugins; and its names of 2007 for locks, which it keeps for old programs.
        if "PLUGIN" in version or version.startswith("(") or name == version:
            continue
        found.add((name, version))
    return found


def main():
    real, ours = exports(sys.argv[1]), exports(sys.argv[2])
    versions = {version for _, version in ours}
    missing = sorted(each for each in real - ours if re.match("(GOMP|OMP|GOACC|OACC)_", each[1]))
    newer = sorted(version for _, version in missing if version not in versions)
    if newer and all(each[1] in newer for each in missing):
        print(f"skipped: this libgomp is newer: {sorted(set(newer))}")
    elif missing:
        sys.exit(f"names that {sys.argv[2]} lacks: {missing}")
    if more := sorted(each for each in ours - real if each[1] in {version for _, version in real}):
        sys.exit(f"names that libgomp does not have: {more}")
    if odd := sorted(each for each in ours if not re.match("(GOMP|GOACC|omp|acc)_", each[0])):
        sys.exit(f"names of the inside: {odd}")
    if len(ours) < 300:
        sys.exit(f"only {len(ours)} names")


if __name__ == "__main__":
    main()
