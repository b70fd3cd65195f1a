"""Completion of command lines: what the program answers, and what shells make of it."""

import os
import shutil
import subprocess
import unittest
from pathlib import Path

from program import PROGRAM, ProgramTest


class Completion(ProgramTest):
    def complete(self, *words):
        return [line.split("\t")[0] for line in self.succeed("__complete", *words).stdout.splitlines()]

    def test_commands(self):
        listed = self.complete("")
        self.assertLessEqual({"bench", "simulate", "report", "help", "completion"}, set(listed))
        self.assertNotIn("__complete", listed)
        self.assertEqual(self.complete("be"), ["bench"])
        self.assertEqual(self.complete("machine", ""), ["check", "list", "here", "bandwidths"])
        self.assertEqual(self.complete("help", "ma"), ["machine", "man"])
        self.assertEqual(self.complete("man", "rec"), ["record"])
        self.assertIn("bench\tMeasure a kernel", self.succeed("__complete", "b").stdout)

    def test_options(self):
        options = self.complete("bench", "fib", "--")
        self.assertLessEqual({"--scheduler", "--repeat", "--json", "--no-store", "--help"}, set(options))
        self.assertEqual(self.complete("bench", "--sch"), ["--scheduler"])
        self.assertIn("-o", self.complete("record", "-"))
        self.assertIn("--force", self.complete("machine", "here", "--"))
        self.assertEqual(self.complete("doctor", "--x"), [])

    def test_values(self):
        told = self.succeed_json("list")
        kernels = [kernel["name"] for kernel in told["kernels"]]
        for command in ("bench", "record", "simulate", "analyze"):
            self.assertEqual(self.complete(command, ""), kernels)
            self.assertEqual(self.complete(command, "--workers", "2", ""), kernels)
            self.assertEqual(self.complete(command, "--size", "tiny", "heat2"), ["heat2d"])
        for flag in ("--json", "--no-store", "--counters"):
            self.assertEqual(self.complete("bench", flag, ""), kernels)
        self.assertEqual(self.complete("bench", "heat2"), ["heat2d"])
        self.assertEqual(self.complete("bench", "fib", "--size", ""), told["kernels"][0]["sizes"])
        self.assertEqual(self.complete("bench", "--size", ""), [])
        schedulers = self.complete("bench", "fib", "--scheduler", "")
        self.assertLessEqual(set(told["schedulers"]) | {"auto:hints"}, set(schedulers))
        self.assertNotIn("cab:LEVEL", schedulers)
        self.assertEqual(self.complete("bench", "fib", "--scheduler", "adws,rand"), ["adws,random"])
        self.assertEqual(self.complete("bench", "fib", "--scheduler=auto:h"), ["--scheduler=auto:hints"])
        machines = [line.split()[0] for line in self.succeed("machine", "list").stdout.splitlines()]
        self.assertEqual(self.complete("simulate", "fib", "--machine", ""), machines)
        self.assertEqual(self.complete("machine", "check", "xeon-m"), [m for m in machines if m.startswith("xeon-m")])
        self.assertEqual(self.complete("completion", ""), ["bash", "zsh", "fish"])
        self.assertIn("laws", self.complete("reproduce", ""))

    def test_odd_words(self):
        for words in ([], ["nonsense", ""], ["bench", "--", ""], ["bench", "--nonsense", ""], ["\x1b", "\x1b"],
                      ["bench", "fib", "extra", "extra", ""], ["--size"], ["bench", "--size"], ["bench", "="]):
            self.succeed("__complete", *words)

    def bash(self, line):
        """What bash would offer for a command line."""
        script = self.folder / "script"
        script.write_text(self.succeed("completion", "bash").stdout, encoding="ascii")
        ask = (f'source {script}; COMP_LINE="$1" COMP_POINT=${{#1}}; _jackdaw; printf "%s\\n" "${{COMPREPLY[@]}}"')
        ended = subprocess.run(["bash", "-u", "-c", ask, "bash", line.replace("jackdaw", PROGRAM, 1)], text=True,
                               capture_output=True, check=False, env=dict(os.environ))
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        return ended.stdout.split()

    def test_bash(self):
        self.assertEqual(self.bash("jackdaw ben"), ["bench"])
        self.assertIn("heat2d", self.bash("jackdaw bench "))
        self.assertEqual(self.bash("jackdaw bench fib --scheduler adws,rand"), ["adws,random"])
        # bash replaces what follows the last of its own separators.
        self.assertEqual(self.bash("jackdaw bench fib --scheduler=auto:h"), ["hints"])
        self.assertEqual(self.bash("jackdaw bench fib --scheduler auto:h"), ["hints"])
        self.assertEqual(self.bash("jackdaw simulate ./no"), [])

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish(self):
        script = self.succeed("completion", "fish").stdout
        ask = f"{script}\ncomplete -C 'jackdaw bench fib --scheduler adws,rand'"
        ended = subprocess.run(["fish", "-c", ask], text=True, capture_output=True, check=True,
                               env=dict(os.environ, PATH=f"{Path(PROGRAM).parent}:{os.environ['PATH']}"))
        self.assertEqual(ended.stdout.split(), ["adws,random"])

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh(self):
        (self.folder / "_jackdaw").write_text(self.succeed("completion", "zsh").stdout, encoding="ascii")
        # Without a terminal there is no line editor: its function prints what it would offer.
        ask = (f"words=({PROGRAM} bench fib --scheduler auto:h); CURRENT=$#words; compdef() {{ : }}\n"
               "_describe() { print -rl -- $described }; _files() { print files }\n"
               f"source {self.folder}/_jackdaw; _jackdaw; words=({PROGRAM} be); CURRENT=2; _jackdaw\n"
               f"words=({PROGRAM} simulate ./no); CURRENT=3; _jackdaw")
        ended = subprocess.run(["zsh", "-f", "-c", ask], text=True, capture_output=True, check=False)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        auto, bench, files = ended.stdout.splitlines()
        self.assertEqual(auto, r"auto\:hints")
        self.assertTrue(bench.startswith("bench:Measure a kernel"), bench)
        self.assertEqual(files, "files")

    def test_an_unknown_shell(self):
        self.refuse("completion", "csh", says="unknown shell 'csh', expected one of bash zsh fish")
        self.refuse("completion", says="SHELL is required")


if __name__ == "__main__":
    unittest.main()
