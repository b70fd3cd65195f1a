"""What is said of data that several workers write."""

import unittest

import planted
from diagnosed import DiagnosisTest, kept, of
from jackdaw import diagnosis


class SharingTest(DiagnosisTest):
    def test_false_sharing(self):
        self.expect(of(planted.false_sharing()), "false sharing", "`counts`", "alignas(64)")

    def test_padded_counters_share_nothing(self):
        plant = planted.false_sharing()
        plant.arrays[0]["bytes"] = 64 * 8
        said = of(plant)
        self.assertFalse([each for each in said.findings if each.rule == "false sharing"], said.headline)

    def test_counters_within_one_cache_cost_what_is_not_known(self):
        said = of(planted.false_sharing(packages=1))
        self.assertEqual(said.findings, [])
        self.assertEqual([each.rule for each in said.possible], ["possible false sharing"])

    def test_counters_that_are_declared_once_a_leaf(self):
        """A leaf that adds to its worker's counter a million times declares it once."""
        for packages in (1, 2):
            plant = planted.Planted(workers=2, packages=packages)
            counts = plant.array("counts", 128, {0: 1.0})
            for worker in range(2):
                plant.use(counts, worker, 0, 20480)
                plant.shares.append(dict(array=counts, part=0, parts=2, worker=worker, bytes=20480, written=20480))
            said = of(plant)
            self.assertFalse([each for each in said.findings if each.is_problem()], said.headline)
            self.assertEqual([each.sentence for each in said.possible], ["workers 0 and 1 write the same line of "
                                                                         "`counts`"])
            self.assertIn("if each does so often, `alignas(64)` or one counter for each worker would mend it",
                          said.headline)
            self.assertEqual(said.possible[0].at_stake, 0.0)
            plant.shares[1]["part"] = 1  # a line of its own
            self.assertEqual(of(plant).possible, [])

    def test_a_line_that_all_write_comes_before_what_memory_costs(self):
        """Counters in one line, and data that cost little: memory is not said to be no problem then."""
        plant = planted.cpu_bound(packages=1)
        counts = plant.array("hit counters", 64, {0: 1.0})
        for worker in range(8):
            plant.use(counts, worker, 0, 20480)
            plant.shares.append(dict(array=counts, part=worker, parts=8, worker=worker, bytes=20480, written=20480))
        said = of(plant)
        self.assertTrue(said.headline.startswith("Workers 0, 1, 2 and others write the same line of `hit counters`; if "
                                                 "each does so often, `alignas(64)`"), said.headline)
        self.assertIn("No other cost stands out", said.headline)
        self.assertNotIn("not your problem", " ".join([said.headline, *said.notes]))
        plant.shares.clear()
        self.assertIn("not your problem", of(plant).headline)

    def test_a_simulation_says_that_it_has_no_coherence(self):
        plant = planted.cpu_bound(kind="simulated")
        plant.each_worker(memory_ns=1e7, overhead_ns=0.0)
        said = of(plant)
        self.assertIn("(false sharing) is not simulated", said.headline)
        self.assertTrue(any("(false sharing) is not simulated" in each for each in said.unknown))
        self.assertNotIn("false sharing", " ".join(of(planted.Planted()).unknown))

    def test_lines_of_one_core_are_not_contested(self):
        plant = planted.false_sharing(packages=1).each_worker(core=0)
        self.assertEqual(of(plant).possible, [])

    def test_a_small_array_whose_parts_wander_costs_little(self):
        plant = planted.Planted()
        cells = plant.array("cells", 64 << 10, {0: 1.0}, touched_by=0)
        for worker in range(8):
            plant.use(cells, worker, 0, 8e6)
        plant.blocks(cells, 6.4e7, parts=256, written=1.0, users=lambda part: range(8))
        self.assertFalse([each for each in of(plant).findings if each.rule == "false sharing" and each.is_problem()])

    def test_phases_that_divide_the_data_in_other_ways_share_no_lines(self):
        """Rows, then columns: each worker used each part as a whole."""
        plant = planted.Planted(scheduler="adws")
        plant.each_worker(steals_cache=1, steals_remote=0)
        matrix = plant.array("matrix", 32 * planted.MIB, {0: 1.0}, touched_by=-1)
        plant.all_use(matrix, 24e9, {0: 1.0})
        plant.blocks(matrix, 24e9, parts=256, written=0.5, users=lambda part: range(8))
        said = of(plant)
        self.expect(said, "first touch", "50% of the bytes came from another socket", "`matrix`", "parts wander",
                    "used each of them whole, in turn", "the same in all phases")
        self.assertNotIn("false sharing", [each.rule for each in said.findings + said.possible])
        plant.shares.clear()
        plant.blocks(matrix, 24e9, parts=256, written=0.5)
        self.assertNotIn("wander", of(plant).headline)

    def test_what_false_sharing_costs_is_limited(self):
        plant = planted.false_sharing()
        for each in plant.shares:
            each.update(bytes=10**11, written=10**11)
        self.assertLess(of(plant).findings[0].at_stake, 0.7)

    def test_two_nodes_in_a_package(self):
        """The runtime counts a package's nodes as local; so do the arrays, then."""
        plant = planted.Planted(workers=8, packages=2)
        plant.nodes.append(dict(node=2, kind="DRAM", package=0, capacity=None, bandwidth=40e9))
        for worker in (2, 3):
            plant.workers[worker]["node"] = 2
        grid = plant.array("grid", planted.GIB, {0: 0.5, 2: 0.5})
        for worker in range(4):
            plant.use(grid, worker, 0, 1e9)
            plant.use(grid, worker, 2, 1e9)
        account = diagnosis.Account(kept(plant)[0])
        self.assertEqual(account.remote, 0)
        self.assertEqual(sum(account.remote_by_array.values()), 0)
        for each in plant.workers[:4]:
            each.update(local_bytes=10 ** 9, remote_bytes=10 ** 9)
        account = diagnosis.Account(kept(plant)[0])
        self.assertEqual(sum(account.remote_by_array.values()), 4 * 10 ** 9)
        self.assertEqual(account.elsewhere, "another memory node")

    def test_blocks_that_meet_within_a_part_are_no_false_sharing(self):
        plant = planted.interleaved()
        plant.shares.clear()
        plant.blocks(0, 40e9, parts=60, written=0.5,
                     users=lambda part: sorted({part * 8 // 60, min((part + 1) * 8 // 60, 7)}))
        self.assertFalse([each for each in of(plant).findings if each.rule == "false sharing"])


if __name__ == "__main__":
    unittest.main()
