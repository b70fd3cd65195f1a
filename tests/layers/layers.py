"""Checks that the layers of src/layers.txt depend on lower ones only.

layers.py ROOT [OBJECTS]: reads every include line below src, include, kernels and bench of ROOT. OBJECTS is a file that
names the object files of the libraries, one a line; what each of them calls must be defined in its own layer or a lower
one. Ends with 1 and a line for each dependency that points up, with 2 if something cannot be read.
"""

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')
OBJECT = re.compile(r".*/(src/(?:.*/)?)CMakeFiles/[^/]+\.dir/(.*)\.o$")


class Layers:
    def __init__(self, file):
        self.names, self.rules = [], []
        for line in Path(file).read_text().splitlines():
            words = line.split()
            if not words or line.startswith("#"):
                continue
            if not line[0].isspace():
                self.names.append(words.pop(0))
            self.rules += [(prefix, len(self.names) - 1) for prefix in words]

    def of(self, path):
        """The height of the layer that a file belongs to."""
        rules = [rule for rule in self.rules if path.startswith(rule[0])]
        found = max(rules, key=lambda rule: len(rule[0]), default=None)
        if found is None:
            raise SystemExit(f"src/layers.txt: no layer for {path}, expected a prefix of its path")
        return found[1]

    def up(self, user, used):
        return self.of(used) > self.of(user)

    def complaint(self, user, used, what):
        return f"{user}: {what} of {used}: '{self.names[self.of(user)]}' is below '{self.names[self.of(used)]}'"


def sources(root):
    for top in ("src", "include", "kernels", "bench"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".hpp", ".cpp", ".h", ".c", ".S"):
                yield path


def resolved(root, including, name):
    """The file of the project that an include line means; None if it is none of the project's."""
    for base in (root / "include", root / "src", root, including.parent):
        if (base / name).is_file():
            return (base / name).resolve().relative_to(root).as_posix()
    return None


def upward_includes(root, layers):
    for path in sources(root):
        user = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            used = resolved(root, path, found[1]) if found else None
            if used and layers.up(user, used):
                yield layers.complaint(f"{user}:{number}", used, "an include")


def source_of(file):
    found = OBJECT.match(file)
    if not found:
        raise SystemExit(f"{file}: expected an object file below src/")
    return os.path.normpath(found[1] + found[2].replace("__/", "../"))  # so CMake writes the folder above


def symbols(files):
    """Where each symbol is defined, and what each file leaves undefined."""
    defined, undefined = defaultdict(set), defaultdict(set)
    for file in files:
        source = source_of(file)
        for line in subprocess.run(["nm", "-P", file], check=True, capture_output=True, text=True).stdout.splitlines():
            name, kind = line.split()[:2]
            if kind in "Uwv":
                undefined[source].add(name)
            elif kind.isupper() or kind == "u":
                defined[name].add(source)
    return defined, undefined


def upward_symbols(defined, undefined, layers):
    if not defined:
        raise SystemExit("no symbol is defined in any object file")
    for user, names in sorted(undefined.items()):
        for name in sorted(names):
            homes = defined.get(name, set())
            # Many files define the same inline functions and templates; one definition that is not above is enough.
            if homes and all(layers.up(user, home) for home in homes):
                yield layers.complaint(user, min(homes), f"the symbol {name}")


def main():
    if len(sys.argv) not in (2, 3):
        print("usage: layers.py ROOT [OBJECTS]", file=sys.stderr)
        return 2
    root = Path(sys.argv[1]).resolve()
    try:
        layers = Layers(root / "src" / "layers.txt")
        found = list(upward_includes(root, layers))
        if len(sys.argv) == 3:
            found += upward_symbols(*symbols(Path(sys.argv[2]).read_text().split()), layers)
    except (OSError, subprocess.CalledProcessError, SystemExit) as failure:
        print(f"layers.py: {failure}", file=sys.stderr)
        return 2
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
