#!/usr/bin/env python3
"""Makes data/debian12-packages.txt and data/debian12-dependencies.txt.gz from this machine's package index.

Run on Debian (any release; the names in data/ say which one was used), after `apt-get update`:

    scripts/make-graph.py [FOLDER]        # FOLDER: where to write, default data/

The first file names the graph's vertices; see data/README.md for both formats.
"""

import gzip
import pathlib
import re
import subprocess
import sys

RELATIONS = ("Pre-Depends", "Depends", "Recommends")


def paragraphs(text):
    """The index's paragraphs, one per package, as dictionaries of their one-line fields."""
    for paragraph in text.split("\n\n"):
        fields = {}
        for line in paragraph.splitlines():
            key, colon, value = line.partition(": ")
            if colon and not line[0].isspace():
                fields[key] = value
        if "Package" in fields:
            yield fields


def names(relation):
    """The package names in a relation field such as "a (>= 1) | b:any, c"; every alternative counts."""
    for item in re.split(r"[,|]", relation):
        name = re.split(r"[\s(:]", item.strip(), maxsplit=1)[0]
        if name:
            yield name


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "data")
    index = subprocess.run(["apt-cache", "dumpavail"], check=True, capture_output=True).stdout.decode("utf-8")
    packages = sorted({fields["Package"]: fields for fields in paragraphs(index)}.items())
    if not packages:
        sys.exit("make-graph.py: the package index is empty, expected packages: run apt-get update first")
    number = {name: i for i, (name, _) in enumerate(packages)}

    providers = {}
    for name, fields in packages:
        for virtual in names(fields.get("Provides", "")):
            providers.setdefault(virtual, []).append(name)

    edges = set()
    for name, fields in packages:
        for relation in RELATIONS:
            for wanted in names(fields.get(relation, "")):
                for target in [wanted] if wanted in number else providers.get(wanted, []):
                    edges.add((number[name], number[target]))

    text = "".join(f"{fields.get('Description', '')}\t{name}\n" for name, fields in packages)
    (folder / "debian12-packages.txt").write_text(text, encoding="utf-8")

    lines = [
        "# Dependencies between the binary packages of Debian 12 (amd64)",
        "# From a package to what it pre-depends on, depends on or recommends; vertex v is line v + 1 of"
        " debian12-packages.txt",
        f"# Nodes: {len(packages)} Edges: {len(edges)}",
        "# FromNodeId\tToNodeId",
    ]
    lines += [f"{source}\t{target}" for source, target in sorted(edges)]
    packed = gzip.compress(("\n".join(lines) + "\n").encode(), compresslevel=9, mtime=0)
    (folder / "debian12-dependencies.txt.gz").write_bytes(packed)
    print(f"{len(packages)} packages, {len(edges)} dependencies")


if __name__ == "__main__":
    main()
