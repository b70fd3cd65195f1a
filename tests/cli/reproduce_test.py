"""A paper's experiments, or a part of them, and the traces that they are made of."""

import unittest

from program import ProgramTest


class Reproduce(ProgramTest):
    def test_a_part_and_its_traces(self):
        page = self.succeed("reproduce", "laws", "--seeds", "1", "--only", "ga 64 amd", "--traces", "kept",
                                "--markdown", "page.md").stdout
        self.assertEqual((self.folder / "page.md").read_text(encoding="ascii"), page)
        self.assertIn("| ga 64 amd: time that LAWS takes beyond random, % |", page)
        self.assertIn(" of 1 claims reproduced.", page)
        self.assertNotIn("heat", page.split("## Left out")[0])
        self.assertEqual([each.name for each in (self.folder / "kept").iterdir()], ["ga_64_amd.trace"])
        self.succeed("simulate", "kept/ga_64_amd.trace", "--machine", "opteron-8380", "--seeds", "1", "--no-store")


if __name__ == "__main__":
    unittest.main()
