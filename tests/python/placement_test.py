"""What is said of where data lie: on machines that are only described, in simulations, bound, behind a link."""

import unittest

import planted
from diagnosed import DiagnosisTest, kept, of
from jackdaw import diagnosis


def cxl(bandwidth=True, **options):
    """Two sockets, and memory behind a link at the first one, in which all data lie."""
    plant = planted.Planted(kind="simulated", scheduler="adws", placement="bind:2", bandwidth=225e9, **options)
    plant.each_worker(memory_ns=7e8, overhead_ns=1e6)
    plant.nodes.append(dict(node=2, kind="CXL", package=0, capacity=None, bandwidth=25e9))
    data = plant.array("all data", 0, {})
    plant.all_use(data, 18e9, {2: 1.0})
    if not bandwidth:
        for each in plant.nodes:
            each["bandwidth"] = None
    return plant


class PlacementTest(DiagnosisTest):
    def test_a_placed_array_of_a_described_machine_is_not_accused(self):
        """Its pages lie on node 0 of the computer, which says nothing of the machine that is described."""
        plant = planted.Planted(workers=8, packages=4, scheduler="adws", bandwidth=None)
        plant.execution["machine_source"] = "HWLOC_SYNTHETIC"
        for name, source in (("src", "declared"), ("dst", "placed")):
            array = plant.array(name, 512 * planted.MIB, {0: 1.0}, source=source)
            plant.all_use(array, 8e9, {0: 1.0})
            plant.blocks(array, 8e9, written=0.5)
        said = of(plant)
        self.assertEqual(said.findings, [], said.headline)
        self.assertTrue(any("Where `src` and `dst` would lie on that machine is not known" in each
                            for each in said.unknown), said.unknown)
        self.assertNotIn("not your problem", said.headline)
        self.assertNotIn("came from other nodes", said.headline)
        account = diagnosis.Account(kept(plant)[0])
        self.assertEqual((account.bytes, account.remote_share), (16 * 10 ** 9, 0.0))
        filled = plant.array("filled", 512 * planted.MIB, {0: 1.0}, touched_by=-1)  # where first touch would put it
        plant.all_use(filled, 8e9, {0: 1.0})
        said = of(plant)
        self.expect(said, "first touch", "75% of the bytes", "nearly all of array `filled`")
        plant.execution["machine_source"] = "this computer"
        self.assertIn("`src`", of(plant).headline)

    def test_simulated_data_are_one_array_with_known_pages(self):
        said = of(cxl())
        self.assertTrue(any("A simulation counts all data as one array" in each for each in said.unknown))
        self.assertTrue(any("serial parts between regions" in each for each in said.unknown))
        told = " ".join([said.headline, *said.unknown])
        for words in ("the system refuses", "declare"):
            self.assertNotIn(words, told)

    def test_bytes_out_of_caches_of_a_simulation_are_of_no_array(self):
        """A pipeline: one socket reads what the other has just written. There is nothing that could be declared."""
        plant = planted.Planted(kind="simulated", scheduler="adws", placement="first-touch")
        plant.each_worker(memory_ns=6e8, overhead_ns=1e6, remote_bytes=4 * 10 ** 9, local_bytes=10 ** 9)
        data = plant.array("all data", 0, {})
        for worker in range(8):
            plant.traffic.append(dict(array=data, worker=worker, node=plant.package(worker), bytes=10 ** 9))
        said = of(plant)
        self.expect(said, "remote", "80% of the bytes came from another socket, out of its caches", "near(range)")
        self.assertNotIn("declare", said.headline)

    def test_memory_behind_a_link_is_named_first(self):
        for plant in (cxl(), cxl(bandwidth=False)):
            said = of(plant)
            self.expect(said, "slow memory", "100% of the bytes came from node 2 (CXL", "slow for all sockets",
                        "fastest()", "by_bandwidth()")
            self.assertNotIn("interleav", said.headline)
            self.assertNotIn("another socket", said.headline)
        plant = cxl()
        for each in plant.traffic:  # little of it: the sockets' own memory counts
            each["node"] = 0 if each["worker"] else 2
        self.assertNotIn("CXL", of(plant).headline)

    def test_bound_data_are_said_to_be_bound(self):
        plant = planted.Planted(kind="simulated", scheduler="adws", placement="bind:1")
        plant.each_worker(memory_ns=6e8, overhead_ns=1e6)
        plant.all_use(plant.array("all data", 0, {}), 40e9, {1: 1.0})
        said = of(plant)
        self.expect(said, "one node", "whose pages are bound to node 1 (`bind:1`)", "another placement",
                    "`placement::first_touch()`", also=())
        self.assertNotIn("in parallel", said.headline)

    def test_a_placed_container_on_one_node(self):
        plant = planted.Planted(scheduler="adws")
        grid = plant.array("grid", planted.GIB, {0: 1.0}, source="placed")
        plant.all_use(grid, 40e9, {0: 1.0})
        plant.blocks(grid, 40e9, written=0.5)
        said = of(plant)
        self.expect(said, "one node", "a placed container, all of it on node 0", "the program has chosen that node")
        self.assertNotIn("placed_array`, or", said.headline)
        plant.arrays[0]["first_touched_by"] = 0
        self.expect(of(plant), "first touch", "whose pages worker 0 touched first")

    def test_copies_are_for_parts_that_several_nodes_read(self):
        """Each part of a table that is only read has users on one node: copies of all of it would help nobody."""
        for users, rule, is_copied in ((None, "first touch", False), (lambda part: range(8), "one node", True)):
            plant = planted.Planted(scheduler="adws")
            table = plant.array("table", 48 * planted.MIB, {0: 1.0}, touched_by=0)
            plant.all_use(table, 30e9, {0: 1.0})
            plant.blocks(table, 30e9, users=users)
            said = of(plant)
            self.expect(said, rule)
            self.assertEqual("replicated" in said.headline, is_copied, said.headline)

    def test_what_schedulers_move_is_said_with_its_conditions(self):
        said = of(planted.serial_first_touch())
        self.assertIn("`adws` and `laws` may move such data themselves, once, after some iterations of a region, if "
                      "leaves declare what they use and the program has not placed it", said.headline)

    def test_lists_that_were_cut_are_said_to_be(self):
        plant = planted.Planted()
        one = kept(plant)[0]
        self.assertFalse(any("has only the first" in each for each in diagnosis.diagnose(one).unknown))
        one.iteration_count = 100_000
        self.assertTrue(any(each.startswith("The file has only the first 100 000 iterations")
                            for each in diagnosis.diagnose(one).unknown))
        one.iteration_count, one.tasks.count = 5, 100_000
        self.assertTrue(any(each.startswith("The file has only the first 100 000 tasks")
                            for each in diagnosis.diagnose(one).unknown))


if __name__ == "__main__":
    unittest.main()
