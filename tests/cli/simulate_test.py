"""`jackdaw simulate`: what it prints, what it stores, and what it refuses."""

import json
import sqlite3
import statistics
import unittest

from program import ProgramTest

MACHINE = ("--machine", "xeon-e5-2620")
# What versions 3 and 4 of the database added to `run`.
COUNTED = ("forced_steals", "sleeps", "in_place", "rescues", "turns", "steals_core", "steals_cache", "failed_remote",
           "tasks", "roots", "at_home", "away", "search_ns", "sleep_ns", "local_bytes", "remote_bytes", "moved_bytes")
SMALL_CACHES = """name = "small"
description = "every iteration reads memory"
extends = "xeon-e5-2620"
[set]
"private_cache.size" = { kib = 4, from = "assumed", note = "what if" }
"shared_cache.size" = { kib = 16, from = "assumed", note = "what if" }
"""
BROKEN_MACHINE = """name = "broken"
description = "local_rate is none"
extends = "xeon-e5-2620"
local_rate = { gb_per_s = 0, from = "assumed", note = "none" }
"""


class Simulate(ProgramTest):
    def setUp(self):
        super().setUp()
        self.succeed("record", "heat2d", "--size", "tiny", "--iterations", "4", "--workers", "12", "-o", "heat.trace")

    def refuse_without_a_database(self, *arguments, says, **environment):
        self.refuse("simulate", *arguments, says=says, **environment)
        self.assertNotIn("jackdaw.db", self.contents())

    def test_the_same_trace_machine_and_seed_give_the_same_bytes(self):
        command = ("simulate", "heat.trace", *MACHINE, "--scheduler", "random,hierarchical,adws", "--json",
                   "--no-store")
        first = self.succeed(*command).stdout
        self.assertEqual(self.succeed(*command).stdout, first)
        for jobs in ("1", "4"):
            self.assertEqual(self.succeed(*command, "--jobs", jobs).stdout, first)
        self.assertNotEqual(self.succeed(*command, "--seed", "6").stdout, first)
        self.assertEqual(list(self.contents()), ["heat.trace"])
        told = json.loads(first)
        self.assertEqual((told["kind"], told["program"], told["trace"], told["first_seed"], told["seeds"]),
                         ("simulated", "heat2d --size tiny --shape blocks --iterations 4", "heat.trace", 1, 5))
        self.assertEqual((told["machine"]["name"], told["machine"]["sockets"], told["machine"]["cores"]),
                         ("xeon-e5-2620", 2, 12))
        self.assertEqual((told["sweep"], told["recordings"], "database" in told), (None, 0, False))

        def keys_are_sorted(pairs):
            self.assertEqual(pairs, sorted(pairs, key=lambda pair: pair[0]))
            return dict(pairs)
        json.loads(first, object_pairs_hook=keys_are_sorted)

    def test_how_hot_data_is(self):
        self.succeed("simulate", "heat.trace", *MACHINE, "--scheduler", "bats", "--seeds", "1", "--no-store",
                     "--hotness", "address-samples")
        self.refuse_without_a_database("heat.trace", *MACHINE, "--hotness", "exact",
                                       says="--hotness: 'exact', expected accessed-bits or address-samples")
        self.refuse_without_a_database("heat.trace", *MACHINE, "--jobs", "0", says="--jobs")

    def test_attempts_to_steal_by_distance(self):
        command = ("simulate", "heat.trace", *MACHINE, "--scheduler", "random,hierarchical", "--seeds", "2")
        told = self.succeed_json(*command)
        for row in told["rows"]:
            for run in row["runs"]:
                self.assertEqual(len(run["failed"]), 2)
                self.assertEqual(sum(run["failed"]), run["failed_steals"])
            self.assertEqual(row["median"]["failed"],
                             [statistics.median(run["failed"][at] for run in row["runs"]) /
                              row["runs"][0]["measured_iterations"] for at in (0, 1)])
        first = told["rows"][0]["runs"][0]
        # Of 11 other workers, 6 are remote.
        remote = first["steals"][1] + first["failed"][1]
        self.assertAlmostEqual(remote / (sum(first["steals"]) + sum(first["failed"])), 6 / 11, delta=0.1)
        stored = self.rows("SELECT failed_steals, failed FROM simulated_run ORDER BY id")
        self.assertEqual([(sum(json.loads(failed)), len(json.loads(failed))) for _, failed in stored],
                         [(count, 2) for count, _ in stored])
        text = self.succeed(*command, "--counters", "--no-store").stdout
        lines = text[text.index("\nattempts "):].splitlines()
        self.assertEqual(lines[1].split(), "attempts local attempts remote attempts local steals remote steals local "
                                           "false remote false remote %".split())
        for line, row in zip(lines[2:4], told["rows"]):
            name, local, remote, *counts, part = line.split()
            expected = row["median"]["steals"] + row["median"]["failed"]
            self.assertEqual(name, row["scheduler"])
            self.assertEqual(counts, [f"{count:.0f}" for count in expected])
            self.assertEqual([local, remote], [f"{expected[at] + expected[at + 2]:.0f}" for at in (0, 1)])
            self.assertAlmostEqual(float(part), 100 * int(remote) / (int(local) + int(remote)), delta=1)
        self.assertNotIn("\nattempts ", self.succeed(*command, "--no-store").stdout)

    def test_seeds_are_those_of_runs_of_one_seed(self):
        told = self.succeed_json("simulate", "heat.trace", *MACHINE, "--scheduler", "random", "--seeds", "3", "--seed",
                                 "7", "--no-store")
        runs = told["rows"][0]["runs"]
        self.assertEqual([run["seed"] for run in runs], [7, 8, 9])
        for run in runs:
            alone = self.succeed_json("simulate", "heat.trace", *MACHINE, "--scheduler", "random", "--seeds", "1",
                                      "--seed", run["seed"], "--no-store")
            self.assertEqual(alone["rows"][0]["runs"], [run])
        times = [run["ns_per_iteration"] for run in runs]
        median = told["rows"][0]["median"]
        self.assertEqual((median["ns"], median["min_ns"], median["max_ns"]),
                         (statistics.median(times), min(times), max(times)))

    def test_figures_add_up(self):
        told = self.succeed_json("simulate", "heat.trace", *MACHINE, "--scheduler", "random,adws", "--no-store")
        for row in told["rows"]:
            self.assertAlmostEqual(row["median"]["speedup"],
                                   told["rows"][0]["median"]["ns"] / row["median"]["ns"], places=9)
            for run in row["runs"]:
                self.assertEqual((len(run["iterations_ns"]), run["measured_iterations"]), (4, 2))
                self.assertAlmostEqual(run["ns_per_iteration"], run["ns"] / 2, places=6)
                self.assertEqual(run["private_misses"] * 64, run["shared_bytes"] + run["local_bytes"]
                                 + run["remote_bytes"])
                self.assertEqual(run["lines"] * 64, run["private_bytes"] + run["private_misses"] * 64)
                self.assertEqual(sum(node["local_bytes"] + node["remote_bytes"] for node in run["nodes"])
                                 + run["cache_bytes"], run["local_bytes"] + run["remote_bytes"])
                times = run["computing_ns"] + run["memory_ns"] + run["overhead_ns"] + run["idle_ns"]
                self.assertAlmostEqual(times / (run["ns"] * row["workers"]), 1, places=9)
                self.assertEqual(len(run["steals"]), 2)

    def test_a_sweep(self):
        lines = (self.folder / "heat.trace").read_text(encoding="ascii").splitlines()
        scalar = ["c" + line[1:] if line.startswith("v ") else line for line in lines]
        (self.folder / "scalar.trace").write_text("\n".join(scalar) + "\n", encoding="ascii")
        told = self.succeed_json("simulate", "scalar.trace", *MACHINE, "--scheduler", "adws", "--sweep",
                                 "compute_rate=x0.5,x1,x4", "--no-store")
        self.assertEqual(told["sweep"], {"key": "compute_rate", "values": ["x0.5", "x1", "x4"]})
        self.assertEqual([row["value"] for row in told["rows"]], ["x0.5", "x1", "x4"])
        slow, usual, fast = [row["runs"][0]["computing_ns"] for row in told["rows"]]
        self.assertAlmostEqual(slow / usual, 2, places=9)
        self.assertAlmostEqual(usual / fast, 4, places=9)
        self.assertEqual([row["median"]["speedup"] for row in told["rows"]], [1, 1, 1])

    def test_a_sweep_of_fill_policies(self):
        policies = ["exclusive", "victim", "inclusive"]
        (self.folder / "small.toml").write_text(SMALL_CACHES)
        told = self.succeed_json("simulate", "heat.trace", "--machine", "small.toml", "--scheduler", "adws", "--sweep",
                                 "shared_cache.policy=" + ",".join(policies), "--no-store")
        self.assertEqual([row["value"] for row in told["rows"]], policies)
        missed = [row["runs"][0]["shared_misses"] for row in told["rows"]]
        self.assertLess(missed[0], missed[2])

    def test_a_sweep_of_workers_records_for_each_number(self):
        told = self.succeed_json("simulate", "heat2d", "--size", "tiny", "--iterations", "2", *MACHINE, "--scheduler",
                                 "adws", "--sweep", "workers=1,2,12", "--recordings", "1", "--no-store")
        self.assertEqual([row["workers"] for row in told["rows"]], [1, 2, 12])
        self.assertEqual(told["recordings"], 1)
        self.assertEqual([sum(row["runs"][0]["steals"]) for row in told["rows"]][0], 0)

    def test_a_trace_for_other_workers_is_told(self):
        simulated = ("simulate", "heat.trace", *MACHINE, "--no-store")
        self.assertEqual(self.succeed(*simulated).stderr, "")
        for command in ((*simulated, "--workers", "4"), ("analyze", "heat.trace", *MACHINE, "--workers", "4")):
            self.assertEqual(self.succeed(*command).stderr,
                             "jackdaw: heat.trace: recorded for 12 workers, so its loops fork for that many and not "
                             "for 4\n")
        self.assertEqual(self.succeed(*simulated, "--sweep", "workers=6,12").stderr.count("recorded for 12"), 1)

    def test_placements(self):
        (self.folder / "small.toml").write_text(SMALL_CACHES, encoding="ascii")
        told = self.succeed_json("simulate", "heat.trace", "--machine", "small.toml", "--scheduler", "adws",
                                 "--placement", "first-touch,interleave,bind:1", "--seeds", "1", "--no-store")
        self.assertEqual([row["placement"] for row in told["rows"]], ["first-touch", "interleave", "bind:1"])
        first_touch, interleave, bind = [row["runs"][0] for row in told["rows"]]
        self.assertGreater(first_touch["local_bytes"], 2 * first_touch["remote_bytes"])
        first, second = [node["local_bytes"] + node["remote_bytes"] for node in interleave["nodes"]]
        self.assertAlmostEqual(first / second, 1, delta=0.2)
        self.assertEqual(bind["nodes"][0], {"local_bytes": 0, "remote_bytes": 0, "written_bytes": 0})
        self.assertGreater(bind["nodes"][1]["remote_bytes"], 0)

    def test_json_and_database_agree(self):
        self.succeed("bench", "fib", "--size", "tiny", "--repeat", "1")
        told = self.succeed_json("simulate", "heat.trace", *MACHINE, "--scheduler", "random,adws", "--placement",
                                 "first-touch,interleave", "--seeds", "2", "--sweep", "link.bandwidth=x1,x2")
        self.assertEqual(told["database"], {"file": "jackdaw.db", "simulation": 1})
        self.assertEqual(self.rows("SELECT program, trace, machine, machine_file, sweep_key, placement_order,"
                                   " first_seed, seeds, recordings FROM simulation"),
                         [(told["program"], "heat.trace", "xeon-e5-2620", told["machine"]["file"], "link.bandwidth",
                           "scatter", 1, 2, 0)])
        stored = self.rows("SELECT sweep_value, placement, scheduler, workers, seed, iterations, ns_per_iteration,"
                           " whole_ns, private_misses, shared_misses, local_bytes, remote_bytes, cache_bytes, steals,"
                           " computing_ns, memory_ns, overhead_ns, idle_ns, sleeps, rescues"
                           " FROM simulated_run ORDER BY position, seed")
        expected = [(row["value"], row["placement"], row["scheduler"], row["workers"], run["seed"],
                     run["measured_iterations"], run["ns_per_iteration"], run["whole_ns"], run["private_misses"],
                     run["shared_misses"], run["local_bytes"], run["remote_bytes"], run["cache_bytes"],
                     json.dumps(run["steals"], separators=(",", ":")), run["computing_ns"], run["memory_ns"],
                     run["overhead_ns"], run["idle_ns"], run["sleeps"], run["rescues"])
                    for row in told["rows"] for run in row["runs"]]
        self.assertEqual(len(expected), 16)
        self.assertEqual(stored, expected)
        nodes = self.rows("SELECT node, simulated_node.local_bytes, simulated_node.remote_bytes, written_bytes"
                          " FROM simulated_node JOIN simulated_run ON run = id ORDER BY position, seed, node")
        self.assertEqual(nodes, [(number, node["local_bytes"], node["remote_bytes"], node["written_bytes"])
                                 for row in told["rows"] for run in row["runs"]
                                 for number, node in enumerate(run["nodes"])])
        # No simulated row is among the measured ones.
        self.assertEqual(self.rows("SELECT count(*) FROM bench"), [(1,)])
        self.assertEqual(self.rows("SELECT count(*) FROM run"), [(1,)])

    def test_a_database_of_version_1_is_upgraded_and_keeps_its_rows(self):
        self.succeed("bench", "fib", "--size", "tiny", "--repeat", "2")
        database = sqlite3.connect(self.folder / "jackdaw.db")
        later = [name for name, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                 if name not in ("bench", "run")]
        database.executescript("".join(f"DROP TABLE {table};" for table in later)
                               + "".join(f"ALTER TABLE run DROP COLUMN {column};" for column in COUNTED)
                               + "PRAGMA user_version = 1")
        database.close()
        before = self.rows("SELECT * FROM run ORDER BY round")
        self.succeed("simulate", "heat.trace", *MACHINE, "--seeds", "1")
        self.assertEqual(self.rows("SELECT * FROM run ORDER BY round"),
                         [row + (None,) * len(COUNTED) for row in before])
        self.assertEqual(self.rows("SELECT count(*) FROM simulated_run"), [(2,)])
        self.assertEqual(self.rows("PRAGMA user_version"), [(5,)])
        self.assertEqual(self.rows("PRAGMA integrity_check"), [("ok",)])

    def test_databases_that_are_refused(self):
        for name, text in (("text.db", "no database" * 100), ("trace.db", "jackdaw-trace 1\n")):
            (self.folder / name).write_text(text, encoding="ascii")
            self.refuse("simulate", "heat.trace", *MACHINE, "--db", name, says=f"{name}: not a database")
        self.refuse("simulate", "heat.trace", *MACHINE, says="no/a.db: its folder does not exist", JACKDAW_DB="no/a.db")
        self.succeed("simulate", "heat.trace", *MACHINE, "--seeds", "1", "--db", "kept.db")
        database = sqlite3.connect(self.folder / "kept.db")
        database.execute("PRAGMA user_version = 6")
        database.close()
        self.refuse("simulate", "heat.trace", *MACHINE, "--db", "kept.db",
                    says="kept.db: a jackdaw database of version 6, expected version 1 to 5")

    def test_table(self):
        said = self.succeed("simulate", "heat.trace", "--machine", "xeon-max-9480", "--scheduler",
                            "random,hierarchical,adws:no-steal", "--placement", "first-touch,interleave:hbm",
                            "--seeds", "3").stdout
        lines = said.splitlines()
        self.assertEqual(lines[0], "heat2d --size tiny --shape blocks --iterations 4")
        self.assertTrue(lines[1].startswith("simulated on xeon-max-9480: 2 packages of Xeon Max 9480"), lines[1])
        self.assertNotIn(".toml", said)
        self.assertLessEqual(max(map(len, lines)), 140)
        self.assertEqual(lines[3], "112 workers, first-touch")
        self.assertEqual(lines[4].split()[:4], ["scheduler", "time", "spread", "speedup"])
        self.assertEqual(lines[5].split(), ["us", "us", "lines", "lines", "MiB", "MiB", "MiB", "%", "%"])
        self.assertEqual([line.split()[0] for line in lines[6:9]], ["random", "hierarchical", "adws:no-steal"])
        self.assertEqual(lines[6].split()[3], "1.00")
        self.assertIn("112 workers, interleave:hbm", lines)
        whole = [line for line in lines if line.startswith("whole run, us: ")]
        self.assertEqual(len(whole), 2)
        for name, text in zip(("random", "hierarchical", "adws:no-steal"), whole[0][15:].split(", ")):
            row = next(line.split() for line in lines[6:9] if line.split()[0] == name)
            self.assertEqual(text.split()[0], name)
            self.assertGreater(float(text.split()[1]), 4 * float(row[1]))
        self.assertEqual(sum(line.startswith("An iteration lasts from the end of one run of") for line in lines), 1)
        self.assertIn("Simulated, not measured. All figures are of one iteration, the mean of the last 2 of 4: medians"
                      " of 3 seeds.", lines)
        self.assertEqual(lines[-1], "stored in jackdaw.db as simulation 1")

    def test_a_program_without_iterations_counts_as_a_whole(self):
        said = self.succeed("simulate", "fib", "--size", "tiny", *MACHINE, "--recordings", "1", "--no-store").stdout
        self.assertIn('All figures are of root 2 of 2, "run": medians of 5 seeds.', said)
        self.assertIn("whole run, us: ", said)
        for missing in ("stored", "An iteration lasts"):
            self.assertNotIn(missing, said)

    def test_of_several_roots_one_is_measured_and_the_whole_run_is_shown(self):
        def trace(name, roots):
            lines = ["jackdaw-trace 1", "program p", "workers 12", "compute_rate 1", "site nested"]
            for label, ns in roots:
                lines += [f"root {label}", f"c {ns}", "e"]
            (self.folder / name).write_text("\n".join([*lines, f"end {len(roots)} 0 0 {len(roots)}", ""]))

        trace("one.trace", [("root", 50000)])
        said = self.succeed("simulate", "one.trace", *MACHINE, "--no-store").stdout
        self.assertIn("All figures are of the whole run: medians", said)
        self.assertNotIn("whole run, us: ", said)
        trace("three.trace", [("root", 50000), ("run", 20000), ("root", 30000)])
        said = self.succeed("simulate", "three.trace", *MACHINE, "--no-store", "--scheduler", "random").stdout
        self.assertIn('All figures are of root 2 of 3, "run": medians', said)
        self.assertIn("whole run, us: random 213.", said)  # five times root 2

    def test_iterations_of_all_roots_are_stored(self):
        group = ["s - {}", "f", "c 4000", "e", "f", "c 4000", "e", "j"]

        def loop(site):
            return [line.format(site) for line in group]
        lines = ["jackdaw-trace 1", "program p", "workers 12", "compute_rate 1", "site nested", "site fill",
                 "site step", "root root", *loop(1), *loop(1), "e",
                 "root serial", "c 50000", "e",
                 "root root", "c 30000", *loop(2), "c 20000", *loop(2), "e", "end 11 4 0 3", ""]
        (self.folder / "roots.trace").write_text("\n".join(lines))
        for scheduler in ("random", "adws", "laws", "bats"):
            self.succeed("simulate", "roots.trace", *MACHINE, "--scheduler", scheduler, "--seeds", "2")
        for execution, wall in self.rows("SELECT id, seconds * 1e9 FROM execution"):
            found = self.rows("SELECT number, region, begin_ns, duration_ns FROM execution_iteration "
                              f"WHERE execution = {execution} ORDER BY number")
            self.assertEqual([each[:2] for each in found], [(1, "fill"), (2, "fill"), (3, "step"), (4, "step")])
            ends = [begin + duration for _, _, begin, duration in found]
            gaps = [begin - end for (_, _, begin, _), end in zip(found, [0, *ends])]
            # At least: a core of this machine is slower than the one of the recording.
            for gap, least in zip(gaps, (0, 0, 80000, 20000)):
                self.assertGreaterEqual(gap, least)
            self.assertLess(gaps[0], 10000)
            for _, _, _, duration in found:
                self.assertGreaterEqual(duration, 4000)
            self.assertLessEqual(ends[-1], wall)

    def test_decisions_are_stored_with_their_times(self):
        one = ("simulate", "heat.trace", *MACHINE, "--scheduler", "laws", "--seeds", "1")
        self.succeed(*one, "--events", "events.txt")
        lines = [line.split() for line in (self.folder / "events.txt").read_text().splitlines()]
        # ORDER NS WORKER decide NAME VALUE
        decided = [(int(line[2]), line[4], int(line[5])) for line in lines if line[3:4] == ["decide"]]
        found = self.rows("SELECT worker, name, value FROM execution_decision ORDER BY at_ns, rowid")
        self.assertEqual(sorted(found), sorted(decided))
        self.assertGreater(len(found), 2)
        times = self.rows("SELECT min(at_ns), max(at_ns), min(length(says)), seconds * 1e9 FROM execution_decision "
                          "JOIN execution ON id = execution")[0]
        self.assertGreaterEqual(times[0], 0)
        self.assertLessEqual(times[1], times[3])
        self.assertGreater(times[2], 0)

    def test_named_memory_is_an_array_of_its_own(self):
        size = 1 << 22
        lines = ["jackdaw-trace 4", "program p", "workers 12", "compute_rate 1", "site nested", "site loop",
                 f"array 200000 {size} a", f"array 600000 {size // 2} b", f"array {0x600000 + size // 2:x} {size} a",
                 "root root", "s - 1"]
        for address, length in ((0x200000, size), (0x600000, 2 * size), (0x2000000, size)):
            lines += ["f", f"r {address:x} {length}", "c 10", "e"]
        (self.folder / "named.trace").write_text("\n".join([*lines, "j", "e", "end 4 1 3 1", ""]))
        for placement in ("first-touch", "serial:1", "interleave"):
            self.succeed("simulate", "named.trace", *MACHINE, "--scheduler", "random", "--seeds", "1", "--placement",
                         placement, "--workers", "1")
        known = self.rows("SELECT placement, array, name, a.bytes, first_touched_by, first_touched_bytes "
                          "FROM execution_array a JOIN execution ON id = execution ORDER BY id, array")
        whole = [("a", 2 * size), ("b", size // 2)]
        expected = []
        for placement, first in (("first-touch", 0), ("serial:1", -1), ("interleave", None)):
            for number, (name, size_of) in enumerate(whole):
                touched = None if first is None else size_of
                expected.append((placement, number, name, size_of, first, touched))
            expected.append((placement, 2, "other data", 0, None, None))
        self.assertEqual(known, expected)
        traffic = self.rows("SELECT placement, array, sum(t.bytes) FROM execution_traffic t JOIN execution ON id = "
                            "execution GROUP BY id, array ORDER BY id, array")
        self.assertEqual([each[2] for each in traffic], 3 * [2 * size, size // 2, size + size // 2])
        self.assertEqual(self.rows("SELECT array, node, p.bytes FROM execution_place p JOIN execution "
                                   "ON id = execution WHERE placement = 'serial:1' ORDER BY array, node"),
                         [(0, 1, 2 * size), (1, 1, size // 2)])
        self.assertEqual(self.rows("SELECT sum(local_bytes + remote_bytes) FROM execution_worker"),
                         self.rows("SELECT sum(bytes) FROM execution_traffic"))

    def test_roots_are_the_iterations_of_a_program_without_groups(self):
        lines = ["jackdaw-trace 1", "program p", "workers 12", "compute_rate 1", "site nested"]
        for _ in range(3):
            lines += ["root root", "c 50000", "e"]
        (self.folder / "roots.trace").write_text("\n".join([*lines, "end 3 0 0 3", ""]))
        self.succeed("simulate", "roots.trace", *MACHINE, "--scheduler", "random", "--seeds", "1")
        found = self.rows("SELECT region, duration_ns FROM execution_iteration ORDER BY number")
        self.assertEqual([region for region, _ in found], ["root"] * 3)
        self.assertAlmostEqual(sum(duration for _, duration in found),
                               self.rows("SELECT seconds * 1e9 FROM execution")[0][0], delta=1000)

    def test_a_program_that_declares_no_accesses_is_noted(self):
        self.succeed("record", "fib", "--size", "tiny", "-o", "fib.trace", "--workers", "12")
        noted = "it declares no accesses, so nothing that it reads or writes takes time here"
        ended = self.succeed("simulate", "fib.trace", *MACHINE, "--no-store")
        self.assertEqual(ended.stderr, f"jackdaw: fib --size tiny --shape invoke: {noted}\n")
        self.assertNotIn(noted, self.succeed("simulate", "heat.trace", *MACHINE, "--no-store").stderr)

    def test_events_of_one_simulation_are_written(self):
        one = ("simulate", "heat.trace", *MACHINE, "--scheduler", "laws", "--seeds", "1", "--no-store")
        self.succeed(*one, "--events", "events.txt")
        lines = (self.folder / "events.txt").read_text(encoding="ascii").splitlines()
        self.assertEqual(lines[0], "jackdaw-events 1")
        events = [line.split() for line in lines[1:]]
        self.assertEqual([int(event[0]) for event in events], sorted(int(event[0]) for event in events))
        self.assertEqual(events[0][3:], ["root", "1", "0", "pool", "0", "upper"])
        self.assertIn(["decide", "profile", "2"], [event[3:] for event in events])
        placed = sum(event[3] in ("root", "fork") for event in events)
        self.assertEqual(placed, sum(event[3] == "end" for event in events))
        self.refuse(*one, "--events", "nowhere/events.txt", says="--events: 'nowhere/events.txt' cannot be written")
        self.refuse(*one, "--scheduler", "laws,cab", "--events", "more.txt", says="--scheduler")
        self.refuse(*one[:-2], "2", "--no-store", "--events", "more.txt",
                    says="--events: several simulations, expected one")
        self.assertFalse((self.folder / "more.txt").exists())

    def test_memory_of_one_kind(self):
        command = ("simulate", "heat.trace", "--machine", "knl-snc4", "--workers", "12", "--scheduler", "random,bats",
                   "--node-order", "apart", "--seeds", "1", "--no-store")
        for kind, others in (("dram", range(4, 8)), ("hbm", range(4))):
            told = self.succeed_json(*command, "--memory", kind)
            for row in told["rows"]:
                self.assertEqual(row["placement"], f"first-touch:{kind}")
                nodes = row["runs"][0]["nodes"]
                self.assertEqual(sum(nodes[each]["local_bytes"] + nodes[each]["remote_bytes"] for each in others), 0)

    def test_refuses_unknown_names(self):
        self.refuse("simulate", says="KERNEL is required")
        self.refuse("simulate", "heat.trace", says="--machine is required")
        for given, says in (
                (("--machine", "abacus"), "unknown machine 'abacus', expected a file's path or one of epyc-nps1"),
                ((*MACHINE, "--scheduler", "foo"), "--scheduler: unknown scheduler 'foo', expected one of"),
                ((*MACHINE, "--scheduler", "adws:hints=foo"),
                 "--scheduler: unknown scheduler 'adws:hints=foo', expected one of"),
                ((*MACHINE, "--rehint", "foo"),
                 "--rehint: 'foo', expected none, exact, fixed:ALPHA or random:ALPHA with ALPHA from 0 to 1"),
                ((*MACHINE, "--rehint", "random:1.5"), "--rehint: 'random:1.5', expected none"),
                ((*MACHINE, "--rehint", "fixed:nan"), "--rehint: 'fixed:nan', expected none"),
                ((*MACHINE, "--rehint", "exact:1"), "--rehint: 'exact:1', expected none"),
                ((*MACHINE, "--scheduler", "adws,"), "--scheduler: an empty name"),
                ((*MACHINE, "--placement", "nowhere"), "'nowhere'"),
                ((*MACHINE, "--placement", "bind:2"), "has no memory node 2: expected 0 to 1"),
                ((*MACHINE, "--placement", "interleave:hbm"), "has no hbm node"),
                ((*MACHINE, "--memory", "hbm"), "has no hbm node"),
                ((*MACHINE, "--memory", "fast"), "--memory: 'fast', expected dram, hbm or all"),
                ((*MACHINE, "--memory", "dram", "--placement", "bind:0"), "placement 'bind:0' names its own nodes"),
                ((*MACHINE, "--node-order", "mixed"), "--node-order: 'mixed', expected adjacent or apart"),
                ((*MACHINE, "--order", "spread"), "--order: 'spread', expected scatter or compact"),
                ((*MACHINE, "--sweep", "colour=1,2"), "colour"),
                ((*MACHINE, "--sweep", "cost.spawn"), "--sweep: 'cost.spawn', expected KEY=VALUE,VALUE,..."),
                ((*MACHINE, "--sweep", "cost.spawn=5ns,many"), "many"),
                ((*MACHINE, "--sweep", "shared_cache.policy=x1"),
                 "shared_cache.policy: 'x1', expected one of victim inclusive exclusive"),
                ((*MACHINE, "--sweep", "workers=4,x2"), "--sweep workers: 'x2', expected a number of workers"),
                ((*MACHINE, "--workers", "13"), "13 workers, but xeon-e5-2620 has 12 hardware threads"),
                ((*MACHINE, "--sweep", "workers=12,13"), "13 workers, but xeon-e5-2620 has 12 hardware threads"),
                ((*MACHINE, "--seeds", "0"), "--seeds: '0', expected a whole number from 1 to 10000"),
                ((*MACHINE, "--seed", "x"), "--seed: 'x', expected a whole number"),
                ((*MACHINE, "--recordings", "0"), "--recordings: '0', expected a whole number"),
                ((*MACHINE, "--size", "tiny"), "--size: heat.trace is a trace, expected a kernel with this option")):
            with self.subTest(given):
                self.refuse_without_a_database("heat.trace", *given, says=says)
        self.refuse_without_a_database("heat3d", *MACHINE, says="unknown kernel 'heat3d', expected one of fib")
        self.refuse_without_a_database("heat2d", "--size", "colossal", *MACHINE,
                                       says="--size: heat2d has no 'colossal'")

    def test_refuses_traces_with_the_line(self):
        lines = (self.folder / "heat.trace").read_text(encoding="ascii").splitlines()
        for name, text, says in (
                ("cut.trace", lines[:20], "cut.trace:20: the file is truncated"),
                ("newer.trace", ["jackdaw-trace 6"] + lines[1:], "newer.trace:1: version 6 of the format"),
                ("odd.trace", lines[:10] + ["?"] + lines[10:], "odd.trace:11: "),
                ("shopping.txt", ["bread", "butter"], "shopping.txt:1: ")):
            with self.subTest(name):
                (self.folder / name).write_text("\n".join(text) + "\n", encoding="ascii")
                self.refuse_without_a_database(name, *MACHINE, says=says)
        self.refuse_without_a_database("missing.trace", *MACHINE, says="missing.trace: cannot be read")
        self.refuse_without_a_database("./missing", *MACHINE, says="./missing: cannot be read")

    def test_refuses_machine_files_with_the_line(self):
        (self.folder / "broken.toml").write_text(BROKEN_MACHINE, encoding="ascii")
        self.refuse_without_a_database("heat.trace", "--machine", "broken.toml", says="broken.toml:4: local_rate: 0")
        self.refuse_without_a_database("heat.trace", "--machine", "none.toml", says="none.toml: cannot be read")

    def test_help_shows_examples(self):
        self.assertIn("Examples:", self.succeed("simulate", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
