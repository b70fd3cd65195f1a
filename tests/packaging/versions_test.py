"""versions_test.py ROOT VERSION: every file that names the project's version names this one."""

import json
import re
import sys
from pathlib import Path


def found_versions(root):
    yield "packaging/vcpkg/vcpkg.json", json.loads((root / "packaging/vcpkg/vcpkg.json").read_text())["version"]
    for name, pattern in (
        ("python/pyproject.toml", r'^version = "([^"]+)"'),
        (".github/ISSUE_TEMPLATE/bug.yml", r"placeholder: jackdaw (\S+)"),
        ("packaging/README.md", r"`libjackdaw\.so\.([0-9.]+)`"),
        ("packaging/README.md", r"`libjackdaw([0-9.]+)`"),
    ):
        match = re.search(pattern, (root / name).read_text(), re.MULTILINE)
        yield f"{name}, {pattern}", match[1] if match else None


def main():
    root, version = Path(sys.argv[1]), sys.argv[2]
    wrong = 0
    for where, found in found_versions(root):
        # Of a shared library's name the version is the first two numbers.
        expected = version.rpartition(".")[0] if "libjackdaw" in where else version
        if found != expected:
            print(f"{where}: version {found}, expected {expected} as in CMakeLists.txt")
            wrong += 1
    # The newest section is the one that is being written, or that of this version.
    changes = (root / "CHANGELOG.md").read_text()
    sections = re.findall(r"^## (?:\[)?(Unreleased|[0-9.]+)", changes, re.MULTILINE)
    if sections[:1] not in (["Unreleased"], [version]):
        print(f"CHANGELOG.md: the first section is {sections[:1]}, expected Unreleased or {version}")
        wrong += 1
    released = [section for section in sections if section != "Unreleased"]
    if released and released[0] != version:
        print(f"CHANGELOG.md: the newest release is {released[0]}, expected {version} as in CMakeLists.txt")
        wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
