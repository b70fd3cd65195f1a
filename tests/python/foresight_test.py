"""jackdaw predict PROGRAM --machine M, with kernels, traces and programs."""

import json
import os
import shutil
import unittest
from types import SimpleNamespace

from jackdaw import foresight, machines, preparation, program, simulation
from predicting import PredictTest

RECORDED_PROGRAM = os.environ.get("RECORDED_PROGRAM")
# Two tasks of 1000 ns each, then 2000 ns that nothing runs beside.
TRACE = """jackdaw-trace 1
program by hand
workers 2
compute_rate 1
site nested
root r
s - 0
f
c 1000
e
f
c 1000
e
j
c 2000
e
end 3 1 0 1
"""


class Foresight(PredictTest):
    def ask(self, *arguments):
        return json.loads(self.succeed("--json", *arguments))

    def trace(self, name="hand.trace"):
        (self.folder / name).write_text(TRACE, encoding="utf-8")
        return self.folder / name

    def test_a_trace_by_hand(self):
        found = self.ask(self.trace(), "--machine", "xeon-e5-2620", "--workers", 2)
        rate = machines.read("xeon-e5-2620").compute_rate
        self.assertEqual((found["program"], found["source"], found["kind"]), ("by hand", "trace", "simulated"))
        self.assertAlmostEqual(found["bounds_ns"]["span"], 3000 / rate, delta=1)
        self.assertAlmostEqual(found["bounds_ns"]["work"], found["one_worker_ns"] / 2)
        self.assertAlmostEqual(found["one_worker_ns"], 4000 / rate, delta=200)
        self.assertEqual([run["scheduler"] for run in found["runs"]], ["adws", "random"])
        for run in found["runs"]:
            self.assertGreaterEqual(run["ns"], 3000 / rate)
            self.assertLessEqual(run["min_ns"], run["ns"])
            self.assertAlmostEqual(run["speedup"], found["one_worker_ns"] / run["ns"])
        self.assertIn("critical path", found["verdict"])
        self.assertAlmostEqual(found["r_numa"], 124 / 76)

    def test_where_data_lie_is_said_if_nothing_filled_them(self):
        """main() has filled what both roots read: the simulator places it by its first user."""
        leaf = "r 200000 4096\nw 200000 4096\nc 1000\n"
        fill = "w 200000 4096\nc 1000\n"

        def said(before, within, *more):
            path = self.folder / "placed.trace"
            path.write_text("jackdaw-trace 1\nprogram p\nworkers 2\ncompute_rate 1\nsite nested\n"
                            f"root {before[0]}\n{before[1]}e\nroot {within[0]}\n"
                            f"s - 0\nf\n{within[1]}e\nf\nc 1000\ne\nj\nc 1\ne\n"
                            f"end 4 1 {(before[1] + within[1]).count(' 4096')} 2\n", encoding="utf-8")
            arguments = (path, "--machine", "xeon-e5-2620", "--workers", 2, "--seeds", 1, *more)
            self.assertNotIn("-0%", self.succeed(*arguments))
            return [each for each in self.ask(*arguments)["notes"] if "a program whose main() fills its arrays has "
                    "them on one node" in each]

        self.assertEqual(len(said(("root", leaf), ("root", leaf))), 1)
        self.assertEqual(len(said(("prepare", "c 1000\n"), ("run", leaf))), 1)
        self.assertEqual(said(("prepare", fill), ("run", leaf)), [])
        self.assertEqual(said(("root", "c 1000\n"), ("root", "c 1000\n")), [])
        self.assertEqual(said(("root", leaf), ("root", leaf), "--placement", "interleave"), [])

    def test_no_write_before_the_first_iteration(self):
        def touched(prepare, leaf):
            path = self.folder / "iterates.trace"
            path.write_text("workers 2\nsite nested\nsite here\nroot root\ns - 0\n" + prepare +
                            f"s - 1\nf\n{leaf}e\nj\n" * 3, encoding="utf-8")
            return preparation.touched(str(path), "here")

        self.assertEqual(touched("w 200000 8\n", "r 200000 8\n"), "written")
        self.assertEqual(touched("r 200000 8\n", "w 200000 8\n"), "not written")
        self.assertEqual(touched("", "w 200000 8\n"), "not written")
        self.assertEqual(touched("", ""), "nothing")

    def test_a_kernel(self):
        found = self.ask("heat2d", "--size", "tiny", "--iterations", 4, "--machine", "epyc-nps4", "--workers", 16,
                         "--scheduler", "random", "--seeds", 3)
        self.assertEqual((found["source"], found["workers"], found["iterations"]), ("kernel", 16, 4))
        self.assertEqual([(run["scheduler"], run["seeds"]) for run in found["runs"]], [("random", 3)])
        text = self.succeed("--machine", "epyc-nps4", "fib", "--size", "20")
        for word in ("R_NUMA 1.6", "speedup", "critical path", "busiest node", "simulated", "64 of 64 cores"):
            self.assertIn(word, text)

    def test_no_bound_of_a_factorization_is_above_its_time(self):
        """Its iterations get shorter and shorter."""
        found = self.ask("cholesky", "--size", 512, "--machine", "xeon-e5-2620", "--seeds", 2)
        self.assertIn("span", found["bounds_not_known"])
        for ns in found["bounds_ns"].values():
            self.assertLessEqual(ns, 1.02 * found["runs"][0]["ns"])
        self.assertNotIn("critical path: more cores", found["verdict"])

    @unittest.skipUnless(RECORDED_PROGRAM, "this build has no program that records itself")
    def test_a_program_is_recorded(self):
        before = os.listdir(os.getcwd())
        found = self.ask(RECORDED_PROGRAM, "--machine", "xeon-e5-2620", "--", "default")
        self.assertEqual(found["source"], "program")
        self.assertEqual(found["notes"], [])
        self.assertTrue(found["program"].endswith(" default"))
        found = self.ask(RECORDED_PROGRAM, "--machine", "xeon-e5-2620", "--", "two")
        self.assertEqual(found["notes"], ["It made 2 runtimes; this is of the first one."])
        self.refuse(RECORDED_PROGRAM, "--machine", "xeon-e5-2620", says="it ended with status 1")
        self.assertEqual(os.listdir(os.getcwd()), before)  # the trace is gone

    def test_bad_input_is_one_line(self):
        path = self.trace()
        self.refuse(path, says="--machine")
        self.refuse(path, "--machine", "nosuch", says="unknown machine 'nosuch'")
        self.refuse(path, "--machine", "xeon-e5-2620", "--workers", 13, says="--workers: 13, expected at most 12")
        self.refuse(path, "--machine", "xeon-e5-2620", "--scheduler", "magic", says="magic")
        self.refuse(path, "--machine", "xeon-e5-2620", "--scheduler", "adws,", says="--scheduler")
        self.refuse(path, "--machine", "xeon-e5-2620", "--seeds", "0", says="--seeds")
        self.refuse(path, "--machine", "xeon-e5-2620", "--placement", "nowhere", says="nowhere")
        self.refuse(path, "--machine", "xeon-e5-2620", "--size", "tiny", says="--size: an option of kernels")
        self.refuse(path, "--machine", "xeon-e5-2620", "more", says="but it is a trace")
        self.refuse("fib", "--machine", "xeon-e5-2620", "more", says="but it is a kernel")
        self.refuse("fib", "--machine", "xeon-e5-2620", "--size", "huge", says="huge")
        self.refuse("nosuch", "--machine", "xeon-e5-2620", says="no such file and no kernel")
        self.refuse(self.folder, "--machine", "xeon-e5-2620", says="a folder")
        os.mkfifo(self.folder / "pipe")
        self.refuse(self.folder / "pipe", "--machine", "xeon-e5-2620", says="pipe: no regular file")
        self.refuse("apply", self.folder / "pipe", "--machine", "xeon-e5-2620", says="pipe: no regular file")
        self.refuse(shutil.which("true"), "--machine", "xeon-e5-2620", says="it recorded nothing")
        text = self.folder / "text"
        text.write_text("words\n", encoding="utf-8")
        self.refuse(text, "--machine", "xeon-e5-2620", says="text:1: not a trace")
        text.chmod(0o755)
        self.refuse(text, "--machine", "xeon-e5-2620", says="text: Exec format error")
        text.write_text("#!/bin/sh\nkill -9 $$\n", encoding="utf-8")
        self.refuse(text, "--machine", "xeon-e5-2620", says="it ended with signal 9")

    def test_the_program_must_be_found(self):
        before = os.environ.get("JACKDAW_PROGRAM")
        self.addCleanup(os.environ.__setitem__, "JACKDAW_PROGRAM", before)
        os.environ["JACKDAW_PROGRAM"] = "/no/such/jackdaw"
        self.refuse("fib", "--machine", "xeon-e5-2620", says="/no/such/jackdaw: No such file")
        os.environ["JACKDAW_PROGRAM"] = shutil.which("false")
        status, out, err = self.run_command("fib", "--machine", "xeon-e5-2620")
        self.assertEqual((status, out, err), (1, "", "jackdaw: machine: status 1\n"))
        self.assertRaises(program.Failed, program.run, "list")


