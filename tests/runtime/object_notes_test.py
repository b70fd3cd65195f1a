"""What the hand-written switch declares to the linker, and so of every program that it is part of: landing pads where
the compiler's own objects have them, and never a stack of return addresses that contexts do not switch."""

import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

COMPILER = shlex.split(os.environ["JACKDAW_C_COMPILER"])
READELF = os.environ["JACKDAW_READELF"]
PROCESSOR = os.environ["JACKDAW_PROCESSOR"]
ASSEMBLY = pathlib.Path(os.environ["JACKDAW_SOURCE"]) / "src" / "runtime" / f"context_{PROCESSOR}.S"

# For each way to compile, what is declared.
EXPECTED = {
    "x86_64": {
        "-fcf-protection=full": {"IBT"},
        "-fcf-protection=branch": {"IBT"},
        "-fcf-protection=return": set(),
        "-fcf-protection=none": set(),
    },
    "aarch64": {
        "-mbranch-protection=standard": {"BTI", "PAC"},
        "-mbranch-protection=bti": {"BTI"},
        "-mbranch-protection=pac-ret": {"PAC"},
        "-mbranch-protection=none": set(),
    },
}[PROCESSOR]


class Notes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.consumer = self.folder / "consumer.c"
        self.consumer.write_text("int consumer(void) { return 1; }\n")

    def build(self, name, *arguments):
        made = self.folder / name
        subprocess.run([*COMPILER, *map(str, arguments), "-o", str(made)], check=True, timeout=60)
        return made

    def features(self, file):
        notes = subprocess.run([READELF, "--notes", file], check=True, capture_output=True, text=True, timeout=60)
        found = re.findall(r"(?:x86|AArch64) feature: ([A-Z, ]+)", notes.stdout)
        return {feature for line in found for feature in line.replace(" ", "").split(",")}

    def test_the_object_declares_what_holds(self):
        for protection, declared in EXPECTED.items():
            with self.subTest(protection):
                self.assertEqual(self.features(self.build("context.o", "-c", protection, ASSEMBLY)), declared)

    def test_a_program_with_it_is_what_both_are(self):
        # Without the C library, whose objects may declare less than either.
        for protection, declared in EXPECTED.items():
            with self.subTest(protection):
                context = self.build("context.o", "-c", protection, ASSEMBLY)
                consumer = self.build("consumer.o", "-c", protection, self.consumer)
                together = self.build("together.so", "-shared", "-nostdlib", consumer, context)
                self.assertEqual(self.features(together), declared & self.features(consumer))


if __name__ == "__main__":
    unittest.main()
