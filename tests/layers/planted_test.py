"""The check of the layers finds an upward include and an upward symbol in every layer where one is planted."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import layers

ROOT, OBJECTS = Path(sys.argv.pop(1)).resolve(), sys.argv.pop(1)
KNOWN = layers.Layers(ROOT / "src" / "layers.txt")
HEIGHTS = range(len(KNOWN.names))


def check(root, objects=None):
    command = [sys.executable, Path(layers.__file__), root] + ([objects] if objects else [])
    return subprocess.run(command, capture_output=True, text=True)


class Planted(unittest.TestCase):
    def test_an_include(self):
        headers = {}  # by height: one of each layer
        for path in layers.sources(ROOT):
            name = path.relative_to(ROOT).as_posix()
            if name.endswith(".hpp"):
                headers.setdefault(KNOWN.of(name), name)
        self.assertEqual(sorted(headers), list(HEIGHTS))
        with tempfile.TemporaryDirectory() as made:
            root = Path(made).resolve()
            for name in ["src/layers.txt", *headers.values()]:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text((ROOT / name).read_text() if name == "src/layers.txt" else "")
            self.assertEqual(check(root).stdout, "")
            for low, user in headers.items():
                for high, used in headers.items():
                    as_written = used.removeprefix("src/").removeprefix("include/")
                    if used.startswith(("kernels/", "bench/")):
                        as_written = os.path.relpath(root / used, (root / user).parent)
                    (root / user).write_text(f'// one\n#  include "{as_written}"\n')
                    found = list(layers.upward_includes(root, KNOWN))
                    self.assertEqual(len(found), 1 if high > low else 0, f"{user} includes {used}: {found}")
                    self.assertTrue(all(each.startswith(f"{user}:2: ") for each in found), found)
                if low == 0:
                    self.assertEqual(check(root).returncode, 1)
                (root / user).write_text("")

    def test_a_symbol(self):
        files = Path(OBJECTS).read_text().split()
        defined, _ = layers.symbols(files)
        only = {}  # by height: a symbol that is defined in one file of that layer
        for name, homes in defined.items():
            if len(homes) == 1 and name.startswith("_ZN"):
                only.setdefault(KNOWN.of(next(iter(homes))), name)
        folders = {KNOWN.of(layers.source_of(file)): Path(layers.source_of(file)).parent for file in files}
        self.assertGreaterEqual(len(folders), 8)
        with tempfile.TemporaryDirectory() as made:
            for high, name in only.items():
                object_file = Path(made, "planted.o")
                code = f'extern char symbol __asm__("{name}"); char* planted = &symbol;'
                compiler = [os.environ["CXX"], "-x", "c++", "-c", "-", "-o", object_file]
                subprocess.run(compiler, input=code, text=True, check=True)
                for low, folder in folders.items():
                    planted = Path(made, "src", "CMakeFiles", "any.dir", folder.relative_to("src"), "planted.cpp.o")
                    planted.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(object_file, planted)
                    _, undefined = layers.symbols([str(planted)])
                    found = list(layers.upward_symbols(defined, undefined, KNOWN))
                    self.assertEqual(len(found), 1 if high > low else 0, f"{folder} uses {name}: {found}")

    def test_bad_input_is_one_line(self):
        with tempfile.TemporaryDirectory() as made:
            for found in (check(made), check(ROOT, Path(made, "missing"))):
                self.assertEqual(found.returncode, 2)
                self.assertEqual(found.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
