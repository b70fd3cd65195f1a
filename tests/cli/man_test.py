"""The manual pages say what --help says."""

import re
import shutil
import subprocess
import unittest

from program import ProgramTest

COMMANDS = ("bench", "simulate", "machine", "reproduce")


class Man(ProgramTest):
    def read(self, page):
        """A page as man(1) shows it, without its emphasis, as words."""
        ended = subprocess.run(["groff", "-man", "-Tascii", "-P-c", "-ww", "-rLL=200n"], input=page, text=True,
                               capture_output=True, check=True)
        self.assertEqual(ended.stderr, "")
        return " ".join(re.sub(".\x08", "", ended.stdout).split())

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_pages_have_what_the_help_has(self):
        for command in COMMANDS:
            page = self.read(self.succeed("man", command).stdout)
            told = self.succeed(command, "--help").stdout
            self.assertIn(f"jackdaw-{command} - {told.splitlines()[0]}", page)
            for option in re.findall(r"^  (?:-\w,)?(--[\w-]+)", told, re.MULTILINE):
                self.assertIn(option, page)
            for example in re.findall(r"^  (jackdaw .*)$", told, re.MULTILINE):
                self.assertIn(" ".join(example.split()), page)
            self.assertIn("--json Print JSON" if command in ("bench", "simulate") else "", page)
            self.assertNotIn("--help value", page)
        self.assertIn("--size value Problem size", self.read(self.succeed("man", "bench").stdout))
        page = self.read(self.succeed("man").stdout)
        for each in ("doctor", "report", "JACKDAW_WORKERS", "Exit status: 0 success", "jackdaw-bench(1)"):
            self.assertIn(each, page)

    def test_all_pages_at_once(self):
        (self.folder / "pages").mkdir()
        self.succeed("man", "--into", "pages")
        names = sorted(path.name for path in (self.folder / "pages").iterdir())
        self.assertLessEqual({"jackdaw.1", "jackdaw-bench.1", "jackdaw-report.1"}, set(names))
        for command in COMMANDS:
            self.assertEqual((self.folder / "pages" / f"jackdaw-{command}.1").read_text(encoding="utf-8"),
                             self.succeed("man", command).stdout)

    def test_bad_input(self):
        self.refuse("man", "bunch", says="unknown command 'bunch', expected one of doctor ")
        self.refuse("man", "--into", "missing", says="cannot be written")
        self.refuse("man", "bench", "--into", ".", says="COMMAND excludes --into")


if __name__ == "__main__":
    unittest.main()
