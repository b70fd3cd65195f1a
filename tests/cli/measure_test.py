"""`jackdaw measure numa`: this computer's figures, and those of machine files."""

import unittest

from program import ProgramTest

# Table I of the paper on prediction, as a machine file can say it.
TABLE_ONE = """name = "table-one"
description = "latencies as in Table I"
extends = "xeon-e5-2620"
[set]
"node.0.latency" = { ns = 77.3, from = "paper", note = "Table I" }
"node.1.latency" = { ns = 75.0, from = "paper", note = "Table I" }
"""


class Measure(ProgramTest):
    def test_this_computer(self):
        told = self.succeed_json("measure", "numa")
        self.assertEqual(told["source"], "measured")
        self.assertGreater(len(told["domains"]), 0)
        for row in told["domains"]:
            self.assertEqual(len(row["latency_ns"]), len(told["nodes"]))
            self.assertGreater(row["latency_ns"][told["nodes"].index(row["local_node"])], 1)
        if len(told["nodes"]) == 1:
            self.assertEqual((told["r_numa"], told["r_numa_reason"]),
                             (1, "there is one memory node, so no access is remote"))
            self.assertIn("\nR_NUMA 1.000: there is one memory node, so no access is remote\n",
                          self.succeed("measure", "numa").stdout)

    def test_a_machine_file(self):
        text = self.succeed("measure", "numa", "--machine", "xeon-e5-2620").stdout
        self.assertIn("latency, ns\n                node 0    node 1\nsocket 0          76.0     124.0\n", text)
        self.assertIn("socket 1          25.0      45.0\n", text)
        self.assertIn("R_NUMA 1.632: remote over local latency, the mean of the sockets\n", text)
        (self.folder / "one.toml").write_text(TABLE_ONE)
        told = self.succeed_json("measure", "numa", "--machine", "one.toml")
        # From node 1 at 75.0 and the link's 48 to socket 0, and the other way round.
        self.assertEqual([row["latency_ns"] for row in told["sockets"]], [[77.3, 123.0], [125.3, 75.0]])
        self.assertAlmostEqual(told["r_numa"], (123.0 / 77.3 + 125.3 / 75.0) / 2)
        self.assertIsNone(told["r_numa_reason"])

    def test_a_machine_file_with_two_kinds_of_memory(self):
        told = self.succeed_json("measure", "numa", "--machine", "xeon-max-9480")
        self.assertEqual(len(told["nodes"]), 16)
        self.assertTrue(all(row["local_node"] == row["socket"] for row in told["sockets"]))  # DRAM, not HBM
        self.assertEqual(told["sockets"][0]["gb_per_s"][8], 161)

    def test_a_machine_file_with_one_node(self):
        told = self.succeed_json("measure", "numa", "--machine", "knl-cache")
        self.assertEqual((told["r_numa"], told["r_numa_reason"]),
                         (1, "there is one memory node, so no access is remote"))

    def test_bad_input(self):
        self.refuse("measure", says="measure: no subcommand, expected numa")
        self.refuse("measure", "numb", says="numb")
        self.refuse("measure", "numa", "--machine", "abacus", says="unknown machine 'abacus'")
        self.refuse("measure", "numa", "--machine", "none.toml", says="none.toml: cannot be read")
        self.refuse("measure", "numa", HWLOC_SYNTHETIC="package:2 numa:1 core:2 pu:1",
                    says="HWLOC_SYNTHETIC: describes another machine, expected this computer, or a machine file with "
                         "--machine")
        self.succeed("measure", "numa", "--machine", "xeon-cxl", HWLOC_SYNTHETIC="package:2 numa:1 core:2 pu:1")

    def test_help(self):
        self.assertIn("Examples:", self.succeed("measure", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
