#!/usr/bin/env python3
"""What run.py makes of machines that fail, die and hang; a script stands in for QEMU."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent

# Writes the report of its first, second, ... start, and ends with the status that this says first, or hangs.
QEMU = """#!{python}
import pathlib, signal, sys
here = pathlib.Path(__file__).parent
starts = here / "starts"
number = len(starts.read_text()) if starts.exists() else 0
starts.write_text("x" * (number + 1))
status, report = (here / f"script{{number}}").read_text().split("\\n", 1)
console, out = [a.removeprefix("file:") for a in sys.argv if a.startswith("file:")]
pathlib.Path(console).write_text("the kernel's last words\\n")
pathlib.Path(out).write_text(report)
if status == "hang":
    signal.pause()
sys.exit(int(status))
"""

PROGRAM = """#!/bin/sh
printf 'suite.\\n  one\\n  two  # GetParam() = 2\\n  DISABLED_three\\nall/typed.\\n  four/0\\n'
"""

PASSED = "@pass program.suite.one 0 1.0 1.5\r\n"
REST = "@skip program.suite.two 0 1.5 2.0\n\n@pass program.all/typed.four/0 0 2.0 2.1\n"
FAILED = "|figure: 3\n|test.cpp:7: Failure\n|Expected: 1\n|Actual: 2\n\n" \
         "@fail program.suite.two 1 1.5 2.0\n@pass program.all/typed.four/0 0 2.0 2.1\n"
GOOD = "1\n@ready\n" + PASSED + REST + "@done\n"
DEAD = "0\n@ready\n" + PASSED


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.tools = self.folder / "root"
        for name in ("boot/vmlinuz-6.12", "bin/busybox"):
            (self.tools / name).parent.mkdir(parents=True)
            (self.tools / name).write_text("")
        for name, text in (("qemu", QEMU.format(python=sys.executable)), ("program", PROGRAM)):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)

    def run_machine(self, *scripts, environment=None, more=()):
        for number, script in enumerate(scripts):
            (self.folder / f"script{number}").write_text(script)
        command = [sys.executable, HERE / "run.py", HERE / "machines/cxl.toml", "--tools", self.tools,
                   "--folder", self.folder / "out", "--test", self.folder / "program", *more]
        if "--qemu" not in more:
            command += ["--qemu", self.folder / "qemu"]
        surroundings = {k: v for k, v in os.environ.items() if k != "JACKDAW_REQUIRE_VM"} | (environment or {})
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=surroundings)
        self.output = done.stdout + done.stderr
        return done.returncode

    def starts(self):
        file = self.folder / "starts"
        return len(file.read_text()) if file.exists() else 0

    def test_all_is_well(self):
        self.assertEqual(self.run_machine(GOOD), 0, self.output)
        self.assertIn("2 passed, 0 failed, 1 skipped of 3", self.output)
        self.assertEqual(self.starts(), 1)
        plan = (self.folder / "out/image.cpio").read_bytes()
        self.assertIn(b"program suite.one\nprogram suite.two\nprogram all/typed.four/0\n", plan)

    def test_a_failed_test_fails_with_its_output_and_without_another_boot(self):
        self.assertEqual(self.run_machine("3\n@ready\n" + PASSED + FAILED + "@done\n", GOOD), 1, self.output)
        self.assertRegex(self.output, r"FAIL +0\.5 s +program\.suite\.two +status 1\n(?: +\| .*\n)+ +\| Actual: 2")
        self.assertRegex(self.output,
                         r"cxl: failed: program\.suite\.two\n  figure: 3\n  test\.cpp:7: Failure: Expected: 1\n")
        self.assertIn("2 passed, 1 failed, 0 skipped of 3", self.output)
        self.assertEqual(self.starts(), 1)

    def test_a_guest_that_died_once_is_booted_again(self):
        self.assertEqual(self.run_machine(DEAD, GOOD), 0, self.output)
        self.assertIn("the guest died (QEMU's status 0) after 1 of 3 tests", self.output)
        self.assertIn("the kernel's last words", self.output)
        self.assertEqual(self.starts(), 2)

    def test_a_guest_that_died_twice_is_a_failure(self):
        self.assertEqual(self.run_machine(DEAD, DEAD, GOOD), 1, self.output)
        self.assertIn("the guest died 2 times", self.output)
        self.assertEqual(self.starts(), 2)

    def test_a_failure_counts_although_the_guest_died_later(self):
        script = "0\n@ready\n@fail program.suite.one 1 1.0 1.5\n"
        self.assertEqual(self.run_machine(script, GOOD), 1, self.output)
        self.assertEqual(self.starts(), 1)

    def test_a_good_status_does_not_stand_for_a_report(self):
        for script in ("1\n", "1\n@ready\n@done\n", "1\n@ready\n" + PASSED + "@done\n", "1\n@ready\n" + PASSED + REST):
            with self.subTest(script):
                (self.folder / "starts").unlink(missing_ok=True)
                self.assertEqual(self.run_machine(script, script), 1, self.output)

    def test_a_good_report_does_not_stand_for_a_status(self):
        for status in ("0", "3", "7", "134"):
            with self.subTest(status):
                (self.folder / "starts").unlink(missing_ok=True)
                script = status + GOOD[1:]
                self.assertEqual(self.run_machine(script, script), 1, self.output)

    def test_a_silent_guest_is_killed_and_booted_again(self):
        self.assertEqual(self.run_machine("hang\n@ready\n", GOOD, more=("--silence-limit", "1")), 0, self.output)
        self.assertIn("said nothing for too long", self.output)
        self.assertEqual(self.starts(), 2)

    def test_missing_tools_skip_unless_they_are_required(self):
        (self.tools / "boot/vmlinuz-6.12").unlink()
        self.assertEqual(self.run_machine(GOOD), 77, self.output)
        self.assertRegex(self.output, r"^cxl: SKIPPED, no Linux kernel in .*; run: scripts/setup.sh vm\n$")
        self.assertEqual(self.run_machine(GOOD, environment={"JACKDAW_REQUIRE_VM": "1"}), 1, self.output)
        self.assertIn("cxl: FAILED, no Linux kernel", self.output)
        self.assertEqual(self.starts(), 0)

    def test_an_old_qemu_is_missing(self):
        own = self.tools / "usr/bin/qemu-system-x86_64"
        own.parent.mkdir(parents=True)
        own.write_text("#!/bin/sh\necho 'QEMU emulator version 7.2.15 (Debian 1:7.2)'\n")
        own.chmod(0o755)
        (self.folder / "script0").write_text(GOOD)
        command = [sys.executable, HERE / "run.py", HERE / "machines/cxl.toml", "--tools", self.tools,
                   "--folder", self.folder / "out", "--test", self.folder / "program"]
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              env={k: v for k, v in os.environ.items() if k != "JACKDAW_REQUIRE_VM"})
        self.assertEqual(done.returncode, 77, done.stdout + done.stderr)
        self.assertIn("is 7.2.15, expected 10.0 or later", done.stdout)

    def test_no_tests_are_bad_input(self):
        self.assertEqual(self.run_machine(GOOD, more=("--qemu", self.folder / "qemu", "--filter", "*")), 0)
        (self.folder / "program").write_text("#!/bin/sh\n")
        self.assertEqual(self.run_machine(GOOD), 2, self.output)
        self.assertIn("no tests, expected at least one", self.output)

    def test_a_machine_that_cannot_be_read_is_bad_input(self):
        broken = self.folder / "broken.toml"
        for text in ("sockets = ", "sockets = 2\n"):
            broken.write_text(text)
            done = subprocess.run([sys.executable, HERE / "run.py", broken, "--folder", self.folder / "out"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, r"^\S*broken\.toml: .*expected a machine as in .*\n$")


if __name__ == "__main__":
    unittest.main()
