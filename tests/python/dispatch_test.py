"""How the program jackdaw finds and runs the commands that are Python's."""

import os
import subprocess
import sys
import unittest

import databases
from program import PROGRAM, ProgramTest

ECHO = """#!/bin/sh
printf '%s\\n' "script $0" "program $JACKDAW_PROGRAM" "$@"
exit 7
"""


class DispatchTest(ProgramTest):
    def script(self, name, text=ECHO):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        return path

    def test_a_script_on_the_path_gets_all_arguments_and_gives_its_status(self):
        self.script("jackdaw-predict")
        ended = self.run_program("predict", "--help", "--", "a b", "", "-x", PATH=f"{self.folder}:/usr/bin:/bin")
        self.assertEqual(ended.returncode, 7, ended.stderr)
        self.assertEqual(ended.stdout.splitlines()[1:],
                         [f"program {os.path.realpath(PROGRAM)}", "--help", "--", "a b", "", "-x"])

    def test_the_chosen_python_runs_the_package_of_the_source_tree(self):
        self.script("jackdaw-predict")
        python = self.script("mine")
        ended = self.run_program("predict", "fib", PATH=f"{self.folder}:/usr/bin:/bin", JACKDAW_PYTHON=str(python))
        self.assertEqual(ended.returncode, 7, ended.stderr)
        lines = ended.stdout.splitlines()
        self.assertEqual(lines[0], f"script {python}")
        self.assertTrue(lines[2].endswith("/python"), lines)
        self.assertEqual(lines[3:], ["predict", "fib"])

    def test_python3_is_the_default(self):
        self.script("python3")
        ended = self.run_program("report", "run.db", PATH=f"{self.folder}")
        self.assertEqual(ended.returncode, 7, ended.stderr)
        self.assertEqual(ended.stdout.splitlines()[3:], ["report", "run.db"])

    def test_no_python_is_one_line(self):
        self.refuse("predict", "fib", PATH=str(self.folder), says="install it")
        self.refuse("report", "run.db", PATH=str(self.folder), JACKDAW_PYTHON="/no/such/python", says="/no/such/python")

    def test_a_module_in_the_current_folder_does_not_shadow_the_package(self):
        (self.folder / "jackdaw.py").write_text("raise SystemExit('shadowed')\n", encoding="utf-8")
        (self.folder / "typing.py").write_text("raise SystemExit('shadowed')\n", encoding="utf-8")
        ended = self.succeed("predict", "--help", JACKDAW_PYTHON=sys.executable)
        self.assertIn("Usage: jackdaw predict", ended.stdout)

    def test_terminal_escapes_are_shown(self):
        evil, shown = "\x1b[2J\x07.db", r"\x1b[2J\x07.db"
        for command in (("report", evil), ("predict", "fit", evil), ("predict", f"./{evil}", "--machine", "epyc-nps4")):
            self.refuse(*command, JACKDAW_PYTHON=sys.executable, says=shown)

    def test_missing_packages_are_one_line(self):
        blocked = self.folder / "blocked"
        blocked.mkdir()
        database = self.folder / "runs.db"
        databases.create(database)
        for name in ("typer", "pandas", "statsmodels"):
            folder = self.folder / name
            folder.mkdir()
            text = f"raise ModuleNotFoundError(\"No module named '{name}'\", name='{name}')\n"
            (folder / f"{name}.py").write_text(text, encoding="utf-8")
            self.refuse("predict", "fit", database, JACKDAW_PYTHON=sys.executable, PYTHONPATH=str(folder),
                        says=f"the Python package {name} is missing")
            if name == "typer":  # all that a report needs
                self.refuse("report", database, JACKDAW_PYTHON=sys.executable, PYTHONPATH=str(folder),
                            says="install it by `pip install typer`, or on Debian by `apt install python3-typer`, or "
                                 "name another Python in JACKDAW_PYTHON")

    def test_output_that_cannot_be_written_is_one_line(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            ended = subprocess.run([PROGRAM, "predict", "--help"], stdout=full, stderr=subprocess.PIPE, text=True,
                                   env=dict(os.environ, JACKDAW_PYTHON=sys.executable), check=False)
        self.assertEqual((ended.returncode, ended.stderr.count("\n")), (1, 1), ended.stderr)
        self.assertIn("No space left", ended.stderr)

    def test_help_lists_the_commands(self):
        text = self.succeed("--help").stdout
        for name in ("report", "predict"):
            self.assertRegex(text, rf"(?m)^  {name} ")


if __name__ == "__main__":
    unittest.main()
