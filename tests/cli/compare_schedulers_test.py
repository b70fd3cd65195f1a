"""scripts/compare-schedulers.py: it goes on where it was stopped, judges what is kept, and refuses bad input."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

from program import PROGRAM, VARIABLES, ProgramTest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "compare-schedulers.py"
SMALL = ("--programs", "checkers", "--machines", "xeon-e5-2620", "--schedulers", "random,adws", "--recordings", "1")
PLANTED = "\n| checkers 10 | 1.0 | "  # an iteration of auto takes 1 us


class CompareSchedulersTest(ProgramTest):
    def run_program(self, *arguments, **environment):
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(VARIABLES)}
        return subprocess.run([sys.executable, SCRIPT, "--program", PROGRAM, *map(str, arguments)], cwd=self.folder,
                              env=inherited | environment, capture_output=True, text=True, check=False)

    def refused(self, *arguments, says):
        ended = self.run_program(*arguments)
        self.assertEqual(ended.returncode, 2, ended.stdout + ended.stderr)
        self.assertEqual(ended.stdout, "")
        self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)
        self.assertTrue(ended.stderr.startswith("compare-schedulers.py: "), ended.stderr)
        self.assertIn(says, ended.stderr)

    def kept(self):
        (path,) = self.folder.glob("kept/*.json")
        return path

    def plant(self, **medians):
        """Changes what is kept: a scheduler's times of an iteration and of the whole run, in us."""
        told = json.loads(self.kept().read_text())
        for row in told["rows"]:
            if row["scheduler"] in medians:
                one, whole = medians[row["scheduler"]]
                row["median"]["ns"] = one * 1e3
                for run in row["runs"]:
                    run["whole_ns"] = whole * 1e3
        self.kept().write_text(json.dumps(told))

    def page(self, *arguments):
        self.succeed("kept", *SMALL, "--markdown", "page.md", *arguments)
        return (self.folder / "page.md").read_text()

    def test_what_is_kept_is_judged_and_not_simulated_again(self):
        self.assertIn("1 of 1 rows are kept\n", self.succeed("kept", *SMALL).stderr)
        self.plant(auto=(100, 2000), random=(102, 1900), adws=(110, 1000))
        before = self.kept().read_bytes()
        page = self.page()
        self.assertEqual(self.kept().read_bytes(), before)
        self.assertIn("\n| all | 1 | 1 | 1 | 0 | 0 | -2.0 | 0 | 0 | 0 | 1 | **100** |\n", page)
        self.assertIn("\nIn 1 of 1 rows `auto` is more than 3% behind", page)
        self.assertIn("the two measures, in 0 of them in both.", page)
        self.assertIn("| xeon-e5-2620 | -2.0 | random | **100** | adws |\n", page)
        self.assertIn("| 100.0 | -2.0 | random | 2000 | **100** | adws | 0.0 | 2.0 | 10 |\n", page)
        self.assertIn("\n| adws | 1.100 | 1.000 |\n", page)
        self.assertIn("\n| random | 1.020 | 1.900 |\n", page)

    def test_a_row_is_lost_from_more_than_three_percent_on(self):
        self.succeed("kept", *SMALL)
        self.plant(auto=(102.9, 100), random=(100, 100), adws=(200, 100))
        page = self.page()
        self.assertIn("\n| all | 1 | 0 | 0 | 1 | 0 | 2.9 | 0 | 0 | 1 | 0 | 0.0 |\n", page)
        self.assertIn("\nIn 0 of 1 rows", page)
        self.plant(auto=(103.2, 100))
        self.assertIn("\n| all | 1 | 0 | 0 | 0 | 1 | **3.2** | 0 | 0 | 1 | 0 | 0.0 |\n", self.page())

    def test_only_what_is_lacking_is_simulated(self):
        self.succeed("kept", *SMALL)
        self.plant(auto=(1, 1), random=(2, 2), adws=(3, 3))
        page = self.page("--schedulers", "random,adws,cab")
        self.assertIn("| cab |\n", page)
        self.assertIn("| 1.0 | -50 | random | 1 | -50 | random | 0.0 | 100 | 200 | ", page)

    def test_results_of_another_build_are_replaced_if_asked_for(self):
        self.succeed("kept", *SMALL)
        self.plant(auto=(1, 1), random=(2, 2), adws=(3, 3))
        self.assertIn(PLANTED, self.page("--again", "auto"))  # the same build
        self.kept().write_text(self.kept().read_text().replace('"version": "', '"version": "old '))
        page = self.page("--again", "auto")
        self.assertNotIn(PLANTED, page)
        self.assertIn("- **Commit**: jackdaw 0.", page)
        self.assertIn(", old jackdaw 0.", page)
        rows = {row["scheduler"]: row for row in json.loads(self.kept().read_text())["rows"]}
        self.assertEqual(rows["random"]["median"]["ns"], 2e3)
        self.assertTrue(rows["auto"]["version"].startswith("jackdaw "))

    def test_another_trace_or_seed_makes_results_stale(self):
        self.succeed("kept", *SMALL)
        self.plant(auto=(1, 1))
        self.assertNotIn(PLANTED, self.page("--seeds", "2"))
        self.plant(auto=(1, 1))
        (trace,) = self.folder.glob("kept/*.trace")
        trace.write_text(trace.read_text().replace("\nworkers 112\n", "\nworkers 111\n"))
        self.assertNotIn(PLANTED, self.page("--seeds", "2"))

    def test_without_time_nothing_begins_and_the_page_says_so(self):
        page = self.page("--budget-seconds", "0")
        self.assertIn("\n**1 of 1 rows are not simulated yet.**\n", page)
        self.assertEqual(list(self.folder.glob("kept/*")), [])
        self.assertNotIn("not simulated yet", self.page())

    def test_the_page_says_how_it_was_made(self):
        page = self.page()
        for what in ("Command", "Commit", "Date", "Kind", "Machine"):
            self.assertIn(f"\n- **{what}**: ", page[:page.index("\n| ")])
        self.assertIn(" FILE --machines xeon-e5-2620 --programs checkers --schedulers random,adws`\n", page)
        self.assertNotIn(str(self.folder), page)

    def test_recordings_of_other_programs_are_compared_too(self):
        self.succeed("kept", *SMALL)
        (trace,) = self.folder.glob("kept/*.trace")
        (self.folder / "theirs").mkdir()
        trace.rename(self.folder / "theirs" / "sieve.trace")
        self.succeed("others", *SMALL, "--programs", "trace sieve", "--traces", "theirs", "--markdown", "page.md")
        self.assertIn("\n| trace sieve | given | ", (self.folder / "page.md").read_text())
        self.refused("others", *SMALL, "--traces", "kept", says="kept: no file *.trace, expected a folder")
        self.refused("others", *SMALL, "--traces", "nothere", says="nothere: no file *.trace")

    def test_programs_without_hints_are_simulated_without(self):
        self.succeed("kept", *SMALL, "--programs", "cholesky 1024 unhinted")
        told = json.loads(self.kept().read_text())
        self.assertIn("none", told["program"])

    def test_bad_input(self):
        self.refused("kept", *SMALL, "--machines", "xeon-e5-2620,nothere", says="unknown machine 'nothere'")
        self.refused("kept", *SMALL, "--machines", "missing.toml", says="missing.toml")
        self.refused("kept", *SMALL, "--schedulers", "random,fastest", says="unknown scheduler 'fastest'")
        self.refused("kept", *SMALL, "--schedulers", "auto", says="--schedulers: expected different schedulers")
        self.refused("kept", *SMALL, "--schedulers", "random,random", says="--schedulers: expected different")
        self.refused("kept", *SMALL, "--programs", "doom", says="no program's name begins with 'doom', expected")
        self.refused("kept", *SMALL, "--budget-seconds", "nan", says="'nan', expected seconds")
        self.refused("kept", *SMALL, "--jobs", "0", says="'0', expected a number above 0")
        self.refused("kept", *SMALL, "--markdown", "nowhere/page.md", says="nowhere/page.md: expected a file")
        self.refused("kept", *SMALL, "--program", "nothere/jackdaw", says="nothere/jackdaw: No such file or directory")
        self.refused("kept", "--programs", "example", "--examples", "nothere", says="nothere/example_")
        self.refused(says="required: kept")
        (self.folder / "file").write_text("")
        self.refused("file", *SMALL, says="file: File exists, expected a folder")

    def test_kept_files_that_are_no_results(self):
        self.succeed("kept", *SMALL)
        whole = self.kept().read_text()
        told = json.loads(whole)
        wrong_time = {**told, "rows": [{**told["rows"][0], "median": {"ns": "soon"}}]}
        no_time = {**told, "rows": [{**told["rows"][0], "median": {"ns": 0}}]}
        for text in (whole[:-9], "", "[]", "null", "{}", json.dumps(wrong_time), json.dumps(no_time), "\0"):
            self.kept().write_text(text)
            self.refused("kept", *SMALL, says=f"kept/{self.kept().name}: expected results that this script kept")
        self.kept().write_bytes(b"\xff\xfe")
        self.refused("kept", *SMALL, says=f"kept/{self.kept().name}: expected results that this script kept")

    def test_a_trace_that_cannot_be_read(self):
        self.succeed("kept", *SMALL)
        (trace,) = self.folder.glob("kept/*.trace")
        trace.write_text("jackdaw-trace 5\n")
        self.refused("kept", *SMALL, says=trace.name)


if __name__ == "__main__":
    unittest.main()
