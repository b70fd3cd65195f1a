"""A paper's experiments, or a part of them, and the traces that they are made of."""

import shutil
import unittest
from pathlib import Path

from program import ProgramTest


class Reproduce(ProgramTest):
    def test_a_part_and_its_traces(self):
        page = self.succeed("reproduce", "laws", "--seeds", "1", "--only", "ga 64 amd", "--traces", "kept",
                                "--markdown", "page.md").stdout
        self.assertEqual((self.folder / "page.md").read_text(encoding="ascii"), page)
        self.assertIn("| ga 64 amd: time that LAWS takes beyond random, % |", page)
        self.assertIn(" of 2 claims reproduced, ", page)
        self.assertNotIn("heat", page.split("## Left out")[0])
        self.assertEqual([each.name for each in (self.folder / "kept").iterdir()], ["ga_64_amd.trace"])
        self.succeed("simulate", "kept/ga_64_amd.trace", "--machine", "opteron-8380", "--seeds", "1", "--no-store")

    def test_a_tree_that_is_made(self):
        page = self.succeed("reproduce", "adws", "--seeds", "1", "--only", "fib 30 coarse", "--traces", "kept").stdout
        self.assertIn("| fib 30 coarse adws |", page)
        self.assertNotIn("| fib 30 adws |", page)
        self.assertEqual([each.name for each in (self.folder / "kept").iterdir()], ["fib_30_coarse.trace"])
        shown = self.succeed("simulate", "kept/fib_30_coarse.trace", "--machine", "xeon-gold-6130", "--seeds", "1",
                             "--workers", "1", "--scheduler", "random", "--no-store").stdout
        # 2.7 million calls of 8.26 ns.
        row = next(line.split() for line in shown.splitlines() if line.startswith("random "))
        self.assertAlmostEqual(float(row[1]) / 22240, 1, delta=0.02)

    def test_sweeps_what_the_machine_file_assumes(self):
        part = ("reproduce", "laws", "--seeds", "1", "--only", "ga 64 amd")
        plain, swept = self.succeed(*part), self.succeed(*part, "--sweep")
        self.assertIn("| links x2 |\n", plain.stdout)
        self.assertIn("| links x2 | turns with |\n", swept.stdout)
        self.assertIn(" whatever the links and within all assumed ranges.", swept.stdout)
        count = [int(each.stderr.split(" simulations")[0].rsplit(", ", 1)[1]) for each in (plain, swept)]
        self.assertGreater(count[1], count[0])
        self.assertLessEqual(count[1], 3 * count[0])

    def test_goes_on_from_what_is_kept(self):
        part = ("reproduce", "laws", "--seeds", "2", "--only", "ga 64 amd", "--keep", "figures")
        first = self.succeed(*part)
        file = self.folder / "figures" / "ga_64_amd.json"
        kept = file.read_text(encoding="ascii")
        second = self.succeed(*part)
        self.assertEqual(second.stdout, first.stdout)
        self.assertNotIn(", kept", first.stderr)
        self.assertIn(", kept", second.stderr)
        self.assertEqual(file.read_text(encoding="ascii"), kept)
        self.refuse("reproduce", "laws", "--seeds", "3", "--only", "ga 64 amd", "--keep", "figures",
                    says="figures/ga_64_amd.json' is of another command, expected a folder of this command alone")
        shutil.copytree(Path(__file__).parents[2] / "machines", self.folder / "machines")
        opteron = self.folder / "machines" / "opteron-8380.toml"
        text = opteron.read_text(encoding="utf-8")
        opteron.write_text(text.replace("spawn = { ns = ", "spawn = { ns = 1"), encoding="utf-8")
        self.assertNotEqual(opteron.read_text(encoding="utf-8"), text)
        self.refuse(*part, JACKDAW_MACHINES=str(self.folder / "machines"), says="is of another command")
        self.refuse(*part, "--traces", "kept", says="--traces excludes --keep")
        for damaged in (kept[:-20], "{}", kept.replace('"figures":[[', '"figures":[')):
            file.write_text(damaged, encoding="ascii")
            self.refuse(*part, says="figures/ga_64_amd.json' is damaged")
        self.refuse(*part[:-1], str(file), says="expected a folder, or a new one in an existing folder")


if __name__ == "__main__":
    unittest.main()