class Shares(unittest.TestCase):
    def test_no_share_is_below_nothing(self):
        """The parts of a time are differences of rounded ones."""
        run = dict(measured_iterations=1, iterations_ns=[], ns_per_iteration=1e6, whole_ns=1e6, region="", steals=[0],
                   remote_bytes=0, local_bytes=0, nodes=[], computing_ns=1e6, memory_ns=-0.25, overhead_ns=-0.0,
                   idle_ns=0.0)
        found = simulation._of_row(dict(scheduler="adws", workers=1, runs=[run]))
        self.assertEqual([f"{each:.0%}" for each in found.shares.values()], ["100%", "0%", "0%", "0%"])


class Verdict(unittest.TestCase):
    def says(self, speedup=5.0, bounds=(1, 1, 1), **shares):
        run = SimpleNamespace(time=100.0, shares={"computing": 0, "memory": 0, "overhead": 0, "idle": 0, **shares})
        alone = SimpleNamespace(time=500.0, shares={"overhead": 0.5})
        return foresight.verdict(SimpleNamespace(runs=[run], workers=8, alone=alone, speedup=lambda _: speedup,
                                                 disturbed="", most_speedup=lambda: None,
                                                 bounds={name: ns for name, ns in zip(
                                                     ("work", "span", "bandwidth"), bounds) if ns is not None},
                                                 not_known={} if None not in bounds else {"span": "they differ"}))

    def test_the_largest_bound_is_named_if_it_explains_the_time(self):
        self.assertIn("90% of the time is its work over 8 workers", self.says(bounds=(90, 80, 70)))
        self.assertIn("50% of that work is forks", self.says(bounds=(90, 80, 70)))
        self.assertIn("critical path", self.says(bounds=(10, 80, 70)))
        self.assertIn("bandwidth of memory", self.says(bounds=(10, 20, 70)))

    def test_else_what_the_workers_did_instead(self):
        self.assertIn("few tasks", self.says(computing=0.4, idle=0.5))
        self.assertIn("wait for data", self.says(computing=0.4, memory=0.5))
        self.assertIn("too fine-grained", self.says(computing=0.4, overhead=0.5))
        self.assertIn("One worker takes less time", self.says(speedup=0.9))


    def test_what_is_not_known_gives_no_advice(self):
        said = self.says(bounds=(10, None, 20), idle=0.5)
        self.assertIn("bandwidth alone would be 20%), but that of the critical path is not known", said)
        self.assertNotIn("more cores", said)


