"""What is said of executions whose fault is known."""

import unittest

import planted
from diagnosed import DiagnosisTest, kept, of
from jackdaw import diagnosis


class PlantedTest(DiagnosisTest):
    def test_serial_first_touch(self):
        self.expect(of(planted.serial_first_touch()), "first touch", "48% of the bytes came from another socket",
                    "nearly all of array `grid`", "worker 0 touched first", "placed_array", "interleav")

    def test_first_touch_by_a_thread_outside(self):
        plant = planted.serial_first_touch()
        plant.arrays[0]["first_touched_by"] = -1
        self.expect(of(plant), "first touch", "a thread outside the runtime touched first")

    def test_first_touch_by_nobody_known(self):
        plant = planted.serial_first_touch()
        plant.arrays[0].update(first_touched_by=None, first_touched_bytes=None)
        self.expect(of(plant), "first touch", "all lie on node 0")

    def test_interleaved_pages(self):
        said = of(planted.interleaved())
        self.expect(said, "interleaved", "50% of the bytes", "`grid`", "on the nodes in turn", "first_touch()")
        self.assertNotIn("JACKDAW_SCHEDULER", said.headline)  # adws brings tasks back already

    def test_interleaved_pages_that_all_use_everywhere(self):
        plant = planted.interleaved()
        plant.shares.clear()
        plant.blocks(0, 40e9, users=lambda part: range(plant.count))
        self.expect(of(plant), "used by all", "replicated")

    def test_interleaved_on_four_sockets(self):
        plant = planted.Planted(workers=16, packages=4, scheduler="adws")
        grid = plant.array("grid", planted.GIB, {node: 0.25 for node in range(4)})
        plant.all_use(grid, 80e9, {node: 0.25 for node in range(4)})
        plant.blocks(grid, 80e9, parts=64)
        self.expect(of(plant), "interleaved", "75% of the bytes")

    def test_parts_that_wander(self):
        plant = planted.interleaved()
        plant.execution["scheduler"] = "random"
        plant.shares.clear()
        plant.blocks(0, 40e9, users=lambda part: range(plant.count), written=0.5)
        self.expect(of(plant), "wandering", "now on one socket, now on another", "JACKDAW_SCHEDULER=adws")

    def test_the_mapping_of_adws_with_learned_hints_steals_nothing_either(self):
        for scheduler in ("adws:no-steal", "adws:no-steal:hints=both"):
            plant = planted.imbalance()
            plant.execution["scheduler"] = scheduler
            self.expect(of(plant), "imbalance", f"`{scheduler}` does not")

    def test_one_hot_array(self):
        said = of(planted.hot_array())
        self.expect(said, "hot array", "hot array `table`", "replicated")
        self.assertTrue(any("88% of the bytes are of `table`" in each for each in said.findings[0].evidence))

    def test_what_fills_a_hot_table_is_no_use_in_turn(self):
        """One task writes all of the table, and then all read it everywhere."""
        plant = planted.hot_array()
        for share in plant.shares:
            if share["array"] == 0 and share["worker"] == 0:
                share["written"] = 48 * planted.MIB // 64
        said = of(plant)
        self.expect(said, "hot array", "a copy on each node (`jackdaw::replicated<T>`)")
        self.assertNotIn("in turn", said.headline)

    def test_hot_array_on_one_socket_with_fast_memory(self):
        plant = planted.Planted(packages=1)
        plant.nodes.append(dict(node=1, kind="HBM", package=0, capacity=16 * planted.GIB, bandwidth=200e9))
        field = plant.array("field", planted.GIB, {0: 1.0})
        plant.all_use(field, 38e9, {0: 1.0})
        said = of(plant)
        self.expect(said, "hot array", "`field`", "HBM", "fastest()")

    def test_load_imbalance(self):
        self.expect(of(planted.imbalance()), "imbalance", "load imbalance: worker 0 was busy for 100%", "steals")

    def test_one_long_task(self):
        plant = planted.Planted().busy([1.0] + [0.55] * 7)
        for number in range(1, 200):
            worker = number % 8
            plant.task(number, worker, number // 8 * 2e7, number // 8 * 2e7 + 1e7)
        plant.task(500, 0, 4e8, 1e9)
        self.expect(of(plant), "imbalance", "one task alone took 60% of the time", "dividing")

    def test_too_fine_tasks(self):
        self.expect(of(planted.too_fine()), "too fine", "tasks are too short", "grain{n}")

    def test_too_fine_roots(self):
        """A client calls `run` for each element: no loop has a grain."""
        plant = planted.Planted(workers=2).busy([0.5, 0.0])
        plant.each_worker(tasks=0, steals_cache=0, steals_remote=0, roots=0)
        plant.workers[0].update(tasks=60_000, roots=60_000)
        for number in range(1, 200):
            plant.task(number, 0, number * 1e4, number * 1e4 + 200)
        said = of(plant)
        self.assertEqual(said.findings[0].rule, "too fine", said.headline)
        self.assertIn("Roots are too short", said.headline)
        self.assertIn("more work in each call of `runtime::run` would mend it", said.headline)
        self.assertNotIn("grain", said.headline)

    def test_short_tasks_do_not_explain_a_serial_part(self):
        """For 60% of the time only worker 0 computes."""
        plant = planted.short_leaves([1.0] + [0.4] * 7)
        plant.iterate(10, 4e7, gap_ns=6e7)
        said = of(plant)
        self.expect(said, "serial part", "for 60% of the time no region ran and one worker computed alone")
        self.assertLess(diagnosis.Account(kept(plant)[0]).overhead, 0.003)
        self.assertNotIn("too fine", [each.rule for each in said.findings])

    def test_short_tasks_do_not_explain_a_long_path(self):
        self.expect(of(planted.short_leaves([0.25] * 8, work_ns=2.0e9, span_ns=0.95e9)), "too few tasks",
                    "work over critical path is 2.11, for 8 workers")

    def test_short_tasks_explain_what_nothing_else_does(self):
        """The critical path is long because of what forks cost on it."""
        self.expect(of(planted.short_leaves([0.5] * 8, work_ns=4e9, span_ns=0.05e9, burdened_ns=0.9e9)), "too fine",
                    "tasks are too short")

    def test_simulated_overhead(self):
        plant = planted.Planted(kind="simulated")
        plant.each_worker(overhead_ns=4e8, memory_ns=0.0, tasks=20)
        self.expect(of(plant), "too fine", "took 40% of the workers' time")

    def test_too_few_tasks(self):
        self.expect(of(planted.too_few()), "too few tasks", "only 3 of 8 workers had work")

    def test_a_serial_program(self):
        plant = planted.Planted().busy([1, 0, 0, 0, 0, 0, 0, 0])
        plant.each_worker(tasks=0, steals_cache=0, steals_remote=0)
        self.expect(of(plant), "too few tasks", "only 1 of 8 workers had work")

    def test_low_parallelism(self):
        plant = planted.Planted(work_ns=4e9, span_ns=0.9e9).busy([0.5] * 8)
        self.expect(of(plant), "too few tasks", "work over critical path is 4.44, for 8 workers")

    def test_no_worker_busy(self):
        self.expect(of(planted.Planted().busy([0.18, 0.02] + [0.01] * 6)), "no worker busy",
                    "for at least 74% of the time no worker was busy")

    def test_a_chain_that_goes_from_worker_to_worker(self):
        self.expect(of(planted.Planted().busy([0.13] * 8)), "starved", "idle for 87%")

    def test_serial_part(self):
        plant = planted.Planted().busy([1.0] + [0.6] * 7)
        plant.iterate(10, 6e7, gap_ns=4e7)
        self.expect(of(plant), "serial part", "for 40% of the time no region ran")
        plant.busy([1, 1, 1] + [0.0] * 5)  # three were busy all the time, so also then
        self.assertEqual(of(plant).findings[0].rule, "too few tasks")

    def test_cpu_bound(self):
        said = of(planted.cpu_bound())
        self.assertTrue(said.headline.startswith("Memory is not your problem"), said.headline)
        self.assertFalse([each for each in said.findings if each.is_problem()])

    def test_what_a_busy_worker_does_is_not_known(self):
        """It may sleep, or wait for a device."""
        for plant in (planted.cpu_bound(), planted.Planted(), planted.interleaved()):
            for each in plant.traffic:
                each["bytes"] //= 1000
            plant.each_worker(local_bytes=10 ** 6, remote_bytes=0)
            said = of(plant)
            self.assertIn("workers ran tasks for 100% of the time; whether these computed or waited for something "
                          "other than memory is not recorded", said.headline)
            self.assertNotIn("comput", said.headline.replace("these computed or waited", ""))

    def test_workers_that_share_processors_prove_no_imbalance(self):
        for busy in ([1.0] + [0.4] * 7, [0.5] * 8, [0.1] * 8, [1, 1, 1, 0, 0, 0, 0, 0]):
            for shared in (dict(machine_source="HWLOC_SYNTHETIC"), {}):
                plant = planted.Planted(work_ns=3e9, span_ns=0.9e9).busy(busy)
                plant.execution.update(shared)
                plant.iterate(10, 4e7, gap_ns=6e7)
                counts = plant.array("counts", 64, {0: 1.0})
                for worker in plant.workers:
                    plant.use(counts, worker["worker"], 0, 3e7)
                    plant.shares.append(dict(array=counts, part=0, parts=1, worker=worker["worker"], bytes=3 * 10 ** 7,
                                             written=3 * 10 ** 7))
                    worker["os_cpu"] = None if shared else worker["worker"] % 2
                said = of(plant)
                self.assertEqual(said.findings, [], said.headline)
                self.assertEqual([each.rule for each in said.possible], ["possible false sharing"])
                self.assertIn("8 workers may have shared the processors", said.unknown[0])
                self.assertNotIn("busy for", said.headline)
                for worker in plant.workers:
                    worker["os_cpu"] = worker["worker"]
                plant.execution["machine_source"] = "this computer"
                self.assertTrue(of(plant).findings)

    def test_bytes_count_where_workers_share_processors(self):
        plant = planted.serial_first_touch().busy([1.0] + [0.4] * 7)
        plant.execution["machine_source"] = "HWLOC_SYNTHETIC"
        self.expect(of(plant), "first touch")

    def test_an_estimate_is_no_upper_bound(self):
        said = of(planted.cpu_bound())
        self.assertIn("if data are read in order and all is declared", said.headline)
        for text in [said.headline, *said.notes, *(each for found in said.findings for each in found.evidence)]:
            self.assertNotIn("at most", text)

    def test_a_simulation_knows_what_memory_took(self):
        plant = planted.cpu_bound(kind="simulated")
        plant.each_worker(memory_ns=1e7, overhead_ns=0.0)
        self.assertTrue(of(plant).headline.startswith("Memory is not your problem: the program computes, and waiting "
                                                      "for data took 1%"), of(plant).headline)

    def test_a_simulation_that_waits_for_data_that_lie_well(self):
        """Three quarters of the busy time; the nodes give half of what they can to readers, and bytes go back too."""
        def waits(memory_ns=7e8, count=20e9):
            plant = planted.Planted(kind="simulated", scheduler="adws", placement="first-touch").busy([0.92] * 8)
            plant.each_worker(memory_ns=memory_ns, overhead_ns=1e6)
            data = plant.array("all data", 0, {})
            for worker in range(8):
                plant.use(data, worker, plant.package(worker), count / 4)
            return plant

        said = of(waits())
        self.expect(said, "waiting for data", "workers waited for memory, of whose nodes the busiest gave 50%",
                    "70% of their time", "of the 92% in which they had tasks", "more workers would not",
                    "smaller types")
        plant = waits()
        plant.simulated_nodes = [dict(node=node, local_bytes=100, remote_bytes=0, written_bytes=80)
                                 for node in range(2)]
        said = of(plant)
        self.expect(said, "bandwidth", "its nodes are busy for 90% of the time")
        self.assertIn("node 0 gave 36.0 GB/s of 40.0 GB/s", said.findings[0].evidence[0])
        self.assertIn("written back", said.findings[0].evidence[0])
        said = of(waits(memory_ns=1e8, count=1e9))
        self.assertIn("Memory is not your problem", said.headline)
        self.assertIn("workers were busy for 92% of the time, of which they waited for data for 11%", said.headline)

    def test_a_wait_that_is_estimated_is_no_finding(self):
        plant = planted.Planted(scheduler="adws")
        grid = plant.array("grid", planted.GIB, {0: 0.5, 1: 0.5})
        for worker in range(8):
            plant.use(grid, worker, plant.package(worker), 4e9)
        self.assertEqual(of(plant).findings, [])

    def test_nothing_is_said_of_memory_where_most_data_is_undeclared(self):
        plant = planted.cpu_bound()
        plant.array("", 8 * planted.GIB, {0: 1.0}, touched_by=0, source="anonymous")
        said = of(plant)
        self.assertNotIn("not your problem", " ".join([said.headline, *said.notes]))
        self.assertIn("An array of 8.00 GiB that no task declares is larger than all that are declared", said.headline)
        plant.arrays[-1]["bytes"] = 32 * planted.MIB
        self.assertIn("not your problem", of(plant).headline)

    def test_a_rate_that_memory_cannot_have_is_of_caches(self):
        """8 MiB that each worker reads again and again: 300 GB/s of a node that gives 40."""
        for places in ({0: 1.0}, {0: 0.5, 1: 0.5}):
            plant = planted.Planted(scheduler="adws")
            grid = plant.array("grid", 8 * planted.MIB, places)
            for worker in range(8):
                plant.use(grid, worker, plant.package(worker) if len(places) > 1 else 0, 75e9)
            said = of(plant)
            self.assertEqual([each for each in said.findings if each.rule in diagnosis.MEMORY_RULES], [])
            self.assertIn("Most bytes came from caches: ", said.headline)
            self.assertIn("which gives 40.0 GB/s. How many came from memory", said.headline)

    def test_no_more_than_all_time_is_at_stake(self):
        plant = planted.serial_first_touch(kind="simulated", seconds=0.01)
        plant.each_worker(memory_ns=1e9, overhead_ns=0.0, busy_ns=1e5)
        said = of(plant)
        self.assertTrue(said.findings)
        for each in said.findings:
            self.assertLessEqual(each.at_stake, 1.0)

    def test_cpu_bound_with_idle_workers(self):
        plant = planted.cpu_bound().busy([1, 1, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01])
        said = of(plant)
        self.expect(said, "too few tasks")
        self.assertIn("Memory is not your problem", said.notes[0])

    def test_small_read_only_tables_are_cached(self):
        plant = planted.Planted()
        table = plant.array("table", 64 << 10, {0: 1.0}, touched_by=0)
        plant.all_use(table, 40e9, {0: 1.0})
        self.assertIn("Memory is not your problem", of(plant).headline)

    def test_wrong_scheduler(self):
        slow, fast = planted.interleaved(), planted.interleaved(seconds=0.4)
        slow.execution["scheduler"] = "random"
        self.expect(of(slow, fast), "wrong scheduler", "400 ms under `adws`", "1.00 s under `random`",
                    "JACKDAW_SCHEDULER=adws", also=("interleaved",))
        said = of(fast, slow)
        self.assertFalse([each for each in said.findings if each.rule == "wrong scheduler"])

    def test_inputs_that_are_not_known_are_said_so(self):
        said = of(planted.Planted(), planted.Planted(scheduler="adws", seconds=0.4))
        self.expect(said, "wrong scheduler", "if the input was the same: a program of the same name took 400 ms")
        said = of(planted.Planted(work_ns=4e9), planted.Planted(scheduler="adws", seconds=0.4, work_ns=4.1e9))
        self.expect(said, "wrong scheduler", "the same program took 400 ms")

    def test_a_single_time_is_held_against_the_nearest_of_several(self):
        def runs(here, there):
            return [planted.Planted(scheduler=name, seconds=each, work_ns=4e9)
                    for name, all_of in (("random", here), ("adws", there)) for each in all_of]

        self.assertFalse(of(*runs([1.0, 1.0, 0.8], [0.75])).findings)
        self.assertFalse(of(*runs([1.0], [0.7, 0.7, 0.95])).findings)
        self.expect(of(*runs([1.0, 1.0, 0.8], [0.5])), "wrong scheduler")

    def test_other_data_or_machines_say_nothing_of_a_scheduler(self):
        slow = planted.Planted(scheduler="random")
        for other in (planted.Planted(scheduler="adws", seconds=0.1, machine="other"),
                      planted.Planted(scheduler="adws", seconds=0.1, workers=16),
                      planted.Planted(scheduler="adws", seconds=0.1, program="other")):
            self.assertFalse(of(slow, other).findings)
        big, small = planted.interleaved(), planted.interleaved(seconds=0.1)
        big.execution["scheduler"] = "random"
        small.arrays[0]["bytes"] //= 10
        self.assertFalse([each for each in of(big, small).findings if each.rule == "wrong scheduler"])

    def test_single_short_times_name_no_scheduler(self):
        self.assertFalse(of(planted.Planted(seconds=0.02), planted.Planted(scheduler="adws", seconds=0.01)).findings)

    def test_overlapping_times_name_no_scheduler(self):
        runs = [planted.Planted(scheduler=name, seconds=seconds)
                for name, seconds in (("random", 1.0), ("random", 0.7), ("adws", 0.75), ("adws", 0.9))]
        self.assertFalse(of(*runs).findings)

    def test_no_accesses(self):
        said = of(planted.Planted())
        self.assertIn("declares no accesses, so nothing is known of its memory", said.headline)

    def test_well_placed_and_at_the_bandwidth(self):
        plant = planted.Planted(scheduler="adws")
        grid = plant.array("grid", planted.GIB, {0: 0.5, 1: 0.5})
        for worker in range(8):
            plant.use(grid, worker, plant.package(worker), 9.8e9)
        self.expect(of(plant), "bandwidth", "the memory gives all that it can")

    def test_a_described_machine_has_few_processors(self):
        """6 GB in a second are little for eight processors, and much for the two that ran the workers."""
        for source, rule in (("HWLOC_SYNTHETIC", "first touch"), ("this computer", None)):
            plant = planted.Planted()
            plant.execution["machine_source"] = source
            grid = plant.array("grid", 512 * planted.MIB, {0: 1.0}, touched_by=0)
            plant.all_use(grid, 6e9, {0: 1.0})
            said = of(plant)
            problems = [each.rule for each in said.findings if each.is_problem()]
            self.assertEqual(problems, [rule] if rule else [], said.headline)

    def test_a_small_cost_is_named_as_small(self):
        plant = planted.Planted()
        grid = plant.array("grid", 512 * planted.MIB, {0: 1.0}, touched_by=0)
        plant.all_use(grid, 6.5e9, {0: 1.0})
        said = of(plant)
        self.assertIn("The largest is small, up to 4% of the time: 50% of the bytes came from another socket",
                      said.headline)

    def test_busy_times_that_cannot_be(self):
        plant = planted.serial_first_touch().busy([0.0] * 8)
        said = of(plant)
        self.expect(said, "first touch")
        self.assertTrue(any("cannot be right" in each for each in said.unknown), said.unknown)
        self.assertNotIn("too few tasks", [each.rule for each in said.findings])

    def test_only_times_that_cannot_be(self):
        plant = planted.Planted().busy([0.0] * 8)
        grid = plant.array("grid", planted.GIB, {0: 0.5, 1: 0.5})
        for worker in range(8):
            plant.use(grid, worker, plant.package(worker), 5e9)
        self.assertTrue(of(plant).headline.startswith("No cost can be named. The workers' busy times cannot be right"))

    def test_a_simulation_of_first_touch_under_random(self):
        """The simulator knows one array, without its pages: what was asked for tells how they lie."""
        for placement, scheduler, rule in (("first-touch", "random", "wandering"),
                                           ("interleave", "adws", "interleaved"),
                                           ("interleave", "random", "interleaved")):
            plant = planted.Planted(kind="simulated", placement=placement, scheduler=scheduler)
            plant.each_worker(memory_ns=6e8, overhead_ns=1e6)
            data = plant.array("all data", 0, {})
            plant.all_use(data, 60e9, {0: 0.5, 1: 0.5})
            said = of(plant)
            self.expect(said, rule, "50% of the bytes came from another socket, of data whose pages",
                        also=("bandwidth",))

    def test_simulated_short_leaves_that_cost_little(self):
        plant = planted.Planted(kind="simulated").busy([1, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7])
        plant.each_worker(memory_ns=1e7, overhead_ns=1e7, tasks=200_000)
        self.expect(of(plant), "one worker")

    def test_sweeps_are_not_compared(self):
        one, other = kept(planted.Planted(kind="simulated", scheduler="random"),
                          planted.Planted(kind="simulated", scheduler="adws", seconds=0.5))
        self.assertEqual(diagnosis.diagnose(one, [other]).findings[0].rule, "wrong scheduler")
        other.sweep = "link.bandwidth=50"
        self.assertFalse(diagnosis.diagnose(one, [other]).findings)

    def test_short_stolen_tails_of_long_loops_are_not_too_fine(self):
        plant = planted.Planted().busy([0.93] * 8)
        plant.each_worker(tasks=200, steals_cache=150)
        for number in range(1, 1600):
            plant.task(number, number % 8, number * 6e5, number * 6e5 + 4e3)
        self.assertNotIn("too fine", [each.rule for each in of(plant).findings])

    def test_nothing_but_an_execution(self):
        plant = planted.serial_first_touch()
        for rows in (plant.workers, plant.nodes, plant.arrays, plant.traffic, plant.places, plant.shares):
            rows.clear()
        self.assertIn("Nothing is known", of(plant).headline)

    def test_any_subset_of_tables_is_survived(self):
        names = ("steals", "nodes", "arrays", "traffic", "places", "shares", "iterations")
        for make in (planted.serial_first_touch, planted.hot_array, planted.false_sharing, planted.too_few):
            for subset in range(1 << len(names)):
                plant = make()
                gone = {name for bit, name in enumerate(names) if subset >> bit & 1}
                for name in gone:
                    getattr(plant, name).clear()
                said = of(plant)
                rules = [each.rule for each in said.findings]
                told = " ".join([said.headline, *said.notes, *said.unknown,
                                 *(text for each in said.findings for text in (each.sentence, *each.evidence))])
                self.assertNotRegex(told, r"\bnan\b|\binf\b|None")
                for each in said.findings:
                    self.assertTrue(0 < each.at_stake <= 1, told)
                if "arrays" in gone:
                    self.assertNotRegex(told, "`(grid|table|cells|counts)`")
                if "traffic" in gone:
                    self.assertFalse(set(rules) & {"first touch", "hot array", "one node"}, told)
                if "shares" in gone or "arrays" in gone:
                    self.assertNotIn("false sharing", rules)
                if make is planted.too_few:
                    self.assertEqual(rules, ["too few tasks"], told)
                if not gone - {"steals", "iterations", "places"}:  # what the rule does not rest on
                    self.assertEqual(rules[:1], {planted.serial_first_touch: ["first touch"],
                                                 planted.hot_array: ["hot array"],
                                                 planted.false_sharing: ["false sharing"],
                                                 planted.too_few: ["too few tasks"]}[make], told)

    def test_no_root(self):
        for seconds in (0.0, 3.0):
            plant = planted.Planted(seconds=seconds).busy([0.0] * 8)
            plant.each_worker(tasks=0, roots=0, steals_cache=0, steals_remote=0)
            said = of(plant)
            self.assertEqual((said.headline, said.findings), ("No root ran, so there is nothing that costs time.", []))

    def test_no_time_in_tasks(self):
        for seconds, share in ((0.02, 0.0), (0.02, 0.004), (2.0, 0.0)):
            said = of(planted.Planted(seconds=seconds).busy([share] * 8))
            self.assertIn("The run was too short to tell what costs time", said.headline)
            self.assertEqual(said.findings, [])
        self.assertNotIn("too short to tell", of(planted.Planted(seconds=0.02).busy([0.01] * 8)).headline)

    def test_empty_run(self):
        for seconds, text in ((0.0, "0 ns"), (1e-9, "1 ns")):
            said = of(planted.Planted(seconds=seconds))
            self.assertEqual(said.headline, f"The execution took {text}: too short to say what costs time.")
            self.assertEqual(said.findings, [])
        self.assertNotIn("too short to say", of(planted.Planted(seconds=2e-6)).headline)


if __name__ == "__main__":
    unittest.main()