class Bounds(unittest.TestCase):
    MACHINE = SimpleNamespace(node_bandwidths=[10.0, 0.0])

    def bounds(self, span, time=100.0, alone=400.0, moved=200.0):
        return foresight.bounds(self.MACHINE, 8, SimpleNamespace(time=alone), span,
                                SimpleNamespace(time=time, node_bytes=[moved, 7.0]))

    def test_a_bound_above_the_time_is_none(self):
        self.assertEqual(self.bounds(60.0), ({"work": 50.0, "span": 60.0, "bandwidth": 20.0}, {}))
        known, not_known = self.bounds(198.0)
        self.assertEqual((set(known), set(not_known)), ({"work", "bandwidth"}, {"span"}))
        self.assertIn("198 ns is more than the time", not_known["span"])
        known, not_known = self.bounds(None, alone=1600.0)
        self.assertEqual((set(known), not_known), ({"bandwidth"}, {"span": "the iterations differ",
                                                                   "work": "200 ns is more than the time"}))

    def test_the_critical_path_is_of_iterations_that_are_alike(self):
        recorded = {"last_iteration": {"work_ns": 950.0, "span_ns": 300.0}, "whole": {"work_ns": 9e3, "span_ns": 5e3}}
        self.assertEqual(foresight.span_of(recorded, SimpleNamespace(computing_ns=1000.0)), 350.0)
        self.assertEqual(foresight.span_of(recorded, SimpleNamespace(computing_ns=900.0)), 300.0)
        for computing in (3000.0, 500.0):  # the last iteration of a factorization is the shortest
            self.assertIsNone(foresight.span_of(recorded, SimpleNamespace(computing_ns=computing)))
        self.assertEqual(foresight.span_of(recorded, SimpleNamespace(computing_ns=9500.0)), 5000.0)


if __name__ == "__main__":
    unittest.main()
